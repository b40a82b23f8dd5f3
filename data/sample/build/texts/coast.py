"""Entries from a short companion to the coast: an encyclopaedia in two columns, with running headwords."""

from __future__ import annotations

from typeset.blocks import Block, Break, Text, TextStyle
from typeset.design import Design, Document
from typeset.flow import Flow, Layout, PageInfo
from typeset.fonts import Face
from typeset.surface import GREY
from typeset.tables import Column

from texts import coast_figures as drawn

BODY = TextStyle(Face("book", "", 9.7), 14.2, first=10.0)
DESIGN = Design(
    body=BODY,
    heads=[TextStyle(Face("plain", "b", 11), 14, before=12, after=2.5, align="left"),
           TextStyle(Face("plain", "bi", 8.8), 12, before=7, after=1.5, align="left")],
    caption=TextStyle(Face("plain", "", 7.4), 10.0, align="left", before=5),
    small=TextStyle(Face("book", "", 7.6), 10.4, align="left"),
    table_face=Face("plain", "", 7.5), table_leading=10.4, item_indent=11.0, table_options={"gap": 7.0})
p, h = DESIGN.para, DESIGN.head
L, R = Column(), Column("right")


def _chrome(page: PageInfo) -> None:
    left, top, right, bottom = page.frame
    surface, middle = page.surface, (page.frame[0] + page.frame[2]) / 2
    words, face = page.headwords, Face("plain", "b", 8)
    if page.index:
        surface.markup(left, top - 14, page.carried or words[0], face)
        surface.markup(right, top - 14, words[-1] if words else page.carried, face, anchor="right")
    surface.markup(middle, top - 14, "A Short Companion to the Coast", Face("book", "i", 8), colour=GREY, anchor="middle")
    surface.line(left, top - 8, right, top - 8, stroke=0.5)
    surface.line(middle, page.columns_top, middle, bottom, stroke=0.3, colour=GREY)
    surface.markup(middle, bottom + 22, page.label or "", Face("book", "", 8.8), anchor="middle")


def _entry(word: str, markup: str, *, key: str) -> list[Block]:
    return [h(word, headword=word.upper()), p(markup, key=key, first=True)]


def _opening() -> list[Block]:
    title = TextStyle(Face("plain", "b", 22), 28, align="left")
    lead = TextStyle(Face("book", "i", 9.2), 12.6, align="left", before=2)
    return [
        Text(key="title", kind="Headline", markup="A Short Companion to the Coast", style=title, wide=True, after=2),
        Text(key="lead", markup="Winds, marks, lights and tides from *Beaufort* to *Tide*, for walkers on the shore "
             "and sailors.", style=lead, wide=True, after=12),
    ]


def _beaufort() -> list[Block]:
    rows = [["0", "calm", "less than 1"], ["1", "light air", "1\u20133"], ["2", "light breeze", "4\u20136"],
            ["3", "gentle breeze", "7\u201310"], ["4", "moderate breeze", "11\u201316"], ["5", "fresh breeze", "17\u201321"],
            ["6", "strong breeze", "22\u201327"], ["7", "near gale", "28\u201333"], ["8", "gale", "34\u201340"],
            ["9", "strong gale", "41\u201347"], ["10", "storm", "48\u201355"], ["11", "violent storm", "56\u201363"],
            ["12", "hurricane force", "64 and over"]]
    return [
        *_entry("Beaufort scale", "A scale for the force of the wind from 0 to 12, drawn up in 1805 by Francis Beaufort of "
                "the Royal Navy, later a rear-admiral and Hydrographer. He described each force by the sails that a frigate "
                "could carry in it. Later the look of the sea was added, and speeds were attached to the numbers.",
                key="beaufort"),
        DESIGN.table("beaufort-table", "**The Beaufort scale** with the mean speed of the wind at 10 metres above the sea.",
                     [R, Column(wraps=True), R], ["Force", "Name", "Speed (knots)"], rows, floats=False),
        p("Warnings to shipping usually begin with force 8, the gale. At force 12, from 64 knots, the air is filled with foam "
          "and spray and the sea is completely white.", key="beaufort-warning"),
    ]


