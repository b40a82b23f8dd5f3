"""All queries of the sample in their final order."""

from __future__ import annotations

from collections import Counter

from typeset.errors import BuildError

from audit import queries_cross, queries_document, queries_page
from audit.resolve import Row
from audit.spec import Query


def all_queries() -> list[Query]:
    """The queries, numbered without gaps; each issue code at least twice."""
    queries = [*queries_page.QUERIES, *queries_document.QUERIES, *queries_cross.QUERIES]
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
        "another language": any(row["language"] != "en" for row in rows),
    }
    absent = [name for name, found in cases.items() if not found]
    if absent:
        raise BuildError(f"No query of the sample has: {', '.join(absent)}.")
