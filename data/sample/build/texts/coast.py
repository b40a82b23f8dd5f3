"""Entries from a short companion to the coast: an encyclopaedia in two columns, with running headwords."""

from __future__ import annotations

from typeset.blocks import Block, Break, Text, TextStyle
from typeset.design import Document
from typeset.flow import Flow, Layout, PageInfo
from typeset.fonts import Face
from typeset.surface import GREY
from typeset.tables import Column

from texts import coast_figures as drawn
from texts.coast_lights import lights
from texts.coast_more import canals, distress, flags, ice
from texts.coast_style import DESIGN, L, R, h, p
from texts.coast_style import entry as _entry
from texts.coast_tide import tides


def _chrome(page: PageInfo) -> None:
    left, top, right, bottom = page.frame
    surface, middle = page.surface, (page.frame[0] + page.frame[2]) / 2
    words, face = page.headwords, Face("plain", "b", 8)
    if page.index:
        surface.markup(left, top - 14, page.carried or words[0], face)
        surface.markup(right, top - 14, words[-1] if words else page.carried, face, anchor="right")
    surface.markup(
        middle, top - 14, "A Short Companion to the Coast", Face("book", "i", 8), colour=GREY, anchor="middle"
    )
    surface.line(left, top - 8, right, top - 8, stroke=0.5)
    surface.line(middle, page.columns_top, middle, bottom, stroke=0.3, colour=GREY)
    surface.markup(middle, bottom + 22, page.label or "", Face("book", "", 8.8), anchor="middle")


def _opening() -> list[Block]:
    title = TextStyle(Face("plain", "b", 22), 28, align="left")
    lead = TextStyle(Face("book", "i", 9.2), 12.6, align="left", before=2)
    return [
        Text(key="title", kind="Headline", markup="A Short Companion to the Coast", style=title, wide=True, after=2),
        Text(
            key="lead",
            markup="Winds, marks, lights and tides from *Beaufort* to *Tide*, for walkers on the shore and sailors.",
            style=lead,
            wide=True,
            after=12,
        ),
    ]


def _beaufort() -> list[Block]:
    rows = [
        ["0", "calm", "less than 1"],
        ["1", "light air", "1\u20133"],
        ["2", "light breeze", "4\u20136"],
        ["3", "gentle breeze", "7\u201310"],
        ["4", "moderate breeze", "11\u201316"],
        ["5", "fresh breeze", "17\u201321"],
        ["6", "strong breeze", "22\u201327"],
        ["7", "near gale", "28\u201333"],
        ["8", "gale", "34\u201340"],
        ["9", "strong gale", "41\u201347"],
        ["10", "storm", "48\u201355"],
        ["11", "violent storm", "56\u201363"],
        ["12", "hurricane force", "64 and over"],
    ]
    return [
        *_entry(
            "Beaufort scale",
            "A scale for the force of the wind from 0 to 12, drawn up in 1805 by Francis Beaufort of "
            "the Royal Navy, later a rear-admiral and Hydrographer. He described each force by the sails that a frigate "
            "could carry in it. Later the look of the sea was added, and speeds were attached to the numbers.",
            key="beaufort",
        ),
        DESIGN.table(
            "beaufort-table",
            "**The Beaufort scale** with the mean speed of the wind at 10 metres above the sea.",
            [R, Column(wraps=True), R],
            ["Force", "Name", "Speed (knots)"],
            rows,
            floats=False,
        ),
        p(
            "Warnings to shipping usually begin with force 8, the gale. At force 12, from 64 knots, the air is filled with foam "
            "and spray and the sea is completely white.",
            key="beaufort-warning",
        ),
    ]


def _buoyage() -> list[Block]:
    rows = [
        ["north", "quick or very quick, without a pause"],
        ["east", "three flashes"],
        ["south", "six flashes, then one long flash"],
        ["west", "nine flashes"],
    ]
    return [
        *_entry(
            "Buoyage",
            "The system of floating and fixed marks that show where the water is deep enough. Until 1976 more "
            "than thirty systems were in use over the world. The International Association of Lighthouse Authorities "
            "(IALA) brought them down to one with two regions, agreed at a conference in Tokyo in November 1980.",
            key="buoyage",
        ),
        p(
            "In both regions a *lateral* mark shows a side of the channel, as seen by a ship that comes in from the sea. In "
            "region A red is left to port. In region B, which takes in North and South America, Japan, the Republic of "
            "Korea and the Philippines, red is left to starboard.",
            key="regions",
        ),
        p(
            "A *cardinal* mark is named after the quarter of the compass in which safe water lies. By night it shows a white "
            "light, which can be remembered by the face of a clock: three flashes for east, six for south and nine for "
            "west.",
            key="cardinal",
        ),
        DESIGN.table(
            "cardinal-lights",
            "**Lights of the cardinal marks.** The long flash keeps south from being mistaken for "
            "one of its neighbours.",
            [L, Column(wraps=True)],
            ["Safe side", "White light"],
            rows,
        ),
        *_entry(
            "Cable",
            "As a measure, a tenth of a nautical mile, or 185.2 metres. The word comes from the length of a "
            "ship\u2019s anchor cable. Distances between moored ships were given in it.",
            key="cable",
        ),
        *canals(),
        *_entry(
            "Chart datum",
            "The level from which the depths on a chart are counted. Most hydrographic offices use the "
            "*lowest astronomical tide*, the lowest level that the tide alone is predicted to reach under average "
            "weather. The true depth is then the charted depth plus the height of tide, and the sailor is on the safe "
            "side.",
            key="chart-datum",
        ),
        *distress(),
        *_entry(
            "Fathom",
            "A measure of depth and of rope: six feet, or 1.8288 metres. It was the span of the outstretched "
            "arms of the leadsman as he hauled in the line. Charts of many countries gave depths in fathoms until "
            "they were changed to metres.",
            key="fathom",
        ),
        *flags(),
        *_entry(
            "Fog signal",
            "A sound that warns ships when no light can be seen: a bell, a gun, a siren or a horn. The first "
            "foghorn driven by steam began work in 1859 on Partridge Island, at the harbour mouth of Saint John in New "
            "Brunswick. It was designed by Robert Foulis, a Scot who had settled there.",
            key="fog-signal",
        ),
    ]


