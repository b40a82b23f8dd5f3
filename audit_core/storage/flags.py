"""Rows of flags: questions that annotators put to the lead of a campaign, with the lead's answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from audit_core.domain import JsonObject
from audit_core.storage.clock import now
from audit_core.storage.inserting import insert_row
from audit_core.storage.schema import entry, flag, person


@dataclass(frozen=True, slots=True)
class FlagRow:
    """A question with an entry. `answer`, `answered_by_id` and `answered_at` are None until it is answered."""

    id: int
    entry_id: int
    person_id: int
    question: str
    raised_at: str
    answer: str | None
    answered_by_id: int | None
    answered_at: str | None

    def as_json(self) -> JsonObject:
        """Return what the person who asked may see of it."""
        return {
            "id": self.id,
            "question": self.question,
            "raised_at": self.raised_at,
            "answer": self.answer,
            "answered_at": self.answered_at,
        }


@dataclass(frozen=True, slots=True)
class FlagView:
    """A question as the lead sees it: with its entry and the names of those who asked and answered."""

    flag: FlagRow
    entry_number: int
    query_id: str
    asked_by: str
    answered_by: str | None


def add(connection: sa.Connection, *, entry_id: int, person_id: int, question: str) -> FlagRow:
    """Store a question and return it."""
    raised_at = now()
    values = {"entry_id": entry_id, "person_id": person_id, "question": question, "raised_at": raised_at}
    return FlagRow(insert_row(connection, flag, values), entry_id, person_id, question, raised_at, None, None, None)


def by_id(connection: sa.Connection, flag_id: int) -> FlagRow | None:
    """Return the question with that id, None where there is none."""
    row = connection.execute(sa.select(flag).where(flag.c.id == flag_id)).one_or_none()
    return FlagRow(**row._mapping) if row else None


def of_person(connection: sa.Connection, *, person_id: int, entry_ids: Sequence[int]) -> dict[int, list[FlagRow]]:
    """Return the person's questions with those entries, by entry id, in the order in which they were asked."""
    query = sa.select(flag).where(flag.c.person_id == person_id, flag.c.entry_id.in_(list(entry_ids)))
    found: dict[int, list[FlagRow]] = {}
    for row in connection.execute(query.order_by(flag.c.id)):
        found.setdefault(row.entry_id, []).append(FlagRow(**row._mapping))
    return found


def of_campaign(connection: sa.Connection, campaign_id: int, *, open_only: bool = False) -> list[FlagView]:
    """Return the questions of a campaign, those without an answer first, then the newest first."""
    asker, answerer = person.alias("asker"), person.alias("answerer")
    query = (
        sa.select(flag, entry.c.number, entry.c.query_id, asker.c.name, answerer.c.name)
        .join(entry, entry.c.id == flag.c.entry_id)
        .join(asker, asker.c.id == flag.c.person_id)
        .outerjoin(answerer, answerer.c.id == flag.c.answered_by_id)
        .where(entry.c.campaign_id == campaign_id)
        .order_by(flag.c.answered_at.is_not(None), flag.c.id.desc())
    )
    if open_only:
        query = query.where(flag.c.answered_at.is_(None))
    return [FlagView(FlagRow(*row[:8]), *row[8:]) for row in connection.execute(query)]


def set_answer(connection: sa.Connection, flag_id: int, *, person_id: int, answer: str) -> None:
    """Store the answer to a question, replacing an earlier one."""
    values = {"answer": answer, "answered_by_id": person_id, "answered_at": now()}
    connection.execute(flag.update().where(flag.c.id == flag_id).values(values))
