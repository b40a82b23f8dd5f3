"""Building the audit report from the values of its entries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from audit_core.audit_report.benchmark import check_design, whole_benchmark
from audit_core.audit_report.records import AuditReport, EntryOutcome, ReportContext, ReportRow, UnjudgedEntries
from audit_core.audit_report.table import table_rows
from audit_core.audit_report.wording import carried_sentence, design_sentence, headline, notes, uses
from audit_core.domain import EntryState, SampleDesign
from audit_core.errors import StatisticsError
from audit_core.statistics.clustered import ClusteredInterval, document_clustered, entries_sharing_documents
from audit_core.statistics.intervals import check_confidence


def build_audit_report(
    outcomes: Sequence[EntryOutcome],
    *,
    context: ReportContext,
    design: SampleDesign | None = None,
    unjudged: Sequence[UnjudgedEntries] = (),
    sources: Sequence[str] = (),
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int = 1,
) -> AuditReport:
    """Return the report on these entries; decided entries are the denominator of every accuracy.

    `unjudged` counts entries beside these, on which nobody said anything: the same as an outcome `not_judged` for each of
    them, as long as a query of theirs lies in one stratum. The caller leaves out gold and pilot entries and says in
    `context.left_out` how many. `sources` is the order in which the dataset names its sources. `resamples` and `seed` are
    those of the document-clustered interval, which is computed only where decided entries share documents.

    Raises:
        StatisticsError: an entry number twice; a design that contradicts itself; a confidence outside (0, 1).
    """
    check_confidence(confidence)
    _check_numbers(outcomes)
    rows = table_rows(outcomes, design, sources=sources, confidence=confidence, unjudged=unjudged)
    clustered = _clustered(outcomes, confidence=confidence, resamples=resamples, seed=seed)
    return _assembled(rows, outcomes, context=context, design=design, clustered=clustered, confidence=confidence)


def _assembled(
    rows: tuple[ReportRow, ...],
    outcomes: Sequence[EntryOutcome],
    *,
    context: ReportContext,
    design: SampleDesign | None,
    clustered: ClusteredInterval | None,
    confidence: float,
) -> AuditReport:
    strata = [row for row in rows if row.kind == "stratum"]
    structures = [row for row in rows if row.kind == "structure"]
    total = rows[-1]
    check = check_design(strata, design, context)
    benchmark = whole_benchmark(strata, design, check, confidence=confidence)
    decided = [each for each in outcomes if each.state is EntryState.DECIDED]
    by_judges = dict(sorted(Counter(each.judges for each in decided).items()))
    by_how = dict(sorted(Counter(each.how for each in decided if each.how is not None).items()))
    lines = notes(
        total=total,
        structures=structures,
        clustered=clustered,
        by_judges=by_judges,
        by_how=by_how,
        context=context,
    )
    return AuditReport(
        context=context,
        design=design,
        headline=headline(total),
        design_sentence=design_sentence(design),
        rows=rows,
        total=total,
        clustered=clustered,
        benchmark=benchmark,
        design_check=check,
        by_judges=by_judges,
        by_how=by_how,
        notes=lines,
        uses=uses(benchmark, design, clustered),
        carried_sentence=carried_sentence(context),
    )


def _check_numbers(outcomes: Sequence[EntryOutcome]) -> None:
    for number, times in Counter(each.entry for each in outcomes).items():
        if times > 1:
            raise StatisticsError(f"Entry {number} comes {times} times. Give one outcome an entry.")


def _clustered(
    outcomes: Sequence[EntryOutcome], *, confidence: float, resamples: int, seed: int
) -> ClusteredInterval | None:
    decided = sorted((each for each in outcomes if each.state is EntryState.DECIDED), key=lambda each: each.entry)
    documents = [each.document_ids for each in decided]
    if not entries_sharing_documents(documents):
        return None
    correct = [not each.codes for each in decided]
    return document_clustered(correct, documents, confidence=confidence, resamples=resamples, seed=seed)
