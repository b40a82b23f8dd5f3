"""What a cleaning does to each stratum: queries before, removed, after and the share kept, with totals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from audit_core.domain import EvidenceStructure
from audit_core.errors import CleaningError
from cleaning.tables import Cell, Column, ColumnKind, Table

if TYPE_CHECKING:
    import polars as pl

#: What stands in a row that sums over all sources, domains or structures.
ALL = "all"
SOURCE, DOMAIN = "source", "domain"
HEADS = {SOURCE: "Source", DOMAIN: "Domain"}
#: Must be read with every table of a cleaning.
COUNT_NOTES = (
    "Counts are of all queries of the dataset, not of a sample, so they have no interval. They say how many go, not whether "
    "these are the right ones.",
    "Documents, pages and elements all stay, so retrieval searches the same pages as before.",
)
UNDECIDED_NOTE = "Undecided queries stay; they are counted in After."
REWORDED_NOTE = "Reworded queries stay in their new words; they are counted in After."
_STRUCTURES = {each.value: place for place, each in enumerate(EvidenceStructure)}


@dataclass(frozen=True, slots=True)
class Counts:
    """Queries of one cell: before, those removed, and of those that stay the undecided and the reworded ones."""

    before: int
    removed: int
    undecided: int = 0
    reworded: int = 0

    @property
    def after(self) -> int:
        """How many stay."""
        return self.before - self.removed

    @property
    def share_kept(self) -> float | None:
        """After divided by before, in [0, 1]; None where there was none."""
        return self.after / self.before if self.before else None

    def __add__(self, other: Counts) -> Counts:
        """Return the counts of both cells together."""
        return Counts(
            self.before + other.before, self.removed + other.removed,
            self.undecided + other.undecided, self.reworded + other.reworded,
        )  # fmt: skip


#: What is counted of each cell, as columns of a table.
COUNT_COLUMNS = (
    Column("before", "Before", ColumnKind.COUNT),
    Column("removed", "Removed", ColumnKind.COUNT),
    Column("after", "After", ColumnKind.COUNT),
    Column("share_kept", "Kept", ColumnKind.PROPORTION),
    Column("undecided", "Undecided", ColumnKind.COUNT),
    Column("reworded", "Reworded", ColumnKind.COUNT),
)


def cells_of(counts: Counts) -> dict[str, Cell]:
    """Return the cells of `COUNT_COLUMNS`."""
    return {each.key: getattr(counts, each.key) for each in COUNT_COLUMNS}


def total(counts: Iterable[Counts]) -> Counts:
    """Return the sum of counts; zeros where there are none."""
    return sum(counts, Counts(0, 0))


def counted(decided: pl.DataFrame, keys: Sequence[str]) -> dict[tuple[str, ...], Counts]:
    """Return the counts of each combination of `keys` that a query has, in order of first mention.

    `decided` holds, beside these columns, `removed`, `undecided` and `reworded` as booleans, a row a query.
    """
    import polars as pl

    flags = ("removed", "undecided", "reworded")
    rows = (
        decided.group_by(keys, maintain_order=True)
        .agg(pl.len().alias("before"), *(pl.col(each).sum() for each in flags))
        .select(*keys, "before", *flags)
    )
    return {tuple(row[: len(keys)]): Counts(*row[len(keys) :]) for row in rows.iter_rows()}


def stratum_counts(decided: pl.DataFrame, by: str, *, first: Sequence[str] = ()) -> dict[tuple[str, str], Counts]:
    """Return the counts of each source (or domain, as `by` says) and evidence structure that has a query.

    In the order of `first` (others after these, by name), then in that of the structures.

    Raises:
        CleaningError: `by` is neither `source` nor `domain`.
    """
    if by not in HEADS:
        raise CleaningError(f"There is no table by {by!r}. Choose one of: {', '.join(HEADS)}.")
    places = {each: place for place, each in enumerate(first)}
    found = counted(decided, (by, "evidence_structure"))

    def order(key: tuple[str, ...]) -> tuple[int, str, int, str]:
        group, structure = key
        return places.get(group, len(places)), group, *_place(structure)

    return {(key[0], key[1]): found[key] for key in sorted(found, key=order)}


def stratum_table(by: str, counts: Mapping[tuple[str, str], Counts], *, notes: Sequence[str] = ()) -> Table:
    """Return the table by source or domain and evidence structure, with a sum of each, of each structure and of all.

    Sums have `all` in the place of what they sum over. `notes` follow those that every table has.
    """
    rows: list[dict[str, Cell]] = []

    def add(group: str | None, structure: str | None) -> None:
        # None sums over all of them.
        own = total(each for key, each in counts.items() if group in (None, key[0]) and structure in (None, key[1]))
        rows.append({by: group or ALL, "evidence_structure": structure or ALL, **cells_of(own)})

    structures = sorted({key[1] for key in counts}, key=_place)
    for group in dict.fromkeys(key[0] for key in counts):
        for structure in (*(key[1] for key in counts if key[0] == group), None):
            add(group, structure)
    for structure in (*structures, None):
        add(None, structure)
    columns = (Column(by, HEADS[by]), Column("evidence_structure", "Evidence structure"), *columns_for(counts.values()))
    title = f"Queries before and after the cleaning, by {by} and evidence structure"
    return Table(title, columns, tuple(rows), (*count_notes(counts.values()), *notes))


def columns_for(counts: Iterable[Counts]) -> tuple[Column, ...]:
    """Return the columns of counts, without that of reworded queries where there are none."""
    has_reworded = any(each.reworded for each in counts)
    return COUNT_COLUMNS if has_reworded else COUNT_COLUMNS[:-1]


def count_notes(counts: Iterable[Counts]) -> tuple[str, ...]:
    """Return what must be read with counts of a cleaning."""
    whole = total(counts)
    notes = [*COUNT_NOTES]
    if whole.undecided:
        notes.append(UNDECIDED_NOTE)
    if whole.reworded:
        notes.append(REWORDED_NOTE)
    return tuple(notes)


def _place(structure: str) -> tuple[int, str]:
    return _STRUCTURES.get(structure, len(_STRUCTURES)), structure
