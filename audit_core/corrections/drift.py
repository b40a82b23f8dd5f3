"""What a change expects otherwise than it stands, by field: of stale corrections, and of files that were written by hand."""

from __future__ import annotations

from collections.abc import Sequence

from audit_core.corrections.applying import QueryContent
from audit_core.corrections.faults import Fault
from audit_core.corrections.pieces import place_of, shown
from audit_core.corrections.records import Action, Change
from audit_core.domain import JsonObject

#: Characters of what stands in the dataset that a fault shows.
_SHOWN = 240


def drift_of(change: Change, content: QueryContent) -> str | None:
    """Return what has become of the page since a box of it was to be added or dropped; None where that fits.

    A box is added to a page that is evidence of the set. One that is dropped leaves the page whole where it was the last
    one, and only then: to take the page out as well is another correction.
    """
    if change.action not in (Action.ADD_BOX, Action.DROP_BOX):
        return None
    own = _own(change, content)
    if change.action is Action.ADD_BOX:
        return None if own else "the page is no evidence of that set: add the page first"
    if len(own) == 1 and change.after is None:
        return "the box is the last one of its page: drop the page, or let the whole page stay"
    if len(own) > 1 and change.after is not None:
        return "the page has other boxes, so that it cannot become whole"
    return None


def stale_fault(change: Change, content: QueryContent) -> Fault:
    """Return which field of a change that cannot be applied is at fault, and what stands there instead."""
    if content.is_withdrawn:
        return Fault("query_id", repr(change.query_id), "a query that is not withdrawn")
    if change.action is Action.REWORD:
        return Fault("before", shown(change.before), f"what the query says: {shown(content.text, _SHOWN)}")
    if change.action is Action.RE_ANSWER:
        answer = "null, for it has no answer" if content.answer is None else shown(content.answer, _SHOWN)
        return Fault("before", _given(change.before), f"the answer of the query: {answer}")
    own = _own(change, content)
    if change.action is Action.ADD_PAGE:
        return Fault("key.page_id", repr(change.key["page_id"]), "a page that is no evidence of that set yet")
    if not own:
        return Fault("key.page_id", repr(change.key["page_id"]), _evidence_of_set(change, content))
    return _on_own(change, own)


def _evidence_of_set(change: Change, content: QueryContent) -> str:
    set_id = change.key["set_id"]
    pages = dict.fromkeys(each["page_id"] for each in content.evidence if each.get("set_id") == set_id)
    first = "; add the page first" if change.action is Action.ADD_BOX else ""
    named = ", ".join(map(repr, pages)) or "none is left"
    return f"a page that is evidence of that set ({named}){first}"


def _on_own(change: Change, own: Sequence[JsonObject]) -> Fault:
    """Return what is at fault with a change of a page that is evidence of its set."""
    there = f"what stands there: {shown(list(own), _SHOWN)}"
    if change.action is Action.DROP_PAGE:
        return Fault("before", shown(change.before), there)
    if change.action is Action.ADD_BOX:
        if change.after in own:
            return Fault("after", shown(change.after), "a box that is not there already")
        whole = next((each for each in own if "box" not in each), None)
        wanted = "null, for the page has boxes already" if whole is None else f"the page as it stands there: {whole!r}"
        return Fault("before", _given(change.before), wanted)
    if change.before not in own:
        return Fault("before", shown(change.before), there)
    after = "null, for the page has other boxes" if len(own) > 1 else "the page without a box, for this is its last one"
    return Fault("after", _given(change.after), f"{after}; or drop the page")


def _given(value: object) -> str:
    return "null" if value is None else shown(value)


def _own(change: Change, content: QueryContent) -> list[JsonObject]:
    place = (change.key["page_id"], change.key["set_id"])
    return [each for each in content.evidence if place_of(each) == place]
