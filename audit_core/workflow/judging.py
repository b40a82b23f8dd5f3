"""Judging: saving a judgment, keeping a draft. Used by the routes of the judging surface, with `my_entries`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from audit_core.domain import Answer, CampaignState, JsonObject, Outcome
from audit_core.errors import (
    CampaignClosed,
    CampaignPaused,
    EntryTaken,
    JudgmentConflict,
    JudgmentInvalid,
    NotFound,
    WriteCollision,
)
from audit_core.protocols import audit
from audit_core.storage import annotators, campaigns, claims, judgments
from audit_core.storage.annotators import Seat
from audit_core.storage.campaigns import CampaignRow, EntryRow
from audit_core.storage.database import Connection
from audit_core.storage.judgments import JudgmentRow
from audit_core.storage.people import Person
from audit_core.workflow.answer_check import base_revision_of, checked_answer, nonce_of
from audit_core.workflow.answer_check import protocol_of as protocol_of
from audit_core.workflow.guidelines import newest_guidelines
from audit_core.workflow.handing_out import is_in_stage, places_of, takes_judgments
from audit_core.workflow.my_entries import MyEntry as MyEntry
from audit_core.workflow.my_entries import entry_numbered as entry_numbered
from audit_core.workflow.my_entries import open_entry as open_entry
from audit_core.workflow.my_entries import progress as progress
from audit_core.workflow.my_entries import upcoming as upcoming
from audit_core.workflow.workspace import Workspace

_TAKEN_OUT = "You do not judge in this campaign any more: whoever leads it took you out. "
_NO_SUCH = "There is no such entry. Go back to the list of campaigns."


@dataclass(frozen=True, slots=True)
class Saved:
    """What comes back for a saved judgment. `repeated` is True where that nonce had been saved before."""

    judgment: JudgmentRow
    progress: dict[str, int]
    repeated: bool


def _find(workspace: Workspace, person: Person, entry_id: int) -> tuple[EntryRow, CampaignRow]:
    with workspace.database.read() as connection:
        row = campaigns.entry_by_id(connection, entry_id)
        campaign = campaigns.by_id(connection, row.campaign_id) if row else None
        if row is None or campaign is None:
            raise NotFound(_NO_SUCH)
        _require_seat(connection, campaign, person)
    return row, campaign


def _require_seat(connection: Connection, campaign: CampaignRow, person: Person) -> None:
    seat = annotators.seat(connection, campaign_id=campaign.id, person_id=person.id, is_open=campaign.is_open)
    if seat is Seat.TAKEN_BACK:
        raise NotFound(f"{_TAKEN_OUT}What you saved stays; this was not saved.")
    if not seat.is_one:
        raise NotFound(_NO_SUCH)


def save_judgment(workspace: Workspace, person: Person, *, entry_id: int, body: Mapping[str, Any]) -> Saved:
    """Save one judgment as a new revision, once for its nonce, and remove the draft.

    `body` has nonce, base_revision, outcome, note, reason, active_ms, and what the protocol asks: codes, targets and
    correction of an audit, else fields.

    Raises:
        NotFound: no such entry.
        JudgmentInvalid: the body breaks the protocol.
        JudgmentConflict: the newest revision is not `base_revision`; nothing was saved.
        CampaignClosed, CampaignPaused: the campaign takes no judgments (now).
        EntryTaken: others took the last place at the entry.
    """
    row, campaign = _find(workspace, person, entry_id)
    nonce, base = nonce_of(body), base_revision_of(body)
    answer, correction = checked_answer(workspace, campaign, row, body)
    said = _Said(
        nonce, base, answer, correction, _guideline_version(workspace, campaign, body), places_of(campaign, row)
    )
    try:
        return _save(workspace, person, row, said)
    except WriteCollision:
        # PostgreSQL lets two writers read the same newest revision; the loser finds the winner's row the second time.
        return _save(workspace, person, row, said)


def _guideline_version(workspace: Workspace, campaign: CampaignRow, body: Mapping[str, Any]) -> int | None:
    version = body.get("guideline_version")
    if version is None:
        return None
    newest = newest_guidelines(workspace, campaign.id)
    last = 0 if newest is None else newest.version
    if isinstance(version, bool) or not isinstance(version, int) or not 1 <= version <= last:
        raise JudgmentInvalid("guideline_version must be the number of the guidelines that were shown, or be left out.")
    return version


@dataclass(frozen=True, slots=True)
class _Said:
    """A checked request to save. `places` is how many people may judge the entry, None for everybody."""

    nonce: str
    base: int
    answer: Answer
    correction: JsonObject | None
    guideline_version: int | None
    places: int | None


def _save(workspace: Workspace, person: Person, row: EntryRow, said: _Said) -> Saved:
    with workspace.database.write() as connection:
        if said.places is not None:
            claims.hold_entries(connection, [row.id])
        # The newest first: PostgreSQL shows each query what was committed meanwhile, and the same judgment, sent twice at
        # once and saved between the two queries, must be found by its nonce and not be taken for another tab's.
        newest = judgments.newest(connection, entry_id=row.id, person_id=person.id)
        before = judgments.by_nonce(connection, said.nonce)
        if before is not None:
            if before.person_id != person.id or before.entry_id != row.id:
                raise JudgmentInvalid("this nonce belongs to another judgment: make a fresh one.")
            saved, repeated = before, True
        else:
            campaign = _open_campaign(connection, row, person)
            if (newest.revision if newest else 0) != said.base:
                raise JudgmentConflict(
                    "You saved this entry in another tab meanwhile. Choose which answer counts.",
                    newest.as_json() if newest else {},
                )
            if said.answer.outcome is Outcome.JUDGED and (newest is None or newest.outcome != Outcome.JUDGED):
                _require_place(connection, campaign, row, person, places=said.places)
            saved, repeated = (
                judgments.add(
                    connection,
                    entry_id=row.id,
                    person_id=person.id,
                    revision=said.base + 1,
                    nonce=said.nonce,
                    answer=said.answer,
                    correction=said.correction,
                    guideline_version=said.guideline_version,
                ),
                False,
            )
            judgments.drop_draft(connection, entry_id=row.id, person_id=person.id)
            if said.places is not None or row.gold is not None:
                # A judgment takes the place by itself, and "cannot judge" gives it back.
                claims.give_back(connection, entry_id=row.id, person_id=person.id)
    # Counted after the commit: others who save must not wait for it.
    return Saved(saved, progress(workspace, person, row.campaign_id), repeated)


def _open_campaign(connection: Connection, row: EntryRow, person: Person) -> CampaignRow:
    """Return the campaign of an entry as it is now, if it takes this person's judgments."""
    campaign = campaigns.by_id(connection, row.campaign_id)
    if campaign is None or campaign.state != CampaignState.OPEN:
        raise CampaignClosed("This campaign is closed: it takes no judgments any more. Yours was not saved.")
    _require_seat(connection, campaign, person)
    if campaign.paused_at is not None:
        raise CampaignPaused("This campaign is paused: it takes no judgments until it goes on. Yours was not saved.")
    return campaign


