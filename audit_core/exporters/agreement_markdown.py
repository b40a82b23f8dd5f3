"""The report of agreement as Markdown: headline, the sentence on skew, the tables, what it rests on."""

from __future__ import annotations

from audit_core.agreement.report import AgreementReport
from audit_core.agreement.tables import Table, tables_of
from audit_core.agreement.wording import basis, second_reading_sentence, skew_sentence
from audit_core.exporters.report_markdown import escaped

name = "markdown"
suffix = ".md"
media_type = "text/markdown"


def write(report: AgreementReport) -> str:
    """Return the report as GitHub-flavoured Markdown, ending with a line feed. Annotators stand by their pseudonyms."""
    sentences = (skew_sentence(report.items), second_reading_sentence(report))
    blocks = [f"# Agreement: {escaped(report.subject)}", f"**{escaped(report.headline)}**"]
    blocks += [escaped(each) for each in sentences if each]
    for table in tables_of(report):
        blocks += [f"## {escaped(table.title)}", _table(table)]
    blocks += ["## What it rests on", "\n".join(f"- {escaped(each)}" for each in basis(report))]
    return "\n\n".join(blocks) + "\n"


def _table(table: Table) -> str:
    rule = ("---",) * table.names + ("---:",) * (len(table.heads) - table.names)
    lines = [tuple(map(escaped, table.heads)), rule, *(tuple(map(escaped, row)) for row in table.rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
