"""What would let a strategy see an evaluation query in training: shared documents, groups, pages or near-equal text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from audit_core.errors import CleaningError

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

DOCUMENT = "shares a document"
GROUP = "same group_id"
PAGES = "equal configured pages"
DUPLICATE = "near-duplicate text"
#: Why a training query is dropped, in the order of the rows of `Leaks.sharing`.
REASONS = (DOCUMENT, GROUP, PAGES, DUPLICATE)
#: The columns that leaks and folds are read from.
COLUMNS = ("query_id", "documents", "group_id", "configured_pages")


@dataclass(frozen=True, slots=True, eq=False)
class Memberships:
    """Which queries hold which things of one kind: parallel arrays of query rows and thing numbers below `things`."""

    rows: NDArray[np.intp]
    numbers: NDArray[np.intp]
    things: int

    def touched(self, inside: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return whether each query holds a thing that a query of `inside` (one flag a query) holds as well."""
        held = np.zeros(self.things, dtype=bool)
        held[self.numbers[inside[self.rows]]] = True
        found = np.zeros(len(inside), dtype=bool)
        found[self.rows[held[self.numbers]]] = True
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Leaks:
    """What queries have in common, one `Memberships` for each of `REASONS`."""

    kinds: tuple[Memberships, ...]

    def sharing(self, evaluation: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return flags of shape (len(REASONS), n): what each query shares with the evaluation queries.

        `evaluation` has one flag a query; evaluation queries themselves are never flagged.
        """
        return np.stack([kind.touched(evaluation) & ~evaluation for kind in self.kinds])


def find_leaks(queries: pl.DataFrame, *, duplicate_group: Sequence[object] | None = None) -> Leaks:
    """Return what the queries (columns `COLUMNS`) have in common.

    Configured pages are equal when they are the same set of page ids; empty values join nobody. `duplicate_group` holds
    one value a query, the same for near-duplicate texts, None (or a negative number) for texts like no other.

    Raises:
        CleaningError: a column is missing; `duplicate_group` is not one value a query.
    """
    check_table(queries, duplicate_group)
    duplicates = [None] * queries.height if duplicate_group is None else list(duplicate_group)
    return Leaks((
        _memberships(queries["documents"].to_list(), lambda value: set(value or ())),
        _memberships(queries["group_id"].to_list(), lambda value: {value} if value else ()),
        _memberships(queries["configured_pages"].to_list(), lambda value: {frozenset(value)} if value else ()),
        _memberships(duplicates, _duplicate_things),
    ))  # fmt: skip


def check_table(queries: pl.DataFrame, duplicate_group: Sequence[object] | None) -> None:
    """Return nothing where a split can be read from this table; CleaningError as `find_leaks` otherwise."""
    missing = [column for column in COLUMNS if column not in queries.columns]
    if missing:
        raise CleaningError(f"The queries have no column {missing[0]}: a split needs {', '.join(COLUMNS)}.")
    if duplicate_group is not None and len(duplicate_group) != queries.height:
        raise CleaningError(
            f"{len(duplicate_group)} near-duplicate groups were given for {queries.height} queries: give one each."
        )


def homes_of(queries: pl.DataFrame) -> list[str]:
    """Return what each query goes with: its first evidence document, or itself where it has none.

    The first letter tells the two apart: `d` for a document, `q` for a query.
    """
    return [
        f"d{documents[0]}" if documents else f"q{query}"
        for query, documents in zip(queries["query_id"].to_list(), queries["documents"].to_list(), strict=True)
    ]


def _duplicate_things(value: object) -> set[object]:
    if value is None or (isinstance(value, int | np.integer) and value < 0):
        return set()
    return {value}


def _memberships(values: Sequence[object], things_of: Callable[[Any], Iterable[object]]) -> Memberships:
    numbers: dict[object, int] = {}
    rows: list[int] = []
    held: list[int] = []
    for row, value in enumerate(values):
        for thing in things_of(value):
            rows.append(row)
            held.append(numbers.setdefault(thing, len(numbers)))
    return Memberships(np.asarray(rows, dtype=np.intp), np.asarray(held, dtype=np.intp), len(numbers))
