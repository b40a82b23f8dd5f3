"""What changed between two revisions of a dataset, query by query: what an annotator sees of it, and nothing else."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

    from audit_core.datasets.revision import Revision

#: Sides of boxes that differ by less than this part of the page are the same: far below a pixel.
_DECIMALS = 6
_SIDES = ("x0", "y0", "x1", "y1")


class Change(StrEnum):
    """What became of a query in the later revision. Where its words and its evidence changed, the words count."""

    UNCHANGED = "unchanged"
    QUERY = "query changed"
    EVIDENCE = "evidence changed"
    GONE = "gone"


def revision_changes(earlier: Revision, later: Revision) -> pl.DataFrame:
    """Return (query_id, change, what) of every query of the earlier revision.

    A query is unchanged where its text, its answer and its evidence are the same: page ids, boxes (as parts of the page, to
    six decimals; that of its element where it has none of its own), element ids, sets and relevance, in any order, and of
    each page the image's path and size. `what` names what differs. Bytes of page files are not compared.
    """
    import polars as pl

    before, after = _content(earlier), _content(later)
    joined = before.join(after, on="query_id", how="left", suffix="_later", maintain_order="left")
    parts = {name: pl.col(name).ne_missing(pl.col(f"{name}_later")) for name in ("text", "answer", "evidence", "pages")}
    is_gone = pl.col("is_here_later").is_null()
    change = (
        pl.when(is_gone).then(pl.lit(Change.GONE.value))
        .when(parts["text"] | parts["answer"]).then(pl.lit(Change.QUERY.value))
        .when(parts["evidence"] | parts["pages"]).then(pl.lit(Change.EVIDENCE.value))
        .otherwise(pl.lit(Change.UNCHANGED.value))
    )  # fmt: skip
    words = {"text": "query", "answer": "answer", "evidence": "evidence", "pages": "page images"}
    what = pl.concat_str(
        [pl.when(differs).then(pl.lit(words[name])) for name, differs in parts.items()],
        separator=", ",
        ignore_nulls=True,
    )
    return joined.select("query_id", change=change, what=pl.when(is_gone).then(pl.lit("")).otherwise(what)).collect()


def _content(revision: Revision) -> pl.LazyFrame:
    """Return, by query, text, answer, evidence and its page images, the last two as text that is equal where they are."""
    import polars as pl

    queries = revision.table("queries").select("query_id", "text", "answer").with_row_index("query_row")
    queries = queries.with_columns(pl.col("query_row").cast(pl.Int64), is_here=pl.lit(True))
    pieces = _evidence(revision).group_by("query_row").agg(
        evidence=pl.col("piece").sort().str.join("\x1e"), pages=pl.col("page").unique().sort().str.join("\x1e")
    )  # fmt: skip
    return queries.join(pieces, on="query_row", how="left").drop("query_row")


def _evidence(revision: Revision) -> pl.LazyFrame:
    import polars as pl

    pages = revision.table("pages").select("image", "width", "height").with_row_index("page_row")
    elements = revision.table("elements").select(
        own_page_row="page_row", **{f"own_{side}": f"box_{side}" for side in _SIDES}
    ).with_row_index("element_row")  # fmt: skip
    rows = (
        revision.table("evidence")
        .join(pages.with_columns(pl.col("page_row").cast(pl.Int64)), on="page_row", how="left")
        .join(elements.with_columns(pl.col("element_row").cast(pl.Int64)), on="element_row", how="left")
    )
    is_own = pl.col("box_x0").is_null() & (pl.col("own_page_row") == pl.col("page_row"))
    scale = {"x": "width", "y": "height"} if revision.info.box_units == "pixel" else {}
    sides = []
    for side in _SIDES:
        value = pl.when(is_own).then(f"own_{side}").otherwise(f"box_{side}")
        sides.append((value / pl.col(scale[side[0]]) if scale else value).round(_DECIMALS))
    columns = [pl.col("page_id"), pl.col("element_id"), pl.col("set_id"), pl.col("relevance"), *sides]
    return rows.select(
        "query_row",
        piece=pl.concat_str([each.cast(pl.String).fill_null("\x00") for each in columns], separator="\x1f"),
        page=pl.concat_str(
            [pl.col(name).cast(pl.String).fill_null("\x00") for name in ("page_id", "image", "width", "height")],
            separator="\x1f",
        ),
    )
