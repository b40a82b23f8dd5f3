"""Accepting the unanimous entries of a campaign together: each is decided as its judgments say, in one transaction."""

from __future__ import annotations

import json
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from audit_core.domain import Answer, JsonObject, Outcome, Role
from audit_core.errors import WriteCollision
from audit_core.protocols.audit import codes_from_text
from audit_core.storage import activity, claims, decisions, judgment_lists, judgments
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.database import Connection
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.decision_tables import Basis
from audit_core.storage.decisions import DecisionRow, NewDecision
from audit_core.storage.judgments import JudgmentRow
from audit_core.storage.people import Person
from audit_core.workflow.adjudication_rules import require_not_archived
from audit_core.workflow.adjudication_states import Standing, agreed_of_campaign, agreed_state, needed_of
from audit_core.workflow.adjudication_view import SEALED, sealed_queries
from audit_core.workflow.answer_check import protocol_of
from audit_core.workflow.roles import require_role
from audit_core.workflow.workspace import Workspace

_WHY = {
    Standing.SINGLE: "it has one judgment alone: read it a second time",
    Standing.OPEN: "it does not have all its judgments yet",
}


@dataclass(frozen=True, slots=True)
class Accepted:
    """How many unanimous entries were accepted together; `left` are the others, by number, with the reason."""

    accepted: int
    left: tuple[tuple[int, str], ...]

    def as_json(self) -> JsonObject:
        """Return it as one JSON document."""
        return {
            "accepted": self.accepted,
            "left": [{"number": number, "reason": reason} for number, reason in self.left],
        }


def accept_unanimous(
    workspace: Workspace, person: Person, campaign_id: int, numbers: Collection[int] | None = None
) -> Accepted:
    """Decide unanimous entries of a campaign as their judgments say, all in one transaction.

    `numbers` are those that were looked at, None for all that are unanimous now. What is not unanimous (any more) or waits
    for the person's own judgment is left, with the reason.

    Raises:
        NotAllowed: the person does not adjudicate.
        NotFound: there is no such campaign.
        CampaignClosed: it is archived.
    """
    require_role(person, Role.ADJUDICATOR)
    campaign, dataset = workspace.campaign(campaign_id)
    require_not_archived(campaign, dataset)
    try:
        return _accept(workspace, person, campaign, dataset, numbers)
    except WriteCollision:  # PostgreSQL: somebody decided one of them at the same moment
        return _accept(workspace, person, campaign, dataset, numbers)


@dataclass(frozen=True, slots=True)
class _Asked:
    """One of a campaign's entries that shall be accepted."""

    number: int
    entry_id: int
    query_id: str
    is_pilot: bool


def _accept(
    workspace: Workspace, person: Person, campaign: CampaignRow, dataset: DatasetRow, numbers: Collection[int] | None
) -> Accepted:
    asked, left = _asked_for(workspace, campaign, numbers)
    sealed = sealed_queries(workspace, person, dataset, [each.query_id for each in asked])
    left |= {each.number: SEALED for each in asked if each.query_id in sealed}
    open_ones = [each for each in asked if each.query_id not in sealed]
    with workspace.database.read() as connection:
        mark = judgments.stamp(connection), decisions.stamp(connection)
        new, hindered = _sorted_out(connection, person, campaign, open_ones)
    with workspace.database.write() as connection:
        claims.hold_entries(connection, [each.entry_id for each in open_ones])
        if mark != (judgments.stamp(connection), decisions.stamp(connection)):
            # Somebody judged or decided meanwhile. Else nothing is read while others wait.
            new, hindered = _sorted_out(connection, person, campaign, open_ones)
        decisions.add_many(connection, new)
        decisions.reveal_to(connection, person_id=person.id, entry_ids=[each.entry_id for each in new])
        if new:
            subject = {"campaign": campaign.name, "entries": len(new)}
            activity.record(connection, "decisions-unanimous", subject, person_id=person.id)
    return Accepted(len(new), tuple(sorted((left | hindered).items())))


