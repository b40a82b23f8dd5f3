"""Decided cases of a person, found by words: their newest judgments, and the words that these are found by."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from audit_core.domain import JsonObject
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.inserting import insert_rows
from audit_core.storage.judgments import without_replaced
from audit_core.storage.schema import campaign, dataset, entry, flag, judgment, judgment_words

#: Words of a search, each with the texts of which one must stand in a case's words.
Words = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class CaseRow:
    """A judgment with its entry, campaign and dataset."""

    judgment_id: int
    entry_id: int
    outcome: str
    codes: str
    answer: JsonObject | None
    note: str
    reason: str
    saved_at: str
    number: int
    query_id: str
    source: str
    evidence_structure: str
    campaign_id: int
    campaign_name: str
    protocol: str
    dataset_id: int
    dataset_name: str


def case_columns() -> tuple[sa.Column[Any], ...]:
    """Return the columns of a `CaseRow`, in its order."""
    return (
        judgment.c.id, judgment.c.entry_id, judgment.c.outcome, judgment.c.codes, judgment.c.answer, judgment.c.note,
        judgment.c.reason, judgment.c.saved_at, entry.c.number, entry.c.query_id, entry.c.source,
        entry.c.evidence_structure, campaign.c.id, campaign.c.name, campaign.c.protocol, dataset.c.id, dataset.c.name,
    )  # fmt: skip


def related_campaigns(connection: sa.Connection, row: CampaignRow, *, dataset_name: str) -> list[int]:
    """Return the campaigns whose cases may help in this one: on any revision of its dataset, or of its protocol."""
    query = (
        sa.select(campaign.c.id)
        .join(dataset, dataset.c.id == campaign.c.dataset_id)
        .where(
            campaign.c.making_since.is_(None),
            (dataset.c.name == dataset_name) | (campaign.c.protocol == row.protocol),
        )
    )
    return list(connection.execute(query).scalars())


def _own(*columns: Any, person_id: int) -> sa.Select[Any]:
    query = (
        sa.select(*columns)
        .select_from(judgment)
        .join(entry, entry.c.id == judgment.c.entry_id)
        .where(judgment.c.person_id == person_id)
    )
    return without_replaced(query)


def without_words(
    connection: sa.Connection, *, person_id: int, campaign_ids: Sequence[int], count: int
) -> list[CaseRow]:
    """Return up to `count` of the person's newest judgments in these campaigns whose words are not stored yet."""
    stored = sa.exists().where(judgment_words.c.judgment_id == judgment.c.id)
    query = (
        _own(*case_columns(), person_id=person_id)
        .join(campaign, campaign.c.id == entry.c.campaign_id)
        .join(dataset, dataset.c.id == campaign.c.dataset_id)
        .where(entry.c.campaign_id.in_(campaign_ids), ~stored)
        .order_by(judgment.c.saved_at.desc())
        .limit(count)
    )
    return [CaseRow(*row) for row in connection.execute(query)]


def store_words(connection: sa.Connection, words: Mapping[int, str]) -> None:
    """Store the words of judgments, by id; those that somebody else stored meanwhile, or that are gone, are passed over."""
    ids = list(words)
    there = set(connection.execute(sa.select(judgment.c.id).where(judgment.c.id.in_(ids))).scalars())
    stored = sa.select(judgment_words.c.judgment_id).where(judgment_words.c.judgment_id.in_(ids))
    there -= set(connection.execute(stored).scalars())
    rows = [{"judgment_id": each, "words": words[each]} for each in ids if each in there]
    insert_rows(connection, judgment_words, rows)


def forget_words(connection: sa.Connection, *, entry_id: int, person_id: int) -> None:
    """Let the words of a person's judgments on an entry be made anew: something that belongs to them has changed."""
    own = sa.select(judgment.c.id).where(judgment.c.entry_id == entry_id, judgment.c.person_id == person_id)
    connection.execute(judgment_words.delete().where(judgment_words.c.judgment_id.in_(own)))


def contains_words(column: sa.Column[str], words: Words) -> list[sa.ColumnElement[bool]]:
    """Return the conditions that a folded text has all of the words."""
    return [sa.or_(*(column.contains(text, autoescape=True) for text in texts)) for texts in words]


def own_matches(
    connection: sa.Connection,
    *,
    person_id: int,
    campaign_ids: Sequence[int],
    words: Words,
    before: CaseRow | None,
    count: int,
) -> list[tuple[CaseRow, str]]:
    """Return up to `count` judgments of the person that have all words, with their words, the newest first.

    `before` goes on after the last one of an earlier call.
    """
    matched = (
        _own(judgment.c.id, judgment_words.c.words, person_id=person_id)
        .join(judgment_words, judgment_words.c.judgment_id == judgment.c.id)
        .where(entry.c.campaign_id.in_(campaign_ids), *contains_words(judgment_words.c.words, words))
        .order_by(judgment.c.saved_at.desc(), judgment.c.id.desc())
        .limit(count)
    )
    if before is not None:
        matched = matched.where(
            (judgment.c.saved_at < before.saved_at)
            | ((judgment.c.saved_at == before.saved_at) & (judgment.c.id < before.judgment_id))
        )
    found = {row[0]: row[1] for row in connection.execute(matched)}
    cases = cases_of(connection, list(found))
    return [(cases[each], found[each]) for each in found if each in cases]


def cases_of(
    connection: sa.Connection, judgment_ids: Collection[int], *, newest_only: bool = False
) -> dict[int, CaseRow]:
    """Return judgments with their entries, campaigns and datasets, by id; with `newest_only` those not changed since."""
    query = (
        sa.select(*case_columns())
        .join(entry, entry.c.id == judgment.c.entry_id)
        .join(campaign, campaign.c.id == entry.c.campaign_id)
        .join(dataset, dataset.c.id == campaign.c.dataset_id)
        .where(judgment.c.id.in_(list(judgment_ids)))
    )
    if newest_only:
        query = without_replaced(query)
    return {row[0]: CaseRow(*row) for row in connection.execute(query)}


def newest_on_entry(connection: sa.Connection, entry_id: int) -> list[tuple[CaseRow, int]]:
    """Return everybody's newest judgment on an entry with who made it, the oldest first."""
    query = without_replaced(
        sa.select(*case_columns(), judgment.c.person_id)
        .join(entry, entry.c.id == judgment.c.entry_id)
        .join(campaign, campaign.c.id == entry.c.campaign_id)
        .join(dataset, dataset.c.id == campaign.c.dataset_id)
        .where(judgment.c.entry_id == entry_id)
        .order_by(judgment.c.id)
    )
    return [(CaseRow(*row[:-1]), row[-1]) for row in connection.execute(query)]


def answered_questions(
    connection: sa.Connection, *, person_id: int, entry_ids: Collection[int]
) -> dict[int, list[tuple[str, str]]]:
    """Return the person's own answered questions with some entries, by entry: (question, answer) in their order."""
    query = (
        sa.select(flag.c.entry_id, flag.c.question, flag.c.answer)
        .where(flag.c.person_id == person_id, flag.c.entry_id.in_(list(entry_ids)), flag.c.answered_at.is_not(None))
        .order_by(flag.c.id)
    )
    found: dict[int, list[tuple[str, str]]] = {}
    for row in connection.execute(query):
        found.setdefault(row.entry_id, []).append((row.question, row.answer))
    return found
