"""A populated database of the schema before accounts comes to the newest one with every row; what its new columns take."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa

from audit_core.errors import StorageError
from audit_core.storage import campaigns, deletion, upgrade
from audit_core.storage.database import Database
from audit_core.storage.schema import (
    account,
    campaign,
    campaign_annotator,
    claim,
    comment,
    entry,
    guideline,
    metadata,
    oidc_request,
    person,
    session,
)
from tests.storage.earlier_database import earlier_database, given_since, rows_of
from tests.storage.full_database import HASH, TIME, fill, row_counts

NEW = {
    "account", "session", "sign_in_failure", "oidc_request",
    "campaign_annotator", "claim", "guideline", "comment",
}  # fmt: skip


def test_every_row_is_kept_and_campaigns_go_on_as_they_were(url: str, tmp_path: Path) -> None:
    database = earlier_database(url, tmp_path, "0006")
    before = rows_of(database)
    assert set(metadata.tables) - set(before) >= NEW
    copy = upgrade.bring_up_to_date(database, copied_by_hand=not database.is_sqlite)
    assert (copy is not None) == database.is_sqlite
    counts = row_counts(database)
    assert {name: counts[name] for name in before} == {name: len(rows) for name, rows in before.items()}
    assert {counts[name] for name in NEW} == {0}
    after = rows_of(database)
    for table, rows in before.items():
        assert [row | given_since("0006", table) for row in rows] == after[table], table
    with database.read() as connection:
        for row in campaigns.all_rows(connection):
            assert (row.hand_out, row.is_open, row.paused_at, row.copied_from) == ("all", True, None, None)
    for broken in ("hand_out = 'some'", "gold_share = 2", "pilot_judgments = 0", "copied_from = 999"):
        with pytest.raises(StorageError), database.write() as connection:
            connection.execute(sa.text(f"UPDATE campaign SET {broken}"))
    database.close()


def test_one_subject_of_a_provider_is_one_account_and_many_accounts_have_none(database: Database) -> None:
    ids = fill(database)
    with database.write() as connection:
        for name in ("Bob", "Cyd"):
            connection.execute(
                person.insert().values(name=name, name_key=name.lower(), is_imported=False, created_at=TIME)
            )
        for number in (2, 3):
            connection.execute(
                account.insert().values(person_id=number, role="annotator", must_change=False, created_at=TIME)
            )
        connection.execute(account.update().where(account.c.person_id == ids["person"]).values(subject="https://id|7"))
    with pytest.raises(StorageError), database.write() as connection:
        connection.execute(account.update().where(account.c.person_id == 2).values(subject="https://id|7"))


def test_a_sign_in_at_a_provider_that_is_under_way_is_stored_once(database: Database) -> None:
    fill(database)
    with pytest.raises(StorageError), database.write() as connection:
        connection.execute(
            oidc_request.insert().values(
                state_hash=HASH, browser_hash="b" * 64, nonce="n", verifier="v", created_at=TIME
            )
        )


def test_the_right_answer_of_a_gold_entry_is_stored_and_none_is_a_null(database: Database) -> None:
    ids = fill(database)
    right = {"outcome": "judged", "codes": "F", "fields": {}}
    with database.write() as connection:
        connection.execute(entry.update().where(entry.c.id == ids["entry"]).values(gold=right, is_pilot=True))
        connection.execute(entry.update().where(entry.c.id != ids["entry"]).values(gold=None))
    with database.read() as connection:
        first, second = campaigns.entries_of(connection, ids["campaign"])
        nulls = connection.execute(sa.text("SELECT count(*) FROM entry WHERE gold IS NULL")).scalar_one()
    assert (first.gold, first.is_pilot, second.gold, second.is_pilot, nulls) == (right, True, None, False, 1)


def test_a_campaign_takes_along_its_annotators_claims_guidelines_and_comments(database: Database) -> None:
    ids = fill(database)
    with database.write() as connection:
        later = connection.execute(sa.select(campaign.c.id).where(campaign.c.name == "later")).scalar_one()
        deletion.delete_campaigns(connection, [later])
        copy = connection.execute(
            campaign.insert().values(
                dataset_id=ids["dataset"], name="copy", protocol="audit", state="open", judgments_per_entry=1,
                origin="created", is_probability_sample=False, created_at=TIME, copied_from=ids["campaign"],
            )
        ).inserted_primary_key[0]  # fmt: skip
        counts = deletion.campaign_counts(connection, [ids["campaign"]])
        assert (counts["comments"], counts["guidelines"]) == (1, 1)
        deletion.delete_campaigns(connection, [ids["campaign"]])
        for table in (campaign_annotator, claim, guideline, comment, entry):
            assert connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one() == 0, table.name
        assert connection.execute(sa.select(campaign.c.id, campaign.c.copied_from)).all() == [(copy, None)]
        # Who signed in as what has nothing to do with it.
        assert connection.execute(sa.select(sa.func.count()).select_from(session)).scalar_one() == 1
