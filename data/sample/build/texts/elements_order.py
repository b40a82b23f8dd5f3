"""The second half of the chapter on the elements: order, radioactivity, names, properties."""

from __future__ import annotations

from typeset.blocks import Block
from typeset.tables import Column

from texts import elements_figures as drawn
from texts.elements_data import CRUST, DENSITIES, HALF_LIVES
from texts.elements_style import DESIGN, L, R, h, p


def second_half() -> list[Block]:
    """Sections 7.4 to 7.7 and the sources."""
    return [*_table(), *_radium(), *_names(), *_properties(), *_acids(), *_sources()]


def _table() -> list[Block]:
    predicted = [
        ["atomic weight", "68", "69.7", "72", "72.6"],
        ["density (g/cm^{3})", "5.9", "5.9", "5.5", "5.3"],
        ["found in", "", "1875", "", "1886"],
        ["found by", "", "Lecoq de Boisbaudran", "", "Winkler"],
    ]
    return [
        h("7.4 Order"),
        p(
            "That chemistry could be put in order depended on good atomic weights. At the congress of Karlsruhe in "
            "September 1860 Stanislao Cannizzaro showed how to obtain them, and a pamphlet of his was handed out at "
            "the end. "
            "Attempts followed quickly: the spiral of A.-\u00c9. B\u00e9guyer de Chancourtois in 1862, the \u201claw "
            "of octaves\u201d of John Newlands in 1865, the tables of Lothar Meyer. "
            "Long before them, in 1829, Johann D\u00f6bereiner had pointed out triads such as chlorine, bromine and "
            "iodine, of which the middle one has about the mean "
            "weight of the others.",
            key="karlsruhe",
            first=True,
        ),
        p(
            "Mendeleev\u2019s table of 1869 went further in one respect. Where no known element fitted, he left a "
            "gap, and in 1871 he described three of the missing ones in detail under the names "
            "*eka-boron*, *eka-aluminium* and *eka-silicon*. They were found within fifteen years: gallium by "
            "Paul-\u00c9mile Lecoq de Boisbaudran in 1875, "
            "scandium by Lars Fredrik Nilson in 1879, and germanium by Clemens Winkler in 1886.",
            key="gaps",
        ),
        DESIGN.table(
            "eka",
            "**Table 7.5** Two predictions of 1871 and what was found.",
            [Column(wraps=True), R, R, R, R],
            ["Property", "eka-aluminium", "gallium", "eka-silicon", "germanium"],
            predicted,
            floats=False,
        ),
        p(
            "Mendeleev had to break his own rule of rising weights for tellurium and iodine. The reason came to "
            "light in 1913, when Henry Moseley measured the X-rays of the elements and found that "
            "the square root of their frequency rises by equal steps. What counts is the charge of the nucleus, the "
            "*atomic number*. In 1914 he could say that between aluminium, 13, and gold, 79, "
            "just three numbers still had no element: 43, 61 and 75.",
            key="moseley",
        ),
        p(
            "Number 72, hafnium, was found in 1923 by Dirk Coster and George de Hevesy in Copenhagen, from whose "
            "Latin name *Hafnia* it is called. Number 75, rhenium, was announced in 1925 by Walter Noddack, Ida "
            "Tacke "
            "and Otto Berg. Number 43, technetium, was made rather than found: Carlo Perrier and Emilio Segr\u00e8 "
            "identified it at Palermo in 1937 in a plate of molybdenum that had been "
            "part of a cyclotron in Berkeley.",
            key="hafnium",
        ),
        DESIGN.figure(
            "periodic",
            218,
            drawn.periodic,
            "**Figure 7.2** The periodic table. Elements 57 to 71 and 89 to 103 are drawn below. Colours mark some "
            "origins of names. Green: named after a person; "
            "sand: named after a place, country or continent; blue: after a heavenly body.",
            numbers="118 elements",
        ),
    ]


def _radium() -> list[Block]:
    return [
        h("7.5 Elements that do not last"),
        p(
            "Marie and Pierre Curie found two elements in pitchblende in 1898: polonium, announced in July and named "
            "after her country, which was then on no map, and radium, announced in December. To obtain a "
            "tenth of a gram of radium chloride she worked through tons of ore residues, until 1902. Polonium is the "
            "first element to have been found by its radiation alone.",
            key="curie",
            first=True,
        ),
        p(
            "Marguerite Perey, who had begun as an assistant of Marie Curie, found francium in 1939. It was the last "
            "element to be discovered in nature rather than made.",
            key="francium",
        ),
        DESIGN.table(
            "half-lives",
            "**Table 7.6** Half-lives of some nuclides.[^4]",
            [Column(wraps=True), R, L],
            ["Nuclide", "Half-life", "Use or occurrence"],
            HALF_LIVES,
            floats=False,
        ),
        h("Beyond uranium", 1),
        p(
            "Edwin McMillan and Philip Abelson made element 93 at Berkeley in 1940 and named it neptunium, since "
            "Neptune comes after Uranus. Plutonium followed within a year. Elements 99 and 100, einsteinium and "
            "fermium, "
            "were first seen in the debris of the hydrogen bomb test of 1 November 1952; their discovery was kept "
            "secret until 1955. Seaborgium, number 106, was the first element to be named "
            "after a person who was alive to see the name accepted.",
            key="transuranium",
            first=True,
        ),
        p(
            "Names and symbols are now decided by the International Union of Pure and Applied Chemistry, IUPAC. The "
            "latest four were approved on 28 November 2016: nihonium (113), moscovium (115), tennessine (117) and "
            "oganesson (118). Flerovium (114) and livermorium (116) date from May 2012, copernicium (112) from February 2010.",
            key="iupac",
        ),
    ]


