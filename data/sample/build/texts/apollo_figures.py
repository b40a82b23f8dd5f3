"""Drawings of the magazine on the Apollo flights."""

from __future__ import annotations

import math

from typeset.fonts import Face
from typeset.plots import Axes, Scale
from typeset.surface import GREY, INK, WHITE, Colour, Surface

LABEL = Face("sans", "", 7.6)
RED: Colour = (158, 34, 42)
SKY: Colour = (22, 28, 48)
MOON: Colour = (214, 210, 200)
MARE: Colour = (176, 172, 166)
BLUE: Colour = (70, 118, 176)
METAL: Colour = (226, 226, 222)
GOLD: Colour = (214, 176, 90)
# Days from the date of launch to the date of splashdown, Universal Time (Orloff 2000).
DAYS = {7: 11, 8: 6, 9: 10, 10: 8, 11: 8, 12: 10, 13: 6, 14: 9, 15: 12, 16: 11, 17: 12}
# Latitude north and longitude east of the landing sites, degrees (NSSDCA).
SITES = {
    11: (0.67, 23.47),
    12: (-3.01, -23.42),
    14: (-3.65, -17.47),
    15: (26.13, 3.63),
    16: (-8.97, 15.50),
    17: (20.19, 30.77),
}
DRIVEN = {15: 27.8, 16: 26.7, 17: 35.7}  # kilometres (Orloff 2000)


def cover(s: Surface, x: float, y: float, w: float, h: float) -> None:
    """The Moon over the curve of the Earth."""
    s.rect(x, y, x + w, y + h, fill=SKY)
    for number in range(90):
        px, py = x + (number * 73.7) % w, y + (number * 41.3 + number * number * 1.7) % h
        s.circle(px, py, 0.5 + (number % 3) * 0.25, fill=(200, 204, 214))
    s.circle(x + w * 0.66, y + h * 0.36, 62, fill=MOON)
    for dx, dy, r in ((-18, -14, 17), (8, -22, 12), (16, 4, 14), (-26, 14, 15), (24, 26, 7), (-4, 34, 6)):
        s.circle(x + w * 0.66 + dx, y + h * 0.36 + dy, r, fill=MARE)
    radius = 560.0
    cx, cy = x + w * 0.36, y + h + radius - 92
    arc = [(cx + radius * math.sin(a), cy - radius * math.cos(a)) for a in (-0.5 + 0.01 * n for n in range(101))]
    inside = [(px, py) for px, py in arc if x <= px <= x + w and py <= y + h]
    s.path([(x, y + h), *inside, (x + w, y + h)], closed=True, stroke=0.0, fill=BLUE)
    s.path(inside, stroke=2.2, colour=(176, 208, 236))


def spacecraft(s: Surface, x: float, y: float, w: float, h: float) -> None:
    """Service, command and lunar module docked nose to nose."""
    mid, left = y + h * 0.42, x + 34
    s.path(
        [(left - 22, mid - 20), (left, mid - 9), (left, mid + 9), (left - 22, mid + 20)],
        closed=True,
        stroke=0.7,
        fill=GREY,
    )
    s.rect(left, mid - 24, left + 76, mid + 24, stroke=0.8, fill=METAL)
    for step in (14, 30, 46, 62):
        s.line(left + step, mid - 24, left + step, mid + 24, stroke=0.3, colour=GREY)
    s.path(
        [(left + 76, mid - 24), (left + 106, mid - 7), (left + 106, mid + 7), (left + 76, mid + 24)],
        closed=True,
        stroke=0.8,
        fill=(200, 204, 210),
    )
    s.rect(left + 106, mid - 5, left + 112, mid + 5, stroke=0.6, fill=WHITE)
    s.path(
        [
            (left + 112, mid - 14),
            (left + 122, mid - 22),
            (left + 140, mid - 20),
            (left + 140, mid + 20),
            (left + 122, mid + 22),
            (left + 112, mid + 14),
        ],
        closed=True,
        stroke=0.8,
        fill=METAL,
    )
    s.rect(left + 140, mid - 27, left + 166, mid + 27, stroke=0.8, fill=GOLD)
    for side in (-1, 1):
        s.line(left + 152, mid + side * 27, left + 184, mid + side * 40, stroke=1.1)
        s.line(left + 184, mid + side * 34, left + 184, mid + side * 46, stroke=1.6)
    for px, py, word in (
        (left + 38, mid + 44, "service module"),
        (left + 90, mid - 36, "command module"),
        (left + 126, mid + 58, "lunar module, upper stage"),
        (left + 146, mid - 50, "lower stage"),
    ):
        s.markup(px, py, word, LABEL, anchor="middle")
    s.line(left + 90, mid - 33, left + 90, mid - 14, stroke=0.35, colour=GREY)
    s.line(left + 126, mid + 50, left + 126, mid + 12, stroke=0.35, colour=GREY)
    s.line(left + 150, mid - 47, left + 153, mid - 22, stroke=0.35, colour=GREY)
    s.markup(left - 11, mid + 32, "engine", LABEL, anchor="middle")


