"""Further entries of the companion to the coast: canals, signals, ice, lifeboats, soundings."""

from __future__ import annotations

from typeset.blocks import Block
from typeset.tables import Column

from texts.coast_style import DESIGN, L, R, entry, p


def canals() -> list[Block]:
    """The entry on ship canals."""
    rows = [
        ["Suez", "17 November 1869", "none", "193"],
        ["Kiel", "June 1895", "at both ends", "98"],
        ["Panama", "15 August 1914", "three flights", "82"],
    ]
    return [
        *entry(
            "Canal, ship",
            "A cut that spares ships the way round a continent or a headland. The Suez Canal lies at the level of the sea from end to end and has "
            "no locks. At Panama ships are lifted to Gatun Lake, 26 metres above the sea, and let down again.",
            key="canals",
        ),
        DESIGN.table(
            "canal-list",
            "**Three ship canals.** Lengths as they are today.",
            [L, Column(wraps=True), Column(wraps=True), R],
            ["Canal", "Opened", "Locks", "km"],
            rows,
            floats=False,
        ),
        p(
            "The Panama Canal saves a ship from New York to San Francisco the voyage round Cape Horn. New and wider "
            "locks were opened beside the old ones in "
            "June 2016.",
            key="panama",
        ),
    ]


def distress() -> list[Block]:
    """The entry on distress signals."""
    return [
        *entry(
            "Distress signals",
            "Signs by which a ship in danger asks for help. In Morse the letters *SOS* were agreed on at a radiotelegraphic conference in Berlin in "
            "1906: three dots, three dashes, three dots, sent without a pause. They were chosen for their rhythm and "
            "stand for no words. When the *Titanic* sank on 15 April "
            "1912, her operators used both the older call, CQD, and the new one.",
            key="sos",
        ),
        p(
            "In speech the word is *Mayday*, from the French *m\u2019aidez*. It was proposed in 1923 by Frederick "
            "Mockford, a radio officer at Croydon airport near London. "
            "Three times spoken, it goes before the name and the place of the ship. *Pan-pan* is for urgency without immediate danger.",
            key="mayday",
        ),
        p(
            "By eye, red flares, orange smoke, a square flag with a ball above or below it, and arms slowly raised and lowered all mean the same.",
            key="flares",
        ),
    ]


def flags() -> list[Block]:
    """The entry on signal flags."""
    rows = [
        ["A", "I have a diver down; keep well clear at slow speed"],
        ["B", "dangerous goods"],
        ["C", "yes"],
        ["G", "I require a pilot"],
        ["H", "I have a pilot on board"],
        ["N", "no"],
        ["O", "man overboard"],
        ["Q", "my vessel is healthy, I request free pratique"],
        ["V", "I require assistance"],
        ["W", "I require medical assistance"],
    ]
    return [
        *entry(
            "Flag signals",
            "Messages spelled with coloured flags. The *International Code of Signals* has a flag for each of the "
            "twenty-six letters, pennants for the "
            "numerals, and substitutes that repeat a flag already hoisted. Hoisted alone, most letters have a meaning of their own.",
            key="flags",
        ),
        DESIGN.table(
            "flag-list",
            "**Single letters** of the International Code (a choice).",
            [L, Column(wraps=True)],
            ["Flag", "Meaning"],
            rows,
        ),
        p(
            "Before the battle of Trafalgar on 21 October 1805 Nelson made the signal \u201cEngland expects that "
            "every man will do his duty\u201d, in Popham\u2019s code. It took "
            "twelve hoists, since *duty* was not in the book and had to be spelled.",
            key="trafalgar",
        ),
    ]


def ice() -> list[Block]:
    """The entry on the ice patrol."""
    return [
        *entry(
            "Ice patrol",
            "The watch for icebergs near the Grand Banks of Newfoundland. It was set up by the convention for the "
            "safety of life at sea that was signed in "
            "London on 20 January 1914, as an answer to the loss of the *Titanic*. The Coast Guard of the United "
            "States carries it out, now from the air and "
            "by satellite.",
            key="ice-patrol",
        ),
        p(
            "About nine tenths of the mass of an iceberg lie under water, because ice has about nine tenths of the density of the sea.",
            key="iceberg",
        ),
    ]


def lifeboat() -> list[Block]:
    """The entry on lifeboats."""
    return [
        *entry(
            "Lifeboat",
            "A boat for saving people from wrecks. The first that was built for the purpose and lasted was the "
            "*Original* of Henry Greathead, tried on the Tyne in "
            "1790. The British institution that runs most of the lifeboats of the United Kingdom and Ireland was "
            "founded on 4 March 1824 in London, at the urging of "
            "Sir William Hillary of Douglas in the Isle of Man; it has borne the name Royal National Lifeboat Institution since 1854.",
            key="lifeboat",
        ),
        p(
            "On 7 September 1838 Grace Darling, the daughter of the keeper of the Longstone light, rowed out with "
            "her father to the wreck of the steamer *Forfarshire* and helped to "
            "bring nine people to safety.",
            key="darling",
        ),
    ]


def soundings() -> list[Block]:
    """The entry on soundings in the deep sea."""
    rows = [
        ["Pacific", "Challenger Deep", "about 10~900"],
        ["Atlantic", "Puerto Rico Trench", "about 8400"],
        ["Indian", "Java Trench", "about 7200"],
    ]
    return [
        *entry(
            "Sounding",
            "Measuring the depth. In the deep sea it began in earnest with HMS *Challenger*, which from December 1872 to May 1876 sounded all "
            "the oceans but the Arctic with hemp line and weights. Echo sounders, which time the return of a pulse "
            "of sound, came into use in the 1920s; the German ship *Meteor* crossed the "
            "South Atlantic with one in 1925 to 1927.",
            key="sounding",
        ),
        DESIGN.table(
            "deeps",
            "**Deepest places** of three oceans.",
            [L, Column(wraps=True), R],
            ["Ocean", "Place", "Depth (m)"],
            rows,
            floats=False,
        ),
        p(
            "Jacques Piccard and Don Walsh went down to the bottom of the Challenger Deep in the bathyscaph "
            "*Trieste* on 23 January 1960. The descent took almost five "
            "hours.",
            key="trieste",
        ),
    ]
