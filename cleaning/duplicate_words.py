"""What two texts are compared by when near-duplicates are looked for: words of content, numbers and names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

#: How alike two words are to be one with a typing error or another ending (normalised edit similarity).
SAME_WORD = 0.75
#: Where both words are shorter, they are the same only when equal.
SHORTEST_TYPO = 4

_TOKEN = re.compile(r"\d+(?:[.,:/]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*|\d")
#: Scripts that write no spaces between words: their runs are cut into pairs of characters.
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_SILENT_TEXT = """
    a an the and or of in on at by for from to with as into about over is are was were am be been being do does did done
    doing has have had can could will would shall should may might must what which who whom whose when where why how
    that this these those it its there here i you we me us my your our please tell give show find list name explain
    describe state provide say know want need much many kind sort s t d ll re ve m also just exactly actually der die
    das den dem des ein eine einen einem einer eines und oder von zu zum zur im in am an auf für mit aus bei nach ist
    sind war waren wird wurde hat haben was wer wie wo wann warum welche welcher welches welchen le la les l un une des
    du de d et ou à au aux en dans par pour sur avec est sont était a ont que qui quel quelle quels quelles quand où
    comment pourquoi combien el los las del y o en por para con es son fue ha han qué quién cuál cuáles cuándo dónde
    cómo cuánto cuántos
"""
_SILENT = frozenset(_SILENT_TEXT.split())
_OPPOSITES_TEXT = """
    not no never without except excluding least most lowest highest minimum maximum smallest largest shortest longest
    first last before after above below more less increase decrease fewer greater lower higher nicht kein keine ohne ne
    pas sans jamais nunca sin
"""
_OPPOSITES = frozenset(_OPPOSITES_TEXT.split())


@dataclass(frozen=True, slots=True)
class Words:
    """A text's words, all sorted: those of content (all where it has no other), its numbers, names, and opposites.

    A number is a word with a digit. A name is a word of content that begins with a capital inside the text, where not
    every word does. `opposites` are the words that turn a sentence into its contrary (not, least, before ...).
    """

    content: tuple[str, ...]
    numbers: tuple[str, ...]
    names: frozenset[str]
    opposites: tuple[str, ...]


def normalised(text: str) -> str:
    """Return the words of a text in one form: NFKC, case folded, without punctuation, one space between two."""
    return " ".join(_TOKEN.findall(unicodedata.normalize("NFKC", text).casefold()))


def words_of(text: str) -> Words:
    """Return what a text is compared by."""
    spelled = _TOKEN.findall(unicodedata.normalize("NFKC", text))
    capital = [word[0].isupper() for word in spelled]
    titled = sum(capital) * 2 > len(spelled)
    content: list[str] = []
    numbers: list[str] = []
    names: set[str] = set()
    opposites: list[str] = []
    folded = [_stem(word.casefold()) for word in spelled]
    for place, word in enumerate(folded):
        if word[0].isdigit():
            numbers.append(word)
        elif word in _OPPOSITES:
            opposites.append(word)
        elif word in _SILENT:
            continue
        elif capital[place] and place and not titled:
            names.add(word)
        content.extend(_pieces(word))
    return Words(
        tuple(sorted(content or [piece for word in folded for piece in _pieces(word)])),
        tuple(sorted(numbers)),
        frozenset(names),
        tuple(sorted(opposites)),
    )


def alike(one: Words, other: Words) -> float:
    """Return how alike two texts are, in [0, 1]: the part of their words of content (as a multiset) that they share.

    0 where their numbers or opposites differ, or each has a name that the other lacks. A word and its misspelling are
    shared by `SAME_WORD` to 1, as far as they are alike.
    """
    if one.numbers != other.numbers or one.opposites != other.opposites:
        return 0.0
    shared, left, right = _parted(one.content, other.content)
    matched, weight = _misspelled(left, right)
    spare_left = one.names - matched
    spare_right = other.names - matched
    if any(name in left for name in spare_left) and any(name in right for name in spare_right):
        return 0.0
    common = shared + weight
    total = len(one.content) + len(other.content) - common
    return common / total if total else 1.0


@lru_cache(maxsize=500_000)
def _stem(word: str) -> str:
    # Kept, so that a word is one object however many texts have it.
    word = word.replace("’", "'")
    if word.endswith("'s"):
        word = word[:-2]
    if len(word) > SHORTEST_TYPO and word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    return word


def _pieces(word: str) -> list[str]:
    if len(word) > 2 and _UNSPACED.search(word):
        return [word[at : at + 2] for at in range(len(word) - 1)]
    return [word]


def _parted(one: Sequence[str], other: Sequence[str]) -> tuple[int, list[str], list[str]]:
    """Return how many words two sorted sequences share, and what is left of each."""
    shared, i, j = 0, 0, 0
    left: list[str] = []
    right: list[str] = []
    while i < len(one) and j < len(other):
        if one[i] == other[j]:
            shared, i, j = shared + 1, i + 1, j + 1
        elif one[i] < other[j]:
            left.append(one[i])
            i += 1
        else:
            right.append(other[j])
            j += 1
    return shared, [*left, *one[i:]], [*right, *other[j:]]


def _misspelled(left: Sequence[str], right: Sequence[str]) -> tuple[set[str], float]:
    """Return the words that are a spelling of one left on the other side, and the sum of how alike these pairs are."""
    if not left or not right:
        return set(), 0.0
    from rapidfuzz.distance import OSA

    pairs = sorted(
        (
            (-OSA.normalized_similarity(one, other), one, other, i, j)
            for i, one in enumerate(left)
            for j, other in enumerate(right)
            if max(len(one), len(other)) >= SHORTEST_TYPO and abs(len(one) - len(other)) <= 3
        ),
    )
    used_left: set[int] = set()
    used_right: set[int] = set()
    matched: set[str] = set()
    weight = 0.0
    for negative, one, other, i, j in pairs:
        if -negative < SAME_WORD:
            break
        if i in used_left or j in used_right:
            continue
        used_left.add(i)
        used_right.add(j)
        matched |= {one, other}
        weight -= negative
    return matched, weight
