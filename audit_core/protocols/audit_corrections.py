"""Proposed corrections: what an annotator would change about a query and its evidence, checked.

A correction is a JSON object; what is absent is left as it is, and a correction that changes nothing is None:

```
{"query": "...", "answer": "..." or null (there is none),
 "drop_pages": [page_id], "add_pages": [{"page_id", "set": "required" or "alternative"}],
 "boxes": [{"page_id", "element_id" or null, "action": "add", "move" or "drop", "from": box or null, "to": box or null}]}
```

A box is `[x0, y0, x1, y1]` in parts of the page's width and height. `from` is the box as the evidence has it (of `move` and
`drop`), `to` the one proposed (of `add` and `move`). `element_id` is the element of the dropped box, or the one that the
proposed box covers; None where it covers none, also where it was moved away from the element that it had.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from audit_core.domain import JsonObject
from audit_core.errors import JudgmentInvalid

#: Longest proposed query or answer, in characters.
TEXT_MAX = 20_000
#: Most changes of one correction: texts, pages and boxes together.
CHANGES_MAX = 50
SETS = ("required", "alternative")
#: Action -> whether it has a box as it was, and one as it shall be.
ACTIONS = {"add": (False, True), "move": (True, True), "drop": (True, False)}

_KEYS = {"query", "answer", "drop_pages", "add_pages", "boxes"}
_BOX_KEYS = {"page_id", "element_id", "action", "from", "to"}


@dataclass(frozen=True, slots=True)
class CorrectionPlaces:
    """What a correction of one entry may name: pages of its documents, of these the listed ones, and elements of its evidence.

    `boxes` are the evidence's boxes by page id, in parts of the page.
    """

    pages: Collection[str] = ()
    listed: Collection[str] = ()
    boxes: Mapping[str, Collection[tuple[float, float, float, float]]] = field(default_factory=dict)


def parse_correction(raw: object, *, places: CorrectionPlaces | None = None) -> JsonObject | None:
    """Return the correction that a request body holds, in one form; None where it changes nothing.

    Args:
        raw: the value of `correction`; None where there is none.
        places: what it may name; None for a draft, of which the form alone is checked.

    Raises:
        JudgmentInvalid: the message names the part and what it may hold.
    """
    if raw is None:
        return None
    if not isinstance(raw, dict) or set(raw) - _KEYS:
        raise JudgmentInvalid(f"correction must be an object with nothing but {', '.join(sorted(_KEYS))}.")
    found: JsonObject = {name: _text(raw[name], name) for name in ("query", "answer") if name in raw}
    parts: dict[str, list[Any]] = {
        "drop_pages": [_id(each, "drop_pages") for each in _list(raw, "drop_pages")],
        "add_pages": [_added(each) for each in _list(raw, "add_pages")],
        "boxes": [_change(each) for each in _list(raw, "boxes")],
    }
    found |= {name: part for name, part in parts.items() if part}
    _refuse_doubled([*parts["drop_pages"], *(each["page_id"] for each in parts["add_pages"])])
    changes = sum(name in found for name in ("query", "answer")) + sum(map(len, parts.values()))
    if changes > CHANGES_MAX:
        raise JudgmentInvalid(f"correction makes {changes} changes: make at most {CHANGES_MAX}, or withdraw the query.")
    if places is not None:
        _refuse_elsewhere(parts, places)
    return found or None


def _text(value: object, name: str) -> str | None:
    if value is None and name == "answer":
        return None
    if not isinstance(value, str) or (name == "query" and not value.strip()):
        raise JudgmentInvalid(f"correction: {name} must be text{'' if name == 'answer' else ' and not empty'}.")
    if len(value) > TEXT_MAX:
        raise JudgmentInvalid(f"correction: {name} has {len(value):,} characters: shorten it to {TEXT_MAX:,}.")
    return _storable(value, name)


def _storable(value: str, name: str) -> str:
    if "\x00" in value:
        raise JudgmentInvalid(f"correction: {name} holds a NUL character, which no database keeps: take it out.")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise JudgmentInvalid(f"correction: {name} holds half of a character: retype that character.") from None
    return value


def _list(raw: Mapping[str, Any], name: str) -> list[Any]:
    value = raw.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise JudgmentInvalid(f"correction: {name} must be a list.")
    return value


def _id(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise JudgmentInvalid(f"correction: {name} must name pages and elements by their ids, which are text.")
    return _storable(value, name)


def _added(value: object) -> JsonObject:
    if not isinstance(value, dict) or set(value) != {"page_id", "set"} or value["set"] not in SETS:
        raise JudgmentInvalid(
            "correction: add_pages must hold objects with page_id and set, 'required' or 'alternative'."
        )
    return {"page_id": _id(value["page_id"], "add_pages"), "set": value["set"]}


def _change(value: object) -> JsonObject:
    if not isinstance(value, dict) or set(value) - _BOX_KEYS or not isinstance(value.get("action"), str):
        raise JudgmentInvalid(f"correction: boxes must hold objects with {', '.join(sorted(_BOX_KEYS))}.")
    action = value["action"]
    if action not in ACTIONS:
        raise JudgmentInvalid(f"correction: a box has the action {action[:20]!r}: use add, move or drop.")
    has_from, has_to = ACTIONS[action]
    element = value.get("element_id")
    return {
        "page_id": _id(value.get("page_id"), "boxes"),
        "element_id": None if element is None else _id(element, "boxes"),
        "action": action,
        "from": _box(value.get("from"), "from", action, is_wanted=has_from),
        "to": _box(value.get("to"), "to", action, is_wanted=has_to),
    }


def _box(value: object, name: str, action: str, *, is_wanted: bool) -> list[float] | None:
    if not is_wanted:
        if value is not None:
            raise JudgmentInvalid(f"correction: a box with the action {action} has no {name!r}.")
        return None
    if not isinstance(value, list) or len(value) != 4 or not all(_is_number(each) for each in value):
        raise JudgmentInvalid(f"correction: {name!r} of a box must be four numbers: left, top, right, bottom.")
    x0, y0, x1, y1 = map(float, value)
    # What the evidence says may be odd (that is perhaps why it is dropped); what is proposed may not.
    if name == "to" and not (0 <= x0 < x1 <= 1 and 0 <= y0 < y1 <= 1):
        raise JudgmentInvalid(
            "correction: a proposed box must lie on its page, in parts of its width and height (0 to 1)."
        )
    return [x0, y0, x1, y1]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _refuse_doubled(pages: list[str]) -> None:
    if len(set(pages)) != len(pages):
        doubled = next(each for each in pages if pages.count(each) > 1)
        raise JudgmentInvalid(f"correction: page {doubled!r} is dropped or added twice.")


def _refuse_elsewhere(parts: Mapping[str, list[Any]], places: CorrectionPlaces) -> None:
    """Refuse what names a page, or a box of the evidence, that is not there."""
    for page in parts["drop_pages"]:
        if page not in places.listed:
            raise JudgmentInvalid(f"correction: page {page!r} is not listed as evidence: there is nothing to drop.")
    for added in parts["add_pages"]:
        if added["page_id"] in places.listed:
            raise JudgmentInvalid(f"correction: page {added['page_id']!r} is listed as evidence already.")
    for each in [*parts["add_pages"], *parts["boxes"]]:
        if each["page_id"] not in places.pages and each["page_id"] not in places.listed:
            raise JudgmentInvalid(f"correction: page {each['page_id']!r} is not in this entry's documents.")
    for change in parts["boxes"]:
        known = places.boxes.get(change["page_id"], ())
        if change["from"] is not None and not any(_is_same(change["from"], each) for each in known):
            raise JudgmentInvalid(
                "correction: the evidence has no box where one is moved or dropped: reload the entry."
            )


def _is_same(one: Collection[float], other: Collection[float]) -> bool:
    return all(abs(a - b) <= 1e-6 for a, b in zip(one, other, strict=True))
