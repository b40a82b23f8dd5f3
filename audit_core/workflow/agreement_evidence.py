"""What agreement needs of a dataset: the domain of queries, and their evidence as pages and elements, read a column at a time."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from audit_core.datasets.revision import Revision
from audit_core.workflow.agreement_places import Listed

if TYPE_CHECKING:
    import polars as pl


def domains_of(revision: Revision, query_ids: Collection[str]) -> dict[str, str]:
    """Return the domain of each of these queries that the revision has."""
    return dict(_some(revision, query_ids).select("query_id", "domain").iter_rows())


def evidence_of(revision: Revision, query_ids: Collection[str]) -> dict[str, Listed]:
    """Return the evidence pages of each of these queries, in order of first mention, and the page of each element named."""
    queries = _some(revision, query_ids).select("query_row", "query_id")
    rows = (
        revision.table("evidence")
        .select("query_row", "position", "page_id", "element_id")
        .join(queries.lazy(), on="query_row", how="inner")
        .sort("query_row", "position")
        .collect()
    )
    found: dict[str, tuple[dict[str, None], dict[str, str]]] = {each: ({}, {}) for each in query_ids}
    for query_id, page_id, element_id in rows.select("query_id", "page_id", "element_id").iter_rows():
        pages, elements = found[query_id]
        pages[page_id] = None
        if element_id is not None:
            elements[element_id] = page_id
    return {query_id: (tuple(pages), elements) for query_id, (pages, elements) in found.items()}


def _some(revision: Revision, query_ids: Collection[str]) -> pl.DataFrame:
    import polars as pl

    wanted = pl.Series("wanted", list(dict.fromkeys(query_ids)), dtype=pl.String)
    return (
        revision.table("queries")
        .select("query_id", "domain")
        .with_row_index("query_row")
        .with_columns(pl.col("query_row").cast(pl.Int64))
        .filter(pl.col("query_id").is_in(wanted.implode()))
        .collect()
    )
