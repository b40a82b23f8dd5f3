"""The report of a protocol that asks fields as CSV: a line for each row of entries, then for each value of each field in each row."""

from __future__ import annotations

from collections.abc import Iterator

from audit_core.audit_report.field_counts import FieldCounts
from audit_core.audit_report.fields import FieldsReport, VerdictRow
from audit_core.exporters.report_csv import Cell, csv_text, interval_cells, sealed_cells, whole_cells
from audit_core.protocols.field_kinds import written

name = "csv"
suffix = ".csv"
media_type = "text/csv"

COLUMNS = (
    "row", "source", "evidence_structure", "population", "drawn", "entries", "distinct_queries", "decided", "disputed",
    "cannot_judge", "not_judged", "field", "unit", "value", "answered", "estimate", "low", "high", "confidence", "method",
    "n", "count", "undefined", "lowest", "highest", "judgments", "items",
)  # fmt: skip


def write(report: FieldsReport) -> str:
    """Return the tables as RFC 4180 text: the column names, then one line a row; lines end in CR LF.

    `row` says what the line is of: stratum, source, structure, total, `whole-benchmark`, or `mention`. Lines without a `field`
    are of entries; their `estimate` is the share of entries with the report's verdict (`field` and `value` of the line
    `whole-benchmark` name it). Lines with a `field` have `count` of `n` decided `unit`s with that `value`, `answered` and
    `disputed` units. A `mention` counts `judgments` and the `items` (texts, pages, boxes) in them. Proportions are parts of 1;
    what is undefined or does not apply is empty. `sealed` counts entries that are kept from whoever made the file.
    """
    whole = report.whole
    named: dict[str, Cell] = {"field": report.verdict.field, "value": written(report.verdict.value)}
    lines = [_row_cells(row) for row in report.rows]
    lines.append({**whole_cells(whole.estimate, whole.reason, whole.lowest, whole.highest), **named})
    for field in report.fields:
        lines += _field_lines(field)
    lines += [
        {"row": "mention", "field": each.name, "judgments": each.judgments, "items": each.items}
        for each in report.mentions
    ]
    return csv_text(COLUMNS, [*lines, *sealed_cells(report.context)])


def _row_cells(row: VerdictRow) -> dict[str, Cell]:
    return {
        "row": row.kind,
        "source": row.source,
        "evidence_structure": row.evidence_structure,
        "population": row.population,
        "drawn": row.drawn,
        "entries": row.entries,
        "distinct_queries": row.distinct_queries,
        "decided": row.decided,
        "disputed": row.disputed,
        "cannot_judge": row.cannot_judge,
        "not_judged": row.not_judged,
        **interval_cells(row.interval),
    }


def _field_lines(field: FieldCounts) -> Iterator[dict[str, Cell]]:
    for row in field.rows:
        for share in row.shares:
            yield {
                "row": row.kind,
                "source": row.source,
                "evidence_structure": row.evidence_structure,
                "field": field.name,
                "unit": field.unit,
                "value": written(share.value),
                "answered": row.answered,
                "disputed": row.disputed,
                **interval_cells(share.interval),
            }
