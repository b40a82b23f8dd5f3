"""Texts that say the same in nearly the same words, grouped: also for hundreds of thousands of texts."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from audit_core.errors import CleaningError
from cleaning.duplicate_words import Words, alike, normalised, words_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: How alike two texts are to be near-duplicates: the part of their words of content that they share.
THRESHOLD = 0.65
#: Length of a signature, and of the bands that make two texts candidates when one of theirs is equal. Signatures of
#: texts whose letters agree to 70, 60 and 50 % share a band with chances of 1.00, 0.99 and 0.87.
_SIGNATURE, _BAND = 128, 4
_SEED = 20_240_601
#: Letters of a shingle; words are padded, so that a word of one letter has two.
_SHINGLE = 3
#: Candidates whose signatures agree less than the threshold by this much are not looked at.
_MARGIN = 0.3
#: In a band that more texts than this share, each is compared with as many that follow it in the order of their words.
_CROWD = 40
#: Pairs whose signatures are compared at once.
_PAIRS_AT_ONCE = 50_000
#: Texts whose signatures are made at once.
_AT_ONCE = 20_000


class Likeness(StrEnum):
    """Why texts are in one group."""

    EXACT = "exact"
    NEAR = "near"


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Which of n texts belong together.

    `group` of shape (n,) holds each text's group, counted from 0 in order of first appearance; -1 for a text like no
    other. `reasons` says of each group whether its texts are equal once normalised (exact) or some only nearly (near).
    """

    group: NDArray[np.intp]
    reasons: tuple[Likeness, ...]

    def members(self) -> list[list[int]]:
        """Return the rows of each group, ascending."""
        found: list[list[int]] = [[] for _ in self.reasons]
        for row in np.flatnonzero(self.group >= 0).tolist():
            found[self.group[row]].append(row)
        return found


def group_exact_duplicates(texts: Sequence[str | None]) -> Groups:
    """Return the groups of texts that are equal but for case, punctuation, spaces and Unicode form.

    Empty and missing texts are like no other.
    """
    first, _ = _same(texts)
    return _numbered(first, first)


def group_near_duplicates(texts: Sequence[str | None], *, threshold: float = THRESHOLD) -> Groups:
    """Return the groups of texts that say the same in nearly the same words; the order of the texts changes no group.

    Two texts are near-duplicates when they share at least `threshold` of their words of content (typing errors and
    word forms count as the same word, order does not count), name the same numbers, and neither has a name that the
    other has another one for. Groups are closed: a text like one of a group belongs to it. Candidates are found by the
    MinHash signatures of their letters, so that a few near-duplicates may be missed. Empty texts are like no other.

    Raises:
        CleaningError: `threshold` is not above 0 and at most 1.
    """
    if not 0.0 < threshold <= 1.0:
        raise CleaningError(f"Texts are near-duplicates from a part of {threshold}: give a part above 0 and at most 1.")
    first, distinct = _same(texts)
    words = [words_of(texts[row] or "") for row in distinct.tolist()]
    joined = _Joined(len(distinct))
    for one, other in _candidates(words, threshold):
        if joined.of(one) != joined.of(other) and alike(words[one], words[other]) >= threshold:
            joined.join(one, other)
    leader = np.arange(len(texts), dtype=np.intp)
    leader[distinct] = [distinct[joined.of(place)] for place in range(len(distinct))]
    return _numbered(leader[first], first)


