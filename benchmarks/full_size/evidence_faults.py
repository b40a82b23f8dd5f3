"""Faults of single pieces of evidence and their elements: mapping and boxes."""

from __future__ import annotations

import numpy as np

from benchmarks.full_size import published
from benchmarks.full_size.draft import Draft
from benchmarks.full_size.layout import Floats, Ints

#: So many faults of each kind at scale 1 where nothing was published.
OF_A_KIND = 300


def plant_mapping_faults(draft: Draft) -> None:
    """Plant references that lead to the wrong place or nowhere."""
    _other_page(draft)
    _other_document(draft)
    _element_of_other_document(draft)
    _configured_pages(draft)
    queries = draft.truth.take(OF_A_KIND, draft.pointing())
    pieces = draft.any_piece(queries)
    draft.evidence.box[pieces] = np.nan
    draft.note_piece("evidence_without_box", pieces, "box")
    if (draft.evidence.element >= 0).all():
        pieces = draft.any_piece(draft.truth.take(OF_A_KIND, draft.pointing()))
        draft.evidence.element[pieces] = -1
        draft.note_piece("evidence_without_element", pieces, "element_id")


def _other_page(draft: Draft) -> None:
    """The element lies on another page of the document than the evidence says."""
    long_enough = np.ones(draft.queries.pieces.size, bool)
    short = draft.documents.pages[draft.evidence.document] < 2
    long_enough[draft.evidence.query[short]] = False
    pieces = draft.any_piece(draft.truth.take(OF_A_KIND, draft.pointing() & long_enough))
    elements = draft.evidence.element[pieces]
    document = draft.evidence.document[pieces]
    first, count = draft.documents.first_page[document], draft.documents.pages[document]
    step = 1 + (draft.truth.rng.random(pieces.size) * (count - 1)).astype(np.int64)
    draft.elements.page[elements] = first + (draft.evidence.page[pieces] - first + step) % count
    other = [str(each) for each in draft.pages.ids[draft.elements.page[elements]]]
    draft.note_piece("element_on_other_page", pieces, "element_id", other)


def _another(draft: Draft, documents: Ints) -> Ints:
    return (documents + 1 + draft.truth.rng.integers(draft.documents.pages.size - 1, size=documents.size)) % (
        draft.documents.pages.size
    )


def _other_document(draft: Draft) -> None:
    """The evidence names another document than its page's."""
    pieces = draft.any_piece(draft.truth.take(OF_A_KIND, draft.queries.pieces > 0))
    right = [str(each) for each in draft.documents.ids[draft.evidence.document[pieces]]]
    draft.evidence.document[pieces] = _another(draft, draft.evidence.document[pieces])
    draft.note_piece("evidence_document_mismatch", pieces, "document_id", right)


def _element_of_other_document(draft: Draft) -> None:
    """The element names another document than its page's; its id is one that no other element has."""
    elements = draft.evidence.element[draft.any_piece(draft.truth.take(OF_A_KIND, draft.pointing()))]
    right = [str(each) for each in draft.documents.ids[draft.elements.document[elements]]]
    draft.elements.document[elements] = _another(draft, draft.elements.document[elements])
    draft.elements.ids[elements] = [f"strayed-{number}" for number in elements.tolist()]
    draft.note_element("element_document_mismatch", elements, "document_id", right)


def _configured_pages(draft: Draft) -> None:
    """The pages that a query was generated from are not those of its evidence."""
    pages, half = draft.queries.pages, published.DIFFERING_PAGES // 2
    more = draft.truth.take(published.DIFFERING_PAGES - half, draft.queries.pieces > 0)
    for row in more.tolist():
        beside = int(draft.truth.rng.integers(draft.pages.document.size))
        if beside not in pages[row]:
            draft.configured_too[row] = beside
            draft.truth.add(
                "configured_page_without_evidence", "queries", str(draft.queries.ids[row]), "configured_pages",
                str(draft.pages.ids[beside]),
            )  # fmt: skip
    used = (pages >= 0).sum(axis=1)
    fewer = draft.truth.take(half, (used > 1) & (draft.queries.pieces >= used))
    draft.configured_without_last.update(fewer.tolist())
    last = [str(each) for each in draft.pages.ids[pages[fewer, used[fewer] - 1]]]
    draft.truth.add_all("evidence_page_not_configured", "queries", draft.queries.ids[fewer], "configured_pages", last)


