"""Rows of the bundle format from the frames of a dataset revision, and the files that hold them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from audit_core.datasets.aside import write_parquet
from audit_core.datasets.index import grouped
from audit_core.domain import JsonObject
from audit_core.importers.bundle_frames import dtype_of
from audit_core.importers.bundle_schema import (
    CODES,
    DEFAULT_RELEVANCE,
    EVIDENCE,
    Column,
    Kind,
    box_columns,
    frame_columns,
)

if TYPE_CHECKING:
    import polars as pl

ROWS_AT_ONCE = 20_000


def rows_of(frame: pl.DataFrame, columns: Sequence[Column]) -> Iterator[JsonObject]:
    """Yield the rows of a frame in the format's columns and order; what is null is absent, and so is a default."""
    plan: list[tuple[str, int, bool]] = []
    names = [name for name, _ in frame_columns(columns)]
    for column in columns:
        if column.kind is Kind.BOX:
            plan.append((column.name, names.index(box_columns(column.name)[0]), True))
        elif column.kind is not Kind.EVIDENCE:
            plan.append((column.name, names.index(column.name), False))
    for start in range(0, frame.height, ROWS_AT_ONCE):
        for values in frame.slice(start, ROWS_AT_ONCE).select(names).iter_rows():
            row: JsonObject = {}
            for name, place, is_box in plan:
                if values[place] is not None:
                    row[name] = list(values[place : place + 4]) if is_box else values[place]
            if row.get("relevance") == DEFAULT_RELEVANCE:
                del row["relevance"]
            yield row


def query_rows_of(queries: pl.DataFrame, evidence: pl.DataFrame, columns: Sequence[Column]) -> Iterator[JsonObject]:
    """Yield the rows of queries with their evidence in them."""
    pieces = zip(evidence["query_row"], rows_of(evidence, EVIDENCE), strict=True)
    for row, own in zip(rows_of(queries, columns), grouped(pieces, queries.height), strict=True):
        yield {**row, "evidence": own}


def in_columns(rows: Iterable[JsonObject], columns: Sequence[Column]) -> Iterator[JsonObject]:
    """Yield plain rows with the format's columns only, in its order, without what is null."""
    for row in rows:
        yield {column.name: row[column.name] for column in columns if row.get(column.name) is not None}


def stored_frame(frame: pl.DataFrame, columns: Sequence[Column], evidence: pl.DataFrame | None = None) -> pl.DataFrame:
    """Return a frame of a dataset revision in the format's columns for Parquet: a box is a list of four numbers again.

    Optional columns that no row has are left out; `evidence` becomes the lists of the queries that it belongs to.
    """
    import polars as pl

    plain = frame.select(_stored(column) for column in columns if column.kind is not Kind.EVIDENCE)
    required = {column.name for column in columns if column.required}
    used = [each.name for each in plain if each.name in required or each.null_count() < plain.height]
    plain = plain.select(used)
    if evidence is None:
        return plain
    pieces = evidence.select("query_row", pl.struct(_stored(column) for column in EVIDENCE).alias("evidence"))
    lists = pieces.group_by("query_row", maintain_order=True).agg("evidence")
    numbered = plain.with_row_index("query_row").with_columns(pl.col("query_row").cast(pl.Int64))
    joined = numbered.join(lists, on="query_row", how="left", maintain_order="left").drop("query_row")
    return joined.with_columns(pl.col("evidence").fill_null(pl.lit([], dtype=lists.schema["evidence"])))


def _stored(column: Column) -> pl.Expr:
    import polars as pl

    if column.kind is Kind.BOX:
        sides = box_columns(column.name)
        return pl.when(pl.col(sides[0]).is_not_null()).then(pl.concat_list(*sides)).alias(column.name)
    if column.name == "relevance":
        return pl.when(pl.col(column.name) != DEFAULT_RELEVANCE).then(pl.col(column.name)).alias(column.name)
    return pl.col(column.name)


def write_rows(rows: Iterable[JsonObject], columns: Sequence[Column], folder: Path, name: str, form: str) -> None:
    """Write a table as `name.jsonl` or `name.parquet`; a column that no row has is not in the Parquet form."""
    place = folder / f"{name}.{form}"
    place.parent.mkdir(parents=True, exist_ok=True)
    if form == "parquet":
        _write_parquet(rows, columns, place)
    else:
        _write_lines(rows, place)


def _write_lines(rows: Iterable[JsonObject], place: Path) -> None:
    import msgspec

    encode = msgspec.json.Encoder().encode
    with place.open("wb") as stream:
        for row in rows:
            stream.write(encode(row) + b"\n")


def _write_parquet(rows: Iterable[JsonObject], columns: Sequence[Column], place: Path) -> None:
    import polars as pl

    schema = {column.name: _stored_type(column) for column in columns}
    frames: list[pl.DataFrame] = [pl.DataFrame(schema=schema)]
    waiting: list[JsonObject] = []
    for row in rows:
        waiting.append(row)
        if len(waiting) == ROWS_AT_ONCE:
            frames.append(_frame(waiting, schema))
            waiting = []
    frames.append(_frame(waiting, schema))
    whole = pl.concat(frames)
    used = [each.name for each in columns if each.required or whole[each.name].null_count() < whole.height]
    write_parquet(whole.select(used), place)


def _frame(rows: list[JsonObject], schema: dict[str, Any]) -> pl.DataFrame:
    import polars as pl

    return pl.DataFrame(
        {
            name: pl.Series(name, [_in_cell(row.get(name), dtype) for row in rows], dtype)
            for name, dtype in schema.items()
        }
    )


def _in_cell(value: Any, dtype: Any) -> Any:
    """Return a value as a Parquet column keeps it: an object in a column of text is its JSON."""
    import polars as pl

    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) and dtype == pl.String else value


def _stored_type(column: Column) -> Any:
    import polars as pl

    if column.kind is Kind.BOX:
        return pl.List(pl.Float64)
    if column.kind is Kind.EVIDENCE:
        return pl.List(pl.Struct({each.name: _stored_type(each) for each in EVIDENCE}))
    if column.kind is Kind.TARGETS:
        return pl.Struct(dict.fromkeys(CODES, pl.List(pl.String)))
    if column.kind is Kind.CHOICE and isinstance(column.choices[0], int):
        return pl.Int64()
    return dtype_of(column.kind)