def _same(texts: Sequence[str | None]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the row that stands for each text, of shape (n,), and those rows without the empty texts, ordered by text.

    Of equal texts the one with the fewest capitals stands for all: in it, capitals tell names. Neither depends on the
    order of the texts.
    """
    rows: dict[str, int] = {}
    keys = [normalised(text or "") for text in texts]
    for row, key in enumerate(keys):
        if key and (key not in rows or (texts[row] or "") > (texts[rows[key]] or "")):
            rows[key] = row
    first = np.array([rows.get(key, row) for row, key in enumerate(keys)], dtype=np.intp)
    return first, np.array([rows[key] for key in sorted(rows)], dtype=np.intp)


def _numbered(leader: NDArray[np.intp], exact: NDArray[np.intp]) -> Groups:
    """Return the groups of texts with equal leaders; one of more than one exact text is near."""
    _, inverse, counts = np.unique(leader, return_inverse=True, return_counts=True)
    numbers = np.full(len(leader), -1, dtype=np.intp)
    shared = np.flatnonzero(counts[inverse] > 1)
    known: dict[int, int] = {}
    texts: dict[int, set[int]] = defaultdict(set)
    for row in shared.tolist():
        number = known.setdefault(int(leader[row]), len(known))
        numbers[row] = number
        texts[number].add(int(exact[row]))
    reasons = tuple(Likeness.EXACT if len(texts[number]) == 1 else Likeness.NEAR for number in range(len(known)))
    return Groups(numbers, reasons)


class _Joined:
    """Union-find over n things; the leader of a set is its lowest member."""

    def __init__(self, n: int) -> None:
        self._above = list(range(n))

    def of(self, thing: int) -> int:
        above = self._above
        while above[thing] != thing:
            above[thing] = above[above[thing]]
            thing = above[thing]
        return thing

    def join(self, one: int, other: int) -> None:
        low, high = sorted((self.of(one), self.of(other)))
        self._above[high] = low


def _candidates(words: Sequence[Words], threshold: float) -> Iterator[tuple[int, int]]:
    """Yield pairs of places that may be near-duplicates, none twice, in an order that does not matter to the result."""
    if len(words) < 2:
        return
    signatures = _signatures(words)
    numbers = np.fromiter((_hash(each.numbers) for each in words), dtype=np.uint64, count=len(words))
    order = np.array(sorted(range(len(words)), key=lambda place: words[place].content), dtype=np.intp)
    place_of = np.empty(len(words), dtype=np.intp)
    place_of[order] = np.arange(len(words))
    signatures, numbers = signatures[order], numbers[order]
    least = int(np.ceil((threshold - _MARGIN) * _SIGNATURE))
    found = [
        pairs
        for start in range(0, _SIGNATURE, _BAND)
        for pairs in _pairs_of(_band_keys(signatures[:, start : start + _BAND], numbers), signatures, least)
    ]
    # The same pair comes from several bands.
    pairs = np.sort(np.concatenate(found)) if found else np.empty(0, dtype=np.int64)
    pairs = pairs[np.concatenate([[True], pairs[1:] != pairs[:-1]])] if len(pairs) else pairs
    left, right = np.divmod(pairs, len(words))
    yield from zip(order[left].tolist(), order[right].tolist(), strict=True)


def _signatures(words: Sequence[Words]) -> NDArray[np.uint32]:
    import rensa

    signatures = np.empty((len(words), _SIGNATURE), dtype=np.uint32)
    cut: dict[str, list[str]] = {}
    for start in range(0, len(words), _AT_ONCE):
        part = words[start : start + _AT_ONCE]
        shingles = [list(chain.from_iterable(_shingles(word, cut) for word in each.content)) for each in part]
        matrix: Any = rensa.RMinHash.digest_matrix_from_token_sets(shingles, _SIGNATURE, _SEED)
        signatures[start : start + len(part)] = np.array(matrix.to_rows(), dtype=np.uint32)
    return signatures


def _shingles(word: str, cut: dict[str, list[str]]) -> list[str]:
    known = cut.get(word)
    if known is None:
        padded = f" {word} "
        known = cut[word] = [padded[at : at + _SHINGLE] for at in range(max(len(padded) - _SHINGLE + 1, 1))]
    return known


def _band_keys(band: NDArray[np.uint32], numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return one key a text: equal for texts whose band and numbers are equal, else different but for rare accidents."""
    keys = numbers.copy()
    for column in band.T:
        keys ^= column.astype(np.uint64)
        keys *= np.uint64(0x9E3779B97F4A7C15)
        keys ^= keys >> np.uint64(29)
    return keys


def _pairs_of(keys: NDArray[np.uint64], signatures: NDArray[np.uint32], least: int) -> Iterator[NDArray[np.int64]]:
    """Yield the pairs (i * n + j, i < j) of texts with one key whose signatures agree in `least` places or more.

    In a crowd only those near each other in the given order are compared.
    """
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    for step in range(1, _CROWD + 1):
        same = np.flatnonzero(ordered[step:] == ordered[:-step])
        if not len(same):
            return
        for start in range(0, len(same), _PAIRS_AT_ONCE):
            part = same[start : start + _PAIRS_AT_ONCE]
            left, right = order[part], order[part + step]
            agree = np.count_nonzero(signatures[left] == signatures[right], axis=1) >= least
            yield left[agree].astype(np.int64) * len(keys) + right[agree]


def _hash(values: Sequence[str]) -> int:
    return int.from_bytes(hashlib.blake2b("\0".join(values).encode(), digest_size=8).digest(), "little")
