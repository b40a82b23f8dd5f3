"""The report of agreement as plain text in columns, for a terminal."""

from __future__ import annotations

from audit_core.agreement.report import AgreementReport
from audit_core.agreement.tables import Table, tables_of
from audit_core.agreement.wording import basis, second_reading_sentence, skew_sentence
from audit_core.audit_report.wording import one_line

name = "text"
suffix = ".txt"
media_type = "text/plain"


def write(report: AgreementReport) -> str:
    """Return the report as text, ending with a line feed. Annotators stand by their pseudonyms."""
    sentences = (report.headline, skew_sentence(report.items), second_reading_sentence(report))
    blocks = [f"Agreement: {one_line(report.subject)}", *(one_line(each) for each in sentences if each)]
    blocks += [_table(each) for each in tables_of(report)]
    blocks.append("\n".join(one_line(each) for each in basis(report)))
    return "\n\n".join(blocks) + "\n"


def _table(table: Table) -> str:
    lines = [table.heads, *table.rows]
    cells = [[one_line(cell) for cell in line] for line in lines]
    widths = [max(len(line[column]) for line in cells) for column in range(len(table.heads))]
    padded = [
        "  ".join(
            cell.ljust(width) if column < table.names else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in cells
    ]
    return "\n".join([one_line(table.title), *(f"  {line}" for line in padded)])
