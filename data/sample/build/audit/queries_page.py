"""Queries whose evidence lies on one page: Page-Single and Page-Multi."""

from __future__ import annotations

from audit.spec import COAST, METRE, PLANETS, Ev, Gold, Query

QUERIES = [
    Query(1, "Page-Single", "Which country received metre bar No. 27 after the conference of 1889, and which kilogram "
          "prototype came with it?", "The United States; kilogram No. 20",
          (Ev(METRE, "prototype-1889", "The United States received bar No. 27", 2),), shown=((METRE, 3),)),
    Query(2, "Page-Single", "According to The Solar System in Figures, what is the escape velocity of Mars in kilometres "
          "per second?", "5.0", (Ev(PLANETS, "bodies", "Escape velocity (km/s) 4.3 10.4 11.2 5.0", 2),)),
    Query(3, "Page-Single", "How far away is the sea horizon, by Bowditch\u2019s rule, for an eye 200 feet above the water?",
          "16.5 nautical miles", (Ev(COAST, "horizon", "16.5", 2),)),
    Query(4, "Page-Single", "What is the value in the table above for the third one?", "500",
          (Ev(COAST, "orders", "third 500", 2),),
          Gold("F", "names neither the document nor the table nor the quantity; \u201cabove\u201d means nothing to a reader of the "
               "query", "What focal length does A Short Companion to the Coast give for a third-order lighthouse lens?",
               remove=True, marks=(0, 1, 0.5, 0), note="\u201cthe table above\u201d: which table, which document?",
               second_note="no document named, \u201cthird one\u201d of what")),
    Query(5, "Page-Single", "How many moons of Jupiter are known, according to The Solar System in Figures?", "95",
          (Ev(PLANETS, "moon-counts", "", 2),),
          Gold("N", "the report says only that the giant planets have many moons; no count for Jupiter is given anywhere in it",
               corrected=(), remove=True, marks=(1, 0, 0.25, 1), note="page says \u201cmany\u201d, no number for Jupiter",
               second_note="searched the report, Jupiter\u2019s moons are not counted"),
          own_words=("95",)),
    Query(6, "Page-Single", "How far apart were the two cylinders on which the metre bar had to rest under the definition of "
          "1927?", "571 millimetres", (Ev(METRE, "michelson", "", 2),),
          Gold("E", "the page is right but the box is round the paragraph on Michelson; the distance stands two paragraphs lower",
               corrected=(Ev(METRE, "support-1927", "571 millimetres apart", 2),), marks=(1, 1, 1, 1),
               wrong={"E": ("michelson",)}, note="box is on the wrong paragraph",
               second_note="the 571 mm are further down, outside the box")),
    Query(7, "Page-Multi", "In which year was the International System of Units given its name, and in which year was the "
          "second defined by caesium-133?", "1960; 1967",
          (Ev(METRE, "si-name", "11th General Conference in 1960"), Ev(METRE, "second-1967", "in 1967")), group="g01"),
    Query(8, "Page-Multi", "By how many kilometres does Saturn\u2019s equatorial radius exceed its polar radius, and in what time "
          "does the planet turn once?", "5904 kilometres; in less than eleven hours",
          (Ev(PLANETS, "radii", "Saturn 60 268 54 364 5904"), Ev(PLANETS, "flattening", "less than eleven hours"))),
    Query(9, "Page-Multi", "How high is the tide raised by the Sun compared with that of the Moon, and how long is it from one "
          "high water to the next on most coasts?", "0.46 times as high; about 12 hours and 25 minutes",
          (Ev(COAST, "tide-cause", "0.46 times as high"), Ev(COAST, "lunar-day", "12 hours and 25 minutes")), shown=((COAST, 6),)),
    Query(10, "Page-Multi", "Which spacecraft was the first to fly past Mercury, and which was the first to orbit it?",
          "Mariner 10; MESSENGER", (Ev(PLANETS, "visits/Mercury", "Mariner 10"),
                                    Ev(PLANETS, "orbiters/Mercury", "MESSENGER"))),
    Query(11, "Page-Multi", "What did they make it of, and what did they decide about it?",
          "An alloy of 90 per cent platinum and 10 per cent iridium; bar No. 6 became the international prototype of the metre",
          (Ev(METRE, "alloy", "90 per cent platinum"), Ev(METRE, "prototype-1889", "bar No. 6")),
          Gold("F", "\u201cthey\u201d and \u201cit\u201d stand for nothing that the query names; it fits any text about making something",
               "Of which alloy were the metre prototypes of the BIPM made, and which bar did the first General Conference "
               "declare the international prototype in 1889?", remove=True, marks=(0, 0.75, 0.25, 1),
               note="who are \u201cthey\u201d? cannot be found without the page",
               second_note="pronouns only, nothing to search for"), own_words=("became",), group="g01"),
    Query(12, "Page-Multi", "Who built the Eddystone lighthouse that was lit in 1759, and in which year was the light on the Bell "
          "Rock first lit?", "John Smeaton; 1811",
          (Ev(COAST, "eddystone", "his light of 1759"), Ev(COAST, "bell-rock", "1 February 1811"))),
]
