"""The back of the magazine: all flights, samples, the rocket, what came after."""

from __future__ import annotations

from typeset.blocks import Block, Break, Text, TextStyle
from typeset.fonts import Face
from typeset.tables import Column

from texts import apollo_figures as drawn
from texts.apollo_style import DESIGN, L, R, h, kicker, p


def closing() -> list[Block]:
    """The last four articles and the sources."""
    return [*_glance(), *_samples(), *_rocket(), *_afterwards()]


def _glance() -> list[Block]:
    head = [
        "Flight",
        "Commander",
        "Command module pilot",
        "Lunar module pilot",
        "Launch",
        "Splashdown",
        "Recovery ship",
    ]
    rows = [
        ["Apollo 7", "Walter Schirra", "Donn Eisele", "Walter Cunningham", "11 Oct 1968", "22 Oct 1968", "Essex"],
        ["Apollo 8", "Frank Borman", "James Lovell", "William Anders", "21 Dec 1968", "27 Dec 1968", "Yorktown"],
        [
            "Apollo 9",
            "James McDivitt",
            "David Scott",
            "Russell Schweickart",
            "3 Mar 1969",
            "13 Mar 1969",
            "Guadalcanal",
        ],
        ["Apollo 10", "Thomas Stafford", "John Young", "Eugene Cernan", "18 May 1969", "26 May 1969", "Princeton"],
        ["Apollo 11", "Neil Armstrong", "Michael Collins", "Edwin Aldrin", "16 Jul 1969", "24 Jul 1969", "Hornet"],
        ["Apollo 12", "Charles Conrad", "Richard Gordon", "Alan Bean", "14 Nov 1969", "24 Nov 1969", "Hornet"],
        ["Apollo 13", "James Lovell", "John Swigert", "Fred Haise", "11 Apr 1970", "17 Apr 1970", "Iwo Jima"],
        ["Apollo 14", "Alan Shepard", "Stuart Roosa", "Edgar Mitchell", "31 Jan 1971", "9 Feb 1971", "New Orleans"],
        ["Apollo 15", "David Scott", "Alfred Worden", "James Irwin", "26 Jul 1971", "7 Aug 1971", "Okinawa"],
        ["Apollo 16", "John Young", "Thomas Mattingly", "Charles Duke", "16 Apr 1972", "27 Apr 1972", "Ticonderoga"],
        ["Apollo 17", "Eugene Cernan", "Ronald Evans", "Harrison Schmitt", "7 Dec 1972", "19 Dec 1972", "Ticonderoga"],
    ]
    return [
        Break(landscape=True),
        h("All flights at a glance"),
        DESIGN.table(
            "flights",
            "**The eleven crewed flights of Project Apollo.** Dates in Universal Time.",
            [L] * 7,
            head,
            rows,
            floats=False,
            leading=12.0,
            pad=2.2,
            face=Face("sans", "", 9.0),
            note="Source: R. W. Orloff, *Apollo by the Numbers*, NASA SP-2000-4029.",
        ),
        p(
            "Thirty-three seats, twenty-nine men: Lovell, Young, Scott and Cernan sat in two of these ships. Twenty-four men flew to "
            "the Moon, three of them twice: Lovell, Young and Cernan. Twelve walked on it, none more than once.",
            key="seats",
            first=True,
        ),
        DESIGN.figure(
            "days",
            84,
            drawn.durations,
            "**Days from launch to splashdown,** counted from date to date.",
            numbers="; ".join(f"Apollo {number}: {days} days" for number, days in drawn.DAYS.items()),
            floats=False,
        ),
    ]


def _samples() -> list[Block]:
    rows = [
        ["11", "Sea of Tranquillity", "0.67\u00b0 N", "23.47\u00b0 E", "21.6", "1", "21.6"],
        ["12", "Ocean of Storms", "3.01\u00b0 S", "23.42\u00b0 W", "31.5", "2", "34.3"],
        ["14", "Fra Mauro", "3.65\u00b0 S", "17.47\u00b0 W", "33.5", "2", "42.3"],
        ["15", "Hadley Rille", "26.13\u00b0 N", "3.63\u00b0 E", "66.9", "3", "77.3"],
        ["16", "Descartes", "8.97\u00b0 S", "15.50\u00b0 E", "71.0", "3", "95.7"],
        ["17", "Taurus-Littrow", "20.19\u00b0 N", "30.77\u00b0 E", "75.0", "3", "110.5"],
    ]
    return [
        Break(),
        Text(
            key="samples-title",
            kind="Headline",
            markup="What came home, and what stayed",
            wide=True,
            keep_next=True,
            style=TextStyle(Face("serif", "b", 21), 26, align="left"),
            after=2,
        ),
        DESIGN.table(
            "landings",
            "**The six landings.** Walks are those on the ground; hours are those from touchdown to lift-off.",
            [R, Column(wraps=True), R, R, R, R, R],
            ["Apollo", "Place", "Latitude", "Longitude", "Hours on the Moon", "Walks", "Samples (kg)"],
            rows,
            wide=True,
            note="Sources: Orloff, and the lists of the Lunar Sample Laboratory, Houston.",
            floats=False,
        ),
        DESIGN.figure(
            "map",
            214,
            drawn.landing_map,
            "**The near side of the Moon** with the six landing sites, as seen from the "
            "northern hemisphere of the Earth.",
            floats=False,
            numbers="Apollo 11, 12, 14, 15, 16, 17",
        ),
        p(
            "Together the six crews brought back 381.7 kilograms. More than half of it came with the last two flights, "
            "thanks to the car and the longer stay.",
            key="samples-total",
            first=True,
        ),
        p(
            "The white rock numbered 15415, which Scott and Irwin found at Spur crater, is almost pure anorthosite and about four "
            "thousand million years old. The newspapers named it the *Genesis Rock*.",
            key="genesis-rock",
        ),
        p(
            "Much stayed behind: six descent stages, three rovers, and five nuclear-powered sets of instruments, from Apollo 12, 14, 15, 16 and 17, "
            "which reported to the Earth until they were switched off on 30 September 1977. Apollo 11 had left a simpler, "
            "sun-powered set.",
            key="alsep",
        ),
        p(
            "Three mirrors are still in use. The reflectors of Apollo 11, 14 and 15 send a laser flash back to where it came "
            "from, and the distance of the Moon is found from the time of flight. They show that it recedes by 3.8 centimetres in "
            "a year.",
            key="reflectors",
        ),
    ]


