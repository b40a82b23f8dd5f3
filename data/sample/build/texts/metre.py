"""Chapter 3 of a handbook of measures: the metre, the Metre Convention and the SI."""

from __future__ import annotations

from typeset.blocks import Block, Text, TextStyle
from typeset.design import Design, Document
from typeset.flow import Layout, PageInfo
from typeset.fonts import Face
from typeset.surface import GREY
from typeset.tables import Column

from texts import metre_figures as drawn

BODY = TextStyle(Face("serif", "", 10.7), 14.4, first=13.0)
DESIGN = Design(
    body=BODY,
    heads=[TextStyle(Face("sans", "b", 11.8), 15.6, before=15.0, after=3.5, align="left"),
           TextStyle(Face("sans", "bi", 9.4), 13.0, before=9.0, after=3.0, align="left")],
    caption=TextStyle(Face("sans", "", 8.3), 11.0, align="left", before=5.0),
    small=TextStyle(Face("serif", "", 8.4), 10.4, align="left"),
    table_face=Face("sans", "", 8.3), table_leading=11.4)
p, h = DESIGN.para, DESIGN.head
L, R = Column(), Column("right")

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
        Text(key="title", kind="Headline", markup="The Metre and the Constants of~Nature", style=title, keep_next=True,
             whole=True),
        Text(key="lead", markup="How a length taken from the Earth became a bar of platinum, then a count of "
             "wavelengths, and at last a number fixed for the speed of light.", style=lead, whole=True, after=4),
        h("3.1 Before the metre"),
        p("Until the end of the eighteenth century France had no single measure of length. The royal foot of Paris, "
          "the *pied du roi*, was the best defined of many: its parent was an iron bar, the *toise*, fixed in a wall "
          "of the Ch\u00e2telet in Paris, against which merchants and masons could compare their rules. A better copy, the "
          "*toise du P\u00e9rou*, had been carried to the equator in 1735 to measure an arc of the meridian there, and "
          "became the legal standard of the kingdom in 1766.", key="toise", first=True),
        p("The foot was divided by twelve and by twelve again, as Table 3.1 shows. Reckoning with such units was "
          "slow, and the same word meant another length in the next province. A measure \u201cfor all people, for all "
          "time\u201d, taken from nature and divided by tens, was one of the things the reformers of 1790 asked for."),
        DESIGN.table("paris-units", "**Table 3.1** Units of length of the old Paris system, with their lengths in "
                     "millimetres.", [L, Column(wraps=True), R], ["Unit", "Made up of", "Length (mm)"], [
                         ["toise", "6 pieds", "1949.04"], ["pied du roi", "12 pouces", "324.84"],
                         ["pouce", "12 lignes", "27.07"], ["ligne", "1/12 of a pouce", "2.256"]],
                     note="Computed from the legal relation of 1799: 1 metre = 443.296 lignes.", floats=False),
    ]


def _survey() -> list[Block]:
    return [
        h("3.2 A ten-millionth of the quadrant"),
        p("In March 1791 the Academy of Sciences proposed, and the National Assembly accepted, that the new unit should "
          "be one ten-millionth of the distance from the North Pole to the equator.[^1] The alternative, the length of "
          "a pendulum that beats seconds, was rejected because it depends on the place and on the second.",
          key="assembly", first=True),
        p("Nobody could measure the whole quadrant. Two astronomers were sent to survey a part of it: Jean-Baptiste "
          "Delambre took the northern stretch, from Dunkirk to Rodez, and Pierre M\u00e9chain the southern, from Rodez to "
          "Barcelona. Both ends of the arc lie at sea level and on nearly the same meridian, that of Paris. The work "
          "began in 1792 and lasted until 1798, through revolution and war; both men were arrested more than once by "
          "people who took their signals for those of spies.", key="survey"),
        DESIGN.figure("meridian", 152, drawn.meridian, "**Figure 3.1** The quadrant of the meridian, ten million metres by intention (left), and the arc "
                      "surveyed from 1792 to 1798 (right). Latitudes are rounded to whole degrees.",
                      numbers="Dunkirk 51 Paris 49 Rodez 44 Barcelona 41"),
        p("A provisional metre of 443.44 lignes, from older surveys, was decreed on 1 August 1793. The names *metre*, "
          "*are*, *litre* and *gram* became law on 7 April 1795. When the survey was reduced, the definitive metre came "
          "out a little shorter than the provisional one, at 443.296 lignes.[^2] A bar and a cylinder of platinum that "
          "realised the metre and the kilogram were deposited in the Archives of the Republic on 22 June 1799.",
          key="definitive"),
        p("The new measures were slow to win the public. A law of 4 July 1837 at last made them the only legal ones in "
          "France, from 1 January 1840.", key="compulsory"),
    ]


