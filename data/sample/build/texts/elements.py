"""Chapter 7 of the handbook: the chemical elements, how they were found, ordered and named."""

from __future__ import annotations

from typeset.blocks import Block, Text, TextStyle
from typeset.design import Document
from typeset.flow import Layout, PageInfo
from typeset.fonts import Face
from typeset.surface import GREY
from typeset.tables import Column

from texts import elements_figures as drawn
from texts.elements_data import BOILING, DISCOVERIES, FLAMES, LATIN
from texts.elements_order import second_half
from texts.elements_style import DESIGN, GREEN, L, R, h, p

NOTES = {
    "1": "Lavoisier still counted light and *calorique*, the matter of heat, among the simple substances.",
    "2": "The French name *azote* and the German *Stickstoff* both say that nothing lives in it.",
    "3": "Carl Wilhelm Scheele had made the gas before Priestley, but his book came out only in 1777.",
    "4": "The half-life is the time in which half of the atoms of a sample decay.",
}


def _chrome(page: PageInfo) -> None:
    left, top, right, bottom = page.frame
    label, face = page.label or "", Face("book", "i", 8.4)
    if page.index == 0:
        page.surface.markup((left + right) / 2, bottom + 30, label, Face("book", "", 8.8), anchor="middle")
        return
    y = top - 18
    if page.index % 2:
        page.surface.markup(left, y, label, Face("book", "", 8.8))
        page.surface.markup(right, y, "A Handbook of Measures", face, anchor="right")
    else:
        page.surface.markup(left, y, "7. The elements and their names", face)
        page.surface.markup(right, y, label, Face("book", "", 8.8), anchor="right")
    page.surface.line(left, y + 5.5, right, y + 5.5, stroke=0.4, colour=GREY)


def _opening() -> list[Block]:
    return [
        Text(
            kind="Headline",
            markup="CHAPTER 7",
            style=TextStyle(Face("plain", "", 9.6), 14, align="left", colour=GREY),
            keep_next=True,
            after=4,
        ),
        Text(
            key="title",
            kind="Headline",
            markup="The Elements and Their Names",
            keep_next=True,
            whole=True,
            style=TextStyle(Face("plain", "b", 20), 26, align="left", after=4, colour=GREEN),
        ),
        Text(
            key="lead",
            markup="From a list of thirty-three to a table of one hundred and eighteen: who found the elements, who put them in order, and what "
            "they are called after.",
            style=TextStyle(Face("book", "i", 10), 14.2, align="left", before=8),
            whole=True,
            after=4,
        ),
        h("7.1 What cannot be taken apart"),
        p(
            "For Antoine Lavoisier an element was simply the last thing that analysis reaches. His *Trait\u00e9 "
            "\u00e9l\u00e9mentaire de chimie* of 1789 lists "
            "thirty-three of them.[^1] Some, such as lime and magnesia, turned out to be oxides that no fire of his day could "
            "reduce; but the principle has held.",
            key="lavoisier",
            first=True,
        ),
        p(
            "John Dalton gave the principle a body. In *A New System of Chemical Philosophy*, whose first part "
            "appeared in 1808, each element consists of atoms of "
            "one kind with a weight of their own. He drew them as circles with dots, strokes and letters. J\u00f6ns Jacob Berzelius found "
            "this troublesome to print and in 1813 proposed the letters that we use: one or two from the Latin name.",
            key="dalton",
        ),
        p(
            "Lavoisier and Dalton had no way of telling how many elements there were. When Dmitri Mendeleev made his "
            "table in 1869, sixty-three were known. Today there are "
            "118 with names, and the seven rows of the table are full.",
            key="counts",
        ),
        DESIGN.table(
            "latin",
            "**Table 7.1** Symbols that do not fit the English name.",
            [L, L, Column(wraps=True), R],
            ["Symbol", "Element", "From", "Atomic number"],
            LATIN,
            floats=False,
            note="Tungsten takes its W from German *Wolfram*; all others come from Latin or Latinised Greek.",
        ),
    ]


