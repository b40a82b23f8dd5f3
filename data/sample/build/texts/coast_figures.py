"""Drawings of the companion to the coast."""

from __future__ import annotations

import itertools
import math

from typeset.fonts import Face
from typeset.plots import BLUE, GRID, RED, SAND, TEAL, Axes, Scale
from typeset.surface import GREY, INK, WHITE, Colour, Surface

LABEL = Face("plain", "", 6.6)
GLASS: Colour = (214, 230, 238)
# Constituent: period in hours (Doodson; NOAA harmonic constituents).
PERIODS = {"M2": 12.4206, "S2": 12.0, "N2": 12.6583, "K1": 23.9345, "O1": 25.8193}
SOLAR_SHARE = 0.46


def horizon_miles(feet: float) -> float:
    """Distance to the sea horizon in nautical miles for a height of eye in feet (Bowditch: 1.17 times the root)."""
    return 1.17 * math.sqrt(feet)


def horizon(s: Surface, x: float, y: float, w: float, h: float) -> None:
    """Distance to the horizon against height of eye."""
    axes = Axes(Scale(0, 250, x + 30, x + w - 8), Scale(0, 20, y + h - 28, y + 6), LABEL)
    axes.x_ticks(s, {value: str(value) for value in range(0, 251, 50)}, grid=True)
    axes.y_ticks(s, {value: str(value) for value in range(0, 21, 5)})
    axes.frame(s)
    axes.curve(s, [(feet / 2, horizon_miles(feet / 2)) for feet in range(501)])
    for feet in (10, 50, 100, 200):
        miles = horizon_miles(feet)
        s.circle(axes.x.at(feet), axes.y.at(miles), 2.3, fill=RED)
        s.markup(axes.x.at(feet) + 4, axes.y.at(miles) + 8, f"{miles:.1f}", LABEL)
    axes.titles(s, "height of eye (feet)", "nautical miles")


def fresnel(s: Surface, x: float, y: float, w: float, h: float) -> None:
    """A Fresnel lens in section: prisms above and below bend the rays of the lamp into level beams."""
    lamp, middle = (x + 46, y + h / 2), y + h / 2
    left = x + 150
    heights = [0, 16, 29, 40, 50, 59]
    for low, high in itertools.pairwise(heights):
        for side in (-1, 1):
            top, bottom = middle + side * high, middle + side * low
            thick = 8 if low == 0 else 12
            s.path(
                [
                    (left, top),
                    (left, bottom),
                    (left + thick, bottom + side * (0 if low == 0 else 1.2)),
                    (left + (3 if low else 5.5), top),
                ],
                closed=True,
                stroke=0.7,
                colour=BLUE,
                fill=GLASS,
            )
    for low, high in itertools.pairwise(heights):
        for side in (-1, 1):
            level = middle + side * (low + high) / 2
            s.line(*lamp, left, level, stroke=0.6, colour=(190, 130, 20))
            s.arrow(left + 8, level, x + w - 72, level, stroke=0.6, colour=(190, 130, 20), head=4)
    s.circle(*lamp, 4.2, fill=(250, 190, 40), stroke=0.7)
    s.line(lamp[0], lamp[1] + 4.2, lamp[0], middle + 52, stroke=1.4)
    s.markup(lamp[0], middle + 62, "lamp at the focus", LABEL, anchor="middle")
    s.markup(left + 4, middle - 66, "stepped lens", LABEL, anchor="middle")
    s.markup(x + w - 66, middle + 2, "level beam", LABEL)
    s.markup(x + w - 66, middle + 10, "towards the sea", LABEL)
    s.line(lamp[0], middle + 72, left, middle + 72, stroke=0.5)
    s.markup((lamp[0] + left) / 2, middle + 80, "focal length: 920 mm in the first order", LABEL, anchor="middle")


RHYTHMS: dict[str, tuple[str, float, list[tuple[float, float]]]] = {
    "F": ("fixed", 12, [(0, 12)]),
    "Oc 6s": ("occulting", 6, [(0, 4.5)]),
    "Iso 4s": ("isophase", 4, [(0, 2)]),
    "Fl 4s": ("flashing", 4, [(0, 0.5)]),
    "Fl(3) 12s": ("group flashing", 12, [(0, 0.5), (2, 2.5), (4, 4.5)]),
    "LFl 10s": ("long flashing", 10, [(0, 2)]),
    "Q": ("quick", 1, [(0, 0.3)]),
    "VQ": ("very quick", 0.5, [(0, 0.2)]),
}


def rhythms(s: Surface, x: float, y: float, w: float, h: float) -> None:
    """Twelve seconds of eight light characters: light is yellow, dark is grey."""
    scale = Scale(0, 12, x + 98, x + w - 8)
    step = (h - 24) / len(RHYTHMS)
    for number, (name, (word, period, lit)) in enumerate(RHYTHMS.items()):
        top = y + 2 + number * step
        s.rect(scale.start, top, scale.end, top + step - 5, fill=(88, 92, 100))
        start = 0.0
        while start < 12:
            for on, off in lit:
                if start + on < 12:
                    s.rect(
                        scale.at(start + on), top, scale.at(min(start + off, 12)), top + step - 5, fill=(252, 214, 90)
                    )
            start += period
        s.rect(scale.start, top, scale.end, top + step - 5, stroke=0.5)
        s.markup(x, top + step / 2 + 0.5, f"**{name}**", LABEL)
        s.markup(x + 40, top + step / 2 + 0.5, word, LABEL)
    base = y + 2 + len(RHYTHMS) * step - 2
    for second in range(0, 13, 2):
        s.line(scale.at(second), base, scale.at(second), base + 3, stroke=0.5)
        s.markup(scale.at(second), base + 11, str(second), LABEL, anchor="middle")
    s.markup(x, base + 11, "seconds", LABEL)