def _convention() -> list[Block]:
    return [
        h("3.3 The Metre Convention"),
        p("By the 1860s scientists in many countries used the metric system, and geodesists wanted one bar to which all "
          "surveys could be referred. A diplomatic conference in Paris ended on 20 May 1875 with the signing of the "
          "Metre Convention by seventeen states.[^3] It set up three bodies that still do their work:", key="signing",
          first=True),
        *DESIGN.items(
            "the *General Conference on Weights and Measures* (CGPM), the meeting of delegates of the member states, "
            "which decides on definitions;",
            "the *International Committee for Weights and Measures* (CIPM), which directs the work between conferences;",
            "the *International Bureau of Weights and Measures* (BIPM), a laboratory in the Pavillon de Breteuil, on "
            "the edge of the park of Saint-Cloud at S\u00e8vres near Paris.", key="bodies"),
        p("The Bureau\u2019s first great task was a set of new prototypes. They were made of an alloy of 90 per cent "
          "platinum and 10 per cent iridium, harder than pure platinum and hardly touched by air. The metre bars were "
          "given a cross-section like an X, designed by Henri Tresca so that the bar is stiff for its weight and the "
          "graduated face lies where bending changes its length least.", key="alloy"),
        p("In 1889 the first General Conference declared bar No.~6 the international prototype of the metre: the "
          "distance between two lines on it, at the temperature of melting ice, was now the metre. The other "
          "bars went to the member states by lot. The United States received bar No.~27 and, among the kilograms, "
          "No.~20.", key="prototype-1889"),
        p("The international prototype of the kilogram, a cylinder 39 millimetres high and as wide as it is high, "
          "stayed the definition of mass for 130 years, longer than any other artefact of the system.", key="kilogram"),
    ]


def _definitions() -> list[Block]:
    rows = [["1791", "one ten-millionth of the quadrant of the meridian", "National Assembly"],
            ["1799", "distance between the ends of the platinum bar of the Archives", "law of 10 December 1799"],
            ["1889", "distance between two lines on the platinum\u2013iridium bar No.~6, at 0~\u00b0C", "1st CGPM"],
            ["1927", "as in 1889, with air pressure and support of the bar laid down", "7th CGPM"],
            ["1960", "1~650~763.73 wavelengths in vacuum of an orange line of krypton-86", "11th CGPM"],
            ["1983", "path of light in vacuum in 1/299~792~458 of a second", "17th CGPM"],
            ["2019", "same length, worded by the fixed value of *c*", "26th CGPM (2018)"]]
    return [
        h("3.4 One length, many definitions"),
        p("A definition by an artefact has two faults. The artefact may change, and everyone else must travel to it. Each "
          "step in Table 3.2 was taken when a better way of realising the metre had shown itself, and each was chosen "
          "so that the new metre agreed with the old as well as the old could be known.", first=True),
        DESIGN.table("metre-definitions", "**Table 3.2** Definitions of the metre and the bodies that adopted them.",
                     [L, Column(wraps=True), L], ["Year", "Definition", "Adopted by"], rows, rules=True),
        p("The bar of 1889 could be read to about a fifth of a micrometre. In 1893 Albert Michelson, working at the "
          "Bureau, compared it with the red line of cadmium and so showed that a metre could be counted out in waves of "
          "light. It took until 1960 for a wavelength, that of krypton-86, to replace the bar.", key="michelson"),
        p("Lasers then made the krypton lamp look coarse. Since the frequency of a laser and its wavelength multiply "
          "to the speed of light, the simplest course was to fix that speed. The 17th General Conference did so in "
          "1983, and the metre has since been tied to the second.", key="laser"),
        p("The definition of 1927 is the most homely of them: the bar was to rest on two cylinders at least one "
          "centimetre thick, placed evenly in one horizontal plane 571 millimetres apart.", key="support-1927"),
    ]


