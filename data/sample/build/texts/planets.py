"""A short report with many tables: the solar system in figures (a PDF with one landscape page)."""

from __future__ import annotations

from typeset.blocks import Block, Break, Space, Text, TextStyle
from typeset.design import Document
from typeset.flow import Layout, PageInfo
from typeset.fonts import Face
from typeset.surface import GREY
from typeset.tables import Column

from texts import planets_figures as drawn
from texts.planets_bodies import second_half
from texts.planets_style import DESIGN, NAVY, R, h, p

NOTES = {
    "b": "The Union counts three conditions; that the body goes round the Sun is the first of them.",
    "a": "The value is exact. It was adopted by the International Astronomical Union in 2012 (Resolution B2).",
    "c": "A negative period stands for retrograde rotation: the planet turns against the sense of its orbit.",
}


def _chrome(page: PageInfo) -> None:
    left, _, right, bottom = page.frame
    if page.index == 0:
        return
    face = Face("sans", "", 8)
    page.surface.line(left, 44, right, 44, stroke=1.2, colour=NAVY)
    page.surface.markup(left, 38, "The Solar System in Figures", face, colour=GREY)
    page.surface.markup(right, 38, "Data Notes for Teachers, No. 7", face, colour=GREY, anchor="right")
    page.surface.markup(right, bottom + 34, page.label or "", Face("sans", "b", 9), colour=NAVY, anchor="right")


def _cover() -> list[Block]:
    series = TextStyle(Face("sans", "b", 10), 14, align="left", colour=NAVY)
    title = TextStyle(Face("serif", "b", 34), 40, before=60, align="left", colour=NAVY)
    under = TextStyle(Face("serif", "i", 16), 22, before=8, align="left")
    return [
        Text(kind="Headline", markup="DATA NOTES FOR TEACHERS \u00b7 No. 7", style=series, keep_next=True),
        Space(height=50),
        Text(key="title", kind="Headline", markup="The Solar System in Figures", style=title, whole=True),
        Text(
            key="subtitle",
            kind="Headline",
            markup="Orbits, sizes, moons and the spacecraft that went there, in seven tables",
            style=under,
            whole=True,
        ),
        Space(height=40),
        DESIGN.figure(
            "sizes",
            150,
            drawn.sizes,
            "**Cover figure** The eight planets to one scale, by equatorial radius. Distances are not to scale.",
            floats=False,
        ),
        Space(height=26),
        h("Summary", 1),
        p(
            "These notes collect the figures about planets and moons that are asked for most often in class. All values "
            "are rounded from published tables, which are named at the end. Eight bodies meet the definition of a planet "
            "that the International Astronomical Union adopted in 2006. Their mean distances from the Sun range from 0.387 "
            "to 30.07 astronomical units, their mean densities from 687 to 5514 kilograms per cubic metre, and their masses "
            "over a factor of more than five thousand.",
            key="summary",
        ),
        p(
            "Every other planet has been visited by at least one spacecraft; the last to be reached was Neptune, in 1989.",
            key="summary-visits",
        ),
    ]


def _conventions() -> list[Block]:
    contents = [
        ["Conventions", "ii"],
        ["1 What counts as a planet", "1"],
        ["2 Orbits", "1"],
        ["3 The planets as bodies", "3"],
        ["4 Shape and density", "4"],
        ["5 Moons", "5"],
        ["6 Spacecraft", "6"],
        ["7 Nominal values; sources", "7"],
    ]
    return [
        Break(),
        h("Contents"),
        DESIGN.table(
            "contents",
            "The roman page is this one; arabic numbers begin with section 1.",
            [Column(wraps=True), R],
            ["Section", "Page"],
            contents,
            floats=False,
            band=None,
        ),
        h("Conventions"),
        p(
            "*Length.* Distances inside the solar system are given in kilometres or in astronomical units (au). One "
            "astronomical unit is 149~597~870~700 metres, close to the mean distance of the Earth from the Sun.[^a]",
            key="au",
        ),
        p(
            "*Time.* A day is 86~400 seconds. A year in the tables of orbits is the sidereal year of the Earth, "
            "365.256~days, the time in which the Sun comes back to the same place among the stars.",
            key="sidereal-year",
        ),
        p(
            "*Temperature.* Mean temperatures are given in degrees Celsius. For the four giant planets, which have no solid "
            "ground, they refer to the level where the pressure is one bar.",
            key="one-bar",
        ),
        p(
            "*Rounding.* The last digit may be off by one. Where two tables of the sources differ in the last digit, the "
            "more recent has been taken.",
            key="rounding",
        ),
    ]


