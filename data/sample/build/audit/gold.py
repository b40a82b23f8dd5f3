"""The true verdicts as rows: `gold.jsonl` and the removal labels."""

from __future__ import annotations

from audit.resolve import Elements, Row, evidence_rows, query_id
from audit.spec import Query


def gold_row(query: Query, elements: Elements) -> Row:
    """A row of `gold.jsonl`."""
    gold = query.gold
    row: Row = {"query_id": query_id(query), "codes": list(gold.codes), "why": gold.why}
    if gold.corrected_text:
        row["corrected_text"] = gold.corrected_text
    if gold.corrected is not None:
        row["corrected_evidence"] = evidence_rows(gold.corrected, elements, query_id(query))
    return row | {"remove": gold.remove}


def removal_row(query: Query) -> Row:
    """A row of `labels/removal.jsonl`, consistent with the gold row."""
    gold = query.gold
    clarity, correctness, closedness, layout = gold.marks
    row: Row = {"query_id": query_id(query), "remove": gold.remove, "annotator": "gold", "clarity": clarity,
                "correctness": correctness, "closedness": closedness, "no_layout_reference": layout}
    if gold.note and gold.codes:
        row["note"] = gold.note
    return row
