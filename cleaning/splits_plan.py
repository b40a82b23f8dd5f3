"""Planning a split: documents dealt out to folds so that each has queries to remove, and leaks dropped from training."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from audit_core.errors import CleaningError
from cleaning.labels import check_enough
from cleaning.leaks import REASONS, Leaks, check_table, find_leaks, homes_of
from cleaning.splits import GIVEN, K_FOLD, SINGLE, Fold, Split

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

#: How many ways of dealing out the documents are tried before a number of folds is given up.
ATTEMPTS = 20


def plan_folds(
    queries: pl.DataFrame,
    remove: Sequence[bool] | NDArray[np.bool_],
    *,
    duplicate_group: Sequence[object] | None = None,
    folds: int = 5,
    repeats: int = 5,
    seed: int = 1,
    fewer_folds: bool = False,
) -> Split:
    """Return repeated k-fold cross-validation over documents; a query goes with its first evidence document.

    `queries` has the columns `leaks.COLUMNS`; `remove` one label a query; `duplicate_group` as in `find_leaks`.
    Documents are dealt out so that positives, then queries, are even over the folds; the same queries and seed give the
    same plan whatever the order of the rows. Training drops every query that shares a document, a group, its
    configured pages or near-equal text with the evaluation fold. Each evaluation fold holds a query to remove, each
    training part queries of both kinds; where a deal fails, others are tried, and the notes say so.

    Raises:
        CleaningError: too few labels, all equal, or on too few documents; fewer than 2 folds or 1 repeat; no plan with
            this many folds exists: then the largest possible number is named, or used if `fewer_folds`.
    """
    if folds < 2:
        raise CleaningError(
            f"Folds: {folds}. With one fold a strategy would be evaluated on the queries that it was trained on, or have "
            "none to train on. Use at least 2; the default is 5."
        )
    if repeats < 1:
        raise CleaningError(f"Repeats: {repeats}. At least 1 is needed; the default is 5.")
    table = _Table.of(queries, remove, duplicate_group)
    notes: list[str] = []
    # With fewer folds allowed, two separable documents of each kind are enough to begin with.
    check_enough(table.remove.tolist(), table.homes, parts=2 if fewer_folds else folds)
    possible = _largest(table, folds, repeats, seed)
    if possible is None:
        raise CleaningError(
            "No split over documents is possible: whichever way the documents are dealt out, a fold has no query to "
            "remove, or its training part, less what it shares with the fold, has labels of one kind only. Label queries "
            "from more documents."
        )
    k, planned, seeds = possible
    if k < folds:
        says = (
            f"{folds} folds are not possible: some fold would have no query to remove, or its training part labels of one "
            f"kind only once shared documents, groups, pages and near-equal texts are dropped. The largest number is {k}."
        )
        if not fewer_folds:
            raise CleaningError(f"{says} Ask for {k} folds, or label queries from more documents.")
        notes.append(says)
    notes += _notes(planned, seeds, repeats)
    return table.split(K_FOLD, seed, planned, notes)


def plan_single(
    queries: pl.DataFrame,
    remove: Sequence[bool] | NDArray[np.bool_],
    *,
    train: int,
    duplicate_group: Sequence[object] | None = None,
    seed: int = 1,
) -> Split:
    """Return one split of about `train` training queries, before leaks are dropped; the rest is evaluated.

    The number is met as nearly as whole documents and even shares of positives allow; the notes tell what came out.

    Raises:
        CleaningError: as `plan_folds`; `train` leaves no query to train on or to evaluate.
    """
    table = _Table.of(queries, remove, duplicate_group)
    n = len(table.remove)
    if not 0 < train < n:
        raise CleaningError(f"{train} training queries of {n}: at least one query must train and one be evaluated.")
    check_enough(table.remove.tolist(), table.homes, parts=2, what="parts")
    for attempt in range(ATTEMPTS):
        parts = table.deal([float(train), float(n - train)], _generator(seed, 0, attempt))
        fold = table.fold(0, 0, parts == 1)
        if table.usable(fold):
            note = f"{train:,} training queries asked for; {len(fold.training):,} train, {len(fold.dropped):,} dropped."
            return table.split(SINGLE, seed, [fold], [note])
    raise CleaningError(
        f"No split into {train} training and {n - train} evaluation queries leaves both kinds of label on either side "
        "once shared documents, groups, pages and near-equal texts are dropped. Train on fewer, or label more documents."
    )


def given_split(
    queries: pl.DataFrame,
    remove: Sequence[bool] | NDArray[np.bool_],
    *,
    train_ids: Collection[str],
    test_ids: Collection[str],
    duplicate_group: Sequence[object] | None = None,
    drop_leaks: bool = True,
) -> Split:
    """Return a published split as it is given; leaks are dropped from training unless `drop_leaks` is False.

    Queries in neither list take no part. Ids that the dataset does not have are left out and counted in the notes.

    Raises:
        CleaningError: an id in both lists; a part without queries, or without both kinds of label.
    """
    train, test = frozenset(train_ids), frozenset(test_ids)
    both = sorted(train & test)
    if both:
        raise CleaningError(f"{len(both)} queries both train and evaluate, such as {both[0]!r}. Give each to one part.")
    table = _Table.of(queries, remove, duplicate_group)
    in_test = np.asarray([query in test for query in table.ids], dtype=bool)
    in_train = np.asarray([query in train for query in table.ids], dtype=bool)
    for what, part in (("training", in_train), ("evaluation", in_test)):
        kinds = np.unique(table.remove[part])
        if len(kinds) < 2:
            found = f"{int(part.sum())} labelled queries, all of one kind" if part.any() else "no labelled query"
            raise CleaningError(f"The {what} part has {found}: no comparison can be made on it.")
    fold = table.fold(0, 0, in_test, in_train, drop=drop_leaks)
    if not table.usable(fold):
        raise CleaningError(
            f"Of {int(in_train.sum())} training queries {len(fold.dropped)} share a document, a group, pages or near-equal "
            "text with the evaluation part, and the rest has labels of one kind only. No honest comparison is possible."
        )
    unknown = len((train | test) - set(table.ids))
    notes = [f"{unknown} ids of the given split are not among the labelled queries."] if unknown else []
    if not drop_leaks:
        notes.append("Leaks between training and evaluation were kept, as published; the figures may be too good.")
    return table.split(GIVEN, 0, [fold], notes)


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """Queries in the order of their ids (so that a plan does not depend on the order of rows); `rows` leads back."""

    ids: list[str]
    rows: NDArray[np.intp]
    remove: NDArray[np.bool_]
    homes: list[str]
    leaks: Leaks

    @classmethod
    def of(
        cls, queries: pl.DataFrame, remove: Sequence[bool] | NDArray[np.bool_], duplicate_group: Sequence[object] | None
    ) -> _Table:
        check_table(queries, duplicate_group)
        labels = np.asarray(remove, dtype=bool)
        if labels.shape != (queries.height,):
            raise CleaningError(f"{labels.size} labels were given for {queries.height} queries: give one each.")
        ids = queries["query_id"].to_list()
        if len(set(ids)) < len(ids):
            twice = next(query for query in ids if ids.count(query) > 1)
            raise CleaningError(f"Query {twice!r} stands in the table twice. Keep one row a query.")
        rows = np.asarray(sorted(range(len(ids)), key=ids.__getitem__), dtype=np.intp)
        groups = None if duplicate_group is None else [duplicate_group[row] for row in rows]
        ordered = queries[rows]
        leaks = find_leaks(ordered, duplicate_group=groups)
        return cls([ids[row] for row in rows], rows, labels[rows], homes_of(ordered), leaks)

    def deal(self, weights: Sequence[float], generator: np.random.Generator) -> NDArray[np.intp]:
        """Return the part of each query; a home goes to the part that is furthest behind its weight.

        Homes with many positives, then those with many queries, are dealt out first (by powers of two, in random order
        within one), and each home goes to where positives, then queries, are fewest by weight.
        """
        members: dict[str, list[int]] = {}
        for row, home in enumerate(self.homes):
            members.setdefault(home, []).append(row)
        units = [(sum(map(bool, self.remove[rows])), len(rows), rows) for rows in members.values()]
        shuffled = [units[each] for each in generator.permutation(len(units))]
        shuffled.sort(key=lambda unit: (unit[0].bit_length(), unit[1].bit_length()), reverse=True)
        tie = generator.permutation(len(weights)).tolist()
        positives, sizes = [0] * len(weights), [0] * len(weights)
        parts = np.empty(len(self.ids), dtype=np.intp)
        for count, size, rows in shuffled:
            filled = [
                ((positives[part] + count) / weight if count else 0.0, (sizes[part] + size) / weight, tie[part], part)
                for part, weight in enumerate(weights)
            ]
            part = min(filled)[-1]
            positives[part] += count
            sizes[part] += size
            parts[rows] = part
        return parts

    def fold(
        self,
        repeat: int,
        number: int,
        evaluation: NDArray[np.bool_],
        candidates: NDArray[np.bool_] | None = None,
        *,
        drop: bool = True,
    ) -> Fold:
        """Return the fold (rows of this table) that evaluates these queries and trains on the candidates."""
        free = ~evaluation if candidates is None else candidates
        sharing = self.leaks.sharing(evaluation) & free if drop else np.zeros((len(REASONS), len(self.ids)), dtype=bool)
        dropped = sharing.any(axis=0)
        reasons = tuple(int(each) for each in sharing.sum(axis=1))
        training = np.flatnonzero(free & ~dropped)
        return Fold(repeat, number, training, np.flatnonzero(evaluation), np.flatnonzero(dropped), reasons)

    def usable(self, fold: Fold) -> bool:
        """Return whether the evaluation part holds a positive and the training part both kinds."""
        return bool(self.remove[fold.evaluation].any()) and len(np.unique(self.remove[fold.training])) == 2

    def split(self, method: str, seed: int, folds: Iterable[Fold], notes: Sequence[str]) -> Split:
        """Return the split in the caller's own rows."""
        back = self.rows
        ids = [""] * len(self.ids)
        remove = np.empty(len(ids), dtype=bool)
        for place, row in enumerate(back):
            ids[row] = self.ids[place]
            remove[row] = self.remove[place]
        own = tuple(
            Fold(
                each.repeat,
                each.number,
                np.sort(back[each.training]),
                np.sort(back[each.evaluation]),
                np.sort(back[each.dropped]),
                each.reasons,
            )
            for each in folds
        )
        return Split(method, seed, tuple(ids), remove, own, tuple(notes))


