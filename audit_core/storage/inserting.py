"""Inserting rows: one row with the id that it got, many in chunks, or many that were bound before the transaction began."""

from __future__ import annotations

import json
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
    statement, values = bound_rows(connection.dialect, table, rows)
    for start in range(0, len(values), _CHUNK):
        connection.exec_driver_sql(statement, values[start : start + _CHUNK])


def bound_rows(
    dialect: sa.Dialect, table: sa.Table, rows: Sequence[Mapping[str, Any]]
) -> tuple[str, list[tuple[Any, ...]]]:
    """Return the statement that inserts rows with the same columns, and their values as the driver takes them.

    For `Connection.exec_driver_sql`: what SQLAlchemy does with each row otherwise takes longer than the insertion itself,
    while the transaction keeps others waiting.
    """
    if not rows:
        return "", []
    compiled = table.insert().compile(dialect=dialect, column_keys=list(rows[0]))
    names = compiled.positiontup or ()
    as_json = {name for name in names if isinstance(table.c[name].type, sa.JSON)}
    values = [tuple(_json(table, name, row[name]) if name in as_json else row[name] for name in names) for row in rows]
    return str(compiled), values


def _json(table: sa.Table, name: str, value: Any) -> str | None:
    kind = table.c[name].type
    return None if value is None and isinstance(kind, sa.JSON) and kind.none_as_null else json.dumps(value)
