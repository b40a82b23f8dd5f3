"""Precedents while judging: decided cases like the one at hand, found by words, of which the person may know.

These are the person's own judgments with their answered questions, and what a lead made a rule for all; on this dataset
(any revision) or under the same protocol. Never: queries that wait for the person anywhere, the query at hand, rules on gold
queries. Own decisions on gold queries are found like all others: their absence would tell which queries are gold.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from audit_core.domain import JsonObject, Query
from audit_core.errors import NotFound, WriteCollision
from audit_core.storage import annotators, campaigns, decided_cases, precedents
from audit_core.storage.campaigns import EntryRow
from audit_core.storage.database import Connection
from audit_core.storage.decided_cases import CaseRow
from audit_core.storage.people import Person
from audit_core.storage.precedents import PrecedentRow
from audit_core.storage.yet_to_judge import Case, has_judged, waiting_cases
from audit_core.workflow.case_words import (
    SearchedWord,
    case_words,
    decision_line,
    decision_parts,
    fold,
    searched_words,
)
from audit_core.workflow.precedent_marks import Queries
from audit_core.workflow.workspace import Workspace

#: Most cases that one search gives.
FOUND_MAX = 50
#: Cases that are looked at together, and how often at most: what waits for the person is passed over.
_AT_ONCE, _ROUNDS = 200, 5
#: Newest own cases that are compared with the query at hand when nothing is searched for.
_COMPARED = 2_000
#: Judgments whose words are made in one request, and in one transaction of it.
WORDS_AT_ONCE, _STORED_AT_ONCE = 2_000, 500


@dataclass(frozen=True, slots=True)
class Found:
    """One case: a judgment of the person (`own`), a rule for all, or both where the rule rests on their judgment."""

    entry_id: int
    case: Case
    words: str
    own: CaseRow | None
    rule: PrecedentRow | None
    questions: tuple[tuple[str, str], ...] = ()
    query: Query | None = None
    can_open: bool = False

    @property
    def row(self) -> CaseRow | PrecedentRow:
        """What tells its entry and campaign."""
        found = self.own or self.rule
        assert found is not None
        return found


@dataclass(frozen=True, slots=True)
class Precedents:
    """What a search found, best first. `is_complete`: the words of all earlier judgments are made; else search again."""

    found: tuple[Found, ...]
    is_complete: bool
    is_search: bool


def search_precedents(
    workspace: Workspace, person: Person, *, entry_id: int, asked: str = "", count: int = 20
) -> Precedents:
    """Return the cases that have all words of `asked`; without words those most like the query of the entry.

    Raises:
        NotFound: no such entry.
    """
    count = max(1, min(count, FOUND_MAX))
    with workspace.database.read() as connection:
        entry = campaigns.entry_by_id(connection, entry_id)
        campaign = campaigns.by_id(connection, entry.campaign_id) if entry else None
    if entry is None or campaign is None:
        raise NotFound("There is no such entry. Go back to the list of campaigns.")
    dataset = workspace.dataset(campaign.dataset_id)
    with workspace.database.read() as connection:
        related = decided_cases.related_campaigns(connection, campaign, dataset_name=dataset.name)
    queries = Queries(workspace)
    is_complete = _make_words(workspace, person, related, queries)
    here = queries.get(dataset.id, entry.query_id)
    words = searched_words(asked)
    search = _Search(person, related, (dataset.name, entry.query_id), words)
    with workspace.database.read() as connection:
        found = search.with_words(connection) if words else search.like(connection, here)
        found = _with_questions(connection, person, found)
    found = [replace(each, query=queries.get(each.row.dataset_id, each.row.query_id)) for each in found]
    text = fold(here.text) if here else None
    found = [each for each in found if each.query is None or fold(each.query.text) != text]
    if words:
        found.sort(key=lambda each: -_score(each, words, entry))
    return Precedents(tuple(found[:count]), is_complete, bool(words))


def _make_words(workspace: Workspace, person: Person, campaign_ids: Sequence[int], queries: Queries) -> bool:
    """Make the words of the person's newest judgments that have none yet, some at a time; return whether all have them."""
    with workspace.database.read() as connection:
        missing = decided_cases.without_words(
            connection, person_id=person.id, campaign_ids=campaign_ids, count=WORDS_AT_ONCE
        )
        asked = decided_cases.answered_questions(
            connection, person_id=person.id, entry_ids=[each.entry_id for each in missing]
        )
    for start in range(0, len(missing), _STORED_AT_ONCE):
        part = missing[start : start + _STORED_AT_ONCE]
        words = {each.judgment_id: _own_words(queries, each, asked.get(each.entry_id, ())) for each in part}
        try:
            _store(workspace, words)
        except (
            WriteCollision
        ):  # the same person searches in two windows (PostgreSQL): what the other stored is passed over
            _store(workspace, words)
    return len(missing) < WORDS_AT_ONCE


