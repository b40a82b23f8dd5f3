"""Checking an answer on an entry, a judgment's or a decision's, against its protocol and what the entry shows."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

from audit_core import registry
from audit_core.domain import Answer, JsonObject
from audit_core.errors import JudgmentInvalid
from audit_core.protocols.audit_corrections import CorrectionPlaces
from audit_core.storage.campaigns import CampaignRow, EntryRow
from audit_core.workflow.workspace import Workspace

NONCE_MAX = 100


def protocol_of(campaign: CampaignRow) -> ModuleType:
    """Return the module of the campaign's protocol.

    Raises:
        NotFound: this version does not know it.
    """
    return registry.look_up("audit_core.protocols", campaign.protocol)


def nonce_of(body: Mapping[str, Any]) -> str:
    """Return the text by which a repeated request is known.

    Raises:
        JudgmentInvalid: it is missing or none.
    """
    nonce = body.get("nonce")
    if not isinstance(nonce, str) or not 8 <= len(nonce) <= NONCE_MAX or not nonce.isascii() or not nonce.isprintable():
        raise JudgmentInvalid(f"nonce must be a fresh text of 8 to {NONCE_MAX} characters for each judgment.")
    return nonce


def base_revision_of(body: Mapping[str, Any]) -> int:
    """Return the number of the revision that was shown; 0 for none.

    Raises:
        JudgmentInvalid: it is no such number.
    """
    base = body.get("base_revision", 0)
    if isinstance(base, bool) or not isinstance(base, int) or not 0 <= base <= 1_000_000:
        raise JudgmentInvalid("base_revision must be the number of the revision that was shown, or 0.")
    return base


def checked_answer(
    workspace: Workspace, campaign: CampaignRow, row: EntryRow, body: Mapping[str, Any]
) -> tuple[Answer, JsonObject | None]:
    """Return the answer and the proposed correction that a request body holds, checked against the entry.

    Raises:
        JudgmentInvalid: the body breaks the protocol, or names what the entry does not have.
    """
    protocol = protocol_of(campaign)
    answer: Answer = protocol.parse(body, places=_places(workspace, campaign, row, protocol, body))
    if answer.fields.get("rewritten") is not None and hasattr(protocol, "refuse_unchanged"):
        dataset = workspace.dataset(campaign.dataset_id)
        protocol.refuse_unchanged(answer.fields, workspace.revision(dataset).query(row.query_id).text)
    return answer, _correction(workspace, campaign, row, protocol, body.get("correction"))


def _places(
    workspace: Workspace, campaign: CampaignRow, row: EntryRow, protocol: ModuleType, body: Mapping[str, Any]
) -> set[str] | CorrectionPlaces | None:
    """Return what an answer on this entry may name; None where it names nothing.

    Fields name pages, listed ones or others of the entry's documents; targets of codes pages and elements of the evidence.
    """
    if any(each.per_page for each in getattr(protocol, "FIELDS", ())):
        # Not at the top: it describes entries, which are made of what stands here.
        from audit_core.workflow.corrections_draft import correction_places

        return correction_places(workspace, campaign, row)
    if not body.get("targets"):
        return None
    dataset = workspace.dataset(campaign.dataset_id)
    query = workspace.revision(dataset).query(row.query_id)
    places = {each.page_id for each in query.evidence}
    return places | {each.element_id for each in query.evidence if each.element_id}


def _correction(
    workspace: Workspace, campaign: CampaignRow, row: EntryRow, protocol: ModuleType, raw: object
) -> JsonObject | None:
    """Return the proposed correction of an answer, checked against the entry's documents."""
    if raw is None:
        return None
    # Not at the top: it describes entries, which are made of what stands here.
    from audit_core.workflow.corrections_draft import correction_places, require_known_elements

    places = correction_places(workspace, campaign, row)
    correction: JsonObject | None = protocol.parse_correction(raw, places=places)
    require_known_elements(workspace, campaign, row, correction)
    return correction
