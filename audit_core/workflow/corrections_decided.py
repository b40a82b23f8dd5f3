"""Corrections that the decisions of a campaign ask for, kept in step with them: proposing twice adds nothing new."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from audit_core.corrections.applying import QueryContent
from audit_core.corrections.coding import code_mended
from audit_core.corrections.deriving import changes_of
from audit_core.corrections.ground import Ground
from audit_core.corrections.records import Action, Change, CorrectionState
from audit_core.domain import IssueCode, JsonObject, Outcome, Role
from audit_core.errors import CorrectionError
from audit_core.storage import activity, campaigns, decisions
from audit_core.storage import corrections as stored
from audit_core.storage.campaigns import EntryRow
from audit_core.storage.corrections import CorrectionRow, MadeRelease, NewCorrection
from audit_core.storage.decisions import DecisionRow
from audit_core.storage.people import Person
from audit_core.workflow.correction_ground import proposal_pages
from audit_core.workflow.correction_standing import footing_of
from audit_core.workflow.corrections_proposing import counted, identity
from audit_core.workflow.corrections_revising import Left, is_released
from audit_core.workflow.roles import require_role
from audit_core.workflow.workspace import Workspace

#: The states of a correction that a decision need not propose again.
_KNOWN = (CorrectionState.PROPOSED, CorrectionState.ACCEPTED, CorrectionState.REJECTED)


@dataclass(slots=True)
class FromDecisions:
    """What came of a campaign's decisions: corrections that are new, the same as before, and superseded without a successor.

    `left` names by entry number what could not be derived, or is published and stays.
    """

    added: int = 0
    kept: int = 0
    superseded: int = 0
    left: list[Left] = field(default_factory=list)

    def as_json(self) -> JsonObject:
        """Return it as one JSON object."""
        left = [{"entry": each.id, "reason": each.reason} for each in self.left]
        return {"added": self.added, "kept": self.kept, "superseded": self.superseded, "left": left}

    @property
    def words(self) -> str:
        """It in one sentence."""
        return (
            f"{counted(self.added)} proposed; {self.kept:,} there already; {self.superseded:,} superseded that no decision asks "
            "for any more."
        )


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What the decision on one entry asks for."""

    entry: EntryRow
    decision: DecisionRow
    changes: list[tuple[Change, str | None]]


def propose_from_decisions(
    workspace: Workspace, person: Person, campaign_id: int, *, withdraws: bool = False
) -> FromDecisions:
    """Propose what the decisions of a campaign ask for; their authors are those who decided.

    A decision that was revised supersedes what it asked for before, be it proposed or accepted, unless that is published;
    what it asks for unchanged stays as it is, also rejected. With `withdraws`, a query that is decided N, and of which the
    decision proposes nothing, is proposed to be withdrawn.

    Raises:
        NotAllowed: the person is an annotator.
        NotFound: there is no such campaign.
    """
    require_role(person, Role.ADJUDICATOR)
    campaign, dataset = workspace.campaign(campaign_id)
    with workspace.database.read() as connection:
        entries = {each.id: each for each in campaigns.entries_of(connection, campaign_id)}
        newest = decisions.newest_of_campaign(connection, campaign_id, with_reopened=True)
        sets = _sets_in_use(stored.of_dataset(connection, dataset.id), campaign_id)
    asked = [each.correction for each in newest.values() if each.counts]
    queries = [entries[each].query_id for each in newest]
    footing = footing_of(workspace, dataset, queries, pages=proposal_pages(asked))
    made = FromDecisions()
    wanted: list[_Wanted] = []
    for entry_id, decision in newest.items():
        entry = entries[entry_id]
        try:
            content = footing.contents.get(entry.query_id)
            changes = _asked(decision, content, footing.ground, sets.setdefault(entry.query_id, set()), withdraws)
            wanted.append(_Wanted(entry, decision, changes))
        except CorrectionError as error:
            made.left.append(Left(entry.number, str(error)))
    with workspace.database.write() as connection:
        known = stored.of_entries(connection, list(newest))
        released = stored.releases_of(connection, dataset.id)
        steps = [_Step(made, each, released, known.get(each.entry.id, [])) for each in wanted]
        gone = {row.id for step in steps for row in step.gone()}
        there = [each for each in stored.of_dataset(connection, dataset.id) if each.is_live and each.id not in gone]
        asked_for = {identity(each.change) for each in there}
        new: list[NewCorrection] = []
        for step in steps:
            stored.attach(connection, step.same, step.decision_id)
            new += step.new(dataset.id, asked_for)
        stored.supersede(connection, sorted(gone))
        stored.add(connection, new)
        made.added, made.superseded = len(new), len(gone) - sum(each.replaces is not None for each in new)
        if new or made.superseded:
            subject = {"campaign": campaign.name, "corrections": made.added, "superseded": made.superseded}
            activity.record(connection, "correction-propose", subject, person_id=person.id)
    return made


