"""Intervals drawn in the cells of a table, all on one axis."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from audit_core.statistics.intervals import Interval


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis from `low` to `high`, parts of 1; `base` is drawn as a thin line in every cell, None for none."""

    low: float
    high: float
    base: float | None = None

    @property
    def head(self) -> str:
        """What it spans, for the head of the column."""
        return f"{100 * self.low:.0f} to {100 * self.high:.0f} %"

    def cell(self, interval: Interval, *, colour: str = "#0072B2") -> str:
        """Return a table cell with the interval as a bar and its estimate as a dot; empty where it is undefined."""
        if interval.estimate is None:
            return "<td></td>"
        low = self._place(interval.estimate if interval.low is None else interval.low)
        high = self._place(interval.estimate if interval.high is None else interval.high)
        line = "" if self.base is None else f'<span class="base" style="left:{self._place(self.base):.1f}%"></span>'
        bar = f'<span class="bar" style="left:{low:.1f}%;width:{high - low:.1f}%"></span>'
        dot = f'<span class="dot" style="left:{self._place(interval.estimate):.1f}%;background:{colour}"></span>'
        return f'<td class="text"><span class="axis" aria-hidden="true">{line}{bar}{dot}</span></td>'

    def _place(self, value: float) -> float:
        return min(100.0, max(0.0, 100 * (value - self.low) / (self.high - self.low)))


def axis_over(intervals: Iterable[Interval], base: float | None = None) -> Axis:
    """Return the axis, in whole percent, that holds these intervals and the base rate."""
    ends = [] if base is None else [base]
    for each in intervals:
        ends += [end for end in (each.low, each.estimate, each.high) if end is not None]
    if not ends:
        return Axis(0.0, 1.0, base)
    room = 0.03 * (max(ends) - min(ends))
    low = math.floor(100 * max(0.0, min(ends) - room)) / 100
    high = math.ceil(100 * min(1.0, max(ends) + room)) / 100
    return Axis(low, max(high, low + 0.01), base)
