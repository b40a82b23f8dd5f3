"""Precedents for all: a lead makes an answered question, or somebody's decision, a rule, and takes it back."""

from __future__ import annotations

from dataclasses import dataclass

from audit_core.datasets.revision import Revision
from audit_core.domain import Query, Role
from audit_core.errors import AssayError, JudgmentInvalid, NotAllowed, NotFound
from audit_core.storage import activity, campaigns, datasets, decided_cases, flags, people, precedents
from audit_core.storage.decided_cases import CaseRow
from audit_core.storage.people import Person
from audit_core.storage.precedents import PrecedentRow
from audit_core.storage.yet_to_judge import waiting_cases
from audit_core.workflow.case_words import case_words, decision_line, decision_parts, fold
from audit_core.workflow.roles import require_role
from audit_core.workflow.workspace import Workspace
from audit_core.workflow.written_text import checked_text

#: Longest rule, in characters.
RULE_MAX = 500


@dataclass(frozen=True, slots=True)
class Decision:
    """Somebody's newest judgment on an entry, as a lead sees it; `line` says it in short."""

    case: CaseRow
    annotator: str
    line: str


class Queries:
    """Looks queries up in dataset revisions, which it remembers: many are looked up in one request."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._revisions: dict[int, Revision | None] = {}

    def get(self, dataset_id: int, query_id: str) -> Query | None:
        """Return a query of a dataset revision, None where its folder is gone or cannot be read."""
        try:
            if dataset_id not in self._revisions:
                self._revisions[dataset_id] = None
                self._revisions[dataset_id] = self._workspace.revision(self._workspace.dataset(dataset_id))
            revision = self._revisions[dataset_id]
            return revision.query(query_id) if revision is not None else None
        except AssayError:
            return None


def decisions_on(workspace: Workspace, person: Person, *, campaign_id: int, number: int) -> list[Decision]:
    """Return what everybody decided on an entry, the oldest first.

    Raises:
        NotAllowed: the person does not lead, or the query waits for them in a campaign in which they judge.
        NotFound: the campaign has no such entry.
    """
    require_role(person, Role.LEAD)
    _, dataset = workspace.campaign(campaign_id)
    with workspace.database.read() as connection:
        entry = campaigns.entry_by_number(connection, campaign_id, number)
        if entry is None:
            raise NotFound(f"This campaign has no entry {number}.")
        case = {(dataset.name, entry.query_id)}
        if waiting_cases(connection, person.id, case, with_gold=False, only_where_active=True):
            raise NotAllowed("You judge in this campaign and have yet to judge this query: judge it first.")
        names = people.names(connection)
        found = decided_cases.newest_on_entry(connection, entry.id)
    return [Decision(each, names.get(who, ""), _line(each)) for each, who in found]


def _line(case: CaseRow) -> str:
    return decision_line(case.protocol, outcome=case.outcome, codes=case.codes, fields=case.answer or {})


def mark_decision(workspace: Workspace, person: Person, *, judgment_id: int, text: object) -> int:
    """Make a judgment a precedent with a rule, replacing its earlier rule, and return the precedent's id.

    Raises:
        NotAllowed: the person does not lead.
        NotFound: no such judgment.
        JudgmentInvalid: the rule is empty or cannot be kept, or the entry is a gold entry.
    """
    require_role(person, Role.LEAD)
    rule = checked_text(text, "rule", longest=RULE_MAX)
    with workspace.database.read() as connection:
        case = decided_cases.cases_of(connection, [judgment_id]).get(judgment_id)
    if case is None:
        raise NotFound("There is no such judgment: reload the page.")
    said = decision_parts(
        case.protocol, outcome=case.outcome, codes=case.codes, fields=case.answer or {}, reason=case.reason
    )
    words = _words(Queries(workspace).get(case.dataset_id, case.query_id), rule, case.note, *said)
    with workspace.database.write() as connection:
        _refuse_gold(campaigns.entry_by_id(connection, case.entry_id))
        made = precedents.put(
            connection, entry_id=case.entry_id, text=rule, words=words, person_id=person.id, judgment_id=judgment_id
        )
        activity.record(connection, "precedent-mark", {"judgment": judgment_id}, person_id=person.id)
    return made


def mark_question(workspace: Workspace, person: Person, *, flag_id: int, text: object) -> int:
    """Make an answered question a precedent with a rule, replacing its earlier rule, and return the precedent's id.

    Raises:
        NotAllowed: the person does not lead.
        NotFound: no such question.
        JudgmentInvalid: the question has no answer yet, the rule cannot be kept, or the entry is a gold entry.
    """
    require_role(person, Role.LEAD)
    rule = checked_text(text, "rule", longest=RULE_MAX)
    with workspace.database.write() as connection:
        asked = flags.by_id(connection, flag_id)
        if asked is None:
            raise NotFound("There is no such question: reload the list.")
        if asked.answered_at is None:
            raise JudgmentInvalid("This question has no answer yet: answer it first.")
        entry = campaigns.entry_by_id(connection, asked.entry_id)
        _refuse_gold(entry)
        campaign = campaigns.by_id(connection, entry.campaign_id) if entry else None
        dataset = datasets.by_id(connection, campaign.dataset_id) if campaign else None
        if entry is None or dataset is None:
            raise NotFound("The entry of this question is gone: reload the list.")
        words = _words(Queries(workspace).get(dataset.id, entry.query_id), rule, asked.question, asked.answer or "")
        made = precedents.put(
            connection, entry_id=asked.entry_id, text=rule, words=words, person_id=person.id, flag_id=flag_id
        )
        activity.record(connection, "precedent-mark", {"flag": flag_id}, person_id=person.id)
    return made


def refresh_question(workspace: Workspace, flag_id: int) -> None:
    """Let the rule that rests on a question be found by its answer as it is now; nothing where it is no rule."""
    with workspace.database.read() as connection:
        found = precedents.by_flag(connection, flag_id)
    if found is not None:
        query = Queries(workspace).get(found.dataset_id, found.query_id)
        words = _words(query, found.text, found.question or "", found.reply or "")
        with workspace.database.write() as connection:
            precedents.set_words(connection, found.id, words)


def _words(query: Query | None, *parts: str) -> str:
    return case_words(query, *parts) if query else fold(" ".join(parts))


def _refuse_gold(entry: campaigns.EntryRow | None) -> None:
    if entry is not None and entry.gold is not None:
        raise JudgmentInvalid("This is a gold entry: a precedent would give its right answer away.")


def unmark(workspace: Workspace, person: Person, precedent_id: int) -> None:
    """Take a precedent back; the decision or the question stays. One that is gone already is fine.

    Raises:
        NotAllowed: the person does not lead.
    """
    require_role(person, Role.LEAD)
    with workspace.database.write() as connection:
        precedents.delete(connection, precedent_id)
        activity.record(connection, "precedent-unmark", {"precedent": precedent_id}, person_id=person.id)


def list_precedents(workspace: Workspace, person: Person, campaign_id: int) -> list[PrecedentRow]:
    """Return the precedents of a campaign for whoever leads it, the newest first.

    Those on queries that wait for the person where they judge are left out.

    Raises:
        NotAllowed: the person is an annotator.
    """
    require_role(person, Role.ADJUDICATOR)
    with workspace.database.read() as connection:
        found = precedents.of_campaign(connection, campaign_id)
        cases = {(each.dataset_name, each.query_id) for each in found}
        waiting = waiting_cases(connection, person.id, cases, with_gold=False, only_where_active=True)
    return [each for each in found if (each.dataset_name, each.query_id) not in waiting]
