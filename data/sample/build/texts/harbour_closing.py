"""The back of the harbour yearbook: the decade in summary, dues, an exercise, words."""

from __future__ import annotations

from typeset.blocks import Block, Break
from typeset.tables import Column

from texts import harbour_figures as drawn
from texts import harbour_model as model
from texts.harbour_style import DESIGN, L, R, h, p


def _sums(year: int) -> dict[str, int]:
    return {what: sum(model.month_list(year, what)) for what in ("ships", "cargo", "passengers")}


def summaries() -> list[Block]:
    """Pages 21 to 25."""
    years = [[str(year), *(model.spaced(value) for value in _sums(year).values())] for year in model.YEARS]
    grid = [
        [name, *(str(model.ships(year, month)) for year in model.YEARS)]
        for month, name in enumerate(model.MONTHS, start=1)
    ]
    kinds = [[str(year), *(str(model.kind_share(year, kind)) for kind in range(4))] for year in model.YEARS]
    march = [
        [str(year), f"{model.spring_range(year, 3):.2f}", f"{model.spring_range(year, 6):.2f}"] for year in model.YEARS
    ]
    first, last = _sums(2011), _sums(2020)
    return [
        Break(),
        h("The decade in one table"),
        DESIGN.table(
            "decade",
            "**Table D.1** Ships, cargo and passengers by year.",
            [Column(wraps=True), R, R, R],
            ["Year", "Ships", "Cargo (1000 t)", "Passengers"],
            years,
            floats=False,
        ),
        DESIGN.figure(
            "decade-chart",
            190,
            drawn.decade,
            "**Figure D.1** Ships (columns) and passengers (line) by year.",
            floats=False,
            numbers=" ".join(f"{year} {_sums(year)['ships']} ships" for year in model.YEARS),
        ),
        p(
            f"From the first year to the last the number of ships grew from {model.spaced(first['ships'])} to "
            f"{model.spaced(last['ships'])}. The cargo grew faster, "
            "because by rule 2 the load of a ship rises from year to year.",
            key="growth",
            first=True,
        ),
        Break(landscape=True),
        h("All months, all years"),
        DESIGN.table(
            "grid",
            "**Table D.2** Ships that arrived, by month and year.",
            [Column(wraps=True), *([R] * 10)],
            ["Month", *(str(year) for year in model.YEARS)],
            grid,
            floats=False,
        ),
        p(
            "The table repeats the columns of the ten tables of traffic, so that a month can be followed through the decade.",
            key="grid-text",
            first=True,
        ),
        Break(),
        h("Kinds of cargo"),
        DESIGN.table(
            "kinds",
            "**Table D.3** Cargo by kind, in per cent of the weight.",
            [Column(wraps=True), R, R, R, R],
            ["Year", *(name.capitalize() for name in model.KINDS)],
            kinds,
            floats=False,
        ),
        DESIGN.figure("kinds-chart", 210, drawn.shares, "**Figure D.2** Cargo by kind.", floats=False),
        p(
            "Timber loses one per cent of the cargo every year. Salt has kept its fifth, give or take a per cent or two.",
            key="timber",
            first=True,
        ),
        Break(),
        h("Berths"),
        p(
            "Four berths take ships. Their length and depth have not changed since the dredging of 2013.",
            key="berths-text",
            first=True,
        ),
        DESIGN.table(
            "berth-list",
            "**Table D.4** The berths.",
            [Column(wraps=True), R, R, L],
            ["Berth", "Length (m)", "Depth (m)", "Built for"],
            [
                ["North Quay", "240", "9.5", "grain and machinery"],
                ["Bell Quay", "180", "8.0", "general cargo"],
                ["Timber Basin", "310", "7.2", "timber"],
                ["Ferry Pier", "95", "5.5", "the island ferry"],
            ],
            floats=False,
            note="Depths below chart datum.",
        ),
        p(
            "The pilot boards ships of more than 60 metres at the fairway buoy. In fog the signal on the western breakwater gives two blasts every "
            "thirty seconds.",
            key="pilotage",
        ),
        p(
            "The harbour light shows *Fl(2) R 10s*, two red flashes every ten seconds, from a height of 14 metres. It is seen at eleven nautical "
            "miles.",
            key="harbour-light",
        ),
        Break(),
        h("The slow wave"),
        p(
            "The orbit of the Moon tilts to and fro with a period of 18.6 years, and the tides follow. Rule 4 imitates it with a wave of 0.15 metres "
            "whose crest is in 2015. This much of the book is true to nature: the real sea has such a wave, though "
            "its size differs from place to place.",
            key="slow-wave",
            first=True,
        ),
        DESIGN.table(
            "march-june",
            "**Table D.5** Range of springs in March and in June, in metres.",
            [Column(wraps=True), R, R],
            ["Year", "March", "June"],
            march,
            floats=False,
        ),
        DESIGN.figure(
            "nodes", 170, drawn.nodes, "**Figure D.3** Range of springs in March, 2011 to 2020.", floats=False
        ),
    ]


