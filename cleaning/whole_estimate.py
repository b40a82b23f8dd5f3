"""How many queries of a whole benchmark are to be removed: from a random human sample, and with scores on everything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from audit_core.errors import CleaningError
from audit_core.statistics.intervals import CENSUS, Interval, wilson
from audit_core.statistics.prediction_powered import (
    LabelledStratum,
    PredictionPowered,
    prediction_powered,
    score_spread,
)
from audit_core.statistics.stratified import StratumCount, stratified_estimate
from cleaning.contract import Kind
from cleaning.drawn_labels import Division, DrawnLabels, check_promised, left_out_notes, refuse_unfit, usable_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cleaning.scoring import ScoredAll, Scoring

#: Undecided queries, as a part of all, from which on a warning stands beside the estimate.
_MANY_UNDECIDED = 0.2


@dataclass(frozen=True, slots=True)
class StrategyEstimate:
    """The share of queries to remove with the help of one strategy's scores.

    `tuned` uses as much of the scores as helps (PPI++), `full` all of them (PPI, lambda 1). `undecided` queries have no
    score and got the mean of the others. `warnings` must be read with the figures.
    """

    name: str
    title: str
    tuned: PredictionPowered
    full: PredictionPowered
    undecided: int
    warnings: tuple[str, ...]

    @property
    def labels_saved(self) -> float | None:
        """How many more labels it would take without scores for an interval as wide; None where undefined."""
        worth = self.tuned.labels_worth
        return None if worth is None else worth - self.tuned.labels


@dataclass(frozen=True, slots=True)
class WholeEstimate:
    """The share of `queries` (those whose labels trained none of `strategies`) that are to be removed, a part of 1.

    `human` rests on the labels alone: the interval of the audit report, Wilson at the effective n. `division` says what
    the sample was divided by.
    """

    scoring: str
    labels_key: str
    queries: int
    labels: int
    division: Division
    human: Interval
    strategies: tuple[StrategyEstimate, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class _Stratum:
    """A stratum of the eligible queries: how many, the places of its labels, and its rows where they are known."""

    name: str
    population: int
    places: NDArray[np.intp]
    rows: NDArray[np.intp] | None


def estimate_removal(
    scoring: Scoring, drawn: DrawnLabels, *, strategies: Sequence[str] | None = None, confidence: float = 0.95
) -> WholeEstimate:
    """Return the share of queries to remove in the whole benchmark: from labels alone, and with each strategy's scores.

    Any strategy may help, whatever it looks at: scores that say little save little, and none biases the estimate. Without
    names all that have scores take part.

    Raises:
        CleaningError: the labels are no random sample of the scored queries, or none is left; a strategy is not there or
            failed.
    """
    level = check_promised(confidence)
    refuse_unfit(scoring, drawn, what="An estimate for the whole")
    chosen = _chosen(scoring, strategies)
    trained = scoring.trained_for(chosen)
    rows, remove, chances = usable_rows(scoring, drawn, trained)
    eligible = np.asarray([query not in trained for query in scoring.query_ids], dtype=bool)
    strata = _strata(drawn, rows, chances, eligible)
    notes = left_out_notes(drawn, trained)
    if not eligible.all():
        notes = (*notes, f"The share is that of the {int(eligible.sum()):,} queries whose labels trained no strategy.")
    return WholeEstimate(
        scoring=scoring.name,
        labels_key=drawn.key,
        queries=int(eligible.sum()),
        labels=len(rows),
        division=drawn.division if len(strata) > 1 else Division.NONE,
        human=_human(strata, remove, level),
        strategies=tuple(_of_strategy(each, strata, rows, remove, eligible, level) for each in chosen),
        notes=notes,
    )


def _chosen(scoring: Scoring, names: Sequence[str] | None) -> list[ScoredAll]:
    if names is not None:
        return [scoring.of(name) for name in dict.fromkeys(names)]
    found = [each for each in scoring.usable if each.kind != Kind.BASELINE]
    if not found:
        raise CleaningError(f"No strategy of {scoring.name} has scores, so none can help the estimate.")
    return found


def _strata(
    drawn: DrawnLabels, rows: NDArray[np.intp], chances: NDArray[np.float64], eligible: NDArray[np.bool_]
) -> list[_Stratum]:
    """Return the strata that the labels were drawn in, with the sizes of their eligible part."""
    if drawn.division is Division.DESIGN:
        names = np.asarray(drawn.strata, dtype=object)
        return [
            _Stratum(name, int(inside.sum()), np.flatnonzero(inside[rows]), np.flatnonzero(inside))
            for name in sorted(set(names[eligible].tolist()))
            for inside in [(names == name) & eligible]
        ]
    # Products of the same two numbers may differ in their last digits.
    chances = np.round(chances, 12)
    values = np.unique(chances)
    if drawn.division is Division.NONE or len(values) == 1:
        return [_Stratum("all", int(eligible.sum()), np.arange(len(rows)), np.flatnonzero(eligible))]
    sizes = np.asarray([np.count_nonzero(chances == each) / each for each in values])
    # What the chances add up to is held to the number of queries, so that the weights are those of a benchmark.
    whole = np.maximum(
        np.rint(sizes * eligible.sum() / sizes.sum()).astype(np.int64),
        [np.count_nonzero(chances == each) for each in values],
    )
    return [
        _Stratum(f"drawn with chance {chance:.4g}", int(size), np.flatnonzero(chances == chance), None)
        for chance, size in zip(values.tolist(), whole.tolist(), strict=True)
    ]


def _human(strata: Sequence[_Stratum], remove: NDArray[np.bool_], confidence: float) -> Interval:
    """Return the share of bad ones as the audit report estimates that of correct ones: turned round."""
    counts = [
        StratumCount(each.name, "", each.population, len(each.places), int((~remove[each.places]).sum()))
        for each in strata
    ]
    good = stratified_estimate(counts, confidence=confidence).interval
    if good.undefined is not None and len(strata) == 1 and remove.size:
        return wilson(int(remove.sum()), len(remove), confidence=confidence)
    bad = None if good.estimate is None else 1.0 - good.estimate
    if good.low is None or good.high is None or bad is None:
        return Interval(bad, None, None, good.confidence, good.method, good.n, None, _about_labels(good.undefined))
    if good.method == CENSUS:
        exact = float(remove.mean())
        return Interval(exact, exact, exact, good.confidence, CENSUS, good.n, int(remove.sum()))
    return Interval(bad, min(1.0 - good.high, bad), max(1.0 - good.low, bad), good.confidence, good.method, good.n)


def _about_labels(reason: str | None) -> str:
    return (reason or "").replace("decided entry", "label").replace("entry", "label").replace("correct", "good")


def _of_strategy(
    scored: ScoredAll,
    strata: Sequence[_Stratum],
    rows: NDArray[np.intp],
    remove: NDArray[np.bool_],
    eligible: NDArray[np.bool_],
    confidence: float,
) -> StrategyEstimate:
    scores = np.asarray(scored.scores, dtype=np.float64)
    decided = ~np.isnan(scores) & eligible
    undecided = int(eligible.sum() - decided.sum())
    # Any number that no label had a part in will do; the mean of the others says nothing of the query.
    filled = np.where(np.isnan(scores), scores[decided].mean() if decided.any() else 0.0, scores)
    labelled = [
        LabelledStratum(
            name=each.name,
            population=each.population,
            labels=remove[each.places],
            scores=filled[rows[each.places]],
            spread=None if each.rows is None else score_spread(filled[each.rows]),
        )
        for each in strata
    ]
    mean = float(filled[eligible].mean())
    tuned = prediction_powered(labelled, mean_score=mean, confidence=confidence)
    full = prediction_powered(labelled, mean_score=mean, power=1.0, confidence=confidence)
    warnings = list(tuned.warnings)
    if undecided > _MANY_UNDECIDED * eligible.sum():
        warnings.append(f"{undecided:,} of {int(eligible.sum()):,} queries have no score: they cannot help.")
    if tuned.power == 0.0 and tuned.interval.undefined is None:
        warnings.append(
            "The scores do not go with the labels, so they are not used: the interval rests on labels alone."
        )
    return StrategyEstimate(scored.name, scored.title, tuned, full, undecided, tuple(warnings))
