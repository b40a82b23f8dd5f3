"""Judgments of one campaign as files hold them: with their entries, in an order that never changes, and who made them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from audit_core.storage.schema import entry, guideline, judgment, person

#: Entries whose judgments are read at a time.
BLOCK_ENTRIES = 2_000

_OF_ENTRY = (entry.c.number, entry.c.query_id, entry.c.selection, entry.c.is_pilot)
_OF_JUDGMENT = tuple(each for each in judgment.c if each.name not in ("nonce", "is_imported"))


@dataclass(frozen=True, slots=True)
class CampaignAnnotator:
    """Somebody who judged in a campaign. `first_nonce` is that of their first judgment there; it is in no file."""

    id: int
    name: str
    is_imported: bool
    created_at: str
    first_nonce: str


def annotators_of(connection: sa.Connection, campaign_id: int) -> list[CampaignAnnotator]:
    """Return those who judged in a campaign, in the order in which they began."""
    first = (
        sa.select(sa.func.min(judgment.c.id).label("id"))
        .join(entry, entry.c.id == judgment.c.entry_id)
        .where(entry.c.campaign_id == campaign_id)
        .group_by(judgment.c.person_id)
        .subquery()
    )
    query = (
        sa.select(person.c.id, person.c.name, person.c.is_imported, person.c.created_at, judgment.c.nonce)
        .join(judgment, judgment.c.person_id == person.c.id)
        .join(first, first.c.id == judgment.c.id)
        .order_by(judgment.c.id)
    )
    return [CampaignAnnotator(*row) for row in connection.execute(query)]


def imported_people(connection: sa.Connection) -> set[int]:
    """Return the ids of the people that are known from imported files alone."""
    return set(connection.execute(sa.select(person.c.id).where(person.c.is_imported)).scalars())


def judgment_rows(
    connection: sa.Connection, campaign_id: int, *, newest_only: bool, block: int = BLOCK_ENTRIES
) -> Iterator[dict[str, Any]]:
    """Yield all judgments of a campaign, or the newest of each annotator on each entry, as dicts of the tables' columns.

    Further keys: `number`, `query_id`, `selection` and `is_pilot` of the entry, `is_gold`, and `is_newest`. In order of
    entries, on each in the order in which its annotators first answered, and of each annotator by revision.
    """
    start = 0
    while (end := _end_of_block(connection, campaign_id, start, block)) is not None:
        query = (
            sa.select(*_OF_ENTRY, entry.c.gold.is_not(None).label("is_gold"), *_OF_JUDGMENT)
            .join(judgment, judgment.c.entry_id == entry.c.id)
            .where(entry.c.campaign_id == campaign_id, entry.c.number > start, entry.c.number <= end)
            .order_by(judgment.c.id)
        )
        yield from _in_order([dict(row._mapping) for row in connection.execute(query)], newest_only=newest_only)
        start = end


def _end_of_block(connection: sa.Connection, campaign_id: int, start: int, block: int) -> int | None:
    """Return the number of the last entry of the next block, None where there is no further entry."""
    numbers = sa.select(entry.c.number).where(entry.c.campaign_id == campaign_id, entry.c.number > start)
    next_ones = numbers.order_by(entry.c.number).limit(block).subquery()
    end = connection.execute(sa.select(sa.func.max(next_ones.c.number))).scalar_one_or_none()
    return None if end is None else int(end)


def _in_order(rows: list[dict[str, Any]], *, newest_only: bool) -> Iterator[dict[str, Any]]:
    """Yield rows that come by id, sorted and marked."""
    first: dict[tuple[int, int], int] = {}
    newest: dict[tuple[int, int], int] = {}
    for row in rows:
        answer = row["entry_id"], row["person_id"]
        first.setdefault(answer, row["id"])
        newest[answer] = max(newest.get(answer, 0), row["revision"])
    rows.sort(key=lambda row: (row["number"], first[row["entry_id"], row["person_id"]], row["revision"]))
    for row in rows:
        row["is_newest"] = row["revision"] == newest[row["entry_id"], row["person_id"]]
        if row["is_newest"] or not newest_only:
            yield row


def answers_of(
    connection: sa.Connection, campaign_id: int, person_ids: Collection[int]
) -> Iterator[tuple[int, int, int, str, dict[str, Any]]]:
    """Yield (entry id, person id, revision, nonce, what was said) of each judgment of these people in a campaign.

    What was said has the columns outcome, codes, targets, note, reason, correction and answer.
    """
    said = ("outcome", "codes", "targets", "note", "reason", "correction", "answer")
    keys = (judgment.c.entry_id, judgment.c.person_id, judgment.c.revision, judgment.c.nonce)
    query = (
        sa.select(*keys, *(judgment.c[name] for name in said))
        .join(entry, entry.c.id == judgment.c.entry_id)
        .where(entry.c.campaign_id == campaign_id, judgment.c.person_id.in_(list(person_ids)))
        .order_by(judgment.c.id)
        .execution_options(yield_per=5_000)
    )
    for row in connection.execute(query):
        yield row[0], row[1], row[2], row[3], dict(zip(said, row[4:], strict=True))


def entry_index(connection: sa.Connection, campaign_id: int) -> list[tuple[int, int, str, bool, bool]]:
    """Return (number, id, query id, is pilot, is gold) of each entry of a campaign, in order."""
    query = (
        sa.select(entry.c.number, entry.c.id, entry.c.query_id, entry.c.is_pilot, entry.c.gold.is_not(None))
        .where(entry.c.campaign_id == campaign_id)
        .order_by(entry.c.number)
    )
    return [(row[0], row[1], row[2], bool(row[3]), bool(row[4])) for row in connection.execute(query)]


def judges_of_entries(connection: sa.Connection, campaign_id: int) -> dict[int, set[int]]:
    """Return who judged each entry of a campaign that has a judgment, as person ids by entry id."""
    query = (
        sa.select(judgment.c.entry_id, judgment.c.person_id)
        .join(entry, entry.c.id == judgment.c.entry_id)
        .where(entry.c.campaign_id == campaign_id)
        .distinct()
    )
    found: dict[int, set[int]] = {}
    for row in connection.execute(query):
        found.setdefault(row[0], set()).add(row[1])
    return found


def guideline_versions(connection: sa.Connection, campaign_id: int) -> set[int]:
    """Return the versions of guidelines that a campaign has."""
    return set(
        connection.execute(sa.select(guideline.c.version).where(guideline.c.campaign_id == campaign_id)).scalars()
    )
