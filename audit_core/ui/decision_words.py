"""What a decision means and corrects, in words for a table: places meant, and each change that is proposed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_SETS = {"required": "", "alternative": " as an alternative"}
_BOXES = {"add": "add a box", "move": "move a box", "drop": "drop a box"}


def target_words(targets: Mapping[str, Sequence[str]]) -> str:
    """Return which pages and elements codes mean, such as `E: p3, t-4`; empty where they mean none in particular."""
    return "; ".join(f"{code}: {', '.join(ids)}" for code, ids in sorted(targets.items()) if ids)


def correction_words(correction: Mapping[str, Any] | None) -> list[str]:
    """Return the changes that a proposal makes, a line each, boxes in percent of their page."""
    return list(_changes(correction or {}))


def _changes(correction: Mapping[str, Any]) -> Iterator[str]:
    if "query" in correction:
        yield f"reword the query: {correction['query']}"
    if "answer" in correction:
        yield "say that there is no answer" if correction["answer"] is None else f"answer: {correction['answer']}"
    for page in correction.get("drop_pages", ()):
        yield f"drop page {page}"
    for page in correction.get("add_pages", ()):
        yield f"add page {page['page_id']}{_SETS.get(page['set'], '')}"
    for box in correction.get("boxes", ()):
        yield f"{_BOXES.get(box['action'], box['action'])} on page {box['page_id']}{_where(box)}"


def _where(box: Mapping[str, Any]) -> str:
    if box["action"] == "move":
        return f" from {_sides(box['from'])} to {_sides(box['to'])}"
    return f": {_sides(box['to'] or box['from'])}"


def _sides(box: Sequence[float]) -> str:
    left, top, right, bottom = (round(100 * side) for side in box)
    return f"{left} to {right} % across, {top} to {bottom} % down"