def _sets_in_use(rows: Sequence[CorrectionRow], campaign_id: int) -> dict[str, set[str | None]]:
    """Return by query the sets that corrections from elsewhere name, whose names a new alternative must not take."""
    found: dict[str, set[str | None]] = {}
    for row in rows:
        if row.is_live and row.campaign_id != campaign_id and "set_id" in row.change.key:
            found.setdefault(row.query_id, set()).add(row.change.key["set_id"])
    return found


def _asked(
    decision: DecisionRow, content: QueryContent | None, ground: Ground, sets: set[str | None], withdraws: bool
) -> list[tuple[Change, str | None]]:
    if not decision.counts or decision.outcome != Outcome.JUDGED.value or content is None:
        return []
    changes = changes_of(decision.correction, content, ground, taken_sets=sets)
    if not changes and withdraws and not decision.correction and IssueCode.N.value in decision.codes:
        changes = [Change(content.query_id, Action.WITHDRAW, {}, None, None)]
    # The next entry of the same query takes another name for its alternative.
    sets |= {each.key.get("set_id") for each in changes}
    return [(each, code_mended(each.action, decision.codes)) for each in changes]


class _Step:
    """Holds what one decision asks for against the corrections that its entry has: what stays, goes, and comes."""

    def __init__(
        self, made: FromDecisions, wanted: _Wanted, released: Sequence[MadeRelease], rows: Sequence[CorrectionRow]
    ) -> None:
        self._made = made
        self._wanted = wanted
        self._missing: list[tuple[Change, str | None]] = []
        #: Ids of the rows that the newest decision asks for as well.
        self.same: list[int] = []
        chains = _chains(rows)
        for change, code in wanted.changes:
            first = next((each for each, chain in chains.items() if _asks_for(chain, change, code)), None)
            if first is None:
                self._missing.append((change, code))
                continue
            made.kept += 1
            self.same += [each.id for each in chains.pop(first)]
        self._ending = [chain[-1] for chain in chains.values() if self._may_end(chain[-1], released)]

    @property
    def decision_id(self) -> int:
        """The id of the decision."""
        return self._wanted.decision.id

    def gone(self) -> list[CorrectionRow]:
        """Return the rows that count no more: the decision asks for them otherwise, or not at all."""
        keys = {(change.action, str(change.key)) for change, _ in self._missing}
        return [each for each in self._ending if each.is_live or (each.change.action, str(each.change.key)) in keys]

    def new(self, dataset_id: int, asked_for: set[str]) -> list[NewCorrection]:
        """Return the corrections that come; what another decision or person asks for already (`asked_for`) is kept there."""
        found = []
        decision = self._wanted.decision
        reason = " ".join(each for each in (decision.reason, decision.note) if each)
        for change, code in self._missing:
            if identity(change) in asked_for:
                self._made.kept += 1
                continue
            asked_for.add(identity(change))
            earlier = self._earlier(change)
            author = decision.person_id
            found.append(NewCorrection(dataset_id, change, code, reason, author, decision.id, replaces=earlier))
        return found

    def _may_end(self, row: CorrectionRow, released: Sequence[MadeRelease]) -> bool:
        if not is_released(row, released):
            return row.state in _KNOWN
        reason = f"Correction {row.id} is part of a release and stays, though its decision asks for it no more."
        self._made.left.append(Left(self._wanted.entry.number, reason))
        return False

    def _earlier(self, change: Change) -> CorrectionRow | None:
        """Return the correction of the same thing whose later revision this one is; it ends with that."""
        for row in self._ending:
            if (row.change.action, row.change.key) == (change.action, change.key):
                self._ending.remove(row)
                return row
        return None


def _chains(rows: Sequence[CorrectionRow]) -> dict[int, list[CorrectionRow]]:
    """Return the revisions of each correction by the id of its first one, the newest last."""
    found: dict[int, list[CorrectionRow]] = {}
    for row in rows:
        found.setdefault(row.first_id, []).append(row)
    return found


def _asks_for(chain: Sequence[CorrectionRow], change: Change, code: str | None) -> bool:
    """Return whether a correction is what a decision asks for, as it is or as somebody revised it by hand since."""
    newest = chain[-1]
    return newest.state in _KNOWN and any(
        (each.change, each.code) == (change, code) and each.decision_id == newest.decision_id for each in chain
    )
