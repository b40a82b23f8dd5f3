"""A populated database of the schema before precedents comes to the newest one with every row; what goes with what."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from audit_core.storage import deletion, upgrade
from audit_core.storage.database import Database
from audit_core.storage.schema import campaign, judgment_words, metadata, precedent
from tests.storage.earlier_database import earlier_database, given_since, rows_of
from tests.storage.full_database import fill, row_counts


def test_every_row_is_kept_and_nothing_is_a_precedent_yet(url: str, tmp_path: Path) -> None:
    database = earlier_database(url, tmp_path, "0007")
    before = rows_of(database)
    assert set(metadata.tables) - set(before) >= {"precedent", "judgment_words"}
    copy = upgrade.bring_up_to_date(database, copied_by_hand=not database.is_sqlite)
    assert (copy is not None) == database.is_sqlite
    counts = row_counts(database)
    assert {name: counts[name] for name in before} == {name: len(rows) for name, rows in before.items()}
    assert (counts["precedent"], counts["judgment_words"]) == (0, 0)
    after = rows_of(database)
    for table, rows in before.items():
        assert [row | given_since("0007", table) for row in rows] == after[table], table
    database.close()


def test_a_campaign_takes_its_precedents_along_and_a_judgment_its_words(database: Database) -> None:
    ids = fill(database)
    with database.write() as connection:
        later = connection.execute(sa.select(campaign.c.id).where(campaign.c.name == "later")).scalar_one()
        deletion.delete_campaigns(connection, [later])
        assert deletion.campaign_counts(connection, [ids["campaign"]])["precedents"] == 1
        deletion.delete_campaigns(connection, [ids["campaign"]])
        for table in (precedent, judgment_words):
            assert connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one() == 0, table.name