def springs(s: Surface, x: float, y: float, w: float, h: float) -> None:
    """Thirty days of the sum of M2 and S2, with spring and neap tides."""
    axes = Axes(Scale(0, 30, x + 30, x + w - 6), Scale(-2, 2, y + h - 28, y + 16), LABEL)
    axes.x_ticks(s, {value: str(value) for value in range(0, 31, 5)})
    axes.y_ticks(s, {value: f"{value}".replace("-", "\u2212") for value in (-2, -1, 0, 1, 2)})
    curve = []
    for step in range(30 * 24 * 4 + 1):
        hours = step / 4
        level = math.cos(2 * math.pi * hours / PERIODS["M2"]) + SOLAR_SHARE * math.cos(
            2 * math.pi * hours / PERIODS["S2"]
        )
        curve.append((hours / 24, level))
    axes.curve(s, curve, stroke=0.45)
    axes.frame(s)
    for day, word in ((0.0, "springs"), (7.38, "neaps"), (14.77, "springs"), (22.15, "neaps"), (29.5, "springs")):
        anchor = "left" if day == 0 else "right" if day > 29 else "middle"
        s.markup(axes.x.at(day), y + 9, word, LABEL.styled("i"), anchor=anchor)
    axes.titles(s, "days", "height (lunar tide = 1)")


def twelfths(s: Surface, x: float, y: float, w: float, h: float) -> None:
    """The rule of twelfths as columns: how much of the range the tide rises in each hour."""
    axes = Axes(Scale(0, 6, x + 30, x + w - 8), Scale(0, 4, y + h - 28, y + 4), LABEL)
    axes.y_ticks(s, {value: str(value) for value in range(5)})
    for hour, share in enumerate((1, 2, 3, 3, 2, 1)):
        left, right = axes.x.at(hour + 0.15), axes.x.at(hour + 0.85)
        s.rect(left, axes.y.at(share), right, axes.y.at(0), fill=TEAL)
        s.markup((left + right) / 2, axes.y.at(share) - 3, str(share), LABEL, anchor="middle")
        s.markup((left + right) / 2, axes.y.at(0) + 10, str(hour + 1), LABEL, anchor="middle")
    axes.frame(s)
    axes.titles(s, "hour after low water", "twelfths of the range")


def tower(s: Surface, x: float, y: float, w: float, h: float) -> None:
    """A rock tower in outline with its parts named."""
    cx, base, top = x + w * 0.36, y + h - 22, y + 44
    sides = [
        (cx + side * (13 + 22 * ((level - top) / (base - top)) ** 2.4), level)
        for side, span in ((-1, range(41)), (1, range(40, -1, -1)))
        for level in (top + (base - top) * step / 40 for step in span)
    ]
    s.path(
        [(x + 6, base + 12), (cx - 60, base - 2), (cx + 62, base), (x + w * 0.62, base + 12)],
        closed=True,
        stroke=0.0,
        fill=(176, 170, 160),
    )
    s.path(sides, closed=True, stroke=0.8, fill=(240, 238, 232))
    for step in range(3, 40, 4):
        level = top + (base - top) * step / 40
        half = 13 + 22 * ((level - top) / (base - top)) ** 2.4
        s.line(cx - half, level, cx + half, level, stroke=0.3, colour=GREY)
    s.rect(cx - 19, top - 4, cx + 19, top, fill=INK)
    s.rect(cx - 10, top - 24, cx + 10, top - 4, stroke=0.8, fill=(252, 226, 130))
    for offset in (-5, 0, 5):
        s.line(cx + offset, top - 24, cx + offset, top - 4, stroke=0.4)
    s.path([(cx - 12, top - 24), (cx, top - 36), (cx + 12, top - 24)], closed=True, stroke=0.0, fill=INK)
    s.line(x, base - 16, x + w * 0.66, base - 16, stroke=0.8, colour=BLUE, dash=(4, 2))
    right = x + w * 0.66
    for level, word, edge in (
        (top - 14, "lantern", cx + 10),
        (top - 1, "gallery", cx + 19),
        (top + 40, "keepers\u2019 rooms", cx + 15),
        (base - 40, "solid masonry", cx + 25),
        (base - 16, "high water", x + w * 0.66),
        (base + 6, "rock", cx + 50),
    ):
        if word != "high water":
            s.line(edge + 2, level, right, level, stroke=0.35, colour=GREY)
        s.markup(right + 3, level + 2.4, word, LABEL)


__all__ = [
    "GRID",
    "RHYTHMS",
    "SAND",
    "WHITE",
    "fresnel",
    "horizon",
    "horizon_miles",
    "rhythms",
    "springs",
    "tower",
    "twelfths",
]
