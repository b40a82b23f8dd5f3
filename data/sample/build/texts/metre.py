"""Chapter 3 of a handbook of measures: the metre, the Metre Convention and the SI."""

from __future__ import annotations

from typeset.blocks import Block, Text, TextStyle
from typeset.design import Document
from typeset.flow import Layout, PageInfo
from typeset.fonts import Face
from typeset.surface import GREY
from typeset.tables import Column

from texts import metre_figures as drawn
from texts.metre_style import DESIGN, L, R, h, p
from texts.metre_system import second_half

NOTES = {
    "1": "The name *m\u00e8tre* comes from the Greek *metron*, a measure.",
    "2": "Modern geodesy puts the quadrant at about 10~001.97~km, so that the metre of 1799 came out about 0.2~mm "
    "short of its own definition.",
    "3": "The amending convention of 6 October 1921 widened the task to other units of measurement.",
    "4": "The digits in brackets after a value give its standard uncertainty in the last digits shown.",
    "5": "From 1901 to 1964 the litre was instead the volume of a kilogram of water, about 1.000~028~dm^{3}.",
}


def _chrome(page: PageInfo) -> None:
    left, top, right, bottom = page.frame
    label = page.label or ""
    face = Face("serif", "i", 9.2)
    if page.index == 0:
        page.surface.markup((left + right) / 2, bottom + 30, label, Face("serif", "", 9.6), anchor="middle")
        return
    y = top - 18
    if page.index % 2:
        page.surface.markup(left, y, label, Face("serif", "", 9.6))
        page.surface.markup(right, y, "A Handbook of Measures", face, anchor="right")
    else:
        page.surface.markup(left, y, "3. The metre and the constants of nature", face)
        page.surface.markup(right, y, label, Face("serif", "", 9.6), anchor="right")
    page.surface.line(left, y + 5.5, right, y + 5.5, stroke=0.4, colour=GREY)


def _opening() -> list[Block]:
    title = TextStyle(Face("sans", "b", 21), 26, align="left", after=4)
    over = TextStyle(Face("sans", "", 10), 14, before=0, align="left", colour=GREY)
    lead = TextStyle(Face("serif", "i", 11), 14.6, align="left", before=10)
    return [
        Text(kind="Headline", markup="CHAPTER 3", style=over, keep_next=True, after=4),
        Text(
            key="title",
            kind="Headline",
            markup="The Metre and the Constants of~Nature",
            style=title,
            keep_next=True,
            whole=True,
        ),
        Text(
            key="lead",
            markup="How a length taken from the Earth became a bar of platinum, then a count of "
            "wavelengths, and at last a number fixed for the speed of light.",
            style=lead,
            whole=True,
            after=4,
        ),
        h("3.1 Before the metre"),
        p(
            "Until the end of the eighteenth century France had no single measure of length. The royal foot of Paris, "
            "the *pied du roi*, was the best defined of many: its parent was an iron bar, the *toise*, fixed in a wall "
            "of the Ch\u00e2telet in Paris, against which merchants and masons could compare their rules. A better copy, the "
            "*toise du P\u00e9rou*, had been carried to the equator in 1735 to measure an arc of the meridian there, and "
            "became the legal standard of the kingdom in 1766.",
            key="toise",
            first=True,
        ),
        p(
            "The foot was divided by twelve and by twelve again, as Table 3.1 shows. Reckoning with such units was "
            "slow, and the same word meant another length in the next province. A measure \u201cfor all people, for all "
            "time\u201d, taken from nature and divided by tens, was one of the things the reformers of 1790 asked for."
        ),
        DESIGN.table(
            "paris-units",
            "**Table 3.1** Units of length of the old Paris system, with their lengths in millimetres.",
            [L, Column(wraps=True), R],
            ["Unit", "Made up of", "Length (mm)"],
            [
                ["toise", "6 pieds", "1949.04"],
                ["pied du roi", "12 pouces", "324.84"],
                ["pouce", "12 lignes", "27.07"],
                ["ligne", "1/12 of a pouce", "2.256"],
            ],
            note="Computed from the legal relation of 1799: 1 metre = 443.296 lignes.",
            floats=False,
        ),
    ]


def _survey() -> list[Block]:
    return [
        h("3.2 A ten-millionth of the quadrant"),
        p(
            "In March 1791 the Academy of Sciences proposed, and the National Assembly accepted, that the new unit should "
            "be one ten-millionth of the distance from the North Pole to the equator.[^1] The alternative, the length of "
            "a pendulum that beats seconds, was rejected because it depends on the place and on the second.",
            key="assembly",
            first=True,
        ),
        p(
            "Nobody could measure the whole quadrant. Two astronomers were sent to survey a part of it: Jean-Baptiste "
            "Delambre took the northern stretch, from Dunkirk to Rodez, and Pierre M\u00e9chain the southern, from Rodez to "
            "Barcelona. Both ends of the arc lie at sea level and on nearly the same meridian, that of Paris. The work "
            "began in 1792 and lasted until 1798, through revolution and war; both men were arrested more than once by "
            "people who took their signals for those of spies.",
            key="survey",
        ),
        DESIGN.figure(
            "meridian",
            152,
            drawn.meridian,
            "**Figure 3.1** The quadrant of the meridian, ten million metres by intention (left), and the arc "
            "surveyed from 1792 to 1798 (right). Latitudes are rounded to whole degrees.",
            numbers="Dunkirk 51 Paris 49 Rodez 44 Barcelona 41",
        ),
        p(
            "A provisional metre of 443.44 lignes, from older surveys, was decreed on 1 August 1793. The names *metre*, "
            "*are*, *litre* and *gram* became law on 7 April 1795. When the survey was reduced, the definitive metre came "
            "out a little shorter than the provisional one, at 443.296 lignes.[^2] A bar and a cylinder of platinum that "
            "realised the metre and the kilogram were deposited in the Archives of the Republic on 22 June 1799.",
            key="definitive",
        ),
        p(
            "The new measures were slow to win the public. A law of 4 July 1837 at last made them the only legal ones in "
            "France, from 1 January 1840.",
            key="compulsory",
        ),
    ]


