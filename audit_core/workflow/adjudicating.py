"""Adjudicating: deciding entries one by one, accepting unanimous ones together, taking a decision back.

A decision is never changed: another one on the same entry is its next revision, and the newest counts. Closed campaigns are
adjudicated like open ones (that is the usual case); archived ones are not.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from audit_core.domain import JsonObject, Role
from audit_core.errors import JudgmentConflict, JudgmentInvalid, NotFound, WriteCollision
from audit_core.storage import activity, campaigns, claims, decisions, judgments
from audit_core.storage.campaigns import CampaignRow, EntryRow
from audit_core.storage.database import Connection
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.decision_tables import Basis
from audit_core.storage.decisions import DecisionRow, NewDecision
from audit_core.storage.people import Person
from audit_core.workflow.accepting import Accepted as Accepted
from audit_core.workflow.accepting import accept_unanimous as accept_unanimous
from audit_core.workflow.adjudicating_file import FileAdjudication as FileAdjudication
from audit_core.workflow.adjudicating_file import adjudicate_from_file as adjudicate_from_file
from audit_core.workflow.adjudication_rules import (
    basis_of,
    checked_content,
    confidence_of,
    require_not_archived,
    sources_of,
    taken_from_of,
)
from audit_core.workflow.adjudication_states import EntryStanding as EntryStanding
from audit_core.workflow.adjudication_states import agreed_state, needed_of
from audit_core.workflow.adjudication_states import entry_states as entry_states
from audit_core.workflow.adjudication_states import standing_counts as standing_counts
from audit_core.workflow.adjudication_view import decision_json, require_unsealed
from audit_core.workflow.answer_check import base_revision_of, nonce_of, protocol_of
from audit_core.workflow.roles import require_role
from audit_core.workflow.workspace import Workspace

_NO_SUCH = "There is no such entry. Go back to the list of campaigns."


@dataclass(frozen=True, slots=True)
class SavedDecision:
    """What comes back for a decision. `repeated` is True where that nonce had been saved before."""

    decision: DecisionRow
    campaign: CampaignRow
    repeated: bool


def decide(workspace: Workspace, person: Person, *, entry_id: int, body: Mapping[str, Any]) -> DecisionRow:
    """Store a decision on an entry and return it; see `save_decision`."""
    return save_decision(workspace, person, entry_id=entry_id, body=body).decision


def save_decision(workspace: Workspace, person: Person, *, entry_id: int, body: Mapping[str, Any]) -> SavedDecision:
    """Store a decision as a new revision, once for its nonce.

    `body` has nonce, base_revision, basis, outcome, note, reason, confidence, taken_from, and what the protocol asks: codes,
    targets and correction of an audit, else fields. The basis `reopened` takes the decision that counts back.

    Raises:
        NotAllowed: the person does not adjudicate, or the entry waits for their own judgment.
        NotFound: no such entry.
        JudgmentInvalid: the body breaks the protocol, or its basis does not hold.
        JudgmentConflict: the newest revision is not `base_revision`; nothing was saved.
        CampaignClosed: the campaign is archived.
    """
    require_role(person, Role.ADJUDICATOR)
    row, campaign, dataset = _find(workspace, entry_id)
    require_unsealed(workspace, person, dataset, row)
    nonce, base, basis = nonce_of(body), base_revision_of(body), basis_of(body)
    answer, correction = checked_content(workspace, campaign, row, basis, body)
    new = NewDecision(
        entry_id=row.id,
        revision=base + 1,
        person_id=person.id,
        nonce=nonce,
        basis=basis,
        answer=answer,
        correction=correction,
        confidence=confidence_of(body.get("confidence")),
        taken_from=taken_from_of(body),
    )
    try:
        return _save(workspace, campaign, row, new)
    except WriteCollision:
        # PostgreSQL lets two writers read the same newest revision; the loser finds the winner's row the second time.
        return _save(workspace, campaign, row, new)


def _find(workspace: Workspace, entry_id: int) -> tuple[EntryRow, CampaignRow, DatasetRow]:
    with workspace.database.read() as connection:
        row = campaigns.entry_by_id(connection, entry_id)
        found = campaigns.by_id(connection, row.campaign_id) if row else None
    if row is None or found is None:
        raise NotFound(_NO_SUCH)
    campaign, dataset = workspace.campaign(found.id)
    require_not_archived(campaign, dataset)
    return row, campaign, dataset


def _save(workspace: Workspace, campaign: CampaignRow, row: EntryRow, asked: NewDecision) -> SavedDecision:
    with workspace.database.write() as connection:
        claims.hold_entries(connection, [row.id])
        newest = decisions.newest(connection, row.id)
        before = decisions.by_nonce(connection, asked.nonce)
        if before is not None:
            if before.person_id != asked.person_id or before.entry_id != row.id:
                raise JudgmentInvalid("this nonce belongs to another decision: make a fresh one.")
            return SavedDecision(before, campaign, repeated=True)
        _require_newest(connection, newest, base=asked.revision - 1)
        if asked.basis is Basis.REOPENED and (newest is None or not newest.counts):
            raise JudgmentInvalid("There is no decision on this entry to take back.")
        saved = decisions.add(connection, _completed(connection, campaign, row, asked, newest))
        decisions.reveal_to(connection, person_id=asked.person_id, entry_ids=[row.id])
        subject = {
            "campaign": campaign.name,
            "entry": row.number,
            "basis": saved.basis,
            "revision": saved.revision,
        }
        what = "decision-reopen" if asked.basis is Basis.REOPENED else "decision"
        activity.record(connection, what, subject, person_id=asked.person_id)
    return SavedDecision(saved, campaign, repeated=False)


def _require_newest(connection: Connection, newest: DecisionRow | None, *, base: int) -> None:
    """Refuse a decision that was made without knowing of the newest; of one that was taken back there is nothing to know."""
    known = {0} if newest is None else {newest.revision} if newest.counts else {newest.revision, 0}
    if base in known:
        return
    shown: JsonObject = {}
    if newest is not None:
        rows = judgments.newest_on(connection, [newest.entry_id])[newest.entry_id]
        shown = decision_json(newest, rows, called={})
    raise JudgmentConflict("This entry was decided anew meanwhile. Choose which decision counts.", shown)


def _completed(
    connection: Connection, campaign: CampaignRow, row: EntryRow, asked: NewDecision, newest: DecisionRow | None
) -> NewDecision:
    """Return the decision with what is known at the moment of saving: revision, judgments, whether they judged it too."""
    rows = judgments.newest_on(connection, [row.id])[row.id]
    taken = list(asked.taken_from)
    if asked.basis is not Basis.REOPENED:
        needed, is_over = needed_of(campaign, is_pilot=row.is_pilot)
        agreed, _ = agreed_state(protocol_of(campaign), rows, needed=needed, is_over=is_over)
        taken = sources_of(asked.basis, asked.answer, asked.correction, rows, named=taken, agreed=agreed)
    return NewDecision(
        entry_id=row.id,
        revision=1 if newest is None else newest.revision + 1,
        person_id=asked.person_id,
        nonce=asked.nonce,
        basis=asked.basis,
        answer=asked.answer,
        correction=asked.correction,
        confidence=asked.confidence,
        judgment_ids=[each.id for each in rows],
        taken_from=taken,
        is_own_judgment=any(each.person_id == asked.person_id for each in rows),
    )


def reopen(
    workspace: Workspace, person: Person, *, entry_id: int, base_revision: int | None = None, reason: str = ""
) -> DecisionRow:
    """Take the decision on an entry back, so that its judgments count again; return the row that says so.

    `base_revision` is the revision that was shown, None for whichever is the newest.

    Raises:
        NotAllowed, NotFound, JudgmentInvalid, JudgmentConflict, CampaignClosed: as `save_decision`.
    """
    if base_revision is None:
        with workspace.database.read() as connection:
            newest = decisions.newest(connection, entry_id)
        base_revision = newest.revision if newest else 0
    body = {
        "nonce": f"reopened-{uuid.uuid4().hex}",
        "base_revision": base_revision,
        "basis": Basis.REOPENED.value,
        "reason": reason,
    }
    return decide(workspace, person, entry_id=entry_id, body=body)
