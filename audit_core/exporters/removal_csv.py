"""The report of a removal campaign as CSV: one line a row of the table, then one a value of each criterion."""

from __future__ import annotations

from audit_core.audit_report.removal import RemovalReport, RemovalRow
from audit_core.exporters.report_csv import Cell, csv_text, interval_cells, sealed_cells, whole_cells

name = "csv"
suffix = ".csv"
media_type = "text/csv"

COLUMNS = (
    "row", "source", "evidence_structure", "population", "drawn", "entries", "distinct_queries", "decided", "keep",
    "remove", "disputed", "cannot_judge", "not_judged", "estimate", "low", "high", "confidence", "method", "n",
    "count", "undefined", "lowest", "highest", "criterion", "value", "judgments", "of_removed",
)  # fmt: skip


def write(report: RemovalReport) -> str:
    """Return the table as RFC 4180 text: the column names, then one line a row; lines end in CR LF.

    `row` says what the line is: stratum, source, structure, total, `whole-benchmark`, or `criterion`. `estimate` is the
    share to remove among the decided entries. Lines of a criterion count `judgments` that gave it the `value` (empty:
    left open), and how many of those say remove. Proportions are parts of 1; what is undefined or does not apply is empty.
    `sealed` counts entries that are kept from whoever made the file.
    """
    whole = report.whole
    lines = [_row_cells(row) for row in report.rows]
    lines.append(whole_cells(whole.estimate, whole.reason, whole.lowest, whole.highest))
    for criterion in report.criteria:
        removed = dict(criterion.of_removed)
        here: dict[str, Cell] = {"row": "criterion", "criterion": criterion.name}
        lines += [
            {**here, "value": value, "judgments": count, "of_removed": removed[value]}
            for value, count in criterion.values
        ]
        lines.append({**here, "judgments": criterion.left_open})
    return csv_text(COLUMNS, [*lines, *sealed_cells(report.context)])


def _row_cells(row: RemovalRow) -> dict[str, Cell]:
    return {
        "row": row.kind,
        "source": row.source,
        "evidence_structure": row.evidence_structure,
        "population": row.population,
        "drawn": row.drawn,
        "entries": row.entries,
        "distinct_queries": row.distinct_queries,
        "decided": row.decided,
        "keep": row.keep,
        "remove": row.remove,
        "disputed": row.disputed,
        "cannot_judge": row.cannot_judge,
        "not_judged": row.not_judged,
        **interval_cells(row.interval),
    }
