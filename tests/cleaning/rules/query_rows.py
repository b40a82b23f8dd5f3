"""Query tables for the tests of rules, features and strategies."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from cleaning.contract import QUERY_COLUMNS

_LISTS = ("configured_pages", "evidence_pages", "documents", "evidence_kinds")


def query_rows(texts: Sequence[str | None], **columns: Sequence[object]) -> pl.DataFrame:
    """Queries with these texts, ids q0000 and so on, each on a document of its own; other columns as given or empty."""
    n = len(texts)
    values: dict[str, Sequence[object]] = {name: [[]] * n if name in _LISTS else [None] * n for name in QUERY_COLUMNS}
    values |= {"query_id": [f"q{row:04d}" for row in range(n)], "text": texts}
    values |= {"documents": [[f"d{row}"] for row in range(n)], "evidence_structure": ["Page-Single"] * n}
    schema = {name: pl.List(pl.String) if name in _LISTS else pl.String for name in QUERY_COLUMNS}
    return pl.DataFrame(values | columns, schema=schema)
