"""What is wrong with a correction: its form, and what it names that the dataset does not have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from audit_core.corrections.applying import QueryContent
from audit_core.corrections.faults import Fault
from audit_core.corrections.ground import Ground
from audit_core.corrections.pieces import (
    PieceError,
    box_of,
    canonical,
    canonical_list,
    field_name,
    is_storable,
    place_of,
    shown,
)  # fmt: skip
from audit_core.corrections.records import Action, Change
from audit_core.domain import JsonObject
from audit_core.errors import CorrectionError
from audit_core.geometry import ROUNDING_SLACK_PIXELS

#: Actions on the evidence of one page in one set; the others act on the query itself, and their key is empty.
ON_A_PAGE = (Action.ADD_PAGE, Action.DROP_PAGE, Action.ADD_BOX, Action.MOVE_BOX, Action.DROP_BOX)
#: Longest text of a query or answer, and longest reason, in characters.
TEXT_MAX = 20_000
_KEYS = {"page_id", "set_id"}
_TEXTS = (Action.REWORD, Action.RE_ANSWER)


class _Wrong(Exception):
    def __init__(self, field: str, found: object, expected: str) -> None:
        super().__init__(field)
        self.fault = Fault(field, None if found is None else shown(found), expected)


def read_change(raw: Mapping[str, Any]) -> Change | Fault:
    """Return the change that an object with query_id, action, key, before and after holds, in one form; or its first fault."""
    try:
        return _read(raw)
    except _Wrong as wrong:
        return wrong.fault
    except PieceError as error:
        return Fault(error.field, error.found, error.expected)


def in_form(change: Change) -> Change:
    """Return a change in one form.

    Raises:
        CorrectionError: it has none; names the part that is wrong.
    """
    raw = {"query_id": change.query_id, "action": change.action, "key": change.key}
    found = read_change({**raw, "before": change.before, "after": change.after})
    if isinstance(found, Fault):
        raise CorrectionError(f"A correction {change.action} of query {change.query_id!r} cannot be so: {found}.")
    return found


def _read(raw: Mapping[str, Any]) -> Change:
    query_id = raw.get("query_id")
    if not isinstance(query_id, str):
        raise _Wrong("query_id", query_id, "the id of a query, as text")
    _storable(query_id, "query_id")
    try:
        action = Action(raw.get("action"))  # type: ignore[arg-type]
    except ValueError:
        raise _Wrong("action", raw.get("action"), f"one of {', '.join(Action)}") from None
    key = _key(raw.get("key"), action)
    before, after = _BEFORE_AFTER[action](raw.get("before"), raw.get("after"))
    for name, value in (("before", before), ("after", after)):
        for piece in value if isinstance(value, list) else [value]:
            if isinstance(piece, dict) and place_of(piece) != (key["page_id"], key["set_id"]):
                raise _Wrong(name, place_of(piece), "evidence of the page and set that the key names")
    if before == after and action is not Action.WITHDRAW:
        raise _Wrong("after", after, "something else than its before")
    if action in _TEXTS and differs_in_blanks_alone(before, after):
        raise _Wrong("after", after, "other words: it differs from its before in blanks alone, and mends none")
    return Change(query_id, action, key, before, after)


def _key(raw: object, action: Action) -> JsonObject:
    if action not in ON_A_PAGE:
        if raw not in (None, {}):
            raise _Wrong("key", raw, f"an empty object, for {action} is about the query itself")
        return {}
    if not isinstance(raw, Mapping):
        raise _Wrong("key", raw, "an object with page_id and, where the evidence has sets, set_id")
    if unknown := sorted(set(map(str, raw)) - _KEYS):
        raise _Wrong(f"key.{field_name(unknown[0])}", raw[unknown[0]], "no such field: a key has page_id and set_id")
    page_id, set_id = raw.get("page_id"), raw.get("set_id")
    if not isinstance(page_id, str):
        raise _Wrong("key.page_id", page_id, "the id of a page, as text")
    if set_id is not None and not isinstance(set_id, str):
        raise _Wrong("key.set_id", set_id, "the name of a set as text, or null for the default one")
    return {"page_id": _storable(page_id, "key.page_id"), "set_id": set_id and _storable(set_id, "key.set_id")}


def differs_in_blanks_alone(before: str | None, after: str | None) -> bool:
    """Return whether two texts say the same with other blanks, and the second mends none of the first's.

    Blanks at an end, several in a row and other ones than spaces are odd; to take such away is a correction.
    """
    if before is None or after is None or before.split() != after.split():
        return False
    return _has_odd_blanks(after) or not _has_odd_blanks(before)


def _has_odd_blanks(text: str) -> bool:
    return text != text.strip() or any(
        each.isspace() and (each not in " \n" or following.isspace()) for each, following in pairwise(text)
    )


def _text(value: object, name: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise _Wrong(name, value, "text that is not empty")
    return _storable(value, name)


def _storable(value: str, name: str) -> str:
    if len(value) > TEXT_MAX:
        raise _Wrong(name, f"{value[:20]}…", f"at most {TEXT_MAX:,} characters")
    if not is_storable(value):
        raise _Wrong(name, value, "text without NUL and without halves of characters")
    return value


def _answer(value: object, name: str) -> str | None:
    if value is not None and not isinstance(value, str):
        raise _Wrong(name, value, "text, or null where there is no answer")
    return None if value is None else _storable(value, name)


def _null(value: object, name: str) -> Any:
    if value is not None:
        raise _Wrong(name, value, "null")
    return None


def _piece(value: object, name: str, *, boxed: bool) -> JsonObject:
    piece = canonical(value, field=name)
    if (box_of(piece) is not None) is not boxed:
        raise _Wrong(name, value, f"a piece of evidence {'with' if boxed else 'without'} a box")
    return piece


def _whole_or_none(value: object, name: str) -> JsonObject | None:
    return None if value is None else _piece(value, name, boxed=False)


def _dropped(value: object) -> list[JsonObject]:
    if not isinstance(value, list) or not value:
        raise _Wrong("before", value, "the list of the pieces that the page has in that set")
    return canonical_list(value, field="before")


_BEFORE_AFTER: Mapping[Action, Callable[[object, object], tuple[Any, Any]]] = {
    Action.REWORD: lambda before, after: (_text(before, "before"), _text(after, "after")),
    Action.RE_ANSWER: lambda before, after: (_answer(before, "before"), _answer(after, "after")),
    Action.ADD_PAGE: lambda before, after: (_null(before, "before"), _piece(after, "after", boxed=False)),
    Action.DROP_PAGE: lambda before, after: (_dropped(before), _null(after, "after")),
    Action.ADD_BOX: lambda before, after: (_whole_or_none(before, "before"), _piece(after, "after", boxed=True)),
    Action.MOVE_BOX: lambda before, after: (_piece(before, "before", boxed=True), _piece(after, "after", boxed=True)),
    Action.DROP_BOX: lambda before, after: (_piece(before, "before", boxed=True), _whole_or_none(after, "after")),
    Action.WITHDRAW: lambda before, after: (_null(before, "before"), _null(after, "after")),
}  # fmt: skip


def faults_of(change: Change, content: QueryContent, ground: Ground) -> list[Fault]:
    """Return what a change names that is not there: its page, document, element, set, or a box that leaves the page.

    `content` is the query as it stands before the change. What is taken away may be odd, for that is perhaps why it goes:
    only what is added or moved to is held against the dataset.
    """
    if change.action not in ON_A_PAGE:
        return []
    page_id, set_id = change.key["page_id"], change.key["set_id"]
    page = ground.pages.get(page_id)
    if page is None and (
        isinstance(change.after, dict) or page_id not in {each["page_id"] for each in content.evidence}
    ):
        return [Fault("key.page_id", repr(page_id), "a page of the dataset")]
    faults = []
    sets = list(dict.fromkeys(piece.get("set_id") for piece in content.evidence))
    if change.action is not Action.ADD_PAGE and set_id not in sets:
        named = ", ".join("the default one" if each is None else repr(each) for each in sets) or "none"
        faults.append(Fault("key.set_id", repr(set_id), f"a set of the query's evidence: {named}"))
    if page is None or not isinstance(change.after, dict):
        return faults
    if change.after.get("document_id", page.document_id) != page.document_id:
        expected = f"{page.document_id!r}, the document of the page"
        faults.append(Fault("after.document_id", repr(change.after["document_id"]), expected))
    return [*faults, *_element_faults(change, content, ground), *_box_faults(change, ground)]


def _element_faults(change: Change, content: QueryContent, ground: Ground) -> list[Fault]:
    element_id, page_id = change.after.get("element_id"), change.key["page_id"]
    if element_id is None or not ground.has_elements or (page_id, element_id) in ground.elements:
        return []
    if any(each["page_id"] == page_id and each.get("element_id") == element_id for each in content.evidence):
        return []
    return [Fault("after.element_id", repr(element_id), f"an element of page {page_id!r}, or none")]


def _box_faults(change: Change, ground: Ground) -> list[Fault]:
    box = box_of(change.after)
    if box is None:
        return []
    page = ground.pages[change.key["page_id"]]
    size = (1.0, 1.0) if ground.box_units == "fraction" else (page.width, page.height)
    slack = ROUNDING_SLACK_PIXELS
    if not (size[0] > 0 and size[1] > 0):
        return [Fault("after.box", repr(box), "no box: the page has no size to put one on")]
    if not (-slack <= box[0] < box[2] <= size[0] + slack and -slack <= box[1] < box[3] <= size[1] + slack):
        return [Fault("after.box", repr(box), f"a box with a size, on its page: within 0, 0, {size[0]:g}, {size[1]:g}")]
    return []