def _buoyage() -> list[Block]:
    rows = [["north", "quick or very quick, without a pause"], ["east", "three flashes"],
            ["south", "six flashes, then one long flash"], ["west", "nine flashes"]]
    return [
        *_entry("Buoyage", "The system of floating and fixed marks that show where the water is deep enough. Until 1976 more "
                "than thirty systems were in use over the world. The International Association of Lighthouse Authorities "
                "(IALA) brought them down to one with two regions, agreed at a conference in Tokyo in November 1980.",
                key="buoyage"),
        p("In both regions a *lateral* mark shows a side of the channel, as seen by a ship that comes in from the sea. In "
          "region A red is left to port. In region B, which takes in North and South America, Japan, the Republic of "
          "Korea and the Philippines, red is left to starboard.", key="regions"),
        p("A *cardinal* mark is named after the quarter of the compass in which safe water lies. By night it shows a white "
          "light, which can be remembered by the face of a clock: three flashes for east, six for south and nine for "
          "west.", key="cardinal"),
        DESIGN.table("cardinal-lights", "**Lights of the cardinal marks.** The long flash keeps south from being mistaken for "
                     "one of its neighbours.", [L, Column(wraps=True)], ["Safe side", "White light"], rows),
        *_entry("Cable", "As a measure, a tenth of a nautical mile, or 185.2 metres. The word comes from the length of a "
                "ship\u2019s anchor cable. Distances between moored ships were given in it.", key="cable"),
        *_entry("Chart datum", "The level from which the depths on a chart are counted. Most hydrographic offices use the "
                "*lowest astronomical tide*, the lowest level that the tide alone is predicted to reach under average "
                "weather. The true depth is then the charted depth plus the height of tide, and the sailor is on the safe "
                "side.", key="chart-datum"),
        *_entry("Fathom", "A measure of depth and of rope: six feet, or 1.8288 metres. It was the span of the outstretched "
                "arms of the leadsman as he hauled in the line. Charts of many countries gave depths in fathoms until "
                "they were changed to metres.", key="fathom"),
        *_entry("Fog signal", "A sound that warns ships when no light can be seen: a bell, a gun, a siren or a horn. The first "
                "foghorn driven by steam began work in 1859 on Partridge Island, at the harbour mouth of Saint John in New "
                "Brunswick. It was designed by Robert Foulis, a Scot who had settled there.", key="fog-signal"),
    ]


def _horizon() -> list[Block]:
    return [
        *_entry("Horizon", "The line where sea and sky seem to meet. How far away it lies depends on the height of the eye "
                "and, a little, on the bending of light in the air. Bowditch\u2019s *American Practical Navigator* gives the rule "
                "that the distance in nautical miles is 1.17 times the square root of the height in feet.", key="horizon-rule"),
        DESIGN.figure("horizon", 138, drawn.horizon, "**Distance to the sea horizon** after Bowditch\u2019s rule.",
                      numbers="; ".join(f"{feet} feet {drawn.horizon_miles(feet):.1f} nautical miles"
                                        for feet in (10, 50, 100, 200))),
        p("A light on a tower is seen from farther away, because its own horizon comes in addition. From a deck where the eye "
          "is 10 feet above the water, a lamp 100 feet high rises at a distance of 3.7 and 11.7, together 15.4 nautical miles. "
          "This is its *geographical range*.", key="range-example"),
        *_entry("Knot", "One nautical mile in an hour, or 1.852 kilometres in an hour. The name goes back to the chip log: a "
                "board on a line with knots at even distances, of which the sailors counted how many ran out while "
                "a sand-glass emptied.", key="knot"),
    ]


def _lead() -> list[Block]:
    return [
        *_entry("Lead", "A weight on a line, thrown ahead of the ship to find the depth. The line was marked at 2, 3, 5, 7, 10, 13, "
                "15, 17 and 20 fathoms with leather and with cloth of different colours and weave, so that the leadsman could tell "
                "the marks by touch at night. A hollow in the foot of the weight was filled with tallow, to which sand, "
                "shell or mud from the bottom stuck.", key="lead-line"),
    ]


