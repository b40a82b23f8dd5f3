"""The tables of the report of agreement as LaTeX, ready for \\input in a document that loads booktabs."""

from __future__ import annotations

from audit_core.agreement.report import AgreementReport
from audit_core.agreement.tables import tables_of
from audit_core.agreement.wording import basis, second_reading_sentence, skew_sentence
from audit_core.audit_report.wording import one_line
from audit_core.exporters.removal_latex import table

name = "latex"
suffix = ".tex"
media_type = "application/x-tex"


def write(report: AgreementReport) -> str:
    """Return booktabs `table` environments, led by comments; text from the dataset or the campaign is escaped."""
    lines = [f"% {one_line(fact)}" for fact in ("Needs \\usepackage{booktabs}.", *basis(report))]
    sentences = (report.headline, skew_sentence(report.items), second_reading_sentence(report))
    caption = " ".join(each for each in (f"Agreement, {report.subject}.", *sentences) if each)
    for each in tables_of(report):
        is_first = each.key == "figures"
        lines += table(
            each.heads,
            [each.rows],
            names=each.names,
            caption=caption if is_first else f"{each.title}, {report.subject}.",
            label=f"tab:agreement:{each.key}",
        )
    return "\n".join(lines) + "\n"
