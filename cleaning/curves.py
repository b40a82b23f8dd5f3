"""False omission rate against share kept for every threshold, with bands; and the table that a threshold slider reads."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from audit_core.errors import CleaningError
from cleaning.intervals import bootstrap_sums, wilson_bounds
from cleaning.metrics import LABELLED_ONLY, WEIGHTED, inverse_weights

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

#: Most thresholds of a table, so that a page can hold all their figures.
MOST_THRESHOLDS = 200

WILSON_BAND = "pointwise Wilson"
BOOTSTRAP_BAND = "pointwise document-clustered bootstrap"


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdTable:
    """The figures at each threshold, ascending; arrays of one length, NaN where undefined (nothing kept, or removed).

    `thresholds` ends with inf: nothing is removed. Counts are of queries; `kept` includes the undecided, and
    `false_omission` is (FN + U+) / kept with Wilson bounds `low` and `high`. `base_rate` is the share of queries to
    remove: what random removal keeps at any share, None without queries. `all_thresholds` counts the distinct ones
    before the table was thinned. `heading` says what the rates hold for.
    """

    thresholds: NDArray[np.float64]
    tp: NDArray[np.int64]
    fp: NDArray[np.int64]
    fn: NDArray[np.int64]
    tn: NDArray[np.int64]
    kept: NDArray[np.int64]
    undecided_positive: int
    undecided_negative: int
    share_kept: NDArray[np.float64]
    false_omission: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    precision: NDArray[np.float64]
    recall: NDArray[np.float64]
    specificity: NDArray[np.float64]
    base_rate: float | None
    confidence: float
    all_thresholds: int
    heading: str

    def __len__(self) -> int:
        """Return the number of thresholds."""
        return len(self.thresholds)

    def at(self, threshold: float) -> int:
        """Return the row whose decisions this threshold gives, or the next higher one where the table is thinned."""
        return min(int(np.searchsorted(self.thresholds, threshold, side="left")), len(self) - 1)


@dataclass(frozen=True, slots=True, eq=False)
class Band:
    """Bounds of the false omission rate at each threshold of a table; NaN where it is undefined or cannot vary."""

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    method: str
    confidence: float


def threshold_table(
    scores: ArrayLike,
    remove: ArrayLike,
    *,
    probabilities: ArrayLike | None = None,
    most: int | None = MOST_THRESHOLDS,
    confidence: float = 0.95,
) -> ThresholdTable:
    """Return the figures at every distinct score, and at inf; thinned to about `most` of them (None: all).

    `scores`, `remove` and `probabilities` have shape (n,). With selection probabilities the rates are weighted by their
    inverse and bounded as in `metrics.measure`. Thinning keeps the lowest and highest and takes the others at even
    steps of the queries kept.

    Raises:
        CleaningError: arrays that differ in length; `most` below 2; a selection probability outside (0, 1].
    """
    values, labels = _checked(scores, remove)
    if most is not None and most < 2:
        raise CleaningError(f"A table of {most} thresholds shows nothing; ask for at least 2.")
    weights = inverse_weights(probabilities, len(labels))
    decided = ~np.isnan(values)
    every = np.append(np.unique(values[decided]), np.inf)
    thresholds = every if most is None else _thinned(every, np.sort(values[decided]), most)

    def kept(part: NDArray[np.bool_], each: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sum of `each` over the kept queries of `part` at every threshold, the undecided among them."""
        return _sums_below(values[part], each[part], thresholds)

    ones, every_query = np.ones(len(labels)), np.ones(len(labels), dtype=bool)
    undecided = np.asarray([(~decided & labels).sum(), (~decided & ~labels).sum()], dtype=np.int64)
    fn, tn = (kept(decided & part, ones).astype(np.int64) for part in (labels, ~labels))
    bad, whole = kept(labels, weights), kept(every_query, weights)
    total, positives = float(weights.sum()), float(weights[labels].sum())
    rate = _quotients(bad, whole)
    counts = fn + tn + undecided.sum()
    if probabilities is None:
        low, high = wilson_bounds(bad, whole, confidence=confidence)
    else:
        squares = kept(labels, weights**2), kept(every_query, weights**2)
        low, high = _weighted_bounds(rate, whole, *squares, counts, confidence)
    return ThresholdTable(
        thresholds=thresholds,
        tp=int((decided & labels).sum()) - fn,
        fp=int((decided & ~labels).sum()) - tn,
        fn=fn,
        tn=tn,
        kept=counts,
        undecided_positive=int(undecided[0]),
        undecided_negative=int(undecided[1]),
        share_kept=_quotients(whole, total),
        false_omission=rate,
        low=low,
        high=high,
        precision=_quotients(*(_removed(each, all_of) for each, all_of in ((bad, positives), (whole, total)))),
        recall=_quotients(_removed(bad, positives), positives),
        specificity=_quotients(whole - bad, total - positives),
        base_rate=positives / total if total else None,
        confidence=confidence,
        all_thresholds=len(every),
        heading=LABELLED_ONLY if probabilities is None else WEIGHTED,
    )


