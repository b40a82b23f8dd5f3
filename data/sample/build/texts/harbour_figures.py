"""Charts and plans of the harbour yearbook."""

from __future__ import annotations

from collections.abc import Callable

from typeset.fonts import Face
from typeset.plots import BLUE, RED, SAND, TEAL, Axes, Scale
from typeset.surface import GREY, INK, WHITE, Colour, Surface

from texts import harbour_model as model

LABEL = Face("sans", "", 7.6)
WATER: Colour = (208, 226, 238)
LAND: Colour = (232, 226, 206)
SHORT = [name[:3] for name in model.MONTHS]
Paint = Callable[[Surface, float, float, float, float], None]


def traffic(year: int) -> Paint:
    """Ships of each month of a year as columns."""

    def paint(s: Surface, x: float, y: float, w: float, h: float) -> None:
        axes = Axes(Scale(0, 12, x + 40, x + w - 8), Scale(0, 250, y + h - 20, y + 6), LABEL)
        axes.y_ticks(s, {value: str(value) for value in range(0, 251, 50)})
        for month, count in enumerate(model.month_list(year, "ships")):
            left, right = axes.x.at(month + 0.2), axes.x.at(month + 0.8)
            s.rect(left, axes.y.at(count), right, axes.y.at(0), fill=TEAL)
            s.markup((left + right) / 2, axes.y.at(0) + 11, SHORT[month], LABEL, anchor="middle")
        axes.frame(s)
        s.upright(x + 8, (axes.y.start + axes.y.end) / 2, "ships", LABEL)

    return paint


def ranges(year: int) -> Paint:
    """Spring and neap range of each month of a year as two lines."""

    def paint(s: Surface, x: float, y: float, w: float, h: float) -> None:
        axes = Axes(Scale(0.5, 12.5, x + 40, x + w - 8), Scale(0, 5, y + h - 20, y + 6), LABEL)
        axes.y_ticks(s, {value: str(value) for value in range(6)})
        axes.x_ticks(s, {month + 1: SHORT[month] for month in range(12)})
        axes.curve(s, [(month, model.spring_range(year, month)) for month in range(1, 13)], colour=BLUE)
        axes.curve(s, [(month, model.neap_range(year, month)) for month in range(1, 13)], colour=RED, dash=(4, 2))
        axes.frame(s)
        s.markup(axes.x.end, axes.y.at(3.3), "springs", LABEL, colour=BLUE, anchor="right")
        s.markup(axes.x.end, axes.y.at(1.0), "neaps", LABEL, colour=RED, anchor="right")
        s.upright(x + 8, (axes.y.start + axes.y.end) / 2, "range (m)", LABEL)

    return paint


def decade(s: Surface, x: float, y: float, w: float, h: float) -> None:
    """Ships of each year as columns, passengers as a line on a scale of their own."""
    axes = Axes(Scale(0, 10, x + 44, x + w - 46), Scale(0, 2500, y + h - 22, y + 14), LABEL)
    right = Scale(0, 100, axes.y.start, axes.y.end)
    axes.y_ticks(s, {value: str(value) for value in range(0, 2501, 500)})
    line = []
    for place, year in enumerate(model.YEARS):
        ships, people = sum(model.month_list(year, "ships")), sum(model.month_list(year, "passengers")) / 1000
        left, end = axes.x.at(place + 0.22), axes.x.at(place + 0.78)
        s.rect(left, axes.y.at(ships), end, axes.y.at(0), fill=SAND)
        s.markup((left + end) / 2, axes.y.at(0) + 11, str(year), LABEL, anchor="middle")
        line.append(((left + end) / 2, right.at(people)))
    s.path(line, stroke=1.4, colour=RED)
    for px, py in line:
        s.circle(px, py, 2.4, fill=RED)
    for value in range(0, 101, 25):
        s.markup(axes.x.end + 5, right.at(value) + 2.6, str(value), LABEL, colour=RED)
    axes.frame(s)
    s.markup(axes.x.start, y + 6, "columns: ships in a year", LABEL)
    s.markup(axes.x.end, y + 6, "line: passengers, thousands", LABEL, colour=RED, anchor="right")


