"""The atomic changes between two lists of evidence: applied to the one, they give the other."""

from __future__ import annotations

from collections.abc import Sequence

from audit_core.corrections.applying import QueryContent, apply_changes
from audit_core.corrections.pieces import Place, box_of, counted, key_of, place_of, whole_page
from audit_core.corrections.records import Action, Change
from audit_core.domain import JsonObject
from audit_core.errors import CorrectionError, CorrectionStale
from audit_core.geometry import overlap

Pieces = Sequence[JsonObject]


def changes_between(old: Pieces, new: Pieces, *, query_id: str) -> list[Change]:
    """Return the changes that make `new` of `old`; both hold pieces in canonical form (`pieces.canonical_list`).

    Applied in order they give exactly the pieces of `new`, as many of each in every set; their order may be another.
    What stands in both is left alone. A page that comes new has a change of its own before that of its box, and so has one
    that goes. A box is moved where one of its page goes and another comes, those of one element first, then those that
    overlap most; a piece of the same box with another relevance or kind is a moved box too.

    Raises:
        CorrectionError: `new` holds a page whole beside boxes of it, or one piece twice, and `old` does not.
    """
    before, after = _by_place(old), _by_place(new)
    changes: list[Change] = []
    for place in {**before, **after}:
        changes += _of_place(query_id, place, before.get(place, []), after.get(place, []))
    # Pages that go come first, so that a query never holds both what was wrong and what is right.
    changes.sort(key=lambda change: change.action is not Action.DROP_PAGE)
    return changes


def _by_place(pieces: Pieces) -> dict[Place, list[JsonObject]]:
    found: dict[Place, list[JsonObject]] = {}
    for piece in pieces:
        found.setdefault(place_of(piece), []).append(piece)
    return found


def _of_place(query_id: str, place: Place, old: Pieces, new: Pieces) -> list[Change]:
    """Return the changes of one page in one set: in place where that can be, else the page goes and comes anew."""
    if counted(old) == counted(new):
        return []
    make = _Maker(query_id, place)
    attempts = [make.in_place(old, new)] if old and new else []
    attempts.append([*make.dropped(old), *make.added(new)])
    for changes in attempts:
        if _gives(query_id, old, changes, new):
            return changes
    raise CorrectionError(
        f"No change can make the evidence of query {query_id!r} what is wanted on page {place[0]!r}: in one set a page is "
        "either whole or has boxes, and no piece is there twice. Take the doubled piece out."
    )


def _gives(query_id: str, old: Pieces, changes: Sequence[Change], new: Pieces) -> bool:
    try:
        made = apply_changes(QueryContent(query_id, "", None, tuple(old)), changes)
    except CorrectionStale:
        return False
    return counted(made.evidence) == counted(new)


class _Maker:
    """Makes the changes of one page in one set."""

    def __init__(self, query_id: str, place: Place) -> None:
        self._query_id = query_id
        self._place = place

    def _change(self, action: Action, before: object, after: object) -> Change:
        page_id, set_id = self._place
        return Change(self._query_id, action, {"page_id": page_id, "set_id": set_id}, before, after)

    def dropped(self, old: Pieces) -> list[Change]:
        return [self._change(Action.DROP_PAGE, list(old), None)] if old else []

    def added(self, new: Pieces) -> list[Change]:
        """Return the changes for a page that is not there yet."""
        if not new:
            return []
        whole = whole_page(new[0]) if box_of(new[0]) is not None else new[0]
        return [
            self._change(Action.ADD_PAGE, None, whole),
            *self._boxes_for(whole, [each for each in new if each != whole]),
        ]

    def _boxes_for(self, whole: JsonObject, boxes: Pieces) -> list[Change]:
        """Return the changes that put boxes on a page that is whole; the first one takes the place of the whole page."""
        return [self._change(Action.ADD_BOX, None if at else whole, box) for at, box in enumerate(boxes)]

    def in_place(self, old: Pieces, new: Pieces) -> list[Change]:
        """Return the changes for a page that stays, none where boxes alone lead nowhere; the caller sees whether they do."""
        gone, come = _difference(old, new), _difference(new, old)
        if len(old) == 1 and box_of(old[0]) is None and all(box_of(each) is not None for each in new):
            return self._boxes_for(old[0], new)
        if any(box_of(each) is None for each in gone):
            return []
        if len(new) == 1 and box_of(new[0]) is None and come:
            drops = [self._change(Action.DROP_BOX, each, None) for each in gone]
            return [*drops[:-1], self._change(Action.DROP_BOX, gone[-1], new[0])]
        pairs = _paired(gone, come)
        moved = [self._change(Action.MOVE_BOX, gone[one], come[other]) for one, other in pairs]
        left = [each for at, each in enumerate(gone) if at not in {one for one, _ in pairs}]
        more = [each for at, each in enumerate(come) if at not in {other for _, other in pairs}]
        return [
            *moved,
            *(self._change(Action.DROP_BOX, each, None) for each in left),
            *(self._change(Action.ADD_BOX, None, each) for each in more),
        ]


def _difference(one: Pieces, other: Pieces) -> list[JsonObject]:
    """Return the pieces of `one` that `other` lacks, each as often as it lacks it."""
    there = counted(other)
    found = []
    for piece in one:
        key = key_of(piece)
        if there.get(key, 0):
            there[key] -= 1
        else:
            found.append(piece)
    return found


def _paired(gone: Pieces, come: Pieces) -> list[tuple[int, int]]:
    """Return which piece takes the place of which, as positions: as many pairs as there can be, likest first."""
    ranked = sorted(
        ((-_likeness(one, other), at, to) for at, one in enumerate(gone) for to, other in enumerate(come)),
    )
    pairs: dict[int, int] = {}
    for _, at, to in ranked:
        if at not in pairs and to not in pairs.values():
            pairs[at] = to
    return sorted(pairs.items())


def _likeness(one: JsonObject, other: JsonObject) -> float:
    """Return how alike two pieces of a page are: their overlap, 0 to 1, and one more where they are of one element."""
    first, second = box_of(one), box_of(other)
    is_one_element = "element_id" in one and one.get("element_id") == other.get("element_id")
    return is_one_element + (overlap(first, second) if first is not None and second is not None else 0.0)
