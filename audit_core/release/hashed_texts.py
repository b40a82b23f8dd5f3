"""Queries with their texts as hashes: what a ledger of ids and codes only can be held against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from audit_core.release.corrected import CorrectedQuery, StoredQuery, is_one_of
from audit_core.release.ledger_rows import hashed_text

if TYPE_CHECKING:
    import polars as pl


def with_hashed_text(stored: StoredQuery) -> StoredQuery:
    """Return a query with the SHA-256 of its text and answer in their place."""
    content = stored.content
    text, answer = hashed_text(content.text) or "", hashed_text(content.answer)
    return replace(stored, content=replace(content, text=text, answer=answer))


def with_hashed_texts(queries: pl.DataFrame, corrected: Mapping[str, CorrectedQuery]) -> pl.DataFrame:
    """Return the table of queries with text and answer of the corrected ones as hashes."""
    import polars as pl

    is_theirs = is_one_of("query_id", corrected)
    return queries.with_columns(
        pl.when(is_theirs)
        .then(pl.col(name).map_elements(hashed_text, return_dtype=pl.String))
        .otherwise(pl.col(name))
        .alias(name)
        for name in ("text", "answer")
    )
