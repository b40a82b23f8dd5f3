"""Who judges in a campaign: everybody, or the people that it is handed to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from audit_core.domain import JsonObject
from audit_core.errors import AssayError, NotFound
from audit_core.storage import activity, annotators, campaigns, claims, people
from audit_core.storage.annotators import Seat
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.database import Connection
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.workflow.workspace import NO_SUCH_CAMPAIGN, Workspace


@dataclass(frozen=True, slots=True)
class Annotator:
    """Somebody that a campaign is handed to, or was until `removed_at`."""

    person: Person
    added_at: str
    removed_at: str | None

    def as_json(self) -> JsonObject:
        """Return the annotator as one JSON document."""
        return {
            "id": self.person.id,
            "name": self.person.name,
            "added_at": self.added_at,
            "removed_at": self.removed_at,
        }


def annotators_of(workspace: Workspace, campaign: CampaignRow) -> list[Annotator]:
    """Return those that a campaign is or was handed to, by name. Of one that is open to all others may judge too."""
    found = []
    with workspace.database.read() as connection:
        for row in annotators.of_campaign(connection, campaign.id):
            person = people.by_id(connection, row.person_id)
            assert person is not None, "a row of an annotator refers to a person"
            found.append(Annotator(person, row.added_at, row.removed_at))
    return found


def add_annotators(
    workspace: Workspace, campaign: CampaignRow, person_ids: Sequence[int], *, person: Person | None = None
) -> None:
    """Hand a campaign to people; who was taken out comes back, with what they judged. `person` is who does it.

    Raises:
        NotFound: there is no such person.
    """
    with workspace.database.write() as connection:
        require_people(connection, person_ids)
        added = annotators.add(connection, campaign.id, person_ids)
        if added:
            subject = {"campaign": campaign.name, "annotators": [_name(connection, each) for each in added]}
            activity.record(connection, "annotators-add", subject, person_id=person.id if person else None)


def require_people(connection: Connection, person_ids: Sequence[int]) -> None:
    """Refuse people that nobody can sign in as.

    Raises:
        NotFound: there is no such person here, or only in an imported file.
    """
    for each in person_ids:
        found = people.by_id(connection, each)
        if found is None or found.is_imported:
            raise NotFound(f"There is no person {each} who signs in here. Make an account first.")


def _name(connection: Connection, person_id: int) -> str:
    found = people.by_id(connection, person_id)
    return found.name if found else str(person_id)


def remove_annotator(
    workspace: Workspace, campaign: CampaignRow, person_id: int, *, person: Person | None = None
) -> int:
    """Take somebody out of a campaign and return how many places that they held are free for others now.

    What they judged stays and counts. They see the campaign's entries no more, also where it is open to all.

    Raises:
        NotFound: there is no such person.
    """
    with workspace.database.write() as connection:
        require_people(connection, [person_id])
        annotators.remove(connection, campaign.id, person_id)
        freed = claims.free_campaign(connection, campaign.id, person_id=person_id)
        subject = {"campaign": campaign.name, "annotator": _name(connection, person_id), "places_freed": freed}
        activity.record(connection, "annotator-remove", subject, person_id=person.id if person else None)
    return freed


def open_to_all(
    workspace: Workspace, campaign: CampaignRow, is_open: bool, *, person: Person | None = None
) -> CampaignRow:
    """Let everybody judge in a campaign, or only those that it is handed to; return it as it is now.

    Raises:
        AssayError: it would be nobody's.
    """
    with workspace.database.write() as connection:
        given = [each for each in annotators.of_campaign(connection, campaign.id) if each.removed_at is None]
        if not is_open and not given:
            raise AssayError(f"Campaign {campaign.name} is handed to nobody: add annotators first.")
        campaigns.change(connection, campaign.id, is_open=is_open)
        what = "campaign-open-to-all" if is_open else "campaign-to-annotators"
        activity.record(connection, what, {"campaign": campaign.name}, person_id=person.id if person else None)
        row = campaigns.by_id(connection, campaign.id)
    assert row is not None
    return row


def may_judge(workspace: Workspace, campaign: CampaignRow, person: Person) -> bool:
    """Return whether a person may see a campaign's entries and judge them; it may be closed or paused."""
    with workspace.database.read() as connection:
        return _seat(connection, campaign, person).is_one


def _seat(connection: Connection, campaign: CampaignRow, person: Person) -> Seat:
    return annotators.seat(connection, campaign_id=campaign.id, person_id=person.id, is_open=campaign.is_open)


def campaign_for(workspace: Workspace, person: Person, campaign_id: int) -> tuple[CampaignRow, DatasetRow]:
    """Return a campaign in which a person may judge, and its dataset.

    Raises:
        NotFound: there is none of that id that they may judge in.
    """
    campaign, dataset = workspace.campaign(campaign_id)
    with workspace.database.read() as connection:
        seat = _seat(connection, campaign, person)
    if seat is Seat.TAKEN_BACK:
        raise NotFound(
            f"You do not judge in {campaign.name} any more: whoever leads it took you out. What you saved stays."
        )
    if not seat.is_one:
        # In the words of a campaign that is not there: whether it is, is not theirs to know.
        raise NotFound(NO_SUCH_CAMPAIGN)
    return campaign, dataset


def seats_of(workspace: Workspace, person: Person) -> set[int]:
    """Return the ids of the campaigns in which a person may judge."""
    with workspace.database.read() as connection:
        return annotators.seats_of(connection, person.id)
