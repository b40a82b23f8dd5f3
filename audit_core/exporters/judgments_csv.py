"""A campaign's judgments as CSV for programs: text stands as it was written, so that it can be imported again."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

from audit_core.domain import JsonObject
from audit_core.exporters.judgment_table import COLUMNS, OBJECTS, json_text

name = "csv"
suffix = ".csv"
media_type = "text/csv"


def write(rows: Iterable[JsonObject], place: Path) -> None:
    """Write RFC 4180 text in UTF-8 without a byte order mark: the column names, then a record a judgment, ended by CR LF.

    `codes` is a word such as `FE`, flags are `true` and `false`, objects are JSON, and what does not apply is empty.
    """
    with place.open("x", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\r\n")
        writer.writerow(COLUMNS)
        writer.writerows(map(cells, rows))


def cells(row: JsonObject) -> list[str]:
    """Return a row's cells in the order of the columns."""
    return [_cell(column, row[column]) for column in COLUMNS]


def _cell(column: str, value: object) -> str:
    if value is None:
        return ""
    if column in OBJECTS:
        return json_text(value)
    if isinstance(value, list):
        return "".join(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else repr(value)