def appendix() -> list[Block]:
    """Pages 26 to 28."""
    return [
        Break(),
        h("Dues"),
        p(
            "Dues are paid in *larks*, a coin that circulates only in this book. They are charged by length and by "
            "the day; part of a day counts as a whole one.",
            key="larks",
            first=True,
        ),
        DESIGN.table(
            "dues",
            "**Table D.6** Dues in larks by length of ship.",
            [Column(wraps=True), R, R],
            ["Length", "First day", "Further day"],
            [
                ["up to 40 m", "120", "60"],
                ["over 40 to 80 m", "260", "130"],
                ["over 80 to 140 m", "540", "270"],
                ["over 140 m", "900", "450"],
            ],
            floats=False,
        ),
        p(
            "A ship that leaves on the day of her arrival pays half the due of the first day. Ships of the lifeboat service pay nothing.",
            key="half-due",
        ),
        p("Timber that lies in the basin for more than ten days pays 4 larks a tonne.", key="timber-due"),
        Break(),
        h("An exercise: the forecast"),
        p(
            "The table below is **an exercise and no forecast**. It is written in the form of a forecast for "
            "shipping, for five sea areas that do not exist.",
            key="exercise",
            first=True,
        ),
        DESIGN.table(
            "forecast",
            "**Table D.7** Exercise: five areas, one day.",
            [Column(wraps=True), L, L, L, R],
            ["Area", "Wind", "Weather", "Visibility", "Pressure (hPa)"],
            [
                ["Larkmouth", "SW 4 to 5", "showers", "good", "1008"],
                ["Heron Bank", "W 6, later 7", "rain", "moderate", "1002"],
                ["Salt Deep", "NW 8", "squalls", "poor", "994"],
                ["Far Skerry", "N 9", "snow", "very poor", "988"],
                ["Gannet", "variable 2", "fog", "very poor", "1021"],
            ],
            floats=False,
        ),
        *DESIGN.items(
            "Which areas have a gale warning, if warnings begin at force 8?",
            "Between which two areas is the pressure difference largest?",
            "Where would you hear the fog signal?",
            key="question",
            numbered=True,
        ),
        p(
            "The answers are Salt Deep and Far Skerry; Far Skerry and Gannet, with 33 hectopascals; and Gannet.",
            key="answers",
            first=True,
        ),
        Break(),
        h("Words"),
        p(
            "*Chart datum:* the level from which depths and heights of tide are counted. *Springs:* the tides of "
            "large range at new and full moon. *Neaps:* those of small "
            "range at the quarters. *Due:* what a ship pays for the use of the harbour.",
            key="words",
            first=True,
        ),
        h("Notes on the making"),
        p(
            "The yearbook was written and computed for a sample of documents for practising. Its only outside source "
            "is common knowledge about the tide, as found in "
            "D. Pugh and P. Woodworth, *Sea-Level Science*, Cambridge University Press, 2014. Whoever finds a number "
            "that does not follow from the rules has found "
            "a mistake.",
            key="making",
            first=True,
        ),
    ]
