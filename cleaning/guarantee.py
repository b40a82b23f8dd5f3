"""A threshold of which it can be said: "at most x % of what is kept is bad", with a confidence that covers the choice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from audit_core.errors import CleaningError
from audit_core.statistics.intervals import Interval
from cleaning.contract import Kind
from cleaning.drawn_labels import DrawnLabels, check_promised, left_out_notes, refuse_unfit, usable_rows
from cleaning.fixed_sequence import (
    Count,
    Outcome,
    Step,
    exact_p,
    fewest_labels,
    first_with_a_chance,
    keeps,
    shortest_threshold,
    threshold_grid,
    upper_bound,
)
from cleaning.guarantee_draw import Part, Split, split_labels
from cleaning.guarantee_words import what_is_missing
from cleaning.metrics import decide, measure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cleaning.scoring import ScoredAll, Scoring

#: Kinds that take part unless they are named: those that look for bad queries. Each shares in the error that is allowed.
DEFAULT_KINDS = (Kind.RULE, Kind.LEARNED, Kind.MODEL, Kind.COMBINATION)
#: The strategy whose scores are 1 minus the lowest rating: its thresholds can be said as ratings.
RATING = "llm_rating"


@dataclass(frozen=True, slots=True)
class StrategyGuarantee:
    """The tests of one strategy, in their order.

    `chosen` is the last threshold whose bound holds: it keeps most; None where no bound holds. `blocked` is the one at
    which the tests stopped. `more` is about how many more labels the blocking threshold needs (all draws like the ones
    so far), None where nothing blocks or no number would do; `says` puts it in words. `held_out` is the false omission
    rate at the chosen threshold on labels that chose nothing, None without such.
    """

    name: str
    title: str
    steps: tuple[Step, ...]
    chosen: Step | None
    blocked: Step | None
    more: int | None
    says: str
    held_out: Interval | None = None


@dataclass(frozen=True, slots=True)
class Guarantee:
    """What can be promised of each strategy, all at once with `confidence`; shares and risks are parts of 1.

    `queries` are those that it speaks of: the ones whose labels trained none of the strategies; of the other `trained`
    queries nothing is promised. Each strategy is tested at `alpha`, (1 - confidence) over their number. Of `labels` usable labels `entered` are left
    with equal chances in the choosing part, and `held_out` (before that) are in the part that does not choose.
    """

    scoring: str
    labels_key: str
    risk: float
    confidence: float
    alpha: float
    seed: int
    test_share: float
    queries: int
    labels: int
    entered: int
    held_out: int
    strategies: tuple[StrategyGuarantee, ...]
    notes: tuple[str, ...] = ()
    trained: int = 0

    @property
    def part(self) -> str:
        """The part of the dataset that the promise is about, in words; empty where that is all of it."""
        return f"the {self.queries:,} queries whose labels trained no strategy" if self.trained else ""

    @property
    def best(self) -> StrategyGuarantee | None:
        """The strategy whose chosen threshold keeps most; None where no bound holds."""
        reached = [each for each in self.strategies if each.chosen is not None]
        return max(reached, key=lambda each: each.chosen.kept if each.chosen else 0, default=None)


def choose(
    scoring: Scoring,
    drawn: DrawnLabels,
    *,
    strategies: Sequence[str] | None = None,
    risk: float = 0.10,
    confidence: float = 0.95,
    seed: int = 1,
    test_share: float = 0.0,
) -> Guarantee:
    """Return, for each strategy, the threshold that keeps most with a bad share of at most `risk` among what is kept.

    A fixed sequence of exact tests: the thresholds follow from the scores of the whole benchmark, from the one that keeps
    least upwards; at each H0 is "the bad share of what is kept is at least `risk`", with p = P(Binom(n, risk) <= bad); the
    first that is not rejected ends it. So the confidence covers the search over thresholds without a correction (Maurer,
    Hothorn and Lehmacher 1995; as "fixed sequence testing" in Learn then Test, Angelopoulos et al. 2021, arXiv:2110.01052),
    and alpha is divided over the strategies (Bonferroni). Undecided queries count as kept. One labelled query a group
    enters a test, chosen by `seed`; chances are made equal before (`guarantee_draw`). `test_share` of the groups is held
    out first and measures the chosen threshold, once.

    Raises:
        CleaningError: the labels are no random sample of the scored queries, or none is left; a strategy is not there,
            failed, or is a difficulty filter; a risk, confidence or share that cannot be.
    """
    level = check_promised(confidence)
    _check(risk, seed, test_share)
    refuse_unfit(scoring, drawn, what="A guarantee")
    chosen = _chosen(scoring, strategies)
    trained = scoring.trained_for(chosen)
    rows, remove, chances = usable_rows(scoring, drawn, trained)
    eligible = np.asarray([query not in trained for query in scoring.query_ids], dtype=bool)
    split = split_labels(rows, remove, chances, drawn.groups, eligible, seed=seed, test_share=test_share)
    alpha = (1.0 - level) / len(chosen)
    rated = _ratings(scoring)
    return Guarantee(
        scoring=scoring.name,
        labels_key=drawn.key,
        risk=risk,
        confidence=level,
        alpha=alpha,
        seed=seed,
        test_share=test_share,
        queries=int(eligible.sum()),
        trained=int((~eligible).sum()),
        labels=len(rows),
        entered=len(split.choosing.rows),
        held_out=len(split.testing.rows),
        strategies=tuple(
            _of_strategy(each, split, risk=risk, alpha=alpha, confidence=level, is_rating=each.name in rated)
            for each in chosen
        ),
        notes=(*_about_part(eligible), *left_out_notes(drawn, trained), *split.notes),
    )


def _about_part(eligible: NDArray[np.bool_]) -> tuple[str, ...]:
    others = int((~eligible).sum())
    if not others:
        return ()
    return (
        f"The promise, Kept and Share kept are those of the {int(eligible.sum()):,} queries whose labels trained no strategy. "
        f"Of the other {others:,} it says nothing.",
    )


def _check(risk: float, seed: int, test_share: float) -> None:
    if not 0.0 < risk < 1.0:
        raise CleaningError(
            f"The bad share that is allowed is {risk * 100:g} %: give one above 0 and below 100 %, such as 10 %."
        )
    if not 0.0 <= test_share <= 0.9:
        raise CleaningError(f"The part that is held out is {test_share}: use 0 (none) to 0.9.")
    if not 0 <= seed < 2**31:
        raise CleaningError(f"The seed is {seed}: use a whole number from 0 to 2,147,483,647.")


def _chosen(scoring: Scoring, names: Sequence[str] | None) -> list[ScoredAll]:
    if names is None:
        found = [each for each in scoring.usable if each.kind in DEFAULT_KINDS]
        if not found:
            raise CleaningError(
                f"No strategy of {scoring.name} looks for bad queries and has scores. Name one of: "
                f"{', '.join(each.name for each in scoring.strategies)}."
            )
        return found
    found = [scoring.of(name) for name in dict.fromkeys(names)]
    if not found:
        raise CleaningError("No strategy was chosen. Choose at least one.")
    for each in found:
        if each.kind == Kind.DIFFICULTY:
            raise CleaningError(
                f"{each.title} finds easy queries, not bad ones: how many bad ones it leaves says nothing of it. Choose another."
            )
    return found


def _of_strategy(
    scored: ScoredAll, split: Split, *, risk: float, alpha: float, confidence: float, is_rating: bool
) -> StrategyGuarantee:
    steps, blocked = _sequence(scored, split.choosing, risk=risk, alpha=alpha, is_rating=is_rating)
    passed = [each for each in steps if each.outcome == Outcome.REJECTED]
    chosen = passed[-1] if passed else None
    more, says = what_is_missing(split.choosing, scored, steps, blocked, risk=risk, alpha=alpha)
    return StrategyGuarantee(
        name=scored.name,
        title=scored.title,
        steps=steps,
        chosen=chosen,
        blocked=blocked,
        more=more,
        says=says,
        held_out=_held_out(scored, split.testing, chosen, confidence) if split.testing.rows.size and chosen else None,
    )


def _sequence(
    scored: ScoredAll, part: Part, *, risk: float, alpha: float, is_rating: bool
) -> tuple[tuple[Step, ...], Step | None]:
    """Return the steps of a strategy, and the one that stopped it."""
    grid = [shortest_threshold(scored.scores, each) for each in threshold_grid(scored.scores[part.eligible]).tolist()]
    kept = [keeps(scored.scores, threshold) & part.eligible for threshold in grid]
    fewest = fewest_labels(risk, alpha)
    first = first_with_a_chance([part.expected(each) for each in kept], max(1, len(part.rows)), fewest)
    steps: list[Step] = []
    blocked: Step | None = None
    for place, (threshold, stays) in enumerate(zip(grid, kept, strict=True)):
        untested = Step(
            threshold=threshold,
            rating=_rating(scored, threshold, is_rating=is_rating),
            kept=int(stays.sum()),
            share_kept=float(stays.sum() / max(1, part.eligible.sum())),
            n=None, bad=None, p=None, upper=None,
            outcome=Outcome.NOT_REACHED,
        )  # fmt: skip
        if blocked is not None:
            steps.append(untested)
            continue
        step = _skipped(untested, place < first, fewest) or _tested(untested, part.count(stays), risk, alpha)
        steps.append(step)
        blocked = step if step.outcome == Outcome.STOPPED else None
    return tuple(steps), blocked


def _skipped(step: Step, is_hopeless: bool, fewest: int) -> Step | None:
    if not step.kept:
        return replace(step, outcome=Outcome.SKIPPED, says="nothing is kept")
    if is_hopeless:
        says = f"so few labelled queries are kept that not even faultless ones would do ({fewest:,} are needed)"
        return replace(step, outcome=Outcome.SKIPPED, says=says)
    return None


def _tested(step: Step, count: Count, risk: float, alpha: float) -> Step:
    if not count.n:
        return replace(step, outcome=Outcome.SKIPPED, n=0, bad=0, says="no labelled query is kept")
    p = exact_p(count.bad, count.n, risk)
    outcome = Outcome.REJECTED if p <= alpha else Outcome.STOPPED
    return replace(step, n=count.n, bad=count.bad, p=p, upper=upper_bound(count.bad, count.n, alpha), outcome=outcome)


def _rating(scored: ScoredAll, threshold: float, *, is_rating: bool) -> float | None:
    """Return at or below which rating a query goes; None on other scales, and with a limit for each criterion.

    The score is 1 - the lowest rating; with one limit for all criteria 0.5 + (limit - the lowest rating) / 2.
    """
    if not is_rating or math.isinf(threshold):
        return None
    limit = scored.options.get("thresholds")
    if limit is None:
        return 1.0 - threshold
    return float(limit) + 1.0 - 2.0 * threshold if isinstance(limit, int | float) else None


def _ratings(scoring: Scoring) -> set[str]:
    """Return the names of the strategies whose scores come from ratings, which may go by a label of their own."""
    request = scoring.card.get("request", {})
    labelled = {
        each.get("label") for each in request.get("strategies", ()) if each["strategy"] == RATING and each.get("label")
    }
    return {RATING, *labelled}


def _held_out(scored: ScoredAll, testing: Part, chosen: Step, confidence: float) -> Interval:
    decisions = decide(scored.scores[testing.rows], chosen.threshold)
    chances: NDArray[np.float64] | None = testing.chances if np.ptp(testing.chances) > 1e-12 else None
    return measure(decisions, testing.remove, probabilities=chances, confidence=confidence).false_omission
