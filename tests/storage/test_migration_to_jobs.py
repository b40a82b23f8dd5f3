"""A populated database of the schema before jobs comes to the newest one with every row, and its judgments as they were."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa

from audit_core.storage import upgrade
from audit_core.storage.database import Database
from audit_core.storage.schema import judgment
from tests.storage.earlier_database import earlier_database, given_since, rows_of
from tests.storage.full_database import fill, row_counts


@pytest.fixture
def earlier(url: str, tmp_path: Path) -> Database:
    return earlier_database(url, tmp_path, "0003")


def test_every_row_is_kept_and_judgments_gain_an_empty_answer(earlier: Database) -> None:
    before = rows_of(earlier)
    assert "job" not in before
    assert "answer" not in before["judgment"][0]
    copy = upgrade.bring_up_to_date(earlier, copied_by_hand=not earlier.is_sqlite)
    assert (copy is not None) == earlier.is_sqlite
    counts = row_counts(earlier)
    assert counts["job"] == counts["comparison"] == 0
    after = rows_of(earlier)
    for table, rows in before.items():
        assert [row | given_since("0003", table) for row in rows] == after[table], table
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