def nodes(s: Surface, x: float, y: float, w: float, h: float) -> None:
    """Spring range of March through the decade, with the slow wave of 18.6 years."""
    axes = Axes(Scale(2010, 2021, x + 44, x + w - 10), Scale(4.2, 4.7, y + h - 32, y + 6), LABEL)
    axes.x_ticks(s, {year: str(year) for year in model.YEARS})
    axes.y_ticks(s, {value / 10: f"{value / 10:.1f}" for value in range(42, 48)})
    for year in model.YEARS:
        s.circle(axes.x.at(year), axes.y.at(model.spring_range(year, 3)), 3, fill=BLUE)
    axes.curve(s, [(year, model.spring_range(year, 3)) for year in model.YEARS], stroke=0.8)
    axes.frame(s)
    axes.titles(s, "year", "spring range in March (m)")


def plan(s: Surface, x: float, y: float, w: float, h: float) -> None:
    """The harbour with its four berths, two breakwaters and the light."""
    s.rect(x, y, x + w, y + h, fill=WATER)
    s.path(
        [
            (x, y),
            (x + w, y),
            (x + w, y + h * 0.2),
            (x + w * 0.72, y + h * 0.26),
            (x + w * 0.5, y + h * 0.22),
            (x + w * 0.2, y + h * 0.3),
            (x + w * 0.14, y + h * 0.66),
            (x, y + h * 0.72),
        ],
        closed=True,
        stroke=0.8,
        colour=GREY,
        fill=LAND,
    )
    s.path(
        [(x + w * 0.14, y + h * 0.66), (x + w * 0.38, y + h * 0.8), (x + w * 0.52, y + h * 0.8)], stroke=5, colour=GREY
    )
    s.path([(x + w, y + h * 0.6), (x + w * 0.8, y + h * 0.8), (x + w * 0.66, y + h * 0.82)], stroke=5, colour=GREY)
    s.circle(x + w * 0.52, y + h * 0.8, 5, fill=RED, stroke=0.8, colour=INK)
    for px, py, pw, ph, word in (
        (0.2, 0.27, 0.24, 0.05, "North Quay"),
        (0.52, 0.21, 0.17, 0.05, "Bell Quay"),
        (0.78, 0.21, 0.16, 0.14, "Timber Basin"),
        (0.15, 0.5, 0.17, 0.05, "Ferry Pier"),
    ):
        s.rect(x + w * px, y + h * py, x + w * (px + pw), y + h * (py + ph), stroke=0.7, fill=SAND)
        s.markup(x + w * (px + pw / 2), y + h * (py + ph) + 10, word, LABEL, anchor="middle")
    s.markup(x + w * 0.52, y + h * 0.8 + 16, "harbour light", LABEL, anchor="middle")
    s.markup(x + w * 0.59, y + h * 0.95, "to the sea", LABEL.styled("i"), anchor="middle")
    s.markup(x + w * 0.5, y + h * 0.1, "LARKMOUTH", Face("sans", "b", 9), colour=GREY, anchor="middle")
    s.arrow(x + w - 20, y + 40, x + w - 20, y + 14, stroke=1.0)
    s.markup(x + w - 20, y + 51, "N", LABEL.styled("b"), anchor="middle")


def shares(s: Surface, x: float, y: float, w: float, h: float) -> None:
    """Cargo by kind: one stacked bar for each year."""
    axes = Axes(Scale(0, 100, x + 40, x + w - 10), Scale(0, 10, y + h - 34, y + 16), LABEL)
    tints: list[Colour] = [TEAL, SAND, (186, 196, 206), (120, 96, 130)]
    for place, year in enumerate(model.YEARS):
        middle, start = axes.y.at(9.5 - place), 0
        for kind, tint in enumerate(tints):
            share = model.kind_share(year, kind)
            s.rect(axes.x.at(start), middle - 7, axes.x.at(start + share), middle + 7, fill=tint)
            s.markup(
                axes.x.at(start + share / 2),
                middle + 2.7,
                str(share),
                LABEL,
                anchor="middle",
                colour=WHITE if kind in (0, 3) else INK,
            )
            start += share
        s.markup(axes.x.start - 5, middle + 2.7, str(year), LABEL, anchor="right")
    axes.x_ticks(s, {value: str(value) for value in range(0, 101, 20)})
    for kind, tint in enumerate(tints):
        s.rect(axes.x.start + kind * 80, y, axes.x.start + kind * 80 + 8, y + 8, fill=tint)
        s.markup(axes.x.start + kind * 80 + 12, y + 7, model.KINDS[kind], LABEL)
    s.markup((axes.x.start + axes.x.end) / 2, axes.y.start + 27, "per cent of the cargo", LABEL, anchor="middle")
