"""Two tables held against one another: every row and field in which they differ, whatever the order of their rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

#: So many differences are told of; the others are counted.
LISTED = 100
_SHOWN = 80
_NTH = "_nth"
_SIDES = ("_x0", "_y0", "_x1", "_y1")


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not as it should be. `row` is the number of the row in the file, from 1; None where it is not there."""

    file: str
    row: int | None
    key: str | None
    field: str | None
    message: str

    def __str__(self) -> str:
        row = "" if self.row is None else f", row {self.row:,}"
        key = "" if self.key is None else f" ({self.key})"
        named = "" if self.field is None else f", field {self.field}"
        return f"{self.file}{row}{key}{named}: {self.message}"

    def as_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return {"file": self.file, "row": self.row, "key": self.key, "field": self.field, "message": self.message}


@dataclass(slots=True)
class Findings:
    """What a proof found: differences (the first ones, and how many in all), and what is worth saying without being one.

    `reordered` are the files whose rows are the same in another order.
    """

    differences: list[Difference] = field(default_factory=list)
    total: int = 0
    notes: list[str] = field(default_factory=list)
    reordered: list[str] = field(default_factory=list)

    def add(self, difference: Difference) -> None:
        """Take a difference in."""
        self.total += 1
        if len(self.differences) < LISTED:
            self.differences.append(difference)

    def say_reordered(self, file: str) -> None:
        """Note that a file has its rows in another order."""
        self.reordered.append(file)
        self.notes.append(f"{file}: the same rows stand in another order, which changes nothing of what they say.")

    def say(self, file: str, message: str, *, field: str | None = None) -> None:
        """Take in a difference that is of no row."""
        self.add(Difference(file, None, None, field, message))


def shown(value: object) -> str:
    """Return a value as it is shown in a message."""
    text = "nothing" if value is None else repr(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def compare_tables(
    expected: pl.DataFrame,
    found: pl.DataFrame,
    *,
    keys: Sequence[str],
    columns: Sequence[str],
    file: str,
    findings: Findings,
) -> None:
    """Compare two tables, whose rows `keys` identify, in these columns; a different order of the same rows is a note.

    Where rows share their keys, the first one is held against the first one, and so on.
    """
    import polars as pl

    names = list(dict.fromkeys([*keys, *columns]))
    expected, found = expected.select(names), found.select(names)
    if expected.equals(found):
        return
    own = list(keys)
    if any(each.select(own).is_duplicated().any() for each in (expected, found)):
        nth = pl.int_range(pl.len()).over(own).alias(_NTH)
        expected, found, own = expected.with_columns(nth), found.with_columns(nth), [*own, _NTH]
    one = expected.with_row_index("_row")
    other = found.with_row_index("_line")
    both = one.join(other, on=own, how="full", suffix="_found", coalesce=True, nulls_equal=True)
    _tell_missing(both.filter(pl.col("_line").is_null()), keys, file, findings)
    _tell_extra(both.filter(pl.col("_row").is_null()), keys, file, findings)
    shared = both.filter(pl.col("_row").is_not_null() & pl.col("_line").is_not_null())
    before = findings.total
    for name in columns:
        if name not in keys:
            _tell_changed(shared, name, keys, file, findings)
    if findings.total == before and not shared.sort("_row")["_line"].is_sorted():
        findings.say_reordered(file)


def _tell_missing(rows: pl.DataFrame, keys: Sequence[str], file: str, findings: Findings) -> None:
    for row in _some(rows, findings):
        findings.add(Difference(file, None, _key(row, keys), None, "the row is missing"))


def _tell_extra(rows: pl.DataFrame, keys: Sequence[str], file: str, findings: Findings) -> None:
    for row in _some(rows, findings):
        message = "the row is not in OLD, and the ledger adds none"
        findings.add(Difference(file, row["_line"] + 1, _key(row, keys), None, message))


def _tell_changed(rows: pl.DataFrame, name: str, keys: Sequence[str], file: str, findings: Findings) -> None:
    import polars as pl

    changed = rows.filter(pl.col(name).ne_missing(pl.col(f"{name}_found")))
    for row in _some(changed, findings):
        message = f"found {shown(row[f'{name}_found'])}; expected {shown(row[name])}"
        findings.add(Difference(file, row["_line"] + 1, _key(row, keys), field_name(name), message))


def _some(rows: pl.DataFrame, findings: Findings) -> Iterator[dict[str, Any]]:
    """Yield as many rows as are listed, and count the others."""
    yield from rows.head(LISTED).iter_rows(named=True)
    findings.total += max(0, rows.height - LISTED)


def _key(row: dict[str, Any], keys: Sequence[str]) -> str:
    return ", ".join(f"{each} {row[each]!r}" for each in keys)


def field_name(column: str) -> str:
    """Return how a column of a frame is called in the format: the four sides of a box are one field."""
    return next(
        (f"{column.removesuffix(side)}[{at}]" for at, side in enumerate(_SIDES) if column.endswith(side)), column
    )
