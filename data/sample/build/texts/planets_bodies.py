"""The second half of the report on the planets: bodies, moons, spacecraft, nominal values."""

from __future__ import annotations

from typeset.blocks import Block, Break
from typeset.fonts import Face
from typeset.tables import Column

from texts import planets_figures as drawn
from texts.planets_style import DESIGN, L, R, h, p


def second_half() -> list[Block]:
    """Sections 3 to 7 and the sources."""
    return [*_bodies(), *_shape(), *_moons(), *_spacecraft(), *_nominal()]


def _bodies() -> list[Block]:
    head = ["", "Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune"]
    rows = [
        ["Mass (10^{24} kg)", "0.330", "4.87", "5.97", "0.642", "1898", "568", "86.8", "102"],
        ["Equatorial diameter (km)", "4879", "12~104", "12~756", "6792", "142~984", "120~536", "51~118", "49~528"],
        ["Mean density (kg/m^{3})", "5429", "5243", "5514", "3934", "1326", "687", "1270", "1638"],
        ["Gravity (m/s^{2})", "3.7", "8.9", "9.8", "3.7", "23.1", "9.0", "8.7", "11.0"],
        ["Escape velocity (km/s)", "4.3", "10.4", "11.2", "5.0", "59.5", "35.5", "21.3", "23.5"],
        ["Rotation period (hours)", "1407.6", "\u22125832.5", "23.9", "24.6", "9.9", "10.7", "\u221217.2", "16.1"],
        ["Obliquity (degrees)", "0.034", "177.4", "23.4", "25.2", "3.1", "26.7", "97.8", "28.3"],
        ["Mean distance (10^{6} km)", "57.9", "108.2", "149.6", "228.0", "778.5", "1432", "2867", "4515"],
        ["Orbital velocity (km/s)", "47.4", "35.0", "29.8", "24.1", "13.1", "9.7", "6.8", "5.4"],
        [
            "Mean temperature (\u00b0C)",
            "167",
            "464",
            "15",
            "\u221265",
            "\u2212110",
            "\u2212140",
            "\u2212195",
            "\u2212200",
        ],
        ["Ring system", "no", "no", "no", "no", "yes", "yes", "yes", "yes"],
        ["Global magnetic field", "yes", "no", "yes", "no", "yes", "yes", "yes", "yes"],
    ]
    return [
        Break(landscape=True),
        h("3 The planets as bodies"),
        DESIGN.table(
            "bodies",
            "**Table 2.** Physical data of the planets. Gravity and escape velocity hold at the equator, "
            "or at the level of one bar for the giant planets.",
            [L] + [R] * 8,
            head,
            rows,
            floats=False,
            note="Source: NASA Space Science Data Coordinated Archive, Planetary Fact Sheet.",
            pad=4.2,
            splits_after=(3, 7, 9),
            face=Face("sans", "", 9.2),
            leading=12.4,
        ),
        p(
            "Jupiter has more than twice the mass of all the other planets together. Venus is the hottest planet, although "
            "Mercury is nearer to the Sun, because a thick atmosphere of carbon dioxide keeps its heat. Venus and Uranus turn "
            "against the sense of their orbits.[^c] Uranus lies on its side: its obliquity is 97.8\u00b0.",
            key="bodies-text",
        ),
    ]


