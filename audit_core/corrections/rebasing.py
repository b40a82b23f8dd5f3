"""Corrections brought up to what stands there now: the same aim, with another `before`."""

from __future__ import annotations

from dataclasses import replace

from audit_core.corrections.applying import QueryContent
from audit_core.corrections.checking import ON_A_PAGE
from audit_core.corrections.pieces import box_of, place_of, whole_page
from audit_core.corrections.records import Action, Change
from audit_core.domain import JsonObject
from audit_core.errors import CorrectionError
from audit_core.geometry import overlap

#: What can be done instead, by why it cannot be rebased.
_GONE = "Reject it; what shall be there instead is another correction"
_DONE = "Reject it, or revise what shall stand there"


def rebased(change: Change, content: QueryContent) -> Change:
    """Return the change with `before` as the query has it now; the change itself where that is what it expects.

    A box is found again by its element, else as the one that overlaps it most, else as the page's only one.

    Raises:
        CorrectionError: the query is withdrawn, what it acts on is gone or cannot be told, or it has been done already.
    """
    if content.is_withdrawn:
        raise _refusal(change, "the query is withdrawn", "Reject it, or reject the withdrawal")
    if change.action is Action.REWORD:
        return _unlike(change, replace(change, before=content.text))
    if change.action is Action.RE_ANSWER:
        return _unlike(change, replace(change, before=content.answer))
    if change.action not in ON_A_PAGE:
        return change
    own = [each for each in content.evidence if place_of(each) == (change.key["page_id"], change.key["set_id"])]
    if change.action is Action.ADD_PAGE:
        if own:
            raise _refusal(change, "the page is evidence of that set already", _GONE)
        return change
    if not own:
        raise _refusal(change, "the page is no evidence of that set any more", _GONE)
    if change.action is Action.DROP_PAGE:
        return replace(change, before=own)
    if change.after is not None and change.after in own:
        raise _refusal(change, "the box is there already", _DONE)
    return _rebased_box(change, own)


def _rebased_box(change: Change, own: list[JsonObject]) -> Change:
    boxes = [each for each in own if box_of(each) is not None]
    if change.action is Action.ADD_BOX:
        if not boxes:
            return replace(change, before=own[0])
        if len(boxes) < len(own):
            raise _refusal(change, "the page is evidence both whole and with boxes", _GONE)
        return replace(change, before=None)
    found = _same_box(change, boxes)
    if change.action is Action.MOVE_BOX:
        return _unlike(change, replace(change, before=found))
    return replace(change, before=found, after=whole_page(found) if len(own) == 1 else None)


def _same_box(change: Change, boxes: list[JsonObject]) -> JsonObject:
    wanted = change.before
    if wanted in boxes:
        return dict(wanted)
    element = wanted.get("element_id")
    named = [each for each in boxes if element is not None and each.get("element_id") == element]
    if len(named) == 1:
        return named[0]
    ranked = sorted(
        ((overlap(box_of(each) or (), box_of(wanted) or ()), -at) for at, each in enumerate(boxes)), reverse=True
    )
    if ranked and ranked[0][0] > 0:
        return boxes[-ranked[0][1]]
    if len(boxes) == 1:
        return boxes[0]
    raise _refusal(change, "no box of the page can be told to be the one that it meant", _GONE)


def _unlike(change: Change, made: Change) -> Change:
    if made.before == made.after:
        raise _refusal(change, "what it asks for stands there already", _DONE)
    return made


def _refusal(change: Change, why: str, how: str) -> CorrectionError:
    return CorrectionError(
        f"The correction {change.action} of query {change.query_id!r} cannot be rebased: {why}. {how}."
    )
