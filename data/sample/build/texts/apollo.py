"""A special issue of a magazine: the Apollo flights (JPEG pages in two columns, one landscape page)."""

from __future__ import annotations

from typeset.blocks import Block, Break, Text, TextStyle
from typeset.design import Document
from typeset.flow import Layout, PageInfo
from typeset.fonts import Face
from typeset.surface import GREY
from typeset.tables import Column

from texts import apollo_figures as drawn
from texts.apollo_closing import closing
from texts.apollo_landings import landings
from texts.apollo_style import CREAM, DESIGN, RED, R, h, kicker, p


def _chrome(page: PageInfo) -> None:
    surface = page.surface
    left, _, right, bottom = page.frame
    if page.index == 0:
        return
    surface.rect(0, 0, surface.width, 26, fill=CREAM)
    surface.line(0, 26, surface.width, 26, stroke=1.6, colour=RED)
    surface.markup(left, 17.5, "**ORBIT & HARBOUR**", Face("sans", "", 8.4), colour=RED)
    surface.markup(right, 17.5, "Special issue: The Apollo flights", Face("serif", "i", 9), colour=GREY, anchor="right")
    surface.markup(right, bottom + 30, page.label or "", Face("sans", "b", 9.5), colour=RED, anchor="right")
    surface.line(left, bottom + 18, right, bottom + 18, stroke=0.4, colour=GREY)


def _cover() -> list[Block]:
    name = TextStyle(Face("sans", "b", 13), 18, align="left", colour=RED)
    title = TextStyle(Face("serif", "b", 36), 40, before=6, align="left")
    lead = TextStyle(Face("serif", "i", 12.4), 17, before=8, align="left")
    contents = [
        ["Before the first flight", "4"],
        ["Four rehearsals", "5"],
        ["Two landings in one year", "6"],
        ["Thirteen and fourteen", "7"],
        ["Three journeys with a car", "8"],
        ["All flights at a glance", "9"],
        ["What came home, and what stayed", "10"],
        ["The rocket", "11"],
        ["Afterwards; sources", "12"],
    ]
    return [
        Text(kind="Headline", markup="ORBIT & HARBOUR \u00b7 SPECIAL ISSUE", style=name, keep_next=True, wide=True),
        Text(key="title", kind="Headline", markup="Eleven Flights, Six Landings", style=title, whole=True, wide=True),
        Text(
            key="lead",
            markup="The crews, dates and places of Project Apollo, told from the mission reports, with a map of the "
            "landing sites and every table that readers have asked us for.",
            style=lead,
            whole=True,
            wide=True,
            after=12,
        ),
        DESIGN.figure(
            "cover-moon",
            236,
            drawn.cover,
            "**Our cover.** The Moon as it hangs over the Earth\u2019s horizon. Drawing, not to scale.",
            wide=True,
            floats=False,
        ),
        DESIGN.table(
            "contents", "**In this issue**", [Column(wraps=True), R], ["Article", "Page"], contents, floats=False
        ),
        Break(column=True),
        p(
            "**Dates and times** in this issue are those of Universal Time. A launch from Florida late in the evening can "
            "therefore bear the date of the next day: Apollo 17 left the ground at 0:33 in the morning by the clocks of the Cape, "
            "which was 5:33 Universal Time.",
            key="time-note",
            first=True,
        ),
        p(
            "**Weights of samples** are rounded to a tenth of a kilogram, **coordinates** to a hundredth of a degree.",
            key="weight-note",
            first=True,
        ),
    ]


def _before() -> list[Block]:
    return [
        Break(),
        *kicker("Before the first flight", "A promise of 1961, a fire of 1967"),
        p(
            "On 25 May 1961, three weeks after the first American had been in space for a quarter of an hour, President John F. "
            "Kennedy asked Congress to commit the nation to landing a man on the Moon and returning him safely to the Earth before "
            "the decade was out. He made the case to the public at Rice University in Houston on 12 September 1962.",
            key="kennedy",
            first=True,
        ),
        p(
            "The engineers had to choose a way. One giant rocket could land as a whole; two smaller ones could meet in orbit round the "
            "Earth; or a small ferry could part from its mother ship in orbit round the *Moon*. The third plan, "
            "lunar orbit rendezvous, had been urged by John Houbolt of the Langley Research Center. NASA announced it on "
            "11 July 1962. It saved weight because only the ferry, and not the fuel and shield for the way home, had to go "
            "down to the ground and up again.",
            key="rendezvous",
        ),
        p(
            "Each ship had three parts. The *command module* held the crew of three and alone came back. The *service module* "
            "carried the main engine, oxygen and electric power. The *lunar module* had two stages: the lower one stayed on the "
            "Moon as a launching table for the upper.",
            key="three-parts",
        ),
        h("Launch Complex 34", 1),
        p(
            "On 27 January 1967 Virgil Grissom, Edward White and Roger Chaffee sat in their command module for a rehearsal of the "
            "countdown. The cabin was filled with pure oxygen. A fire broke out, and the hatch, which opened inwards, could not be "
            "moved against the pressure; all three died. Their flight was named Apollo 1 afterwards.",
            key="fire",
            first=True,
        ),
        p(
            "The module was rebuilt. The new hatch swung outwards and could be opened in seconds, the cabin was filled on the ground with a "
            "mixture of oxygen and nitrogen, and cloth that burns gave way to cloth of glass fibre. More than twenty months passed before a crew "
            "flew.",
            key="rebuilt",
        ),
        DESIGN.figure(
            "spacecraft",
            168,
            drawn.spacecraft,
            "**The spacecraft in flight to the Moon,** after the lunar module has been drawn "
            "from its place on the third stage. Not to scale.",
            floats=False,
        ),
        p(
            "Numbers 2 and 3 were never used. Apollo 4, the first Saturn V, rose without a crew on 9 November 1967; Apollo 5 tried the "
            "lunar module and Apollo 6 the rocket again, both unmanned and in 1968.",
            key="unmanned",
        ),
    ]


