"""How strategies look in charts: a colour, a line and a mark each, in one fixed order, told apart without colour too."""

from __future__ import annotations

from dataclasses import dataclass

#: Okabe and Ito's colours without black and yellow, which a dark or a light page swallows.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
DASHES = ("solid", "dash", "dot", "dashdot")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "star", "triangle-down")


@dataclass(frozen=True, slots=True)
class LineStyle:
    """The colour, dash and mark of one strategy."""

    colour: str
    dash: str
    symbol: str

    def faint(self, opacity: float) -> str:
        """Return the colour with this opacity, in [0, 1]."""
        red, green, blue = (int(self.colour[place : place + 2], 16) for place in (1, 3, 5))
        return f"rgba({red},{green},{blue},{opacity})"


def style_of(place: int) -> LineStyle:
    """Return how the strategy at this place of the comparison looks; colour, dash and mark repeat out of step."""
    return LineStyle(
        COLOURS[place % len(COLOURS)], DASHES[(place // len(COLOURS)) % len(DASHES)], SYMBOLS[place % len(SYMBOLS)]
    )
