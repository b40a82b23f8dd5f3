"""The share of correct queries in a whole benchmark, from a stratified sample of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from audit_core.errors import StatisticsError
from audit_core.statistics.intervals import (
    CENSUS,
    WILSON_EFFECTIVE,
    Interval,
    check_confidence,
    check_count,
    wilson_at,
)


@dataclass(frozen=True, slots=True)
class StratumCount:
    """What is known of one stratum: `population` queries (N_h), `decided` of them (n_h), `correct` of those."""

    source: str
    evidence_structure: str
    population: int
    decided: int
    correct: int


@dataclass(frozen=True, slots=True)
class StratumShare:
    """One stratum's part in the estimate.

    `weight` is N_h / N. `accuracy` is correct / decided, None where nothing is decided. `remaining` is N_h - n_h;
    `remaining_faulty` the number of faulty queries expected among those, (N_h - n_h) (1 - accuracy).
    """

    source: str
    evidence_structure: str
    population: int
    decided: int
    correct: int
    weight: float
    accuracy: float | None
    remaining: int
    remaining_faulty: float | None


@dataclass(frozen=True, slots=True)
class StratifiedEstimate:
    """The stratified estimate of the share of correct queries.

    `interval.n` is the number of decided entries; `effective_n` the n that the interval was computed at (None where
    there is none, or for a census). `remaining_faulty` is the sum over strata, None where a stratum has nothing
    decided.
    """

    interval: Interval
    effective_n: float | None
    population: int
    decided: int
    remaining: int
    remaining_faulty: float | None
    is_census: bool
    strata: tuple[StratumShare, ...]


def stratified_estimate(strata: Sequence[StratumCount], *, confidence: float = 0.95) -> StratifiedEstimate:
    """Return p = sum W_h p_h with the Wilson interval at its effective n, and the faulty queries expected to remain.

    W_h = N_h / N; V = sum W_h^2 (1 - n_h/N_h) p_h (1 - p_h) / (n_h - 1); n_eff = p (1 - p) / V, bounded as
    `effective_size` says. A census (n_h = N_h throughout) is exact: zero width. A stratum that was taken whole adds
    nothing to V whatever its size, since its finite-population correction is 0 (Cochran, Sampling Techniques, 3rd ed.,
    5.4); so n_h = N_h = 1 does no harm.

    The interval is undefined, with the reason, where p is 0 or 1, where a stratum that was not taken whole has n_h <
    2, or where a stratum with queries has nothing decided (then the estimate is undefined too). Strata without
    queries weigh nothing.

    Raises:
        StatisticsError: negative or fractional counts, correct > decided, decided > population, a stratum named twice.
    """
    level = check_confidence(confidence)
    _check_strata(strata)
    population = sum(stratum.population for stratum in strata)
    decided = sum(stratum.decided for stratum in strata)
    shares = tuple(_share(stratum, population) for stratum in strata)
    expected = [share.remaining_faulty for share in shares if share.population]
    known = [value for value in expected if value is not None]
    is_census = population > 0 and decided == population
    interval, effective_n = _interval(shares, decided, level, is_census)
    return StratifiedEstimate(
        interval=interval,
        effective_n=effective_n,
        population=population,
        decided=decided,
        remaining=population - decided,
        remaining_faulty=math.fsum(known) if population and len(known) == len(expected) else None,
        is_census=is_census,
        strata=shares,
    )


def effective_size(p: float, *, variance: float, cautious_variance: float, decided: int) -> float:
    """Return n_eff = p (1 - p) / V, above `decided` only as far as the cautious variance allows as well.

    The cautious variance takes a stratum that showed no fault (or nothing but faults) to hide half an entry of the
    other kind; see `hidden_spread`. Without it a heavy stratum that chance left without a fault would add nothing to V,
    and an interval of nominal 95 % would cover as little as 67 % (docs/statistics.md). Where V is 0 it is `decided`.
    """
    if variance == 0 or cautious_variance == 0:
        return float(decided)
    spread = p * (1.0 - p)
    return min(spread / variance, max(float(decided), spread / cautious_variance))


def hidden_spread(size: int) -> float:
    """Return p (1 - p) for half a fault in `size` + 1 entries: what a stratum without a fault may hide."""
    hidden = 0.5 / (size + 1)
    return hidden * (1.0 - hidden)


def stratum_name(source: str, evidence_structure: str) -> str:
    """Return the name by which messages call a stratum, such as `PubMed Cross-Doc`."""
    return f"{source} {evidence_structure}".strip() or "(unnamed stratum)"


def name_list(names: Sequence[str], *, most: int = 5) -> str:
    """Return names joined by commas; of more than `most` the first ones and how many more there are."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def _check_strata(strata: Sequence[StratumCount]) -> None:
    seen: set[tuple[str, str]] = set()
    for each in strata:
        name = stratum_name(each.source, each.evidence_structure)
        population = check_count(each.population, what=f"the population of {name}")
        decided = check_count(each.decided, what=f"the decided entries of {name}")
        correct = check_count(each.correct, what=f"the correct entries of {name}")
        if correct > decided:
            raise StatisticsError(f"{name} has {correct} correct entries of {decided} decided ones. Check the counts.")
        if decided > population:
            raise StatisticsError(f"{name} has {decided} decided entries but {population} queries. Check the design.")
        if (each.source, each.evidence_structure) in seen:
            raise StatisticsError(f"The stratum {name} is named twice. Join its counts first.")
        seen.add((each.source, each.evidence_structure))