def flight_profile(s: Surface, x: float, y: float, w: float, h: float) -> None:
    """The path as a figure of eight between the Earth and the Moon, with seven numbered stations."""
    ex, ey, mx, my = x + 46, y + h * 0.62, x + w - 40, y + h * 0.34
    s.circle(ex, ey, 25, fill=BLUE)
    s.circle(mx, my, 12, fill=MOON, stroke=0.5, colour=GREY)
    s.circle(ex, ey, 31, stroke=0.5, colour=GREY)
    s.circle(mx, my, 20, stroke=0.5, colour=GREY)
    out, home = [], []
    for n in range(41):
        t = n / 40
        bend = math.sin(math.pi * t)
        out.append((ex + (mx - ex) * t, ey + 31 - (ey + 31 - my + 20) * t + 22 * bend * math.cos(math.pi * t)))
        home.append((ex + (mx - ex) * t, ey - 31 + (my + 20 - ey + 31) * t - 22 * bend * math.cos(math.pi * t)))
    s.path(out, stroke=1.0, colour=RED)
    s.path(home, stroke=1.0, colour=INK, dash=(4, 2))
    for number, (px, py) in enumerate(
        [
            (ex - 20, ey - 20),
            (ex + 20, ey + 36),
            (mx - 8, my - 27),
            (mx + 3, my + 3),
            (mx + 24, my + 16),
            (mx - 8, my + 28),
            (ex + 16, ey - 38),
        ],
        start=1,
    ):
        s.circle(px, py, 5.4, fill=WHITE, stroke=0.6)
        s.markup(px, py + 2.5, str(number), LABEL.styled("b"), anchor="middle")
    s.markup(ex, ey + 50, "Earth", LABEL, anchor="middle")
    s.markup(mx, my + 46, "Moon", LABEL, anchor="middle")
    s.markup((ex + mx) / 2, y + h - 6, "red: outward   dashed: homeward", LABEL.styled("i"), anchor="middle")


def durations(s: Surface, x: float, y: float, w: float, h: float) -> None:
    """Days of each flight as columns."""
    axes = Axes(Scale(0, len(DAYS), x + 34, x + w - 8), Scale(0, 18, y + h - 18, y + 6), LABEL)
    axes.y_ticks(s, {value: str(value) for value in (0, 5, 10)})
    for place, (number, days) in enumerate(DAYS.items()):
        left, right = axes.x.at(place + 0.24), axes.x.at(place + 0.76)
        s.rect(left, axes.y.at(days), right, axes.y.at(0), fill=RED if number in SITES else (196, 150, 140))
        s.markup((left + right) / 2, axes.y.at(days) - 3, str(days), LABEL, anchor="middle")
        s.markup((left + right) / 2, axes.y.at(0) + 11, f"Apollo {number}", LABEL, anchor="middle")
    axes.frame(s)
    s.markup(axes.x.end, y + 8.5, "dark: landed on the Moon", LABEL.styled("i"), anchor="right")


def landing_map(s: Surface, x: float, y: float, w: float, h: float) -> None:
    """The near side with six numbered places, orthographic."""
    cx, cy, r = x + w / 2, y + h / 2, h / 2 - 6
    s.circle(cx, cy, r, fill=MOON, stroke=0.8, colour=GREY)
    for lat, lon, size in (
        (33, -16, 0.24),
        (27, 18, 0.16),
        (8, 31, 0.17),
        (17, 59, 0.1),
        (-8, 51, 0.12),
        (18, -57, 0.25),
        (-20, -40, 0.15),
        (-24, -38, 0.09),
        (56, 0, 0.1),
    ):
        px, py = _seen(lat, lon, cx, cy, r)
        s.circle(px, py, r * size, fill=MARE)
    for lat in (-30, 0, 30):
        ends = [_seen(lat, lon, cx, cy, r) for lon in range(-90, 91, 6)]
        s.path(ends, stroke=0.3, colour=GREY, dash=(2, 2))
    for number, (north, east) in SITES.items():
        px, py = _seen(north, east, cx, cy, r)
        s.circle(px, py, 2.6, fill=RED, stroke=0.5, colour=WHITE)
        s.markup(
            px + (5 if number != 12 else -5),
            py + (3 if number != 14 else 8),
            f"**{number}**",
            LABEL,
            colour=RED,
            anchor="right" if number == 12 else "left",
        )
    s.markup(cx, y + 4, "N", LABEL, anchor="middle")
    s.markup(cx + r + 4, cy + 3, "E", LABEL)
    s.markup(cx - r - 4, cy + 3, "W", LABEL, anchor="right")


