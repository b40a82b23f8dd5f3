"""The queries of a dataset as strategies see them: one table with the columns of the contract."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from audit_core.errors import CleaningError
from cleaning.contract import QUERY_COLUMNS

if TYPE_CHECKING:
    import polars as pl

    from audit_core.datasets.revision import Revision

_LISTS = ("configured_pages", "evidence_pages", "documents", "evidence_kinds")


def query_frame(revision: Revision, query_ids: Sequence[str] | None = None) -> pl.DataFrame:
    """Return the queries of a dataset revision with the columns `QUERY_COLUMNS`; all in its order, or those asked for.

    Evidence pages, documents and kinds are distinct, in the order of first mention, over all alternatives. The document
    of a page is the page's; that named by the evidence counts only where the page is unknown. The kind is that of the
    evidence, else of its element.

    Raises:
        CleaningError: an id that the dataset does not have, or the same id twice.
    """
    import polars as pl

    folder = revision.folder
    queries = pl.scan_parquet(folder / "queries.parquet").with_row_index("query_row").with_columns(_as_row("query_row"))
    if query_ids is not None:
        wanted = pl.LazyFrame({"query_id": list(query_ids)}, schema={"query_id": pl.String})
        queries = wanted.join(queries, on="query_id", how="inner", maintain_order="left")
    table = queries.collect()
    if query_ids is not None:
        _refuse_unknown(query_ids, table)
    pages = _numbered(pl.scan_parquet(folder / "pages.parquet").select(page_document="document_id"), "page_row")
    evidence = pl.scan_parquet(folder / "evidence.parquet")
    elements = folder / "elements.parquet"
    if elements.exists():
        kinds = _numbered(pl.scan_parquet(elements).select(element_kind="kind"), "element_row")
        evidence = evidence.join(kinds, on="element_row", how="left", maintain_order="left")
    else:
        evidence = evidence.with_columns(element_kind=pl.lit(None, pl.String))
    gathered = (
        evidence.join(pages, on="page_row", how="left", maintain_order="left")
        .join(table.lazy().select("query_row"), on="query_row", how="semi", maintain_order="left")
        .sort("query_row", "position", maintain_order=True)
        .group_by("query_row", maintain_order=True)
        .agg(
            evidence_pages=_distinct(pl.col("page_id")),
            documents=_distinct(pl.coalesce("page_document", "document_id")),
            evidence_kinds=_distinct(pl.coalesce("kind", "element_kind")),
        )
        .collect()
    )
    return (
        table.join(gathered, on="query_row", how="left", maintain_order="left")
        .with_columns(pl.col(_LISTS).fill_null(pl.lit([], pl.List(pl.String))))
        .select(QUERY_COLUMNS)
    )


def _as_row(name: str) -> pl.Expr:
    import polars as pl

    return pl.col(name).cast(pl.Int64)


def _numbered(frame: pl.LazyFrame, name: str) -> pl.LazyFrame:
    return frame.with_row_index(name).with_columns(_as_row(name))


def _distinct(values: pl.Expr) -> pl.Expr:
    return values.drop_nulls().unique(maintain_order=True)


def _refuse_unknown(query_ids: Sequence[str], table: pl.DataFrame) -> None:
    if len(set(query_ids)) != len(query_ids):
        twice = next(each for number, each in enumerate(query_ids) if each in query_ids[:number])
        raise CleaningError(f"Query {twice!r} is asked for twice. Name each query once.")
    if table.height != len(query_ids):
        known = set(table["query_id"])
        missing = [each for each in query_ids if each not in known]
        raise CleaningError(
            f"The dataset has no query {missing[0]!r}" + (f" and {len(missing) - 1} more." if len(missing) > 1 else ".")
        )
