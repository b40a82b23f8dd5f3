"""Numbers and names for the chapter on the elements, each from the works that the chapter lists."""

from __future__ import annotations

LATIN = [
    ["Na", "sodium", "natrium", "11"],
    ["K", "potassium", "kalium", "19"],
    ["Fe", "iron", "ferrum", "26"],
    ["Cu", "copper", "cuprum", "29"],
    ["Ag", "silver", "argentum", "47"],
    ["Sn", "tin", "stannum", "50"],
    ["Sb", "antimony", "stibium", "51"],
    ["W", "tungsten", "Wolfram", "74"],
    ["Au", "gold", "aurum", "79"],
    ["Hg", "mercury", "hydrargyrum", "80"],
    ["Pb", "lead", "plumbum", "82"],
]
DISCOVERIES = [
    ["1669", "phosphorus", "Brand", "Hamburg"],
    ["1751", "nickel", "Cronstedt", "Stockholm"],
    ["1766", "hydrogen", "Cavendish", "London"],
    ["1772", "nitrogen", "Rutherford", "Edinburgh"],
    ["1783", "tungsten", "J. J. and F. de Elhuyar", "Bergara"],
    ["1791", "titanium", "Gregor", "Cornwall"],
    ["1797", "chromium", "Vauquelin", "Paris"],
    ["1807", "sodium", "Davy", "London"],
    ["1811", "iodine", "Courtois", "Paris"],
    ["1817", "lithium", "Arfwedson", "Stockholm"],
    ["1817", "cadmium", "Stromeyer", "G\u00f6ttingen"],
    ["1825", "aluminium", "\u00d8rsted", "Copenhagen"],
    ["1826", "bromine", "Balard", "Montpellier"],
    ["1844", "ruthenium", "Klaus", "Kazan"],
    ["1886", "fluorine", "Moissan", "Paris"],
    ["1898", "radium", "M. and P. Curie", "Paris"],
    ["1923", "hafnium", "Coster and de Hevesy", "Copenhagen"],
    ["1939", "francium", "Perey", "Paris"],
]
FLAMES = [
    ["lithium", "Li", "crimson"],
    ["sodium", "Na", "yellow"],
    ["potassium", "K", "lilac"],
    ["calcium", "Ca", "brick red"],
    ["barium", "Ba", "apple green"],
    ["copper", "Cu", "blue-green"],
]
BOILING = [
    ["helium", "2", "\u2212268.9", "5.24 parts in a million"],
    ["neon", "10", "\u2212246.1", "18.2 parts in a million"],
    ["argon", "18", "\u2212185.8", "0.934 per cent"],
    ["krypton", "36", "\u2212153.4", "1.14 parts in a million"],
    ["xenon", "54", "\u2212108.1", "0.087 parts in a million"],
    ["radon", "86", "\u221261.7", "traces"],
]
HALF_LIVES = [
    ["technetium-99m", "6.0 hours", "pictures of organs in medicine"],
    ["radon-222", "3.82 days", "seeps from the ground"],
    ["iodine-131", "8.02 days", "treatment of the thyroid gland"],
    ["polonium-210", "138 days", "found by the Curies"],
    ["cobalt-60", "5.27 years", "sterilising"],
    ["hydrogen-3 (tritium)", "12.3 years", "dials that glow"],
    ["radium-226", "1600 years", "formerly in medicine"],
    ["carbon-14", "5700 years", "dating of once living things"],
    ["plutonium-239", "24~100 years", "nuclear fuel"],
    ["uranium-235", "704 million years", "nuclear fuel"],
    ["uranium-238", "4470 million years", "99.3 per cent of natural uranium"],
]
DENSITIES = {
    "lithium": 0.534,
    "magnesium": 1.74,
    "aluminium": 2.70,
    "iron": 7.87,
    "copper": 8.96,
    "lead": 11.3,
    "mercury": 13.5,
    "gold": 19.3,
    "osmium": 22.59,
}
CRUST = [
    ["oxygen", "O", "46.1"],
    ["silicon", "Si", "28.2"],
    ["aluminium", "Al", "8.23"],
    ["iron", "Fe", "5.63"],
    ["calcium", "Ca", "4.15"],
    ["sodium", "Na", "2.36"],
    ["magnesium", "Mg", "2.33"],
    ["potassium", "K", "2.09"],
    ["titanium", "Ti", "0.565"],
    ["hydrogen", "H", "0.140"],
]
_ALL = """
H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag
Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am
Cm Bk Cf Es Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og
"""
_PERSONS = "Gd Cm Es Fm Md No Lr Rf Sg Bh Mt Rg Cn Fl Og"
_PLACES = "Sc Ga Ge Sr Y Tb Er Yb Ho Tm Lu Hf Re Eu Ru Po Fr Am Bk Cf Db Hs Ds Nh Mc Lv Ts"
_HEAVENS = "He Se Te Pd Ce U Np Pu"
SYMBOLS = _ALL.split()
PERSONS, PLACES, HEAVENS = set(_PERSONS.split()), set(_PLACES.split()), set(_HEAVENS.split())
