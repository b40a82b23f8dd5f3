"""The second half of the chapter on the metre: the SI, constants, prefixes, other units."""

from __future__ import annotations

from typeset.blocks import Block
from typeset.tables import Column

from texts import metre_figures as drawn
from texts.metre_style import DESIGN, L, R, h, p


def second_half() -> list[Block]:
    """Sections 3.5 to 3.9 and the sources."""
    return [*_system(), *_constants(), *_realising(), *_prefixes(), *_outside()]


def _system() -> list[Block]:
    c = Column("left")
    rows = [
        ["second", "s", "caesium frequency \u0394\u03bd_{Cs}", "9~192~631~770~Hz"],
        ["metre", "m", "speed of light in vacuum *c*", "299~792~458~m~s^{\u22121}"],
        ["kilogram", "kg", "Planck constant *h*", "6.626~070~15 \u00d7 10^{\u221234}~J~s"],
        ["ampere", "A", "elementary charge *e*", "1.602~176~634 \u00d7 10^{\u221219}~C"],
        ["kelvin", "K", "Boltzmann constant *k*", "1.380~649 \u00d7 10^{\u221223}~J~K^{\u22121}"],
        ["mole", "mol", "Avogadro constant *N*_{A}", "6.022~140~76 \u00d7 10^{23}~mol^{\u22121}"],
        ["candela", "cd", "luminous efficacy *K*_{cd}", "683~lm~W^{\u22121}"],
    ]
    return [
        h("3.5 The International System"),
        p(
            "The name *International System of Units*, with the abbreviation SI in all languages, was given by the 11th "
            "General Conference in 1960. The system then had six base units: metre, kilogram, second, ampere, degree "
            "Kelvin and candela. The mole was added as the seventh by the 14th Conference in 1971.",
            key="si-name",
            first=True,
        ),
        p(
            "Time left the sky in 1967, when the 13th Conference defined the second by 9~192~631~770 periods of the "
            "radiation between two levels of the ground state of caesium-133. The candela was redefined in 1979 by a "
            "radiation of frequency 540~\u00d7~10^{12}~Hz, to which the eye is almost most sensitive.",
            key="second-1967",
        ),
        DESIGN.table(
            "si-base",
            "**Table 3.3** The seven base units of the SI and their defining constants, whose values "
            "are exact since 20 May 2019.",
            [c, c, Column(wraps=True), Column("left")],
            ["Unit", "Symbol", "Defining constant", "Exact value"],
            rows,
        ),
        p(
            "On 16 November 2018 the 26th General Conference, meeting at Versailles, voted to define all units by seven "
            "constants with fixed values. The change came into force on World Metrology Day, 20 May 2019, the anniversary "
            "of the signing of the Metre Convention. The kilogram, the ampere, the kelvin and the mole received "
            "new definitions; the other three only new wordings.",
            key="revision",
        ),
        DESIGN.figure(
            "units-wheel",
            226,
            drawn.constants_and_units,
            "**Figure 3.2** Base units (inner ring) and their "
            "defining constants (outer ring). An arrow from one unit to another means that the definition of "
            "the second rests on the first.",
            numbers="arrows: s to m, s to kg, m to kg, s to A, s to K, m to K, kg to K, s to cd, m to cd, kg to cd",
        ),
        p(
            "Figure 3.2 shows how the definitions depend on each other. The second stands alone. The metre needs the "
            "second, and the kilogram both, because the Planck constant is stated in joule seconds. The ampere needs only "
            "the second. The mole depends on nothing: it is a number of entities.",
            key="dependence",
        ),
    ]


