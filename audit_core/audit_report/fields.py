"""The report of a protocol that asks fields: the share of its verdict, and every field counted by value.

Which field is the verdict, and of which value, the protocol says (`HEADLINE`). What an entry comes to, the strata and the
estimate for all queries are reckoned as in the audit report, with that value as what is counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from audit_core.audit_report.benchmark import check_design
from audit_core.audit_report.field_counts import FieldCounts, JudgedFields, Mention, count_field, count_mentions
from audit_core.audit_report.records import EntryOutcome, ReportContext, ReportRow, RowKind, UnjudgedEntries
from audit_core.audit_report.table import table_rows
from audit_core.audit_report.verdict_words import Verdict, adjudicated_notes, headline, notes, sealed_notes
from audit_core.audit_report.verdicts import WholeEstimate, agreed, whole_estimate
from audit_core.audit_report.wording import carried_sentence, design_sentence, left_out_sentence
from audit_core.domain import EntryState, IssueCode, SampleDesign
from audit_core.protocols.field_answers import Headline
from audit_core.protocols.field_kinds import Choice, Field, Scale
from audit_core.statistics.clustered import entries_sharing_documents
from audit_core.statistics.intervals import Interval, check_confidence

_COUNTED_BY = (
    "A field is decided of an entry (or of a page of one) as the verdict is: by as many judgments as an entry needs, all the "
    "same. Its shares are of those decided ones, so each field has a denominator of its own; of several options that may be "
    "named together each is counted by itself.",
    "Numbers on a scale are counted by judgment (the newest of each annotator on an entry): they show how annotators use the "
    "scale and decide nothing. Intervals take what is counted for independent draws, which pages of one entry and judgments "
    "of one annotator are not: they may be too narrow.",
)


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """One line of the table of entries: `entries` = `decided` + `disputed` + `cannot_judge` + `not_judged`.

    `interval` is that of the entries with the verdict (`interval.count`) among the `decided` ones, plain Wilson.
    `population` and `drawn` are the design's number of queries, None without a design that names them.
    """

    kind: RowKind
    source: str | None
    evidence_structure: str | None
    entries: int
    decided: int
    disputed: int
    cannot_judge: int
    not_judged: int
    distinct_queries: int
    interval: Interval
    population: int | None
    drawn: int | None

    @property
    def undecided(self) -> int:
        """Entries without a decision: disputed, cannot judge or not judged."""
        return self.entries - self.decided


@dataclass(frozen=True, slots=True)
class FieldsReport:
    """The whole report. `rows` stand in table order: strata, then by source, by structure, and the total last.

    `verdict` says of what `rows` give the share. `fields` count each field by value, for each row; `mentions` count texts,
    pages added and boxes, of which there is no agreement.
    """

    context: ReportContext
    design: SampleDesign | None
    title: str
    verdict: Headline
    headline: str
    design_sentence: str
    rows: tuple[VerdictRow, ...]
    total: VerdictRow
    whole: WholeEstimate
    fields: tuple[FieldCounts, ...]
    mentions: tuple[Mention, ...]
    design_notes: tuple[str, ...]
    notes: tuple[str, ...]
    carried_sentence: str | None = None


def build_fields_report(
    judged: Sequence[JudgedFields],
    *,
    title: str,
    fields: Sequence[Field],
    verdict: Headline,
    needed: int,
    context: ReportContext,
    design: SampleDesign | None = None,
    unjudged: Sequence[UnjudgedEntries] = (),
    sources: Sequence[str] = (),
    confidence: float = 0.95,
) -> FieldsReport:
    """Return the report on these entries; decided entries are the denominator of the verdict's share.

    `title` is the protocol's, `fields` are what it asks, `needed` is how many judgments an entry needs. `unjudged` and
    `sources` are as in `build_audit_report`.

    Raises:
        StatisticsError: a design that contradicts itself; `needed` below 1; a confidence outside (0, 1).
    """
    check_confidence(confidence)
    words = _words(verdict, fields)
    outcomes = [_outcome(each, verdict, needed=needed) for each in judged]
    counted = table_rows(outcomes, design, sources=sources, confidence=confidence, unjudged=unjudged)
    rows = tuple(map(_row, counted))
    strata = [each for each in counted if each.kind == "stratum"]
    check = check_design(strata, design, context)
    decided = [each.document_ids for each in outcomes if each.state is EntryState.DECIDED]
    carried = carried_sentence(context)
    groups = [(each.kind, each.source, each.evidence_structure) for each in rows]
    return FieldsReport(
        context=context,
        design=design,
        title=title,
        verdict=verdict,
        headline=headline(rows[-1], words),
        design_sentence=design_sentence(design),
        rows=rows,
        total=rows[-1],
        whole=whole_estimate(strata, design, check, words, confidence=confidence),
        fields=tuple(
            count_field(field, judged, groups, needed=needed, confidence=confidence)
            for field in fields
            if isinstance(field, Choice | Scale)
        ),
        mentions=tuple(count_mentions(field, judged) for field in fields if not isinstance(field, Choice | Scale)),
        design_notes=check.sentences,
        notes=notes(
            rows[-1],
            words,
            sharing=entries_sharing_documents(decided),
            needed=needed,
            carried=carried,
            left_out=left_out_sentence(context),
            beside=(
                *sealed_notes(context),
                *adjudicated_notes(sum(bool(each.decisions) for each in judged)),
                *_COUNTED_BY,
            ),
        ),
        carried_sentence=carried,
    )


def _words(verdict: Headline, fields: Sequence[Field]) -> Verdict:
    field = next(each for each in fields if each.name == verdict.field)
    values = " or ".join(map(str, field.values)) if isinstance(field, Choice) else field.title.lower()
    decided_by = f"{values} ({field.title.lower()}); where they differ it is disputed. No other field decides it"
    return Verdict(verdict.words, verdict.others, decided_by, f"the share {verdict.words}")


def _outcome(each: JudgedFields, verdict: Headline, *, needed: int) -> EntryOutcome:
    """Return the entry's value in the terms of the table, which counts entries without a code: here those with the verdict."""
    voices = each.voices(needed)
    said = [answer for answer in voices if answer is not None]
    values: list[Any] = [answer[verdict.field] for answer in said]
    state, value = agreed(values, unable=len(voices) - len(said), needed=needed)
    others = frozenset({IssueCode.F}) if state is EntryState.DECIDED and value != verdict.value else frozenset()
    return EntryOutcome(
        entry=each.entry,
        query_id=each.query_id,
        source=each.source,
        evidence_structure=each.evidence_structure,
        document_ids=each.document_ids,
        state=state,
        codes=others,
    )


def _row(row: ReportRow) -> VerdictRow:
    return VerdictRow(
        kind=row.kind,
        source=row.source,
        evidence_structure=row.evidence_structure,
        entries=row.entries,
        decided=row.decided,
        disputed=row.disputed,
        cannot_judge=row.cannot_judge,
        not_judged=row.not_judged,
        distinct_queries=row.distinct_queries,
        interval=row.interval,
        population=row.population,
        drawn=row.drawn,
    )
