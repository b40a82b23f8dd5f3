"""What is drawn on one page, in points from its top left corner; a backend turns it into pixels or PDF."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field

from typeset.fonts import Face, text_width
from typeset.richtext import Bit, bits_width, fragments

Colour = tuple[int, int, int]
Point = tuple[float, float]
INK: Colour = (24, 24, 26)
GREY: Colour = (110, 112, 116)
RULE: Colour = (150, 152, 156)
WHITE: Colour = (255, 255, 255)


@dataclass(frozen=True)
class TextOp:
    """Text with its baseline starting at (x, y), turned counter-clockwise by `angle` degrees (0 or 90)."""

    x: float
    y: float
    text: str
    face: Face
    colour: Colour
    angle: int = 0


@dataclass(frozen=True)
class PathOp:
    """A polyline or, if closed, a polygon; `stroke` width 0 draws no outline."""

    points: tuple[Point, ...]
    closed: bool
    stroke: float
    colour: Colour
    fill: Colour | None = None


@dataclass(frozen=True)
class CircleOp:
    """A circle round (x, y)."""

    x: float
    y: float
    radius: float
    stroke: float
    colour: Colour
    fill: Colour | None = None


@dataclass
class Surface:
    """A page being drawn: `width` x `height` points."""

    width: float
    height: float
    kerned: bool
    ops: list[TextOp | PathOp | CircleOp] = field(default_factory=list)

    def bits(self, x: float, y: float, bits: list[Bit], colour: Colour = INK) -> float:
        """Draw a run of bits from x on baseline y; the x after it."""
        for bit in bits:
            for number, piece in enumerate(bit.text.split("~")):
                x += 0.2 * bit.face.size if number else 0.0
                if piece:
                    self.ops.append(TextOp(x, y - bit.rise, piece, bit.face, colour))
                x += text_width(piece, bit.face, self.kerned)
        return x

    def markup(
        self, x: float, y: float, markup: str, face: Face, *, colour: Colour = INK, anchor: str = "left"
    ) -> None:
        """Draw one line of marked-up text; `x` is its left edge, middle or right edge."""
        parts = fragments(markup, face, hyphenate=False)
        space = text_width(" ", face, self.kerned)
        total = sum(bits_width(part.bits, self.kerned) for part in parts)
        total += space * sum(1 for part in parts[:-1] if part.glue == "space")
        x -= {"left": 0.0, "middle": total / 2, "right": total}[anchor]
        for part in parts:
            x = self.bits(x, y, part.bits, colour) + (space if part.glue == "space" else 0.0)

    def upright(self, x: float, y: float, text: str, face: Face, *, colour: Colour = INK) -> None:
        """Draw text that reads upwards, centred on (x, y)."""
        length = text_width(text, face, self.kerned)
        self.ops.append(TextOp(x + face.size * 0.35, y + length / 2, text, face, colour, 90))

    def line(
        self,
        x0: float,
        y0: float,
        x1: float,
        y1: float,
        *,
        stroke: float = 0.6,
        colour: Colour = INK,
        dash: tuple[float, float] | None = None,
    ) -> None:
        """Draw a straight line, dashed by (on, off) points where `dash` is given."""
        self.path([(x0, y0), (x1, y1)], stroke=stroke, colour=colour, dash=dash)

    def path(
        self,
        points: list[Point],
        *,
        stroke: float = 0.6,
        colour: Colour = INK,
        closed: bool = False,
        fill: Colour | None = None,
        dash: tuple[float, float] | None = None,
    ) -> None:
        """Draw a polyline or polygon."""
        if dash is None:
            self.ops.append(PathOp(tuple(points), closed, stroke, colour, fill))
            return
        for dashed in _dashes(points, dash):
            self.ops.append(PathOp(tuple(dashed), False, stroke, colour))

    def rect(
        self,
        x0: float,
        y0: float,
        x1: float,
        y1: float,
        *,
        stroke: float = 0.0,
        colour: Colour = INK,
        fill: Colour | None = None,
    ) -> None:
        """Draw a rectangle."""
        self.path([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], stroke=stroke, colour=colour, closed=True, fill=fill)

    def circle(
        self,
        x: float,
        y: float,
        radius: float,
        *,
        stroke: float = 0.0,
        colour: Colour = INK,
        fill: Colour | None = None,
    ) -> None:
        """Draw a circle."""
        self.ops.append(CircleOp(x, y, radius, stroke, colour, fill))

    def arrow(
        self,
        x0: float,
        y0: float,
        x1: float,
        y1: float,
        *,
        stroke: float = 0.7,
        colour: Colour = INK,
        head: float = 4.0,
    ) -> None:
        """Draw a line that ends in a filled arrowhead at (x1, y1)."""
        angle = math.atan2(y1 - y0, x1 - x0)
        left, right = (
            (x1 - head * math.cos(angle + turn), y1 - head * math.sin(angle + turn)) for turn in (0.38, -0.38)
        )
        self.line(
            x0, y0, x1 - head * 0.8 * math.cos(angle), y1 - head * 0.8 * math.sin(angle), stroke=stroke, colour=colour
        )
        self.path([(x1, y1), left, right], stroke=0.0, closed=True, fill=colour)


def _dashes(points: list[Point], dash: tuple[float, float]) -> list[list[Point]]:
    out: list[list[Point]] = []
    on, left = True, dash[0]
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        length, at = math.hypot(x1 - x0, y1 - y0), 0.0
        if on:
            out.append(out.pop() if out and out[-1][-1] == (x0, y0) else [(x0, y0)])
        while length - at > 1e-9:
            step = min(left, length - at)
            at, left = at + step, left - step
            here = (x0 + (x1 - x0) * at / length, y0 + (y1 - y0) * at / length)
            if on:
                out[-1].append(here)
            if left <= 1e-9:
                on = not on
                left = dash[0] if on else dash[1]
                if on:
                    out.append([here])
    return [piece for piece in out if len(piece) > 1]
