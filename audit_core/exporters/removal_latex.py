"""The tables of a removal campaign's report as LaTeX, ready for \\input in a document that loads booktabs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from audit_core.audit_report.removal import RemovalReport
from audit_core.audit_report.wording import one_line
from audit_core.exporters.removal_markdown import Cells, cells, criterion_cells, criterion_heads, heads
from audit_core.exporters.report_latex import escaped

name = "latex"
suffix = ".tex"
media_type = "application/x-tex"


def write(report: RemovalReport) -> str:
    """Return two booktabs `table` environments, led by comments: the entries, then the criteria.

    Percentages have one decimal. Text from the dataset or the campaign is escaped.
    """
    context = report.context
    facts = [
        "Needs \\usepackage{booktabs}.",
        f"Dataset: {context.dataset_name}, revision {context.dataset_revision}, content {context.content_hash}",
        f"Campaign: {context.campaign}, protocol {context.protocol}, as of {context.when.isoformat()}",
        report.design_sentence,
        *report.design_notes,
        *report.notes,
    ]
    about = f"{context.dataset_name}, revision {context.dataset_revision}"
    caption = " ".join((f"Removal labels of {about}.", report.headline, report.whole.sentence, *report.whole.warnings))
    groups = [[cells(row) for row in rows] for _, rows in groupby(report.rows, key=lambda row: row.kind)]
    criteria = [[criterion_cells(each) for each in report.criteria]]
    lines = [f"% {one_line(fact)}" for fact in facts]
    lines += table(heads(report), groups, names=2, caption=caption, label="tab:removal")
    caption = f"Criteria as rated in {about}: counts of judgments by value, from 0 (bad) to 1 (good)."
    lines += table(criterion_heads(), criteria, names=1, caption=caption, label="tab:criteria")
    return "\n".join(lines) + "\n"


def table(first: Cells, groups: Sequence[Sequence[Cells]], *, names: int, caption: str, label: str) -> list[str]:
    """Return the lines of a booktabs `table`, rules between the groups of rows; the first `names` columns hold text. Cells are escaped here."""
    lines = [
        r"\begin{table}",
        r"  \centering",
        f"  \\caption{{{escaped(caption)}}}",
        f"  \\label{{{label}}}",
        f"  \\begin{{tabular}}{{{'l' * names}{'r' * (len(first) - names)}}}",
        r"    \toprule",
        _line(first),
    ]
    for rows in groups:
        lines.append(r"    \midrule")
        lines += [_line(row) for row in rows]
    return [*lines, r"    \bottomrule", r"  \end{tabular}", r"\end{table}"]


def _line(row: Cells) -> str:
    return f"    {' & '.join(escaped(cell) for cell in row)} \\\\"
