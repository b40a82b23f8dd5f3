"""Evidence with the boxes that a proposal adds, moves and drops; proposals count in parts of the page, bundles as they like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from audit_core.corrections.ground import Ground, GroundElement
from audit_core.corrections.pieces import COLUMNS, box_of, place_of, whole_page
from audit_core.domain import JsonObject
from audit_core.errors import CorrectionError

#: How far a side may differ, in parts of the page, between a box as stored and as a proposal names it.
SAME_SIDE = 2e-6
#: Boxes in pixels are written to a hundredth of one, boxes in fractions to a millionth: what a proposal's own digits carry.
DIGITS = {"pixel": 2, "fraction": 6}


def with_boxes(
    steps: Sequence[Mapping[str, Any]], query_id: str, evidence: Sequence[JsonObject], ground: Ground
) -> list[JsonObject]:
    """Return the evidence after the box steps, each taken in every set (or in that of its `set_id`) that has its page.

    A page whose last box is dropped stays as a whole page; a box added to a whole page takes its place.

    Raises:
        CorrectionError: a step names a page or box that the evidence does not have, or a page without a size.
    """
    found = list(evidence)
    for step in steps:
        action = step["action"]
        if action == "add":
            found = _added(step, query_id, found, ground)
        else:
            found = _replaced(step, query_id, found, ground)
    return _whole_where_empty(evidence, found)


def _added(step: Mapping[str, Any], query_id: str, evidence: list[JsonObject], ground: Ground) -> list[JsonObject]:
    places = [each for each in dict.fromkeys(map(place_of, evidence)) if _is_meant(step, each)]
    if not places:
        raise CorrectionError(
            f"A box is added on page {step['page_id']!r}, which is no evidence of query {query_id!r}: add the page first."
        )
    for place in places:
        own = [each for each in evidence if place_of(each) == place]
        piece = _boxed(whole_page(own[0]), step, ground)
        if piece in own:
            continue
        at = max(at for at, each in enumerate(evidence) if place_of(each) == place)
        # The first box takes the place of the page that was evidence as a whole, however often it is listed so.
        is_whole = all(box_of(each) is None for each in own)
        before, behind = evidence[: at + 1], evidence[at + 1 :]
        evidence = [*(each for each in before if not (is_whole and place_of(each) == place)), piece, *behind]
    return evidence


def _replaced(step: Mapping[str, Any], query_id: str, evidence: list[JsonObject], ground: Ground) -> list[JsonObject]:
    """Return the evidence with one box of each set moved or dropped."""
    done: set[tuple[str, str | None]] = set()
    found: list[JsonObject] = []
    for piece in evidence:
        place = place_of(piece)
        is_it = place not in done and _is_meant(step, place) and _has_box(piece, step["from"], ground)
        if is_it and _names_another(step, piece, evidence, ground):
            is_it = False
        if not is_it:
            found.append(piece)
            continue
        done.add(place)
        if step["action"] == "move":
            found.append(_boxed(piece, step, ground))
    if not done:
        raise CorrectionError(
            f"Query {query_id!r} has no box on page {step['page_id']!r} where one is to be {step['action']}"
            f"{'d' if step['action'] == 'move' else 'ped'}: take the proposal back and make it again."
        )
    return found


def _is_meant(step: Mapping[str, Any], place: tuple[str, str | None]) -> bool:
    return place[0] == step["page_id"] and ("set_id" not in step or place[1] == step["set_id"])


def _has_box(piece: JsonObject, sides: Sequence[float], ground: Ground) -> bool:
    box = box_of(piece)
    shown = ground.fraction(piece["page_id"], box) if box is not None else None
    if shown is None:
        return False
    return all(abs(a - b) <= SAME_SIDE for a, b in zip((shown.x0, shown.y0, shown.x1, shown.y1), sides, strict=True))


def _names_another(step: Mapping[str, Any], piece: JsonObject, evidence: Sequence[JsonObject], ground: Ground) -> bool:
    """Return whether a dropped box names an element, and another piece in the same place is of that one."""
    wanted = step.get("element_id") if step["action"] == "drop" else None
    if wanted is None or piece.get("element_id") == wanted:
        return False
    return any(
        each.get("element_id") == wanted and place_of(each) == place_of(piece) and _has_box(each, step["from"], ground)
        for each in evidence
    )


def _boxed(piece: JsonObject, step: Mapping[str, Any], ground: Ground) -> JsonObject:
    """Return the piece with the proposed box and element; its kind is the element's where that is another one."""
    page_id, element_id = step["page_id"], step.get("element_id")
    element = ground.elements.get((page_id, element_id)) if element_id is not None else None
    made = {**piece, "box": in_units(step["to"], page_id, ground, element)}
    if element_id != piece.get("element_id"):
        made.pop("element_id", None)
        if element_id is not None:
            made["element_id"] = element_id
        if element is not None:
            made["kind"] = element.kind
    return {name: made[name] for name in COLUMNS if name in made}


def in_units(sides: Sequence[float], page_id: str, ground: Ground, element: GroundElement | None = None) -> list[float]:
    """Return a box, given in parts of the page, in the bundle's units.

    Where it is the element's own box (to the digits of a proposal) it is exactly that; else it is rounded to `DIGITS`, so
    that the same proposal gives the same numbers on every machine.

    Raises:
        CorrectionError: the page is unknown, or has no size where pixels are wanted.
    """
    page = ground.pages.get(page_id)
    if page is None or (ground.box_units == "pixel" and not (page.width > 0 and page.height > 0)):
        raise CorrectionError(f"Page {page_id!r} is unknown or has no size, so that no box can be put on it.")
    if element is not None and element.box is not None:
        shown = ground.fraction(page_id, element.box)
        own = () if shown is None else (shown.x0, shown.y0, shown.x1, shown.y1)
        if own and all(abs(a - b) <= SAME_SIDE for a, b in zip(own, sides, strict=True)):
            return list(element.box)
    scales = (page.width, page.height) * 2 if ground.box_units == "pixel" else (1.0,) * 4
    digits = DIGITS[ground.box_units]
    return [min(round(side * scale, digits), scale) for side, scale in zip(sides, scales, strict=True)]


def _whole_where_empty(before: Sequence[JsonObject], after: list[JsonObject]) -> list[JsonObject]:
    """Return the evidence with a whole page, in the old place, for each page whose last box was dropped."""
    there = set(map(place_of, after))
    found = list(after)
    for at, piece in enumerate(before):
        place = place_of(piece)
        if place not in there:
            there.add(place)
            ahead = sum(1 for each in before[:at] if place_of(each) != place)
            found.insert(min(ahead, len(found)), whole_page(piece))
    return found