def _system() -> list[Block]:
    c = Column("left")
    rows = [["second", "s", "caesium frequency \u0394\u03bd_{Cs}", "9~192~631~770~Hz"],
            ["metre", "m", "speed of light in vacuum *c*", "299~792~458~m~s^{\u22121}"],
            ["kilogram", "kg", "Planck constant *h*", "6.626~070~15 \u00d7 10^{\u221234}~J~s"],
            ["ampere", "A", "elementary charge *e*", "1.602~176~634 \u00d7 10^{\u221219}~C"],
            ["kelvin", "K", "Boltzmann constant *k*", "1.380~649 \u00d7 10^{\u221223}~J~K^{\u22121}"],
            ["mole", "mol", "Avogadro constant *N*_{A}", "6.022~140~76 \u00d7 10^{23}~mol^{\u22121}"],
            ["candela", "cd", "luminous efficacy *K*_{cd}", "683~lm~W^{\u22121}"]]
    return [
        h("3.5 The International System"),
        p("The name *International System of Units*, with the abbreviation SI in all languages, was given by the 11th "
          "General Conference in 1960. The system then had six base units: metre, kilogram, second, ampere, degree "
          "Kelvin and candela. The mole was added as the seventh by the 14th Conference in 1971.", key="si-name",
          first=True),
        p("Time left the sky in 1967, when the 13th Conference defined the second by 9~192~631~770 periods of the "
          "radiation between two levels of the ground state of caesium-133. The candela was redefined in 1979 by a "
          "radiation of frequency 540~\u00d7~10^{12}~Hz, to which the eye is almost most sensitive.", key="second-1967"),
        DESIGN.table("si-base", "**Table 3.3** The seven base units of the SI and their defining constants, whose values "
                     "are exact since 20 May 2019.", [c, c, Column(wraps=True), Column("left")],
                     ["Unit", "Symbol", "Defining constant", "Exact value"], rows),
        p("On 16 November 2018 the 26th General Conference, meeting at Versailles, voted to define all units by seven "
          "constants with fixed values. The change came into force on World Metrology Day, 20 May 2019, the anniversary "
          "of the signing of the Metre Convention. The kilogram, the ampere, the kelvin and the mole received "
          "new definitions; the other three only new wordings.", key="revision"),
        DESIGN.figure("units-wheel", 226, drawn.constants_and_units, "**Figure 3.2** Base units (inner ring) and their "
                      "defining constants (outer ring). An arrow from one unit to another means that the definition of "
                      "the second rests on the first.",
                      numbers="arrows: s to m, s to kg, m to kg, s to A, s to K, m to K, kg to K, s to cd, m to cd, kg to cd"),
        p("Figure 3.2 shows how the definitions depend on each other. The second stands alone. The metre needs the "
          "second, and the kilogram both, because the Planck constant is stated in joule seconds. The ampere needs only "
          "the second. The mole depends on nothing: it is a number of entities.", key="dependence"),
    ]