def _characters() -> list[Block]:
    return [
        *_entry("Light character", "The rhythm by which a light is told from others. On a chart it stands beside the "
                "position, shortened to a few letters. *Fixed* lights burn steadily. An *occulting* light is longer lit "
                "than dark, a *flashing* light longer dark than lit, and an *isophase* light is both for the same time.",
                key="characters"),
        p("A flash of two seconds or more is a *long flash*. A *quick* light gives at least 50 but fewer than 80 flashes in a "
          "minute, a *very quick* light at least 80 but fewer than 160, and an *ultra quick* light 160 or more. The *period* "
          "is the time after which the whole rhythm begins again.", key="flash-rates"),
        DESIGN.figure("rhythms", 156, drawn.rhythms, "**Eight light characters** over twelve seconds. Yellow: light; grey: dark. "
                      "The letters are those of charts and light lists.",
                      numbers="; ".join(f"{name} {word} period {period:g} seconds" for name, (word, period, _)
                                        in drawn.RHYTHMS.items()), wide=True),
    ]


def _lighthouse() -> list[Block]:
    return [
        *_entry("Lighthouse", "A tower with a strong light, built to guide ships or to warn them. The most famous of "
                "antiquity, the Pharos of Alexandria, was built in the third century before Christ, under the first two "
                "Ptolemies; the name of Sostratus of Cnidus is tied to it. Earthquakes brought it down in the Middle Ages, and in "
                "1477 the fort of Qaitbay was begun on its site.", key="pharos"),
        p("The Tower of Hercules at A Coru\u00f1a in Spain is a Roman work and still in use, with an outer skin of the "
          "eighteenth century. It has been on the World Heritage list since 2009.", key="hercules"),
        p("The oldest light station of the United States is Boston Light, first lit on 14 September 1716. Its "
          "present tower dates from 1783.", key="boston"),
        h("Towers in the open sea", 1),
        p("A rock that the tide covers is the hardest site of all. The Eddystone, some 14 kilometres off the coast of Cornwall, "
          "has had four towers. That of Henry Winstanley was lit in 1698 and was swept away with its builder in the "
          "great storm of November 1703. John Rudyerd\u2019s wooden tower burned down in 1755. John Smeaton then built in "
          "granite blocks that were dovetailed into each other and laid in a lime that hardens under water; his light of 1759 "
          "became the model for all that followed. The present tower, by James Douglass, was lit in 1882.", key="eddystone", first=True),
        DESIGN.figure("tower", 172, drawn.tower, "**A rock tower.** The wide foot is solid, to stand by its weight. Not to "
                      "scale."),
        p("The Bell Rock off the coast of Angus in Scotland was lit on 1 February 1811. Its builder was Robert Stevenson, and it "
          "is the oldest sea-washed lighthouse still standing. On the same day of 1844 his son Alan lit Skerryvore, "
          "48 metres high and the tallest lighthouse in Scotland.", key="bell-rock"),
        h("The lens", 1),
        p("Open fires, then lamps with mirrors, were the rule until Augustin Fresnel joined the French lighthouse commission in "
          "1819. He saw that most of the glass of a thick lens does nothing but carry its curved surface. A lens cut into "
          "rings, each with the slope it needs, gathers as much light and is thin and light enough to hang in a lantern.",
          key="fresnel-idea", first=True),
        DESIGN.figure("fresnel", 176, drawn.fresnel, "**How a Fresnel lens works,** in section. Each ring bends the light of the "
                      "lamp into the same level direction.", wide=True),
        p("The first was lit in July 1823 in the tower of Cordouan at the mouth of the Gironde, a building finished in "
          "1611. Fresnel did not live to see his plan for the whole coast of France carried out; he died in 1827.",
          key="cordouan"),
        DESIGN.table("orders", "**Orders of lenses** by focal length, the distance from the lamp to the glass.",
                     [Column(wraps=True), R], ["Order", "Focal length (mm)"],
                     [["first", "920"], ["second", "700"], ["third", "500"], ["fourth", "250"], ["fifth", "187.5"],
                      ["sixth", "150"]]),
        p("First-order lenses stood on the great sea-coast lights. The sixth order served harbours and piers.",
          key="orders-use"),
        h("The lamp", 1),
        p("Lamps burned whale oil, colza oil and later paraffin. An electric arc was tried at the South Foreland in 1858, and "
          "Souter Lighthouse in the north of England was in 1871 the first to be built for electric light. For places without "
          "a keeper the Swede Gustaf Dal\u00e9n invented a valve that the sun itself opens and shuts, so that gas is burned "
          "only by night. It brought him the Nobel Prize in Physics of 1912.", key="lamps", first=True),
        h("Moving a lighthouse", 1),
        p("The brick tower of Cape Hatteras in North Carolina, finished in 1870, stood in danger from the sea. In 1999 it was "
          "moved inland in one piece, over a distance of 2900 feet, or about 880 metres.", key="hatteras", first=True),
    ]