def _sorted_out(
    connection: Connection, person: Person, campaign: CampaignRow, asked: Sequence[_Asked]
) -> tuple[list[NewDecision], dict[int, str]]:
    """Return the decisions on entries that can be accepted, and why the others cannot, by number."""
    rows = judgments.newest_on(connection, [each.entry_id for each in asked])
    before = decisions.newest_of_campaign(connection, campaign.id, with_reopened=True)
    new, hindered = [], {}
    for each in asked:
        why = _hindrance(campaign, each, rows[each.entry_id], before)
        if why is None:
            new.append(_decision(person, each, rows[each.entry_id], before))
        else:
            hindered[each.number] = why
    return new, hindered


def _asked_for(
    workspace: Workspace, campaign: CampaignRow, numbers: Collection[int] | None
) -> tuple[list[_Asked], dict[int, str]]:
    """Return the entries that shall be accepted, and why some numbers are none."""
    with workspace.database.read() as connection:
        index = judgment_lists.entry_index(connection, campaign.id)
        decided = decisions.decided_ids(connection, campaign.id)
    if numbers is None:
        unanimous = {
            each.number for each in agreed_of_campaign(workspace, campaign) if each.state is Standing.UNANIMOUS
        }
        wanted = {row[0] for row in index if row[0] in unanimous and row[1] not in decided}
    else:
        wanted = set(numbers)
    asked = [_Asked(*row[:4]) for row in index if row[0] in wanted]
    nowhere = wanted - {each.number for each in asked}
    return asked, dict.fromkeys(nowhere, "the campaign has no entry of that number")


def _hindrance(
    campaign: CampaignRow, asked: _Asked, rows: Sequence[JudgmentRow], before: Mapping[int, DecisionRow]
) -> str | None:
    """Return why an entry cannot be accepted, None where it can."""
    if asked.entry_id in before and before[asked.entry_id].counts:
        return "it is decided already"
    needed, is_over = needed_of(campaign, is_pilot=asked.is_pilot)
    state, disputes = agreed_state(protocol_of(campaign), rows, needed=needed, is_over=is_over)
    if state is Standing.DISPUTED:
        return f"the judgments differ in {', '.join(disputes)}"
    return _WHY.get(state)


def accepted_of(rows: Sequence[JudgmentRow]) -> JudgmentRow:
    """Return the judgment whose words are taken where all say the same: the fullest, and of equal ones the first."""
    judged = [row for row in rows if row.outcome == Outcome.JUDGED]
    return max(judged, key=lambda row: (len(row.answer or {}), -row.id))


def acceptance_json(rows: Sequence[JudgmentRow]) -> JsonObject:
    """Return what accepting a unanimous entry would decide; `boxes_differ`: others drew a box of it a little otherwise."""
    taken = accepted_of(rows)
    boxes = [_boxes(row) for row in rows if row.outcome == Outcome.JUDGED]
    return {
        "judgment": taken.id,
        "outcome": taken.outcome,
        "codes": taken.codes,
        "fields": taken.answer or {},
        "targets": taken.targets,
        "correction": taken.correction,
        "boxes_differ": any(each != _boxes(taken) for each in boxes),
    }


def _boxes(row: JudgmentRow) -> list[str]:
    """Return all boxes that a judgment draws, in one order: of its correction, and of its fields."""
    drawn = list((row.correction or {}).get("boxes", ()))
    for value in (row.answer or {}).values():
        drawn += [each for each in value if isinstance(each, dict) and "box" in each] if isinstance(value, list) else []
    return sorted(json.dumps(each, sort_keys=True) for each in drawn)


def _decision(
    person: Person, asked: _Asked, rows: Sequence[JudgmentRow], before: Mapping[int, DecisionRow]
) -> NewDecision:
    """Return the decision that says what all say; of what only some say, such as a criterion left open, the most said."""
    judged = [row for row in rows if row.outcome == Outcome.JUDGED]
    fullest = accepted_of(rows)
    earlier = before.get(asked.entry_id)
    return NewDecision(
        entry_id=asked.entry_id,
        revision=1 if earlier is None else earlier.revision + 1,
        person_id=person.id,
        nonce=f"unanimous-{uuid.uuid4().hex}",
        basis=Basis.UNANIMOUS,
        answer=Answer(codes=codes_from_text(fullest.codes), targets=fullest.targets, fields=fullest.answer or {}),
        correction=fullest.correction,
        judgment_ids=[row.id for row in rows],
        taken_from=[row.id for row in judged],
        is_own_judgment=any(row.person_id == person.id for row in rows),
    )
