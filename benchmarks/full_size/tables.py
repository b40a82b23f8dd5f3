"""The arrays as tables: one frame a table of the bundle, with its columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from audit_core.domain import ELEMENT_KINDS
from benchmarks.full_size import published
from benchmarks.full_size.draft import Draft
from benchmarks.full_size.layout import Floats, Ints
from benchmarks.full_size.places import SINGLE
from benchmarks.full_size.words import LANGUAGES, Words

if TYPE_CHECKING:
    import polars as pl

_TEXTS_AT_ONCE = 200_000
_SETS = ("a", "b", "c")


def make_tables(
    draft: Draft,
    images: list[str],
    words: Words,
    titles: pl.Series,
    language: Ints,
    texts: pl.Series,
    answers: pl.Series,
) -> dict[str, pl.DataFrame]:
    """Return documents, pages, elements, queries and evidence (flat: `query_row`, `position` and the format's columns).

    `images` are the paths of the pages' files, in the order of pages.
    """
    return {
        "documents": _documents(draft, titles),
        "pages": _pages(draft, images),
        "elements": _elements(draft, words),
        "queries": _queries(draft, language, texts, answers),
        "evidence": _evidence(draft),
    }


def _documents(draft: Draft, titles: pl.Series) -> pl.DataFrame:
    import polars as pl

    documents = draft.documents
    names = [draft.domain_name(each) for each in documents.domain.tolist()]
    sources = [draft.source_name(each) for each in documents.domain.tolist()]
    return pl.DataFrame(
        {
            "document_id": _text(documents.ids), "source": sources, "domain": names, "title": titles,
            "uri": pl.Series([None] * len(names), dtype=pl.String), "page_count": documents.pages,
            "license": pl.Series(["CC-BY-4.0"] * len(names)),
        }
    )  # fmt: skip


def _pages(draft: Draft, images: list[str]) -> pl.DataFrame:
    import polars as pl

    pages = draft.pages
    label = pl.Series(pages.index + 1).cast(pl.String)
    has_label = pl.Series(~draft.documents.is_html[pages.document] & (pages.index > 0))
    return pl.DataFrame(
        {
            "page_id": _text(pages.ids), "document_id": _text(draft.documents.ids).gather(pages.document),
            "page_index": pages.index, "printed_label": label.zip_with(has_label, _nothing(label.len())),
            "image": images, "width": pages.width, "height": pages.height,
            "document_top": pl.Series(pages.top).fill_nan(None),
        }
    )  # fmt: skip


def _elements(draft: Draft, words: Words) -> pl.DataFrame:
    import polars as pl

    elements = draft.elements
    count = elements.page.size
    texts = [words.element_texts(min(_TEXTS_AT_ONCE, count - start)) for start in range(0, count, _TEXTS_AT_ONCE)]
    return pl.DataFrame(
        {
            "document_id": _text(draft.documents.ids).gather(elements.document), "element_id": _text(elements.ids),
            "kind": pl.Series(ELEMENT_KINDS).gather(elements.kind),
            "page_id": _text(draft.pages.ids).gather(elements.page), "box": boxes(elements.box),
            "document_box": boxes(elements.document_box),
            "text": pl.concat(texts) if texts else pl.Series([], dtype=pl.String),
        }
    )  # fmt: skip


def _queries(draft: Draft, language: Ints, texts: pl.Series, answers: pl.Series) -> pl.DataFrame:
    import polars as pl

    queries = draft.queries
    count = queries.ids.size
    # Queries of one generation call stand together, one to four of them.
    groups = np.cumsum(np.arange(count) % 10 % 4 == 0)
    return pl.DataFrame(
        {
            "query_id": _text(queries.ids), "text": texts, "answer": answers,
            "source": [draft.source_name(each) for each in queries.domain.tolist()],
            "domain": [draft.domain_name(each) for each in queries.domain.tolist()],
            "evidence_structure": pl.Series(published.STRUCTURES).gather(queries.structure),
            "language": pl.Series(LANGUAGES).gather(language),
            "generator": pl.Series(["generator-1", "generator-2"]).gather(groups % 2),
            "group_id": pl.Series(groups).cast(pl.String), "configured_pages": _configured(draft),
        }
    )  # fmt: skip


def _configured(draft: Draft) -> pl.Series:
    """Return the pages that each query was generated from, as lists of ids."""
    pages = draft.queries.pages.copy()
    used = (pages >= 0).sum(axis=1)
    # Where a query has fewer pieces than pages, the last pages have none.
    beyond = np.arange(pages.shape[1]) >= np.minimum(used, draft.queries.pieces)[:, None]
    pages[beyond] = -1
    left_out = np.array(sorted(draft.configured_without_last), np.int64)
    pages[left_out, used[left_out] - 1] = -1
    beside = np.full((pages.shape[0], 1), -1, np.int64)
    for row, page in draft.configured_too.items():
        beside[row, 0] = page
    pages = np.hstack([pages, beside])
    rows, columns = np.nonzero(pages >= 0)
    ids = _text(draft.pages.ids).gather(pages[rows, columns])
    return _lists(ids, np.bincount(rows, minlength=pages.shape[0])).alias("configured_pages")


def _evidence(draft: Draft) -> pl.DataFrame:
    import polars as pl

    evidence, count = draft.evidence, draft.evidence.query.size
    has_element = pl.Series(evidence.element >= 0)
    elements = np.maximum(evidence.element, 0)
    nothing = _nothing(count)
    relevance = np.where(draft.queries.real[evidence.query] == SINGLE, 2, 1)
    has_kind = bool(draft.elements.kind.size)
    return pl.DataFrame(
        {
            "query_row": evidence.query, "position": evidence.position,
            "page_id": _text(draft.pages.ids).gather(evidence.page),
            "document_id": _text(draft.documents.ids).gather(evidence.document),
            "element_id": _text(draft.elements.ids).gather(elements).zip_with(has_element, nothing)
            if has_kind else nothing,
            "box": boxes(evidence.box),
            "kind": pl.Series(ELEMENT_KINDS).gather(draft.elements.kind[elements]).zip_with(has_element, nothing)
            if has_kind else nothing,
            "relevance": relevance,
            "set_id": pl.Series(_SETS).gather(np.maximum(evidence.set_number, 0)).zip_with(
                pl.Series(evidence.set_number >= 0), nothing
            ),
        }
    )  # fmt: skip


def with_evidence(queries: pl.DataFrame, evidence: pl.DataFrame) -> pl.DataFrame:
    """Return the queries with their evidence as lists of structs, in the order of positions."""
    import polars as pl

    columns = [name for name in evidence.columns if name not in ("query_row", "position")]
    structs = evidence.select(pl.struct(columns)).to_series()
    counts = np.bincount(evidence["query_row"].to_numpy(), minlength=queries.height)
    return queries.with_columns(_lists(structs, counts).alias("evidence"))


def boxes(sides: Floats) -> pl.Series:
    """Return boxes as lists of four numbers, null where a side is NaN."""
    import polars as pl

    missing = pl.Series(np.isnan(sides).any(axis=1))
    lists = pl.Series(np.ascontiguousarray(sides), dtype=pl.Array(pl.Float64, 4)).arr.to_list()
    return lists.zip_with(~missing, pl.Series([None], dtype=pl.List(pl.Float64)).new_from_index(0, lists.len()))


def _lists(values: pl.Series, counts: Ints) -> pl.Series:
    """Return consecutive values as lists of `counts` each."""
    import polars as pl
    import pyarrow as pa

    offsets = pa.array(np.r_[0, np.cumsum(counts)].astype(np.int64))
    return pl.Series(pa.LargeListArray.from_arrays(offsets, values.to_arrow()))


def _text(ids: Any) -> pl.Series:
    import polars as pl

    return pl.Series(ids.tolist(), dtype=pl.String())


def _nothing(count: int) -> pl.Series:
    import polars as pl

    return pl.Series([None], dtype=pl.String()).new_from_index(0, count)