def _store(workspace: Workspace, words: Mapping[int, str]) -> None:
    with workspace.database.write() as connection:
        decided_cases.store_words(connection, words)


def _own_words(queries: Queries, case: CaseRow, questions: Iterable[tuple[str, str]]) -> str:
    said = decision_parts(
        case.protocol, outcome=case.outcome, codes=case.codes, fields=case.answer or {}, reason=case.reason
    )
    parts = (case.note, *said, *(text for pair in questions for text in pair))
    query = queries.get(case.dataset_id, case.query_id)
    return case_words(query, *parts) if query else fold(" ".join(parts))


@dataclass(frozen=True, slots=True)
class _Search:
    """One search of one person. `here` is the query at hand."""

    person: Person
    campaign_ids: Sequence[int]
    here: Case
    words: Sequence[SearchedWord]

    def with_words(self, connection: Connection) -> list[Found]:
        """Return cases that have all words, rules before own ones, the newest first."""
        texts = [each.texts for each in self.words]

        def own(last: Found | None) -> list[Found]:
            rows = decided_cases.own_matches(
                connection, person_id=self.person.id, campaign_ids=self.campaign_ids, words=texts,
                before=last.own if last else None, count=_AT_ONCE,
            )  # fmt: skip
            return [_own(*each) for each in rows]

        def rules(last: Found | None) -> list[Found]:
            rows = precedents.matches(
                connection, campaign_ids=self.campaign_ids, words=texts,
                before=last.rule.id if last and last.rule else None, count=_AT_ONCE,
            )  # fmt: skip
            return [_rule(each) for each in rows]

        return self._merged(connection, [*self._visible(connection, rules), *self._visible(connection, own)])

    def _visible(self, connection: Connection, more: Callable[[Found | None], list[Found]]) -> list[Found]:
        found: list[Found] = []
        last = None
        for _ in range(_ROUNDS):
            part = more(last)
            found += self._known(connection, part)
            if len(part) < _AT_ONCE or len(found) >= FOUND_MAX:
                break
            last = part[-1]
        return found

    def _known(self, connection: Connection, found: Sequence[Found]) -> list[Found]:
        """Return those of some cases of which the person may know."""
        own = {each.case for each in found if each.own}
        rules = {each.case for each in found if each.rule}
        hidden_own = waiting_cases(connection, self.person.id, own, with_gold=False) | {self.here}
        hidden_rules = waiting_cases(connection, self.person.id, rules) | {self.here}
        return [each for each in found if each.case not in (hidden_rules if each.rule else hidden_own)]

    def _merged(self, connection: Connection, found: Sequence[Found]) -> list[Found]:
        """Return each query that the person decided once, with the rule that rests on their judgment; other rules apart."""
        mine = has_judged(connection, person_id=self.person.id, entry_ids=[each.entry_id for each in found])
        seats = annotators.seats_of(connection, self.person.id)
        rules = {
            each.rule.judgment_id: each.rule for each in found if each.rule and each.rule.judge_id == self.person.id
        }
        own = decided_cases.cases_of(connection, [each for each in rules if each], newest_only=True)
        kept: list[Found] = []
        seen: set[Case] = set()
        for each in found:
            if each.rule is not None and each.rule.judgment_id in own:
                each = replace(each, own=own[each.rule.judgment_id])
            if each.own is not None and each.case in seen:
                continue
            seen |= {each.case} if each.own else set()
            kept.append(replace(each, can_open=each.entry_id in mine and each.row.campaign_id in seats))
        return kept

    def like(self, connection: Connection, query: Query | None) -> list[Found]:
        """Return the cases that share the rarest words with the query at hand, among the newest; then the newest."""
        rows = decided_cases.own_matches(
            connection, person_id=self.person.id, campaign_ids=self.campaign_ids, words=(), before=None, count=_COMPARED
        )
        rules = precedents.matches(connection, campaign_ids=self.campaign_ids, words=(), before=None, count=_COMPARED)
        pool = [*(_rule(each) for each in rules), *(_own(*each) for each in rows)]
        tokens = [set(each.words.split()) for each in pool]
        counts = Counter(word for each in tokens for word in each)
        wanted = set(fold(query.text).split()) if query else set()
        weight = {word: math.log(1 + len(pool) / counts[word]) for word in wanted if word in counts}
        scores = [
            sum(weight[word] for word in wanted & own if word in weight) + (1.0 if each.rule else 0.0)
            for each, own in zip(pool, tokens, strict=True)
        ]
        best = sorted(range(len(pool)), key=lambda at: -scores[at])[: _AT_ONCE * 2]
        return self._merged(connection, self._known(connection, [pool[at] for at in best]))


