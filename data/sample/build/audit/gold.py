"""The true verdicts as rows: `gold.jsonl` and the removal labels."""

from __future__ import annotations

from audit.resolve import Elements, Row, evidence_rows, query_id
from audit.spec import Query

_KINDS = {
    "Table Row": "a table row",
    "Table": "a table",
    "Image": "a drawing",
    "Image Caption": "a caption",
    "Text": "the text",
    "List": "a list",
}
_LONG, _COMMAS = 170, 3
_OPEN = ("Why", "How does", "How did", "Compare")


def gold_row(query: Query, elements: Elements) -> Row:
    """A row of `gold.jsonl`."""
    gold = query.gold
    row: Row = {"query_id": query_id(query), "codes": list(gold.codes), "why": gold.why or _found(query, elements)}
    if gold.corrected_text:
        row["corrected_text"] = gold.corrected_text
    if gold.corrected is not None:
        row["corrected_evidence"] = evidence_rows(gold.corrected, elements, query_id(query))
    return row | {"remove": gold.remove}


def removal_row(query: Query) -> Row:
    """A row of `labels/removal.jsonl`, consistent with the gold row."""
    gold = query.gold
    clarity, correctness, closedness, layout = _sound_marks(query) if not gold.codes else gold.marks
    row: Row = {
        "query_id": query_id(query),
        "remove": gold.remove,
        "annotator": "gold",
        "clarity": clarity,
        "correctness": correctness,
        "closedness": closedness,
        "no_layout_reference": layout,
    }
    if gold.note and gold.codes:
        row["note"] = gold.note
    return row


def _sound_marks(query: Query) -> tuple[float, float, float, float]:
    # A correct query may still be long-winded, or ask for reasons, which can be worded in more than one way.
    clarity = 0.75 if len(query.text) > _LONG or query.text.count(",") > _COMMAS else 1
    closedness = 0.75 if query.text.startswith(_OPEN) else 1
    return clarity, 1, closedness, 1


def _found(query: Query, elements: Elements) -> str:
    # Where the answer of a correct query stands: kinds of elements by printed page, alternative sets apart.
    sets: dict[str, dict[str, list[str]]] = {}
    for ev in query.evidence:
        row = elements.find(ev, query_id(query))
        page = elements.pages[row["page_id"]]
        place = f"p. {page['printed_label']}" if "printed_label" in page else "the cover"
        if query.structure == "Cross-Doc":
            place += f" of {elements.documents[row['document_id']]['title'].split(' (')[0]}"
        places = sets.setdefault(ev.set_id, {}).setdefault(_KINDS[row["kind"]], [])
        places += [place] if place not in places else []
    told = "; or ".join(
        ", and ".join(f"{kind} on {_listed(places)}" for kind, places in kinds.items()) for kinds in sets.values()
    )
    sums = "".join(f"; {text.replace('-', chr(0x2212))} = {number}" for number, text in query.derived.items())
    return f"the answer stands in {told}{sums}"


def _listed(places: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(places[:-1]), places[-1]]))
