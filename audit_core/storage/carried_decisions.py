"""Decisions that come along where a campaign is carried over, with who saw others' answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import sqlalchemy as sa

from audit_core.storage import decisions
from audit_core.storage.decision_tables import decision, reveal
from audit_core.storage.inserting import insert_rows
from audit_core.storage.judgments import on_entries_of
from audit_core.storage.schema import carried_judgment, entry, judgment


def copy_decisions(
    connection: sa.Connection, *, earlier_id: int, campaign_id: int, entry_ids: Mapping[int, int]
) -> int:
    """Put the decisions that count in an earlier campaign under the entries of a later one; return how many.

    `entry_ids` are the new entries by the id of the earlier one; the judgments must be there already. Who decided, when and
    all that was said stay; each is a first revision. Of the judgments that one rests on those are named that came along.
    """
    moved = _carried(connection, campaign_id)
    counting = decisions.newest_of_campaign(connection, earlier_id)
    rows: list[dict[str, Any]] = []
    for row in counting.values():
        if row.entry_id not in entry_ids:
            continue
        values = asdict(row) | {
            "entry_id": entry_ids[row.entry_id],
            "revision": 1,
            "nonce": f"carried-{campaign_id}-{row.id}",
            "judgment_ids": [moved[each] for each in row.judgment_ids if each in moved],
            "taken_from": [moved[each] for each in row.taken_from if each in moved],
        }
        del values["id"]
        rows.append(values)
    insert_rows(connection, decision, rows)
    seen = decisions.reveals_of_campaign(connection, earlier_id)
    insert_rows(
        connection,
        reveal,
        [
            {"entry_id": entry_ids[entry_id], "person_id": person_id, "revealed_at": at}
            for (entry_id, person_id), at in seen.items()
            if entry_id in entry_ids
        ],
    )
    return len(rows)


def _carried(connection: sa.Connection, campaign_id: int) -> dict[int, int]:
    """Return the judgments of a campaign that were carried over to it, by the one that each comes from."""
    query = (
        sa.select(carried_judgment.c.earlier_judgment_id, carried_judgment.c.judgment_id)
        .join(judgment, judgment.c.id == carried_judgment.c.judgment_id)
        .join(entry, entry.c.id == judgment.c.entry_id)
        .where(on_entries_of(campaign_id))
    )
    return {row[0]: row[1] for row in connection.execute(query)}
