"""Queries whose evidence lies in more than one document."""

from __future__ import annotations

from audit.spec import COAST, FROM_IMAGE, METRE, PLANETS, Ev, Gold, Query

QUERIES = [
    Query(
        31,
        "Cross-Doc",
        "How many years after the first Fresnel lens was lit at Cordouan was the Metre Convention signed?",
        "52 years",
        (Ev(COAST, "cordouan", "lit in July 1823"), Ev(METRE, "signing", "20 May 1875")),
        derived={"52": "1875 - 1823"},
        own_words=("years",),
        group="g77",
        generator=FROM_IMAGE,
    ),
    Query(
        32,
        "Cross-Doc",
        "How many days pass from springs to springs according to A Short Companion to the Coast, and how long is the "
        "synodic month in The Solar System in Figures?",
        "14.77 days; 29.53 days",
        (Ev(COAST, "springs-text", "14.77 days"), Ev(PLANETS, "moon-months", "29.53 days")),
        group="g79",
    ),
    Query(
        33,
        "Cross-Doc",
        "Which length did the hydrographic conference at Monaco fix for the nautical mile, according to A Short "
        "Companion to the Coast?",
        "1852 metres",
        (Ev(COAST, "nautical-mile", "exactly 1852 metres", 2), Ev(METRE, "outside/nautical mile")),
        Gold(
            "U",
            "the entry of the Companion answers alone, and the query asks for no other document; the table of the handbook "
            "only repeats the number",
            corrected=(Ev(COAST, "nautical-mile", "exactly 1852 metres", 2),),
            wrong={"U": ("outside/nautical mile",)},
            note="asks for the Companion only; handbook page not needed",
            second_note="handbook table just repeats 1852 m",
        ),
        group="g78",
    ),
    Query(
        34,
        "Cross-Doc",
        "How many metres long is a cable in A Short Companion to the Coast, and a yard in A Handbook of Measures?",
        "185.2 metres; 0.9144 m",
        (Ev(COAST, "cable", "185.2 metres"), Ev(METRE, "paris-units")),
        Gold(
            "E",
            "the table of old Paris units has no yard; the yard is in the table on p. 48",
            corrected=(Ev(COAST, "cable", "185.2 metres"), Ev(METRE, "outside/yard", "0.9144 m")),
            remove=True,
            marks=(1, 0.5, 1, 1),
            wrong={"E": ("paris-units",)},
            note="no yard in this table, wrong page",
            second_note="yard is in the last table of the chapter",
        ),
        shown=((METRE, 7),),
        group="g70",
    ),
    Query(
        35,
        "Cross-Doc",
        "In which years did Kepler print his third law, Newton explain the tides, and the National Assembly accept the "
        "metre?",
        "1619, 1687 and 1791",
        (
            Ev(PLANETS, "kepler-law", "printed in 1619"),
            Ev(COAST, "prediction", "in 1687 by gravitation"),
            Ev(METRE, "assembly", "In March 1791"),
        ),
        group="g101",
    ),
    Query(
        36,
        "Cross-Doc",
        "Which value of the Newtonian constant of gravitation does A Handbook of Measures quote from CODATA 2018, and "
        "which mass of the Earth does The Solar System in Figures list?",
        "6.674 30(15) \u00d7 10^\u221211 m^3 kg^\u22121 s^\u22122; 5.97 \u00d7 10^24 kg",
        (
            Ev(METRE, "codata-2018/Newtonian constant of gravitation", "6.674 30(15)"),
            Ev(PLANETS, "bodies/Mass (10^24 kg)", "0.330 4.87 5.97"),
        ),
        own_words=("\u00d7 10^24 kg",),
        group="g98",
    ),
]
