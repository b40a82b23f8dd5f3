"""What corrections stand on: the pages and elements of the dataset that they may name, and its box units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from audit_core.domain import Box
from audit_core.geometry import to_fraction


@dataclass(frozen=True, slots=True)
class GroundPage:
    """A page: its document, its `index` as the bundle counts, its size in pixels or points (0 where unknown)."""

    document_id: str
    index: int
    printed_label: str | None
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class GroundElement:
    """An element of a page; `box` is in the bundle's units, None where it has none that can be used."""

    kind: str
    box: tuple[float, float, float, float] | None


@dataclass(frozen=True, slots=True)
class Ground:
    """Pages by id, elements by (page id, element id); `box_units` is `pixel` or `fraction`.

    `has_elements` is False where the dataset lists none at all: what evidence names of them then cannot be looked up.
    """

    box_units: str
    pages: Mapping[str, GroundPage]
    elements: Mapping[tuple[str, str], GroundElement] = field(default_factory=dict)
    has_elements: bool = True

    @property
    def places(self) -> dict[str, tuple[str, int]]:
        """Document and index of each page, for `applying.structure_of`."""
        return {page_id: (page.document_id, page.index) for page_id, page in self.pages.items()}

    def fraction(self, page_id: str, box: Sequence[float]) -> Box | None:
        """Return a box of a page in parts of its width and height; None where the page is unknown or has no size."""
        page = self.pages.get(page_id)
        if self.box_units == "fraction":
            return to_fraction(box, units="fraction", width=0, height=0)
        if page is None or not (page.width > 0 and page.height > 0):
            return None
        return to_fraction(box, units="pixel", width=page.width, height=page.height)
