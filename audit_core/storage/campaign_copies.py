"""What a copy of a campaign takes over beside its entries: the people that it is handed to, and its guidelines."""

from __future__ import annotations

import sqlalchemy as sa

from audit_core.storage import annotators
from audit_core.storage.clock import now
from audit_core.storage.schema import entry, guideline


def copy_annotators(connection: sa.Connection, *, earlier_id: int, campaign_id: int) -> None:
    """Hand a campaign to those that an earlier one is handed to now."""
    rows = annotators.of_campaign(connection, earlier_id)
    annotators.add(connection, campaign_id, [each.person_id for each in rows if each.removed_at is None])


def copy_guidelines(connection: sa.Connection, *, earlier_id: int, campaign_id: int, person_id: int | None) -> None:
    """Give a campaign the newest guidelines of an earlier one, as its first version; nothing where that has none."""
    newest = sa.select(guideline).where(guideline.c.campaign_id == earlier_id).order_by(guideline.c.version.desc())
    row = connection.execute(newest.limit(1)).one_or_none()
    if row is None:
        return
    values = {"campaign_id": campaign_id, "version": 1, "text": row.text, "created_at": now(), "person_id": person_id}
    connection.execute(guideline.insert().values(values))


def gold_of(connection: sa.Connection, campaign_id: int) -> dict[str, dict[str, object]]:
    """Return the right answers of a campaign's gold entries by query id."""
    query = (
        sa.select(entry.c.query_id, entry.c.gold)
        .where(entry.c.campaign_id == campaign_id, entry.c.gold.is_not(None))
        .order_by(entry.c.number)
    )
    return {row[0]: row[1] for row in connection.execute(query)}
