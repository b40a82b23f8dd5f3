"""Where an English word of the sample may be divided: a few safe prefixes, suffixes and a word list."""

from __future__ import annotations

import re

_SUFFIXES = (
    "tions",
    "tion",
    "sions",
    "sion",
    "ments",
    "ment",
    "ness",
    "houses",
    "house",
    "ships",
    "ship",
    "wards",
    "ward",
    "metres",
    "metre",
    "graphical",
    "graphic",
    "tures",
    "ture",
    "fully",
    "ful",
    "less",
    "mission",
    "mark",
    "marks",
    "stone",
    "ible",
    "ally",
    "tific",
    "tance",
    "tances",
    "tences",
    "ters",
    "ter",
)
_PREFIXES = (
    "inter",
    "trans",
    "over",
    "under",
    "astro",
    "hydro",
    "kilo",
    "milli",
    "centi",
    "hemi",
    "semi",
    "photo",
    "electro",
    "equi",
    "geo",
    "mer",
    "con",
    "com",
    "per",
    "pro",
    "dis",
    "light",
    "after",
    "sub",
)
_DIVIDED = """
lan-tern lan-terns pro-to-type pro-to-types con-stant con-stants ob-ser-va-tory plat-i-num irid-ium
cae-sium wave-length wave-lengths pub-lished sec-ond sec-onds nau-ti-cal char-ac-ter char-ac-ters
me-rid-ian cyl-in-der cyl-in-ders dif-fer-ent dif-fer-ence in-stead an-other pe-riod pe-riods
gran-ite al-though be-tween dis-tance Al-ex-an-dria Med-i-ter-ra-nean al-ter-nat-ing flash-ing
oc-cult-ing mar-i-ner mar-i-ners sur-face hor-i-zon mea-sured mea-sure mea-sures mea-sure-ment
mea-sure-ments fol-lowed fol-lows in-ter-na-tional At-lan-tic for-mula pa-raf-fin prism prisms
re-volving tow-ers gen-er-ally di-ur-nal semi-di-ur-nal grav-i-ta-tional for-mal for-mally num-ber
num-bers har-mon-ic har-bour har-bours es-tu-ary com-pass cen-tury cen-turies as-so-ci-a-tion
as-tron-o-mer as-tron-o-mers coast-line for-ward every-where eclip-tic ellip-ti-cal rap-idly
ap-par-ent es-ti-mated hun-dred thou-sand de-scribed mech-a-nism pre-dict pre-dicted pre-dict-ing
"""
_WORDS = {word.replace("-", ""): word.split("-") for word in _DIVIDED.split()}


def parts_of(word: str) -> list[str]:
    """The pieces between which `word` may be divided; one piece where no division is safe."""
    match = re.fullmatch(r"([A-Za-z]+)([.,;:)]*)", word)
    if not match:
        return [word]
    stem, tail = match.groups()
    known = _WORDS.get(stem) or _WORDS.get(stem.lower())
    parts = _cased(stem, known) if known else _affixes(stem)
    return [*parts[:-1], parts[-1] + tail]


def _cased(stem: str, parts: list[str]) -> list[str]:
    cut, out = 0, []
    for part in parts:
        out.append(stem[cut : cut + len(part)])
        cut += len(part)
    return out


def _affixes(stem: str) -> list[str]:
    if len(stem) < 7 or not stem[1:].islower():
        return [stem]
    for suffix in sorted(_SUFFIXES, key=len, reverse=True):
        if stem.endswith(suffix) and len(stem) - len(suffix) >= 3:
            return [stem[: -len(suffix)], suffix]
    for prefix in sorted(_PREFIXES, key=len, reverse=True):
        if stem.lower().startswith(prefix) and len(stem) - len(prefix) >= 4 and stem[len(prefix)] not in "aeiou":
            return [stem[: len(prefix)], stem[len(prefix) :]]
    return [stem]