def _seen(north: float, east: float, cx: float, cy: float, r: float) -> tuple[float, float]:
    lat, lon = math.radians(north), math.radians(east)
    return cx + r * math.cos(lat) * math.sin(lon), cy - r * math.sin(lat)


def rover_distance(s: Surface, x: float, y: float, w: float, h: float) -> None:
    """Kilometres driven, as bars."""
    axes = Axes(Scale(0, 40, x + 52, x + w - 26), Scale(0, 3, y + h - 30, y + 4), LABEL)
    axes.x_ticks(s, {value: str(value) for value in (0, 10, 20, 30, 40)}, grid=True)
    for place, (number, far) in enumerate(DRIVEN.items()):
        middle = axes.y.at(2.5 - place)
        s.rect(axes.x.start, middle - 9, axes.x.at(far), middle + 9, fill=RED)
        s.markup(axes.x.at(far) + 4, middle + 3, str(far), LABEL)
        s.markup(axes.x.start - 5, middle + 3, f"Apollo {number}", LABEL, anchor="right")
    axes.frame(s)
    s.markup((axes.x.start + axes.x.end) / 2, axes.y.start + 25, "kilometres", LABEL, anchor="middle")


def saturn(s: Surface, x: float, y: float, w: float, h: float) -> None:
    """The rocket in outline with its stages named."""
    cx, base = x + w * 0.3, y + h - 10
    unit = (h - 16) / 111.0
    for low, high, half, shade in (
        (0, 42, 5.05, METAL),
        (42, 67, 5.05, WHITE),
        (67, 70, 5.05, GREY),
        (73.5, 85, 3.3, WHITE),
    ):
        s.rect(
            cx - half * unit * 1.6,
            base - high * unit,
            cx + half * unit * 1.6,
            base - low * unit,
            stroke=0.7,
            fill=shade,
        )
    scale = unit * 1.6
    s.path(
        [
            (cx - 5.05 * scale, base - 70 * unit),
            (cx - 3.3 * scale, base - 73.5 * unit),
            (cx + 3.3 * scale, base - 73.5 * unit),
            (cx + 5.05 * scale, base - 70 * unit),
        ],
        closed=True,
        stroke=0.7,
        fill=WHITE,
    )
    s.path(
        [
            (cx - 3.3 * scale, base - 85 * unit),
            (cx - 1.95 * scale, base - 93.5 * unit),
            (cx + 1.95 * scale, base - 93.5 * unit),
            (cx + 3.3 * scale, base - 85 * unit),
        ],
        closed=True,
        stroke=0.7,
        fill=METAL,
    )
    s.rect(cx - 1.95 * scale, base - 98.5 * unit, cx + 1.95 * scale, base - 93.5 * unit, stroke=0.7, fill=GREY)
    s.path(
        [(cx - 1.95 * scale, base - 98.5 * unit), (cx, base - 102.5 * unit), (cx + 1.95 * scale, base - 98.5 * unit)],
        closed=True,
        stroke=0.7,
        fill=WHITE,
    )
    s.line(cx, base - 102.5 * unit, cx, base - 110.6 * unit, stroke=1.4)
    for side in (-1, 1):
        s.path(
            [
                (cx + side * 5.05 * scale, base - 8 * unit),
                (cx + side * 8 * scale, base),
                (cx + side * 5.05 * scale, base),
            ],
            closed=True,
            stroke=0.7,
            fill=INK,
        )
    right = x + w * 0.62
    for level, word, edge in (
        (106, "escape tower", 0.3),
        (100, "command module", 1.6),
        (96, "service module", 1.95),
        (89, "lunar module (inside)", 2.6),
        (79, "third stage, S-IVB", 3.3),
        (55, "second stage, S-II", 5.05),
        (22, "first stage, S-IC", 5.05),
    ):
        s.line(cx + edge * scale + 2, base - level * unit, right, base - level * unit, stroke=0.35, colour=GREY)
        s.markup(right + 3, base - level * unit + 2.6, word, LABEL)
    s.line(x, base, right, base, stroke=0.8, colour=GREY)