def _orbits() -> list[Block]:
    rows = [
        ["Mercury", "0.387", "0.241", "0.2056", "7.00"],
        ["Venus", "0.723", "0.615", "0.0068", "3.39"],
        ["Earth", "1.000", "1.000", "0.0167", "0.00"],
        ["Mars", "1.524", "1.881", "0.0934", "1.85"],
        ["Jupiter", "5.203", "11.86", "0.0484", "1.30"],
        ["Saturn", "9.537", "29.45", "0.0539", "2.49"],
        ["Uranus", "19.19", "84.02", "0.0473", "0.77"],
        ["Neptune", "30.07", "164.8", "0.0086", "1.77"],
    ]
    return [
        Break(),
        h("1 What counts as a planet"),
        p(
            "On 24 August 2006, at its General Assembly in Prague, the International Astronomical Union voted on what a "
            "planet of the solar system is. Apart from moving round the Sun, such a body must have enough mass to be nearly "
            "round, and it must have cleared the neighbourhood of its orbit.[^b]",
            key="iau-2006",
        ),
        p(
            "Pluto, found by Clyde Tombaugh in 1930, meets the second condition but not the third. It is now one of the "
            "*dwarf planets*, of which the Union recognises five: Ceres, Pluto, Haumea, Makemake and Eris. Ceres was found "
            "first, by Giuseppe Piazzi at Palermo on 1 January 1801.",
            key="dwarf-planets",
        ),
        h("2 Orbits"),
        p(
            "Table 1 gives the size and shape of the orbits. The eccentricity is 0 for a circle and grows towards 1 as the "
            "ellipse becomes longer; the inclination is the angle between the plane of the orbit and the ecliptic.",
            key="orbit-terms",
        ),
        DESIGN.table(
            "orbits",
            "**Table 1.** Orbits of the planets, for the mean ecliptic and equinox of J2000.",
            [Column(wraps=True), R, R, R, R],
            ["Planet", "Semi-major axis (au)", "Period (years)", "Eccentricity", "Inclination (\u00b0)"],
            rows,
            note="Rounded from the Keplerian elements of E. M. Standish for the years 1800 to 2050.",
        ),
        p(
            "Mercury stands out twice: its orbit is both the most eccentric and the most inclined. The orbit of Venus is the "
            "nearest to a circle, with that of Neptune close behind.",
            key="mercury-odd",
        ),
    ]


def _kepler() -> list[Block]:
    return [
        Break(),
        h("Kepler\u2019s third law", 1),
        p(
            "Johannes Kepler found in 1618, and printed in 1619 in his *Harmonices Mundi*, that the squares of the periods "
            "are to each other as the cubes of the mean distances. In years and astronomical units the law takes its "
            "shortest form: the square of the period equals the cube of the semi-major axis.",
            key="kepler-law",
        ),
        DESIGN.figure(
            "kepler",
            285,
            drawn.kepler,
            "**Figure 1.** Period against semi-major axis for the eight planets, on "
            "logarithmic scales. All points lie on the dashed line of Kepler\u2019s third law, whose slope is 3/2.",
            numbers="; ".join(f"{name} {a} au {t} years" for name, (a, t) in drawn.ORBITS.items()),
        ),
        p(
            "A planet four times as far from the Sun as the Earth would need eight years for one round, because "
            "4~\u00d7~4~\u00d7~4~= 64 =~8~\u00d7~8. No planet moves there: it is the middle of the gap between Mars and Jupiter, on whose "
            "inner side the minor planets are found.",
            key="four-au",
        ),
        p(
            "Two planets were discovered in historical times. William Herschel found Uranus from his garden in Bath on "
            "13 March 1781. Neptune was seen by Johann Galle at the Berlin observatory on 23 September 1846, less than one "
            "degree from the place that Urbain Le Verrier had computed from the disturbed motion of Uranus.",
            key="discoveries",
        ),
    ]


def document() -> Document:
    """The report: a PDF of nine pages, the cover unnumbered, then ii and 1 to 7."""
    layout = Layout(
        width=595.28,
        height=841.89,
        margins=(70, 66, 70, 78),
        kerned=False,
        chrome=_chrome,
        labels=[None, "ii", *(str(number) for number in range(1, 8))],
        note_style=TextStyle(Face("sans", "", 8.0), 10.6, align="left"),
        notes=NOTES,
    )
    blocks = [
        *_cover(),
        *_conventions(),
        *_orbits(),
        *_kepler(),
        *second_half(),
    ]
    return Document(
        "planets-report",
        "Report",
        "Astronomy",
        "The Solar System in Figures (Data Notes for Teachers, No. 7)",
        "pdf",
        1240,
        layout,
        blocks,
    )
