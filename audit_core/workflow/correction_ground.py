"""What corrections of a dataset stand on: queries, pages and elements of its revision, in the bundle's own units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from audit_core.corrections.applying import QueryContent
from audit_core.corrections.ground import Ground, GroundElement, GroundPage
from audit_core.corrections.pieces import canonical
from audit_core.corrections.records import Change
from audit_core.datasets.revision import Revision
from audit_core.domain import JsonObject
from audit_core.exporters.bundle_rows import rows_of
from audit_core.geometry import is_well_formed
from audit_core.importers.bundle_schema import EVIDENCE, box_columns

if TYPE_CHECKING:
    import polars as pl


def contents_of(revision: Revision, query_ids: Iterable[str]) -> dict[str, QueryContent]:
    """Return queries as corrections act on them, by id; those that the dataset does not have are left out."""
    import polars as pl

    wanted = list(dict.fromkeys(query_ids))
    queries = (
        revision.table("queries")
        .select("query_id", "text", "answer")
        .with_row_index("row")
        .filter(pl.col("query_id").is_in(wanted))
        .collect()
    )
    rows = queries["row"].cast(pl.Int64)
    evidence = revision.table("evidence").filter(pl.col("query_row").is_in(rows.to_list())).collect()
    pieces: dict[int, list[JsonObject]] = {row: [] for row in rows}
    for row, piece in zip(evidence["query_row"], rows_of(evidence, EVIDENCE), strict=True):
        pieces[row].append(canonical(piece))
    return {
        query_id: QueryContent(query_id, text, answer, tuple(pieces[row]))
        for row, query_id, text, answer in queries.select("row", "query_id", "text", "answer").iter_rows()
    }


def structures_of(revision: Revision, query_ids: Iterable[str]) -> dict[str, str]:
    """Return the stored evidence structure of queries by id."""
    import polars as pl

    wanted = list(dict.fromkeys(query_ids))
    table = revision.table("queries").filter(pl.col("query_id").is_in(wanted))
    return dict(table.select("query_id", "evidence_structure").collect().iter_rows())


def ground_of(revision: Revision, page_ids: Iterable[str]) -> Ground:
    """Return what corrections may name on these pages; pages that the dataset does not have are left out."""
    import polars as pl

    wanted = list(dict.fromkeys(page_ids))
    names = ("page_id", "document_id", "page_index", "printed_label", "width", "height")
    table = revision.table("pages").filter(pl.col("page_id").is_in(wanted)).select(names).collect()
    pages = {
        page_id: GroundPage(document_id, index, label, width or 0.0, height or 0.0)
        for page_id, document_id, index, label, width, height in table.iter_rows()
    }
    return Ground(
        box_units=revision.info.box_units,
        pages=pages,
        elements=_elements(revision.table("elements").filter(pl.col("page_id").is_in(wanted))),
        has_elements=bool(revision.counts.get("elements")),
    )


def _elements(table: pl.LazyFrame) -> dict[tuple[str, str], GroundElement]:
    found = {}
    for page_id, element_id, kind, *sides in (
        table.select("page_id", "element_id", "kind", *box_columns("box")).collect().iter_rows()
    ):
        is_usable = None not in sides and is_well_formed(sides)
        found[(page_id, element_id)] = GroundElement(kind, tuple(sides) if is_usable else None)
    return found


def pages_named(contents: Mapping[str, QueryContent], changes: Iterable[Change] = ()) -> list[str]:
    """Return the pages of the evidence of queries and of changes to them."""
    named = [piece["page_id"] for content in contents.values() for piece in content.evidence]
    return list(dict.fromkeys([*named, *(each.key["page_id"] for each in changes if "page_id" in each.key)]))


def proposal_pages(proposals: Sequence[JsonObject | None]) -> list[str]:
    """Return the pages that proposals name, in either form."""
    found: list[str] = []
    for proposal in proposals:
        for name in ("drop_pages", "add_pages", "boxes", "evidence"):
            for each in (proposal or {}).get(name) or []:
                page_id = each.get("page_id") if isinstance(each, dict) else each
                if isinstance(page_id, str):
                    found.append(page_id)
    return list(dict.fromkeys(found))