def _constants() -> list[Block]:
    rows = [
        [
            "Newtonian constant of gravitation",
            "*G*",
            "6.674~30(15) \u00d7 10^{\u221211}",
            "m^{3}~kg^{\u22121}~s^{\u22122}",
        ],
        ["fine-structure constant, inverse", "\u03b1^{\u22121}", "137.035~999~084(21)", ""],
        ["electron mass", "*m*_{e}", "9.109~383~7015(28) \u00d7 10^{\u221231}", "kg"],
        ["proton mass", "*m*_{p}", "1.672~621~923~69(51) \u00d7 10^{\u221227}", "kg"],
        ["proton\u2013electron mass ratio", "*m*_{p}/*m*_{e}", "1836.152~673~43(11)", ""],
        ["atomic mass constant", "*m*_{u}", "1.660~539~066~60(50) \u00d7 10^{\u221227}", "kg"],
        ["Bohr radius", "*a*_{0}", "5.291~772~109~03(80) \u00d7 10^{\u221211}", "m"],
        ["Rydberg constant", "*R*_{\u221e}", "10~973~731.568~160(21)", "m^{\u22121}"],
        ["vacuum magnetic permeability", "\u03bc_{0}", "1.256~637~062~12(19) \u00d7 10^{\u22126}", "N~A^{\u22122}"],
    ]
    return [
        h("3.6 Constants that are still measured"),
        p(
            "Fixing seven constants leaves all others to experiment. Every four years the Task Group on Fundamental "
            "Constants of CODATA adjusts the results of many laboratories to one consistent set. Table 3.4 takes some "
            "values from the adjustment of 2018.[^4]",
            key="codata",
            first=True,
        ),
        DESIGN.table(
            "codata-2018",
            "**Table 3.4** Some recommended values of the CODATA adjustment of 2018.",
            [Column(wraps=True), L, L, L],
            ["Quantity", "Symbol", "Value", "Unit"],
            rows,
        ),
        p(
            "The magnetic permeability of the vacuum is a newcomer to this table. Until 2019 it was exactly 4\u03c0~\u00d7~10"
            "^{\u22127}~N~A^{\u22122}, because the ampere was defined by the force between two wires; now that the charge of "
            "the electron is fixed, the permeability must be measured.",
            key="permeability",
        ),
        DESIGN.figure(
            "uncertainty",
            132,
            drawn.uncertainty_bars,
            "**Figure 3.3** Relative standard uncertainty of five "
            "constants in the CODATA adjustment of 2018. The scale is logarithmic: each division is a factor "
            "of ten.",
            numbers="2.2 x 10^-5; 3.0 x 10^-10; 1.5 x 10^-10; 6.0 x 10^-11; 1.9 x 10^-12",
        ),
        p(
            "The constants differ widely in how well they are known. The Rydberg constant, from the spectrum of hydrogen, "
            "is the best of those in Figure 3.3. The constant of gravitation is by far the worst, since gravity between "
            "bodies that fit in a laboratory is so feeble and cannot be screened.",
            key="best-worst",
        ),
    ]


def _realising() -> list[Block]:
    rows = [
        ["mass of the international prototype of the kilogram", "1~kg", "1.0 \u00d7 10^{\u22128}"],
        ["permeability of the vacuum", "4\u03c0 \u00d7 10^{\u22127}~H~m^{\u22121}", "2.3 \u00d7 10^{\u221210}"],
        ["temperature of the triple point of water", "273.16~K", "3.7 \u00d7 10^{\u22127}"],
        ["molar mass of carbon-12", "0.012~kg~mol^{\u22121}", "4.5 \u00d7 10^{\u221210}"],
    ]
    return [
        h("3.7 From the constant to the balance pan"),
        p(
            "A fixed number does not weigh anything. A national laboratory still needs an experiment that leads from "
            "the Planck constant to a piece of metal. Two are in use. In the *Kibble balance*, first proposed by Bryan "
            "Kibble of the National Physical Laboratory in 1975, the weight of a body is balanced by the force on a coil "
            "that carries a current in a magnetic field, and the electrical power is measured by quantum effects that "
            "contain *h*.",
            key="kibble",
            first=True,
        ),
        p(
            "The other way is to count atoms. A sphere of about one kilogram is ground from a crystal of silicon-28; "
            "its volume and the spacing of its atoms are measured with light and X-rays, and the number of atoms follows. "
            "Before the vote of 2018 the two methods had to agree, and they did.",
            key="silicon",
        ),
        DESIGN.table(
            "former-exact",
            "**Table 3.5** Quantities that were exact before 20 May 2019, with the relative "
            "standard uncertainty that they took over on that day.",
            [Column(wraps=True), L, L],
            ["Quantity", "Former exact value", "Uncertainty"],
            rows,
        ),
        p(
            "What was exact before had to become uncertain. Table 3.5 lists the four quantities that changed sides. Their "
            "values stayed the same within these uncertainties, so that no thermometer, weight or instrument had to be "
            "altered on the day.",
            key="changed-sides",
        ),
    ]


