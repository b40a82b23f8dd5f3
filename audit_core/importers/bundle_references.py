"""References between the tables of a bundle: each id that is named must be somewhere; resolved as row numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from audit_core.importers.bundle_faults import FaultLog
from audit_core.importers.bundle_info import BundleInfo

if TYPE_CHECKING:
    import polars as pl

_WORDS = {"documents": "document", "pages": "page", "elements": "element", "queries": "query"}


@dataclass(slots=True)
class Tables:
    """The five frames of a bundle while they are checked; each has its file's `line`."""

    documents: pl.DataFrame
    pages: pl.DataFrame
    elements: pl.DataFrame
    queries: pl.DataFrame
    evidence: pl.DataFrame


def resolve(tables: Tables, info: BundleInfo, files: dict[str, str], log: FaultLog) -> None:
    """Check every reference and add the nullable columns `document_row`, `page_row` and `element_row`.

    A reference keeps its text; its row is null where the id is nowhere (a fault) or was not given.
    """
    import polars as pl

    tables.pages = _resolve(tables.pages, "document_id", "documents", tables.documents, "document_row")
    tables.elements = _resolve(tables.elements, "document_id", "documents", tables.documents, "document_row")
    tables.elements = _resolve(tables.elements, "page_id", "pages", tables.pages, "page_row")
    tables.evidence = _resolve(tables.evidence, "page_id", "pages", tables.pages, "page_row")
    tables.evidence = _resolve(tables.evidence, "document_id", "documents", tables.documents, "document_row")
    key = pl.col("page_id")
    _report(tables.pages, "document_id", "documents", "document_row", key, "pages", files["pages"], log)
    for name, target, row in (("document_id", "documents", "document_row"), ("page_id", "pages", "page_row")):
        _report(tables.elements, name, target, row, pl.col("element_id"), "elements", files["elements"], log)
    _check_page_indexes(tables, info, files["pages"], log)
    _resolve_evidence_elements(tables)
    named = tables.evidence.with_columns(_key=tables.queries["query_id"].gather(tables.evidence["query_row"]))
    targets = (("page_id", "pages"), ("document_id", "documents"), ("element_id", "elements"))
    for name, target in targets:
        path = pl.format(f"evidence[{{}}].{name}", pl.col("position"))
        row = f"{_WORDS[target]}_row"
        _report(named, name, target, row, pl.col("_key"), "queries", files["queries"], log, path=path)
    _check_configured_pages(tables, files["queries"], log)
    _note_mismatches(tables, named, log)


def _resolve(frame: pl.DataFrame, name: str, target: str, targets: pl.DataFrame, row: str) -> pl.DataFrame:
    key = f"{_WORDS[target]}_id"
    rows = targets.select(value=key).with_row_index("number").unique("value", keep="first", maintain_order=True)
    return frame.with_columns(_numbers(frame[name], rows).alias(row))


def _report(
    frame: pl.DataFrame, name: str, target: str, row: str, key: pl.Expr, table: str, file: str, log: FaultLog,
    path: pl.Expr | None = None,
) -> None:  # fmt: skip
    import polars as pl

    if target in log.incomplete and not log.lenient:
        return
    word = _WORDS[target]
    lost = frame.filter(pl.col(name).is_not_null() & pl.col(row).is_null())
    field = pl.lit(name) if path is None else path
    rows = lost.select("line", row_key=key, field=field, value=pl.col(name))
    log.faults(
        rows, kind=f"unknown_{word}", file=file, table=table, expected=f"{'an' if word == 'element' else 'a'} {word}_id that is in {target}"
    )  # fmt: skip


def _resolve_evidence_elements(tables: Tables) -> None:
    """An element is looked for by its id in the page's document first, then in all documents."""
    import polars as pl

    elements, evidence = tables.elements, tables.evidence
    # Joins on two texts are slow and large: both are numbered by their distinct values, and the numbers become one.
    documents, ids = _distinct(elements["document_id"]), _distinct(elements["element_id"])
    page_documents = _numbers(tables.pages["document_id"], documents).gather(evidence["page_row"])
    wanted = page_documents * ids.height + _numbers(evidence["element_id"], ids)
    keys = _numbers(elements["document_id"], documents) * ids.height + _numbers(elements["element_id"], ids)
    # No id is twice in a document any more, and what has no document has no key, which is never joined.
    found = _numbers(wanted, pl.DataFrame({"value": keys}).with_row_index("number"))
    lost = evidence.select("element_id", row=found).with_row_index("place")
    lost = lost.filter(pl.col("row").is_null() & pl.col("element_id").is_not_null())
    if not lost.is_empty():
        rows = elements.select("element_id").with_row_index("number")
        rows = rows.filter(pl.col("element_id").is_in(lost["element_id"].unique().implode()))
        anywhere = rows.unique("element_id", keep="first", maintain_order=True).rename({"element_id": "value"})
        found = found.scatter(lost["place"], _numbers(lost["element_id"], anywhere))
    tables.evidence = evidence.with_columns(found.alias("element_row"))