def _horizon() -> list[Block]:
    return [
        *_entry(
            "Horizon",
            "The line where sea and sky seem to meet. How far away it lies depends on the height of the eye "
            "and, a little, on the bending of light in the air. Bowditch\u2019s *American Practical Navigator* gives the rule "
            "that the distance in nautical miles is 1.17 times the square root of the height in feet.",
            key="horizon-rule",
        ),
        DESIGN.figure(
            "horizon",
            138,
            drawn.horizon,
            "**Distance to the sea horizon** after Bowditch\u2019s rule.",
            numbers="; ".join(
                f"{feet} feet {drawn.horizon_miles(feet):.1f} nautical miles" for feet in (10, 50, 100, 200)
            ),
        ),
        p(
            "A light on a tower is seen from farther away, because its own horizon comes in addition. From a deck where the eye "
            "is 10 feet above the water, a lamp 100 feet high rises at a distance of 3.7 and 11.7, together 15.4 nautical miles. "
            "This is its *geographical range*.",
            key="range-example",
        ),
        *ice(),
        *_entry(
            "Knot",
            "One nautical mile in an hour, or 1.852 kilometres in an hour. The name goes back to the chip log: a "
            "board on a line with knots at even distances, of which the sailors counted how many ran out while "
            "a sand-glass emptied.",
            key="knot",
        ),
    ]


def _sources() -> list[Block]:
    return [
        Break(),
        h("Sources", 1),
        *DESIGN.sources(
            "N. Bowditch, *The American Practical Navigator*, National Geospatial-Intelligence Agency, Pub.~No.~9.",
            "IALA, *Maritime Buoyage System*, Saint-Germain-en-Laye.",
            "D. A. Stevenson, *The World\u2019s Lighthouses before 1820*, Oxford University Press, 1959.",
            "D. Pugh and P. Woodworth, *Sea-Level Science*, Cambridge University Press, 2014.",
            "World Meteorological Organization, *Manual on Codes*, Beaufort scale of wind.",
            "Nobel Foundation, list of laureates in physics, 1912.",
            "International Maritime Organization, *International Code of Signals*, London.",
            "International Convention for the Safety of Life at Sea, London, 20 January 1914.",
            "C. W. Thomson and J. Murray (eds), *Report on the Scientific Results of the Voyage of H.M.S. Challenger*, 1880 to 1895.",
        ),
    ]


def _entries(layout: Layout, blocks: list[Block]) -> list[Block]:
    # The pages are known after a first run; the list stands last and so moves none of them.
    trial = Flow(layout)
    trial.run(blocks)
    rows = [[word.capitalize(), page.label or ""] for page in trial.pages for word in page.headwords]
    return [
        Break(column=True),
        h("Entries in this part", 1),
        DESIGN.table(
            "entries",
            "**Headwords** and the pages on which they begin.",
            [Column(wraps=True), R],
            ["Entry", "Page"],
            rows,
            floats=False,
        ),
    ]


def document() -> Document:
    """The companion: page images in WebP, printed 5 onwards."""
    layout = Layout(
        width=498.9,
        height=708.7,
        margins=(48, 62, 48, 58),
        kerned=True,
        chrome=_chrome,
        columns=2,
        gutter=20,
        labels=[str(number) for number in range(5, 16)],
    )
    blocks = [
        *_opening(),
        *_beaufort(),
        *_buoyage(),
        *_horizon(),
        *lights(),
        *tides(),
        *_sources(),
    ]
    return Document(
        "coast-companion",
        "Encyclopaedia",
        "Navigation and the sea",
        "A Short Companion to the Coast: Beaufort to Tide",
        "webp",
        1400,
        layout,
        [*blocks, *_entries(layout, blocks)],
    )
