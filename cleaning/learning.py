"""Learning curves: what a learned strategy lets through, by the number of labels it was trained on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from audit_core.errors import AssayError, CleaningError
from cleaning.compare import Entrant, Progress, fold_seed, out_of_fold
from cleaning.compare_share import AtShare, at_share_kept
from cleaning.compare_summary import Spread, spread_of
from cleaning.contract import Kind
from cleaning.leaks import homes_of
from cleaning.metrics import Rates, decide, measure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cleaning.contract import Inputs
    from cleaning.splits import Fold, Split

#: Parts of each training part that are tried; 1.0 is all of it.
FRACTIONS = (0.1, 0.2, 0.35, 0.5, 0.75, 1.0)


@dataclass(frozen=True, slots=True)
class LearningPoint:
    """What the strategy does when trained on this part of each fold's training queries.

    `labels` and `positives` are the mean numbers a fold over all folds. `at` (at the common share kept) and `rates` (at
    the strategy's threshold; None where that is tuned) come from repeat 1, the spreads of FOR and recall at the common
    share from all repeats that were run. Where a part cannot be trained on, all are None and `undefined` says why.
    """

    fraction: float
    labels: float
    positives: float
    at: AtShare | None
    rates: Rates | None
    false_omission: Spread
    recall: Spread
    undefined: str | None = None


@dataclass(frozen=True, slots=True)
class LearningCurve:
    """Points of one strategy by growing fraction, all evaluated on the same folds of one split."""

    name: str
    split_hash: str
    share_kept: float
    points: tuple[LearningPoint, ...]


def learning_curve(
    entrant: Entrant,
    inputs: Inputs,
    split: Split,
    *,
    share_kept: float,
    fractions: Sequence[float] = FRACTIONS,
    repeats: int | None = None,
    progress: Progress | None = None,
) -> LearningCurve:
    """Return the curve of a learned strategy; `inputs` holds the queries of the split in its order.

    Training parts grow by whole documents in one random order a fold, so that each holds the one before it; the
    evaluation folds stay as they are. `share_kept` is common to all points, since FOR falls with it. `repeats` takes the
    first repeats of the split alone (None: all): every point costs as many fits as they have folds.

    Raises:
        CleaningError: the strategy does not learn; fractions not ascending in (0, 1]; queries not those of the split.
    """
    if entrant.kind != Kind.LEARNED:
        raise CleaningError(f"{entrant.name!r} learns nothing from labels, so it has no learning curve.")
    if not fractions or list(fractions) != sorted(set(fractions)) or not 0.0 < fractions[0] <= fractions[-1] <= 1.0:
        raise CleaningError(f"Fractions of the training part must ascend within (0, 1]; found {list(fractions)}.")
    if tuple(inputs.queries["query_id"].to_list()) != split.query_ids:
        raise CleaningError("The queries are not those that the split was made for, or in another order.")
    homes = homes_of(inputs.queries)
    folds = [fold for fold in split.folds if repeats is None or fold.repeat < repeats]
    orders = [_by_document(fold, homes, split.seed) for fold in folds]
    points = []
    for done, fraction in enumerate(fractions, start=1):
        parts = [_first(order, fraction) for order in orders]
        points.append(_point(entrant, inputs, split, list(zip(folds, parts, strict=True)), fraction, share_kept))
        if progress is not None:
            progress(done, len(fractions))
    return LearningCurve(entrant.name, split.hash, share_kept, tuple(points))


def _by_document(fold: Fold, homes: Sequence[str], seed: int) -> list[NDArray[np.intp]]:
    """Return the training rows of a fold, one array a document, in random order."""
    by_home: dict[str, list[int]] = {}
    for row in fold.training.tolist():
        by_home.setdefault(homes[row], []).append(row)
    groups = [np.asarray(by_home[home], dtype=np.intp) for home in sorted(by_home)]
    order = np.random.default_rng([seed, fold.repeat, fold.number]).permutation(len(groups))
    return [groups[place] for place in order]


def _first(groups: Sequence[NDArray[np.intp]], fraction: float) -> NDArray[np.intp]:
    """Return the rows, sorted, of the first documents that hold at least this fraction of all rows."""
    sizes = np.cumsum([len(group) for group in groups])
    # Not a hair above a whole number: 0.7 of 10 rows are 7.
    wanted = int(np.ceil(fraction * sizes[-1] - 1e-9))
    return np.sort(np.concatenate(groups[: int(np.searchsorted(sizes, wanted)) + 1]))


def _point(
    entrant: Entrant,
    inputs: Inputs,
    split: Split,
    parts: Sequence[tuple[Fold, NDArray[np.intp]]],
    fraction: float,
    share_kept: float,
) -> LearningPoint:
    labels = float(np.mean([len(part) for _, part in parts]))
    positives = float(np.mean([split.remove[part].sum() for _, part in parts]))
    none = spread_of([])
    scores = np.full((1 + max(fold.repeat for fold, _ in parts), len(split.evaluated)), np.nan)
    for fold, part in parts:
        kinds = np.unique(split.remove[part])
        if len(kinds) < 2:
            reason = (
                f"the {len(part)} training labels of repeat {fold.repeat + 1}, fold {fold.number + 1} are all "
                f"{'remove' if kinds[0] else 'keep'}"
            )
            return LearningPoint(fraction, labels, positives, None, None, none, none, reason)
        seed = fold_seed(split.seed, fold.repeat, fold.number)
        try:
            values = out_of_fold(
                entrant.strategy, inputs.take(part), split.remove[part], inputs.take(fold.evaluation), seed
            )
        except AssayError as error:
            return LearningPoint(fraction, labels, positives, None, None, none, none, str(error))
        scores[fold.repeat, np.searchsorted(split.evaluated, fold.evaluation)] = values
    remove = split.remove[split.evaluated]
    at = [at_share_kept(row, remove, share_kept=share_kept) for row in scores]
    return LearningPoint(
        fraction=fraction,
        labels=labels,
        positives=positives,
        at=at[0],
        rates=None if entrant.tune is not None else measure(decide(scores[0], entrant.threshold), remove),
        false_omission=spread_of([each.false_omission.estimate for each in at]),
        recall=spread_of([each.recall for each in at]),
    )
