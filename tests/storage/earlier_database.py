"""A database of an earlier schema with a row in each of its tables, for tests of the migrations after it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command

from audit_core.storage import upgrade
from audit_core.storage.database import Database, connect, open_database, prepare_place
from tests.storage.full_database import fill

#: What each migration gives rows that were there before it: schema -> table -> values of its new columns.
_GIVEN: dict[str, dict[str, dict[str, Any]]] = {
    "0004": {"judgment": {"answer": None}},
    "0005": {"removal_label": {"probability": None}},
    "0006": {"entry": {"selection": None}},
    "0007": {
        "campaign": {
            "paused_at": None, "hand_out": "all", "is_open": True, "order_seed": None, "gold_share": None,
            "pilot_judgments": None, "pilot_ended_at": None, "copied_from": None,
        },
        "entry": {"is_pilot": False, "gold": None},
        "judgment": {"guideline_version": None},
    },
}  # fmt: skip


def given_since(schema: str, table: str) -> dict[str, Any]:
    """Return what a row of that table gains by the migrations after a schema."""
    gained: dict[str, Any] = {}
    for later, tables in _GIVEN.items():
        gained |= tables.get(table, {}) if later > schema else {}
    return gained


def _migrate(database: Database, revision: str) -> None:
    alembic = upgrade._alembic_config()
    with database.engine.connect() as connection:
        with connection.execution_options(assay_writes=True).begin():
            alembic.attributes["connection"] = connection
            command.upgrade(alembic, revision)


def rows_of(database: Database) -> dict[str, list[dict[str, Any]]]:
    """Return all rows of all tables as the database itself knows these, in the order of their dependence."""
    found = sa.MetaData()
    with database.read() as connection:
        found.reflect(connection)
        return {
            table.name: [
                dict(each._mapping) for each in connection.execute(sa.select(table).order_by(*table.primary_key))
            ]
            for table in found.sorted_tables
            if table.name != "alembic_version"
        }


def earlier_database(url: str, folder: Path, schema: str) -> Database:
    """Return a database of that schema, with the rows that a full one has of it."""
    full = open_database(f"sqlite:///{folder / 'full.db'}")
    fill(full)
    rows = rows_of(full)
    full.close()
    database = connect(url)
    prepare_place(database)
    _migrate(database, schema)
    tables = sa.MetaData()
    with database.write() as connection:
        tables.reflect(connection)
        for table in tables.sorted_tables:
            if table.name == "alembic_version":
                continue
            assert rows[table.name], f"{table.name} needs a row, or the test proves nothing of it"
            connection.execute(
                table.insert(), [{each.name: row[each.name] for each in table.c} for row in rows[table.name]]
            )
    return database
