"""The audit report's table as CSV: one line a row, numbers at full precision, fit for a spreadsheet or a script."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from audit_core.audit_report import AuditReport, ReportContext, ReportRow
from audit_core.domain import IssueCode
from audit_core.statistics.intervals import Interval
from audit_core.statistics.stratified import StratifiedEstimate

name = "csv"
suffix = ".csv"
media_type = "text/csv"

COLUMNS = (
    "row", "source", "evidence_structure", "population", "drawn", "entries", "distinct_queries", "decided", "correct",
    *(code.value for code in IssueCode),
    "disputed", "cannot_judge", "not_judged", "estimate", "low", "high", "confidence", "method", "n", "count",
    "undefined", "lowest", "highest", "note",
)  # fmt: skip

#: A spreadsheet takes a cell that begins with one of these for a formula (or joins it to the cell before).
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")

Cell = str | float | None


def write(report: AuditReport) -> str:
    """Return the table as RFC 4180 text: the column names, then one line a row of the report; lines end in CR LF.

    `row` says what the line is: stratum, source, structure, total, then `document-clustered`, `whole-benchmark`,
    `carried-over` and `sealed` where the report has those. `carried-over` has the judged `entries` with judgments that were
    carried over from a campaign on another dataset revision; `note` says from which. `sealed` counts `entries` that others
    judged and that count as not judged, since they wait for a judgment of whoever made the file. Proportions (`estimate`,
    `low`, `high`, `lowest`, `highest`) are parts of 1; a cell that is undefined or does not apply is empty, and `undefined`
    holds the reason. `lowest` and `highest` are the shares if all undecided entries were incorrect, or correct. Text that a
    spreadsheet would run as a formula is led by an apostrophe.
    """
    lines = [_row_cells(row) for row in report.rows]
    if report.clustered is not None:
        lines.append({"row": "document-clustered", **interval_cells(report.clustered.interval)})
    benchmark = report.benchmark
    lines.append(whole_cells(benchmark.estimate, benchmark.reason, benchmark.lowest, benchmark.highest))
    if report.context.carried_over is not None:
        carried: dict[str, Cell] = {"row": "carried-over", "entries": report.context.carried_over.entries}
        lines.append({**carried, "note": report.carried_sentence})
    lines += [{**each, "note": report.context.sealed_sentence} for each in sealed_cells(report.context)]
    return csv_text(COLUMNS, lines)


def sealed_cells(context: ReportContext) -> list[dict[str, Cell]]:
    """Return the line of entries that are kept from the reader, none where nothing is."""
    return [{"row": "sealed", "entries": context.sealed}] if context.sealed else []


def csv_text(columns: Sequence[str], lines: Iterable[Mapping[str, Cell]]) -> str:
    """Return lines of cells by column as RFC 4180 text, led by the column names; cells that are None or missing are empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(columns)
    for cells in lines:
        writer.writerow([_cell(cells.get(column)) for column in columns])
    return out.getvalue()


def safe_text(text: str) -> str:
    """Return a text cell, led by an apostrophe where a spreadsheet would take it for a formula."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def _cell(value: Cell) -> str:
    if value is None:
        return ""
    return safe_text(value) if isinstance(value, str) else repr(value)


def _row_cells(row: ReportRow) -> dict[str, Cell]:
    return {
        "row": row.kind,
        "source": row.source,
        "evidence_structure": row.evidence_structure,
        "population": row.population,
        "drawn": row.drawn,
        "entries": row.entries,
        "distinct_queries": row.distinct_queries,
        "decided": row.decided,
        "correct": row.correct,
        **{code.value: row.codes[code] for code in IssueCode},
        "disputed": row.disputed,
        "cannot_judge": row.cannot_judge,
        "not_judged": row.not_judged,
        "lowest": row.lowest,
        "highest": row.highest,
        **interval_cells(row.interval),
    }


def interval_cells(interval: Interval) -> dict[str, Cell]:
    """Return the cells of an interval: estimate and bounds as parts of 1, its denominator, or why it is undefined."""
    return {
        "estimate": interval.estimate,
        "low": interval.low,
        "high": interval.high,
        "confidence": interval.confidence,
        "method": interval.method,
        "n": interval.n,
        "count": interval.count,
        "undefined": interval.undefined,
    }


def whole_cells(
    found: StratifiedEstimate | None, reason: str | None, lowest: float | None, highest: float | None
) -> dict[str, Cell]:
    """Return the line of the estimate for all queries, or of the reason why there is none."""
    if found is None:
        return {"row": "whole-benchmark", "undefined": reason}
    return {
        "row": "whole-benchmark",
        "population": found.population,
        "decided": found.decided,
        "lowest": lowest,
        "highest": highest,
        **interval_cells(found.interval),
    }
