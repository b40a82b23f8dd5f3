"""Drawings of the chapter on the elements."""

from __future__ import annotations

from typeset.fonts import Face
from typeset.plots import BLUE, RED, Axes, Scale
from typeset.surface import GREY, INK, WHITE, Colour, Surface

from texts.elements_data import DENSITIES, DISCOVERIES, HEAVENS, PERSONS, PLACES, SYMBOLS

LABEL = Face("plain", "", 7.2)
GREEN: Colour = (178, 214, 196)
SAND: Colour = (232, 214, 172)
SKY: Colour = (190, 212, 234)


def counts() -> dict[str, int]:
    """Half century -> how many rows of the table of discoveries fall into it."""
    out: dict[str, int] = {}
    for start in range(1650, 1950, 50):
        found = sum(start < int(row[0]) <= start + 50 for row in DISCOVERIES)
        out[f"{start + 1}\u2013{start + 50}"] = found
    return out


def growth(s: Surface, x: float, y: float, w: float, h: float) -> None:
    """Discoveries by half century as columns."""
    found = counts()
    axes = Axes(Scale(0, len(found), x + 32, x + w - 8), Scale(0, 9, y + h - 32, y + 6), LABEL)
    axes.y_ticks(s, {value: str(value) for value in (0, 2, 4, 6, 8)})
    for place, (span, count) in enumerate(found.items()):
        left, right = axes.x.at(place + 0.2), axes.x.at(place + 0.8)
        if count:
            s.rect(left, axes.y.at(count), right, axes.y.at(0), fill=(28, 92, 72))
        s.markup((left + right) / 2, axes.y.at(count) - 3, str(count), LABEL, anchor="middle")
        s.markup((left + right) / 2, axes.y.at(0) + 11, span, LABEL, anchor="middle")
    axes.frame(s)
    axes.titles(s, "half century", "elements")


def periodic(s: Surface, x: float, y: float, w: float, h: float) -> None:
    """The long table with the two rows of lanthanides and actinides below."""
    cell = min(w / 18, h / 10)
    for number, symbol in enumerate(SYMBOLS, start=1):
        row, column = _place(number)
        px, py = x + column * cell, y + row * cell
        fill = GREEN if symbol in PERSONS else SAND if symbol in PLACES else SKY if symbol in HEAVENS else WHITE
        s.rect(px + 0.6, py + 0.6, px + cell - 0.6, py + cell - 0.6, stroke=0.4, colour=GREY, fill=fill)
        s.markup(px + 2, py + 6.6, str(number), Face("plain", "", 4.8), colour=GREY)
        s.markup(px + cell / 2, py + cell - 4.4, symbol, Face("plain", "b", 7.6), anchor="middle")
    for row, word in ((5, "57\u201371"), (6, "89\u2013103")):
        s.markup(x + 2.5 * cell, y + row * cell + cell / 2 + 2, word, Face("plain", "", 4.8), anchor="middle")


def _place(number: int) -> tuple[float, int]:
    # Row and column of an element: rows 0 to 6, and 7.4 and 8.4 for the two that are set apart.
    if 57 <= number <= 71:
        return 7.4, number - 57 + 2
    if 89 <= number <= 103:
        return 8.4, number - 89 + 2
    for row, (first, last) in enumerate([(1, 2), (3, 10), (11, 18), (19, 36), (37, 54), (55, 86), (87, 118)]):
        if first <= number <= last:
            return row, number - first if number - first < (1 if row == 0 else 2) else 17 - (last - number)
    raise ValueError(number)


def densities(s: Surface, x: float, y: float, w: float, h: float) -> None:
    """Densities of metals as bars, lightest first."""
    axes = Axes(Scale(0, 25, x + 66, x + w - 30), Scale(0, len(DENSITIES), y + h - 28, y + 2), LABEL)
    axes.x_ticks(s, {value: str(value) for value in range(0, 26, 5)}, grid=True)
    for place, (name, density) in enumerate(DENSITIES.items()):
        middle = axes.y.at(len(DENSITIES) - place - 0.5)
        s.rect(axes.x.start, middle - 4.6, axes.x.at(density), middle + 4.6, fill=RED if name == "mercury" else BLUE)
        s.markup(axes.x.at(density) + 4, middle + 2.5, f"{density:g}" if name != "aluminium" else "2.70", LABEL)
        s.markup(axes.x.start - 5, middle + 2.5, name, LABEL, anchor="right")
    axes.frame(s)
    s.markup(
        (axes.x.start + axes.x.end) / 2,
        axes.y.start + 23,
        "density (g/cm^{3}); red: liquid",
        LABEL,
        anchor="middle",
        colour=INK,
    )
