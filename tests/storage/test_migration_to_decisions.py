"""A populated database of the schema before decisions comes to the newest one with every row; what goes with what."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from audit_core.storage import deletion, upgrade
from audit_core.storage.database import Database
from audit_core.storage.schema import campaign, correction, decision, metadata, reveal
from tests.storage.earlier_database import earlier_database, given_since, rows_of
from tests.storage.full_database import fill, row_counts

NEW = ("decision", "reveal", "correction", "release")


def test_every_row_is_kept_and_nothing_is_decided_corrected_or_released_yet(url: str, tmp_path: Path) -> None:
    database = earlier_database(url, tmp_path, "0008")
    before = rows_of(database)
    assert set(metadata.tables) - set(before) >= set(NEW)
    copy = upgrade.bring_up_to_date(database, copied_by_hand=not database.is_sqlite)
    assert (copy is not None) == database.is_sqlite
    counts = row_counts(database)
    assert {name: counts[name] for name in before} == {name: len(rows) for name, rows in before.items()}
    assert [counts[name] for name in NEW] == [0, 0, 0, 0]
    after = rows_of(database)
    for table, rows in before.items():
        assert [row | given_since("0008", table) for row in rows] == after[table], table
    database.close()


def test_a_campaign_takes_its_decisions_along_and_their_corrections_stay_without_them(database: Database) -> None:
    ids = fill(database)
    with database.write() as connection:
        later = connection.execute(sa.select(campaign.c.id).where(campaign.c.name == "later")).scalar_one()
        counts = deletion.campaign_counts(connection, [ids["campaign"]])
        assert (counts["decisions"], counts["reveals"]) == (1, 1)
        assert deletion.corrections_resting_on(connection, [ids["campaign"]]) == 1
        assert deletion.corrections_resting_on(connection, [later]) == 0
        deletion.delete_campaigns(connection, [later])
        assert connection.execute(sa.select(correction.c.decision_id)).scalars().all() == [1]
        deletion.delete_campaigns(connection, [ids["campaign"]])
        for table in (decision, reveal):
            assert connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one() == 0, table.name
        assert connection.execute(sa.select(correction.c.decision_id, correction.c.after)).all() == [
            (None, "Which page?")
        ]
