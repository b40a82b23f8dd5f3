"""Boxes: the only place where units are converted, boxes are clipped and faults of a box are named.

A box is `[x0, y0, x1, y1]`: left, top, right, bottom; origin top left; on the page as shown to a reader.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from audit_core.domain import Box

#: A box may leave its page by this many pixels (or points) and is then clipped.
CLIP_TOLERANCE_PIXELS = 1.0
#: Slack for the rounding of decimal fractions, in pixels.
ROUNDING_SLACK_PIXELS = 1e-6


def is_well_formed(box: Sequence[float]) -> bool:
    """Return whether `box` has four finite numbers with x0 <= x1 and y0 <= y1 (in any unit)."""
    return len(box) == 4 and all(math.isfinite(each) for each in box) and box[0] <= box[2] and box[1] <= box[3]


def to_fraction(box: Sequence[float], *, units: str, width: float, height: float) -> Box:
    """Return `box` in parts of the page's width and height.

    `units` is `pixel` or `fraction`; `width` and `height` are the page's, in the unit of a pixel box, and positive.

    Raises:
        ValueError: the unit is unknown, the box is malformed or the page has no size.
    """
    if units not in ("pixel", "fraction"):
        raise ValueError(f"unknown box unit {units!r}: use 'pixel' or 'fraction'")
    if not is_well_formed(box):
        raise ValueError(f"not a box: {list(box)!r}")
    if units == "fraction":
        return Box(*map(float, box))
    if not (width > 0 and height > 0):
        raise ValueError(f"a page of {width} x {height} has no place for a box in pixels")
    return Box(box[0] / width, box[1] / height, box[2] / width, box[3] / height)


def clip(box: Sequence[float], *, units: str, width: float, height: float) -> list[float]:
    """Return `box`, in its own units, with each side moved onto the page where it left it."""
    right, bottom = (1.0, 1.0) if units == "fraction" else (float(width), float(height))
    return [
        min(max(box[0], 0.0), right),
        min(max(box[1], 0.0), bottom),
        min(max(box[2], 0.0), right),
        min(max(box[3], 0.0), bottom),
    ]


def overlap(one: Sequence[float], other: Sequence[float]) -> float:
    """Return intersection over union of two boxes, 0 to 1; 0 where they do not meet or have no size."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    if width <= 0 or height <= 0:
        return 0.0
    both = width * height
    return both / ((one[2] - one[0]) * (one[3] - one[1]) + (other[2] - other[0]) * (other[3] - other[1]) - both)