def _generator(seed: int, repeat: int, attempt: int) -> np.random.Generator:
    return np.random.default_rng([seed, repeat, attempt])


def _largest(table: _Table, folds: int, repeats: int, seed: int) -> tuple[int, list[Fold], list[int]] | None:
    """Return (k, folds, attempt of each repeat) of the largest k up to `folds` that works; None if none does."""
    for k in range(folds, 1, -1):
        planned: list[Fold] = []
        attempts: list[int] = []
        for repeat in range(repeats):
            found = _repeat(table, k, repeat, seed)
            if found is None:
                break
            planned += found[0]
            attempts.append(found[1])
        else:
            return k, planned, attempts
    return None


def _repeat(table: _Table, k: int, repeat: int, seed: int) -> tuple[list[Fold], int] | None:
    for attempt in range(ATTEMPTS):
        parts = table.deal([1.0] * k, _generator(seed, repeat, attempt))
        found = [table.fold(repeat, number, parts == number) for number in range(k)]
        if all(table.usable(fold) for fold in found):
            return found, attempt
    return None


def _notes(folds: Sequence[Fold], attempts: Sequence[int], repeats: int) -> list[str]:
    notes = []
    again = sum(attempt > 0 for attempt in attempts)
    if again:
        notes.append(
            f"In {again} of {repeats} repeats the first deal of documents had an unusable fold; another was used."
        )
    partitions: dict[int, set[bytes]] = {}
    for fold in folds:
        partitions.setdefault(fold.repeat, set()).add(fold.evaluation.tobytes())
    distinct = len({frozenset(each) for each in partitions.values()})
    if distinct < repeats:
        notes.append(
            f"Only {distinct} of {repeats} repeats differ: there are few ways to deal out these documents, so that the "
            "spread over repeats is too small."
        )
    return notes
