"""Rows of what was carried over from campaigns on earlier dataset revisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from audit_core.storage import judgments
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


def judgment_rows(
    campaign_id: int, rows: Sequence[JudgmentRow], *, entry_ids: Mapping[int, int]
) -> list[dict[str, Any]]:
    """Return judgments as rows under other entries, ready to be inserted, each as a first revision.

    `entry_ids` are the new entries by the id of the earlier one. Author, time of saving and all that was said stay; the
    nonce tells from which judgment each comes (`missing_links`).
    """
    return [
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
            "answer": row.answer,
        }
        for row in rows
    ]


def missing_links(connection: sa.Connection, campaign_id: int) -> list[dict[str, Any]]:
    """Return the links from judgments that were carried over to those that they come from, where these are not stored."""
    linked = sa.exists().where(carried_judgment.c.judgment_id == judgment.c.id)
    made = (
        sa.select(judgment.c.id, judgment.c.nonce)
        .join(entry, entry.c.id == judgment.c.entry_id)
        .where(entry.c.campaign_id == campaign_id, ~linked)
        .order_by(judgment.c.id)
    )
    return [
        {"judgment_id": row.id, "earlier_judgment_id": int(row.nonce.rpartition("-")[2])}
        for row in connection.execute(made)
    ]


def replace_judgments(
    connection: sa.Connection, campaign_id: int, rows: Sequence[JudgmentRow], *, entry_ids: Mapping[int, int]
) -> None:
    """Carry over judgments that were saved since others were, each in place of an earlier one of its annotator."""
    for row in rows:
        mine = (judgment.c.entry_id == entry_ids[row.entry_id]) & (judgment.c.person_id == row.person_id)
        before = sa.select(judgment.c.id).where(mine)
        connection.execute(carried_judgment.delete().where(carried_judgment.c.judgment_id.in_(before)))
        connection.execute(judgment.delete().where(mine))
    insert_rows(connection, judgment, judgment_rows(campaign_id, rows, entry_ids=entry_ids))
    if rows:
        insert_rows(connection, carried_judgment, missing_links(connection, campaign_id))


def count_judgments(connection: sa.Connection, campaign_id: int) -> int:
    """Return how many judgments of a campaign were carried over to it."""
    return sum(_carried_by_entry(connection, campaign_id).values())


def newest_by_entry(connection: sa.Connection, campaign_id: int) -> dict[int, int]:
    """Return how many judgments were carried over to each entry and not changed since; none for entries without."""
    return _carried_by_entry(connection, campaign_id, newest_only=True)


def _carried_by_entry(connection: sa.Connection, campaign_id: int, *, newest_only: bool = False) -> dict[int, int]:
    query = (
        sa.select(judgment.c.entry_id, sa.func.count())
        .select_from(carried_judgment)
        .join(judgment, judgment.c.id == carried_judgment.c.judgment_id)
        .join(entry, entry.c.id == judgment.c.entry_id)
        .where(judgments.on_entries_of(campaign_id))
        .group_by(judgment.c.entry_id)
    )
    if newest_only:
        query = judgments.without_replaced(query)
    return {row[0]: int(row[1]) for row in connection.execute(query)}
