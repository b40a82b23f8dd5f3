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


def in_words(value: Any, *, names_page: bool = True) -> str:
    """Return the before or after of a change in one line: a text as it is, pieces of evidence by page, box and element.

    Without `names_page` the page is not among it, nor the set: the reader sees both beside it.
    """
    if value is None:
        return "nothing"
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return _piece(value, names_page)
    if isinstance(value, Sequence):
        return "; ".join(_piece(each, names_page) for each in value)
    return str(value)


def _piece(piece: Mapping[str, Any], names_page: bool) -> str:
    parts = [f"page {piece['page_id']}"] if names_page else []
    if "box" in piece:
        parts.append(f"box {', '.join(f'{side:g}' for side in piece['box'])}")
    else:
        parts.append("whole" if names_page else "the whole page")
    for name in ("kind", "element_id", "relevance", "set_id"):
        if name in piece and (names_page or name != "set_id"):
            parts.append(f"{name.removesuffix('_id')} {piece[name]}")
    return ", ".join(parts)
