"""Rows of a file taken as whole columns, where every row of them fits; no row becomes a Python object.

The checks are those of the record types in `bundle_schema`, or stricter: what does not pass here is looked at row by row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from audit_core.importers.bundle_frames import schema_of
from audit_core.importers.bundle_schema import (
    DEFAULT_RELEVANCE,
    EVIDENCE,
    LARGEST_WHOLE,
    Column,
    Kind,
    box_columns,
    frame_columns,
)

if TYPE_CHECKING:
    import polars as pl

#: Kinds of columns that are taken whole.
TAKEN = {Kind.ID, Kind.TEXT, Kind.CHOICE, Kind.WHOLE, Kind.NUMBER, Kind.BOX, Kind.IDS, Kind.EVIDENCE}


@dataclass(frozen=True, slots=True)
class Whole:
    """Rows that all fit, still in the columns of the file; `first_line` is the number of the first, from 1."""

    first_line: int
    frame: pl.DataFrame


def rows_fit(frame: pl.DataFrame, columns: Sequence[Column]) -> bool:
    """Return whether every row has what the columns ask for; the types of the frame's columns have been checked.

    False also where a kind of column is not taken whole (labels and judgments are few).
    """
    import polars as pl

    if any(column.kind not in TAKEN for column in columns):
        return False
    tests: list[pl.Expr] = []
    for column in columns:
        if column.name not in frame.columns or frame.schema[column.name] == pl.Null():
            if column.required:
                return False
            continue
        value = pl.col(column.name)
        test = _test(column, frame.schema[column.name], value)
        tests.append(test & value.is_not_null() if column.required else test | value.is_null())
    if not all(frame.select(each.all().alias(str(number)) for number, each in enumerate(tests)).row(0)):
        return False
    items = _items(frame, columns)
    return items is None or rows_fit(items, EVIDENCE)


def _test(column: Column, dtype: Any, value: pl.Expr) -> pl.Expr:
    """Return the test of a column's values; what it says of null does not count."""
    import polars as pl

    if column.kind is Kind.ID:
        found = value.cast(pl.String).str.len_bytes() > 0
    elif column.kind is Kind.CHOICE and isinstance(column.choices[0], int):
        found = value.cast(pl.Int64, strict=False).is_in(list(column.choices))
    elif column.kind is Kind.CHOICE:
        found = value.cast(pl.String).is_in(list(column.choices))
    elif column.kind is Kind.WHOLE:
        low = -LARGEST_WHOLE if column.low is None else int(column.low)
        found = value.cast(pl.Int64, strict=False).is_between(low, LARGEST_WHOLE)
    elif column.kind is Kind.NUMBER:
        number = value.cast(pl.Float64)
        found = number.is_finite()
        found = found if column.low is None else found & (number >= column.low)
        found = found if column.above is None else found & (number > column.above)
    elif column.kind is Kind.BOX:
        sides = _sides(value, dtype)
        found = (_list(value, dtype).list.len() == len(sides)) & pl.all_horizontal(
            side.is_finite().fill_null(False) for side in sides
        )
    elif column.kind is Kind.IDS:
        item = pl.element().cast(pl.String)
        found = (
            _list(value, dtype).list.eval(item.is_not_null() & (item.str.len_bytes() > 0).fill_null(False)).list.all()
        )
    elif column.kind is Kind.EVIDENCE:
        # The items are looked at in a frame of their own; a list without type has none that could be.
        found = pl.lit(isinstance(dtype, pl.List) and isinstance(dtype.inner, pl.Struct)) & value.is_not_null()
    else:
        found = value.is_not_null()
    return found.fill_null(False)


def _list(value: pl.Expr, dtype: Any) -> pl.Expr:
    import polars as pl

    return value.arr.to_list() if isinstance(dtype, pl.Array) else value


def _sides(value: pl.Expr, dtype: Any) -> list[pl.Expr]:
    import polars as pl

    sides = _list(value, dtype)
    return [sides.list.get(number, null_on_oob=True).cast(pl.Float64) for number in range(4)]


def _items(frame: pl.DataFrame, columns: Sequence[Column]) -> pl.DataFrame | None:
    """Return the evidence of all rows, one piece a row; None where the table has none. A null piece has null fields."""
    import polars as pl

    if not any(column.kind is Kind.EVIDENCE for column in columns):
        return None
    lists = frame.filter(pl.col("evidence").list.len() > 0).select("evidence")
    return lists.explode("evidence").unnest("evidence")


def taken_frame(frame: pl.DataFrame, columns: Sequence[Column], first_line: int) -> pl.DataFrame:
    """Return rows that fit as the table's frame with the column `line` first; the evidence of queries is not in it."""
    import polars as pl

    lines = pl.int_range(first_line, first_line + frame.height, dtype=pl.Int64, eager=True)
    return frame.select(lines.alias("line"), *_taken(frame, columns))


def _taken(frame: pl.DataFrame, columns: Sequence[Column]) -> list[pl.Expr]:
    import polars as pl

    types = schema_of(columns)
    taken: list[pl.Expr] = []
    for column in columns:
        if column.kind is Kind.EVIDENCE:
            continue
        dtype = frame.schema.get(column.name)
        names = box_columns(column.name) if column.kind is Kind.BOX else (column.name,)
        if dtype is None or dtype == pl.Null():
            taken.extend(pl.lit(None, types[name]).alias(name) for name in names)
        elif column.kind is Kind.BOX:
            taken.extend(side.alias(name) for side, name in zip(_sides(pl.col(column.name), dtype), names, strict=True))
        else:
            value = _list(pl.col(column.name), dtype)
            taken.append(value.cast(types[column.name]).alias(column.name))
    return taken


def taken_evidence(frame: pl.DataFrame, first_line: int, first_row: int) -> pl.DataFrame:
    """Return the evidence of query rows that fit, flat: line, query_row (from `first_row` on), position, columns."""
    import polars as pl

    counts = pl.col("evidence").list.len().cast(pl.Int64)
    rows = pl.int_range(pl.len(), dtype=pl.Int64)
    flat = (
        frame.select("evidence", _line=rows + first_line, _row=rows + first_row, _position=pl.int_ranges(counts))
        .filter(pl.col("evidence").list.len() > 0)
        .explode("evidence", "_position")
        .unnest("evidence")
    )
    taken = flat.select(
        pl.col("_line").alias("line"), pl.col("_row").alias("query_row"), pl.col("_position").alias("position"),
        *_taken(flat, EVIDENCE),
    )  # fmt: skip
    names = [name for name, _ in frame_columns(EVIDENCE)]
    return taken.with_columns(pl.col("relevance").fill_null(DEFAULT_RELEVANCE)).select(
        "line", "query_row", "position", *names
    )
