"""What several annotators' answers on one entry differ in, under any protocol.

An audit's answers are the same where codes, the targets of each code, the proposed texts and pages are, and where the proposed
boxes lie on the same pages and pair up at an intersection over union of 0.5 or more. Under the other protocols they are where
all that `AGREEMENT` names is, the added pages are, and the boxes pair up in that way. What only one of two annotators said
(a criterion left open) is no difference, and neither are notes and texts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from types import ModuleType
from typing import Any

from audit_core.domain import Answer, JsonObject
from audit_core.geometry import overlap
from audit_core.protocols.agreement import values_of
from audit_core.protocols.field_kinds import Boxes, Pages

#: Two boxes are one from this intersection over union on.
SAME_BOX = 0.5
#: What the digits of sides may lose, of a side as of an intersection over union that is just enough.
_ROUNDING = 1e-6
#: What is compared between audits, in the order in which it is told.
AUDIT_PARTS = ("codes", "targets", "correction", "boxes")


@dataclass(frozen=True, slots=True)
class Said:
    """What one annotator said of an entry: the answer, judged, and the correction that it proposes."""

    answer: Answer
    correction: JsonObject | None = None


def differences(protocol: ModuleType, said: Sequence[Said]) -> tuple[str, ...]:
    """Return what these answers differ in; empty where all say the same, or there are fewer than two.

    Of an audit: `codes`, `targets`, `correction` (texts and pages), `boxes`. Of other protocols: `fields.NAME` and `boxes`.
    """
    compare = _of_fields if getattr(protocol, "FIELDS", ()) else _of_audits
    found = {part for one, other in combinations(said, 2) for part in compare(protocol, one, other)}
    names = [f"fields.{each.name}" for each in getattr(protocol, "FIELDS", ())]
    return tuple(part for part in (*AUDIT_PARTS[:3], *names, "boxes") if part in found)


def _of_audits(_protocol: ModuleType, one: Said, other: Said) -> set[str]:
    first, second = one.correction or {}, other.correction or {}
    parts = {
        "codes": set(one.answer.codes) == set(other.answer.codes),
        "targets": _same_targets(one.answer, other.answer),
        "correction": _texts_and_pages(first) == _texts_and_pages(second),
        "boxes": _pair_up(first.get("boxes", ()), second.get("boxes", ()), _is_same_change),
    }
    return {part for part, is_same in parts.items() if not is_same}


def _same_targets(one: Answer, other: Answer) -> bool:
    """Return whether the codes that both give mean the same places; a code without targets means none in particular."""
    both = {each.value for each in one.codes} & {each.value for each in other.codes}
    return all(set(one.targets.get(code, ())) == set(other.targets.get(code, ())) for code in both)


def _texts_and_pages(correction: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return what must be the same in two proposals, texts but for their blanks."""
    texts = {name: _words(correction[name]) for name in ("query", "answer") if name in correction}
    added = {(each["page_id"], each["set"]) for each in correction.get("add_pages", ())}
    return texts, set(correction.get("drop_pages", ())), added


def _words(text: str | None) -> list[str] | None:
    return None if text is None else text.split()


def _is_same_change(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    if (one["page_id"], one["action"]) != (other["page_id"], other["action"]):
        return False
    # Where a box stood is a box of the evidence; only what is proposed may be drawn a little otherwise.
    is_same_from = one["from"] is None or all(
        abs(a - b) <= _ROUNDING for a, b in zip(one["from"], other["from"], strict=True)
    )
    return is_same_from and (one["to"] is None or _is_one(one["to"], other["to"]))


def _of_fields(protocol: ModuleType, one: Said, other: Said) -> set[str]:
    found = set()
    for each in protocol.AGREEMENT:
        mine, theirs = values_of(each, one.answer), values_of(each, other.answer)
        if any(mine[unit] != theirs[unit] for unit in mine.keys() & theirs.keys()):
            found.add(f"fields.{each.field}")
    for field in protocol.FIELDS:
        first, second = one.answer.fields.get(field.name) or (), other.answer.fields.get(field.name) or ()
        if isinstance(field, Pages) and set(first) != set(second):
            found.add(f"fields.{field.name}")
        if isinstance(field, Boxes) and not _pair_up(first, second, _is_same_place):
            found.add("boxes")
    return found


def _is_same_place(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return bool(one["page_id"] == other["page_id"]) and _is_one(one["box"], other["box"])


def _is_one(one: Sequence[float], other: Sequence[float]) -> bool:
    """Return whether two boxes are one; a box without an area, which the evidence may have, is itself alone."""
    return list(one) == list(other) or overlap(one, other) >= SAME_BOX - _ROUNDING


def _pair_up(ones: Sequence[Any], others: Sequence[Any], is_same: Callable[[Any, Any], bool]) -> bool:
    """Return whether each of one list has a partner of its own in the other, and none is left."""
    if len(ones) != len(others):
        return False
    partners = [[at for at, other in enumerate(others) if is_same(one, other)] for one in ones]
    taken: dict[int, int] = {}
    return all(_find_partner(at, partners, taken, set()) for at in range(len(ones)))


def _find_partner(one: int, partners: Sequence[Sequence[int]], taken: dict[int, int], tried: set[int]) -> bool:
    """Return whether there is a partner for one more, others giving theirs up where they have another."""
    for at in partners[one]:
        if at not in tried:
            tried.add(at)
            if at not in taken or _find_partner(taken[at], partners, taken, tried):
                taken[at] = one
                return True
    return False
