"""Atomic changes as the steps of a proposal, the form in which annotators propose and the judging page draws."""

from __future__ import annotations

from collections.abc import Sequence

from audit_core.corrections.ground import Ground
from audit_core.corrections.pieces import box_of
from audit_core.corrections.records import Action, Change
from audit_core.domain import JsonObject

_TEXTS = {Action.REWORD: "query", Action.RE_ANSWER: "answer"}
_BOXES = {Action.ADD_BOX: "add", Action.MOVE_BOX: "move", Action.DROP_BOX: "drop"}


def steps_of(changes: Sequence[Change], ground: Ground) -> JsonObject | None:
    """Return the proposal whose steps these changes are (`protocols.audit_corrections`); None where it has no step for one.

    The form knows neither sets nor relevance, nor kinds but those of elements: whoever uses it must see whether its steps
    lead where the changes do.
    """
    found: JsonObject = {}
    for change in changes:
        if change.action in _TEXTS:
            found[_TEXTS[change.action]] = change.after
        elif change.action is Action.DROP_PAGE:
            found.setdefault("drop_pages", []).append(change.key["page_id"])
        elif change.action is Action.ADD_PAGE:
            found.setdefault("add_pages", []).append({"page_id": change.key["page_id"], "set": "required"})
        elif change.action in _BOXES and (step := _box_step(change, ground)) is not None:
            found.setdefault("boxes", []).append(step)
        else:
            return None
    for name in ("drop_pages", "add_pages", "boxes"):
        if name in found:
            # What acts in several sets is one step: it goes for each of them.
            found[name] = [each for at, each in enumerate(found[name]) if each not in found[name][:at]]
    return found


def _box_step(change: Change, ground: Ground) -> JsonObject | None:
    before = change.before if change.action is not Action.ADD_BOX else None
    after = change.after if change.action is not Action.DROP_BOX else None
    sides: dict[str, list[float] | None] = {}
    for name, piece in (("from", before), ("to", after)):
        box = None if piece is None else box_of(piece)
        shown = None if box is None else ground.fraction(change.key["page_id"], box)
        if piece is not None and shown is None:
            return None
        sides[name] = None if shown is None else [shown.x0, shown.y0, shown.x1, shown.y1]
    element = (after or before or {}).get("element_id")
    return {
        "page_id": change.key["page_id"],
        "element_id": element,
        "action": _BOXES[change.action],
        **sides,
    }
