"""A bundle with as many queries in each stratum as a test asks for, each on a page of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from PIL import Image

from tests.importers.small_bundle import Rows, write_lines

Sizes = Mapping[tuple[str, str], int]
#: 30 queries in four strata, one of them with a single query.
SIZES: Sizes = {
    ("wiki", "Page-Single"): 14,
    ("wiki", "Cross-Doc"): 6,
    ("law", "Page-Single"): 9,
    ("law", "Doc-Near"): 1,
}


def strata_bundle(
    folder: Path, sizes: Sizes = SIZES, change: Callable[[Rows], object] | None = None, *, revision: str = "1"
) -> Path:
    """Write the bundle and return its folder. Query `wiki-Page-Single-3` has the domain `even` or `odd` of its number.

    `change` may alter its rows, a dict of table name -> list of dicts.
    """
    queries: list[dict[str, Any]] = []
    for (source, structure), count in sizes.items():
        for number in range(count):
            name = f"{source}-{structure}-{number}"
            queries.append(
                {
                    "query_id": name,
                    "text": f"What does {source} say of number {number}?",
                    "answer": f"answer {number}",
                    "source": source,
                    "domain": "odd" if number % 2 else "even",
                    "generator": "hand" if number < 2 else "model",
                    "evidence_structure": structure,
                    "evidence": [{"page_id": f"p-{name}", "box": [1, 2, 30, 40]}],
                }
            )
    names = [each["query_id"] for each in queries]
    rows: Rows = {
        "dataset": {
            "format": "assay-bundle", "format_version": 1, "name": "strata", "revision": revision, "license": "CC0",
            "page_numbering": "0-based", "box_units": "pixel", "sources": ["wiki", "law"],
        },
        "documents": [
            {"document_id": f"d-{each}", "source": "x", "domain": "x", "title": each, "page_count": 1} for each in names
        ],
        "pages": [
            {"page_id": f"p-{each}", "document_id": f"d-{each}", "page_index": 0, "image": f"images/{each}.png", "width": 100, "height": 200}
            for each in names
        ],
        "queries": queries,
    }  # fmt: skip
    if change is not None:
        change(rows)
    folder.mkdir(parents=True)
    (folder / "images").mkdir()
    picture = folder / "one.png"
    Image.new("RGB", (100, 200)).save(picture)
    for page in rows["pages"]:
        place = folder / page["image"]
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(picture.read_bytes())
    for name, table in rows.items():
        if name == "dataset":
            (folder / "dataset.json").write_text(json.dumps(table), encoding="utf-8")
        else:
            (folder / name).parent.mkdir(exist_ok=True)
            write_lines(folder / f"{name}.jsonl", table)
    return folder
