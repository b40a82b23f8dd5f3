"""Strategies at one and the same share kept: what each would let through if all removed equally many queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from audit_core.errors import CleaningError
from audit_core.statistics.intervals import WILSON, Interval, wilson, wilson_at
from cleaning.metrics import NO_POSITIVES, NOTHING_KEPT

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, slots=True)
class AtShare:
    """One strategy with the `removed` highest-scored of n queries gone, and `kept` left.

    `kept_positives` is the expected number of bad queries kept: where the cut falls among `tied` equal scores, each of
    them is as likely to go as the next, so that it need not be whole. `undefined` says why there is nothing to show
    (the interval is then undefined as well).
    """

    kept: int
    removed: int
    kept_positives: float | None
    tied: int
    false_omission: Interval
    recall: float | None
    undefined: str | None = None

    @property
    def says(self) -> str:
        """How ties were handled, or why there is nothing; empty where no tie was cut."""
        if self.undefined is not None:
            return self.undefined
        return f"the cut falls among {self.tied} equal scores: the expected value over them" if self.tied else ""


def at_share_kept(scores: ArrayLike, remove: ArrayLike, *, share_kept: float, confidence: float = 0.95) -> AtShare:
    """Return what happens when the highest-scored queries go until round(share_kept * n) are left.

    `scores` and `remove` have shape (n,). Undecided queries (NaN) are never removed. The interval is Wilson; with an
    expected count that is not whole, Wilson at that proportion.

    Raises:
        CleaningError: `share_kept` outside [0, 1]; arrays that differ in length.
    """
    values, labels = np.asarray(scores, dtype=np.float64), np.asarray(remove, dtype=bool)
    if values.shape != labels.shape or values.ndim != 1:
        raise CleaningError(f"Scores of shape {values.shape} cannot be held against labels of shape {labels.shape}.")
    if not 0.0 <= share_kept <= 1.0:
        raise CleaningError(f"A share kept must lie in [0, 1]; found {share_kept}.")
    n = len(labels)
    # Halves up, so that all strategies and all platforms agree.
    kept = int(np.floor(share_kept * n + 0.5))
    removed, positives = n - kept, int(labels.sum())
    decided = int((~np.isnan(values)).sum())
    if removed > decided:
        reason = f"only {decided} of {n} queries have a score, so {removed} cannot be removed"
        return AtShare(
            kept, removed, None, 0, Interval(None, None, None, confidence, WILSON, 0, 0, reason), None, reason
        )
    gone, tied = _expected_removed_positives(values, labels, removed)
    left = positives - gone
    return AtShare(
        kept=kept,
        removed=removed,
        kept_positives=left,
        tied=tied,
        false_omission=_interval(left, kept, confidence),
        recall=gone / positives if positives else None,
        undefined=None if kept and positives else NO_POSITIVES if kept else NOTHING_KEPT,
    )


def _expected_removed_positives(
    values: NDArray[np.float64], labels: NDArray[np.bool_], removed: int
) -> tuple[float, int]:
    """Return (expected positives among the `removed` highest scores, size of the tie that the cut falls into or 0)."""
    if not removed:
        return 0.0, 0
    cut = np.sort(values[~np.isnan(values)])[::-1][removed - 1]
    above, at = values > cut, values == cut
    wanted, size = removed - int(above.sum()), int(at.sum())
    sure = int(labels[above].sum())
    if wanted == size:
        return float(sure + int(labels[at].sum())), 0
    return sure + int(labels[at].sum()) * wanted / size, size


def _interval(count: float, n: int, confidence: float) -> Interval:
    if not n:
        return Interval(None, None, None, confidence, WILSON, 0, 0, NOTHING_KEPT)
    if float(count).is_integer():
        return wilson(int(count), n, confidence=confidence)
    return wilson_at(count / n, n, confidence=confidence)
