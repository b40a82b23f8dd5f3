"""Queries whose evidence lies on several pages of one document: Doc-Adjacent, Doc-Near and Doc-Far."""

from __future__ import annotations

from audit.spec import COAST, FROM_IMAGE, METRE, PLANETS, Ev, Gold, Query

QUERIES = [
    Query(
        13,
        "Doc-Adjacent",
        "When did the National Assembly accept the definition of the metre by the quadrant, and how many "
        "lignes did the definitive metre have?",
        "March 1791; 443.296 lignes",
        (Ev(METRE, "assembly", "In March 1791"), Ev(METRE, "definitive", "443.296 lignes")),
        group="g92",
    ),
    Query(
        14,
        "Doc-Adjacent",
        "What period does The Solar System in Figures list for Jupiter, and in which year did Kepler find his "
        "third law?",
        "11.86 years; 1618",
        (Ev(PLANETS, "orbits", "Jupiter 5.203 11.86"), Ev(PLANETS, "kepler-law", "found in 1618")),
        group="g100",
        generator=FROM_IMAGE,
    ),
    Query(
        15,
        "Doc-Adjacent",
        "When was the Bell Rock first lit, and when was the first Fresnel lens lit in the tower of Cordouan?",
        "1 February 1811; July 1823",
        (Ev(COAST, "bell-rock", "1 February 1811"), Ev(COAST, "cordouan", "lit in July 1823")),
        group="g02",
    ),
    Query(
        16,
        "Doc-Adjacent",
        "On which other base units do the definitions of the metre and of the kilogram rest, according to the "
        "chapter The Metre and the Constants of Nature?",
        "The metre needs the second, the kilogram needs both the metre and the second",
        (Ev(METRE, "dependence", "The metre needs the second, and the kilogram both", 2), Ev(METRE, "second-1967")),
        Gold(
            "U",
            "the paragraph below Figure 3.2 answers the whole query; the page with the definition of the second adds nothing",
            corrected=(Ev(METRE, "dependence", "The metre needs the second", 2),),
            wrong={"U": ("second-1967",)},
            note="p. 45 is enough, p. 44 not needed",
            second_note="all of it is under Figure 3.2",
        ),
        group="g97",
    ),
    Query(
        17,
        "Doc-Adjacent",
        "By how many kilometres is the mean radius of Titan larger than the equatorial radius of Mercury?",
        "134.5 kilometres",
        (Ev(PLANETS, "radii", "Mercury 2440.5"), Ev(PLANETS, "moons", "Titan Saturn 1221.9 15.95 2575")),
        derived={"134.5": "2575 - 2440.5"},
        own_words=("kilometres",),
        group="g103",
        generator=FROM_IMAGE,
    ),
    Query(
        18,
        "Doc-Adjacent",
        "What gave light in lighthouses before Augustin Fresnel, and which commission did he join in 1819?",
        "Open fires, then lamps with mirrors; the French lighthouse commission",
        (
            Ev(COAST, "fresnel-idea", "Open fires, then lamps with mirrors"),
            Ev(COAST, "fresnel-idea", "French lighthouse commission in 1819"),
        ),
        group="g02",
    ),
    Query(
        19,
        "Doc-Near",
        "How high is the international prototype of the kilogram, and which relative standard uncertainty did its mass "
        "take over on 20 May 2019?",
        "39 millimetres; 1.0 \u00d7 10^\u22128",
        (
            Ev(METRE, "kilogram", "39 millimetres high"),
            Ev(METRE, "former-exact/mass of the international prototype of the kilogram", "1.0 \u00d7 10^\u22128"),
        ),
        group="g95",
        generator=FROM_IMAGE,
    ),
    Query(
        20,
        "Doc-Near",
        "List the years that A Short Companion to the Coast gives for the first lighting of the Bell Rock, the trial of an "
        "electric arc at the South Foreland, the fixing of the nautical mile at Monaco and the opening of the tidal power station on "
        "the Rance.",
        "1811, 1858, 1929 and 1966",
        (
            Ev(COAST, "bell-rock", "1 February 1811"),
            Ev(COAST, "lamps", "South Foreland in 1858"),
            Ev(COAST, "nautical-mile", "fixed in 1929 at Monaco"),
            Ev(COAST, "tidal-power", "opened in 1966"),
        ),
        group="g76",
    ),
    Query(
        21,
        "Doc-Near",
        "How many hours does Mars need for one rotation, and how many days does its moon Phobos need for one "
        "revolution?",
        "24.6 hours; 0.319 days",
        (
            Ev(PLANETS, "bodies/Rotation period (hours)", "1407.6 \u22125832.5 23.9 24.6"),
            Ev(PLANETS, "moons/Phobos", "9.376 0.319"),
        ),
        own_words=("days",),
        group="g03",
    ),
    Query(
        22,
        "Doc-Near",
        "Which planet is the hottest, and which spacecraft was the first to visit it successfully?",
        "Venus; Mariner 2",
        (Ev(PLANETS, "bodies-text", "Venus is the hottest planet"), Ev(PLANETS, "iau-2006")),
        Gold(
            "EU",
            "the page with the table of first visits (p. 6) is missing, and the page on the definition of a planet (p. 1) "
            "answers no part of the query",
            corrected=(
                Ev(PLANETS, "bodies-text", "Venus is the hottest planet"),
                Ev(PLANETS, "visits/Venus", "Mariner 2"),
            ),
            remove=True,
            marks=(1, 0.5, 1, 1),
            wrong={"E": ("iau-2006",), "U": ("iau-2006",)},
            note="Mariner 2 is on p. 6, which is not listed; p. 1 is useless",
            second_note="second page is about Pluto; table of visits missing",
        ),
        shown=((PLANETS, 7),),
        group="g03",
    ),
    Query(
        23,
        "Doc-Near",
        "What is said about the conference, and when did the change come into force?",
        "Seventeen states signed the Metre Convention; 20 May 2019",
        (Ev(METRE, "signing", "Metre Convention by seventeen states"), Ev(METRE, "revision", "20 May 2019")),
        Gold(
            "F",
            "\u201cthe conference\u201d could be any of several in the chapter, and \u201cthe change\u201d is not identified",
            "How many states signed the Metre Convention in 1875, and when did the redefinition of the SI units voted in 2018 "
            "come into force?",
            remove=True,
            marks=(0.25, 0.75, 0.25, 1),
            note="which conference? there are many in this chapter",
            second_note="names neither document nor conference",
            vague=("the conference", "the change"),
        ),
        own_words=("signed",),
        group="g93",
    ),
    Query(
        24,
        "Doc-Near",
        "En quelle ann\u00e9e la Convention du M\u00e8tre a-t-elle \u00e9t\u00e9 sign\u00e9e \u00e0 Paris, et en quelle ann\u00e9e la "
        "17e Conf\u00e9rence g\u00e9n\u00e9rale a-t-elle fix\u00e9 la vitesse de la lumi\u00e8re\u00a0?",
        "En 1875 ; en 1983",
        (Ev(METRE, "signing", "20 May 1875"), Ev(METRE, "laser", "did so in 1983")),
        language="fr",
        group="g93",
    ),
    Query(
        25,
        "Doc-Far",
        "How many millimetres long was the pied du roi of Paris, and how many metres is the foot that was agreed in 1959?",
        "324.84 millimetres; 0.3048 m",
        (Ev(METRE, "paris-units", "324.84"), Ev(METRE, "outside/foot", "0.3048 m")),
        own_words=("millimetres",),
        group="g92",
    ),
    Query(
        26,
        "Doc-Far",
        "In The Solar System in Figures, how many metres make one astronomical unit, and what is the nominal radius of "
        "the Sun?",
        "149 597 870 700 metres; 6.957 \u00d7 10^8 m",
        (Ev(PLANETS, "au", "149 597 870 700 metres"), Ev(PLANETS, "nominal/Radius of the Sun", "6.957 \u00d7 10^8")),
        generator=FROM_IMAGE,
    ),
    Query(
        27,
        "Doc-Far",
        "At which wind speed does force 12 of the Beaufort scale begin, and over how many days is the sum of the lunar and "
        "the solar tide drawn in A Short Companion to the Coast?",
        "64 knots; thirty days",
        (
            Ev(COAST, "beaufort-table", "64 and over", 1, "table"),
            Ev(COAST, "springs-caption", "over thirty days", 1, "table"),
            Ev(COAST, "beaufort-warning", "from 64 knots", 1, "text"),
            Ev(COAST, "springs-caption", "over thirty days", 1, "text"),
        ),
        group="g70",
    ),
    Query(
        28,
        "Doc-Far",
        "From which date were the metric measures the only legal ones in France?",
        "1 January 1840",
        (Ev(METRE, "compulsory", "from 1 January 1840", 2), Ev(METRE, "litre")),
        Gold(
            "U",
            "the date stands on p. 42; the page about the litre and other units outside the system is not needed",
            corrected=(Ev(METRE, "compulsory", "from 1 January 1840", 2),),
            wrong={"U": ("litre",)},
            note="last page has nothing to do with it",
            second_note="litre page superfluous",
        ),
        group="g94",
    ),
    Query(
        29,
        "Doc-Far",
        "Which planet is drawn largest on the cover of The Solar System in Figures, and what is its nominal equatorial "
        "radius?",
        "Jupiter; 7.1492 \u00d7 10^7 m",
        (
            Ev(PLANETS, "sizes", "Jupiter", boxed=False),
            Ev(PLANETS, "nominal/Equatorial radius of Jupiter", "7.1492 \u00d7 10^7"),
        ),
        group="g99",
        generator=FROM_IMAGE,
    ),
    Query(
        30,
        "Doc-Far",
        "What launch mass does The Solar System in Figures give for the spacecraft that was the first to reach Neptune?",
        None,
        (Ev(PLANETS, "summary-visits"), Ev(PLANETS, "visits/Neptune")),
        Gold(
            "N",
            "the report names Voyager 2 and the date of its fly-by but gives no mass for any spacecraft",
            corrected=(),
            remove=True,
            marks=(1, 0, 0.25, 1),
            note="no launch mass anywhere in the report",
            second_note="only the fly-by date is given",
            absent=("launch mass", "kilograms at launch"),
        ),
        group="g99",
        generator=FROM_IMAGE,
    ),
]
