"""A dataset revision in the form that loaders of BEIR-style retrieval sets read: corpus, queries and qrels as Parquet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from audit_core.datasets.aside import write_parquet

if TYPE_CHECKING:
    import polars as pl

    from audit_core.exporters.bundle import BundleSource

#: The parts, each a folder with one file of the split `test`.
PARTS = ("corpus", "queries", "qrels", "row_status")
FILE = "test-00000-of-00001.parquet"


def write_beir(source: BundleSource, statuses: pl.DataFrame, folder: Path) -> dict[str, int]:
    """Write a dataset into `folder` as `PART/test-00000-of-00001.parquet`; return how many rows each part has.

    `corpus`: `_id` (page id), `title` of the document, `text` of the page's elements (empty where the dataset has none),
    document_id, page_index, printed_label, image. `queries`: `_id`, `text`, answer, source, domain, evidence_structure,
    language and the row status. `qrels`: `query-id`, `corpus-id`, `score` (the relevance, the highest of its pieces), the
    row status, and `set_ids`, the alternatives that the page is in ("" the default one). `row_status` is `statuses`, with
    the withdrawn queries.
    """
    queries = source.table("queries").collect().join(
        statuses.select("query_id", "status"), on="query_id", how="left", maintain_order="left"
    )  # fmt: skip
    frames = {
        "corpus": _corpus(source),
        "queries": queries.select(
            "text", "answer", "source", "domain", "evidence_structure", "language", "status", _id="query_id"
        ).select("_id", "text", "answer", "source", "domain", "evidence_structure", "language", "status"),
        "qrels": _qrels(queries, source.table("evidence").collect()),
        "row_status": statuses,
    }
    for name in PARTS:
        (folder / name).mkdir(parents=True, exist_ok=True)
        write_parquet(frames[name], folder / name / FILE)
    return {name: frames[name].height for name in PARTS}


def _corpus(source: BundleSource) -> pl.DataFrame:
    import polars as pl

    titles = source.table("documents").select("document_id", "title").collect()
    written = pl.col("text").is_not_null() & (pl.col("text") != "")
    texts = (
        source.table("elements")
        .filter(written)
        .group_by("page_id", maintain_order=True)
        .agg(pl.col("text").str.join("\n"))
    ).collect()
    pages = source.table("pages").collect().join(titles, on="document_id", how="left", maintain_order="left")
    pages = pages.join(texts, on="page_id", how="left", maintain_order="left")
    return pages.select(
        pl.col("page_id").alias("_id"), pl.col("title").fill_null(""), pl.col("text").fill_null(""), "document_id",
        "page_index", "printed_label", "image",
    )  # fmt: skip


def _qrels(queries: pl.DataFrame, evidence: pl.DataFrame) -> pl.DataFrame:
    import polars as pl

    rows = pl.col("query_row")
    own = evidence.with_columns(
        queries["query_id"].gather(evidence["query_row"]).alias("query-id"),
        queries["status"].gather(evidence["query_row"]).alias("status"),
        pl.col("set_id").fill_null(""),
    ).sort(rows, "position")
    return own.group_by("query-id", pl.col("page_id").alias("corpus-id"), maintain_order=True).agg(
        pl.col("relevance").max().cast(pl.Int64).alias("score"),
        pl.col("status").first(),
        pl.col("set_id").unique(maintain_order=True).alias("set_ids"),
    )
