"""Pieces of evidence in the bundle's own form, written one way, so that equal ones are equal."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from audit_core.domain import ELEMENT_KINDS, JsonObject
from audit_core.errors import CorrectionError
from audit_core.geometry import is_well_formed

#: The columns of a piece, in the bundle format's order; what is null or the default is left out.
TEXTS = ("page_id", "document_id", "element_id", "kind", "set_id")
COLUMNS = ("page_id", "document_id", "element_id", "box", "kind", "relevance", "set_id")
DEFAULT_RELEVANCE = 1
#: Relevance -> what it says: see the bundle format.
RELEVANCES = (1, 2)

#: Characters of what stands there that an error shows.
SHOWN = 80

#: The pieces of one page in one set: what most changes act on.
Place = tuple[str, str | None]


class PieceError(CorrectionError):
    """Something that is no piece of evidence: the field, what stands there (None: nothing to show), and what should."""

    def __init__(self, field: str, found: object, expected: str) -> None:
        super().__init__(f"{field} must be {expected}.")
        self.field = field
        self.found = None if found is None else shown(found)
        self.expected = expected


def shown(value: object, longest: int = SHOWN) -> str:
    """Return a value as an error shows it: on one line, cut, and without what no encoding takes."""
    try:
        text = repr(value)
    except (RecursionError, ValueError):
        return "something nested too deeply, or a number with too many digits, to be shown"
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def is_storable(text: str) -> bool:
    """Return whether a text is without NUL and without halves of characters, which no table holds."""
    return "\x00" not in text and not any("\ud800" <= each <= "\udfff" for each in text)


def place_of(piece: Mapping[str, Any]) -> Place:
    """Return the page and set of a piece; the set is None where it is the default one."""
    return piece["page_id"], piece.get("set_id")


def box_of(piece: Mapping[str, Any]) -> list[float] | None:
    """Return the box of a piece in the bundle's units; None where the whole page is meant."""
    box: list[float] | None = piece.get("box")
    return box


def whole_page(piece: Mapping[str, Any]) -> JsonObject:
    """Return the piece that means the whole page where `piece` means a box of it: of the same set and relevance."""
    return {name: piece[name] for name in ("page_id", "document_id", "relevance", "set_id") if name in piece}


def canonical(raw: object, *, field: str = "piece") -> JsonObject:
    """Return a piece of evidence in one form: columns in order, boxes of floats, nothing null or default.

    Raises:
        PieceError: it is none; names the part by `field`.
    """
    if not isinstance(raw, Mapping):
        raise PieceError(field, raw, "an object with page_id and what else the bundle format has of evidence")
    if unknown := sorted(set(map(str, raw)) - set(COLUMNS)):
        raise PieceError(
            f"{field}.{field_name(unknown[0])}", raw[unknown[0]], f"left out: evidence has {', '.join(COLUMNS)}"
        )
    if not isinstance(raw.get("page_id"), str):
        raise PieceError(f"{field}.page_id", raw.get("page_id"), "the id of a page, as text")
    found: JsonObject = {}
    for name in COLUMNS:
        value = raw.get(name)
        if value is not None:
            found[name] = _part(name, value, f"{field}.{name}")
    if found.get("relevance") == DEFAULT_RELEVANCE:
        del found["relevance"]
    return found


def canonical_list(raw: object, *, field: str = "evidence") -> list[JsonObject]:
    """Return a list of pieces in one form.

    Raises:
        PieceError: it is no list, or one of them no piece.
    """
    if isinstance(raw, str) or not isinstance(raw, Sequence):
        raise PieceError(field, raw, "a list of pieces of evidence; [] where nothing answers the query")
    return [canonical(each, field=f"{field}[{at}]") for at, each in enumerate(raw)]


def field_name(name: str) -> str:
    """Return the name of a field as an error tells it, whatever somebody called it."""
    return name[:40] if is_storable(name) and name.isprintable() else shown(name[:40])


def _part(name: str, value: Any, field: str) -> Any:
    if name == "box":
        return _box(value, field)
    if name == "relevance":
        if isinstance(value, bool) or value not in RELEVANCES:
            raise PieceError(field, value, "1 (necessary but partial) or 2 (complete)")
        return int(value)
    if not isinstance(value, str):
        raise PieceError(field, value, "text")
    if not is_storable(value):
        raise PieceError(field, value, "text without NUL and without halves of characters")
    if name == "kind" and value not in ELEMENT_KINDS:
        raise PieceError(field, value, f"one of {', '.join(ELEMENT_KINDS)}")
    return value


def _box(value: object, field: str) -> list[float]:
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != 4:
        raise PieceError(field, value, "four numbers: left, top, right, bottom")
    sides = [_side(each, value, field) for each in value]
    if not is_well_formed(sides):
        raise PieceError(field, value, "a box with its left side before its right one, and its top above its bottom")
    return sides


def _side(side: object, box: object, field: str) -> float:
    if isinstance(side, bool) or not isinstance(side, int | float):
        raise PieceError(field, box, "four numbers: left, top, right, bottom")
    try:
        found = float(side)
    except OverflowError:
        found = math.inf
    if not math.isfinite(found):
        raise PieceError(field, box, "four finite numbers, none of them larger than any page")
    return found


def counted(pieces: Iterable[Mapping[str, Any]]) -> dict[tuple[Any, ...], int]:
    """Return how often each piece is there: two lists of evidence say the same where these are equal."""
    found: dict[tuple[Any, ...], int] = {}
    for each in pieces:
        found[key_of(each)] = found.get(key_of(each), 0) + 1
    return found


def key_of(piece: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return what tells a piece from others, as something that a set can hold."""
    box = box_of(piece)
    texts = tuple(piece.get(name) for name in TEXTS)
    return (*texts, piece.get("relevance", DEFAULT_RELEVANCE), None if box is None else tuple(map(float, box)))