def _rocket() -> list[Block]:
    rows = [
        ["S-IC", "Boeing", "5 F-1", "kerosene and oxygen"],
        ["S-II", "North American", "5 J-2", "hydrogen and oxygen"],
        ["S-IVB", "Douglas", "1 J-2", "hydrogen and oxygen"],
    ]
    return [
        Break(),
        *kicker("The rocket", "Saturn V, 1967 to 1973"),
        p(
            "With the spacecraft on top the Saturn V stood 110.6 metres high, or 363 feet. The five engines of its first "
            "stage together gave a thrust of some 7.5 million pounds. It was developed at the Marshall Space Flight Center in Huntsville, "
            "Alabama, under Wernher von Braun.",
            key="saturn-size",
            first=True,
        ),
        DESIGN.table(
            "stages",
            "**The three stages** and their builders.",
            [L, Column(wraps=True), L, Column(wraps=True)],
            ["Stage", "Builder", "Engines", "Propellants"],
            rows,
            floats=False,
        ),
        p(
            "It flew thirteen times between November 1967 and May 1973 and never lost its load. The last rocket had only two live stages and "
            "lifted the space station *Skylab*, on 14 May 1973.",
            key="saturn-flights",
        ),
        p(
            "The third stage was fired twice: first to reach orbit, then, after one or two rounds of the Earth, to set out for the "
            "Moon. From Apollo 13 on the empty stages were steered into the Moon, so that the seismometers left by the "
            "crews before could listen to the blow.",
            key="third-stage",
        ),
        DESIGN.figure(
            "saturn",
            300,
            drawn.saturn,
            "**Saturn V** in outline, with its stages. Heights are not exact.",
            floats=False,
        ),
    ]


def _afterwards() -> list[Block]:
    return [
        Break(),
        *kicker("Afterwards", "Three flights that were not flown"),
        p(
            "Apollo 18, 19 and 20 were cancelled in 1970 to save money. Of the rockets that were left, one lifted Skylab and the "
            "others lie in museums.",
            key="cancelled",
            first=True,
        ),
        p(
            "The last Apollo flew in July 1975, on a Saturn IB. Thomas Stafford, Vance Brand and Donald Slayton met Aleksei Leonov and "
            "Valeri Kubasov in orbit; the hatch between their ships was opened on 17 July. It was the end of a race, and "
            "the commanders shook hands over it.",
            key="soyuz",
        ),
        p(
            "Gene Cernan, who climbed the ladder last, stepped off the Moon on 14 December 1972. Pictures taken from orbit by the Lunar "
            "Reconnaissance Orbiter since 2009 show the descent stages, the rovers, and the thin dark lines of "
            "footpaths between them.",
            key="last-step",
        ),
        p(
            "Of the twelve who walked there, only one was a scientist by training: Harrison Schmitt, a geologist. All others had been "
            "pilots of the armed forces or, in Armstrong\u2019s case, a civilian test pilot who had once been one.",
            key="schmitt",
        ),
        Break(column=True),
        h("Sources", 1),
        *DESIGN.sources(
            "R. W. Orloff, *Apollo by the Numbers: A Statistical Reference*, NASA SP-2000-4029, Washington, 2000.",
            "NASA, *Apollo Mission Reports*, Manned Spacecraft Center, Houston, 1968 to 1973.",
            "E. M. Jones and K. Glover (eds), *Apollo Lunar Surface Journal*.",
            "NASA Space Science Data Coordinated Archive, pages on each flight and landing site.",
            "C. Murray and C. B. Cox, *Apollo: The Race to the Moon*, New York: Simon and Schuster, 1989.",
            "R. E. Bilstein, *Stages to Saturn*, NASA SP-4206, Washington, 1980.",
        ),
        p("*Orbit & Harbour* is a title made up for this sample; it has appeared once.", key="colophon"),
    ]
