"""The benchmark while faults are planted into it: arrays, before they become tables."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from benchmarks.full_size import published
from benchmarks.full_size.layout import Documents, Ints, Pages
from benchmarks.full_size.places import Elements, Evidence, Flags, Queries
from benchmarks.full_size.truth import Truth


@dataclass(slots=True)
class Draft:
    """All parts, and what queries say of the pages that they were generated from where that is not true."""

    documents: Documents
    pages: Pages
    queries: Queries
    evidence: Evidence
    elements: Elements
    truth: Truth
    #: By query row: a page that is named beside the evidence pages, and queries that leave their last page out.
    configured_too: dict[int, int] = field(default_factory=dict)
    configured_without_last: set[int] = field(default_factory=set)

    @property
    def first_piece(self) -> Ints:
        """The evidence row of each query's first piece."""
        ends: Ints = np.cumsum(self.queries.pieces)
        return ends - self.queries.pieces

    def any_piece(self, queries: Ints) -> Ints:
        """Return an evidence row of each of these queries, by chance."""
        drawn = self.truth.rng.random(queries.size) * self.queries.pieces[queries]
        chosen: Ints = self.first_piece[queries] + drawn.astype(np.int64)
        return chosen

    def pointing(self) -> Flags:
        """Return whether every piece of a query points to an element."""
        missing = np.bincount(self.evidence.query[self.evidence.element < 0], minlength=self.queries.pieces.size)
        whole: Flags = missing == 0
        return whole

    def domain_name(self, domain: int) -> str:
        """Return the name of a domain."""
        return published.DOMAINS[domain][0]

    def source_name(self, domain: int) -> str:
        """Return the source of a domain."""
        return published.DOMAINS[domain][1]

    def note_piece(self, fault: str, pieces: Ints, field_name: str, details: list[str] | None = None) -> None:
        """Write down a fault in a field of these evidence rows."""
        for number, piece in enumerate(pieces.tolist()):
            row = str(self.queries.ids[self.evidence.query[piece]])
            path = f"evidence[{self.evidence.position[piece]}].{field_name}"
            self.truth.add(fault, "queries", row, path, details[number] if details else None)

    def note_element(self, fault: str, elements: Ints, field_name: str, details: list[str] | None = None) -> None:
        """Write down a fault in a field of these elements; an element's id is its own only within its document."""
        for number, element in enumerate(elements.tolist()):
            document = str(self.documents.ids[self.elements.document[element]])
            detail = details[number] if details else None
            self.truth.add(fault, "elements", str(self.elements.ids[element]), field_name, detail, document_id=document)
