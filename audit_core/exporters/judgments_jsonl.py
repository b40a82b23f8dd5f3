"""A campaign's judgments as JSON Lines: one object a judgment, every column in every row, null where it does not apply."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from audit_core.domain import JsonObject
from audit_core.exporters.judgment_table import COLUMNS

name = "jsonl"
suffix = ".jsonl"
media_type = "application/x-ndjson"


def write(rows: Iterable[JsonObject], place: Path) -> None:
    """Write UTF-8 without a byte order mark; a line feed ends each line. Numbers have all their digits."""
    import msgspec

    encode = msgspec.json.Encoder().encode
    with place.open("xb") as stream:
        for row in rows:
            stream.write(encode({column: row[column] for column in COLUMNS}) + b"\n")
