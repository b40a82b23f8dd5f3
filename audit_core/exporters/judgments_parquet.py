"""A campaign's judgments as Parquet: the columns of the table with their types; objects are JSON text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from audit_core.domain import JsonObject
from audit_core.exporters.judgment_table import COLUMNS, FLAGS, OBJECTS, WHOLE, json_text

name = "parquet"
suffix = ".parquet"
media_type = "application/vnd.apache.parquet"

#: Rows of one group of the file, which is what is held at a time.
GROUP_ROWS = 50_000


def write(rows: Iterable[JsonObject], place: Path) -> None:
    """Write the rows a group at a time; the same rows give the same bytes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([(column, _type(column)) for column in COLUMNS])
    with place.open("xb") as stream, pq.ParquetWriter(stream, schema, compression="zstd") as writer:
        for group in _groups(rows):
            columns = {column: [_value(column, row[column]) for row in group] for column in COLUMNS}
            writer.write_table(pa.table(columns, schema=schema))


def _groups(rows: Iterable[JsonObject]) -> Iterator[list[JsonObject]]:
    remaining = iter(rows)
    while group := list(islice(remaining, GROUP_ROWS)):
        yield group


def _value(column: str, value: Any) -> Any:
    return json_text(value) if column in OBJECTS and value is not None else value


def _type(column: str) -> Any:
    import pyarrow as pa

    if column == "codes":
        return pa.list_(pa.string())
    if column in WHOLE:
        return pa.int64()
    if column in FLAGS:
        return pa.bool_()
    return pa.float64() if column == "active_seconds" else pa.string()
