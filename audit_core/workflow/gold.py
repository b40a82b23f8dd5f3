"""Gold entries: what is known to be right on them, and how often each annotator says it.

Gold entries are shown like all others, and nobody is told which they are. They enter no estimate, no label and no export.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from audit_core import registry
from audit_core.domain import JsonObject, Outcome
from audit_core.errors import AssayError, JudgmentInvalid
from audit_core.protocols.audit import codes_to_text
from audit_core.statistics.intervals import Interval, wilson
from audit_core.storage import campaigns, decisions, judgments, team_progress
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.database import Connection
from audit_core.workflow.workspace import Workspace

#: What a row of right answers may have beside the fields of the protocol.
_COLUMNS = ("query_id", "outcome", "codes", "fields", "note", "source", "evidence_structure")


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    """The right answer on a query: {"outcome", "codes", "fields"}, as `gold_answers` gives it."""

    query_id: str
    answer: JsonObject


@dataclass(frozen=True, slots=True)
class GoldAccuracy:
    """How one annotator does on gold queries: `right` of `answered` distinct ones, by the first answer on each.

    `cannot_judge` counts those on which the first answer was "cannot judge"; they are in neither number. The interval is a
    Wilson interval of right / answered.
    """

    right: int
    answered: int
    cannot_judge: int

    @property
    def interval(self) -> Interval:
        """The share right with its 95 % interval; undefined where nothing was answered."""
        return wilson(self.right, self.answered)

    def as_json(self) -> JsonObject:
        """Return the counts and the interval, as parts of 1."""
        found = self.interval
        return {
            "right": self.right,
            "answered": self.answered,
            "cannot_judge": self.cannot_judge,
            "share": found.estimate,
            "low": found.low,
            "high": found.high,
            "method": found.method,
        }


def gold_answers(protocol: str, rows: Iterable[Mapping[str, Any]], *, where: str) -> tuple[GoldAnswer, ...]:
    """Return right answers from rows with `query_id` and what the protocol asks: `codes` of an audit, else its fields.

    Fields stand in `fields`, or as columns of their own. `where` names the file, for messages.

    Raises:
        NotFound: there is no such protocol.
        AssayError: a row has no query, is no answer of the protocol, or the query stands twice; names the row.
    """
    module = registry.look_up("audit_core.protocols", protocol)
    found: dict[str, GoldAnswer] = {}
    for number, row in enumerate(rows, start=1):
        query_id = row.get("query_id")
        if not isinstance(query_id, str) or not query_id:
            raise AssayError(f"{where}, row {number}, field query_id: found {query_id!r}; name the query.")
        if query_id in found:
            raise AssayError(f"{where}, row {number}, field query_id: {query_id!r} stands twice. Name each query once.")
        found[query_id] = GoldAnswer(query_id, _answer(module, row, where=f"{where}, row {number}"))
    return tuple(found.values())


def _answer(protocol: ModuleType, row: Mapping[str, Any], *, where: str) -> JsonObject:
    codes = row.get("codes") or ""
    fields = row.get("fields")
    if fields is None:
        fields = {name: value for name, value in row.items() if name not in _COLUMNS and value is not None}
    if protocol.name == "audit" and fields:
        raise AssayError(f"{where}: {next(iter(fields))!r} is none of the columns query_id, outcome and codes.")
    body = {
        "outcome": row.get("outcome") or Outcome.JUDGED.value,
        "codes": "".join(codes) if isinstance(codes, list) and all(isinstance(each, str) for each in codes) else codes,
        "fields": fields,
    }
    try:
        answer = protocol.parse(body)
    except JudgmentInvalid as error:
        raise AssayError(f"{where}: {error}") from error
    if answer.outcome is not Outcome.JUDGED:
        raise AssayError(f"{where}, field outcome: a right answer is one; leave out queries that cannot be judged.")
    return {"outcome": answer.outcome.value, "codes": codes_to_text(answer.codes), "fields": answer.fields}


def gold_from_campaign(
    workspace: Workspace, campaign: CampaignRow, *, query_ids: Collection[str] | None = None
) -> tuple[GoldAnswer, ...]:
    """Return right answers from a campaign: what was decided on its entries, else what all its judgments say.

    An entry without a decision gives one where it has all its judgments and they say the same; one that was decided "cannot
    judge" gives none. Compared is what the protocol compares between annotators; notes and texts are left out. A query with
    two such entries that differ gives none.
    """
    protocol = registry.look_up("audit_core.protocols", campaign.protocol)
    with workspace.database.read() as connection:
        entries = {each.id: each for each in campaigns.judged_entries(connection, campaign.id)}
        said: dict[int, list[JsonObject]] = {}
        for row in judgments.of_campaign(connection, campaign.id):
            if row.entry_id in entries and row.outcome == Outcome.JUDGED:
                compared = compared_part(protocol, row.codes, row.answer or {})
                said.setdefault(row.entry_id, []).append(compared)
        for decision in decisions.newest_of_campaign(connection, campaign.id).values():
            if decision.entry_id in entries:
                is_answer = decision.outcome == Outcome.JUDGED
                compared = compared_part(protocol, decision.codes, decision.answer or {})
                # A decision stands for as many judgments as the entry needs.
                said[decision.entry_id] = [compared] * campaign.judgments_per_entry if is_answer else []
    found: dict[str, JsonObject | None] = {}
    for entry_id, answers in said.items():
        query_id = entries[entry_id].query_id
        if query_ids is not None and query_id not in query_ids:
            continue
        if not answers:
            found[query_id] = None
            continue
        agreed = len(answers) >= campaign.judgments_per_entry and all(each == answers[0] for each in answers)
        right = answers[0] if agreed and found.get(query_id, answers[0]) == answers[0] else None
        found[query_id] = right
    return tuple(
        GoldAnswer(query_id, {"outcome": Outcome.JUDGED.value, **right})
        for query_id, right in sorted(found.items())
        if right is not None
    )


def compared_part(protocol: ModuleType, codes: str, fields: Mapping[str, Any]) -> JsonObject:
    """Return of an answer what is compared between annotators: {"codes", "fields"}."""
    names = [each.field for each in protocol.AGREEMENT]
    return {
        "codes": codes if "codes" in names else "",
        "fields": {each: fields[each] for each in dict.fromkeys(names) if each in fields},
    }


def is_right(protocol: ModuleType, gold: Mapping[str, Any], *, codes: str, fields: Mapping[str, Any]) -> bool:
    """Return whether an answer says what the right one says; what the right one leaves open may be anything."""
    right = compared_part(protocol, gold.get("codes") or "", gold.get("fields") or {})
    said = compared_part(protocol, codes, fields)
    return right["codes"] == said["codes"] and all(
        said["fields"].get(name) == value for name, value in right["fields"].items()
    )


def gold_accuracies(
    connection: Connection, campaign: CampaignRow, *, pilot_only: bool = False
) -> dict[int, GoldAccuracy]:
    """Return how each person who answered a gold entry does, by person id; of the gold entries of the pilot, or of all.

    A query counts once for a person, with the first thing that they said of it, whatever they changed later and however many
    gold entries have it.
    """
    protocol = registry.look_up("audit_core.protocols", campaign.protocol)
    first: dict[tuple[int, str], team_progress.GoldJudgment] = {}
    for each in team_progress.gold_judgments(connection, campaign.id, pilot_only=pilot_only):
        first.setdefault((each.person_id, each.query_id), each)
    counts: dict[int, list[int]] = {}
    for (person_id, _), each in first.items():
        count = counts.setdefault(person_id, [0, 0, 0])
        if each.outcome != Outcome.JUDGED:
            count[2] += 1
            continue
        count[1] += 1
        count[0] += is_right(protocol, each.gold, codes=each.codes, fields=each.answer)
    return {person_id: GoldAccuracy(*count) for person_id, count in counts.items()}
