"""Entries of the companion to the coast from the lightship to the tide."""

from __future__ import annotations

from typeset.blocks import Block
from typeset.tables import Column

from texts import coast_figures as drawn
from texts.coast_more import soundings
from texts.coast_style import DESIGN, L, R, h, p
from texts.coast_style import entry as _entry


def tides() -> list[Block]:
    """The entries from Lightship to Tide."""
    return [*_tide()]


def _tide() -> list[Block]:
    rows = [
        ["M_{2}", "principal lunar", "12.42"],
        ["S_{2}", "principal solar", "12.00"],
        ["N_{2}", "larger lunar elliptic", "12.66"],
        ["K_{1}", "lunisolar diurnal", "23.93"],
        ["O_{1}", "principal lunar diurnal", "25.82"],
    ]
    return [
        *_entry(
            "Lightship",
            "A ship that lies at anchor and carries a light, for places where no tower can stand. The first of the "
            "modern kind was moored at the Nore, in the mouth of the Thames, in 1732. It showed two lanterns on a "
            "cross-yard. Most lightships have been replaced by towers on piles or by large buoys.",
            key="lightship",
        ),
        *_entry(
            "Longitude",
            "The angle east or west of a first meridian. Since the Earth turns by 15 degrees in an hour, "
            "longitude is a difference of time, and to find it at sea one must carry the time of a known place. In "
            "1714 the British Parliament offered up to 20~000 pounds for a method that would serve on an ocean voyage. "
            "John Harrison, a carpenter turned clockmaker, finished his fourth timekeeper, H4, in 1759; it was "
            "tried on a voyage to Jamaica that began in 1761.",
            key="longitude",
        ),
        *_entry(
            "Meridian, prime",
            "The meridian from which longitude is counted. Delegates of twenty-five nations met in "
            "Washington in October 1884 and recommended the meridian through the transit instrument at Greenwich. "
            "Twenty-two voted for it, San Domingo voted against, and France and Brazil abstained.",
            key="prime-meridian",
        ),
        *_entry(
            "Nautical mile",
            "A mile of exactly 1852 metres, in use at sea and in the air. It is close to one minute of "
            "arc along a meridian, so that a navigator can take distances from the edge of the chart. The value was "
            "fixed in 1929 at Monaco by the International Extraordinary Hydrographic Conference.",
            key="nautical-mile",
        ),
        *_entry(
            "Plimsoll line",
            "The mark on a ship\u2019s side that shows how deep she may be loaded. It bears the name of "
            "Samuel Plimsoll, a member of Parliament whose campaign against overloaded \u201ccoffin ships\u201d led to the "
            "Merchant Shipping Act of 1876. Cold and salt water carries more than warm or fresh water, so the mark "
            "has several lines.",
            key="plimsoll",
        ),
        DESIGN.table(
            "load-lines",
            "**Letters of the load line,** from the highest to the lowest.",
            [L, Column(wraps=True)],
            ["Letters", "Water"],
            [
                ["TF", "tropical fresh water"],
                ["F", "fresh water"],
                ["T", "tropical sea water"],
                ["S", "sea water in summer"],
                ["W", "sea water in winter"],
                ["WNA", "winter in the North Atlantic"],
            ],
        ),
        *_entry(
            "Sextant",
            "An instrument for measuring the angle between two things, such as the Sun and the horizon. "
            "Two mirrors bring both to one place in the eyepiece, so that the roll of the ship does no harm. Its "
            "forerunner, the octant, was shown by John Hadley to the Royal Society in 1731, and was found at the same "
            "time by Thomas Godfrey in Philadelphia. The arc of a sextant is a sixth of a circle and reads up to 120 "
            "degrees, because a mirror that is turned by some angle turns the light by twice as much.",
            key="sextant",
        ),
        *soundings(),
        *_entry(
            "Storm surge",
            "A rise of the sea above the predicted tide, driven by wind and low air pressure. When it meets "
            "high water at springs, it can break any dyke. In the night from 31 January to 1 February 1953 a surge in the "
            "North Sea killed 1836 people in the Netherlands and more than 300 in England. The Dutch answered with the "
            "*Delta Works*, which closed or guarded the arms of the sea in the south-west of the country.",
            key="storm-surge",
        ),
        p(
            "A fall of the air pressure by one hectopascal lets the sea rise by about one centimetre. The wind does the "
            "rest: over a shallow sea it piles up the water against the coast to leeward.",
            key="inverse-barometer",
        ),
        *_entry(
            "Tidal power",
            "Energy won from the rise and fall of the sea. The station on the Rance near Saint-Malo in "
            "Brittany, opened in 1966, has a rated power of 240 megawatts. It was the largest of its kind until 2011, when "
            "the Sihwa Lake station in the Republic of Korea, with 254 megawatts, began work.",
            key="tidal-power",
        ),
        *_entry(
            "Tide",
            "The regular rise and fall of the sea that is caused by the Moon and the Sun. Each pulls a little more "
            "strongly on the near side of the Earth than on the far side. This difference falls with the cube of the "
            "distance, and so the Sun, for all its mass, raises a tide only 0.46 times as high as that of the Moon.",
            key="tide-cause",
        ),
        p(
            "As the Moon moves on in its orbit, it crosses the meridian about 50 minutes later from day to day. High "
            "water therefore comes twice in 24 hours and 50 minutes on most coasts, at intervals of about 12 hours and "
            "25 minutes.",
            key="lunar-day",
        ),
        h("Springs and neaps", 1),
        p(
            "At new and full moon the two tides add up: the range is large, and one speaks of *spring tides*. At the quarters "
            "they work against each other and give *neap tides*. From springs to springs it takes 14.77 days, half a "
            "synodic month.",
            key="springs-text",
            first=True,
        ),
        DESIGN.figure(
            "springs",
            170,
            drawn.springs,
            "**Spring and neap tides:** the sum of the lunar tide M_{2} and the solar tide "
            "S_{2} over thirty days. Computed; the solar tide is 0.46 of the lunar.",
            wide=True,
            numbers="springs at day 0, 14.77 and 29.5; neaps at day 7.38 and 22.15; highest 1.46, neap 0.54",
        ),
        h("Prediction", 1),
        p(
            "Isaac Newton explained the tides in 1687 by gravitation, and Pierre-Simon Laplace in 1775 wrote down how an ocean "
            "of finite depth must answer. William Thomson, later Lord Kelvin, took another road from 1867 on: he split the "
            "record of a gauge into simple waves, whose periods are known from astronomy. His first machine for "
            "adding them up again was built in 1872.",
            key="prediction",
            first=True,
        ),
        DESIGN.table(
            "constituents",
            "**Five constituents of the tide** and their periods.",
            [L, Column(wraps=True), R],
            ["Symbol", "Name", "Hours"],
            rows,
        ),
        p(
            "For a rough reckoning between two entries of a tide table, sailors use the *rule of twelfths*. In the six hours from low "
            "to high water the sea rises by 1, 2, 3, 3, 2 and 1 twelfths of the range. Half of the rise falls in the "
            "third and fourth hours.",
            key="twelfths-text",
        ),
        DESIGN.figure(
            "twelfths",
            124,
            drawn.twelfths,
            "**The rule of twelfths.** Rise of the sea in each hour.",
            numbers="hour 1: 1, hour 2: 2, hour 3: 3, hour 4: 3, hour 5: 2, hour 6: 1",
            floats=False,
        ),
        p(
            "The greatest tides are found where a bay is tuned to the rhythm of the ocean. At Burntcoat Head in the Bay of "
            "Fundy, in Nova Scotia, the range can reach 16 metres.",
            key="fundy",
        ),
    ]