def _convention() -> list[Block]:
    return [
        h("3.3 The Metre Convention"),
        p(
            "By the 1860s scientists in many countries used the metric system, and geodesists wanted one bar to which all "
            "surveys could be referred. A diplomatic conference in Paris ended on 20 May 1875 with the signing of the "
            "Metre Convention by seventeen states.[^3] It set up three bodies that still do their work:",
            key="signing",
            first=True,
        ),
        *DESIGN.items(
            "the *General Conference on Weights and Measures* (CGPM), the meeting of delegates of the member states, "
            "which decides on definitions;",
            "the *International Committee for Weights and Measures* (CIPM), which directs the work between conferences;",
            "the *International Bureau of Weights and Measures* (BIPM), a laboratory in the Pavillon de Breteuil, on "
            "the edge of the park of Saint-Cloud at S\u00e8vres near Paris.",
            key="bodies",
        ),
        p(
            "The Bureau\u2019s first great task was a set of new prototypes. They were made of an alloy of 90 per cent "
            "platinum and 10 per cent iridium, harder than pure platinum and hardly touched by air. The metre bars were "
            "given a cross-section like an X, designed by Henri Tresca so that the bar is stiff for its weight and the "
            "graduated face lies where bending changes its length least.",
            key="alloy",
        ),
        p(
            "In 1889 the first General Conference declared bar No.~6 the international prototype of the metre: the "
            "distance between two lines on it, at the temperature of melting ice, was now the metre. The other "
            "bars went to the member states by lot. The United States received bar No.~27 and, among the kilograms, "
            "No.~20.",
            key="prototype-1889",
        ),
        p(
            "The international prototype of the kilogram, a cylinder 39 millimetres high and as wide as it is high, "
            "stayed the definition of mass for 130 years, longer than any other artefact of the system.",
            key="kilogram",
        ),
    ]


def _definitions() -> list[Block]:
    rows = [
        ["1791", "one ten-millionth of the quadrant of the meridian", "National Assembly"],
        ["1799", "distance between the ends of the platinum bar of the Archives", "law of 10 December 1799"],
        ["1889", "distance between two lines on the platinum\u2013iridium bar No.~6, at 0~\u00b0C", "1st CGPM"],
        ["1927", "as in 1889, with air pressure and support of the bar laid down", "7th CGPM"],
        ["1960", "1~650~763.73 wavelengths in vacuum of an orange line of krypton-86", "11th CGPM"],
        ["1983", "path of light in vacuum in 1/299~792~458 of a second", "17th CGPM"],
        ["2019", "same length, worded by the fixed value of *c*", "26th CGPM (2018)"],
    ]
    return [
        h("3.4 One length, many definitions"),
        p(
            "A definition by an artefact has two faults. The artefact may change, and everyone else must travel to it. Each "
            "step in Table 3.2 was taken when a better way of realising the metre had shown itself, and each was chosen "
            "so that the new metre agreed with the old as well as the old could be known.",
            first=True,
        ),
        DESIGN.table(
            "metre-definitions",
            "**Table 3.2** Definitions of the metre and the bodies that adopted them.",
            [L, Column(wraps=True), L],
            ["Year", "Definition", "Adopted by"],
            rows,
            rules=True,
        ),
        p(
            "The bar of 1889 could be read to about a fifth of a micrometre. In 1893 Albert Michelson, working at the "
            "Bureau, compared it with the red line of cadmium and so showed that a metre could be counted out in waves of "
            "light. It took until 1960 for a wavelength, that of krypton-86, to replace the bar.",
            key="michelson",
        ),
        p(
            "Lasers then made the krypton lamp look coarse. Since the frequency of a laser and its wavelength multiply "
            "to the speed of light, the simplest course was to fix that speed. The 17th General Conference did so in "
            "1983, and the metre has since been tied to the second.",
            key="laser",
        ),
        p(
            "The definition of 1927 is the most homely of them: the bar was to rest on two cylinders at least one "
            "centimetre thick, placed evenly in one horizontal plane 571 millimetres apart.",
            key="support-1927",
        ),
    ]


def document() -> Document:
    """The chapter: page images, nine pages printed 41 to 49."""
    layout = Layout(
        width=498.9,
        height=708.7,
        margins=(70, 80, 66, 74),
        kerned=True,
        mirrored=True,
        labels=[str(number) for number in range(41, 50)],
        chrome=_chrome,
        note_style=TextStyle(Face("serif", "", 8.2), 10.0, align="justify"),
        notes=NOTES,
    )
    blocks = [
        *_opening(),
        *_survey(),
        *_convention(),
        *_definitions(),
        *second_half(),
    ]
    return Document(
        "metre-chapter",
        "Handbook",
        "Metrology",
        "The Metre and the Constants of Nature (A Handbook of Measures, chapter 3)",
        "png",
        1240,
        layout,
        blocks,
    )
