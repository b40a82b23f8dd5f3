"""BM25 with the usual constants (Robertson and Zaragoza 2009), over words."""

from __future__ import annotations

import math
from collections import Counter

from retrieval.pages import words

_K1, _B = 1.2, 0.75


class Bm25:
    """An index of pages; `scores` gives one number a page, 0 where no word is shared."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.counts = {page: Counter(words(text)) for page, text in texts.items()}
        self.lengths = {page: sum(count.values()) for page, count in self.counts.items()}
        self.mean = sum(self.lengths.values()) / len(self.lengths)
        found_in = Counter(word for count in self.counts.values() for word in count)
        total = len(self.counts)
        self.weights = {word: math.log(1 + (total - n + 0.5) / (n + 0.5)) for word, n in found_in.items()}

    def scores(self, query: str) -> dict[str, float]:
        """Page id -> BM25 score."""
        asked = [word for word in dict.fromkeys(words(query)) if word in self.weights]
        out = {}
        for page, count in self.counts.items():
            norm = _K1 * (1 - _B + _B * self.lengths[page] / self.mean)
            out[page] = sum(self.weights[word] * count[word] * (_K1 + 1) / (count[word] + norm) for word in asked)
        return out
