"""Rows of the people that a campaign is handed to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import sqlalchemy as sa

from audit_core.storage.clock import now
from audit_core.storage.inserting import insert_rows
from audit_core.storage.schema import campaign, campaign_annotator, person


class Seat(StrEnum):
    """How a person stands to a campaign."""

    #: Everybody may judge in it.
    OPEN = "open"
    GIVEN = "given"
    TAKEN_BACK = "taken back"
    NONE = "none"

    @property
    def is_one(self) -> bool:
        """Whether the person may see the campaign's entries and judge them."""
        return self in (Seat.OPEN, Seat.GIVEN)


@dataclass(frozen=True, slots=True)
class AnnotatorRow:
    """Somebody that a campaign is, or was, handed to."""

    person_id: int
    name: str
    added_at: str
    removed_at: str | None


def seat(connection: sa.Connection, *, campaign_id: int, person_id: int, is_open: bool) -> Seat:
    """Return how a person stands to a campaign. Who was taken out stays out, also where everybody else may judge."""
    query = sa.select(campaign_annotator.c.removed_at).where(
        campaign_annotator.c.campaign_id == campaign_id, campaign_annotator.c.person_id == person_id
    )
    row = connection.execute(query).one_or_none()
    if row is not None:
        return Seat.GIVEN if row.removed_at is None else Seat.TAKEN_BACK
    return Seat.OPEN if is_open else Seat.NONE


def of_campaign(connection: sa.Connection, campaign_id: int) -> list[AnnotatorRow]:
    """Return those that a campaign is or was handed to, by name."""
    query = (
        sa.select(
            campaign_annotator.c.person_id,
            person.c.name,
            campaign_annotator.c.added_at,
            campaign_annotator.c.removed_at,
        )
        .join(person, person.c.id == campaign_annotator.c.person_id)
        .where(campaign_annotator.c.campaign_id == campaign_id)
        .order_by(person.c.name_key, person.c.id)
    )
    return [AnnotatorRow(*row) for row in connection.execute(query)]


def add(connection: sa.Connection, campaign_id: int, person_ids: Sequence[int]) -> list[int]:
    """Hand a campaign to people; return those to whom it was not handed before. Who was taken out comes back."""
    rows = {each.person_id: each.removed_at for each in of_campaign(connection, campaign_id)}
    new = [each for each in dict.fromkeys(person_ids) if each not in rows]
    back = [each for each in dict.fromkeys(person_ids) if rows.get(each) is not None]
    moment = now()
    insert_rows(
        connection,
        campaign_annotator,
        [{"campaign_id": campaign_id, "person_id": each, "added_at": moment, "removed_at": None} for each in new],
    )
    if back:
        mine = (campaign_annotator.c.campaign_id == campaign_id) & campaign_annotator.c.person_id.in_(back)
        connection.execute(campaign_annotator.update().where(mine).values(removed_at=None))
    return new + back


def remove(connection: sa.Connection, campaign_id: int, person_id: int) -> None:
    """Take a person out of a campaign; the row stays. One that was never in it, since it is open to all, gets a row."""
    mine = (campaign_annotator.c.campaign_id == campaign_id) & (campaign_annotator.c.person_id == person_id)
    moment = now()
    changed = connection.execute(campaign_annotator.update().where(mine).values(removed_at=moment))
    if not changed.rowcount:
        row = {"campaign_id": campaign_id, "person_id": person_id, "added_at": moment, "removed_at": moment}
        connection.execute(campaign_annotator.insert().values(row))


def seats_of(connection: sa.Connection, person_id: int) -> set[int]:
    """Return the campaigns in which a person may judge: those open to all and those handed to them."""
    mine = (campaign_annotator.c.campaign_id == campaign.c.id) & (campaign_annotator.c.person_id == person_id)
    given = sa.exists().where(mine, campaign_annotator.c.removed_at.is_(None))
    taken_back = sa.exists().where(mine, campaign_annotator.c.removed_at.is_not(None))
    query = sa.select(campaign.c.id).where(
        campaign.c.making_since.is_(None), given | (campaign.c.is_open & ~taken_back)
    )
    return set(connection.execute(query).scalars())
