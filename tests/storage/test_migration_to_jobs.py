"""A populated database of the schema before jobs comes to the newest one with every row, and its judgments as they were."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command

from audit_core.storage import upgrade
from audit_core.storage.database import Database, connect, open_database, prepare_place
from audit_core.storage.schema import judgment
from tests.storage.full_database import fill, row_counts

BEFORE = "0003"


def _migrate(database: Database, revision: str) -> None:
    alembic = upgrade._alembic_config()
    with database.engine.connect() as connection:
        with connection.execution_options(assay_writes=True).begin():
            alembic.attributes["connection"] = connection
            command.upgrade(alembic, revision)


def _rows(database: Database) -> dict[str, list[dict[str, Any]]]:
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


@pytest.fixture
def earlier(url: str, tmp_path: Path) -> Database:
    """A database of the schema before jobs, with the rows that a full one has of it."""
    full = open_database(f"sqlite:///{tmp_path / 'full.db'}")
    fill(full)
    rows = _rows(full)
    full.close()
    database = connect(url)
    prepare_place(database)
    _migrate(database, BEFORE)
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


def test_every_row_is_kept_and_judgments_gain_an_empty_answer(earlier: Database) -> None:
    before = _rows(earlier)
    assert "job" not in before
    assert "answer" not in before["judgment"][0]
    copy = upgrade.bring_up_to_date(earlier, copied_by_hand=not earlier.is_sqlite)
    assert (copy is not None) == earlier.is_sqlite
    counts = row_counts(earlier)
    assert counts["job"] == counts["comparison"] == 0
    after = _rows(earlier)
    for table, rows in before.items():
        added = {"judgment": {"answer": None}, "removal_label": {"probability": None}}.get(table, {})
        assert [row | added for row in rows] == after[table], table
    earlier.close()


def test_an_answer_of_another_protocol_is_stored_and_none_is_a_null(database: Database) -> None:
    fill(database)
    values = {"remove": True, "clarity": 0.5}
    with database.write() as connection:
        connection.execute(judgment.update().where(judgment.c.revision == 1).values(answer=None))
        connection.execute(judgment.update().where(judgment.c.revision == 2).values(answer=values))
    with database.read() as connection:
        found = connection.execute(sa.text("SELECT revision FROM judgment WHERE answer IS NULL")).scalars().all()
        kept = connection.execute(sa.select(judgment.c.answer).where(judgment.c.revision == 2)).scalar_one()
    assert (found, kept) == ([1], values)