def _tide() -> list[Block]:
    rows = [["M_{2}", "principal lunar", "12.42"], ["S_{2}", "principal solar", "12.00"],
            ["N_{2}", "larger lunar elliptic", "12.66"], ["K_{1}", "lunisolar diurnal", "23.93"],
            ["O_{1}", "principal lunar diurnal", "25.82"]]
    return [
        *_entry("Lightship", "A ship that lies at anchor and carries a light, for places where no tower can stand. The first of the "
                "modern kind was moored at the Nore, in the mouth of the Thames, in 1732. It showed two lanterns on a "
                "cross-yard. Most lightships have been replaced by towers on piles or by large buoys.", key="lightship"),
        *_entry("Longitude", "The angle east or west of a first meridian. Since the Earth turns by 15 degrees in an hour, "
                "longitude is a difference of time, and to find it at sea one must carry the time of a known place. In "
                "1714 the British Parliament offered up to 20~000 pounds for a method that would serve on an ocean voyage. "
                "John Harrison, a carpenter turned clockmaker, finished his fourth timekeeper, H4, in 1759; it was "
                "tried on a voyage to Jamaica that began in 1761.", key="longitude"),
        *_entry("Meridian, prime", "The meridian from which longitude is counted. Delegates of twenty-five nations met in "
                "Washington in October 1884 and recommended the meridian through the transit instrument at Greenwich. "
                "Twenty-two voted for it, San Domingo voted against, and France and Brazil abstained.", key="prime-meridian"),
        *_entry("Nautical mile", "A mile of exactly 1852 metres, in use at sea and in the air. It is close to one minute of "
                "arc along a meridian, so that a navigator can take distances from the edge of the chart. The value was "
                "fixed in 1929 at Monaco by the International Extraordinary Hydrographic Conference.", key="nautical-mile"),
        *_entry("Plimsoll line", "The mark on a ship\u2019s side that shows how deep she may be loaded. It bears the name of "
                "Samuel Plimsoll, a member of Parliament whose campaign against overloaded \u201ccoffin ships\u201d led to the "
                "Merchant Shipping Act of 1876. Cold and salt water carries more than warm or fresh water, so the mark "
                "has several lines.", key="plimsoll"),
        DESIGN.table("load-lines", "**Letters of the load line,** from the highest to the lowest.", [L, Column(wraps=True)],
                     ["Letters", "Water"], [["TF", "tropical fresh water"], ["F", "fresh water"],
                                            ["T", "tropical sea water"], ["S", "sea water in summer"],
                                            ["W", "sea water in winter"], ["WNA", "winter in the North Atlantic"]]),
        *_entry("Sextant", "An instrument for measuring the angle between two things, such as the Sun and the horizon. "
                "Two mirrors bring both to one place in the eyepiece, so that the roll of the ship does no harm. Its "
                "forerunner, the octant, was shown by John Hadley to the Royal Society in 1731, and was found at the same "
                "time by Thomas Godfrey in Philadelphia. The arc of a sextant is a sixth of a circle and reads up to 120 "
                "degrees, because a mirror that is turned by some angle turns the light by twice as much.",
                key="sextant"),
        *_entry("Storm surge", "A rise of the sea above the predicted tide, driven by wind and low air pressure. When it meets "
                "high water at springs, it can break any dyke. In the night from 31 January to 1 February 1953 a surge in the "
                "North Sea killed 1836 people in the Netherlands and more than 300 in England. The Dutch answered with the "
                "*Delta Works*, which closed or guarded the arms of the sea in the south-west of the country.",
                key="storm-surge"),
        p("A fall of the air pressure by one hectopascal lets the sea rise by about one centimetre. The wind does the "
          "rest: over a shallow sea it piles up the water against the coast to leeward.", key="inverse-barometer"),
        *_entry("Tidal power", "Energy won from the rise and fall of the sea. The station on the Rance near Saint-Malo in "
                "Brittany, opened in 1966, has a rated power of 240 megawatts. It was the largest of its kind until 2011, when "
                "the Sihwa Lake station in the Republic of Korea, with 254 megawatts, began work.", key="tidal-power"),
        *_entry("Tide", "The regular rise and fall of the sea that is caused by the Moon and the Sun. Each pulls a little more "
                "strongly on the near side of the Earth than on the far side. This difference falls with the cube of the "
                "distance, and so the Sun, for all its mass, raises a tide only 0.46 times as high as that of the Moon.",
                key="tide-cause"),
        p("As the Moon moves on in its orbit, it crosses the meridian about 50 minutes later from day to day. High "
          "water therefore comes twice in 24 hours and 50 minutes on most coasts, at intervals of about 12 hours and "
          "25 minutes.", key="lunar-day"),
        h("Springs and neaps", 1),
        p("At new and full moon the two tides add up: the range is large, and one speaks of *spring tides*. At the quarters "
          "they work against each other and give *neap tides*. From springs to springs it takes 14.77 days, half a "
          "synodic month.", key="springs-text", first=True),
        DESIGN.figure("springs", 170, drawn.springs, "**Spring and neap tides:** the sum of the lunar tide M_{2} and the solar tide "
                      "S_{2} over thirty days. Computed; the solar tide is 0.46 of the lunar.", wide=True,
                      numbers="springs at day 0, 14.77 and 29.5; neaps at day 7.38 and 22.15; highest 1.46, neap 0.54"),
        h("Prediction", 1),
        p("Isaac Newton explained the tides in 1687 by gravitation, and Pierre-Simon Laplace in 1775 wrote down how an ocean "
          "of finite depth must answer. William Thomson, later Lord Kelvin, took another road from 1867 on: he split the "
          "record of a gauge into simple waves, whose periods are known from astronomy. His first machine for "
          "adding them up again was built in 1872.", key="prediction", first=True),
        DESIGN.table("constituents", "**Five constituents of the tide** and their periods.", [L, Column(wraps=True), R],
                     ["Symbol", "Name", "Hours"], rows),
        p("For a rough reckoning between two entries of a tide table, sailors use the *rule of twelfths*. In the six hours from low "
          "to high water the sea rises by 1, 2, 3, 3, 2 and 1 twelfths of the range. Half of the rise falls in the "
          "third and fourth hours.", key="twelfths-text"),
        DESIGN.figure("twelfths", 124, drawn.twelfths, "**The rule of twelfths.** Rise of the sea in each hour.",
                      numbers="hour 1: 1, hour 2: 2, hour 3: 3, hour 4: 3, hour 5: 2, hour 6: 1"),
        p("The greatest tides are found where a bay is tuned to the rhythm of the ocean. At Burntcoat Head in the Bay of "
          "Fundy, in Nova Scotia, the range can reach 16 metres.", key="fundy"),
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
            "Nobel Foundation, list of laureates in physics, 1912."),
    ]


def _entries(layout: Layout, blocks: list[Block]) -> list[Block]:
    # The pages are known after a first run; the list stands last and so moves none of them.
    trial = Flow(layout)
    trial.run(blocks)
    rows = [[word.capitalize(), page.label or ""] for page in trial.pages for word in page.headwords]
    return [Break(column=True), h("Entries in this part", 1),
            DESIGN.table("entries", "**Headwords** and the pages on which they begin.", [Column(wraps=True), R],
                         ["Entry", "Page"], rows, floats=False)]


def document() -> Document:
    """The companion: page images in WebP, printed 5 onwards."""
    layout = Layout(width=498.9, height=708.7, margins=(48, 62, 48, 58), kerned=True, chrome=_chrome, columns=2,
                    gutter=20, labels=[str(number) for number in range(5, 14)])
    blocks = [*_opening(), *_beaufort(), *_buoyage(), *_horizon(), *_lead(), *_characters(), *_lighthouse(), *_tide(), *_sources()]
    return Document("coast-companion", "Encyclopaedia", "Navigation and the sea", "A Short Companion to the Coast: "
                    "Beaufort to Tide", "webp", 1400, layout, [*blocks, *_entries(layout, blocks)])
