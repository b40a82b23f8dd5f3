"""The entries of a campaign as one annotator sees them: which come next, with their own answers and nobody else's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from audit_core.domain import JsonObject
from audit_core.errors import NotFound
from audit_core.storage import campaigns, flags, judgments
from audit_core.storage.campaigns import EntryRow
from audit_core.storage.flags import FlagRow
from audit_core.storage.judgments import JudgmentRow
from audit_core.storage.people import Person
from audit_core.workflow.handing_out import (
    Place,
    hand_out,
    is_counted_out,
    keep_place,
    renew,
    takes_judgments,
)
from audit_core.workflow.workspace import Workspace

#: Most entries that one request prepares.
UPCOMING_MAX = 10
#: Most entry numbers that a request may ask to leave out.
SKIP_MAX = 500


@dataclass(frozen=True, slots=True)
class MyEntry:
    """An entry as one annotator may see it: with their own newest judgment, draft and questions, and nobody else's."""

    row: EntryRow
    person_id: int
    saved: JudgmentRow | None
    draft: JsonObject | None
    flags: tuple[FlagRow, ...] = ()
    #: How the person stands to an entry with so many places; None where everybody has one.
    place: Place | None = None


def _mine(workspace: Workspace, person: Person, rows: Sequence[EntryRow]) -> list[MyEntry]:
    with workspace.database.read() as connection:
        ids = [row.id for row in rows]
        drafts = judgments.drafts_of(connection, person_id=person.id, entry_ids=ids)
        asked = flags.of_person(connection, person_id=person.id, entry_ids=ids)
        mine = []
        for row in rows:
            saved = judgments.newest(connection, entry_id=row.id, person_id=person.id)
            draft = drafts.get(row.id)
            if draft and saved and draft.base_revision < saved.revision:
                draft = None  # PostgreSQL lets a late draft in while its own judgment is being committed
            kept = draft.as_json() if draft else None
            mine.append(MyEntry(row, person.id, saved, kept, tuple(asked.get(row.id, ()))))
    return mine


def entry_numbered(workspace: Workspace, person: Person, *, campaign_id: int, number: int) -> MyEntry:
    """Return one entry of a campaign, without taking a place at it.

    Raises:
        NotFound: the campaign has no entry of that number.
    """
    with workspace.database.read() as connection:
        row = campaigns.entry_by_number(connection, campaign_id, number)
        count = campaigns.count_entries(connection, campaign_id) if row is None else 0
    if row is None:
        raise NotFound(f"This campaign has no entry {number}: its entries are numbered up to {count}.")
    return _mine(workspace, person, [row])[0]


def open_entry(workspace: Workspace, person: Person, *, campaign_id: int, number: int) -> MyEntry:
    """Return one entry of a campaign for somebody who opens it to judge it: a free place is kept for them.

    Raises:
        NotFound: the campaign has no entry of that number.
    """
    mine = entry_numbered(workspace, person, campaign_id=campaign_id, number=number)
    campaign, _ = workspace.campaign(campaign_id)
    return replace(mine, place=keep_place(workspace, person, campaign, mine.row))


def upcoming(
    workspace: Workspace, person: Person, *, campaign_id: int, after: int, count: int, skip: Sequence[int] = ()
) -> list[MyEntry]:
    """Return up to `count` entries that the person has not answered: those after number `after`, then from the start.

    Under `exact`, and in a pilot, a place is kept at each, and only entries with a place left come. `skip` are those in hand:
    their places are renewed.
    """
    count = max(0, min(count, UPCOMING_MAX))
    campaign, _ = workspace.campaign(campaign_id)
    if is_counted_out(campaign) and skip:
        renew(workspace, person, campaign, skip)
    rows = hand_out(workspace, person, campaign, after=after, count=count, skip=tuple(skip)[:SKIP_MAX])
    # Gold entries have a place for everybody; that they have must not tell them from the others.
    place = Place.MINE if is_counted_out(campaign) and takes_judgments(campaign) else None
    return [replace(each, place=place) for each in _mine(workspace, person, rows)]


def progress(workspace: Workspace, person: Person, campaign_id: int) -> dict[str, int]:
    """Return the person's counts in a campaign: entries, judged, cannot_judge, drafts, left, today."""
    with workspace.database.read() as connection:
        return judgments.progress(connection, campaign_id=campaign_id, person_id=person.id)
