"""Corrections in words: what stands there and what shall, for lists of people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

#: Action -> what it does, for people.
ACTION_WORDS = {
    "reword": "reword the query",
    "re-answer": "change the answer",
    "add-page": "add a page",
    "drop-page": "drop a page",
    "add-box": "add a box",
    "move-box": "move a box",
    "drop-box": "drop a box",
    "withdraw": "withdraw the query",
}


def in_words(value: Any) -> str:
    """Return the before or after of a change in one line: a text as it is, pieces of evidence by page, element and box."""
    if value is None:
        return "nothing"
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return _piece(value)
    if isinstance(value, Sequence):
        return "; ".join(_piece(each) for each in value)
    return str(value)


def _piece(piece: Mapping[str, Any]) -> str:
    parts = [f"page {piece['page_id']}"]
    if "box" in piece:
        sides = ", ".join(f"{side:g}" for side in piece["box"])
        parts.append(f"box {sides}")
    else:
        parts.append("whole")
    for name in ("element_id", "kind", "relevance", "set_id"):
        if name in piece:
            parts.append(f"{name.removesuffix('_id')} {piece[name]}")
    return ", ".join(parts)
