"""What removing these and keeping those does: counts, false omission rate and the other rates, with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from audit_core.errors import CleaningError
from audit_core.statistics.intervals import WILSON_EFFECTIVE, Interval, wilson, wilson_at

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

#: Heading of rates whose labels carry no selection probability: they hold for the labelled queries alone.
LABELLED_ONLY = "labelled set only"
WEIGHTED = "weighted by 1/selection probability"

NOTHING_KEPT = "0 kept"
NOTHING_REMOVED = "0 removed"
NO_POSITIVES = "no query is to be removed"
NO_NEGATIVES = "no query is to be kept"


@dataclass(frozen=True, slots=True)
class Confusion:
    """Counts of queries; positive = remove. Undecided queries are kept, and counted apart from FN and TN."""

    tp: int
    fp: int
    fn: int
    tn: int
    undecided_positive: int = 0
    undecided_negative: int = 0

    @property
    def n(self) -> int:
        """All queries."""
        return self.kept + self.removed

    @property
    def undecided(self) -> int:
        """Queries that the strategy says nothing of."""
        return self.undecided_positive + self.undecided_negative

    @property
    def kept(self) -> int:
        """Queries kept, the undecided among them."""
        return self.fn + self.tn + self.undecided

    @property
    def removed(self) -> int:
        """Queries removed."""
        return self.tp + self.fp

    @property
    def kept_positives(self) -> int:
        """Kept queries that are to be removed: FN and the undecided positives."""
        return self.fn + self.undecided_positive

    @property
    def positives(self) -> int:
        """Queries to remove."""
        return self.tp + self.kept_positives

    @property
    def negatives(self) -> int:
        """Queries to keep."""
        return self.n - self.positives


@dataclass(frozen=True, slots=True)
class Rates:
    """The rates of one confusion; each an `Interval` with its denominator and, where undefined, the reason.

    `false_omission` is (FN + U+) / (FN + TN + U+ + U-); `lowest` and `highest` are what it becomes if the undecided
    negatives alone, or the undecided positives alone, stayed: FN / (FN + TN + U-) and (FN + U+) / (FN + TN + U+). None
    where nothing would be kept. `f1` has no interval; None where nothing is removed and nothing is to be. `heading`
    says what the rates hold for.
    """

    confusion: Confusion
    heading: str
    false_omission: Interval
    lowest: float | None
    highest: float | None
    share_kept: Interval
    precision: Interval
    recall: Interval
    specificity: Interval
    f1: float | None


#: The rates that have an interval, by the name of their field.
MEASURES = ("false_omission", "share_kept", "precision", "recall", "specificity")


def decide(scores: ArrayLike, threshold: ArrayLike) -> NDArray[np.float64]:
    """Return 1.0 (remove: the score is at or above the threshold), 0.0 (keep) or NaN (undecided) for each score."""
    values = np.asarray(scores, dtype=np.float64)
    return np.where(np.isnan(values), np.nan, (values >= np.asarray(threshold, dtype=np.float64)).astype(np.float64))


def confusion_of(decisions: ArrayLike, remove: ArrayLike) -> Confusion:
    """Return the counts of decisions (1.0, 0.0 or NaN, shape (n,)) against labels (shape (n,)).

    Raises:
        CleaningError: the two differ in length.
    """
    values, labels = _checked(decisions, remove)
    return Confusion(*(int(cell.sum()) for cell in _cells(values, labels)))


def rates_of(confusion: Confusion, *, confidence: float = 0.95) -> Rates:
    """Return the rates of unweighted counts, with Wilson intervals, headed "labelled set only"."""
    each = confusion
    return Rates(
        confusion=each,
        heading=LABELLED_ONLY,
        false_omission=_plain(each.kept_positives, each.kept, NOTHING_KEPT, confidence),
        lowest=_quotient(each.fn, each.fn + each.tn + each.undecided_negative),
        highest=_quotient(each.kept_positives, each.fn + each.tn + each.undecided_positive),
        share_kept=_plain(each.kept, each.n, "no queries", confidence),
        precision=_plain(each.tp, each.removed, NOTHING_REMOVED, confidence),
        recall=_plain(each.tp, each.positives, NO_POSITIVES, confidence),
        specificity=_plain(each.negatives - each.fp, each.negatives, NO_NEGATIVES, confidence),
        f1=_quotient(2.0 * each.tp, each.removed + each.positives),
    )


def measure(
    decisions: ArrayLike, remove: ArrayLike, *, probabilities: ArrayLike | None = None, confidence: float = 0.95
) -> Rates:
    """Return the rates of decisions (1.0, 0.0, NaN) against labels; all arrays have shape (n,).

    With selection probabilities each query counts 1/probability, and the intervals are Wilson at the effective n,
    p (1 - p) / V with the linearised variance V of a ratio, at most the number of queries in its denominator. No finite
    population correction is made, so that they err on the wide side. Undefined at 0 and 1, where V says nothing.

    Raises:
        CleaningError: arrays of different length; a selection probability outside (0, 1].
    """
    values, labels = _checked(decisions, remove)
    plain = rates_of(confusion_of(values, labels), confidence=confidence)
    if probabilities is None:
        return plain
    weights = inverse_weights(probabilities, len(labels))
    tp, fp, fn, tn, bad, good = _cells(values, labels)
    kept, removed, everything = fn | tn | bad | good, tp | fp, np.ones(len(labels), dtype=bool)

    def weighted(part: NDArray[np.bool_], whole: NDArray[np.bool_], reason: str) -> Interval:
        return _weighted(part[whole], weights[whole], reason, confidence)

    def total(part: NDArray[np.bool_]) -> float:
        return float(weights[part].sum())

    return Rates(
        confusion=plain.confusion,
        heading=WEIGHTED,
        false_omission=weighted(labels, kept, NOTHING_KEPT),
        lowest=_quotient(total(fn), total(fn | tn | good)),
        highest=_quotient(total(fn | bad), total(fn | tn | bad)),
        share_kept=weighted(kept, everything, "no queries"),
        precision=weighted(labels, removed, NOTHING_REMOVED),
        recall=weighted(removed, labels, NO_POSITIVES),
        specificity=weighted(kept, ~labels, NO_NEGATIVES),
        f1=_quotient(2.0 * total(tp), total(removed) + total(labels)),
    )


def measure_groups(
    decisions: ArrayLike,
    remove: ArrayLike,
    groups: Sequence[str | None],
    *,
    probabilities: ArrayLike | None = None,
    confidence: float = 0.95,
) -> dict[str, Rates]:
    """Return the rates within each group (source, structure, generator ...), by its name, sorted.

    Queries without a group come under the empty name.

    Raises:
        CleaningError: as `measure`; not one group a query.
    """
    values, labels = _checked(decisions, remove)
    if len(groups) != len(labels):
        raise CleaningError(f"{len(groups)} groups were given for {len(labels)} queries: give one each.")
    names = np.asarray([group or "" for group in groups], dtype=object)
    chances = None if probabilities is None else np.asarray(probabilities, dtype=np.float64)
    found: dict[str, Rates] = {}
    for name in sorted(set(names.tolist())):
        rows = names == name
        part = None if chances is None else chances[rows]
        found[name] = measure(values[rows], labels[rows], probabilities=part, confidence=confidence)
    return found


def inverse_weights(probabilities: ArrayLike | None, n: int) -> NDArray[np.float64]:
    """Return 1/probability for each of n queries; ones without probabilities.

    Raises:
        CleaningError: not one probability a query, or one outside (0, 1].
    """
    if probabilities is None:
        return np.ones(n)
    chances = np.asarray(probabilities, dtype=np.float64)
    if chances.shape != (n,):
        raise CleaningError(f"{chances.size} selection probabilities were given for {n} queries: give one each.")
    wrong = ~((chances > 0.0) & (chances <= 1.0))
    if wrong.any():
        raise CleaningError(f"A selection probability must lie in (0, 1]; found {chances[wrong][0]}.")
    return 1.0 / chances


def _checked(decisions: ArrayLike, remove: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    values, labels = np.asarray(decisions, dtype=np.float64), np.asarray(remove, dtype=bool)
    if values.shape != labels.shape or values.ndim != 1:
        raise CleaningError(f"Decisions of shape {values.shape} cannot be held against labels of shape {labels.shape}.")
    return values, labels


def _cells(values: NDArray[np.float64], labels: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], ...]:
    """Return the members of each cell in the order of the fields of `Confusion`."""
    removed, undecided = values == 1.0, np.isnan(values)
    kept = ~removed & ~undecided
    return removed & labels, removed & ~labels, kept & labels, kept & ~labels, undecided & labels, undecided & ~labels


def _plain(count: int, n: int, reason: str, confidence: float) -> Interval:
    interval = wilson(count, n, confidence=confidence)
    if n:
        return interval
    return Interval(None, None, None, interval.confidence, interval.method, 0, 0, reason)


def _weighted(part: NDArray[np.bool_], weights: NDArray[np.float64], reason: str, confidence: float) -> Interval:
    if not len(part):
        return Interval(None, None, None, confidence, WILSON_EFFECTIVE, 0, None, reason)
    total = float(weights.sum())
    p = float(weights[part].sum()) / total
    if part.all() or not part.any():
        says = f"all {len(part)} queries of the denominator agree, so their weights tell nothing of the variance"
        return Interval(float(part.all()), None, None, confidence, WILSON_EFFECTIVE, 0, None, says)
    if np.ptp(weights) <= 1e-12 * float(weights.max()):
        # Equal weights are none: n is the count, without what rounding would leave beside it.
        return wilson_at(p, float(len(part)), confidence=confidence)
    variance = float((weights**2 * (part - p) ** 2).sum()) / total**2
    return wilson_at(p, min(p * (1.0 - p) / variance, float(len(part))), confidence=confidence)


def _quotient(part: float, whole: float) -> float | None:
    return part / whole if whole else None
