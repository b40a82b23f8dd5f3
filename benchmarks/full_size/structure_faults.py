"""Structures that are stated but not given: planted before pages are drawn, by drawing for another structure."""

from __future__ import annotations

import numpy as np

from benchmarks.full_size import published
from benchmarks.full_size.layout import Ints
from benchmarks.full_size.places import ADJACENT, CROSS, FAR, MULTI, NEAR, SINGLE, Flags, Queries
from benchmarks.full_size.truth import Truth

#: Fault, the structure that is stated, what the pages give, and how many at scale 1.
_SWAPS = (
    ("gap_is_near", ADJACENT, NEAR, 150),
    ("gap_is_far", ADJACENT, FAR, 150),
    ("gap_is_adjacent", NEAR, ADJACENT, 100),
    ("gap_is_far", NEAR, FAR, 100),
    ("gap_is_adjacent", FAR, ADJACENT, 100),
    ("gap_is_near", FAR, NEAR, 100),
    ("cross_doc_on_one_document", CROSS, NEAR, 200),
    ("cross_doc_on_one_page", CROSS, MULTI, 100),
    ("one_page_stated_but_two", MULTI, ADJACENT, 200),
    ("one_page_stated_but_two", SINGLE, NEAR, 100),
    ("one_document_stated_but_two", FAR, CROSS, 50),
    ("page_single_with_several_elements", SINGLE, MULTI, 200),
)
PAGE_MULTI_WITH_ONE = 300


def plant_structure_faults(queries: Queries, truth: Truth) -> Flags:
    """Set the `real` structure of some queries to another than the stated one; return which have one piece only."""
    for fault, stated, real, count in _SWAPS:
        rows = truth.take(count, queries.structure == stated)
        queries.real[rows] = real
        _note(queries, truth, fault, rows, published.STRUCTURES[real])
    one_piece: Flags = np.zeros(queries.structure.size, bool)
    rows = truth.take(PAGE_MULTI_WITH_ONE, queries.structure == MULTI)
    one_piece[rows] = True
    _note(queries, truth, "page_multi_with_one_element", rows, published.STRUCTURES[SINGLE])
    return one_piece


def _note(queries: Queries, truth: Truth, fault: str, rows: Ints, given: str) -> None:
    truth.add_all(fault, "queries", queries.ids[rows], "evidence_structure", [given] * rows.size)
