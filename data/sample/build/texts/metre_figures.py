"""Drawings of the chapter on the metre."""

from __future__ import annotations

import math

from typeset.fonts import Face
from typeset.plots import BLUE, RED, SAND, Axes, Scale
from typeset.surface import GREY, INK, WHITE, Colour, Surface

LABEL = Face("sans", "", 7.4)
PALE: Colour = (232, 238, 244)

# CODATA 2018: constant -> relative standard uncertainty (Tiesinga and others 2021).
UNCERTAINTY = {
    "Newtonian constant of gravitation *G*": 2.2e-5,
    "atomic mass constant *m*_{u}": 3.0e-10,
    "fine-structure constant \u03b1": 1.5e-10,
    "proton\u2013electron mass ratio": 6.0e-11,
    "Rydberg constant *R*_{\u221e}": 1.9e-12,
}


def meridian(s: Surface, x: float, y: float, w: float, h: float) -> None:
    """The arc measured from Dunkirk to Barcelona, with latitudes."""
    cx, cy, r = x + 44, y + h - 14, h - 40
    s.path(
        [(cx, cy), *[(cx + r * math.sin(a), cy - r * math.cos(a)) for a in _steps(0.0, math.pi / 2)]],
        closed=True,
        stroke=0.0,
        fill=PALE,
    )
    s.path([(cx + r * math.sin(a), cy - r * math.cos(a)) for a in _steps(0.0, math.pi / 2)], stroke=1.0)
    s.line(cx, cy, cx, cy - r - 10, stroke=0.5, dash=(3, 2))
    s.line(cx, cy, cx + r + 10, cy, stroke=0.5, dash=(3, 2))
    s.markup(cx, cy - r - 14, "North Pole", LABEL, anchor="middle")
    s.markup(cx + r + 13, cy + 2.5, "equator", LABEL)
    arc = [math.radians(90 - latitude) for latitude in (51, 41)]
    s.path([(cx + r * math.sin(a), cy - r * math.cos(a)) for a in _steps(arc[0], arc[1], 8)], stroke=3.2, colour=RED)
    for latitude in (51, 41):
        a = math.radians(90 - latitude)
        s.line(cx, cy, cx + r * math.sin(a), cy - r * math.cos(a), stroke=0.4, colour=GREY)
    s.markup(cx + 47, cy - 17, "quadrant:", LABEL)
    s.markup(cx + 47, cy - 7, "10~000~000~m", LABEL)
    left, top, bottom = x + w - 118, y + 16, y + h - 18
    scale = Scale(41, 51, bottom, top)
    a = math.radians(90 - 46)
    s.line(cx + r * math.sin(a) + 5, cy - r * math.cos(a) - 2, left - 14, (top + bottom) / 2, stroke=0.5, dash=(2, 2))
    s.line(left, scale.at(41), left, scale.at(51), stroke=1.6, colour=RED)
    for place, latitude, side in (
        ("Dunkirk", 51, "start of the north party"),
        ("Paris", 49, "the Observatory"),
        ("Rodez", 44, "where the parties met"),
        ("Barcelona", 41, "end of the south party"),
    ):
        s.circle(left, scale.at(latitude), 2.6, fill=WHITE, stroke=1.0, colour=RED)
        s.markup(left + 8, scale.at(latitude) + 0.5, f"**{place}**, {latitude}\u00b0 N", LABEL)
        s.markup(left + 8, scale.at(latitude) + 9, side, Face("sans", "i", 6.8), colour=GREY)


def constants_and_units(s: Surface, x: float, y: float, w: float, h: float) -> None:
    """Each base unit with its defining constant, and arrows from the units it needs."""
    cx, cy, outer, inner = x + w / 2, y + h / 2, h / 2 - 22, h / 2 - 62
    units = ["s", "m", "kg", "A", "K", "mol", "cd"]
    fixed = ["\u0394\u03bd_{Cs}", "*c*", "*h*", "*e*", "*k*", "*N*_{A}", "*K*_{cd}"]
    angle = {unit: math.radians(-90 + 360 / 7 * number) for number, unit in enumerate(units)}
    place = {unit: (cx + inner * math.cos(a), cy + inner * math.sin(a)) for unit, a in angle.items()}
    for start, end in (
        ("s", "m"),
        ("s", "kg"),
        ("m", "kg"),
        ("s", "A"),
        ("s", "K"),
        ("m", "K"),
        ("kg", "K"),
        ("s", "cd"),
        ("m", "cd"),
        ("kg", "cd"),
    ):
        (x0, y0), (x1, y1) = place[start], place[end]
        length = math.hypot(x1 - x0, y1 - y0)
        ux, uy = (x1 - x0) / length, (y1 - y0) / length
        s.arrow(x0 + 14 * ux, y0 + 14 * uy, x1 - 15 * ux, y1 - 15 * uy, stroke=0.6, colour=GREY, head=5)
    for unit, constant in zip(units, fixed, strict=True):
        ux, uy = place[unit]
        kx, ky = cx + outer * math.cos(angle[unit]), cy + outer * math.sin(angle[unit])
        s.line(ux, uy, kx, ky, stroke=1.4, colour=BLUE)
        s.circle(ux, uy, 13, fill=PALE, stroke=0.9, colour=BLUE)
        s.markup(ux, uy + 3.4, f"**{unit}**", Face("sans", "", 10), anchor="middle")
        s.circle(kx, ky, 15, fill=WHITE, stroke=0.7, colour=INK)
        s.markup(kx, ky + 3.2, constant, Face("serif", "", 10.5), anchor="middle")


def uncertainty_bars(s: Surface, x: float, y: float, w: float, h: float) -> None:
    """Relative standard uncertainties of five constants on a logarithmic axis."""
    axes = Axes(Scale(1e-13, 1e-4, x + 128, x + w - 40, log=True), Scale(0, 5, y + h - 30, y + 4), LABEL)
    axes.x_ticks(s, {10.0**power: f"10^{{\u2212{-power}}}" for power in range(-13, -3)}, grid=True)
    for number, (name, value) in enumerate(UNCERTAINTY.items()):
        middle = axes.y.at(4.5 - number)
        s.rect(axes.x.start, middle - 7, axes.x.at(value), middle + 7, fill=BLUE if number else SAND)
        s.markup(axes.x.start - 6, middle + 2.6, name, LABEL, anchor="right")
        power = math.floor(math.log10(value))
        s.markup(axes.x.at(value) + 4, middle + 2.6, f"{value / 10**power:.1f} \u00d7 10^{{\u2212{-power}}}", LABEL)
    s.line(axes.x.start, axes.y.start, axes.x.start, axes.y.end, stroke=0.7)
    s.line(axes.x.start, axes.y.start, axes.x.end, axes.y.start, stroke=0.7)
    s.markup(
        (axes.x.start + axes.x.end) / 2, axes.y.start + 24, "relative standard uncertainty", LABEL, anchor="middle"
    )


def _steps(low: float, high: float, count: int = 60) -> list[float]:
    return [low + (high - low) * number / count for number in range(count + 1)]
