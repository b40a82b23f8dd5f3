"""What strategies that learn have in common: which rows train, when that is too few, and folds inside a training part."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from audit_core.errors import CleaningError
from cleaning.leaks import homes_of

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from cleaning.contract import Inputs

#: Fewer training queries, or fewer of either label, teach nothing.
LEAST, LEAST_EACH = 10, 2


def training_order(
    inputs: Inputs, remove: NDArray[np.bool_], usable: NDArray[np.bool_], *, title: str
) -> NDArray[np.intp]:
    """Return the rows to train on, ordered by query id so that the given order does not matter.

    Raises:
        CleaningError: the labels are not one a query, or too few of `usable` rows, or of one label only, are left.
    """
    if remove.shape != (len(inputs),):
        raise CleaningError(
            f"{title} was given labels of shape {remove.shape} for {len(inputs)} queries: one each is needed."
        )
    rows = np.flatnonzero(usable)
    bad = int(remove[rows].sum())
    good = len(rows) - bad
    dropped = len(inputs) - len(rows)
    without = f" ({dropped} more have no usable vector)" if dropped else ""
    if len(rows) < LEAST or min(bad, good) < LEAST_EACH:
        raise CleaningError(
            f"{title} cannot be trained on {bad} queries to remove and {good} to keep{without}: at least {LEAST} queries, "
            f"{LEAST_EACH} of either kind, are needed. Label more queries."
        )
    ids = inputs.queries["query_id"].to_list()
    return np.array(sorted(rows.tolist(), key=lambda row: ids[row]), dtype=np.intp)


def inner_folds(queries: pl.DataFrame, remove: NDArray[np.bool_], *, parts: int, seed: int) -> NDArray[np.intp] | None:
    """Return a fold number for each training query, 0 to parts - 1; None where no two folds are possible.

    Queries with the same first document are in one fold; those with a query to remove are dealt out first. Fewer folds
    than `parts` where some fold's complement would have one label only. The queries' order must be canonical.
    """
    homes = homes_of(queries)
    bad = {home for home, label in zip(homes, remove.tolist(), strict=True) if label}
    chance = np.random.default_rng(seed)
    names = sorted(set(homes))
    shuffled = [names[place] for place in chance.permutation(len(names))]
    dealt = {home: place for place, home in enumerate(sorted(shuffled, key=lambda home: home not in bad))}
    for count in range(parts, 1, -1):
        folds = np.array([dealt[home] % count for home in homes], dtype=np.intp)
        if all(
            0 < remove[folds != fold].sum() < (folds != fold).sum() and (folds == fold).any() for fold in range(count)
        ):
            return folds
    return None
