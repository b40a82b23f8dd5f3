"""The entries of a campaign with one person's states on them: counts, and a page of entries at a time.

A state is `draft` where the person left one, else the outcome of their newest judgment, else `open`. Nothing here goes
through all entries but the search for open ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from audit_core.domain import JsonObject, Outcome
from audit_core.storage import campaigns, flags, judgments
from audit_core.storage.schema import draft, entry, flag, judgment

OPEN, DRAFT, FLAGGED = "open", "draft", "flagged"
#: What a list of entries can be narrowed to: the states, and entries with a question of the person.
FILTERS = (*(each.value for each in Outcome), DRAFT, OPEN, FLAGGED)


@dataclass(frozen=True, slots=True)
class EntryState:
    """An entry in a list, as one person may see it; `flag` is `open`, `answered` or None.

    `codes` is what an audit's judgment says, `fields` what one under another protocol does.
    """

    number: int
    state: str
    codes: str
    fields: JsonObject
    flag: str | None
    source: str
    evidence_structure: str


def counts(connection: sa.Connection, *, campaign_id: int, person_id: int) -> dict[str, int]:
    """Return how many entries there are, under `all`, and how many each filter leaves."""
    total = campaigns.count_entries(connection, campaign_id)
    found = {each: _count(connection, campaign_id, _chosen(each, person_id)) for each in FILTERS if each != OPEN}
    stated = sum(number for name, number in found.items() if name != FLAGGED)
    return {"all": total, **found, OPEN: total - stated}


def _count(connection: sa.Connection, campaign_id: int, ids: sa.Select[Any]) -> int:
    query = sa.select(sa.func.count()).where(entry.c.id.in_(ids), judgments.on_entries_of(campaign_id))
    return int(connection.execute(query).scalar_one())


def _chosen(name: str, person_id: int) -> sa.Select[Any]:
    """Return the entries, of whatever campaign, that the person gave a state other than open, or a question."""
    if name == FLAGGED:
        return sa.select(flag.c.entry_id).where(flag.c.person_id == person_id)
    if name == DRAFT:
        return sa.select(draft.c.entry_id).where(draft.c.person_id == person_id)
    drafted = sa.exists().where(draft.c.entry_id == judgment.c.entry_id, draft.c.person_id == person_id)
    said = sa.select(judgment.c.entry_id).where(judgment.c.person_id == person_id, judgment.c.outcome == name, ~drafted)
    return judgments.without_replaced(said)


def _filtered(name: str | None, *, campaign_id: int, person_id: int) -> sa.Select[Any]:
    columns = (entry.c.id, entry.c.number, entry.c.source, entry.c.evidence_structure)
    own = sa.select(*columns).where(entry.c.campaign_id == campaign_id)
    if name is None:
        return own
    if name == OPEN:
        return own.where(
            ~sa.exists().where(judgment.c.entry_id == entry.c.id, judgment.c.person_id == person_id),
            ~sa.exists().where(draft.c.entry_id == entry.c.id, draft.c.person_id == person_id),
        )
    return sa.select(*columns).where(entry.c.id.in_(_chosen(name, person_id)), judgments.on_entries_of(campaign_id))


def entries_from(
    connection: sa.Connection, *, campaign_id: int, person_id: int, name: str | None, first: int, count: int
) -> list[EntryState]:
    """Return up to `count` entries numbered `first` or more, in order; `name` is a filter, None for all entries."""
    query = _filtered(name, campaign_id=campaign_id, person_id=person_id).where(entry.c.number >= first)
    return _stated(connection, person_id, connection.execute(query.order_by(entry.c.number).limit(count)).all())


def entries_before(
    connection: sa.Connection, *, campaign_id: int, person_id: int, name: str | None, before: int, count: int
) -> list[EntryState]:
    """Return the last `count` entries, or fewer, numbered below `before`, in order."""
    query = _filtered(name, campaign_id=campaign_id, person_id=person_id).where(entry.c.number < before)
    rows = connection.execute(query.order_by(entry.c.number.desc()).limit(count)).all()
    return _stated(connection, person_id, rows[::-1])


def numbered(
    connection: sa.Connection, *, campaign_id: int, person_id: int, numbers: Sequence[int]
) -> list[EntryState]:
    """Return the entries of those numbers, in order; numbers that there are not are passed over."""
    query = _filtered(None, campaign_id=campaign_id, person_id=person_id).where(entry.c.number.in_(list(numbers)))
    return _stated(connection, person_id, connection.execute(query.order_by(entry.c.number)).all())


def _stated(connection: sa.Connection, person_id: int, rows: Sequence[sa.Row[Any]]) -> list[EntryState]:
    ids = [row.id for row in rows]
    mine = sa.select(judgment.c.entry_id, judgment.c.outcome, judgment.c.codes, judgment.c.answer).where(
        judgment.c.person_id == person_id, judgment.c.entry_id.in_(ids)
    )
    saved = {row.entry_id: row for row in connection.execute(judgments.without_replaced(mine))}
    left = sa.select(draft.c.entry_id).where(draft.c.person_id == person_id, draft.c.entry_id.in_(ids))
    drafts = set(connection.execute(left).scalars())
    asked = flags.of_person(connection, person_id=person_id, entry_ids=ids)
    found = []
    for row in rows:
        judged = saved.get(row.id)
        questions = asked.get(row.id)
        waits = questions and any(each.answered_at is None for each in questions)
        found.append(
            EntryState(
                number=row.number,
                state=DRAFT if row.id in drafts else judged.outcome if judged else OPEN,
                codes=judged.codes if judged else "",
                fields=(judged.answer or {}) if judged else {},
                flag=None if not questions else "open" if waits else "answered",
                source=row.source,
                evidence_structure=row.evidence_structure,
            )
        )
    return found
