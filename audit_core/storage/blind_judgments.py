"""Judgments that were given before their annotator saw what others said of the entry, and counts of the later ones."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from audit_core.storage.judgments import JudgmentRow, on_entries_of
from audit_core.storage.schema import entry, judgment, reveal

#: Ids that are looked up in one statement; databases take only so many values.
_AT_ONCE = 5_000


@dataclass(frozen=True, slots=True)
class JudgedEntry:
    """What agreement needs to know of an entry."""

    id: int
    number: int
    query_id: str
    source: str
    evidence_structure: str
    document_ids: list[str]
    selection: str | None
    is_pilot: bool


def judged_entries(connection: sa.Connection, campaign_id: int) -> list[JudgedEntry]:
    """Return the entries with a judgment in order, pilot entries too; gold ones are left out."""
    names = ("id", "number", "query_id", "source", "evidence_structure", "document_ids", "selection", "is_pilot")
    judged = sa.select(judgment.c.entry_id).distinct().subquery()
    query = (
        sa.select(*(entry.c[name] for name in names))
        .join(judged, judged.c.entry_id == entry.c.id)
        .where(on_entries_of(campaign_id), entry.c.gold.is_(None))
        .order_by(entry.c.number)
    )
    return [JudgedEntry(**row._mapping) for row in connection.execute(query)]


def judged_by(connection: sa.Connection, campaign_id: int) -> list[tuple[int, str, int]]:
    """Return (entry id, query id, person id) of all who answered entries of a campaign."""
    query = sa.select(entry.c.id, entry.c.query_id, judgment.c.person_id).join(entry, entry.c.id == judgment.c.entry_id)
    return [tuple(row) for row in connection.execute(query.where(on_entries_of(campaign_id)).distinct())]


def gold_judged(connection: sa.Connection, campaign_id: int) -> int:
    """Return how many gold entries have a judgment."""
    query = (
        sa.select(sa.func.count(sa.distinct(judgment.c.entry_id)))
        .join(entry, entry.c.id == judgment.c.entry_id)
        .where(on_entries_of(campaign_id), entry.c.gold.is_not(None))
    )
    return int(connection.execute(query).scalar_one())


def newest_blind(connection: sa.Connection, campaign_id: int) -> list[JudgmentRow]:
    """Return the last answer of each annotator on each entry that is not gold from before they saw others' answers there."""
    later = judgment.alias("later")
    replaced = sa.exists().where(
        later.c.entry_id == judgment.c.entry_id,
        later.c.person_id == judgment.c.person_id,
        later.c.revision > judgment.c.revision,
        _is_before(later),
    )
    query = _with_reveals(sa.select(judgment), campaign_id).where(_is_before(judgment), ~replaced)
    return [JudgmentRow(**row._mapping) for row in connection.execute(query.order_by(judgment.c.id))]


def revealed_pairs(connection: sa.Connection, campaign_id: int) -> list[tuple[int, int, int]]:
    """Return (entry id, person id, revisions) of those who answered after they had seen others' answers."""
    query = _with_reveals(sa.select(judgment.c.entry_id, judgment.c.person_id, sa.func.count()), campaign_id)
    query = query.where(~_is_before(judgment)).group_by(judgment.c.entry_id, judgment.c.person_id)
    return [(row[0], row[1], int(row[2])) for row in connection.execute(query)]


def by_ids(connection: sa.Connection, ids: Collection[int]) -> dict[int, JudgmentRow]:
    """Return judgments by their ids."""
    wanted, found = sorted(ids), {}
    for start in range(0, len(wanted), _AT_ONCE):
        query = sa.select(judgment).where(judgment.c.id.in_(wanted[start : start + _AT_ONCE]))
        found.update({row.id: JudgmentRow(**row._mapping) for row in connection.execute(query)})
    return found


def state_of(connection: sa.Connection, campaign_id: int) -> tuple[int, int, str, str]:
    """Return what changes whenever agreement may: newest judgment and decision, number and time of what was revealed."""
    from audit_core.storage.schema import decision

    def newest(table: sa.Table, what: sa.ColumnElement[Any]) -> Any:
        joined = sa.select(what).select_from(table).join(entry, entry.c.id == table.c.entry_id)
        query = joined.where(on_entries_of(campaign_id))
        return connection.execute(query).scalar()

    return (
        int(newest(judgment, sa.func.max(judgment.c.id)) or 0),
        int(newest(decision, sa.func.max(decision.c.id)) or 0),
        str(newest(reveal, sa.func.count()) or 0),
        str(newest(reveal, sa.func.max(reveal.c.revealed_at)) or ""),
    )


def _with_reveals(query: sa.Select[Any], campaign_id: int) -> sa.Select[Any]:
    own = (reveal.c.entry_id == judgment.c.entry_id) & (reveal.c.person_id == judgment.c.person_id)
    return (
        query.join(entry, entry.c.id == judgment.c.entry_id)
        .outerjoin(reveal, own)
        .where(on_entries_of(campaign_id), entry.c.gold.is_(None))
    )


def _is_before(table: sa.FromClause) -> sa.ColumnElement[bool]:
    return reveal.c.revealed_at.is_(None) | (table.c.saved_at < reveal.c.revealed_at)
