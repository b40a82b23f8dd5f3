"""Places at entries. An entry has so many; a judgment takes one, and so does the claim of somebody who is at work on it.

A claim runs out unless it is renewed. Whoever takes a place holds the rows of the entries first (SQLite: its one write lock),
so that of two who reach for the last place at once one finds it taken. "Cannot judge" takes no place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from audit_core.domain import Outcome
from audit_core.storage.clock import now, stamp
from audit_core.storage.judgments import without_replaced
from audit_core.storage.schema import claim, entry, judgment

#: How long a place is kept for somebody of whom nothing is heard, in seconds.
LASTS_SECONDS = 1_800
#: A claim that lasts longer than this is not renewed yet, so that being at work costs no writing.
FRESH_SECONDS = 1_200
#: How long it is known of a claim that ran out that there was one: its holder alone may renew it.
KNOWN_SECONDS = 86_400


def _later(seconds: float) -> str:
    return stamp(datetime.now(UTC) + timedelta(seconds=seconds))


def hold_entries(connection: sa.Connection, entry_ids: Iterable[int]) -> None:
    """Keep everybody else from taking places at these entries until the transaction ends.

    SQLite has one writer, who has begun already. The rows are taken in order, so that two cannot wait for each other.
    """
    if connection.dialect.name == "sqlite":
        return
    query = sa.select(entry.c.id).where(entry.c.id.in_(sorted(entry_ids))).order_by(entry.c.id)
    connection.execute(query.with_for_update(key_share=True)).all()


def holders(connection: sa.Connection, entry_ids: Sequence[int]) -> dict[int, set[int]]:
    """Return who has a place at each of these entries: people whose newest answer is a judgment, and live claims."""
    judged = without_replaced(
        sa.select(judgment.c.entry_id, judgment.c.person_id).where(
            judgment.c.entry_id.in_(entry_ids), judgment.c.outcome == Outcome.JUDGED.value
        )
    )
    claimed = sa.select(claim.c.entry_id, claim.c.person_id).where(
        claim.c.entry_id.in_(entry_ids), claim.c.expires_at > now()
    )
    found: defaultdict[int, set[int]] = defaultdict(set)
    for each in (judged, claimed):
        for entry_id, person_id in connection.execute(each):
            found[entry_id].add(person_id)
    return found


def has_place(connection: sa.Connection, *, entry_id: int, person_id: int, places: int) -> bool:
    """Return whether a person may have one of an entry's places: others have not taken all of them.

    True for somebody who has one. The entry is held (`hold_entries`).
    """
    return len(holders(connection, [entry_id]).get(entry_id, set()) - {person_id}) < places


def take(connection: sa.Connection, *, person_id: int, places: Mapping[int, int], most: int | None = None) -> list[int]:
    """Take a place at entries for a person, and return the entries at which they have one now, in the order given.

    `places` says how many each entry has; `most` is how many to take at most. Claims that the person has are renewed.
    """
    granted = _free(connection, person_id, places)[:most]
    _claim(connection, person_id, granted)
    return granted


def note(connection: sa.Connection, *, person_id: int, places: Mapping[int, int]) -> None:
    """Note which entries with a place left a person has in hand, without keeping the places: they may be renewed later."""
    granted = _free(connection, person_id, places)
    known = of_person(connection, person_id=person_id, entry_ids=granted)
    moment = now()
    rows = [
        {"entry_id": each, "person_id": person_id, "claimed_at": moment, "expires_at": moment}
        for each in granted
        if each not in known
    ]
    if rows:
        connection.execute(claim.insert(), rows)


def _free(connection: sa.Connection, person_id: int, places: Mapping[int, int]) -> list[int]:
    """Hold the entries, and return those at which others have not taken all places, in the order given."""
    if not places:
        return []
    ids = list(places)
    hold_entries(connection, ids)
    taken = holders(connection, ids)
    return [each for each in ids if len(taken.get(each, set()) - {person_id}) < places[each]]


def _claim(connection: sa.Connection, person_id: int, entry_ids: Sequence[int]) -> None:
    if not entry_ids:
        return
    mine = (claim.c.person_id == person_id) & claim.c.entry_id.in_(entry_ids)
    known = set(connection.execute(sa.select(claim.c.entry_id).where(mine)).scalars())
    until, moment = _later(LASTS_SECONDS), now()
    if known:
        connection.execute(claim.update().where(mine).values(expires_at=until))
    rows = [
        {"entry_id": each, "person_id": person_id, "claimed_at": moment, "expires_at": until}
        for each in entry_ids
        if each not in known
    ]
    if rows:
        connection.execute(claim.insert(), rows)


def fresh(connection: sa.Connection, *, person_id: int, entry_ids: Sequence[int]) -> set[int]:
    """Return those of these entries on which the person has a claim that need not be renewed yet."""
    query = sa.select(claim.c.entry_id).where(
        claim.c.person_id == person_id, claim.c.entry_id.in_(entry_ids), claim.c.expires_at > _later(FRESH_SECONDS)
    )
    return set(connection.execute(query).scalars())


def of_person(connection: sa.Connection, *, person_id: int, entry_ids: Sequence[int]) -> set[int]:
    """Return those of these entries on which the person has a claim, also one that ran out."""
    query = sa.select(claim.c.entry_id).where(claim.c.person_id == person_id, claim.c.entry_id.in_(entry_ids))
    return set(connection.execute(query).scalars())


def give_back(connection: sa.Connection, *, entry_id: int, person_id: int) -> None:
    """End a person's claim on an entry, if there is one."""
    connection.execute(claim.delete().where(claim.c.entry_id == entry_id, claim.c.person_id == person_id))


def drop_expired(connection: sa.Connection, *, person_id: int) -> None:
    """Remove a person's claims that ran out so long ago that they are not renewed any more."""
    old = claim.c.expires_at <= _later(-KNOWN_SECONDS)
    connection.execute(claim.delete().where(claim.c.person_id == person_id, old))


def free_campaign(connection: sa.Connection, campaign_id: int, *, person_id: int | None = None) -> int:
    """End all claims in a campaign (of one person); return how many were live."""
    entries = sa.select(entry.c.id).where(entry.c.campaign_id == campaign_id)
    mine = sa.and_(claim.c.entry_id.in_(entries), sa.true() if person_id is None else claim.c.person_id == person_id)
    # What ran out is not counted, but goes as well.
    live = connection.execute(sa.select(sa.func.count()).where(mine, claim.c.expires_at > now())).scalar_one()
    connection.execute(claim.delete().where(mine))
    return int(live)


def live_claim(at: str | None = None) -> sa.ColumnElement[bool]:
    """Return the condition that a claim has not run out."""
    return claim.c.expires_at > (at or now())
