"""Rows of what was carried over from campaigns on earlier dataset revisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sqlalchemy as sa

from audit_core.storage.inserting import insert_rows
from audit_core.storage.judgments import JudgmentRow
from audit_core.storage.schema import carried_campaign, carried_judgment, entry, judgment

_NONCE = "carried"


def add_campaign(connection: sa.Connection, *, campaign_id: int, earlier_id: int) -> None:
    """Store from which campaign the judgments of another one come."""
    connection.execute(carried_campaign.insert().values(campaign_id=campaign_id, earlier_campaign_id=earlier_id))


def earlier_campaign(connection: sa.Connection, campaign_id: int) -> int | None:
    """Return the campaign from which this one was carried over, None where it was not."""
    query = sa.select(carried_campaign.c.earlier_campaign_id).where(carried_campaign.c.campaign_id == campaign_id)
    return connection.execute(query).scalar_one_or_none()


def earlier_campaigns(connection: sa.Connection) -> dict[int, int]:
    """Return, for each campaign that was carried over, the one that it comes from."""
    return {row.campaign_id: row.earlier_campaign_id for row in connection.execute(sa.select(carried_campaign))}


def add_judgments(
    connection: sa.Connection, campaign_id: int, rows: Sequence[JudgmentRow], *, entry_ids: Mapping[int, int]
) -> None:
    """Store judgments again under other entries, each as a first revision linked to the one it comes from.

    `entry_ids` are the new entries by the id of the earlier one. Author, time of saving and all that was said stay.
    """
    copies = [
        {
            "entry_id": entry_ids[row.entry_id],
            "person_id": row.person_id,
            "revision": 1,
            "nonce": f"{_NONCE}-{campaign_id}-{row.id}",
            "outcome": row.outcome,
            "codes": row.codes,
            "targets": row.targets,
            "note": row.note,
            "reason": row.reason,
            "active_seconds": row.active_seconds,
            "is_imported": row.is_imported,
            "saved_at": row.saved_at,
            "correction": row.correction,
        }
        for row in rows
    ]
    insert_rows(connection, judgment, copies)
    made = (
        sa.select(judgment.c.id, judgment.c.nonce)
        .join(entry, entry.c.id == judgment.c.entry_id)
        .where(entry.c.campaign_id == campaign_id)
        .order_by(judgment.c.id)
    )
    links = [
        {"judgment_id": row.id, "earlier_judgment_id": int(row.nonce.rpartition("-")[2])}
        for row in connection.execute(made)
    ]
    insert_rows(connection, carried_judgment, links)


def count_judgments(connection: sa.Connection, campaign_id: int) -> int:
    """Return how many judgments of a campaign were carried over to it."""
    query = (
        sa.select(sa.func.count())
        .select_from(carried_judgment)
        .join(judgment, judgment.c.id == carried_judgment.c.judgment_id)
        .join(entry, entry.c.id == judgment.c.entry_id)
        .where(entry.c.campaign_id == campaign_id)
    )
    return int(connection.execute(query).scalar_one())