def _constants() -> list[Block]:
    rows = [["Newtonian constant of gravitation", "*G*", "6.674~30(15) \u00d7 10^{\u221211}", "m^{3}~kg^{\u22121}~s^{\u22122}"],
            ["fine-structure constant, inverse", "\u03b1^{\u22121}", "137.035~999~084(21)", ""],
            ["electron mass", "*m*_{e}", "9.109~383~7015(28) \u00d7 10^{\u221231}", "kg"],
            ["proton mass", "*m*_{p}", "1.672~621~923~69(51) \u00d7 10^{\u221227}", "kg"],
            ["proton\u2013electron mass ratio", "*m*_{p}/*m*_{e}", "1836.152~673~43(11)", ""],
            ["atomic mass constant", "*m*_{u}", "1.660~539~066~60(50) \u00d7 10^{\u221227}", "kg"],
            ["Bohr radius", "*a*_{0}", "5.291~772~109~03(80) \u00d7 10^{\u221211}", "m"],
            ["Rydberg constant", "*R*_{\u221e}", "10~973~731.568~160(21)", "m^{\u22121}"],
            ["vacuum magnetic permeability", "\u03bc_{0}", "1.256~637~062~12(19) \u00d7 10^{\u22126}", "N~A^{\u22122}"]]
    return [
        h("3.6 Constants that are still measured"),
        p("Fixing seven constants leaves all others to experiment. Every four years the Task Group on Fundamental "
          "Constants of CODATA adjusts the results of many laboratories to one consistent set. Table 3.4 takes some "
          "values from the adjustment of 2018.[^4]", key="codata", first=True),
        DESIGN.table("codata-2018", "**Table 3.4** Some recommended values of the CODATA adjustment of 2018.",
                     [Column(wraps=True), L, L, L], ["Quantity", "Symbol", "Value", "Unit"], rows),
        p("The magnetic permeability of the vacuum is a newcomer to this table. Until 2019 it was exactly 4\u03c0~\u00d7~10"
          "^{\u22127}~N~A^{\u22122}, because the ampere was defined by the force between two wires; now that the charge of "
          "the electron is fixed, the permeability must be measured.", key="permeability"),
        DESIGN.figure("uncertainty", 132, drawn.uncertainty_bars, "**Figure 3.3** Relative standard uncertainty of five "
                      "constants in the CODATA adjustment of 2018. The scale is logarithmic: each division is a factor "
                      "of ten.", numbers="2.2 x 10^-5; 3.0 x 10^-10; 1.5 x 10^-10; 6.0 x 10^-11; 1.9 x 10^-12"),
        p("The constants differ widely in how well they are known. The Rydberg constant, from the spectrum of hydrogen, "
          "is the best of those in Figure 3.3. The constant of gravitation is by far the worst, since gravity between "
          "bodies that fit in a laboratory is so feeble and cannot be screened.", key="best-worst"),
    ]


def _realising() -> list[Block]:
    rows = [["mass of the international prototype of the kilogram", "1~kg", "1.0 \u00d7 10^{\u22128}"],
            ["permeability of the vacuum", "4\u03c0 \u00d7 10^{\u22127}~H~m^{\u22121}", "2.3 \u00d7 10^{\u221210}"],
            ["temperature of the triple point of water", "273.16~K", "3.7 \u00d7 10^{\u22127}"],
            ["molar mass of carbon-12", "0.012~kg~mol^{\u22121}", "4.5 \u00d7 10^{\u221210}"]]
    return [
        h("3.7 From the constant to the balance pan"),
        p("A fixed number does not weigh anything. A national laboratory still needs an experiment that leads from "
          "the Planck constant to a piece of metal. Two are in use. In the *Kibble balance*, first proposed by Bryan "
          "Kibble of the National Physical Laboratory in 1975, the weight of a body is balanced by the force on a coil "
          "that carries a current in a magnetic field, and the electrical power is measured by quantum effects that "
          "contain *h*.", key="kibble", first=True),
        p("The other way is to count atoms. A sphere of about one kilogram is ground from a crystal of silicon-28; "
          "its volume and the spacing of its atoms are measured with light and X-rays, and the number of atoms follows. "
          "Before the vote of 2018 the two methods had to agree, and they did.", key="silicon"),
        DESIGN.table("former-exact", "**Table 3.5** Quantities that were exact before 20 May 2019, with the relative "
                     "standard uncertainty that they took over on that day.", [Column(wraps=True), L, L],
                     ["Quantity", "Former exact value", "Uncertainty"], rows),
        p("What was exact before had to become uncertain. Table 3.5 lists the four quantities that changed sides. Their "
          "values stayed the same within these uncertainties, so that no thermometer, weight or instrument had to be "
          "altered on the day.", key="changed-sides"),
    ]


