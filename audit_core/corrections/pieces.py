"""Pieces of evidence in the bundle's own form, written one way, so that equal ones are equal."""

from __future__ import annotations

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

#: The pieces of one page in one set: what most changes act on.
Place = tuple[str, str | None]


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
        CorrectionError: it is none; the message names the part by `field`.
    """
    if not isinstance(raw, Mapping):
        raise CorrectionError(
            f"{field} must be an object with page_id and what else the bundle format has of evidence."
        )
    if unknown := sorted(set(map(str, raw)) - set(COLUMNS)):
        raise CorrectionError(f"{field}.{unknown[0][:40]} must be left out: evidence has {', '.join(COLUMNS)}.")
    if not isinstance(raw.get("page_id"), str):
        raise CorrectionError(f"{field}.page_id must be the id of a page, as text.")
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
        CorrectionError: it is no list, or one of them no piece.
    """
    if isinstance(raw, str) or not isinstance(raw, Sequence):
        raise CorrectionError(f"{field} must be a list of pieces of evidence; [] where nothing answers the query.")
    return [canonical(each, field=f"{field}[{at}]") for at, each in enumerate(raw)]


def _part(name: str, value: Any, field: str) -> Any:
    if name == "box":
        return _box(value, field)
    if name == "relevance":
        if isinstance(value, bool) or value not in RELEVANCES:
            raise CorrectionError(f"{field} must be 1 (necessary but partial) or 2 (complete).")
        return int(value)
    if not isinstance(value, str):
        raise CorrectionError(f"{field} must be text.")
    if name == "kind" and value not in ELEMENT_KINDS:
        raise CorrectionError(f"{field} must be one of {', '.join(ELEMENT_KINDS)}; it is {value[:40]!r}.")
    return value


def _box(value: object, field: str) -> list[float]:
    is_list = isinstance(value, Sequence) and not isinstance(value, str) and len(value) == 4
    if not is_list or not all(isinstance(each, int | float) and not isinstance(each, bool) for each in value):  # type: ignore[attr-defined]
        raise CorrectionError(f"{field} must be four numbers: left, top, right, bottom.")
    sides = [float(each) for each in value]  # type: ignore[attr-defined]
    if not is_well_formed(sides):
        raise CorrectionError(
            f"{field} must be a box with its left side before its right one, and its top above its bottom."
        )
    return sides


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
