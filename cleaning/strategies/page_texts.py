"""The text of each page of a dataset, put together from its elements."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from audit_core.datasets.revision import Revision

#: Kinds of elements whose text the element around them holds as well.
_INSIDE_OTHERS = ("Table Row", "Table Head")


def page_texts(revision: Revision) -> dict[str, str]:
    """Return page id -> the texts of its elements in the dataset's order, a table once; pages without text are left out.

    A dataset without element texts gives an empty dictionary.
    """
    import polars as pl

    rows = (
        revision.table("elements")
        .filter(pl.col("text").is_not_null() & pl.col("page_id").is_not_null())
        .filter(pl.col("kind").is_null() | ~pl.col("kind").is_in(_INSIDE_OTHERS))
        .group_by("page_id", maintain_order=True)
        .agg(pl.col("text").str.join(" "))
        .collect()
    )
    return dict(rows.iter_rows())
