"""Faults that a strict import refuses: put into the finished tables, some of each kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchmarks.full_size.truth import Truth

if TYPE_CHECKING:
    import polars as pl

OF_A_KIND = 20
#: Fault, table, column, and the value that is put there.
_WRONG_VALUES: tuple[tuple[str, str, str, Any], ...] = (
    ("unknown_page", "evidence", "page_id", "no-such-page"),
    ("unknown_document", "evidence", "document_id", "no-such-document"),
    ("unknown_element", "evidence", "element_id", "no-such-element"),
    ("unknown_relevance", "evidence", "relevance", 3),
    ("inverted_box", "evidence", "box", [90.0, 50.0, 10.0, 80.0]),
    ("unknown_structure", "queries", "evidence_structure", "Doc-Sideways"),
    ("missing_text", "queries", "text", None),
    ("unknown_configured_page", "queries", "configured_pages", ["no-such-page"]),
    ("unknown_page", "elements", "page_id", "no-such-page"),
    ("unknown_kind", "elements", "kind", "Figure"),
    ("inverted_box", "elements", "box", [10.0, 80.0, 90.0, 50.0]),
    ("unknown_document", "pages", "document_id", "no-such-document"),
    ("missing_image", "pages", "image", "images/not-there.png"),
    ("image_outside_bundle", "pages", "image", "../outside.png"),
    ("page_index_outside_document", "pages", "page_index", 99_999),
    ("page_without_width", "pages", "width", 0.0),
)
_KEYS = {"queries": "query_id", "elements": "element_id", "pages": "page_id"}


def plant_refusals(tables: dict[str, pl.DataFrame], truth: Truth) -> None:
    """Change the tables in place: each fault in rows of its own, and queries whose id comes twice."""
    import polars as pl

    free = {name: truth.rng.permutation(frame.height) for name, frame in tables.items()}
    for fault, table, column, value in _WRONG_VALUES:
        count = truth.count(OF_A_KIND, least=1)
        chosen, free[table] = free[table][:count], free[table][count:]
        frame = tables[table]
        is_chosen = pl.Series(range(frame.height)).is_in(chosen.tolist())
        new = pl.Series([value], dtype=frame.schema[column]).new_from_index(0, frame.height)
        tables[table] = frame.with_columns(new.zip_with(is_chosen, frame[column]).alias(column))
        _note(tables, truth, fault, table, column, chosen.tolist())
    queries = tables["queries"]
    count = truth.count(OF_A_KIND, least=1)
    again = queries[free["queries"][:count].tolist()].with_columns(pl.format("{} (again)", "text").alias("text"))
    tables["queries"] = pl.concat([queries, again])
    truth.add_all("conflicting_duplicate", "queries", again["query_id"].to_list(), "query_id")


def _note(
    tables: dict[str, pl.DataFrame], truth: Truth, fault: str, table: str, column: str, chosen: list[int]
) -> None:
    frame = tables[table]
    if table != "evidence":
        field = f"{column}[0]" if column == "configured_pages" else column
        truth.add_all(fault, table, frame[_KEYS[table]].gather(chosen).to_list(), field)
        return
    owners = tables["queries"]["query_id"].gather(frame["query_row"].gather(chosen))
    for query, position in zip(owners.to_list(), frame["position"].gather(chosen).to_list(), strict=True):
        truth.add(fault, "queries", query, f"evidence[{position}].{column}")
