"""The report of a protocol that asks fields as Markdown: headline, estimate, a table of entries, one of each field."""

from __future__ import annotations

from collections.abc import Sequence

from audit_core.audit_report.field_counts import FieldCounts, FieldRow, Mention
from audit_core.audit_report.fields import FieldsReport, VerdictRow
from audit_core.exporters.report_markdown import escaped
from audit_core.statistics.intervals import Interval
from audit_core.statistics.percent import confidence_text, percent, range_text

name = "markdown"
suffix = ".md"
media_type = "text/markdown"

Cells = tuple[str, ...]
#: Columns of text at the beginning of each table; the others hold numbers.
NAMES = 2


def write(report: FieldsReport) -> str:
    """Return the report as GitHub-flavoured Markdown; percentages have one decimal, ending with a line feed."""
    context = report.context
    blocks = [
        f"# {escaped(report.title)}: {escaped(context.campaign)} on {escaped(context.dataset_name)}",
        f"**{escaped(report.headline)}**",
        escaped(report.whole.sentence),
        _bullets(report.whole.warnings),
        "## Entries",
        _table(heads(report), [cells(row) for row in report.rows], names=NAMES),
    ]
    for field in report.fields:
        blocks += [f"## {escaped(field_title(field))}", _table(field_heads(field), field_lines(field), names=NAMES)]
    if report.mentions:
        blocks += ["## Also said", _bullets([mention_sentence(each) for each in report.mentions])]
    blocks += ["## What it rests on", _bullets(basis(report))]
    return "\n\n".join(block for block in blocks if block) + "\n"


def basis(report: FieldsReport) -> list[str]:
    """Return what the numbers rest on, a sentence each."""
    context = report.context
    return [
        f"Dataset {context.dataset_name}, revision {context.dataset_revision}, content {context.content_hash}.",
        f"Campaign {context.campaign}, protocol {context.protocol}, as of {context.when.isoformat()}.",
        report.design_sentence,
        *report.design_notes,
        *report.notes,
    ]


def heads(report: FieldsReport) -> Cells:
    """Return the names of the columns of the table of entries."""
    interval = report.total.interval
    level = f"{confidence_text(interval.confidence)} {interval.method} (%)"
    words = report.verdict.words
    return (
        "Source", "Evidence structure", "Entries", "Decided", words.capitalize(), "Disputed", "Cannot judge", "Not judged",
        f"{words.capitalize()} (%)", level,
    )  # fmt: skip


def cells(row: VerdictRow) -> Cells:
    """Return one line of the table of entries, unescaped."""
    numbers = (row.entries, row.decided, row.interval.count or 0, row.disputed, row.cannot_judge, row.not_judged)
    return (*_names(row), *(f"{number:,}" for number in numbers), *_share(row.interval))


def field_title(field: FieldCounts) -> str:
    """Return a field's title with what is counted."""
    return f"{field.title} (counts of {field.unit})"


def field_heads(field: FieldCounts) -> Cells:
    """Return the names of the columns of a field's table: its values, then what has no value yet."""
    return ("Source", "Evidence structure", *(each.words for each in field.total.shares), "Disputed", "Answered")


def field_lines(field: FieldCounts) -> list[Cells]:
    """Return the lines of a field's table, unescaped, those of which nothing was said left out but the total."""
    return [_field_cells(row) for row in field.rows if row.answered or row.kind == "total"]


def mention_sentence(each: Mention) -> str:
    """Return how often a field that is not counted by value was answered."""
    return f"{each.title}: {each.items:,} in {each.judgments:,} judgments."


def _field_cells(row: FieldRow) -> Cells:
    shares = [_share_of(each.interval) for each in row.shares]
    return (*_names(row), *shares, f"{row.disputed:,}", f"{row.answered:,}")


def _share_of(interval: Interval) -> str:
    if interval.estimate is None:
        return "undefined (0 of 0)"
    bounds = range_text(interval.low, interval.high).removesuffix(" %")
    return f"{interval.count:,} of {interval.n:,g}: {percent(interval.estimate)} % ({bounds})"


def _names(row: VerdictRow | FieldRow) -> Cells:
    return row.source or "all sources", row.evidence_structure or "all structures"


def _share(interval: Interval) -> Cells:
    share = "undefined" if interval.estimate is None else percent(interval.estimate)
    bounds = range_text(interval.low, interval.high).removesuffix(" %")
    return share, f"undefined: {interval.undefined}" if interval.undefined else bounds


def _bullets(lines: Sequence[str]) -> str:
    return "\n".join(f"- {escaped(line)}" for line in lines)


def _table(first: Cells, rows: Sequence[Cells], *, names: int) -> str:
    rule = ("---",) * names + ("---:",) * (len(first) - names)
    lines = [tuple(map(escaped, first)), rule, *(tuple(escaped(cell) for cell in row) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
