"""Bundles that tests import: a tiny one with real page images, and one with the counts of the published audit."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

from PIL import Image

from tests.importers.small_bundle import Rows, right_rows, write_bundle_folder, write_lines

Row = dict[str, object]
STRATA = Path(__file__).parent / "data" / "audit_strata.csv"
#: Whole page images of the tiny bundle: width and height in pixels.
PAGE_SIZE = (100, 200)
DESIGN = {
    "frame": {"name": "small", "revision": "1"},
    "method": "all queries",
    "strata": [
        {"source": "law", "evidence_structure": "Cross-Doc", "population": 1, "drawn": 1},
        {"source": "law", "evidence_structure": "Doc-Adjacent", "population": 1, "drawn": 1},
        {"source": "wiki", "evidence_structure": "Page-Single", "population": 1, "drawn": 1},
    ],
}


def small_bundle(
    folder: Path, change: Callable[[Rows], object] | None = None, *, form: str = "jsonl", design: bool = True
) -> Path:
    """Write a bundle of three queries (q1, q2, q3) on four pages of two documents, with judgments and labels; return it.

    `change` may alter its rows, a dict of table name -> list of dicts.
    """
    rows = right_rows()
    if change is not None:
        change(rows)
    write_bundle_folder(folder, rows, form=form)
    for number in range(1, 5):
        Image.new("RGB", PAGE_SIZE, (255, 50 * number, 0)).save(folder / "images" / f"p{number}.png")
    if design and "judgments/audit" in rows:
        (folder / "judgments" / "audit.design.json").write_text(json.dumps(DESIGN))
    return folder


def without_judgments(rows: Rows) -> None:
    """Take judgments and labels out of the rows of `small_bundle`."""
    for name in [each for each in rows if "/" in each]:
        del rows[name]


def published_audit_bundle(folder: Path) -> Path:
    """Write a bundle whose judgments have the counts of the published audit of 800 entries (tests/data); return it.

    One Cross-Doc query is audited twice, so that the 200 Cross-Doc entries are 199 distinct queries as in the paper.
    """
    with STRATA.open(encoding="utf-8") as stream:
        strata = list(csv.DictReader(stream))
    queries: list[Row] = []
    judgments: list[Row] = []
    pages: list[Row] = []
    design: list[Row] = []
    for stratum in strata:
        source, structure = stratum["source"], stratum["evidence_structure"]
        codes = [[code] for code in "FEUN" for _ in range(int(stratum[code]))]
        codes += [[]] * int(stratum["correct"])
        ids = [f"{source}-{structure}-{number}" for number in range(int(stratum["audited"]))]
        if (source, structure) == ("SEC", "Cross-Doc"):
            ids[-1] = ids[-2]
        for query_id in dict.fromkeys(ids):
            pages.append(_page(query_id))
            evidence = [{"page_id": query_id}]
            query = {"query_id": query_id, "text": f"What of {query_id}?", "source": source, "domain": "x"}
            queries.append({**query, "evidence_structure": structure, "evidence": evidence})
        for query_id, own in zip(ids, codes, strict=True):
            row = {"query_id": query_id, "annotator": "auditor", "codes": own, "entry": len(judgments) + 1}
            judgments.append(row)
        population = int(stratum["population_queries"])
        place = {"source": source, "evidence_structure": structure}
        design.append({**place, "population": population, "drawn": int(stratum["audited"])})
    documents = [_document(str(each["page_id"])) for each in pages]
    info = {**right_rows()["dataset"], "name": "published", "sources": ["Wikipedia", "arXiv", "PubMed", "SEC"]}
    tables = {"documents": documents, "pages": pages, "queries": queries, "judgments/audit": judgments}
    (folder / "judgments").mkdir(parents=True)
    (folder / "dataset.json").write_text(json.dumps(info))
    for name, rows in tables.items():
        write_lines(folder / f"{name}.jsonl", rows)
    whole = {"frame": {"name": "published", "revision": "1"}, "method": "stratified random", "seed": 1}
    (folder / "judgments" / "audit.design.json").write_text(json.dumps({**whole, "strata": design}))
    Image.new("RGB", PAGE_SIZE).save(folder / "page.png")
    return folder


def _document(document_id: str) -> Row:
    return {"document_id": document_id, "source": "x", "domain": "x", "title": document_id, "page_count": 1}


def _page(page_id: str) -> Row:
    width, height = PAGE_SIZE
    place = {"page_id": page_id, "document_id": page_id, "page_index": 0}
    return {**place, "image": "page.png", "width": width, "height": height}