def _prefixes() -> list[Block]:
    rows = [["1960", "11th", "tera, giga, mega, micro, nano, pico", "10^{12} to 10^{\u221212}"],
            ["1964", "12th", "femto, atto", "10^{\u221215}, 10^{\u221218}"],
            ["1975", "15th", "peta, exa", "10^{15}, 10^{18}"],
            ["1991", "19th", "zetta, yotta, zepto, yocto", "10^{21} to 10^{\u221224}"],
            ["2022", "27th", "ronna (R), quetta (Q), ronto (r), quecto (q)", "10^{27} to 10^{\u221230}"]]
    return [
        h("3.8 Prefixes"),
        p("Prefixes spare the reader long rows of noughts. The oldest of them, from *kilo* down to *milli*, came in with "
          "the metric system of 1795. The SI took them over in 1960 and has added to them four times (Table 3.6).",
          key="prefix-history", first=True),
        DESIGN.table("prefixes", "**Table 3.6** SI prefixes by the General Conference that adopted them (those of 1795 "
                     "left out).", [L, L, Column(wraps=True), L], ["Year", "CGPM", "Prefixes", "Powers"], rows),
        p("The four prefixes of 2022 were needed above all for amounts of digital data. Their letters R, Q, r and q were "
          "the last that were free. *Quetta* stands for 10^{30} and *quecto* for 10^{\u221230}; with *ronna* the mass "
          "of the Earth can be written as about 6 ronnagrams.", key="quetta"),
        p("The same Conference resolved that the maximum difference between Universal Time and atomic time will "
          "be increased in, or before, the year 2035, which will put an end to the leap second in its present form.",
          key="leap-second"),
    ]


def _outside() -> list[Block]:
    rows = [["inch", "25.4~mm", "1959"], ["foot", "0.3048~m", "1959"], ["yard", "0.9144~m", "1959"],
            ["avoirdupois pound", "0.453~592~37~kg", "1959"], ["nautical mile", "1852~m", "1929"],
            ["astronomical unit", "149~597~870~700~m", "2012"]]
    return [
        h("3.9 Units outside the system"),
        p("Some units live on beside the SI, now defined by it (Table 3.7). On 1 July 1959 six English-speaking "
          "countries agreed on one yard and one pound in terms of the metre and the kilogram: Australia, Canada, New "
          "Zealand, South Africa, the United Kingdom and the United States. Surveyors in the United States kept an older "
          "foot, 1200/3937 of a metre, until the end of 2022.", key="yard", first=True),
        DESIGN.table("outside", "**Table 3.7** Exact values of some units outside the SI, with the year in which the value "
                     "was agreed.", [Column(wraps=True), R, R], ["Unit", "Exact value", "Agreed"], rows),
        p("The nautical mile was settled by a hydrographic conference at Monaco, the astronomical unit by the "
          "International Astronomical Union at Beijing. Both began as measures of the Earth or of its path; both "
          "are now plain numbers of metres.", key="monaco-beijing"),
        p("The litre, with the symbols l and L, is simply another name for the cubic decimetre.[^5] The tonne is a "
          "thousand kilograms. Minutes, hours and days keep their old places beside the second, and degrees of arc "
          "theirs beside the radian.", key="litre"),
        h("Sources for this chapter", 1),
        *DESIGN.sources(
            "Bureau international des poids et mesures, *The International System of Units (SI)*, 9th edition, 2019.",
            "E. Tiesinga, P. J. Mohr, D. B. Newell and B. N. Taylor, \u201cCODATA recommended values of the fundamental "
            "physical constants: 2018\u201d, *Reviews of Modern Physics* 93 (2021), 025010.",
            "K. Alder, *The Measure of All Things*, New York: Free Press, 2002.",
            "General Conference on Weights and Measures, Resolution 1 of the 26th meeting (2018) and Resolutions 3 and 4 of "
            "the 27th meeting (2022).",
            "International Astronomical Union, Resolution B2 of the XXVIII General Assembly, 2012."),
    ]


def document() -> Document:
    """The chapter: page images, nine pages printed 41 to 49."""
    layout = Layout(width=498.9, height=708.7, margins=(70, 80, 66, 74), kerned=True, mirrored=True,
                    labels=[str(number) for number in range(41, 50)], chrome=_chrome,
                    note_style=TextStyle(Face("serif", "", 8.2), 10.0, align="justify"), notes=NOTES)
    blocks = [*_opening(), *_survey(), *_convention(), *_definitions(), *_system(), *_constants(), *_realising(), *_prefixes(),
              *_outside()]
    return Document("metre-chapter", "Handbook", "Metrology", "The Metre and the Constants of Nature "
                    "(A Handbook of Measures, chapter 3)", "png", 1240, layout, blocks)
