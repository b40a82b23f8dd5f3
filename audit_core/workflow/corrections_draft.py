"""What a proposed correction of an entry may name: the pages of its documents, its evidence, and elements that a box may be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from audit_core.domain import JsonObject
from audit_core.errors import JudgmentInvalid
from audit_core.geometry import overlap
from audit_core.protocols.audit_corrections import CorrectionPlaces
from audit_core.storage.campaigns import CampaignRow, EntryRow
from audit_core.workflow.entry_view import evidence_by_page
from audit_core.workflow.leafing import elements_of, evidence_documents
from audit_core.workflow.workspace import Workspace

#: A box means an element from this intersection over union on. The judging page is a little stricter (0.6), so that what it
#: rounds is never refused.
ELEMENT_OVERLAP = 0.5

_Sides = tuple[float, float, float, float]


def correction_places(workspace: Workspace, campaign: CampaignRow, row: EntryRow) -> CorrectionPlaces:
    """Return what a correction of this entry may name."""
    revision = workspace.revision(workspace.dataset(campaign.dataset_id))
    query = revision.query(row.query_id)
    pages = {page.page_id for each in evidence_documents(revision, query) for page in revision.pages_of(each)}
    listed = evidence_by_page(query)
    boxes = {
        page_id: [(piece.box.x0, piece.box.y0, piece.box.x1, piece.box.y1) for piece in pieces if piece.box]
        for page_id, pieces in listed.items()
    }
    return CorrectionPlaces(pages=pages, listed=set(listed), boxes=boxes)


def require_known_elements(
    workspace: Workspace, campaign: CampaignRow, row: EntryRow, correction: JsonObject | None
) -> None:
    """Check the elements that the boxes of a correction name.

    A dropped box names the element of the evidence there. A moved or added one names an element of its page, or of the
    evidence there, that it mostly covers, or none: a box that was moved away from its element is no longer that element.

    Raises:
        JudgmentInvalid: an element that is not there, or lies elsewhere than the box.
    """
    named = [each for each in (correction or {}).get("boxes", ()) if each["element_id"] is not None]
    if not named:
        return
    places = _element_places(workspace, campaign, row, {each["page_id"] for each in named})
    for change in named:
        page_id, element_id, action = change["page_id"], change["element_id"], change["action"]
        known = places.get((page_id, element_id))
        if known is None:
            raise JudgmentInvalid(f"correction: page {page_id!r} has no element {element_id!r}.")
        if action == "drop":
            is_there = any(_is_same(change["from"], box) for box in known.evidence)
        else:
            boxes = [*known.elements, *known.evidence]
            is_there = not boxes or any(overlap(change["to"], box) >= ELEMENT_OVERLAP for box in boxes)
        if not is_there:
            raise JudgmentInvalid(
                f"correction: a box on page {page_id!r} names element {element_id!r}, which lies elsewhere: "
                "take this change back and make it again."
            )


@dataclass(slots=True)
class _ElementPlaces:
    """Where one element lies on one page, in parts of the page: as the elements have it, and as the evidence has it."""

    elements: list[_Sides] = field(default_factory=list)
    evidence: list[_Sides] = field(default_factory=list)


def _element_places(
    workspace: Workspace, campaign: CampaignRow, row: EntryRow, wanted: set[str]
) -> dict[tuple[str, str], _ElementPlaces]:
    """Return the elements of the wanted pages of the entry's documents, and of its evidence, by page and element id."""
    revision = workspace.revision(workspace.dataset(campaign.dataset_id))
    query = revision.query(row.query_id)
    pages = [
        page
        for each in evidence_documents(revision, query)
        for page in revision.pages_of(each)
        if page.page_id in wanted
    ]
    found: dict[tuple[str, str], _ElementPlaces] = {}
    for page_id, elements in elements_of(revision, pages).items():
        for each in elements:
            place = found.setdefault((page_id, each["element_id"]), _ElementPlaces())
            place.elements.append((each["x0"], each["y0"], each["x1"], each["y1"]))
    for piece in query.evidence:
        if piece.element_id is not None:
            place = found.setdefault((piece.page_id, piece.element_id), _ElementPlaces())
            if piece.box is not None:
                place.evidence.append((piece.box.x0, piece.box.y0, piece.box.x1, piece.box.y1))
    return found


def _is_same(one: Sequence[float], other: Sequence[float]) -> bool:
    return all(abs(a - b) <= 1e-6 for a, b in zip(one, other, strict=True))
