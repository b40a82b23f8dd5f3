"""The migration that begins to keep how many entries each stratum of a campaign has."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import command

from audit_core.storage import campaigns, samples, upgrade
from audit_core.storage.database import Database, connect, prepare_place
from audit_core.storage.samples import EntryStratum

#: Two campaigns as the schema before had them; the second has two entries on one query, and there is a third without any.
ROWS = (
    "INSERT INTO dataset (id, name, revision, content_hash, origin, is_lenient, imported_at) "
    "VALUES (1, 'set', '1', 'hash', '', {false}, 'now')",
    *(
        "INSERT INTO campaign (id, dataset_id, name, protocol, state, judgments_per_entry, origin, is_probability_sample, "
        f"created_at) VALUES ({number}, 1, 'c{number}', 'audit', 'open', 1, 'created', {{false}}, 'now')"
        for number in (1, 2, 3)
    ),
    *(
        "INSERT INTO entry (campaign_id, number, query_id, source, evidence_structure, document_ids) "
        f"VALUES ({campaign}, {number}, '{query}', '{source}', '{structure}', '[]')"
        for campaign, number, query, source, structure in (
            (1, 1, "q1", "wiki", "Doc-Far"), (1, 2, "q2", "law", "Doc-Far"), (1, 3, "q3", "wiki", "Doc-Far"),
            (2, 1, "q1", "wiki", "Doc-Far"), (2, 2, "q1", "wiki", "Doc-Far"), (2, 9, "q4", "law", "Cross-Doc"),
        )
    ),
)  # fmt: skip


def at_revision(url: str, revision: str) -> Database:
    """Return a database whose schema is that of an earlier migration."""
    database = connect(url)
    prepare_place(database)
    with database.engine.connect() as connection:
        connection = connection.execution_options(assay_writes=True)
        with connection.begin():
            alembic = upgrade._alembic_config()
            alembic.attributes["connection"] = connection
            command.upgrade(alembic, revision)
    return database


def test_entries_that_were_there_before_are_counted_once_by_the_migration(url: str) -> None:
    database = at_revision(url, "0002")
    with database.write() as connection:
        for statement in ROWS:
            connection.execute(sa.text(statement.format(false="0" if database.is_sqlite else "false")))
    upgrade.bring_up_to_date(database, copied_by_hand=True)
    with database.read() as connection:
        assert samples.entry_strata(connection, 1) == [
            EntryStratum("law", "Doc-Far", 1, 1),
            EntryStratum("wiki", "Doc-Far", 2, 2),
        ]
        assert samples.entry_strata(connection, 2) == [
            EntryStratum("law", "Cross-Doc", 1, 1),
            EntryStratum("wiki", "Doc-Far", 2, 1),
        ]
        assert samples.entry_counts(connection) == {1: 3, 2: 3}
        assert [campaigns.count_entries(connection, number) for number in (1, 2, 3)] == [3, 3, 0]
        assert [each.id for each in campaigns.all_rows(connection)] == [3, 2, 1], "none is taken to be in the making"
    database.close()
