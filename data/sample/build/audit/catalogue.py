"""All queries of the sample in their final order."""

from __future__ import annotations

from collections import Counter

from typeset.errors import BuildError

from audit import (
    queries_apollo,
    queries_apollo_cross,
    queries_apollo_far,
    queries_coast,
    queries_cross,
    queries_document,
    queries_elements,
    queries_elements_far,
    queries_harbour,
    queries_harbour_far,
    queries_mixed,
    queries_page,
)
from audit.resolve import Row
from audit.spec import Query

_MODULES = (
    queries_page,
    queries_document,
    queries_cross,
    queries_harbour,
    queries_harbour_far,
    queries_elements,
    queries_elements_far,
    queries_apollo,
    queries_apollo_far,
    queries_coast,
    queries_apollo_cross,
    queries_mixed,
)
_LEAST = 3  # queries in a stratum


def all_queries() -> list[Query]:
    """The queries, numbered without gaps; each issue code at least twice."""
    queries = [query for module in _MODULES for query in module.QUERIES]
    if [query.number for query in queries] != list(range(1, len(queries) + 1)):
        raise BuildError("Queries must be numbered 1, 2, 3 ... in the order in which they are listed.")
    codes = Counter("".join(query.gold.codes for query in queries))
    if any(codes[code] < 2 for code in "FEUN"):
        raise BuildError(f"Each of the codes F, E, U, N must occur at least twice; found {dict(codes)}.")
    return queries


def check_variety(rows: list[Row]) -> None:
    """Raise BuildError where a case that every reader of the format must handle is not among the query rows."""
    evidence = [row["evidence"] for row in rows]
    cases = {
        "alternative evidence sets": any("set_id" in item for items in evidence for item in items),
        "an evidence page without a box": any("box" not in item for items in evidence for item in items),
        "evidence on four pages": any(len({item["page_id"] for item in items}) >= 4 for items in evidence),
        "no answer": any("answer" not in row for row in rows),
        "four other languages": len({row["language"] for row in rows}) >= 5,
        "two generators": len({row["generator"] for row in rows}) >= 2,
        "a group of queries": any("group_id" in row for row in rows),
    }
    strata = Counter((row["source"], row["evidence_structure"]) for row in rows)
    thin = sorted(stratum for stratum, count in strata.items() if count < _LEAST)
    if thin:
        raise BuildError(f"Fewer than {_LEAST} queries in {thin}.")
    absent = [name for name, found in cases.items() if not found]
    if absent:
        raise BuildError(f"No query of the sample has: {', '.join(absent)}.")