def _require_place(
    connection: Connection, campaign: CampaignRow, row: EntryRow, person: Person, *, places: int | None
) -> None:
    """Refuse a first judgment on an entry at which others have all places, or that is not handed out now."""
    if not is_in_stage(campaign, row):
        when = "The pilot of this campaign is over" if row.is_pilot else "This campaign is in its pilot"
        raise EntryTaken(f"{when}: this entry is not handed out now. Your answer was not saved.")
    if places is None or claims.has_place(connection, entry_id=row.id, person_id=person.id, places=places):
        return
    raise EntryTaken(
        "This entry was completed by others meanwhile, or the last of them are at work on it. Your answer was not saved."
    )


def save_draft(workspace: Workspace, person: Person, *, entry_id: int, body: Mapping[str, Any]) -> str:
    """Keep an unsaved answer for its annotator and return the time at which it was stored.

    Raises:
        NotFound: no such entry.
        JudgmentInvalid: the body breaks the protocol.
    """
    row, campaign = _find(workspace, person, entry_id)
    base = base_revision_of(body)
    protocol = protocol_of(campaign)
    answer: Answer = protocol.parse(body, is_draft=True)
    content: JsonObject = {
        "outcome": body.get("outcome"),
        "codes": audit.codes_to_text(answer.codes),
        "note": answer.note,
        "reason": answer.reason,
        "targets": answer.targets,
        "correction": protocol.parse_correction(body.get("correction")),
        "active_ms": answer.active_ms,
        **({"fields": answer.fields} if answer.fields else {}),
    }
    try:
        return _store_draft(workspace, person, campaign, row, base=base, content=content)
    except WriteCollision:  # two drafts of one entry at once (PostgreSQL): the later one replaces the other
        return _store_draft(workspace, person, campaign, row, base=base, content=content)


def _store_draft(
    workspace: Workspace, person: Person, campaign: CampaignRow, row: EntryRow, *, base: int, content: JsonObject
) -> str:
    with workspace.database.write() as connection:
        newest = judgments.newest(connection, entry_id=row.id, person_id=person.id)
        if newest is not None and newest.revision > base:
            # A draft that was sent before its own judgment was acknowledged, and arrived after it, must not come back.
            return newest.saved_at
        if newest is None or newest.outcome != Outcome.JUDGED:
            _renew(connection, campaign, row, person)
        stored = judgments.put_draft(
            connection, entry_id=row.id, person_id=person.id, base_revision=base, content=content
        )
    return stored.saved_at


def _renew(connection: Connection, campaign: CampaignRow, row: EntryRow, person: Person) -> None:
    """Keep the place of somebody who writes, where one is left; the draft is kept in any case."""
    places = places_of(campaign, row)
    if places is None or not takes_judgments(campaign) or not is_in_stage(campaign, row):
        return
    if not claims.fresh(connection, person_id=person.id, entry_ids=[row.id]):
        claims.take(connection, person_id=person.id, places={row.id: places})


def discard_draft(workspace: Workspace, person: Person, *, entry_id: int) -> None:
    """Remove the person's draft on an entry, if there is one.

    Raises:
        NotFound: no such entry, or not one that the person may judge.
    """
    _find(workspace, person, entry_id)
    with workspace.database.write() as connection:
        judgments.drop_draft(connection, entry_id=entry_id, person_id=person.id)
