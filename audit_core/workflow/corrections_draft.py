"""What a proposed correction of an entry may name: the pages of its documents, its evidence, and elements that a box may be."""

from __future__ import annotations

from audit_core.domain import JsonObject
from audit_core.errors import JudgmentInvalid
from audit_core.protocols.audit_corrections import CorrectionPlaces
from audit_core.storage.campaigns import CampaignRow, EntryRow
from audit_core.workflow.entry_view import evidence_by_page
from audit_core.workflow.leafing import elements_of, evidence_documents
from audit_core.workflow.workspace import Workspace


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
    """Check that every box of a correction that names an element names one of its page, or of the evidence there.

    Raises:
        JudgmentInvalid: an element that is not there.
    """
    named = [each for each in (correction or {}).get("boxes", ()) if each["element_id"] is not None]
    if not named:
        return
    revision = workspace.revision(workspace.dataset(campaign.dataset_id))
    evidence = evidence_by_page(revision.query(row.query_id))
    documents = evidence_documents(revision, revision.query(row.query_id))
    wanted = {each["page_id"] for each in named}
    pages = [page for each in documents for page in revision.pages_of(each) if page.page_id in wanted]
    elements = elements_of(revision, pages)
    for change in named:
        page_id = change["page_id"]
        known = {each["element_id"] for each in elements.get(page_id, ())}
        known |= {piece.element_id for piece in evidence.get(page_id, ())}
        if change["element_id"] not in known:
            raise JudgmentInvalid(f"correction: page {page_id!r} has no element {change['element_id']!r}.")
