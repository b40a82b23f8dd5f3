"""The rule on queries whose text another query has as well."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cleaning.duplicates import group_exact_duplicates
from cleaning.rules.duplicate_finding import spare_members
from cleaning.rules.finding import Found

if TYPE_CHECKING:
    import polars as pl

name = "exact_duplicate"
title = "Same text as another query"
describe = (
    "Another query has the same text but for case, punctuation and spaces. Every member of such a group is told its group; "
    "the one with the smallest query id stays, the others fire."
)
compares_queries = True


def find(queries: pl.DataFrame) -> Found:
    """Return what the rule says of each query, among all queries of the frame."""
    return spare_members(name, queries, group_exact_duplicates(queries["text"].to_list()))
