"""Queries that lead from the magazine to other documents."""

from __future__ import annotations

from audit.spec import APOLLO, COAST, ELEMENTS, FROM_IMAGE, METRE, PLANETS, Ev, Gold, Query

QUERIES = [
    Query(
        145,
        "Cross-Doc",
        "What did the lunar roving vehicle weigh on the Earth? And what part of the mass of the Earth is in the Moon?",
        "210 kilograms; 0.0123",
        (Ev(APOLLO, "rover", "210 kilograms"), Ev(PLANETS, "moon-mass", "0.0123")),
        group="g65",
    ),
    Query(
        146,
        "Cross-Doc",
        "By how much does the Moon recede in a year, and how near does it come at perigee?",
        "3.8 centimetres; about 363 300 kilometres",
        (Ev(APOLLO, "reflectors", "3.8 centimetres"), Ev(PLANETS, "moon-months", "363 300 kilometres")),
        group="g42",
        generator=FROM_IMAGE,
    ),
    Query(
        147,
        "Cross-Doc",
        "Who got to the bottom first, and when?",
        "Jacques Piccard and Don Walsh; 23 January 1960",
        (Ev(APOLLO, "first-steps"), Ev(COAST, "trieste", "23 January 1960")),
        Gold(
            "FU",
            "the bottom of what is not said, and the page on the first steps on the Moon is not about it",
            "Who were the first to go down to the bottom of the Challenger Deep, and when?",
            corrected=(Ev(COAST, "trieste", "23 January 1960", 2),),
            remove=True,
            marks=(0.25, 0.75, 0.5, 1),
            wrong={"U": ("first-steps",)},
            note="bottom of what? Apollo page irrelevant",
            second_note="unclear, and the Moon page does not help",
            vague=("the bottom",),
        ),
        group="g63",
    ),
    Query(
        148,
        "Cross-Doc",
        "When did Apollo 8 leave for the Moon, and when did Voyager 2 pass Neptune?",
        "21 December 1968; 25 August 1989",
        (Ev(APOLLO, "apollo-8", "21 December 1968"), Ev(PLANETS, "visits/Uranus")),
        Gold(
            "E",
            "the box is on the row of Uranus; Neptune is the next one",
            corrected=(Ev(APOLLO, "apollo-8", "21 December 1968"), Ev(PLANETS, "visits/Neptune", "25 August 1989")),
            marks=(1, 0.75, 1, 1),
            wrong={"E": ("visits/Uranus",)},
            note="Uranus row instead of Neptune",
            second_note="box says 1986",
        ),
        group="g42",
        generator=FROM_IMAGE,
    ),
    Query(
        149,
        "Cross-Doc",
        "In which years was the Bell Rock first lit, argon announced, the International System of Units named, and "
        "the last Apollo crew sent to the Moon?",
        "1811, 1894, 1960 and 1972",
        (
            Ev(APOLLO, "taurus", "on 7 December 1972"),
            Ev(COAST, "bell-rock", "1 February 1811"),
            Ev(ELEMENTS, "argon", "in August 1894"),
            Ev(METRE, "si-name", "General Conference in 1960"),
        ),
        group="g65",
    ),
    Query(
        150,
        "Cross-Doc",
        "Is it true that fewer than twenty men walked on the Moon in Project Apollo? How many were there?",
        "Yes, twelve",
        (Ev(APOLLO, "seats", "Twelve walked on it", 2), Ev(PLANETS, "moon-mass")),
        Gold(
            "U",
            "the magazine answers; the report on the planets gives the mass of the Moon and no visitors",
            corrected=(Ev(APOLLO, "seats", "Twelve walked on it", 2),),
            wrong={"U": ("moon-mass",)},
            note="planet report not needed",
            second_note="second page only about the mass of the Moon",
        ),
        group="g66",
        generator=FROM_IMAGE,
    ),
]
