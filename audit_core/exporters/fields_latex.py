"""The tables of the report of a protocol that asks fields as LaTeX, ready for \\input in a document that loads booktabs."""

from __future__ import annotations

from itertools import groupby

from audit_core.audit_report.fields import FieldsReport
from audit_core.audit_report.wording import one_line
from audit_core.exporters.fields_markdown import NAMES, basis, cells, field_heads, field_lines, field_title, heads
from audit_core.exporters.removal_latex import table

name = "latex"
suffix = ".tex"
media_type = "application/x-tex"


def write(report: FieldsReport) -> str:
    """Return booktabs `table` environments, led by comments: the entries, then one of each field.

    Percentages have one decimal. Text from the dataset or the campaign is escaped.
    """
    context = report.context
    about = f"{context.dataset_name}, revision {context.dataset_revision}"
    caption = " ".join((f"{report.title}, {about}.", report.headline, report.whole.sentence, *report.whole.warnings))
    groups = [[cells(row) for row in rows] for _, rows in groupby(report.rows, key=lambda row: row.kind)]
    lines = [f"% {one_line(fact)}" for fact in ("Needs \\usepackage{booktabs}.", *basis(report))]
    lines += table(heads(report), groups, names=NAMES, caption=caption, label=f"tab:{context.protocol}")
    for field in report.fields:
        label = f"tab:{context.protocol}:{field.name.replace('_', '-')}"
        lines += table(
            field_heads(field),
            [field_lines(field)],
            names=NAMES,
            caption=f"{field_title(field)}, {about}.",
            label=label,
        )
    return "\n".join(lines) + "\n"
