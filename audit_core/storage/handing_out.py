"""Which entries of a campaign can be handed to a person: those that they have not answered, with a place left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from audit_core.domain import Outcome
from audit_core.storage.campaigns import EntryRow
from audit_core.storage.claims import live_claim
from audit_core.storage.judgments import on_entries_of, without_replaced
from audit_core.storage.schema import claim, draft, entry, judgment


@dataclass(frozen=True, slots=True)
class SpecialEntries:
    """The numbers of a campaign's gold and pilot entries; one that is both stands in both."""

    gold: tuple[int, ...]
    pilot: tuple[int, ...]


def special_entries(connection: sa.Connection, campaign_id: int) -> SpecialEntries:
    """Return the gold and pilot entries of a campaign. Reads all its entries: they never change, so keep the answer."""
    query = (
        sa.select(entry.c.number, entry.c.gold.is_not(None), entry.c.is_pilot)
        .where(entry.c.campaign_id == campaign_id, entry.c.gold.is_not(None) | entry.c.is_pilot)
        .order_by(entry.c.number)
    )
    rows = connection.execute(query).all()
    return SpecialEntries(tuple(row[0] for row in rows if row[1]), tuple(row[0] for row in rows if row[2]))


def entry_numbers(connection: sa.Connection, campaign_id: int) -> list[int]:
    """Return the numbers of all entries of a campaign, in order."""
    query = sa.select(entry.c.number).where(entry.c.campaign_id == campaign_id).order_by(entry.c.number)
    return list(connection.execute(query).scalars())


def open_among(
    connection: sa.Connection, *, campaign_id: int, person_id: int, numbers: Sequence[int], places: int | None
) -> list[int]:
    """Return those of these entries, in the order given, that the person has not answered and that have a place left.

    `places` is how many each has; None: as many as there are people.
    """
    answered = sa.exists().where(judgment.c.entry_id == entry.c.id, judgment.c.person_id == person_id)
    mine = (entry.c.campaign_id == campaign_id) & entry.c.number.in_(list(numbers))
    query = sa.select(entry.c.number).where(mine, ~answered)
    if places is not None:
        query = query.where(_others(person_id) < places)
    found = set(connection.execute(query).scalars())
    return [each for each in numbers if each in found]


def _others(person_id: int) -> sa.ColumnElement[int]:
    """Return how many judged an entry or are at work on it, beside a person who has not answered it."""
    judged = without_replaced(
        sa.select(sa.func.count()).where(judgment.c.entry_id == entry.c.id, judgment.c.outcome == Outcome.JUDGED.value)
    )
    claimed = sa.select(sa.func.count()).where(
        claim.c.entry_id == entry.c.id, claim.c.person_id != person_id, live_claim()
    )
    return judged.correlate(entry).scalar_subquery() + claimed.correlate(entry).scalar_subquery()


def judged_by(connection: sa.Connection, *, person_id: int, entry_ids: Sequence[int]) -> set[int]:
    """Return those of these entries on which a person's newest answer is a judgment."""
    mine = sa.select(judgment.c.entry_id).where(
        judgment.c.entry_id.in_(list(entry_ids)),
        judgment.c.person_id == person_id,
        judgment.c.outcome == Outcome.JUDGED.value,
    )
    return set(connection.execute(without_replaced(mine)).scalars())


def begun_by(connection: sa.Connection, *, person_id: int, entry_ids: Sequence[int]) -> set[int]:
    """Return those of these entries on which a person has an answer of any kind or a draft."""
    parts = (
        sa.select(each.c.entry_id).where(each.c.entry_id.in_(list(entry_ids)), each.c.person_id == person_id)
        for each in (judgment, draft)
    )
    return set(connection.execute(sa.union(*parts)).scalars())


def count_answered(connection: sa.Connection, *, campaign_id: int, person_id: int) -> int:
    """Return how many entries of a campaign a person has answered."""
    query = (
        sa.select(sa.func.count(sa.distinct(judgment.c.entry_id)))
        .join(entry, entry.c.id == judgment.c.entry_id)
        .where(on_entries_of(campaign_id), judgment.c.person_id == person_id)
    )
    return int(connection.execute(query).scalar_one())


def entries_numbered(connection: sa.Connection, campaign_id: int, numbers: Sequence[int]) -> list[EntryRow]:
    """Return the entries of those numbers, in the order given; numbers that there are not are passed over."""
    query = sa.select(entry).where(entry.c.campaign_id == campaign_id, entry.c.number.in_(list(numbers)))
    found = {row.number: EntryRow(**row._mapping) for row in connection.execute(query)}
    return [found[each] for each in numbers if each in found]
