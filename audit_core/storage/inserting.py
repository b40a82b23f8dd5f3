"""Inserting rows: one row with the id that it got, or many in chunks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa

#: Rows of one INSERT.
_CHUNK = 5_000


def insert_row(connection: sa.Connection, table: sa.Table, values: Mapping[str, Any]) -> int:
    """Insert one row and return its id."""
    key = connection.execute(table.insert().values(values)).inserted_primary_key
    assert key is not None
    return int(key[0])


def insert_rows(connection: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows that all have the same columns; none is fine."""
    for start in range(0, len(rows), _CHUNK):
        connection.execute(table.insert(), rows[start : start + _CHUNK])
