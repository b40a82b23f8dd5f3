"""The report of a removal campaign as Markdown: headline, estimate, table, criteria, and what the numbers rest on."""

from __future__ import annotations

from collections.abc import Sequence

from audit_core.audit_report.removal import CriterionCounts, RemovalReport, RemovalRow
from audit_core.exporters.report_markdown import escaped
from audit_core.protocols.removal import STEPS
from audit_core.statistics.percent import confidence_text, percent, range_text

name = "markdown"
suffix = ".md"
media_type = "text/markdown"

Cells = tuple[str, ...]


def write(report: RemovalReport) -> str:
    """Return the report as GitHub-flavoured Markdown; percentages have one decimal, ending with a line feed."""
    context = report.context
    basis = [
        f"Dataset {context.dataset_name}, revision {context.dataset_revision}, content {context.content_hash}.",
        f"Campaign {context.campaign}, protocol {context.protocol}, as of {context.when.isoformat()}.",
        report.design_sentence,
        *report.design_notes,
        *report.notes,
    ]
    blocks = [
        f"# Removal report: {escaped(context.campaign)} on {escaped(context.dataset_name)}",
        f"**{escaped(report.headline)}**",
        escaped(report.whole.sentence),
        _bullets(report.whole.warnings),
        "## Table",
        _table(heads(report), [cells(row) for row in report.rows], names=2),
        "## Criteria (counts of judgments)",
        _table(criterion_heads(), [criterion_cells(each) for each in report.criteria], names=1),
        "## What it rests on",
        _bullets(basis),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def heads(report: RemovalReport) -> Cells:
    """Return the names of the table's columns; the first two hold text, the others numbers."""
    interval = report.total.interval
    level = f"{confidence_text(interval.confidence)} {interval.method} (%)"
    return (
        "Source", "Evidence structure", "Entries", "Keep", "Remove", "Disputed", "Cannot judge", "Not judged",
        "Remove (%)", level,
    )  # fmt: skip


def cells(row: RemovalRow) -> Cells:
    """Return one line of the table, unescaped."""
    numbers = (row.entries, row.keep, row.remove, row.disputed, row.cannot_judge, row.not_judged)
    interval = row.interval
    bounds = range_text(interval.low, interval.high)
    share = "undefined" if interval.estimate is None else percent(interval.estimate)
    return (
        row.source or "all sources",
        row.evidence_structure or "all structures",
        *(f"{number:,}" for number in numbers),
        share,
        f"undefined: {interval.undefined}" if interval.undefined else bounds.removesuffix(" %"),
    )


def criterion_heads() -> Cells:
    """Return the names of the columns of the criteria; the first holds text."""
    return ("Criterion", *(f"{step:g}" for step in STEPS), "Left open")


def criterion_cells(each: CriterionCounts) -> Cells:
    """Return one line of the criteria, unescaped."""
    return (each.title, *(f"{count:,}" for _, count in each.values), f"{each.left_open:,}")


def _bullets(lines: Sequence[str]) -> str:
    return "\n".join(f"- {escaped(line)}" for line in lines)


def _table(first: Cells, rows: Sequence[Cells], *, names: int) -> str:
    rule = ("---",) * names + ("---:",) * (len(first) - names)
    lines = [first, rule, *(tuple(escaped(cell) for cell in row) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
