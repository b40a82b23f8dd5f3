"""Drawings of the report on the planets."""

from __future__ import annotations

from typeset.fonts import Face
from typeset.plots import BLUE, RED, SAND, TEAL, Axes, Scale
from typeset.surface import GREY, WHITE, Surface

LABEL = Face("sans", "", 7.6)
# Semi-major axis (au), sidereal period (years): rounded from Standish's elements for 1800 to 2050.
ORBITS = {
    "Mercury": (0.387, 0.241),
    "Venus": (0.723, 0.615),
    "Earth": (1.000, 1.000),
    "Mars": (1.524, 1.881),
    "Jupiter": (5.203, 11.86),
    "Saturn": (9.537, 29.45),
    "Uranus": (19.19, 84.02),
    "Neptune": (30.07, 164.8),
}
# Mean density, kg/m3 (NASA planetary fact sheet).
DENSITY = {
    "Mercury": 5429,
    "Venus": 5243,
    "Earth": 5514,
    "Mars": 3934,
    "Jupiter": 1326,
    "Saturn": 687,
    "Uranus": 1270,
    "Neptune": 1638,
}


def kepler(s: Surface, x: float, y: float, w: float, h: float) -> None:
    """Period against distance, both logarithmic, with the line of Kepler's third law."""
    axes = Axes(Scale(0.2, 60, x + 58, x + w - 20, log=True), Scale(0.1, 400, y + h - 36, y + 6, log=True), LABEL)
    axes.x_ticks(s, {value: f"{value:g}" for value in (0.2, 0.5, 1, 2, 5, 10, 20, 50)}, grid=True)
    axes.y_ticks(s, {value: f"{value:g}" for value in (0.1, 1, 10, 100)})
    axes.frame(s)
    axes.curve(s, [(0.25, 0.25**1.5), (50, 50**1.5)], colour=GREY, stroke=0.8, dash=(4, 3))
    for name, (distance, period) in ORBITS.items():
        px, py = axes.x.at(distance), axes.y.at(period)
        s.circle(px, py, 3.1, fill=RED, stroke=0.6, colour=WHITE)
        s.markup(px + 7, py + 7, name, LABEL)
    s.markup(axes.x.at(13), axes.y.at(150), "*T*^{2} = *a*^{3}", Face("serif", "", 10), colour=GREY, anchor="right")
    axes.titles(s, "semi-major axis *a* (astronomical units)", "period T (years)")


def densities(s: Surface, x: float, y: float, w: float, h: float) -> None:
    """Mean densities as columns, with the density of water."""
    axes = Axes(Scale(0, 8, x + 52, x + w - 26), Scale(0, 6000, y + h - 26, y + 8), LABEL)
    axes.y_ticks(s, {value: f"{value // 1000}~000" if value else "0" for value in range(0, 6001, 1000)})
    for number, (name, density) in enumerate(DENSITY.items()):
        left, right = axes.x.at(number + 0.2), axes.x.at(number + 0.8)
        s.rect(left, axes.y.at(density), right, axes.y.at(0), fill=SAND if number < 4 else TEAL)
        s.markup((left + right) / 2, axes.y.at(max(density, 1000)) - 3, str(density), LABEL, anchor="middle")
        s.markup((left + right) / 2, axes.y.at(0) + 12, name, LABEL, anchor="middle")
    s.line(axes.x.start, axes.y.at(1000), axes.x.end, axes.y.at(1000), stroke=0.9, colour=BLUE, dash=(4, 2))
    s.markup(axes.x.end + 3, axes.y.at(1000) + 2.6, "water", LABEL.styled("i"), colour=BLUE)
    axes.frame(s)
    s.upright(x + 10, (axes.y.start + axes.y.end) / 2, "mean density (kg/m\u00b3)", LABEL)


def sizes(s: Surface, x: float, y: float, w: float, h: float) -> None:
    """The eight planets drawn to one scale by their equatorial radii."""
    radii = {
        "Mercury": 2440.5,
        "Venus": 6051.8,
        "Earth": 6378.1,
        "Mars": 3396.2,
        "Jupiter": 71492,
        "Saturn": 60268,
        "Uranus": 25559,
        "Neptune": 24764,
    }
    scale = (h - 34) / 2 / 71492
    colours = [GREY, SAND, BLUE, RED, (190, 140, 100), (214, 190, 140), (140, 190, 200), (70, 110, 180)]
    gap = (w - 20 - sum(max(2 * radius * scale, 24) for radius in radii.values())) / 7
    left, middle = x + 10, y + (h - 22) / 2 + 2
    for (name, radius), colour in zip(radii.items(), colours, strict=True):
        span = max(2 * radius * scale, 24)
        s.circle(left + span / 2, middle, radius * scale, fill=colour)
        s.markup(left + span / 2, y + h - 6, name, LABEL, anchor="middle")
        left += span + gap