def _airs() -> list[Block]:
    return [
        h("7.2 Airs and earths"),
        p(
            "The first element whose discoverer we know by name is phosphorus. Hennig Brand of Hamburg, looking for "
            "a way to make gold, boiled down great quantities "
            "of urine in 1669 and obtained a white stuff that glowed in the dark.",
            key="phosphorus",
            first=True,
        ),
        p(
            "The second half of the eighteenth century belongs to the gases. Henry Cavendish described hydrogen as "
            "\u201cinflammable air\u201d in 1766. Daniel Rutherford "
            "of Edinburgh found nitrogen in 1772.[^2] On 1 August 1774 Joseph Priestley heated the red oxide of "
            "mercury with a burning lens and got a gas in "
            "which a candle burned with a remarkably vigorous flame: oxygen.[^3] In the same year Carl Wilhelm "
            "Scheele made chlorine from hydrochloric acid and pyrolusite, "
            "but took it for a compound; Humphry Davy recognised it as an element in 1810 and named it for its pale green.",
            key="gases",
        ),
        p(
            "Ores from mines gave metals. Georg Brandt of Stockholm showed about 1735 that the blue of certain "
            "glasses comes from cobalt, and Axel Cronstedt "
            "found nickel in 1751. Both names are those of goblins whom miners blamed for ore that looked rich and "
            "gave no copper or silver. Martin Heinrich Klaproth "
            "named uranium in 1789 after a planet that had been found eight years earlier.",
            key="goblins",
        ),
        h("Electricity takes apart what fire cannot", 1),
        p(
            "In October 1807 Humphry Davy sent the current of a large battery through molten potash, and small "
            "globules of metal burst into flame: potassium. Sodium followed within days. "
            "In 1808 he added calcium, magnesium, strontium and barium. That made six metals in less than two years, at one bench.",
            key="davy",
            first=True,
        ),
        DESIGN.table(
            "discoveries",
            "**Table 7.2** Some discoveries, by year.",
            [R, L, Column(wraps=True), L],
            ["Year", "Element", "Found by", "Place"],
            DISCOVERIES,
            splits_after=(4, 9, 14),
        ),
        DESIGN.figure(
            "growth",
            158,
            drawn.growth,
            "**Figure 7.1** Number of elements in Table 7.2 found in each half century. The table is a choice, so the columns "
            "show its contents and not the whole history.",
            numbers="; ".join(f"{span}: {count}" for span, count in drawn.counts().items()),
        ),
    ]


def _spectrum() -> list[Block]:
    return [
        h("7.3 Colours in the flame"),
        p(
            "Robert Bunsen and Gustav Kirchhoff of Heidelberg saw in 1859 that every element, heated in a clean "
            "flame, sends out lines of light in places of its own. A "
            "trace too small for any balance shows itself. Within two years they had found two new metals by their lines: caesium in 1860, in "
            "mineral water from D\u00fcrkheim, and rubidium in 1861, in the mineral lepidolite. Both names are Latin "
            "words for colours, *caesius* for "
            "sky blue and *rubidus* for dark red.",
            key="spectroscope",
            first=True,
        ),
        p(
            "William Crookes found thallium in 1861 by a bright green line and named it after a green twig. Indium, "
            "found by Ferdinand Reich and Theodor Richter at Freiberg in 1863, has "
            "its name from an indigo line. Reich was colour-blind and had to ask Richter what he saw.",
            key="thallium",
        ),
        DESIGN.table(
            "flames",
            "**Table 7.3** Flame colours of six metals.",
            [L, L, Column(wraps=True)],
            ["Metal", "Symbol", "Colour of the flame"],
            FLAMES,
        ),
        p(
            "Helium was found in the Sun before it was found on the Earth. At the eclipse of 18 August 1868 a yellow "
            "line was seen that did not agree with the double line of sodium; Jules Janssen and "
            "Norman Lockyer share the credit, and Lockyer gave the name. William Ramsay found the same line in 1895 "
            "in the gas that a uranium mineral, "
            "cleveite, gives off in acid.",
            key="helium",
        ),
        h("The idle gases", 1),
        p(
            "Lord Rayleigh weighed nitrogen and noticed that nitrogen from the air is heavier than nitrogen from "
            "ammonia, by about one part in two hundred. He and Ramsay announced argon in August 1894. With Morris "
            "Travers "
            "Ramsay then distilled liquid air and found krypton, neon and xenon, all three in 1898. In 1904 both men "
            "received a Nobel Prize, Rayleigh for physics and Ramsay for "
            "chemistry.",
            key="argon",
            first=True,
        ),
        DESIGN.table(
            "noble",
            "**Table 7.4** The noble gases: boiling point, and share in dry air by volume.",
            [Column(wraps=True), R, R, L],
            ["Gas", "Atomic number", "Boiling point (\u00b0C)", "Share in dry air"],
            BOILING,
            floats=False,
        ),
    ]


def document() -> Document:
    """The chapter: page images in PNG, printed 121 onwards."""
    layout = Layout(
        width=498.9,
        height=708.7,
        margins=(66, 78, 62, 74),
        kerned=True,
        mirrored=True,
        labels=[str(number) for number in range(121, 134)],
        chrome=_chrome,
        note_style=TextStyle(Face("book", "", 7.6), 10.0, align="justify"),
        notes=NOTES,
    )
    blocks = [*_opening(), *_airs(), *_spectrum(), *second_half()]
    return Document(
        "elements-chapter",
        "Handbook",
        "Chemistry",
        "The Elements and Their Names (A Handbook of Measures, chapter 7)",
        "png",
        1160,
        layout,
        blocks,
    )
