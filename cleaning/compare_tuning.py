"""The threshold that gives a wanted share kept or a wanted recall, found on training queries alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from audit_core.errors import CleaningError
from cleaning.splits_plan import plan_folds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cleaning.contract import Inputs, Strategy

#: Folds inside a training part, over which a learned strategy's own out-of-fold scores are made for tuning.
INNER_FOLDS = 3


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a tuned threshold should reach on the training queries: one of the two, a part of 1."""

    share_kept: float | None = None
    recall: float | None = None

    def __post_init__(self) -> None:
        stated = [each for each in (self.share_kept, self.recall) if each is not None]
        if len(stated) != 1 or not 0.0 < stated[0] < 1.0:
            raise CleaningError(
                "To tune a threshold, want either a share kept or a recall, strictly between 0 and 1; "
                f"found share kept {self.share_kept}, recall {self.recall}."
            )

    def __str__(self) -> str:
        """Return what is wanted in words."""
        return f"share kept {self.share_kept}" if self.share_kept is not None else f"recall {self.recall}"


def tune_threshold(scores: NDArray[np.float64], remove: NDArray[np.bool_], wanted: Wanted) -> float:
    """Return the threshold that reaches what is wanted on these queries; inf where nothing should be removed.

    Thresholds are the distinct scores. A share kept is met as nearly as ties allow, more kept where two are as near; a
    recall by the highest threshold that reaches it, or, where undecided queries put it out of reach, by the lowest
    score.

    Raises:
        CleaningError: no score at all; a recall is wanted but no query is to be removed.
    """
    decided = ~np.isnan(scores)
    if not decided.any():
        raise CleaningError("No training query has a score, so no threshold can be tuned.")
    thresholds = np.append(np.unique(scores[decided]), math.inf)
    if wanted.share_kept is not None:
        removed = _at_or_above(scores[decided], thresholds)
        distance = np.abs((len(scores) - removed) / len(scores) - wanted.share_kept)
        return float(thresholds[np.flatnonzero(distance <= distance.min() + 1e-12)[-1]])
    positives = int(remove.sum())
    if not positives or wanted.recall is None:
        raise CleaningError("No training query is to be removed, so no recall can be tuned for.")
    recalls = _at_or_above(scores[decided & remove], thresholds) / positives
    reached = np.flatnonzero(recalls >= wanted.recall - 1e-12)
    return float(thresholds[reached[-1]] if len(reached) else thresholds[0])


def inner_scores(
    strategy: Strategy,
    training: Inputs,
    remove: NDArray[np.bool_],
    *,
    seed: int,
    duplicate_group: Sequence[object] | None,
    score: Callable[[Strategy, Inputs, NDArray[np.bool_], Inputs, int], NDArray[np.float64]],
) -> NDArray[np.float64]:
    """Return out-of-fold scores of a learned strategy on its own training queries, shape (n,).

    `score(strategy, training, remove, evaluation, seed)` fits and scores. Inner folds drop leaks like the outer ones.

    Raises:
        CleaningError: the training part is too small for inner folds, and why.
    """
    try:
        plan = plan_folds(
            training.queries,
            remove,
            duplicate_group=duplicate_group,
            folds=INNER_FOLDS,
            repeats=1,
            seed=seed,
            fewer_folds=True,
        )
    except CleaningError as error:
        raise CleaningError(f"The threshold cannot be tuned inside the training part. {error}") from error
    values = np.full(len(remove), np.nan)
    for fold in plan.folds:
        part, asked = training.take(fold.training), training.take(fold.evaluation)
        values[fold.evaluation] = score(strategy, part, remove[fold.training], asked, seed + 1 + fold.number)
    return values


def _at_or_above(scores: NDArray[np.float64], thresholds: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return how many scores lie at or above each threshold."""
    return len(scores) - np.searchsorted(np.sort(scores), thresholds, side="left")
