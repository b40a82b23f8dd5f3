"""How alike two annotators' boxes on a page are: as zones (the area that either drew on), and box by box.

Boxes are [left, top, right, bottom], all of one page in the same unit. A page on which both drew nothing, or only one drew, is
no 1 and no 0: it is counted apart. Boxes without an area count as none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from audit_core.geometry import overlap

Sides = Sequence[float]

#: From this intersection over union on, two boxes are taken for the same.
SAME_BOX = 0.5


class Drawn(StrEnum):
    """Who of two drew on a page."""

    BOTH = "both"
    ONE = "one"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class BoxAgreement:
    """Two annotators' boxes on one page. Where not both drew, the rest is None or 0.

    `zone_iou` is the area that both drew on over the area that either did, each area counted once however many boxes cover
    it; `zone_f1` twice the common area over the sum of both. `matched` boxes have a partner of their own with an
    intersection over union of at least 0.5, `first` and `second` count the boxes of each.
    """

    drawn: Drawn
    zone_iou: float | None = None
    zone_f1: float | None = None
    matched: int = 0
    first: int = 0
    second: int = 0

    @property
    def matched_f1(self) -> float | None:
        """2 * matched / (first + second); None where not both drew."""
        return 2 * self.matched / (self.first + self.second) if self.drawn is Drawn.BOTH else None


def box_agreement(one: Sequence[Sides], other: Sequence[Sides]) -> BoxAgreement:
    """Return how alike two annotators' boxes on a page are."""
    first, second = [each for each in one if _area(each) > 0], [each for each in other if _area(each) > 0]
    if not first or not second:
        return BoxAgreement(Drawn.ONE if first or second else Drawn.NEITHER, first=len(first), second=len(second))
    own, others, common = _areas(first, second)
    return BoxAgreement(
        Drawn.BOTH,
        common / (own + others - common),
        2 * common / (own + others),
        matched_boxes(first, second),
        len(first),
        len(second),
    )


def matched_boxes(one: Sequence[Sides], other: Sequence[Sides], *, least: float = SAME_BOX) -> int:
    """Return the largest number of pairs, each box in one pair at most, whose intersection over union is at least `least`.

    The optimal matching (augmenting paths), not the greedy one, which may find fewer pairs depending on the order.
    """
    partners = [[place for place, each in enumerate(other) if overlap(mine, each) >= least] for mine in one]
    taken: dict[int, int] = {}

    def place(box: int, tried: set[int]) -> bool:
        for each in partners[box]:
            if each not in tried:
                tried.add(each)
                if each not in taken or place(taken[each], tried):
                    taken[each] = box
                    return True
        return False

    return sum(place(box, set()) for box in range(len(one)))


def _area(box: Sides) -> float:
    return max(box[2] - box[0], 0.0) * max(box[3] - box[1], 0.0)


def _areas(one: Sequence[Sides], other: Sequence[Sides]) -> tuple[float, float, float]:
    """Return the areas of two zones and of what they have in common, exactly: on the grid that all sides together make."""
    import numpy as np

    boxes = np.asarray([*one, *other], dtype=np.float64)
    across, down = np.unique(boxes[:, (0, 2)]), np.unique(boxes[:, (1, 3)])
    zones = np.zeros((2, len(down) - 1, len(across) - 1), dtype=bool)
    for number, box in enumerate(boxes):
        left, right = np.searchsorted(across, (box[0], box[2]))
        top, bottom = np.searchsorted(down, (box[1], box[3]))
        zones[int(number >= len(one)), top:bottom, left:right] = True
    cells = np.diff(down)[:, None] * np.diff(across)[None, :]
    first, second = zones
    return float(cells[first].sum()), float(cells[second].sum()), float(cells[first & second].sum())