def _distinct(values: pl.Series) -> pl.DataFrame:
    """Return each value once, with a number."""
    return values.unique().alias("value").to_frame().with_row_index("number")


def _numbers(values: pl.Series, numbered: pl.DataFrame) -> pl.Series:
    """Return the number of each value (null where it has none); each value of `numbered` is there once."""
    import polars as pl

    frame = values.alias("value").to_frame()
    return frame.join(numbered, on="value", how="left", maintain_order="left")["number"].cast(pl.Int64)


def _check_page_indexes(tables: Tables, info: BundleInfo, file: str, log: FaultLog) -> None:
    import polars as pl

    first = info.first_page_index
    counts = tables.documents.select("page_count").with_row_index("document_row")
    counts = counts.with_columns(pl.col("document_row").cast(pl.Int64))
    pages = tables.pages.join(counts, on="document_row", how="left", maintain_order="left")
    outside = (pl.col("page_index") < first) | (pl.col("page_index") >= pl.col("page_count") + first)
    rows = pages.filter(outside & pl.col("page_count").is_not_null())
    for count, group in rows.partition_by("page_count", as_dict=True).items():
        expected = f"from {first} to {count[0] + first - 1} in a document of {count[0]} pages, {info.page_numbering}"
        found = group.select(
            "line", row_key="page_id", field=pl.lit("page_index"), value=pl.col("page_index").cast(pl.String)
        )
        log.faults(found, kind="page_index_outside_document", file=file, expected=expected, table="pages")
    twice = tables.pages.filter(pl.struct("document_id", "page_index").is_duplicated())
    rows = twice.select(
        "line", row_key="page_id", field=pl.lit("page_index"), value=pl.col("page_index").cast(pl.String)
    )
    log.findings_of(rows, kind="page_index_twice", table="pages", message="two pages of the document have this index")


def _check_configured_pages(tables: Tables, file: str, log: FaultLog) -> None:
    import polars as pl

    if "pages" in log.incomplete and not log.lenient:
        return
    listed = (
        tables.queries.select("line", "query_id", "configured_pages")
        .filter(pl.col("configured_pages").list.len() > 0)
        .with_columns(place=pl.int_ranges(pl.col("configured_pages").list.len().cast(pl.Int64)))
        .explode("configured_pages", "place")
    )
    lost = listed.join(tables.pages.select("page_id"), left_on="configured_pages", right_on="page_id", how="anti")
    rows = lost.select(
        "line", row_key="query_id", field=pl.format("configured_pages[{}]", "place"), value="configured_pages"
    )
    log.faults(rows, kind="unknown_page", file=file, table="queries", expected="a page_id that is in pages")


def _note_mismatches(tables: Tables, named: pl.DataFrame, log: FaultLog) -> None:
    """Findings, not faults: a reference that exists but lies in another document than its page."""
    import polars as pl

    page_document = tables.pages["document_id"].alias("page_document")
    elsewhere = pl.col("document_id") != pl.col("page_document")
    rows = (
        named.with_columns(page_document.gather(named["page_row"]))
        .filter(elsewhere & pl.col("document_row").is_not_null())
        .select("line", row_key="_key", field=pl.format("evidence[{}].document_id", "position"), value="document_id")
    )
    message = "the evidence names another document than the one of its page"
    log.findings_of(rows, kind="evidence_document_mismatch", table="queries", message=message)
    elements = tables.elements.with_columns(page_document.gather(tables.elements["page_row"]))
    rows = elements.filter(elsewhere & pl.col("document_row").is_not_null()).select(
        "line", row_key="element_id", field=pl.lit("document_id"), value="document_id"
    )
    message = "the element names another document than the one of its page"
    log.findings_of(rows, kind="element_document_mismatch", table="elements", message=message)
    element_page = tables.elements["page_id"].gather(named["element_row"]).alias("element_page")
    rows = (
        named.with_columns(element_page)
        .filter(pl.col("element_page") != pl.col("page_id"))
        .select("line", row_key="_key", field=pl.format("evidence[{}].element_id", "position"), value="element_id")
    )
    message = "the element lies on another page than the evidence"
    log.findings_of(rows, kind="element_page_mismatch", table="queries", message=message)
