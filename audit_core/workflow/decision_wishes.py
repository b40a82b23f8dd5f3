"""What the lines of a file decide of a campaign's entries, each checked against its protocol and dataset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType

from audit_core.corrections.applying import QueryContent
from audit_core.corrections.ground import Ground
from audit_core.domain import Answer, JsonObject, Outcome
from audit_core.errors import CorrectionError, JudgmentInvalid
from audit_core.importers.decisions_file import COLUMNS, WANTED, FileDecision
from audit_core.importers.judgment_rows import FileFaults
from audit_core.protocols.audit import codes_to_text
from audit_core.storage import campaigns
from audit_core.storage.campaigns import CampaignRow, EntryRow
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.decisions import DecisionRow
from audit_core.workflow.adjudication_rules import checked_body, confidence_of
from audit_core.workflow.answer_check import protocol_of
from audit_core.workflow.correction_ground import contents_of, ground_of
from audit_core.workflow.wanted_content import as_steps, checked_wanted
from audit_core.workflow.workspace import Workspace

_COLUMN_OF = {part: column for column, part in WANTED.items()}


@dataclass(frozen=True, slots=True)
class DecisionWish:
    """What a line decides of one entry, checked."""

    row: EntryRow
    answer: Answer
    correction: JsonObject | None
    confidence: str | None

    def is_said_by(self, decision: DecisionRow) -> bool:
        """Return whether a decision says just that, the reason and the note as well."""
        mine = (self.correction, self.confidence, self.answer.note, self.answer.reason)
        theirs = (decision.correction, decision.confidence, decision.note, decision.reason)
        return mine == theirs and _says_the_same(decision, self.answer)


def _says_the_same(decision: DecisionRow, answer: Answer) -> bool:
    """Return whether a decision has just this outcome, these codes, targets and fields."""
    said = (decision.outcome, decision.codes, decision.targets, decision.answer or {})
    return said == (answer.outcome.value, codes_to_text(answer.codes), answer.targets, answer.fields)


class WishReader:
    """Checks the lines of a file against a campaign and its dataset; what is wrong is put among the faults."""

    def __init__(self, workspace: Workspace, campaign: CampaignRow, dataset: DatasetRow, faults: FileFaults) -> None:
        self._workspace = workspace
        self._campaign = campaign
        self._dataset = dataset
        self._faults = faults
        self._protocol: ModuleType = protocol_of(campaign)
        with workspace.database.read() as connection:
            entries = campaigns.entries_of(connection, campaign.id)
        self._by_number = {each.number: each for each in entries}
        self._by_query: dict[str, list[EntryRow]] = {}
        for each in entries:
            self._by_query.setdefault(each.query_id, []).append(each)

    def wishes_of(self, lines: Sequence[FileDecision]) -> list[DecisionWish]:
        """Return what the lines decide, one an entry; a line that is wrong is among the faults and decides nothing."""
        contents, ground = self._ground(lines)
        found: list[DecisionWish] = []
        seen: dict[int, int] = {}
        for line in lines:
            for row in self._entries(line):
                if row.id in seen:
                    self._faults.add(
                        line.place,
                        "query_id" if line.entry is None else "entry",
                        row.query_id if line.entry is None else row.number,
                        f"line {seen[row.id]} decides this entry already: leave one of the two",
                    )
                    break
                seen[row.id] = line.place
                if (wish := self._wish(line, row, contents.get(row.query_id), ground)) is None:
                    break
                found.append(wish)
        return found

    def _ground(self, lines: Sequence[FileDecision]) -> tuple[dict[str, QueryContent], Ground]:
        """Return the queries that lines correct, and the pages that they and the lines name."""
        revision = self._workspace.revision(self._dataset)
        correcting = [line for line in lines if line.wanted]
        queries = [row.query_id for line in correcting for row in self._entries(line, says_faults=False)]
        contents = contents_of(revision, queries)
        pages = [piece["page_id"] for each in contents.values() for piece in each.evidence]
        for line in correcting:
            evidence = line.wanted.get("evidence")
            pages += (
                [each.get("page_id") for each in evidence if isinstance(each, dict)]
                if isinstance(evidence, list)
                else []
            )
        return contents, ground_of(revision, [each for each in pages if isinstance(each, str)])

    def _entries(self, line: FileDecision, *, says_faults: bool = True) -> list[EntryRow]:
        if line.entry is not None:
            row = self._by_number.get(line.entry)
            if row is not None and line.query_id in (None, row.query_id):
                return [row]
            expected = f"campaign {self._campaign.name} has no such entry: it has 1 to {len(self._by_number)}"
            if row is not None:
                expected = (
                    f"this entry asks about {row.query_id!r}, and the line names another query: correct one of the two"
                )
            field, value = "entry", str(line.entry)
        else:
            assert line.query_id is not None
            if line.query_id in self._by_query:
                return self._by_query[line.query_id]
            field, value, expected = "query_id", line.query_id, f"campaign {self._campaign.name} has no such query"
        if says_faults:
            self._faults.add(line.place, field, value, expected)
        return []

    def _wish(
        self, line: FileDecision, row: EntryRow, content: QueryContent | None, ground: Ground
    ) -> DecisionWish | None:
        """Return what a line decides of one entry; None where it is wrong."""
        try:
            answer, proposed = checked_body(self._workspace, self._campaign, row, line.body)
            confidence = confidence_of(line.body.get("confidence"))
        except JudgmentInvalid as error:
            self._say(line, str(error))
            return None
        if not line.wanted:
            return DecisionWish(row, answer, proposed, confidence)
        try:
            if getattr(self._protocol, "FIELDS", ()):
                raise CorrectionError(
                    f"{_COLUMN_OF[next(iter(line.wanted))]} belongs to the audit protocol: take it out of this file."
                )
            assert content is not None, "an entry's query is in its dataset"
            wanted = checked_wanted(line.wanted, content, ground, names=_COLUMN_OF)
        except CorrectionError as error:
            self._say(line, str(error))
            return None
        if wanted is not None and answer.outcome == Outcome.JUDGED and not answer.codes:
            self._say(
                line,
                f"{_COLUMN_OF[next(iter(wanted))]} corrects a query that the line calls correct (codes is empty): give the "
                "codes of what is wrong with it, or take the correction out",
            )
            return None
        if wanted is not None:
            wanted = as_steps(self._workspace, self._campaign, row, wanted, content, ground)
        return DecisionWish(row, answer, wanted, confidence)

    def _say(self, line: FileDecision, message: str) -> None:
        """Note what is wrong with a line; the first word of a message is the field, unless it is none."""
        word, _, rest = message.partition(" ")
        field = word.rstrip(":")
        known = {*COLUMNS, *(each.name for each in getattr(self._protocol, "FIELDS", ()))}
        is_field = field.split("[")[0].split(".")[0] in known
        self._faults.add(line.place, field if is_field else None, None, rest if is_field else message)
