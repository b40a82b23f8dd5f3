"""The audit report's table as LaTeX, ready for \\input in a document that loads booktabs."""

from __future__ import annotations

import re
from itertools import groupby

from audit_core.audit_report import AuditReport, ReportRow
from audit_core.audit_report.wording import one_line
from audit_core.domain import IssueCode
from audit_core.statistics.percent import confidence_text, percent, range_text

name = "latex"
suffix = ".tex"
media_type = "application/x-tex"

#: What TeX reads as a command, or joins or sets as another sign, and how the sign itself is written.
SIGNS = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    # Not \textquotedbl, which the default font encoding lacks; not bare, since babel may make it active.
    '"': r"{\char34}",
    "`": "{`}",
    # At the start of a line of a table a bracket would be the argument, a star the variant, of the line end before it.
    "*": "{*}",
    "[": "{[}",
    "]": "{]}",
}

#: Two of these in a row would be set as one sign (a dash, a closing quotation mark).
LIGATURES = re.compile(r"(-(?=-)|'(?='))")


def write(report: AuditReport) -> str:
    """Return a booktabs `table` environment, led by comments: the dataset, its hash, the design, the method.

    Percentages have one decimal. Text from the dataset or the campaign is escaped; it is UTF-8, as LaTeX reads it by
    itself.
    """
    with_undecided = report.total.undecided > 0
    heads = _heads(report, with_undecided)
    lines = [
        *_comments(report),
        r"\begin{table}",
        r"  \centering",
        f"  \\caption{{{escaped(_caption(report))}}}",
        r"  \label{tab:audit}",
        f"  \\begin{{tabular}}{{ll{'r' * (len(heads) - 2)}}}",
        r"    \toprule",
        _line(heads),
    ]
    for _, rows in groupby(report.rows, key=lambda row: row.kind):
        lines.append(r"    \midrule")
        lines += [_line(_cells(row, with_undecided)) for row in rows]
    lines += [r"    \bottomrule", r"  \end{tabular}", r"\end{table}"]
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """Return text on one line in which every sign stands for itself."""
    return LIGATURES.sub(r"\1{}", "".join(SIGNS.get(sign, sign) for sign in one_line(text)))


def _comments(report: AuditReport) -> list[str]:
    context = report.context
    facts = [
        "Needs \\usepackage{booktabs}.",
        f"Dataset: {context.dataset_name}, revision {context.dataset_revision}, content {context.content_hash}",
        f"Campaign: {context.campaign}, protocol {context.protocol}, as of {context.when.isoformat()}",
        report.design_sentence,
        f"Interval in the table: {confidence_text(report.total.interval.confidence)} {report.total.interval.method}",
        *report.notes,
        *report.design_check.sentences,
    ]
    # A line break in a name would end the comment.
    return [f"% {one_line(fact)}" for fact in facts]


def _caption(report: AuditReport) -> str:
    benchmark = report.benchmark
    return " ".join([
        f"Audit of {report.context.dataset_name}, revision {report.context.dataset_revision}.",
        report.headline,
        benchmark.sentence,
        *(() if benchmark.remaining_sentence is None else (benchmark.remaining_sentence,)),
        *benchmark.warnings,
        *(() if report.carried_sentence is None else (report.carried_sentence,)),
        "F, E, U and N count entries; an entry with several codes counts under each.",
    ])  # fmt: skip


def _heads(report: AuditReport, with_undecided: bool) -> list[str]:
    heads = ["Source", "Structure", "Correct", "Decided", *(code.value for code in IssueCode)]
    heads += ["Disp.", "Cannot", "Open"] if with_undecided else []
    level = confidence_text(report.total.interval.confidence)
    return [*heads, r"\%", escaped(f"{level} {report.total.interval.method}")]


def _cells(row: ReportRow, with_undecided: bool) -> list[str]:
    names = {
        "stratum": (row.source, row.evidence_structure),
        "source": (row.source, "all"),
        "structure": ("all", row.evidence_structure),
        "total": ("all", "all"),
    }[row.kind]
    cells = [escaped(each or "") for each in names]
    cells += [f"{row.correct:,}", f"{row.decided:,}", *(f"{row.codes[code]:,}" for code in IssueCode)]
    if with_undecided:
        cells += [f"{row.disputed:,}", f"{row.cannot_judge:,}", f"{row.not_judged:,}"]
    interval = row.interval
    bounds = range_text(interval.low, interval.high).removesuffix(" %").replace("-", "--")
    return [*cells, "--" if interval.estimate is None else percent(interval.estimate), bounds]


def _line(cells: list[str]) -> str:
    return f"    {' & '.join(cells)} \\\\"
