"""The report of a removal campaign as CSV: one line a row of the table, then one a value of each criterion."""

from __future__ import annotations

import csv
import io

from audit_core.audit_report.removal import RemovalReport, RemovalRow
from audit_core.exporters.report_csv import safe_text
from audit_core.statistics.intervals import Interval

name = "csv"
suffix = ".csv"
media_type = "text/csv"

COLUMNS = (
    "row", "source", "evidence_structure", "population", "drawn", "entries", "distinct_queries", "decided", "keep",
    "remove", "disputed", "cannot_judge", "not_judged", "estimate", "low", "high", "confidence", "method", "undefined",
    "lowest", "highest", "criterion", "value", "judgments", "of_removed",
)  # fmt: skip

Cell = str | float | None


def write(report: RemovalReport) -> str:
    """Return the table as RFC 4180 text: the column names, then one line a row; lines end in CR LF.

    `row` says what the line is: stratum, source, structure, total, `whole-benchmark`, or `criterion`. `estimate` is the
    share to remove among the decided entries. Lines of a criterion count `judgments` that gave it the `value` (empty:
    left open), and how many of those say remove. Proportions are parts of 1; what is undefined or does not apply is empty.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for row in report.rows:
        writer.writerow(_line(_row_cells(row)))
    writer.writerow(_line(_whole_cells(report)))
    for criterion in report.criteria:
        removed = dict(criterion.of_removed)
        for value, count in criterion.values:
            cells: dict[str, Cell] = {"row": "criterion", "criterion": criterion.name, "value": value}
            writer.writerow(_line({**cells, "judgments": count, "of_removed": removed[value]}))
        writer.writerow(_line({"row": "criterion", "criterion": criterion.name, "judgments": criterion.left_open}))
    return out.getvalue()


def _line(cells: dict[str, Cell]) -> list[str]:
    return [_cell(cells.get(column)) for column in COLUMNS]


def _cell(value: Cell) -> str:
    if value is None:
        return ""
    return safe_text(value) if isinstance(value, str) else repr(value)


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
        **_interval_cells(row.interval),
    }


def _interval_cells(interval: Interval) -> dict[str, Cell]:
    return {
        "estimate": interval.estimate,
        "low": interval.low,
        "high": interval.high,
        "confidence": interval.confidence,
        "method": interval.method,
        "undefined": interval.undefined,
    }


def _whole_cells(report: RemovalReport) -> dict[str, Cell]:
    whole = report.whole
    if whole.estimate is None:
        return {"row": "whole-benchmark", "undefined": whole.reason}
    return {
        "row": "whole-benchmark",
        "population": whole.estimate.population,
        "decided": whole.estimate.decided,
        "lowest": whole.lowest,
        "highest": whole.highest,
        **_interval_cells(whole.estimate.interval),
    }
