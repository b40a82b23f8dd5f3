"""Queries after their corrections: what changed of each, and the tables that hold them all."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from audit_core.corrections.applying import QueryContent, apply_changes
from audit_core.corrections.planning import structure_change
from audit_core.corrections.records import Change
from audit_core.datasets.index import grouped
from audit_core.domain import JsonObject
from audit_core.exporters.bundle_rows import rows_of
from audit_core.importers.bundle_schema import DEFAULT_RELEVANCE, EVIDENCE, box_columns, frame_columns

if TYPE_CHECKING:
    import polars as pl

#: The parts of a query that a correction may change, in the order in which a status names them.
PARTS = ("query", "answer", "evidence")
UNCHANGED = "unchanged"
WITHDRAWN = "withdrawn"
_EVIDENCE_COLUMNS = [name for name, _ in frame_columns(EVIDENCE)]


@dataclass(frozen=True, slots=True)
class PagePlace:
    """Where a page stands: `page_index` counts as the dataset's numbering does."""

    document_id: str
    page_index: int
    printed_label: str | None


@dataclass(frozen=True, slots=True)
class StoredQuery:
    """A query as a dataset revision has it, with the evidence structure that is declared there."""

    content: QueryContent
    structure: str


@dataclass(frozen=True, slots=True)
class CorrectedQuery:
    """A query before and after its corrections."""

    before: QueryContent
    after: QueryContent
    structure_before: str
    structure_after: str

    @property
    def parts(self) -> tuple[str, ...]:
        """Which of `PARTS` are other than before; none of a withdrawn query."""
        if self.after.is_withdrawn:
            return ()
        pairs = (
            (self.before.text, self.after.text),
            (self.before.answer, self.after.answer),
            (self.before.evidence, self.after.evidence),
        )
        return tuple(part for part, (one, other) in zip(PARTS, pairs, strict=True) if one != other)

    @property
    def status(self) -> str:
        """The row status: `unchanged`, `withdrawn`, or the parts that changed joined by `+`, such as `query+evidence`."""
        return WITHDRAWN if self.after.is_withdrawn else "+".join(self.parts) or UNCHANGED

    @property
    def loses_attached_rows(self) -> bool:
        """Whether what was computed from its words goes: lines of runs, vectors, labels of withdrawn and reworded queries."""
        return self.after.is_withdrawn or self.before.text != self.after.text


def correct(stored: StoredQuery, changes: Sequence[Change], places: Mapping[str, PagePlace]) -> CorrectedQuery:
    """Return a query after its changes, with the structure that its evidence then has.

    Where the evidence stays what it was, so does the structure, whatever its pages are; without evidence, or without a known
    page, a query keeps the one that it had, for the format asks for one.

    Raises:
        CorrectionStale: a change does not find what it expects.
    """
    after = apply_changes(stored.content, changes)
    where = {page_id: (place.document_id, place.page_index) for page_id, place in places.items()}
    structure = structure_change(stored.structure, stored.content, after, where).after
    keeps = after.is_withdrawn or structure is None
    return CorrectedQuery(stored.content, after, stored.structure, stored.structure if keeps else str(structure))


def stored_queries(queries: pl.DataFrame, evidence: pl.DataFrame, ids: Collection[str]) -> dict[str, StoredQuery]:
    """Return the queries of these ids by id; those that are not there are not among them."""
    import polars as pl

    chosen = queries.with_row_index("_row").filter(is_one_of("query_id", ids))
    numbers = chosen.select(query_row=pl.col("_row").cast(pl.Int64)).with_row_index("_place")
    own = evidence.join(numbers, on="query_row", how="inner", maintain_order="left")
    pieces = grouped(zip(own["_place"], rows_of(own, EVIDENCE), strict=True), chosen.height)
    found: dict[str, StoredQuery] = {}
    rows = chosen.select("query_id", "text", "answer", "evidence_structure").iter_rows()
    for (query_id, text, answer, structure), each in zip(rows, pieces, strict=True):
        found[query_id] = StoredQuery(QueryContent(query_id, text, answer, tuple(each)), structure)
    return found