def wilson_band(table: ThresholdTable) -> Band:
    """Return the Wilson bounds of the table as a band: each point by itself, not the curve as a whole."""
    return Band(table.low, table.high, WILSON_BAND, table.confidence)


def bootstrap_band(
    table: ThresholdTable,
    scores: ArrayLike,
    remove: ArrayLike,
    documents: Sequence[Collection[str]],
    *,
    probabilities: ArrayLike | None = None,
    resamples: int = 2000,
    seed: int = 1,
) -> Band:
    """Return percentile bounds at each threshold of the table from re-weighting documents, at its confidence.

    NaN where nothing is kept, and where all kept queries are of one kind, since each resample then repeats the rate.
    Bounds are widened to the rate itself. `intervals.BOOTSTRAP_SAYS` is what the band does not show.

    Raises:
        CleaningError: arrays and documents that differ in length; fewer than 100 resamples.
    """
    values, labels = _checked(scores, remove)
    # Undecided queries are kept at every threshold.
    kept = ~(values[:, None] >= table.thresholds[None, :])
    columns = (
        np.concatenate([kept & labels[:, None], kept], axis=1) * inverse_weights(probabilities, len(labels))[:, None]
    )
    sums = bootstrap_sums(columns, documents, resamples=resamples, seed=seed)
    tail = (1.0 - table.confidence) / 2.0
    low, high = np.full(len(table), np.nan), np.full(len(table), np.nan)
    varies = (table.false_omission > 0.0) & (table.false_omission < 1.0)
    if varies.any():
        rates = sums[:, : len(table)][:, varies] / sums[:, len(table) :][:, varies]
        bounds = np.quantile(rates, [tail, 1.0 - tail], axis=0)
        low[varies] = np.minimum(bounds[0], table.false_omission[varies])
        high[varies] = np.maximum(bounds[1], table.false_omission[varies])
    return Band(low, high, BOOTSTRAP_BAND, table.confidence)


def _checked(scores: ArrayLike, remove: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    values, labels = np.asarray(scores, dtype=np.float64), np.asarray(remove, dtype=bool)
    if values.shape != labels.shape or values.ndim != 1:
        raise CleaningError(f"Scores of shape {values.shape} cannot be held against labels of shape {labels.shape}.")
    return values, labels


def _thinned(every: NDArray[np.float64], ordered: NDArray[np.float64], most: int) -> NDArray[np.float64]:
    if len(every) <= most:
        return every
    steps = ordered[np.linspace(0, len(ordered) - 1, most - 1).round().astype(np.intp)]
    return np.append(np.unique(steps), np.inf)


def _sums_below(
    values: NDArray[np.float64], each: NDArray[np.float64], thresholds: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return, for every threshold, the sum of `each` over the values below it, those that are NaN among them."""
    decided = ~np.isnan(values)
    order = np.argsort(values[decided], kind="stable")
    sums = np.concatenate([[0.0], np.cumsum(each[decided][order])])
    below = np.searchsorted(values[decided][order], thresholds, side="left")
    return np.asarray(sums[below] + each[~decided].sum(), dtype=np.float64)


def _removed(kept: NDArray[np.float64], total: float) -> NDArray[np.float64]:
    """Return total - kept, exactly 0 where rounding left a trace of weights that were summed in another order."""
    removed = total - kept
    return np.where(np.abs(removed) < 1e-9 * max(total, 1.0), 0.0, removed)


def _weighted_bounds(
    rate: NDArray[np.float64],
    whole: NDArray[np.float64],
    bad_squares: NDArray[np.float64],
    squares: NDArray[np.float64],
    counts: NDArray[np.int64],
    confidence: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return Wilson bounds at the effective n of each weighted rate; NaN where all kept queries are of one kind."""
    spread = (1.0 - 2.0 * rate) * bad_squares + rate**2 * squares
    effective = np.minimum(_quotients(rate * (1.0 - rate) * whole**2, spread), counts)
    # Rounding leaves 1e-17 beside 0 and 1.
    varies = (rate > 1e-12) & (rate < 1.0 - 1e-12)
    size = np.where(varies, effective, 0.0)
    low, high = wilson_bounds(np.where(varies, rate, 0.0) * size, size, confidence=confidence)
    return np.minimum(low, rate), np.maximum(high, rate)


def _quotients(part: ArrayLike, whole: ArrayLike) -> NDArray[np.float64]:
    numerator, denominator = np.broadcast_arrays(np.asarray(part, np.float64), np.asarray(whole, np.float64))
    out = np.full(numerator.shape, np.nan)
    np.divide(numerator, denominator, out=out, where=denominator != 0)
    return out
