"""The audit report as Markdown: headline, what it rests on, the table, and what each number may be used for."""

from __future__ import annotations

import re

from audit_core.audit_report import AuditReport, ReportRow
from audit_core.audit_report.wording import one_line
from audit_core.domain import IssueCode
from audit_core.statistics.percent import confidence_text, percent, range_text

name = "markdown"
suffix = ".md"
media_type = "text/markdown"

#: What Markdown or HTML inside Markdown would read as markup in running text.
MARKUP = re.compile(r"([\\`*_\[\]<>|~$&])")


def write(report: AuditReport) -> str:
    """Return the report as GitHub-flavoured Markdown; percentages have one decimal, ending with a line feed.

    Text that comes from the dataset or the campaign is escaped, so that it can neither break the table nor bring
    markup.
    """
    context = report.context
    blocks = [
        f"# Audit report: {escaped(context.campaign)} on {escaped(context.dataset_name)}",
        f"**{escaped(report.headline)}**",
        escaped(report.benchmark.sentence),
        _bullets(_beside_the_estimate(report)),
        "## What it rests on",
        _bullets(_basis(report)),
        "## Table",
        _table(report),
        "## What each number may be used for",
        _bullets([f"{use.number}: {use.text}" for use in report.uses]),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def escaped(text: str) -> str:
    """Return text on one line in which nothing is read as markup."""
    return MARKUP.sub(r"\\\1", one_line(text))


def _beside_the_estimate(report: AuditReport) -> list[str]:
    benchmark = report.benchmark
    lines = (benchmark.remaining_sentence, benchmark.rests_on, *benchmark.warnings)
    return [line for line in lines if line is not None]


def _bullets(lines: list[str]) -> str:
    return "\n".join(f"- {escaped(line)}" for line in lines)


def _basis(report: AuditReport) -> list[str]:
    context = report.context
    return [
        f"Dataset {context.dataset_name}, revision {context.dataset_revision}, content {context.content_hash}.",
        f"Campaign {context.campaign}, protocol {context.protocol}, as of {context.when.isoformat()}.",
        report.design_sentence,
        *report.design_check.sentences,
        *report.notes,
    ]


def _table(report: AuditReport) -> str:
    with_undecided = report.total.undecided > 0
    level = confidence_text(report.total.interval.confidence)
    heads = ["Source", "Evidence structure", "Correct", "Decided", *(code.value for code in IssueCode)]
    heads += ["Disputed", "Cannot judge", "Not judged"] if with_undecided else []
    heads += ["Accuracy (%)", f"{level} {report.total.interval.method} (%)"]
    lines = [heads, ["---", "---", *(["---:"] * (len(heads) - 2))]]
    lines += [_cells(row, with_undecided) for row in report.rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cells(row: ReportRow, with_undecided: bool) -> list[str]:
    names = {
        "stratum": (row.source, row.evidence_structure),
        "source": (row.source, "all structures"),
        "structure": ("all sources", row.evidence_structure),
        "total": ("all sources", "all structures"),
    }[row.kind]
    cells = [escaped(each or "") for each in names]
    cells += [f"{row.correct:,}", f"{row.decided:,}", *(f"{row.codes[code]:,}" for code in IssueCode)]
    if with_undecided:
        cells += [f"{row.disputed:,}", f"{row.cannot_judge:,}", f"{row.not_judged:,}"]
    interval = row.interval
    bounds = (
        escaped(f"undefined: {interval.undefined}") if interval.undefined else range_text(interval.low, interval.high)
    )
    return [*cells, percent(interval.estimate), bounds.removesuffix(" %")]
