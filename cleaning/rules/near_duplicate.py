"""The rule on queries that ask what another query asks in nearly the same words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cleaning.duplicates import group_near_duplicates
from cleaning.rules.duplicate_finding import spare_members
from cleaning.rules.finding import Found

if TYPE_CHECKING:
    import polars as pl

name = "near_duplicate"
title = "Nearly the same text as another query"
describe = (
    "Another query has nearly the same words of content (order, typing errors and small words do not count), the same "
    "numbers and no other name. Every member of such a group is told its group; the one with the smallest query id stays, "
    "the others fire. Exact duplicates are near-duplicates too."
)
compares_queries = True
#: Stricter than what counts as a leak between folds: here a query is lost for each pair that is none.
THRESHOLD = 0.75


def find(queries: pl.DataFrame) -> Found:
    """Return what the rule says of each query, among all queries of the frame."""
    return spare_members(name, queries, group_near_duplicates(queries["text"].to_list(), threshold=THRESHOLD))
