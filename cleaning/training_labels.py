"""Labels that only train: two label sets of one dataset as one, and the split in which the one trains for the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from cleaning.labels import LabelSet, check_enough
from cleaning.leaks import homes_of
from cleaning.splits_plan import given_split

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from cleaning.splits import Split


def joined(labels: LabelSet, training: LabelSet) -> LabelSet:
    """Return both sets as one, sorted by query id; of a query that both label, the label of `labels` counts.

    Selection probabilities are those of `labels`; queries that only train have 1, which nothing is computed from.
    """
    own, others = labels.by_id(), training.by_id()
    remove = dict(sorted({**others, **own}.items()))
    chances = None
    if labels.probabilities is not None:
        stated = dict(zip(labels.query_ids, labels.probabilities, strict=True))
        chances = tuple(stated.get(query_id, 1.0) for query_id in remove)
    reasons = dict.fromkeys((*labels.left_out, *training.left_out))
    left_out = {
        reason: tuple(sorted({*labels.left_out.get(reason, ()), *training.left_out.get(reason, ())} - set(remove)))
        for reason in reasons
    }
    return LabelSet(
        name=f"{labels.name}, trained on {training.name}",
        origin=labels.origin if labels.origin == training.origin else f"{labels.origin}, trained on {training.origin}",
        query_ids=tuple(remove),
        remove=tuple(remove.values()),
        probabilities=chances,
        left_out={reason: ids for reason, ids in left_out.items() if ids},
        unknown=tuple(sorted({*labels.unknown, *training.unknown})),
        repeated=labels.repeated + training.repeated,
    )


def plan_given(
    queries: pl.DataFrame,
    remove: NDArray[np.bool_],
    groups: Sequence[int],
    *,
    evaluated: LabelSet,
    training: LabelSet,
    seed: int,
) -> Split:
    """Return the split that trains on `training` and evaluates `evaluated`, leaks dropped from training.

    Queries that both label evaluate and do not train; the notes count them. Queries of either that are not in the table
    take no part.

    Raises:
        CleaningError: too few labels to evaluate on, a part with labels of one kind only, or nothing left to train on.
    """
    ids = queries["query_id"].to_list()
    test = set(evaluated.query_ids).intersection(ids)
    train = set(training.query_ids).intersection(ids) - test
    rows = np.asarray([query_id in test for query_id in ids], dtype=bool)
    homes = homes_of(queries)
    check_enough(
        remove[rows].tolist(), [home for home, is_in in zip(homes, rows, strict=True) if is_in], parts=1, what="parts"
    )
    split = given_split(queries, remove, train_ids=train, test_ids=test, duplicate_group=groups)
    both = len(set(training.query_ids) & test)
    notes = [f"Trained on {training.name}, evaluated on {evaluated.name}."]
    if both:
        notes.append(f"{both:,} queries have labels in both: they evaluate and do not train.")
    return replace(split, seed=seed, notes=(*notes, *split.notes))
