"""Rows of a Parquet file with the same columns as the JSON Lines form: the same checks, row numbers in place of lines."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from audit_core.importers.bundle_columns import Whole, rows_fit
from audit_core.importers.bundle_lines import Batch, TableSource, note_unknown_columns
from audit_core.importers.bundle_schema import EVIDENCE, Column, Kind, record_type

if TYPE_CHECKING:
    import polars as pl

#: So many rows are turned into records at a time.
BATCH_ROWS = 20_000


def read_parquet(path: Path, source: TableSource, advance: Callable[[float], None]) -> Iterator[Batch | Whole]:
    """Yield the rows of a Parquet file in batches; the line of a row is its number, from 1.

    A batch without a fault is yielded whole, any other as records, after each of its rows has been looked at.

    A column of another type than the format's is refused as a whole: no id is ever turned from a number into text.
    """
    import polars as pl

    try:
        frame = pl.read_parquet(path, glob=False, hive_partitioning=False)
    except (pl.exceptions.PolarsError, OSError, ValueError) as error:
        first = (str(error).splitlines() or [""])[0]
        source.log.incomplete.add(source.table)
        expected = f"a Parquet file ({first})"
        source.log.fault(kind="unreadable_file", file=source.file, table=source.table, expected=expected)
        return
    if not _types_fit(frame, source):
        source.log.incomplete.add(source.table)
        return
    frame = _note_unknown(frame, source)
    for start in range(0, frame.height, BATCH_ROWS):
        part = frame.slice(start, BATCH_ROWS)
        if rows_fit(part, source.columns):
            yield Whole(start + 1, part)
        else:
            yield _convert(list(range(start + 1, start + part.height + 1)), part.to_dicts(), source)
        advance(min(1.0, (start + BATCH_ROWS) / frame.height))


def _convert(numbers: list[int], rows: list[dict[str, Any]], source: TableSource) -> Batch:
    import msgspec

    for row in rows:
        _without_null_targets(row)
        _read_object(row)
    record = record_type(source.columns)
    try:
        records = [msgspec.convert(_without_nulls(row), record) for row in rows]
        if source.suspicious is None or not any(map(source.suspicious, records)):
            return numbers, records
    except msgspec.ValidationError:
        pass
    kept_numbers: list[int] = []
    kept: list[Any] = []
    for number, row in zip(numbers, rows, strict=True):
        found = _convert_one(number, _without_nulls(row), source)
        if found is not None:
            kept_numbers.append(number)
            kept.append(found)
    return kept_numbers, kept


def _convert_one(number: int, row: dict[str, Any], source: TableSource) -> Any:
    import msgspec

    try:
        record = msgspec.convert(row, source.record)
    except msgspec.ValidationError as error:
        return source.mend(number, row, str(error))
    if source.suspicious is not None and source.suspicious(record):
        return source.mend(number, row, "a row that fits its table")
    return record


def _without_nulls(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if value is not None}


def _without_null_targets(row: dict[str, Any]) -> None:
    """A struct of codes has a field for every code; those that are null were not given."""
    targets = row.get("targets")
    if isinstance(targets, list):
        targets = {each["key"]: each["value"] for each in targets}
    if isinstance(targets, dict):
        row["targets"] = _without_nulls(targets) or None


def _read_object(row: dict[str, Any]) -> None:
    """Fields have another shape under each protocol: a Parquet column holds their JSON text."""
    import json

    if isinstance(text := row.get("fields"), str):
        with contextlib.suppress(ValueError, RecursionError):
            row["fields"] = json.loads(text)


def _note_unknown(frame: pl.DataFrame, source: TableSource) -> pl.DataFrame:
    """Return the frame with the format's columns only; the names of others are remembered for a warning."""
    import polars as pl

    sample: dict[str, Any] = dict.fromkeys(frame.columns)
    frame = frame.select([column.name for column in source.columns if column.name in frame.columns])
    found = _fields(frame.schema.get("evidence"))
    known = [each.name for each in EVIDENCE if each.name in found]
    if source.table == "queries" and len(known) < len(found):
        sample["evidence"] = [dict.fromkeys(found)]
        kept = pl.struct(*[pl.element().struct.field(name) for name in known])
        frame = frame.with_columns(pl.col("evidence").list.eval(kept))
    note_unknown_columns(sample, source)
    return frame