def _prefixes() -> list[Block]:
    rows = [
        ["1960", "11th", "tera, giga, mega, micro, nano, pico", "10^{12} to 10^{\u221212}"],
        ["1964", "12th", "femto, atto", "10^{\u221215}, 10^{\u221218}"],
        ["1975", "15th", "peta, exa", "10^{15}, 10^{18}"],
        ["1991", "19th", "zetta, yotta, zepto, yocto", "10^{21} to 10^{\u221224}"],
        ["2022", "27th", "ronna (R), quetta (Q), ronto (r), quecto (q)", "10^{27} to 10^{\u221230}"],
    ]
    return [
        h("3.8 Prefixes"),
        p(
            "Prefixes spare the reader long rows of noughts. The oldest of them, from *kilo* down to *milli*, came in with "
            "the metric system of 1795. The SI took them over in 1960 and has added to them four times (Table 3.6).",
            key="prefix-history",
            first=True,
        ),
        DESIGN.table(
            "prefixes",
            "**Table 3.6** SI prefixes by the General Conference that adopted them (those of 1795 left out).",
            [L, L, Column(wraps=True), L],
            ["Year", "CGPM", "Prefixes", "Powers"],
            rows,
        ),
        p(
            "The four prefixes of 2022 were needed above all for amounts of digital data. Their letters R, Q, r and q were "
            "the last that were free. *Quetta* stands for 10^{30} and *quecto* for 10^{\u221230}; with *ronna* the mass "
            "of the Earth can be written as about 6 ronnagrams.",
            key="quetta",
        ),
        p(
            "The same Conference resolved that the maximum difference between Universal Time and atomic time will "
            "be increased in, or before, the year 2035, which will put an end to the leap second in its present form.",
            key="leap-second",
        ),
    ]


def _outside() -> list[Block]:
    rows = [
        ["inch", "25.4~mm", "1959"],
        ["foot", "0.3048~m", "1959"],
        ["yard", "0.9144~m", "1959"],
        ["avoirdupois pound", "0.453~592~37~kg", "1959"],
        ["nautical mile", "1852~m", "1929"],
        ["astronomical unit", "149~597~870~700~m", "2012"],
    ]
    return [
        h("3.9 Units outside the system"),
        p(
            "Some units live on beside the SI, now defined by it (Table 3.7). On 1 July 1959 six English-speaking "
            "countries agreed on one yard and one pound in terms of the metre and the kilogram: Australia, Canada, New "
            "Zealand, South Africa, the United Kingdom and the United States. Surveyors in the United States kept an older "
            "foot, 1200/3937 of a metre, until the end of 2022.",
            key="yard",
            first=True,
        ),
        DESIGN.table(
            "outside",
            "**Table 3.7** Exact values of some units outside the SI, with the year in which the value was agreed.",
            [Column(wraps=True), R, R],
            ["Unit", "Exact value", "Agreed"],
            rows,
        ),
        p(
            "The nautical mile was settled by a hydrographic conference at Monaco, the astronomical unit by the "
            "International Astronomical Union at Beijing. Both began as measures of the Earth or of its path; both "
            "are now plain numbers of metres.",
            key="monaco-beijing",
        ),
        p(
            "The litre, with the symbols l and L, is simply another name for the cubic decimetre.[^5] The tonne is a "
            "thousand kilograms. Minutes, hours and days keep their old places beside the second, and degrees of arc "
            "theirs beside the radian.",
            key="litre",
        ),
        h("Sources for this chapter", 1),
        *DESIGN.sources(
            "Bureau international des poids et mesures, *The International System of Units (SI)*, 9th edition, 2019.",
            "E. Tiesinga, P. J. Mohr, D. B. Newell and B. N. Taylor, \u201cCODATA recommended values of the fundamental "
            "physical constants: 2018\u201d, *Reviews of Modern Physics* 93 (2021), 025010.",
            "K. Alder, *The Measure of All Things*, New York: Free Press, 2002.",
            "General Conference on Weights and Measures, Resolution 1 of the 26th meeting (2018) and Resolutions 3 and 4 of "
            "the 27th meeting (2022).",
            "International Astronomical Union, Resolution B2 of the XXVIII General Assembly, 2012.",
        ),
    ]