def _own(row: CaseRow, words: str) -> Found:
    return Found(row.entry_id, (row.dataset_name, row.query_id), words, row, None)


def _rule(row: PrecedentRow) -> Found:
    return Found(row.entry_id, (row.dataset_name, row.query_id), row.words, None, row)


def _with_questions(connection: Connection, person: Person, found: Sequence[Found]) -> list[Found]:
    ids = [each.entry_id for each in found if each.own]
    asked = decided_cases.answered_questions(connection, person_id=person.id, entry_ids=ids)
    return [replace(each, questions=tuple(asked.get(each.entry_id, ())) if each.own else ()) for each in found]


def _score(found: Found, words: Sequence[SearchedWord], entry: EntryRow) -> float:
    """Return how well a case fits: words in what was said count most, then those in the query; whole words more than parts."""
    row = found.row
    said = fold(" ".join(filter(None, (row.note, row.reason, *(text for pair in found.questions for text in pair)))))
    if found.rule:
        said = fold(" ".join(filter(None, (said, found.rule.text, found.rule.question, found.rule.reply))))
    query = fold(found.query.text) if found.query else ""
    score = 2.0 if found.rule else 0.0
    for word in words:
        for place, value in ((said, 3.0), (query, 2.0), (found.words, 1.0)):
            text = next((each for each in word.texts if each in place), None)
            if text is not None:
                score += value + (1.0 if f" {text} " in f" {place} " else 0.0)
                break
    score += 0.25 * (row.source == entry.source) + 0.25 * (row.evidence_structure == entry.evidence_structure)
    return score


def found_json(found: Found) -> JsonObject:
    """Return a case as the judging surface shows it."""
    row, rule = found.row, found.rule
    decision = None
    if row.outcome is not None:
        decision = decision_line(row.protocol, outcome=row.outcome, codes=row.codes or "", fields=row.answer or {})
    return {
        "kind": "own" if found.own else "rule",
        "campaign": row.campaign_id,
        "campaign_name": row.campaign_name,
        "number": row.number,
        "can_open": found.can_open,
        "query_id": row.query_id,
        "query": found.query.text if found.query else "",
        "answer": found.query.answer if found.query else None,
        "language": found.query.language if found.query else None,
        "source": row.source,
        "structure": row.evidence_structure,
        "decision": decision,
        "note": row.note or "",
        "reason": row.reason or "",
        "saved_at": found.own.saved_at if found.own else None,
        "rule": {"text": rule.text, "by": rule.marked_by, "created_at": rule.created_at} if rule else None,
        "questions": [
            {"question": question, "answer": answer} for question, answer in (*found.questions, *_rule_question(rule))
        ],
    }


def _rule_question(rule: PrecedentRow | None) -> list[tuple[str, str]]:
    return [(rule.question, rule.reply or "")] if rule and rule.question is not None else []
