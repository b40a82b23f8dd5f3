"""A small right bundle, as plain rows that a test may spoil, and ways to write it."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

Rows = dict[str, Any]

RIGHT: Rows = {
    "dataset": {
        "format": "assay-bundle",
        "format_version": 1,
        "name": "small",
        "revision": "1",
        "license": "CC0",
        "page_numbering": "0-based",
        "box_units": "pixel",
        "sources": ["wiki", "law"],
    },
    "documents": [
        {"document_id": "d1", "source": "wiki", "domain": "x", "title": "One", "uri": "files/d1.txt", "page_count": 2},
        {"document_id": "d2", "source": "law", "domain": "x", "title": "Two", "page_count": 2, "license": "CC0"},
    ],
    "pages": [
        {"page_id": "p1", "document_id": "d1", "page_index": 0, "image": "images/p1.png", "width": 100, "height": 200},
        {"page_id": "p2", "document_id": "d1", "page_index": 1, "image": "images/p2.png", "width": 100, "height": 200},
        {"page_id": "p3", "document_id": "d2", "page_index": 0, "image": "images/p3.png", "width": 100, "height": 200},
        {"page_id": "p4", "document_id": "d2", "page_index": 1, "image": "images/p4.png", "width": 100, "height": 200},
    ],
    "elements": [
        {"document_id": "d1", "element_id": "e1", "kind": "Text", "page_id": "p1", "box": [1, 2, 3, 4], "text": "one"},
        {
            "document_id": "d2",
            "element_id": "e2",
            "kind": "Table Row",
            "page_id": "p4",
            "box": [0.5, 2.25, 30, 40],
            "document_box": [0, 0, 9, 9],
        },
    ],
    "queries": [
        {
            "query_id": "q1",
            "text": "what is one?",
            "answer": "1",
            "source": "wiki",
            "domain": "x",
            "evidence_structure": "Page-Single",
            "evidence": [
                {"page_id": "p1", "document_id": "d1", "element_id": "e1", "box": [1, 2, 3, 4], "kind": "Text"}
            ],
        },
        {
            "query_id": "q2",
            "text": "what is two?",
            "source": "law",
            "domain": "x",
            "evidence_structure": "Doc-Adjacent",
            "language": "en",
            "generator": "hand",
            "group_id": "g1",
            "configured_pages": ["p3", "p4"],
            "evidence": [
                {"page_id": "p3", "box": [10, 20, 30.125, 40], "relevance": 2, "set_id": "a"},
                {"page_id": "p4"},
                {"page_id": "p4", "element_id": "e2"},
            ],
        },
        {
            "query_id": "q3",
            "text": "what is three?",
            "source": "law",
            "domain": "y",
            "evidence_structure": "Cross-Doc",
            "evidence": [{"page_id": "p1"}, {"page_id": "p3"}],
        },
    ],
    "judgments/audit": [
        {"query_id": "q1", "annotator": "ann", "codes": []},
        {"query_id": "q2", "annotator": "ann", "codes": ["F", "E"], "targets": {"E": ["p3", "e2"]}, "seconds": 2.5},
        {"query_id": "q3", "annotator": "bob", "codes": [], "outcome": "cannot_judge", "reason": "blurred"},
    ],
    "labels/removal": [
        {"query_id": "q1", "remove": False, "annotator": "ann", "clarity": 1, "correctness": 0.25},
        {"query_id": "q2", "remove": True, "annotator": "ann", "note": "unclear"},
    ],
}
DESIGN: dict[str, Any] = {
    "frame": {"name": "small", "revision": "1"},
    "method": "stratified",
    "seed": 7,
    "strata": [
        {"source": "wiki", "evidence_structure": "Page-Single", "population": 1, "drawn": 1},
        {"source": "law", "evidence_structure": "Cross-Doc", "population": 1, "drawn": 0},
    ],
}
RUN = "q1 Q0 p1 1 9.5 bm25\nq1 Q0 p2 2 3.25 bm25\nq2 Q0 p3 1 -1e-3 bm25\n"


def right_rows() -> Rows:
    """Return a copy of the right bundle's rows that may be changed."""
    return copy.deepcopy(RIGHT)


def write_bundle_folder(folder: Path, rows: Rows | None = None, *, form: str = "jsonl", extras: bool = False) -> Path:
    """Write rows as a bundle with its page images; with `extras` also a sample design, a run and an embedding."""
    rows = right_rows() if rows is None else rows
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "images").mkdir()
    (folder / "files").mkdir()
    (folder / "files" / "d1.txt").write_text("one")
    for number in range(1, 5):
        (folder / "images" / f"p{number}.png").write_bytes(b"image")
    for name, table in rows.items():
        (folder / name).parent.mkdir(exist_ok=True)
        if name == "dataset":
            (folder / "dataset.json").write_text(json.dumps(table), encoding="utf-8")
        elif form == "jsonl":
            write_lines(folder / f"{name}.jsonl", table)
        else:
            pl.DataFrame(table, infer_schema_length=None, strict=False).write_parquet(folder / f"{name}.parquet")
    if extras:
        write_extras(folder)
    return folder


def write_lines(path: Path, table: list[Any]) -> None:
    """Write rows as JSON Lines; a row given as bytes is written as it is."""
    lines = [row if isinstance(row, bytes) else json.dumps(row, ensure_ascii=False).encode() for row in table]
    path.write_bytes(b"".join(line + b"\n" for line in lines))


def write_extras(folder: Path) -> None:
    """Add a sample design, a run and an embedding."""
    (folder / "judgments" / "audit.design.json").write_text(json.dumps(DESIGN))
    (folder / "runs").mkdir()
    (folder / "runs" / "bm25.trec").write_text(RUN)
    (folder / "embeddings").mkdir()
    np.save(folder / "embeddings" / "model.npy", np.arange(6, dtype=np.float32).reshape(3, 2))
    (folder / "embeddings" / "model.ids.txt").write_text("q1\nq2\nq3\n")
