"""A long yearbook with the same tables for each of ten years: the harbour of Larkmouth, a worked example."""

from __future__ import annotations

from typeset.blocks import Block, Break, Space, Text, TextStyle
from typeset.design import Document
from typeset.flow import Layout, PageInfo
from typeset.fonts import Face
from typeset.surface import GREY
from typeset.tables import Column

from texts import harbour_figures as drawn
from texts import harbour_model as model
from texts.harbour_closing import appendix, summaries
from texts.harbour_style import DESIGN, MARINE, L, R, h, p

# What happened in each year, by the story of the example.
NOTES = {
    2011: ("The new tide gauge on Bell Quay began work on 1 January, and with it this series.", "gauge"),
    2012: ("The harbour office moved from the Customs House to the former rope walk in May.", "rope-walk"),
    2013: ("The fairway was dredged to 9.5 metres in June; rule 1 takes away twenty ships for that month.", "dredging"),
    2014: ("A second pilot boat, the *Sandpiper*, entered service in February.", "pilot-boat"),
    2015: ("The springs were the largest of the decade, as rule 4 has its crest in this year.", "crest"),
    2016: (
        "The Ferry Pier was closed for repairs in April and May, and no passengers were carried in those months.",
        "ferry-closed",
    ),
    2017: ("The lamp of the harbour light was changed from a bulb of 1000 watts to diodes of 90 watts.", "lamp"),
    2018: ("A crane of 63 tonnes was set up on North Quay in September.", "crane"),
    2019: ("Shore power was laid to Bell Quay, so that ships in port can stop their engines.", "shore-power"),
    2020: ("The series ends with this year. The harbour board thanks the reader for checking its sums.", "end"),
}


def _chrome(page: PageInfo) -> None:
    left, _, right, bottom = page.frame
    if page.index == 0:
        return
    face = Face("sans", "", 8)
    page.surface.markup(left, 34, "Harbour of Larkmouth \u00b7 Yearbook 2011 to 2020", face, colour=GREY)
    page.surface.markup(
        right, 34, "WORKED EXAMPLE: computed, not observed", Face("sans", "b", 8), colour=MARINE, anchor="right"
    )
    page.surface.line(left, 40, right, 40, stroke=0.6, colour=MARINE)
    page.surface.markup((left + right) / 2, bottom + 30, page.label or "", Face("serif", "", 10), anchor="middle")


def _front() -> list[Block]:
    big = TextStyle(Face("serif", "b", 32), 38, before=70, align="left", colour=MARINE)
    contents = [
        ["How to read this book", "iii"],
        ["The rules", "iv"],
        ["The ten years, two pages each", "1 to 20"],
        ["The decade in one table", "21"],
        ["All months, all years", "22"],
        ["Kinds of cargo", "23"],
        ["Berths", "24"],
        ["The slow wave", "25"],
        ["Dues", "26"],
        ["An exercise: the forecast", "27"],
        ["Words; notes on the making", "28"],
    ]
    return [
        Text(
            kind="Headline",
            markup="HARBOUR BOARD OF LARKMOUTH",
            style=TextStyle(Face("sans", "b", 10), 14, align="left", colour=MARINE),
        ),
        Text(key="title", kind="Headline", markup="Tide and Traffic Yearbook 2011 to 2020", style=big, whole=True),
        Text(
            key="subtitle",
            kind="Headline",
            markup="A worked example: every number is computed",
            whole=True,
            style=TextStyle(Face("serif", "i", 16), 22, before=8, align="left"),
        ),
        Space(height=18),
        DESIGN.figure(
            "plan",
            230,
            drawn.plan,
            "**Plan of the harbour.** A drawing of a place that does not exist. Not to scale.",
            floats=False,
        ),
        p(
            "**There is no harbour of Larkmouth.** The book was made to practise looking things up in tables that "
            "resemble one another. All its figures "
            "follow from the eight rules on page iv.",
            key="disclaimer",
            first=True,
        ),
        Break(),
        h("Contents"),
        DESIGN.table(
            "contents",
            "Roman numbers for the front, arabic numbers from the first year on.",
            [Column(wraps=True), R],
            ["Part", "Page"],
            contents,
            floats=False,
        ),
        Break(),
        h("How to read this book"),
        p(
            "Each year has two pages. The first holds the *traffic*: how many ships arrived, how much cargo they "
            "carried and how many passengers used "
            "the ferry, month by month. The second holds the *tides*: range of springs and neaps, and the height of mean high water springs.",
            key="two-pages",
            first=True,
        ),
        p(
            "A *ship* is any vessel of 100 gross tonnes or more that makes fast at one of the four berths. Cargo is "
            "counted once, whether it comes or goes. "
            "A passenger who goes to the island and back counts as two.",
            key="definitions",
        ),
        p("Heights are in metres above chart datum, which lies 2.60 metres below mean sea level.", key="datum"),
        h("The ten notes", 1),
        p(
            "Under the traffic table of each year stands one sentence about what was new. These sentences are as invented as the harbour.",
            key="ten-notes",
            first=True,
        ),
        Break(),
        h("The rules"),
        p(
            "Here *y* is the year and *m* the month from 1 to 12. Angles are in degrees. \u201cRemainder\u201d is "
            "what is left after a division of whole numbers.",
            first=True,
        ),
        *DESIGN.items(
            "*Ships:* 140 + 4(*y* \u2212 2011) + 38 sin 30(*m* \u2212 4), rounded, plus the remainder of 17*y* + "
            "23*m* by 11, less 5. In June 2013 twenty less.",
            "*Cargo,* in thousands of tonnes: ships times 2.1 + 0.05(*y* \u2212 2011), rounded, plus the remainder of 13*y* + 7*m* by 9.",
            "*Passengers:* 5200 + 150(*y* \u2212 2011) + 4300 sin 30(*m* \u2212 4), rounded, plus the remainder of "
            "31*y* + 41*m* by 97. In April and May 2016 none.",
            "*Range of springs,* in metres: 4.10 + 0.35 cos 60(*m* \u2212 3) + 0.15 cos 360(*y* \u2212 2015)/18.6.",
            "*Range of neaps:* 0.37 of the range of springs.",
            "*Mean high water springs:* 2.60 plus half the range of springs.",
            "*Berths,* per cent of the ships: North Quay 34 plus the remainder of 5*y* by 7; Bell Quay 25 plus that "
            "of 3*y* by 5; Timber Basin 18 plus that of 2*y* by 4; "
            "Ferry Pier the rest.",
            "*Kinds of cargo,* per cent: timber 31 less (*y* \u2212 2011); grain 27 plus the remainder of 4*y* by 5; "
            "salt 20 plus that of 7*y* by 3; machinery the rest.",
            key="rule",
            numbered=True,
        ),
        p(
            "The largest springs of a year come in March and September, near the equinoxes, the smallest in June and December.",
            key="equinoxes",
            first=True,
        ),
    ]


