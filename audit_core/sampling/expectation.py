"""The interval that a sample of given sizes would show if every stratum turned out as guessed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from audit_core.sampling.frame import StratumKey
from audit_core.statistics.intervals import CENSUS, WILSON, WILSON_EFFECTIVE, Interval, wilson_at
from audit_core.statistics.stratified import effective_size, hidden_spread, name_list, stratum_name


@dataclass(frozen=True, slots=True)
class StratumGuess:
    """A stratum before labelling: `population` queries (N_h), of which a part `accuracy` (p_h) is guessed correct."""

    source: str
    evidence_structure: str
    population: int
    accuracy: float

    @property
    def key(self) -> StratumKey:
        """(source, evidence structure)."""
        return self.source, self.evidence_structure

    @property
    def name(self) -> str:
        """The name by which messages call it."""
        return stratum_name(self.source, self.evidence_structure)


def expected_share(stratum: StratumGuess, size: int, *, confidence: float) -> Interval:
    """Return the Wilson interval of one stratum at `size` entries with the guessed share correct.

    A stratum taken whole is exact (method `census`); without entries the interval is undefined.
    """
    if not size:
        reason = "no queries (a population of 0)" if not stratum.population else "nothing would be drawn"
        return Interval(None, None, None, confidence, WILSON, 0, None, reason)
    p = stratum.accuracy
    if size == stratum.population:
        return Interval(p, p, p, confidence, CENSUS, size)
    return replace(wilson_at(p, size, confidence=confidence), method=WILSON)


def expected_estimate(
    strata: Sequence[StratumGuess], sizes: Sequence[int], *, confidence: float
) -> tuple[Interval, float | None]:
    """Return the interval of the stratified estimate, and its effective n, for expected counts n_h p_h.

    The formula is that of `stratified_estimate` with the guess p_h in place of correct / decided, so that counts need
    not be whole. V takes n_h - 1 as the report does; its mean over samples has n_h (N_h - 1) / N_h there, so the plan is
    wider by a factor of at most sqrt(n_h / (n_h - 1)), on the safe side. The cautious variance, which bounds an
    effective n above the number of entries, holds for each stratum the chance p_h^n_h that no fault is found in it.
    Undefined, with the reason, where a stratum with queries gets no entry, where one that is not taken whole gets a
    single entry, and where all guesses are 1 or all are 0.
    """
    drawn = sum(sizes)

    def undefined(reason: str, estimate: float | None = None) -> tuple[Interval, None]:
        return Interval(estimate, None, None, confidence, WILSON_EFFECTIVE, drawn, None, reason), None

    filled = [(each, size) for each, size in zip(strata, sizes, strict=True) if each.population]
    if not filled:
        return undefined("no queries (a population of 0)")
    empty = [each.name for each, size in filled if not size]
    if empty:
        return undefined(f"nothing would be drawn from {name_list(empty)}")
    population = sum(each.population for each, _ in filled)
    p = min(1.0, math.fsum(each.population * each.accuracy for each, _ in filled) / population)
    if drawn == population:
        return Interval(p, p, p, confidence, CENSUS, drawn), None
    thin = [each.name for each, size in filled if size == 1 and each.population > 1]
    if thin:
        return undefined(f"only one entry would be drawn from {name_list(thin)}, so its variance is unknown", p)
    for certain, word in ((1.0, "correct"), (0.0, "incorrect")):
        if all(each.accuracy == certain for each, _ in filled):
            return undefined(f"every query is guessed {word}, so the variance formula gives nothing", p)
    effective_n = effective_size(
        p,
        variance=_variance(filled, population, is_cautious=False),
        cautious_variance=_variance(filled, population, is_cautious=True),
        decided=drawn,
    )
    at = wilson_at(p, effective_n, confidence=confidence)
    return Interval(p, at.low, at.high, confidence, WILSON_EFFECTIVE, drawn), effective_n


def half_width(interval: Interval) -> float | None:
    """Return half the length of an interval as a part of 1; None where it is undefined.

    A Wilson interval is not centred on its estimate: the longer side is the one towards 1/2.
    """
    return None if interval.low is None or interval.high is None else (interval.high - interval.low) / 2.0


def _variance(filled: Sequence[tuple[StratumGuess, int]], population: int, *, is_cautious: bool) -> float:
    return math.fsum(
        (each.population / population) ** 2
        * (1.0 - size / each.population)
        * (each.accuracy * (1.0 - each.accuracy) + (_expected_hidden(each.accuracy, size) if is_cautious else 0.0))
        / (size - 1)
        for each, size in filled
        if size < each.population
    )


def _expected_hidden(accuracy: float, size: int) -> float:
    """Return the chance that all entries of a stratum turn out alike, times what is then allowed for."""
    return (accuracy**size + (1.0 - accuracy) ** size) * hidden_spread(size)
