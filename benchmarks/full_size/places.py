"""Queries and where their evidence lies: documents, pages, pieces of evidence and the elements that they point to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from audit_core.domain import ELEMENT_KINDS
from benchmarks.full_size import published
from benchmarks.full_size.layout import Documents, Floats, Ints, Pages, shares, text_ids

Flags = npt.NDArray[np.bool_]
SINGLE, MULTI, ADJACENT, NEAR, FAR, CROSS = range(len(published.STRUCTURES))
#: Most pages that one query has evidence on.
MOST_PAGES = 3
#: Most pieces of evidence of one query.
MOST_PIECES = 16
#: A query that lies on one page has another page as an alternative in so many cases.
ALTERNATIVES_SHARE = 0.01


@dataclass(slots=True)
class Queries:
    """Queries: `structure` is what is stated, `real` what the pages give; `pages` has a row a query, -1 where none."""

    domain: Ints
    structure: Ints
    real: Ints
    pages: Ints
    pieces: Ints
    #: The pages are alternatives (each its own set), not parts of one answer.
    has_alternatives: Flags
    ids: npt.NDArray[Any]


@dataclass(slots=True)
class Evidence:
    """Pieces of evidence, those of a query together. `element` is a row of the elements or -1; `box` may be NaN."""

    query: Ints
    position: Ints
    page: Ints
    document: Ints
    element: Ints
    box: Floats
    set_number: Ints


@dataclass(slots=True)
class Elements:
    """Elements, one for a piece of evidence, in the order of pages."""

    document: Ints
    page: Ints
    kind: Ints
    box: Floats
    document_box: Floats
    ids: npt.NDArray[Any]


def make_queries(scale: float, rng: np.random.Generator) -> Queries:
    """Return queries with their stated structure, mixed over domains as one reads them; no page is drawn yet."""
    counts = np.array([each[2] for each in published.DOMAINS])
    counts = shares(counts, round(int(counts.sum()) * scale))
    domain = np.repeat(np.repeat(np.arange(counts.shape[0]), counts.shape[1]), counts.ravel())
    structure = np.repeat(np.tile(np.arange(counts.shape[1]), counts.shape[0]), counts.ravel())
    order = rng.permutation(domain.size)
    domain, structure = domain[order], structure[order]
    count = domain.size
    pages = np.full((count, MOST_PAGES), -1, np.int64)
    no_pieces, no_alternatives = np.zeros(count, np.int64), np.zeros(count, bool)
    return Queries(domain, structure, structure.copy(), pages, no_pieces, no_alternatives, text_ids(count))


def draw_pages(queries: Queries, documents: Documents, rng: np.random.Generator) -> None:
    """Draw the evidence pages of each query so that they give its `real` structure."""
    in_domain = _by_length(documents)
    gap = _gaps(queries.real, rng)
    for domain, rows in _rows_by(queries.domain):
        order, lengths = in_domain[domain]
        longest = lengths[0] if lengths.size else 0
        # In a small benchmark no document of the domain may be long enough for the drawn gap.
        fit = np.minimum(gap[rows], np.where(queries.real[rows] == NEAR, 5, longest - 1))
        suitable = np.searchsorted(-lengths, -(fit + 1), side="right")
        place = (rng.random(rows.size) * suitable).astype(np.int64)
        document = order[place]
        first = (rng.random(rows.size) * (documents.pages[document] - fit)).astype(np.int64)
        queries.pages[rows, 0] = documents.first_page[document] + first
        apart = fit > 0
        queries.pages[rows[apart], 1] = queries.pages[rows[apart], 0] + fit[apart]
        _draw_other_documents(queries, documents, rows, place, order, rng)


def _gaps(structure: Ints, rng: np.random.Generator) -> Ints:
    """Return how far the two pages of a query lie apart: 1, 2 to 5, 6 or more; 0 where it has pages of one place only."""
    gap = np.zeros(structure.size, np.int64)
    gap[structure == ADJACENT] = 1
    near, far = structure == NEAR, structure == FAR
    gap[near] = rng.integers(2, 6, size=int(near.sum()))
    gap[far] = 6 + rng.geometric(0.2, size=int(far.sum())) - 1
    return gap


def _by_length(documents: Documents) -> dict[int, tuple[Ints, Ints]]:
    """Return, by domain, its documents from the longest to the shortest and their lengths."""
    found: dict[int, tuple[Ints, Ints]] = {}
    for domain, rows in _rows_by(documents.domain):
        order = rows[np.argsort(-documents.pages[rows], kind="stable")]
        found[domain] = (order, documents.pages[order])
    return found


def _rows_by(values: Ints) -> list[tuple[int, Ints]]:
    order = np.argsort(values, kind="stable")
    names, starts = np.unique(values[order], return_index=True)
    return [(int(name), rows) for name, rows in zip(names, np.split(order, starts[1:]), strict=True)]


def _draw_other_documents(
    queries: Queries, documents: Documents, rows: Ints, place: Ints, order: Ints, rng: np.random.Generator
) -> None:
    across = queries.real[rows] == CROSS
    for slot in (1, 2):
        wanted = across & ((slot == 1) | (rng.random(rows.size) < 0.15)) & (order.size > slot)
        step = (slot - 1) * ((order.size - 1) // 2) + 1 + (rng.random(rows.size) * ((order.size - 1) // 2)).astype(int)
        document = order[(place + step) % order.size]
        page = documents.first_page[document] + (rng.random(rows.size) * documents.pages[document]).astype(np.int64)
        queries.pages[rows[wanted], slot] = page[wanted]


def draw_alternatives(
    queries: Queries, documents: Documents, pages: Pages, free: Flags, rng: np.random.Generator
) -> None:
    """Give some Page-Single queries another page that answers as well; that is no fault, though two pages are named."""
    document = pages.document[queries.pages[:, 0]]
    can = free & (queries.real == SINGLE) & (queries.structure == SINGLE) & (documents.pages[document] > 1)
    chosen = np.nonzero(can & (rng.random(can.size) < ALTERNATIVES_SHARE))[0]
    own = queries.pages[chosen, 0] - documents.first_page[document[chosen]]
    step = 1 + (rng.random(chosen.size) * (documents.pages[document[chosen]] - 1)).astype(np.int64)
    other = (own + step) % documents.pages[document[chosen]]
    queries.pages[chosen, 1] = documents.first_page[document[chosen]] + other
    queries.has_alternatives[chosen] = True


def count_pieces(queries: Queries, scale: float, one_piece: Flags, rng: np.random.Generator) -> None:
    """Set how many pieces of evidence each query has; they sum to the published number times `scale`.

    At least one a page; a page with several pieces has at least two, but for the queries of `one_piece`.
    """
    used = (queries.pages >= 0).sum(axis=1)
    least = np.where((queries.real == MULTI) & ~one_piece, 2, used)
    fixed = one_piece | (queries.real == SINGLE)
    total = round(published.EVIDENCE_ROWS * scale)
    free = np.nonzero(~fixed)[0]
    extra = max(total - int(least.sum()), 0) / max(free.size, 1)
    pieces = least.copy()
    pieces[free] = np.minimum(least[free] + rng.poisson(extra, size=free.size), MOST_PIECES)
    while (missing := total - int(pieces.sum())) != 0:
        can = free[pieces[free] < MOST_PIECES] if missing > 0 else free[pieces[free] > least[free]]
        if can.size == 0:
            break
        pieces[rng.choice(can, size=min(abs(missing), can.size), replace=False)] += 1 if missing > 0 else -1
    queries.pieces[:] = pieces


def make_evidence(queries: Queries, pages: Pages, rng: np.random.Generator) -> Evidence:
    """Return the evidence with a box a piece; the pages of a query take turns."""
    query = np.repeat(np.arange(queries.pieces.size), queries.pieces)
    position = np.arange(query.size) - np.repeat(np.cumsum(queries.pieces) - queries.pieces, queries.pieces)
    used = (queries.pages >= 0).sum(axis=1)
    page = queries.pages[query, position % used[query]]
    width, height = pages.width[page], pages.height[page]
    # Each piece has a strip of its page, so that boxes of one query do not overlap.
    strip = height * 0.9 / queries.pieces[query]
    x0 = width * (0.04 + 0.3 * rng.random(query.size))
    y0 = height * 0.05 + strip * (position + 0.3 * rng.random(query.size))
    x1 = x0 + width * (0.2 + 0.4 * rng.random(query.size))
    y1 = y0 + np.minimum(strip * (0.3 + 0.35 * rng.random(query.size)), 400.0)
    box = np.round(np.column_stack([x0, y0, x1, y1]), 1)
    sets = np.where(queries.has_alternatives[query], position % used[query], -1)
    element = np.full(query.size, -1, np.int64)
    return Evidence(query, position, page, pages.document[page], element, box, sets)


def make_elements(evidence: Evidence, pages: Pages, share: float, rng: np.random.Generator) -> Elements:
    """Return elements for a `share` of the evidence and let that evidence point to them; ids are numbers in a document."""
    rows = np.arange(evidence.page.size)
    if share < 1.0:
        rows = np.nonzero(rng.random(rows.size) < share)[0]
    rows = rows[np.argsort(evidence.page[rows], kind="stable")]
    evidence.element[rows] = np.arange(rows.size)
    page, document = evidence.page[rows], evidence.document[rows]
    starts = np.r_[0, np.nonzero(document[1:] != document[:-1])[0] + 1] if rows.size else np.zeros(0, np.int64)
    number = np.arange(rows.size) - np.repeat(starts, np.diff(np.r_[starts, rows.size]))
    ids = np.array([f"e{each}" for each in number.tolist()], dtype=object)
    kinds = np.array([0.5, 0.08, 0.09, 0.08, 0.03, 0.06, 0.06, 0.05, 0.04, 0.01])
    kind = rng.choice(len(ELEMENT_KINDS), p=kinds / kinds.sum(), size=rows.size)
    box = evidence.box[rows].copy()
    shift = pages.top[page][:, None] * np.array([0.0, 1.0, 0.0, 1.0])
    whole = np.where(np.isnan(pages.top[page])[:, None], np.nan, box + np.nan_to_num(shift))
    return Elements(document.copy(), page.copy(), kind, box, whole, ids)