def _rehearsals() -> list[Block]:
    return [
        Break(),
        *kicker("Four rehearsals", "October 1968 to May 1969"),
        p(
            "**Apollo 7.** Walter Schirra, Donn Eisele and Walter Cunningham went round the Earth 163 times between 11 and 22 October "
            "1968. Of the eleven flights in this issue theirs alone started from Complex 34 and on the smaller Saturn IB. All three caught "
            "colds, and Schirra refused to wear his helmet for the descent. They sent the first live television from an American "
            "spacecraft.",
            key="apollo-7",
            first=True,
        ),
        p(
            "**Apollo 8.** The lunar module was late, and Soviet craft had just been round the Moon. So the second crew went all "
            "the way. Frank Borman, James Lovell and William Anders left on 21 December 1968, the first men to ride the Saturn V and the "
            "first to leave the neighbourhood of the Earth. They went round the Moon ten times, in twenty hours. On Christmas Eve Anders "
            "took the colour photograph known as *Earthrise*, and the three read the opening verses of Genesis to an audience on "
            "the ground.",
            key="apollo-8",
        ),
        p(
            "**Apollo 9** stayed near the Earth to fly the lunar module for the first time with men on board. James "
            "McDivitt, David Scott and Russell "
            "Schweickart spent ten days in orbit in March 1969. Because two craft now flew apart, each needed a call sign: the "
            "command module was *Gumdrop*, from the look of its blue wrapping, and the lunar module *Spider*.",
            key="apollo-9",
        ),
        p(
            "**Apollo 10** was the dress rehearsal. Thomas Stafford and Eugene Cernan took *Snoopy* down to a height of about 15.6 "
            "kilometres over the Sea of Tranquillity in May 1969, while John Young kept *Charlie Brown* in orbit. The lunar module was not "
            "meant to land. It was the only Saturn V with a crew to start from pad 39B; all others used 39A.",
            key="apollo-10",
        ),
        DESIGN.table(
            "call-signs",
            "**Call signs** from Apollo 9 on.",
            [R, Column(wraps=True), Column(wraps=True)],
            ["Apollo", "Command module", "Lunar module"],
            [
                ["9", "Gumdrop", "Spider"],
                ["10", "Charlie Brown", "Snoopy"],
                ["11", "Columbia", "Eagle"],
                ["12", "Yankee Clipper", "Intrepid"],
                ["13", "Odyssey", "Aquarius"],
                ["14", "Kitty Hawk", "Antares"],
                ["15", "Endeavour", "Falcon"],
                ["16", "Casper", "Orion"],
                ["17", "America", "Challenger"],
            ],
            floats=False,
        ),
        p(
            "The names grew more solemn once landings were in view. NASA\u2019s public affairs office is said to have asked for "
            "something less playful than a cartoon dog.",
            key="names-solemn",
        ),
    ]


def document() -> Document:
    """The special issue: page images in JPEG, cover unnumbered, then 4 to 12; page 9 is landscape."""
    layout = Layout(
        width=540,
        height=720,
        margins=(42, 48, 42, 56),
        kerned=True,
        chrome=_chrome,
        columns=2,
        gutter=20,
        labels=[None, *(str(number) for number in range(4, 13))],
    )
    blocks = [*_cover(), *_before(), *_rehearsals(), *landings(), *closing()]
    return Document(
        "apollo-issue",
        "Magazine",
        "Space flight",
        "Eleven Flights, Six Landings (Orbit & Harbour, special issue)",
        "jpg",
        1140,
        layout,
        blocks,
    )
