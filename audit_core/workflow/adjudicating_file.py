"""Deciding the entries of a campaign from a file, all of it or nothing; the same file twice in a row changes nothing."""

from __future__ import annotations

import hashlib
import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from audit_core.domain import Role
from audit_core.importers.decisions_file import FileDecision, read_decisions_file
from audit_core.importers.judgment_rows import FileFaults
from audit_core.protocols import removal
from audit_core.protocols.audit import codes_to_text
from audit_core.storage import activity, claims, decisions, judgments
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.database import Connection
from audit_core.storage.decision_tables import Basis
from audit_core.storage.decisions import DecisionRow, NewDecision
from audit_core.storage.judgments import JudgmentRow
from audit_core.storage.people import Person
from audit_core.workflow.adjudication_rules import is_said_by, require_not_archived
from audit_core.workflow.decision_file_result import FileAdjudication as FileAdjudication
from audit_core.workflow.decision_wishes import DecisionWish, WishReader
from audit_core.workflow.roles import require_role
from audit_core.workflow.workspace import Workspace


def adjudicate_from_file(
    workspace: Workspace, person: Person, campaign_id: int, path: Path, *, dry_run: bool = False, again: bool = False
) -> FileAdjudication:
    """Decide entries of a campaign as a JSON Lines file says, all in one transaction, and return what that came to.

    A line names its entry by number, or a query, and then decides every entry of that query. `corrected_text`,
    `corrected_answer` and `corrected_evidence` become the correction of the decision. Whatever says otherwise than the decision that counts becomes
    its next revision, except where somebody decided by hand since this very line was read from a file: that stays, unless the
    file is read `again`. With `dry_run` nothing is stored.

    Raises:
        NotAllowed: the person does not adjudicate.
        NotFound: there is no such campaign.
        CampaignClosed: it is archived.
        BundleError: the file has faults; each is named by line and field, and nothing was stored.
    """
    require_role(person, Role.ADJUDICATOR)
    campaign, dataset = workspace.campaign(campaign_id)
    require_not_archived(campaign, dataset)
    faults = FileFaults(path.name, undone="decided")
    lines = list(read_decisions_file(path, faults, takes_remove=campaign.protocol == removal.name))
    wishes = WishReader(workspace, campaign, dataset, faults).wishes_of(lines)
    faults.raise_if_any()
    result = _unsorted(path, lines, wishes, is_dry_run=dry_run)
    if dry_run:
        with workspace.database.read() as connection:
            return _sorted_out(connection, campaign, person, wishes, result, again=again)[0]
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    with workspace.database.write() as connection:
        claims.hold_entries(connection, [each.row.id for each in wishes])
        result, new = _sorted_out(connection, campaign, person, wishes, result, again=again)
        decisions.add_many(connection, new)
        if new:
            subject = {"campaign": campaign.name, "file": path.name, "sha256": digest, "entries": len(new)}
            activity.record(connection, "decisions-file", subject, person_id=person.id)
    return result


def _unsorted(
    path: Path, lines: Sequence[FileDecision], wishes: Sequence[DecisionWish], *, is_dry_run: bool
) -> FileAdjudication:
    """Return what a file says, before it is held against what is decided already."""
    return FileAdjudication(
        file=path.name,
        is_dry_run=is_dry_run,
        lines=len(lines),
        decided=0,
        revised=0,
        unchanged=0,
        left=(),
        corrections=sum(bool(each.wanted or each.body.get("correction")) for each in lines),
        passed_over=sum(each.is_passed_over for each in lines),
        by_codes=dict(sorted(Counter(codes_to_text(each.answer.codes) for each in wishes).items())),
    )


def _sorted_out(
    connection: Connection,
    campaign: CampaignRow,
    person: Person,
    wishes: Sequence[DecisionWish],
    result: FileAdjudication,
    *,
    again: bool,
) -> tuple[FileAdjudication, list[NewDecision]]:
    """Return what the wishes come to beside what is decided now, and the decisions to be stored."""
    earlier: dict[int, list[DecisionRow]] = {}
    for each in decisions.all_of_campaign(connection, campaign.id):
        earlier.setdefault(each.entry_id, []).append(each)
    rows = judgments.newest_on(connection, [each.row.id for each in wishes])
    counts: Counter[str] = Counter()
    new, left = [], []
    for wish in wishes:
        before = earlier.get(wish.row.id, [])
        newest = before[-1] if before else None
        if newest is not None and newest.counts and wish.is_said_by(newest):
            counts["unchanged"] += 1
        elif not again and newest is not None and newest.basis != Basis.FILE and _was_read(wish, before):
            left.append(wish.row.number)
        else:
            counts["revised" if newest is not None and newest.counts else "decided"] += 1
            new.append(_decision(person, wish, rows[wish.row.id], newest))
    return (
        replace(
            result,
            decided=counts["decided"],
            revised=counts["revised"],
            unchanged=counts["unchanged"],
            left=tuple(left),
        ),
        new,
    )


def _was_read(wish: DecisionWish, before: Sequence[DecisionRow]) -> bool:
    """Return whether a file decided just that before."""
    return any(each.basis == Basis.FILE and wish.is_said_by(each) for each in before)


def _decision(
    person: Person, wish: DecisionWish, rows: Sequence[JudgmentRow], newest: DecisionRow | None
) -> NewDecision:
    return NewDecision(
        entry_id=wish.row.id,
        revision=1 if newest is None else newest.revision + 1,
        person_id=person.id,
        nonce=f"file-{uuid.uuid4().hex}",
        basis=Basis.FILE,
        answer=wish.answer,
        correction=wish.correction,
        confidence=wish.confidence,
        judgment_ids=[each.id for each in rows],
        taken_from=[each.id for each in rows if is_said_by(each, wish.answer, wish.correction)],
        is_own_judgment=any(each.person_id == person.id for each in rows),
    )
