"""Rows of precedents: decisions and answered questions that a lead made a rule for all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from audit_core.domain import JsonObject
from audit_core.storage.clock import now
from audit_core.storage.decided_cases import Words, contains_words
from audit_core.storage.inserting import insert_row
from audit_core.storage.schema import campaign, dataset, entry, flag, judgment, person, precedent


@dataclass(frozen=True, slots=True)
class PrecedentRow:
    """A rule with what it rests on: a decision (`outcome` to `reason`), or a `question` with its `reply`; None for the other."""

    id: int
    entry_id: int
    judgment_id: int | None
    flag_id: int | None
    text: str
    words: str
    created_at: str
    marked_by: str
    number: int
    query_id: str
    source: str
    evidence_structure: str
    campaign_id: int
    campaign_name: str
    protocol: str
    dataset_id: int
    dataset_name: str
    outcome: str | None
    codes: str | None
    answer: JsonObject | None
    note: str | None
    reason: str | None
    judge_id: int | None
    question: str | None
    reply: str | None


def _rows() -> sa.Select[Any]:
    return (
        sa.select(
            precedent.c.id, precedent.c.entry_id, precedent.c.judgment_id, precedent.c.flag_id, precedent.c.text,
            precedent.c.words, precedent.c.created_at, person.c.name.label("marked_by"), entry.c.number,
            entry.c.query_id, entry.c.source, entry.c.evidence_structure, campaign.c.id.label("campaign_id"),
            campaign.c.name.label("campaign_name"), campaign.c.protocol, dataset.c.id.label("dataset_id"),
            dataset.c.name.label("dataset_name"), judgment.c.outcome, judgment.c.codes, judgment.c.answer,
            judgment.c.note, judgment.c.reason, judgment.c.person_id.label("judge_id"), flag.c.question, flag.c.answer.label("reply"),
        )
        .join(person, person.c.id == precedent.c.person_id)
        .join(entry, entry.c.id == precedent.c.entry_id)
        .join(campaign, campaign.c.id == entry.c.campaign_id)
        .join(dataset, dataset.c.id == campaign.c.dataset_id)
        .outerjoin(judgment, judgment.c.id == precedent.c.judgment_id)
        .outerjoin(flag, flag.c.id == precedent.c.flag_id)
    )  # fmt: skip


def put(
    connection: sa.Connection,
    *,
    entry_id: int,
    text: str,
    words: str,
    person_id: int,
    judgment_id: int | None = None,
    flag_id: int | None = None,
) -> int:
    """Store the rule of a decision or of an answered question, replacing an earlier one, and return its id."""
    same = precedent.c.judgment_id == judgment_id if judgment_id is not None else precedent.c.flag_id == flag_id
    connection.execute(precedent.delete().where(same))
    values = {
        "entry_id": entry_id, "judgment_id": judgment_id, "flag_id": flag_id, "text": text, "words": words,
        "person_id": person_id, "created_at": now(),
    }  # fmt: skip
    return insert_row(connection, precedent, values)


def by_id(connection: sa.Connection, precedent_id: int) -> PrecedentRow | None:
    """Return the precedent with that id, None where there is none."""
    row = connection.execute(_rows().where(precedent.c.id == precedent_id)).one_or_none()
    return PrecedentRow(**row._mapping) if row else None


def by_flag(connection: sa.Connection, flag_id: int) -> PrecedentRow | None:
    """Return the precedent that rests on a question, None where there is none."""
    row = connection.execute(_rows().where(precedent.c.flag_id == flag_id)).one_or_none()
    return PrecedentRow(**row._mapping) if row else None


def set_words(connection: sa.Connection, precedent_id: int, words: str) -> None:
    """Store what a precedent is found by."""
    connection.execute(precedent.update().where(precedent.c.id == precedent_id).values(words=words))


def delete(connection: sa.Connection, precedent_id: int) -> None:
    """Take a rule back; the decision or the question stays."""
    connection.execute(precedent.delete().where(precedent.c.id == precedent_id))


def of_campaign(connection: sa.Connection, campaign_id: int) -> list[PrecedentRow]:
    """Return the precedents of a campaign, the newest first."""
    query = _rows().where(campaign.c.id == campaign_id).order_by(precedent.c.id.desc())
    return [PrecedentRow(**row._mapping) for row in connection.execute(query)]


def matches(
    connection: sa.Connection, *, campaign_ids: Sequence[int], words: Words, before: int | None, count: int
) -> list[PrecedentRow]:
    """Return up to `count` precedents of these campaigns that have all words, the newest first; `before` is an id."""
    query = (
        _rows()
        .where(campaign.c.id.in_(campaign_ids), *contains_words(precedent.c.words, words))
        .order_by(precedent.c.id.desc())
        .limit(count)
    )
    if before is not None:
        query = query.where(precedent.c.id < before)
    return [PrecedentRow(**row._mapping) for row in connection.execute(query)]
