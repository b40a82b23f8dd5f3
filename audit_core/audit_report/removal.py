"""The report of a removal campaign: how many entries are to be removed, and how the criteria were rated.

The share in question is that of entries to remove, among the decided ones. What an entry comes to, the strata and the
estimate for all queries are reckoned as in the audit report, with "remove" as what is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from audit_core.audit_report.benchmark import check_design
from audit_core.audit_report.entry_values import entry_value
from audit_core.audit_report.records import (
    EntryOutcome,
    ReportContext,
    ReportRow,
    RowKind,
    UnjudgedEntries,
)
from audit_core.audit_report.table import table_rows
from audit_core.audit_report.verdict_words import REMOVE, adjudicated_notes, headline, notes, sealed_notes
from audit_core.audit_report.verdicts import WholeEstimate, whole_estimate
from audit_core.audit_report.wording import carried_sentence, design_sentence, left_out_sentence
from audit_core.domain import Answer, EntryState, IssueCode, Outcome, SampleDesign
from audit_core.protocols.removal import CRITERIA, STEPS
from audit_core.statistics.clustered import entries_sharing_documents
from audit_core.statistics.intervals import Interval, check_confidence

_RATINGS = (
    "Ratings of the criteria are counted by judgment (the newest of each annotator on an entry), from 0 (bad) to 1 (good); "
    "what was left open is not 0."
)


@dataclass(frozen=True, slots=True)
class RemovalAnswer:
    """What one annotator said of one entry: `remove` is None for "cannot judge"; `criteria` are those that were rated."""

    remove: bool | None
    criteria: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class JudgedEntry:
    """An entry with a judgment: the newest answer of each annotator, at most one an annotator.

    `decision` is the adjudicated one, None where there is none; it counts whatever the annotators say.
    """

    entry: int
    query_id: str
    source: str
    evidence_structure: str
    document_ids: frozenset[str]
    answers: tuple[RemovalAnswer, ...]
    decision: RemovalAnswer | None = None


@dataclass(frozen=True, slots=True)
class RemovalRow:
    """One line of the table; counts are of entries: `entries` = `keep` + `remove` + `disputed` + `cannot_judge` + `not_judged`.

    `interval` is that of `remove` among the decided entries (`keep` + `remove`), plain Wilson. `population` and `drawn`
    are the design's number of queries, None without a design that names them.
    """

    kind: RowKind
    source: str | None
    evidence_structure: str | None
    entries: int
    keep: int
    remove: int
    disputed: int
    cannot_judge: int
    not_judged: int
    distinct_queries: int
    interval: Interval
    population: int | None
    drawn: int | None

    @property
    def decided(self) -> int:
        """Entries to keep or to remove."""
        return self.keep + self.remove

    @property
    def undecided(self) -> int:
        """Entries without a decision: disputed, cannot judge or not judged."""
        return self.entries - self.decided


@dataclass(frozen=True, slots=True)
class CriterionCounts:
    """How often each value of a criterion was given, worst first; counts are of judgments, not of entries.

    `left_open` are judgments that say keep or remove and nothing of the criterion. `of_removed` counts the same among the
    judgments that say remove.
    """

    name: str
    title: str
    values: tuple[tuple[float, int], ...]
    of_removed: tuple[tuple[float, int], ...]
    left_open: int

    @property
    def rated(self) -> int:
        """Judgments that rate the criterion."""
        return sum(count for _, count in self.values)


@dataclass(frozen=True, slots=True)
class RemovalReport:
    """The whole report. `rows` stand in table order: strata, then by source, by structure, and the total last."""

    context: ReportContext
    design: SampleDesign | None
    headline: str
    design_sentence: str
    rows: tuple[RemovalRow, ...]
    total: RemovalRow
    whole: WholeEstimate
    criteria: tuple[CriterionCounts, ...]
    design_notes: tuple[str, ...]
    notes: tuple[str, ...]
    carried_sentence: str | None = None


def build_removal_report(
    judged: Sequence[JudgedEntry],
    *,
    needed: int,
    context: ReportContext,
    design: SampleDesign | None = None,
    unjudged: Sequence[UnjudgedEntries] = (),
    sources: Sequence[str] = (),
    confidence: float = 0.95,
) -> RemovalReport:
    """Return the report on these entries; decided entries are the denominator of every share.

    `needed` is how many judgments an entry needs. Of an entry with several the criteria may differ; it is disputed only
    where some say keep and others remove. `unjudged` and `sources` are as in `build_audit_report`.

    Raises:
        StatisticsError: a design that contradicts itself; `needed` below 1; a confidence outside (0, 1).
    """
    check_confidence(confidence)
    outcomes = [_outcome(each, needed=needed) for each in judged]
    counted = table_rows(outcomes, design, sources=sources, confidence=confidence, unjudged=unjudged)
    rows = tuple(_row(each) for each in counted)
    strata = [each for each in counted if each.kind == "stratum"]
    check = check_design(strata, design, context)
    answers = [answer for each in judged for answer in each.answers if answer.remove is not None]
    decided = [each.document_ids for each in outcomes if each.state is EntryState.DECIDED]
    carried = carried_sentence(context)
    return RemovalReport(
        context=context,
        design=design,
        headline=headline(rows[-1], REMOVE),
        design_sentence=design_sentence(design),
        rows=rows,
        total=rows[-1],
        whole=whole_estimate(strata, design, check, REMOVE, confidence=confidence),
        criteria=tuple(_criterion(name, words[0], answers) for name, words in CRITERIA.items()),
        design_notes=check.sentences,
        notes=notes(
            rows[-1],
            REMOVE,
            sharing=entries_sharing_documents(decided),
            needed=needed,
            carried=carried,
            left_out=left_out_sentence(context),
            beside=(
                *sealed_notes(context),
                *adjudicated_notes(sum(each.decision is not None for each in judged)),
                _RATINGS,
            ),
        ),
        carried_sentence=carried,
    )


def _outcome(each: JudgedEntry, *, needed: int) -> EntryOutcome:
    """Return the entry's value in the terms of the table, which counts entries without a code: here those to remove."""
    answers = [_two_sided(answer) for answer in each.answers]
    decision = None if each.decision is None else _two_sided(each.decision)
    value = entry_value(answers, needed=needed, decision=decision)
    return EntryOutcome(
        entry=each.entry,
        query_id=each.query_id,
        source=each.source,
        evidence_structure=each.evidence_structure,
        document_ids=each.document_ids,
        state=value.state,
        codes=value.codes,
    )


def _two_sided(answer: RemovalAnswer) -> Answer:
    if answer.remove is None:
        return Answer(outcome=Outcome.CANNOT_JUDGE)
    return Answer(codes=() if answer.remove else (IssueCode.F,))


def _row(row: ReportRow) -> RemovalRow:
    return RemovalRow(
        kind=row.kind,
        source=row.source,
        evidence_structure=row.evidence_structure,
        entries=row.entries,
        keep=row.incorrect,
        remove=row.correct,
        disputed=row.disputed,
        cannot_judge=row.cannot_judge,
        not_judged=row.not_judged,
        distinct_queries=row.distinct_queries,
        interval=row.interval,
        population=row.population,
        drawn=row.drawn,
    )


def _criterion(name: str, title: str, answers: Sequence[RemovalAnswer]) -> CriterionCounts:
    every = Counter(answer.criteria[name] for answer in answers if name in answer.criteria)
    removed = Counter(answer.criteria[name] for answer in answers if answer.remove and name in answer.criteria)
    return CriterionCounts(
        name=name,
        title=title,
        values=tuple((step, every[step]) for step in STEPS),
        of_removed=tuple((step, removed[step]) for step in STEPS),
        left_open=len(answers) - every.total(),
    )
