"""Faults of whole documents: boxes in other units, screenshots of doubled pixels, pages that begin at the wrong row."""

from __future__ import annotations

import numpy as np

from benchmarks.full_size.draft import Draft
from benchmarks.full_size.layout import Ints

FRACTION_DOCUMENTS = 40
DOUBLED_DOCUMENTS = 40
SHIFTED_TOPS = 200


def plant_document_faults(draft: Draft) -> None:
    """Plant the faults; queries that touch a faulty document get no other fault."""
    documents, evidence, truth = draft.documents, draft.evidence, draft.truth
    touched = np.zeros(documents.pages.size, bool)
    touched[evidence.document[truth.taken[evidence.query]]] = True
    cited = np.zeros(documents.pages.size, bool)
    cited[draft.elements.document] = True
    free = truth.rng.permutation(np.nonzero(cited & ~touched)[0])
    html = free[documents.is_html[free] & (documents.pages[free] > 1)]
    doubled = html[: truth.count(DOUBLED_DOCUMENTS)]
    shifted = html[doubled.size : doubled.size + truth.count(SHIFTED_TOPS)]
    others = free[~np.isin(free, np.concatenate([doubled, shifted]))]
    fractions = others[: truth.count(FRACTION_DOCUMENTS)]
    _to_fractions(draft, fractions)
    _double(draft, doubled)
    _shift_tops(draft, shifted)
    faulty = np.isin(evidence.document, np.concatenate([fractions, doubled, shifted]))
    truth.taken[evidence.query[faulty]] = True


def _rows(draft: Draft, documents: Ints) -> tuple[Ints, Ints]:
    """Return the evidence rows and element rows of some documents."""
    pieces = np.nonzero(np.isin(draft.evidence.document, documents))[0]
    return pieces, np.nonzero(np.isin(draft.elements.document, documents))[0]


def _to_fractions(draft: Draft, documents: Ints) -> None:
    pieces, elements = _rows(draft, documents)
    for part, rows in ((draft.evidence, pieces), (draft.elements, elements)):
        page = part.page[rows]
        size = np.column_stack([draft.pages.width[page], draft.pages.height[page]])
        part.box[rows] = np.round(part.box[rows] / np.tile(size, 2), 5)
    draft.note_piece("fraction_box", pieces, "box")
    draft.note_element("fraction_box", elements, "box")


def _double(draft: Draft, documents: Ints) -> None:
    """A screenshot was taken at two device pixels a pixel, and the boxes were kept at that scale."""
    pieces, elements = _rows(draft, documents)
    draft.evidence.box[pieces] *= 2
    draft.elements.box[elements] *= 2
    draft.elements.document_box[elements] *= 2
    draft.note_piece("doubled_box", pieces, "box")
    draft.note_element("doubled_box", elements, "box")


def _shift_tops(draft: Draft, documents: Ints) -> None:
    """One page of each document, not its first, begins some rows before or after the end of the page above it."""
    draw = draft.truth.rng.random(documents.size) * (draft.documents.pages[documents] - 1)
    pages = draft.documents.first_page[documents] + 1 + draw.astype(np.int64)
    right = draft.pages.top[pages].copy()
    shift = draft.truth.rng.integers(20, 500, size=pages.size) * draft.truth.rng.choice([-1, 1], size=pages.size)
    draft.pages.top[pages] = right + shift
    draft.truth.add_all("document_top_inconsistent", "pages", draft.pages.ids[pages], "document_top", right.tolist())