def _fields(dtype: Any) -> list[str]:
    import polars as pl

    is_structs = isinstance(dtype, pl.List) and isinstance(dtype.inner, pl.Struct)
    return [field.name for field in dtype.inner.fields] if is_structs else []


def _types_fit(frame: pl.DataFrame, source: TableSource) -> bool:
    fits = True
    for column in source.columns:
        dtype = frame.schema.get(column.name)
        if dtype is None:
            if column.required:
                fits = False
                expected = "a column of this name, for it is required"
                source.log.fault(
                    kind="missing_value", file=source.file, table=source.table, field=column.name, expected=expected
                )
            continue
        for field, found, expected in _misfits(column, dtype, column.name):
            fits = False
            source.log.fault(
                kind="wrong_type", file=source.file, table=source.table, field=field, value=found, expected=expected
            )
    return fits


def _misfits(column: Column, dtype: pl.DataType, path: str) -> list[tuple[str, str, str]]:
    """Return (field, type found, what was expected) for each part of a column whose type does not fit."""
    import polars as pl

    if dtype == pl.Null() and not column.required:
        return []
    if column.kind is Kind.EVIDENCE:
        if not (isinstance(dtype, pl.List) and isinstance(dtype.inner, pl.Struct)):
            return (
                [] if dtype == pl.List(pl.Null) else [(path, str(dtype), "a list of structs, one a piece of evidence")]
            )
        types = {field.name: field.dtype for field in dtype.inner.fields}
        return [
            misfit
            for each in EVIDENCE
            if each.name in types
            for misfit in _misfits(each, _instance(types[each.name]), f"{path}.{each.name}")
        ]
    fits, expected = _fit(column, dtype)
    return [] if fits else [(path, str(dtype), expected)]


def _instance(dtype: Any) -> Any:
    return dtype() if isinstance(dtype, type) else dtype


def _is_text(dtype: Any) -> bool:
    import polars as pl

    return dtype == pl.String or isinstance(dtype, pl.Categorical | pl.Enum)


def _fit(column: Column, dtype: Any) -> tuple[bool, str]:
    import polars as pl

    inner = _instance(dtype.inner) if isinstance(dtype, pl.List | pl.Array) else None
    is_whole = dtype.is_integer()
    whole_choice = column.kind is Kind.CHOICE and isinstance(column.choices[0], int)
    if column.kind is Kind.WHOLE or whole_choice:
        return is_whole, "a column of whole numbers"
    if column.kind in (Kind.NUMBER, Kind.CRITERION):
        return is_whole or dtype.is_float(), "a column of numbers"
    if column.kind is Kind.FLAG:
        return dtype == pl.Boolean, "a column of true and false"
    if column.kind is Kind.BOX:
        return inner is not None and (inner.is_integer() or inner.is_float()), "lists of four numbers [x0, y0, x1, y1]"
    if column.kind in (Kind.IDS, Kind.CODES):
        return inner is not None and (_is_text(inner) or inner == pl.Null), "lists of text"
    if column.kind is Kind.TARGETS:
        return _fits_targets(dtype), "a struct (or map) from code to a list of ids"
    if column.kind is Kind.OBJECT:
        return _is_text(dtype), "a column of JSON text, an object in each row"
    return _is_text(
        dtype
    ), "a column of text (ids are text, never numbers)" if column.kind is Kind.ID else "a column of text"


def _fits_targets(dtype: Any) -> bool:
    import polars as pl

    if isinstance(dtype, pl.Struct):
        return all(isinstance(field.dtype, pl.List) or field.dtype == pl.Null for field in dtype.fields)
    if isinstance(dtype, pl.List) and isinstance(dtype.inner, pl.Struct):
        return {field.name for field in dtype.inner.fields} == {"key", "value"}
    return False