def page_places(pages: pl.DataFrame, ids: Collection[str]) -> dict[str, PagePlace]:
    """Return where these pages stand; those that are not there are not among them."""

    chosen = pages.filter(is_one_of("page_id", ids))
    rows = chosen.select("page_id", "document_id", "page_index", "printed_label").iter_rows()
    return {page_id: PagePlace(*place) for page_id, *place in rows}


def is_one_of(column: str, values: Iterable[str]) -> pl.Expr:
    """Return whether a column of text is one of these values."""
    import polars as pl

    return pl.col(column).is_in(pl.Series(list(values), dtype=pl.String).implode())


def pages_named(stored: Mapping[str, StoredQuery], changes: Collection[Change]) -> set[str]:
    """Return the pages that queries and changes to them name."""
    own = {str(piece["page_id"]) for each in stored.values() for piece in each.content.evidence}
    return own | {str(each.key["page_id"]) for each in changes if "page_id" in each.key}


def corrected_frames(
    queries: pl.DataFrame, evidence: pl.DataFrame, corrected: Mapping[str, CorrectedQuery]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the tables of queries and evidence after corrections, in the order of the ones before; withdrawn queries are gone.

    The evidence has `query_row`, `position` and the format's columns.
    """
    import polars as pl

    numbered = queries.with_row_index("_row").with_columns(pl.col("_row").cast(pl.Int64))
    gone = [each for each, query in corrected.items() if query.after.is_withdrawn]
    kept = numbered.filter(~is_one_of("query_id", gone)).with_row_index("_new")
    kept = _with_texts(kept.with_columns(pl.col("_new").cast(pl.Int64)), corrected)
    changed = {each for each, query in corrected.items() if "evidence" in query.parts}
    rows = kept.select("_row", "_new", _is_changed=is_one_of("query_id", changed))
    staying = evidence.join(
        rows.filter(~pl.col("_is_changed")), left_on="query_row", right_on="_row", how="inner", maintain_order="left"
    )
    columns = ["query_row", "position", *_EVIDENCE_COLUMNS]
    staying = staying.drop("query_row").rename({"_new": "query_row"}).select(columns)
    numbers = dict(kept.filter(is_one_of("query_id", changed)).select("query_id", "_new").iter_rows())
    fresh = _evidence_frame(((numbers[each], corrected[each].after.evidence) for each in changed), evidence.schema)
    whole = pl.concat([staying, fresh.select(columns)]).sort("query_row", "position")
    return kept.drop("_row", "_new"), whole


def _with_texts(queries: pl.DataFrame, corrected: Mapping[str, CorrectedQuery]) -> pl.DataFrame:
    import polars as pl

    if not corrected:
        return queries
    rows = [(each, query.after.text, query.after.answer, query.structure_after) for each, query in corrected.items()]
    schema = dict.fromkeys(("query_id", "_text", "_answer", "_structure"), pl.String())
    new = pl.DataFrame(rows, schema=schema, orient="row").with_columns(_is_new=pl.lit(True))
    joined = queries.join(new, on="query_id", how="left", maintain_order="left")
    is_new = pl.col("_is_new").fill_null(False)
    return joined.with_columns(
        pl.when(is_new).then(pl.col(own)).otherwise(pl.col(name)).alias(name)
        for name, own in (("text", "_text"), ("answer", "_answer"), ("evidence_structure", "_structure"))
    ).drop("_text", "_answer", "_structure", "_is_new")


def _evidence_frame(
    queries: Iterable[tuple[int, Sequence[JsonObject]]], schema: Mapping[str, pl.DataType]
) -> pl.DataFrame:
    """Return pieces as a frame like the evidence of a revision, a row each."""
    import polars as pl

    sides = box_columns("box")
    rows: list[JsonObject] = []
    for query_row, pieces in queries:
        for position, piece in enumerate(pieces):
            row = {"query_row": query_row, "position": position, "relevance": DEFAULT_RELEVANCE, **piece}
            box = row.pop("box", None)
            row.update(zip(sides, map(float, box), strict=True) if box is not None else ())
            rows.append(row)
    wanted = {name: schema[name] for name in ("query_row", "position", *_EVIDENCE_COLUMNS)}
    return pl.DataFrame([{name: row.get(name) for name in wanted} for row in rows], schema=wanted)