def _shape() -> list[Block]:
    rows = [
        ["Mercury", "2440.5", "2438.3", "2.2"],
        ["Venus", "6051.8", "6051.8", "0.0"],
        ["Earth", "6378.1", "6356.8", "21.3"],
        ["Mars", "3396.2", "3376.2", "20.0"],
        ["Jupiter", "71~492", "66~854", "4638"],
        ["Saturn", "60~268", "54~364", "5904"],
        ["Uranus", "25~559", "24~973", "586"],
        ["Neptune", "24~764", "24~341", "423"],
    ]
    return [
        Break(),
        h("4 Shape and density"),
        p(
            "A planet that turns is wider at the equator than from pole to pole. Table 3 shows by how much. The difference "
            "is largest for Saturn, which turns in less than eleven hours and is the least dense: its equatorial radius is "
            "almost 6000 kilometres longer than its polar radius, nearly one tenth of the whole.",
            key="flattening",
        ),
        DESIGN.table(
            "radii",
            "**Table 3.** Equatorial and polar radii of the planets, in kilometres.",
            [Column(wraps=True), R, R, R],
            ["Planet", "Equatorial radius", "Polar radius", "Difference"],
            rows,
            note="Radii of the giant planets refer to the level of one bar. Source: IAU Working Group on "
            "Cartographic Coordinates and Rotational Elements, 2015.",
            floats=False,
        ),
        DESIGN.figure(
            "densities",
            200,
            drawn.densities,
            "**Figure 2.** Mean density of the planets. Dashed line: water, 1000 kg/m^{3}.",
            numbers=" ".join(f"{name} {d} kg/m3" for name, d in drawn.DENSITY.items()),
            floats=False,
        ),
        p(
            "The four inner planets are made of rock and iron. The four outer ones are rich in light elements, and Saturn "
            "alone is less dense than water.",
            key="density-text",
        ),
    ]


def _moons() -> list[Block]:
    rows = [
        ["Moon", "Earth", "384.4", "27.32", "1737", "known since antiquity"],
        ["Phobos", "Mars", "9.376", "0.319", "11", "A. Hall, 1877"],
        ["Io", "Jupiter", "421.8", "1.769", "1822", "G. Galilei, 1610"],
        ["Europa", "Jupiter", "671.1", "3.551", "1561", "G. Galilei, 1610"],
        ["Ganymede", "Jupiter", "1070.4", "7.155", "2631", "G. Galilei, 1610"],
        ["Callisto", "Jupiter", "1882.7", "16.69", "2410", "G. Galilei, 1610"],
        ["Titan", "Saturn", "1221.9", "15.95", "2575", "C. Huygens, 1655"],
        ["Titania", "Uranus", "436.3", "8.706", "789", "W. Herschel, 1787"],
        ["Triton", "Neptune", "354.8", "5.877", "1353", "W. Lassell, 1846"],
    ]
    return [
        Break(),
        h("5 Moons"),
        p(
            "Mercury and Venus have no moons, the Earth has one and Mars two, Phobos and Deimos. The giant planets "
            "have many, most of them small. Table 4 lists nine that are large or famous.",
            key="moon-counts",
        ),
        DESIGN.table(
            "moons",
            "**Table 4.** Nine moons: mean distance from the centre of the planet, time of revolution, mean "
            "radius and discovery.",
            [L, L, R, R, R, Column(wraps=True)],
            ["Name", "Planet", "Distance (10^{3} km)", "Period (days)", "Radius (km)", "Discovered by"],
            rows,
            floats=False,
        ),
        p(
            "Ganymede and Titan are larger than the planet Mercury, though both have less mass. Triton goes round Neptune "
            "against the sense of that planet\u2019s rotation, alone among the large moons. Phobos needs less than eight hours "
            "for a revolution and so rises in the west for an observer on Mars.",
            key="moon-remarks",
        ),
        h("The Moon of the Earth", 1),
        p(
            "The distance of the Moon changes in the course of a month between about 363~300 kilometres at perigee and "
            "405~500 kilometres at apogee. Its orbit is inclined to the ecliptic by 5.1 degrees. Two kinds of month must be "
            "kept apart. The *sidereal* month of 27.32 days brings the Moon back to the same stars; the *synodic* month of "
            "29.53 days brings it back to the same phase. The second is longer because the Sun itself moves on among the "
            "stars in the meantime.",
            key="moon-months",
        ),
        p(
            "The Moon has 0.0123 of the mass of the Earth. No other planet has a moon that is so large compared "
            "with itself.",
            key="moon-mass",
        ),
    ]