def _share(stratum: StratumCount, population: int) -> StratumShare:
    accuracy = stratum.correct / stratum.decided if stratum.decided else None
    remaining = stratum.population - stratum.decided
    wrong = stratum.decided - stratum.correct
    return StratumShare(
        source=stratum.source,
        evidence_structure=stratum.evidence_structure,
        population=stratum.population,
        decided=stratum.decided,
        correct=stratum.correct,
        weight=stratum.population / population if population else 0.0,
        accuracy=accuracy,
        remaining=remaining,
        remaining_faulty=remaining * wrong / stratum.decided if stratum.decided else None,
    )


def _interval(
    shares: Sequence[StratumShare], decided: int, level: float, is_census: bool
) -> tuple[Interval, float | None]:
    def undefined(reason: str, estimate: float | None = None) -> tuple[Interval, None]:
        return Interval(estimate, None, None, level, WILSON_EFFECTIVE, decided, None, reason), None

    filled = [share for share in shares if share.population]
    if not filled:
        return undefined("no queries (a population of 0)")
    empty = [stratum_name(share.source, share.evidence_structure) for share in filled if not share.decided]
    if empty:
        return undefined(f"nothing is decided in {name_list(empty)}")
    p = _weighted_accuracy(filled)
    if is_census:
        correct = sum(share.correct for share in filled)
        return Interval(correct / decided, correct / decided, correct / decided, level, CENSUS, decided, correct), None
    thin = [
        stratum_name(share.source, share.evidence_structure)
        for share in filled
        if share.decided < 2 and share.remaining
    ]
    if thin:
        return undefined(f"only one entry is decided in {name_list(thin)}, so its variance is unknown", p)
    if all(share.correct == share.decided for share in filled):
        return undefined("every decided entry is correct, so the variance formula gives nothing", p)
    if all(share.correct == 0 for share in filled):
        return undefined("every decided entry is incorrect, so the variance formula gives nothing", p)
    effective_n = effective_size(
        p,
        variance=_variance(filled, is_cautious=False),
        cautious_variance=_variance(filled, is_cautious=True),
        decided=decided,
    )
    at = wilson_at(p, effective_n, confidence=level)
    return Interval(p, at.low, at.high, level, WILSON_EFFECTIVE, decided), effective_n


def _weighted_accuracy(shares: Sequence[StratumShare]) -> float:
    total = sum(share.population for share in shares)
    # N_h c_h / n_h before the one division by N: all right gives 1 and all wrong gives 0 exactly.
    return min(1.0, math.fsum(share.population * share.correct / share.decided for share in shares) / total)


def _variance(shares: Sequence[StratumShare], *, is_cautious: bool) -> float:
    terms = []
    for share in shares:
        if not share.remaining or share.accuracy is None:
            continue
        left = 1.0 - share.decided / share.population
        is_pure = share.correct in (0, share.decided)
        spread = hidden_spread(share.decided) if is_cautious and is_pure else share.accuracy * (1.0 - share.accuracy)
        terms.append(share.weight**2 * left * spread / (share.decided - 1))
    return math.fsum(terms)
