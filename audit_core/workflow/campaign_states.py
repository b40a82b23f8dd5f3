"""States of a campaign that is under way: opening, closing and pausing it, going on, ending its pilot."""

from __future__ import annotations

from collections import Counter

from audit_core.domain import CampaignState, Outcome
from audit_core.errors import AssayError
from audit_core.storage import activity, campaigns, claims, samples, team_progress
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.clock import now
from audit_core.storage.database import Connection
from audit_core.storage.people import Person
from audit_core.workflow.handing_out import Stage, stage_of
from audit_core.workflow.workspace import Workspace


def set_campaign_state(
    workspace: Workspace, campaign: CampaignRow, state: CampaignState, *, person: Person | None = None
) -> None:
    """Open a campaign for judgments, or close it; nothing that was saved is touched."""
    with workspace.database.write() as connection:
        campaigns.set_state(connection, campaign.id, state)
        if state is CampaignState.CLOSED:
            claims.free_campaign(connection, campaign.id)
        activity.record(
            connection,
            f"campaign-{state.value}",
            {"campaign": campaign.name},
            person_id=person.id if person else None,
        )


def pause_campaign(workspace: Workspace, campaign: CampaignRow, *, person: Person | None = None) -> CampaignRow:
    """Take no judgments until the campaign goes on, and return it; drafts are still kept. Nothing changes for a paused one.

    Raises:
        AssayError: it is closed.
    """
    with workspace.database.write() as connection:
        row = _now(connection, campaign)
        if row.state != CampaignState.OPEN:
            raise AssayError(f"Campaign {row.name} is closed: it takes no judgments as it is.")
        if row.paused_at is None:
            # Claims are left to run out: whoever is at work goes on with the same entries after a short pause.
            campaigns.change(connection, row.id, paused_at=now())
            _record(connection, "campaign-pause", row, person)
        return _now(connection, campaign)


def resume_campaign(workspace: Workspace, campaign: CampaignRow, *, person: Person | None = None) -> CampaignRow:
    """Let a paused campaign take judgments again, and return it. Nothing changes for one that is not paused."""
    with workspace.database.write() as connection:
        row = _now(connection, campaign)
        if row.paused_at is not None:
            campaigns.change(connection, row.id, paused_at=None)
            _record(connection, "campaign-resume", row, person)
        return _now(connection, campaign)


def end_pilot(
    workspace: Workspace, campaign: CampaignRow, *, person: Person | None = None, anyway: bool = False
) -> CampaignRow:
    """End the pilot of a campaign, so that its other entries are handed out, and return it.

    Pilot entries are handed out no more; their judgments can still be revised. `anyway`: however many judgments they have.

    Raises:
        AssayError: it has no pilot, the pilot has ended, or its entries lack judgments.
    """
    with workspace.database.write() as connection:
        row = _now(connection, campaign)
        if stage_of(row) is None:
            raise AssayError(f"Campaign {row.name} has no pilot: all of its entries are handed out.")
        if stage_of(row) is Stage.PRODUCTION:
            raise AssayError(f"The pilot of campaign {row.name} ended before: its other entries are handed out.")
        if not anyway:
            _require_judged_pilot(connection, row)
        campaigns.change(connection, row.id, pilot_ended_at=now())
        claims.free_campaign(connection, row.id)
        _record(connection, "campaign-pilot-end", row, person)
        return _now(connection, campaign)


def _require_judged_pilot(connection: Connection, row: CampaignRow) -> None:
    each = row.pilot_judgments or 0
    wanted = samples.special_counts(connection, row.id).pilot * each
    judged = Counter(
        answer.entry_id
        for answer in team_progress.pilot_judgments(connection, row.id)
        if answer.outcome == Outcome.JUDGED
    )
    there = sum(min(count, each) for count in judged.values())
    if there < wanted:
        raise AssayError(
            f"The pilot of campaign {row.name} is not complete: {there:,} of {wanted:,} judgments are there. Once it has "
            "ended it cannot go on; --anyway ends it as it is."
        )


def _now(connection: Connection, campaign: CampaignRow) -> CampaignRow:
    row = campaigns.by_id(connection, campaign.id)
    if row is None:
        raise AssayError(f"Campaign {campaign.name} was deleted meanwhile.")
    return row


def _record(connection: Connection, what: str, row: CampaignRow, person: Person | None) -> None:
    activity.record(connection, what, {"campaign": row.name}, person_id=person.id if person else None)