def _spacecraft() -> list[Block]:
    rows = [
        ["Venus", "Mariner 2", "14 December 1962", "fly-by"],
        ["Mars", "Mariner 4", "July 1965", "fly-by"],
        ["Jupiter", "Pioneer 10", "December 1973", "fly-by"],
        ["Mercury", "Mariner 10", "29 March 1974", "fly-by"],
        ["Saturn", "Pioneer 11", "1 September 1979", "fly-by"],
        ["Uranus", "Voyager 2", "24 January 1986", "fly-by"],
        ["Neptune", "Voyager 2", "25 August 1989", "fly-by"],
        ["Pluto", "New Horizons", "14 July 2015", "fly-by"],
    ]
    orbiters = [
        ["Jupiter", "Galileo", "1995", "2003"],
        ["Saturn", "Cassini", "2004", "2017"],
        ["Mercury", "MESSENGER", "2011", "2015"],
    ]
    return [
        Break(),
        h("6 Spacecraft"),
        p(
            "The first visit to every planet was a fly-by of a few hours. Voyager 2 is still the only spacecraft that has "
            "been to Uranus and Neptune.",
            key="voyager",
        ),
        DESIGN.table(
            "visits",
            "**Table 5.** First successful visits to the planets and to Pluto.",
            [Column(wraps=True), Column(wraps=True), Column(wraps=True), L],
            ["Body", "Spacecraft", "Closest approach", "Kind"],
            rows,
            floats=False,
        ),
        p(
            "Orbiters followed, which stay for years. Table 6 lists the first to circle Jupiter, Saturn and Mercury. All "
            "three ended by a plunge, two of them into the atmosphere of the planet and MESSENGER onto the ground.",
            key="orbiters-text",
        ),
        DESIGN.table(
            "orbiters",
            "**Table 6.** First orbiters of three planets.",
            [Column(wraps=True), Column(wraps=True), R, R],
            ["Planet", "Orbiter", "Arrived", "Ended"],
            orbiters,
            floats=False,
        ),
        p(
            "Cassini carried the European probe *Huygens*, which came down by parachute on Titan on 14 January 2005 and sent "
            "pictures from the ground, the most distant landing so far.",
            key="huygens",
        ),
    ]


def _nominal() -> list[Block]:
    rows = [
        ["Radius of the Sun", "6.957 \u00d7 10^{8}", "m"],
        ["Luminosity of the Sun", "3.828 \u00d7 10^{26}", "W"],
        ["Total solar irradiance", "1361", "W/m^{2}"],
        ["Effective temperature of the Sun", "5772", "K"],
        ["Equatorial radius of the Earth", "6.3781 \u00d7 10^{6}", "m"],
        ["Polar radius of the Earth", "6.3568 \u00d7 10^{6}", "m"],
        ["Equatorial radius of Jupiter", "7.1492 \u00d7 10^{7}", "m"],
    ]
    return [
        Break(),
        h("7 Nominal values"),
        p(
            "To express stars in units of the Sun, and planets in units of the Earth or of Jupiter, one needs numbers that "
            "do not change with each new measurement. The International Astronomical Union fixed such *nominal* values in "
            "2015 (Resolution B3). Table 7 gives those that are used most.",
            key="nominal-text",
        ),
        DESIGN.table(
            "nominal",
            "**Table 7.** Nominal values of IAU Resolution B3 (2015).",
            [Column(wraps=True), R, L],
            ["Quantity", "Value", "Unit"],
            rows,
            floats=False,
        ),
        h("Sources"),
        *DESIGN.sources(
            "D. R. Williams, *Planetary Fact Sheet*, NASA Space Science Data Coordinated Archive, Greenbelt.",
            "E. M. Standish, \u201cKeplerian elements for approximate positions of the major planets\u201d, Jet Propulsion "
            "Laboratory, Solar System Dynamics.",
            "B. A. Archinal and others, \u201cReport of the IAU Working Group on Cartographic Coordinates and Rotational "
            "Elements: 2015\u201d, *Celestial Mechanics and Dynamical Astronomy* 130 (2018), 22.",
            "International Astronomical Union, Resolutions B5 and B6 of the XXVI General Assembly (2006), B2 of the XXVIII "
            "(2012) and B3 of the XXIX (2015).",
            "J. Kepler, *Harmonices Mundi*, Linz, 1619, book V.",
        ),
    ]
