"""What a query shall be, as a decision stores it: by the steps of a proposal where these say it, else whole.

A whole correction is `{"text", "answer", "evidence"}`, any of them: what the query shall be in the bundle's own form, with
`evidence` as the whole list. Steps are in the form of an annotator's proposal, which knows no sets and no relevance.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard

from audit_core.corrections.applying import QueryContent, apply_change, apply_changes
from audit_core.corrections.checking import faults_of
from audit_core.corrections.deriving import STEP_KEYS, WHOLE_KEYS, changes_of
from audit_core.corrections.ground import Ground
from audit_core.corrections.pieces import PieceError, canonical_list, counted
from audit_core.corrections.records import Change
from audit_core.corrections.steps import steps_of
from audit_core.domain import JsonObject
from audit_core.errors import CorrectionError, JudgmentInvalid
from audit_core.protocols.answer_fields import refuse_unstorable
from audit_core.protocols.audit_corrections import TEXT_MAX, parse_correction
from audit_core.storage.campaigns import CampaignRow, EntryRow
from audit_core.workflow.correction_ground import contents_of, ground_of
from audit_core.workflow.corrections_draft import correction_places, require_known_elements
from audit_core.workflow.workspace import Workspace

#: Most pieces of evidence that a decision can want.
PIECES_MAX = 500


def is_whole(raw: object) -> TypeGuard[JsonObject]:
    """Return whether a correction gives the wanted content whole."""
    return isinstance(raw, dict) and bool(raw) and set(raw) <= WHOLE_KEYS and not set(raw) <= STEP_KEYS


def whole_correction(
    workspace: Workspace, campaign: CampaignRow, row: EntryRow, raw: Mapping[str, Any]
) -> JsonObject | None:
    """Return a whole correction of an entry's query, checked against the dataset; None where it changes nothing.

    Raises:
        JudgmentInvalid: it names what is not there, or has no such form.
    """
    revision = workspace.revision(workspace.dataset(campaign.dataset_id))
    content = contents_of(revision, [row.query_id])[row.query_id]
    evidence = raw.get("evidence") or []
    named = [each.get("page_id") for each in evidence if isinstance(each, dict)] if isinstance(evidence, list) else []
    pages = [*(each["page_id"] for each in content.evidence), *(each for each in named if isinstance(each, str))]
    try:
        return checked_wanted(raw, content, ground_of(revision, pages))
    except CorrectionError as error:
        raise JudgmentInvalid(f"correction: {error}") from None


def checked_wanted(
    raw: Mapping[str, Any], content: QueryContent, ground: Ground, *, names: Mapping[str, str] | None = None
) -> JsonObject | None:
    """Return the parts of the wanted content that are not as the query has them, in one form; None where there is none.

    `names` are the words of the parts, for messages that begin with the part that is wrong.

    Raises:
        CorrectionError: a part is wrong, or names what the dataset does not have.
    """
    called = {part: (names or {}).get(part, part) for part in WHOLE_KEYS}
    found: JsonObject = {}
    if "text" in raw and _text(raw["text"], called["text"]) != content.text:
        found["text"] = raw["text"]
    if "answer" in raw:
        answer = None if raw["answer"] is None else _text(raw["answer"], called["answer"], may_be_empty=True)
        if answer != content.answer:
            found["answer"] = answer
    if "evidence" in raw:
        wanted = _evidence(raw["evidence"], content, ground, called["evidence"])
        if counted(wanted) != counted(content.evidence):
            found["evidence"] = wanted
    return found or None


def _text(value: object, name: str, *, may_be_empty: bool = False) -> str:
    if not isinstance(value, str) or not (may_be_empty or value.strip()):
        raise CorrectionError(f"{name} must be text{'' if may_be_empty else ' and not empty'}.")
    if len(value) > TEXT_MAX:
        raise CorrectionError(f"{name} must have at most {TEXT_MAX:,} characters, and has {len(value):,}.")
    try:
        refuse_unstorable(value, name)
    except JudgmentInvalid as error:
        raise CorrectionError(str(error)) from None
    return value


def _evidence(raw: object, content: QueryContent, ground: Ground, name: str) -> list[JsonObject]:
    try:
        wanted = canonical_list(raw, field=name)
    except PieceError as error:
        raise CorrectionError(_told(error.field, error.found, error.expected)) from None
    if len(wanted) > PIECES_MAX:
        raise CorrectionError(f"{name} must have at most {PIECES_MAX} pieces, and has {len(wanted)}.")
    for each in wanted:
        for part in each.values():
            if isinstance(part, str):
                _text(part, name, may_be_empty=True)
    standing = content
    for change in changes_of({"evidence": wanted}, content, ground):
        if faults := faults_of(change, standing, ground):
            # By the name that it has in the list, and not in the change that was made of it.
            _, _, part = faults[0].field.partition(".")
            where = f"{_place(name, wanted, change)}.{part or faults[0].field}"
            raise CorrectionError(_told(where, faults[0].found, faults[0].expected))
        standing = apply_change(standing, change)
    return wanted


def _told(field: str, found: str | None, expected: str) -> str:
    """Return what is wrong with a piece, its field first."""
    return f"{field} must be {expected}." if found is None else f"{field} is {found}; expected {expected}."


def _place(name: str, wanted: list[JsonObject], change: Change) -> str:
    """Return which piece of the wanted evidence a change comes from."""
    for at, each in enumerate(wanted):
        if each == change.after or (each["page_id"], each.get("set_id")) == (
            change.key["page_id"],
            change.key["set_id"],
        ):
            return f"{name}[{at}]"
    return name


def as_steps(
    workspace: Workspace,
    campaign: CampaignRow,
    row: EntryRow,
    wanted: JsonObject,
    content: QueryContent,
    ground: Ground,
) -> JsonObject:
    """Return wanted content by the steps of a proposal, where these lead to just that; else as it is."""
    steps = steps_of(changes_of(wanted, content, ground), ground)
    if not steps:
        return wanted
    try:
        parsed = parse_correction(steps, places=correction_places(workspace, campaign, row))
        require_known_elements(workspace, campaign, row, parsed)
        made = apply_changes(content, changes_of(parsed, content, ground))
    except (JudgmentInvalid, CorrectionError):
        return wanted
    meant = apply_changes(content, changes_of(wanted, content, ground))
    is_same = (made.text, made.answer, counted(made.evidence)) == (meant.text, meant.answer, counted(meant.evidence))
    return parsed if is_same and parsed is not None else wanted
