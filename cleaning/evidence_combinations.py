"""Which kinds of evidence queries rest on together, before and after a cleaning: the numbers of an UpSet plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from audit_core.domain import ELEMENT_KINDS
from cleaning.removal_tables import Counts, cells_of, columns_for, count_notes, counted, total
from cleaning.tables import Cell, Column, ColumnKind, Table

if TYPE_CHECKING:
    import polars as pl

#: What a combination without kinds is called.
NONE = "none"
JOINED = " + "
_APART = "\x1f"
_PLACES = {each: place for place, each in enumerate(ELEMENT_KINDS)}
KINDS_NOTE = (
    "A query counts once, with all kinds that its evidence has, over all alternatives; a piece of evidence without a kind of "
    "its own has that of its element. none: the evidence is whole pages only, or there is none."
)


@dataclass(frozen=True, slots=True)
class Combination:
    """A set of evidence kinds, in the order of the format, and the queries that rest on exactly these."""

    kinds: tuple[str, ...]
    counts: Counts

    @property
    def name(self) -> str:
        """The kinds in words, `none` where there is none."""
        return JOINED.join(self.kinds) or NONE


def evidence_combinations(decided: pl.DataFrame) -> tuple[Combination, ...]:
    """Return the combinations of evidence kinds with their counts, the most frequent before the cleaning first.

    Equally frequent ones stand by how many kinds they have, then by these. `decided` holds, a row a query, the list
    column `evidence_kinds` and the booleans `removed`, `undecided` and `reworded`.
    """
    import polars as pl

    joined = decided.with_columns(kinds=pl.col("evidence_kinds").list.unique().list.sort().list.join(_APART))
    found = [
        Combination(tuple(sorted(filter(None, key[0].split(_APART)), key=_place)), counts)
        for key, counts in counted(joined, ("kinds",)).items()
    ]
    return tuple(sorted(found, key=lambda each: (-each.counts.before, len(each.kinds), [*map(_place, each.kinds)])))


def kind_sizes(combinations: Sequence[Combination]) -> dict[str, Counts]:
    """Return the counts of the queries that have each kind among others, in the order of the format.

    A query with three kinds is in three of them, so they do not add up to the queries. `none` is last, if there is any.
    """
    kinds = sorted({kind for each in combinations for kind in each.kinds}, key=_place)
    sizes = {kind: total(each.counts for each in combinations if kind in each.kinds) for kind in kinds}
    without = [each.counts for each in combinations if not each.kinds]
    return {**sizes, NONE: total(without)} if without else sizes


def evidence_table(combinations: Sequence[Combination], *, notes: Sequence[str] = ()) -> Table:
    """Return the table of combinations with the sum of all; `notes` follow those that every table has."""
    counts = [each.counts for each in combinations]
    rows: list[dict[str, Cell]] = [
        {"kinds": each.name, "number": len(each.kinds), **cells_of(each.counts)} for each in combinations
    ]
    rows.append({"kinds": "all", **cells_of(total(counts))})
    columns = (Column("kinds", "Kinds of evidence"), Column("number", "Kinds", ColumnKind.COUNT), *columns_for(counts))
    title = "Queries before and after the cleaning, by the kinds of their evidence"
    return Table(title, columns, tuple(rows), (*count_notes(counts), KINDS_NOTE, *notes))


def _place(kind: str) -> tuple[int, str]:
    return _PLACES.get(kind, len(_PLACES)), kind