def _year(year: int) -> list[Block]:
    rows = [
        [name, str(model.ships(year, month)), str(model.cargo(year, month)), spaced(model.passengers(year, month))]
        for month, name in enumerate(model.MONTHS, start=1)
    ]
    sums = {what: sum(model.month_list(year, what)) for what in ("ships", "cargo", "passengers")}
    rows.append(["**Year**", *(f"**{spaced(value)}**" for value in sums.values())])
    tides = [
        [
            name,
            f"{model.spring_range(year, month):.2f}",
            f"{model.neap_range(year, month):.2f}",
            f"{model.high_water(year, month):.2f}",
        ]
        for month, name in enumerate(model.MONTHS, start=1)
    ]
    berths = [[name, str(model.berth_share(year, number))] for number, name in enumerate(model.BERTHS)]
    text, key = NOTES[year]
    return [
        Break(),
        h(f"{year}: traffic"),
        DESIGN.table(
            f"traffic-{year}",
            f"**Table {year}.1** Ships, cargo and passengers by month.",
            [Column(wraps=True), R, R, R],
            ["Month", "Ships", "Cargo (1000 t)", "Passengers"],
            rows,
            floats=False,
            splits_after=(12,),
        ),
        DESIGN.figure(
            f"ships-{year}",
            142,
            drawn.traffic(year),
            f"**Figure {year}.1** Ships that arrived, by month.",
            floats=False,
            numbers=" ".join(f"{name} {model.ships(year, month)}" for month, name in enumerate(model.MONTHS, start=1)),
        ),
        p(
            f"Most ships came in {model.busiest(year, 'ships')}, most passengers in {model.busiest(year, 'passengers')}. {text}",
            key=f"note-{key}",
            first=True,
        ),
        Break(),
        h(f"{year}: tides and berths"),
        DESIGN.table(
            f"tides-{year}",
            f"**Table {year}.2** Tides by month, in metres.",
            [Column(wraps=True), R, R, R],
            ["Month", "Range of springs", "Range of neaps", "High water springs"],
            tides,
            floats=False,
        ),
        DESIGN.figure(
            f"ranges-{year}",
            130,
            drawn.ranges(year),
            f"**Figure {year}.2** Range of springs and neaps, by month.",
            floats=False,
        ),
        DESIGN.table(
            f"berths-{year}",
            f"**Table {year}.3** Where the ships lay, in per cent.",
            [Column(wraps=True), R],
            ["Berth", "Share"],
            berths,
            floats=False,
        ),
    ]


def spaced(number: int) -> str:
    """A number as the book prints it."""
    return model.spaced(number)


def document() -> Document:
    """The yearbook: a PDF on a larger sheet, cropped; cover, ii to iv, and 1 to 28 with a landscape page 22."""
    layout = Layout(
        width=481.9,
        height=680.3,
        margins=(58, 62, 58, 66),
        kerned=False,
        chrome=_chrome,
        labels=[None, "ii", "iii", "iv", *(str(number) for number in range(1, 29))],
    )
    blocks = [*_front(), *(block for year in model.YEARS for block in _year(year)), *summaries(), *appendix()]
    return Document(
        "harbour-yearbook",
        "Report",
        "Port statistics",
        "Harbour of Larkmouth: Tide and Traffic Yearbook 2011 to 2020 (a worked example)",
        "pdf",
        1240,
        layout,
        blocks,
        crop=(45, 54, 28, 36),
    )


__all__ = ["L", "document", "spaced"]
