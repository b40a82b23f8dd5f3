"""The bundle on disk: tables in one of the two forms, rows that occur twice, `dataset.json`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.full_size import published
from benchmarks.full_size.truth import Truth

if TYPE_CHECKING:
    import polars as pl

FORMS = ("parquet", "jsonl")
#: Rows of a table that stand there twice, at scale 1; an import collapses and counts them.
REPEATED_ROWS = 50
_KEYS = {"documents": "document_id", "pages": "page_id", "elements": "element_id", "queries": "query_id"}


def write_info(folder: Path, *, name: str, seed: int, scale: float) -> None:
    """Write `dataset.json`."""
    info = {
        "format": "assay-bundle",
        "format_version": 1,
        "name": name,
        "revision": f"scale {scale:g}, seed {seed}",
        "license": "CC0-1.0",
        "page_numbering": "0-based",
        "box_units": "pixel",
        "sources": list(published.DOCUMENTS),
    }
    (folder / "dataset.json").write_text(json.dumps(info, indent=1) + "\n", encoding="utf-8")


def repeat_rows(tables: dict[str, pl.DataFrame], truth: Truth) -> None:
    """Append some rows of each main table once more, equal in every column."""
    import polars as pl

    for name, key in _KEYS.items():
        frame = tables[name]
        count = min(truth.count(REPEATED_ROWS), frame.height)
        again = frame[sorted(truth.rng.choice(frame.height, size=count, replace=False).tolist())]
        tables[name] = pl.concat([frame, again])
        truth.add_all("repeated_row", name, again[key].to_list(), key)


def write_table(frame: pl.DataFrame, folder: Path, name: str, form: str) -> None:
    """Write one table in the form `parquet` or `jsonl`."""
    if form == "parquet":
        frame.write_parquet(folder / f"{name}.parquet")
    else:
        frame.write_ndjson(folder / f"{name}.jsonl")
