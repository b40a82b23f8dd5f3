"""Axes for the drawings: numbers to places, ticks, grid lines."""

from __future__ import annotations

import math
from dataclasses import dataclass

from typeset.fonts import Face
from typeset.surface import GREY, INK, Colour, Surface

GRID: Colour = (222, 223, 226)
BLUE: Colour = (38, 92, 140)
RED: Colour = (168, 60, 40)
SAND: Colour = (205, 170, 110)
TEAL: Colour = (52, 128, 120)


@dataclass(frozen=True)
class Scale:
    """Numbers from `low` to `high` to places from `start` to `end`; logarithmic where `log`."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def at(self, value: float) -> float:
        """The place of `value`."""
        low, high, here = self.low, self.high, value
        if self.log:
            low, high, here = math.log10(low), math.log10(high), math.log10(value)
        return self.start + (here - low) / (high - low) * (self.end - self.start)


@dataclass(frozen=True)
class Axes:
    """A pair of scales with the face of their labels; x to the right, y upwards."""

    x: Scale
    y: Scale
    face: Face

    def frame(self, surface: Surface) -> None:
        """Draw the two axis lines."""
        surface.line(self.x.start, self.y.start, self.x.end, self.y.start, stroke=0.7)
        surface.line(self.x.start, self.y.start, self.x.start, self.y.end, stroke=0.7)

    def x_ticks(self, surface: Surface, ticks: dict[float, str], *, grid: bool = False) -> None:
        """Draw ticks below the x axis, each with its label."""
        for value, label in ticks.items():
            place = self.x.at(value)
            if grid:
                surface.line(place, self.y.start, place, self.y.end, stroke=0.4, colour=GRID)
            surface.line(place, self.y.start, place, self.y.start + 3, stroke=0.6)
            surface.markup(place, self.y.start + 4 + self.face.size, label, self.face, anchor="middle")

    def y_ticks(self, surface: Surface, ticks: dict[float, str], *, grid: bool = True) -> None:
        """Draw ticks left of the y axis, each with its label."""
        for value, label in ticks.items():
            place = self.y.at(value)
            if grid:
                surface.line(self.x.start, place, self.x.end, place, stroke=0.4, colour=GRID)
            surface.line(self.x.start - 3, place, self.x.start, place, stroke=0.6)
            surface.markup(self.x.start - 5, place + self.face.size * 0.35, label, self.face, anchor="right")

    def titles(self, surface: Surface, x: str, y: str) -> None:
        """Write what the axes measure."""
        middle = (self.x.start + self.x.end) / 2
        surface.markup(middle, self.y.start + 7 + 2.4 * self.face.size, x, self.face, anchor="middle", colour=INK)
        surface.upright(
            self.x.start - 5 - 3.3 * self.face.size, (self.y.start + self.y.end) / 2, y, self.face, colour=INK
        )

    def curve(
        self,
        surface: Surface,
        points: list[tuple[float, float]],
        *,
        colour: Colour = BLUE,
        stroke: float = 1.2,
        dash: tuple[float, float] | None = None,
    ) -> None:
        """Draw a line through (x, y) pairs."""
        surface.path([(self.x.at(a), self.y.at(b)) for a, b in points], stroke=stroke, colour=colour, dash=dash)


__all__ = ["BLUE", "GREY", "GRID", "RED", "SAND", "TEAL", "Axes", "Scale"]