def _names() -> list[Block]:
    places = [
        ["scandium, thulium", "Scandinavia"],
        ["gallium, francium", "France"],
        ["germanium", "Germany"],
        ["polonium", "Poland"],
        ["hafnium", "Copenhagen"],
        ["holmium", "Stockholm"],
        ["lutetium", "Paris"],
        ["strontium", "Strontian in Scotland"],
        ["yttrium, terbium, erbium, ytterbium", "Ytterby in Sweden"],
        ["rhenium", "the Rhine"],
        ["darmstadtium", "Darmstadt"],
        ["dubnium", "Dubna near Moscow"],
        ["nihonium", "Japan"],
    ]
    return [
        h("7.6 Named after places"),
        p(
            "The quarry of Ytterby on an island near Stockholm holds the record: four elements bear its name. The "
            "black mineral from which they came was described by Carl Axel Arrhenius in 1787 and analysed by Johan "
            "Gadolin "
            "of \u00c5bo in 1794.",
            key="ytterby",
            first=True,
        ),
        DESIGN.table(
            "places",
            "**Table 7.7** Elements named after places.",
            [Column(wraps=True), L],
            ["Element", "Place"],
            places,
            floats=False,
        ),
    ]


def _properties() -> list[Block]:
    return [
        h("7.7 Light and heavy, hard and soft"),
        p(
            "At room temperature two elements are liquid, bromine and mercury. Gallium melts at 29.8~\u00b0C, in the "
            "hand; caesium melts at 28.5~\u00b0C but would set the hand on fire. "
            "No metal stands heat as well as tungsten, which melts at 3422~\u00b0C. Helium cannot be frozen at "
            "ordinary pressure however far it is cooled.",
            key="melting",
            first=True,
        ),
        p(
            "The densest of all is osmium, closely followed by its neighbour iridium. A litre of either weighs about "
            "as much as twenty-two and a half litres of water. Lithium is the lightest metal: it floats on "
            "oil.",
            key="densest",
        ),
        DESIGN.figure(
            "densities",
            150,
            drawn.densities,
            "**Figure 7.3** Density of nine metals at room temperature, in grams per cubic centimetre.",
            numbers="; ".join(f"{name} {value}" for name, value in DENSITIES.items()),
        ),
        p(
            "What is rare is another matter. Nearly three quarters of the crust of the Earth, by weight, are oxygen "
            "and silicon. Aluminium is the most plentiful metal, and yet it was a costly rarity until "
            "Charles Martin Hall and Paul H\u00e9roult, in the same year 1886, found how to win it by electricity.",
            key="aluminium",
        ),
        DESIGN.table(
            "crust",
            "**Table 7.8** The ten most plentiful elements of the continental crust, in per cent by weight.",
            [Column(wraps=True), L, R],
            ["Element", "Symbol", "Share"],
            CRUST,
            floats=False,
        ),
    ]


def _acids() -> list[Block]:
    return [
        h("7.8 A note on acids"),
        p(
            "Lavoisier believed that every acid contains oxygen, and named the gas accordingly. Davy\u2019s chlorine showed that "
            "he was wrong: hydrochloric acid has none. What all acids of the laboratory share is hydrogen.",
            key="acids",
            first=True,
        ),
        p(
            "How acid a solution is has been told since 1909 by its pH, a measure that S\u00f8ren S\u00f8rensen introduced at the "
            "Carlsberg Laboratory in Copenhagen. Pure water at 25~\u00b0C has pH 7; one step less means ten times as many "
            "hydrogen ions.",
            key="ph",
        ),
        DESIGN.table(
            "indicators",
            "**Table 7.9** Four indicators and the pH over which they change colour.",
            [Column(wraps=True), R, L, L],
            ["Indicator", "pH", "Below", "Above"],
            [
                ["methyl orange", "3.1\u20134.4", "red", "yellow"],
                ["methyl red", "4.4\u20136.2", "red", "yellow"],
                ["bromothymol blue", "6.0\u20137.6", "yellow", "blue"],
                ["phenolphthalein", "8.2\u201310.0", "colourless", "pink"],
            ],
            floats=False,
        ),
    ]


def _sources() -> list[Block]:
    return [
        h("Sources for this chapter", 1),
        *DESIGN.sources(
            "M. E. Weeks, *Discovery of the Elements*, 6th edition, Easton: Journal of Chemical Education, 1956.",
            "*CRC Handbook of Chemistry and Physics*, 95th edition, Boca Raton: CRC Press, 2014 (densities, crust, boiling points).",
            "G. Audi and others, \u201cThe NUBASE2016 evaluation of nuclear properties\u201d, *Chinese Physics C* 41 (2017), 030001.",
            "IUPAC, press releases of 30 May 2012 and 30 November 2016; L. \u00d6hrstr\u00f6m and J. Reedijk, *Pure "
            "and Applied Chemistry* 88 (2016), 1225.",
            "D. Mendeleev, \u201cDie periodische Gesetzm\u00e4ssigkeit der chemischen Elemente\u201d, *Annalen der Chemie*, Supplement 8 (1871), 133.",
        ),
    ]