def plant_box_faults(draft: Draft) -> None:
    """Plant boxes without size, beside their page, over the whole page; and elements that go on on the next page."""
    for fault, count, changed in (
        ("zero_size_box", OF_A_KIND, _flat),
        ("box_outside_page", published.BOXES_OUTSIDE, _outside),
        ("box_one_pixel_outside", OF_A_KIND, _hair),
        ("whole_page_box", OF_A_KIND, _whole),
    ):
        pieces = draft.any_piece(draft.truth.take(count, draft.pointing()))
        elements = draft.evidence.element[pieces]
        page = draft.evidence.page[pieces]
        size = np.column_stack([draft.pages.width[page], draft.pages.height[page]])
        draft.evidence.box[pieces] = changed(draft.evidence.box[pieces], size, draft.truth.rng)
        draft.elements.box[elements] = draft.evidence.box[pieces]
        _follow(draft, elements)
        draft.note_piece(fault, pieces, "box")
        draft.note_element(fault, elements, "box")
    pieces = draft.any_piece(draft.truth.take(OF_A_KIND, draft.pointing()))
    draft.evidence.box[pieces] = np.round(draft.evidence.box[pieces] * 0.8, 1)
    draft.note_piece("box_differs_from_element", pieces, "box")
    _span(draft)


def _follow(draft: Draft, elements: Ints) -> None:
    top = draft.pages.top[draft.elements.page[elements]]
    shift = top[:, None] * np.array([0.0, 1.0, 0.0, 1.0])
    draft.elements.document_box[elements] = draft.elements.box[elements] + shift
    draft.elements.document_box[elements[np.isnan(top)]] = np.nan


def _flat(box: Floats, size: Floats, rng: np.random.Generator) -> Floats:
    side = rng.integers(2, size=len(box))
    box[np.arange(len(box)), side + 2] = box[np.arange(len(box)), side]
    return box


def _outside(box: Floats, size: Floats, rng: np.random.Generator) -> Floats:
    by = np.round(1.5 + rng.gamma(1.0, 60.0, size=len(box)), 1)
    right = rng.random(len(box)) < 0.5
    box[right, 2] = size[right, 0] + by[right]
    box[~right, 3] = size[~right, 1] + by[~right]
    return box


def _hair(box: Floats, size: Floats, rng: np.random.Generator) -> Floats:
    box[:, 2] = size[:, 0] + rng.choice([0.5, 1.0], size=len(box))
    return box


def _whole(box: Floats, size: Floats, rng: np.random.Generator) -> Floats:
    return np.column_stack([np.zeros_like(size), size])


def _span(draft: Draft) -> None:
    """The element ends on the next page: its box reaches the foot of its page, its document box goes on."""
    evidence, documents = draft.evidence, draft.documents
    is_last = evidence.page == documents.first_page[evidence.document] + documents.pages[evidence.document] - 1
    can = np.ones(draft.queries.pieces.size, bool)
    can[evidence.query[is_last | ~documents.is_html[evidence.document]]] = False
    pieces = draft.any_piece(draft.truth.take(published.SPANNING_ELEMENTS, can & draft.pointing()))
    elements, page = evidence.element[pieces], evidence.page[pieces]
    evidence.box[pieces, 3] = draft.pages.height[page]
    draft.elements.box[elements] = evidence.box[pieces]
    _follow(draft, elements)
    draft.elements.document_box[elements, 3] += draft.truth.rng.integers(20, 300, size=pieces.size)
    draft.note_element("element_spans_pages", elements, "document_box")
