"""BM25 over pieces of pages (Robertson and Zaragoza 2009): which page the words of a query point to."""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from audit_core.errors import CleaningError

if TYPE_CHECKING:
    from numpy.typing import NDArray

K1, B = 1.2, 0.75
_WORD = re.compile(r"[^\W_]+(?:[.,]\d+)*")


class Bm25Index:
    """An index of page texts, cut into pieces of `piece_words` words; a page's score is that of its best piece."""

    def __init__(self, pages: Mapping[str, str], *, piece_words: int) -> None:
        """Index the pages; CleaningError where no page has a word."""
        self.page_rows = {page: row for row, page in enumerate(pages)}
        vocabulary: dict[str, int] = {}
        terms, pieces, counts = array("q"), array("q"), array("i")
        page_of_piece, lengths = array("q"), array("i")
        for row, text in enumerate(pages.values()):
            words = words_of(text)
            for start in range(0, len(words), piece_words):
                piece = words[start : start + piece_words]
                for word, count in Counter(piece).items():
                    terms.append(vocabulary.setdefault(word, len(vocabulary)))
                    pieces.append(len(lengths))
                    counts.append(count)
                page_of_piece.append(row)
                lengths.append(len(piece))
        if not lengths:
            raise CleaningError("No page has any text, so that no page can be found by its words. Give page texts.")
        self._vocabulary = vocabulary
        self._page_of_piece = np.array(page_of_piece, dtype=np.intp)
        self._weigh(
            np.array(terms), np.array(pieces), np.array(counts, dtype=np.float32), np.array(lengths, dtype=np.float32)
        )

    def _weigh(
        self,
        terms: NDArray[np.int64],
        pieces: NDArray[np.int64],
        counts: NDArray[np.float32],
        lengths: NDArray[np.float32],
    ) -> None:
        """Keep the weight of each word in each piece, the pieces of a word side by side."""
        order = np.argsort(terms, kind="stable")
        found_in = np.bincount(terms, minlength=len(self._vocabulary))
        rarity = np.log(1.0 + (len(lengths) - found_in + 0.5) / (found_in + 0.5))
        held_back = K1 * (1.0 - B + B * lengths / lengths.mean())
        weights = rarity[terms] * counts * (K1 + 1.0) / (counts + held_back[pieces])
        self._starts = np.concatenate([[0], np.cumsum(found_in)])
        self._pieces, self._weights = pieces[order], weights[order].astype(np.float32)

    def page_scores(self, query: str) -> NDArray[np.float32]:
        """Return a score for each page, in their order: 0 where it has no word of the query."""
        scores = np.zeros(len(self._page_of_piece), dtype=np.float32)
        known = (self._vocabulary.get(word) for word in sorted(set(words_of(query))))
        for term in known:
            if term is not None:
                span = slice(self._starts[term], self._starts[term + 1])
                scores[self._pieces[span]] += self._weights[span]
        pages = np.zeros(len(self.page_rows), dtype=np.float32)
        np.maximum.at(pages, self._page_of_piece, scores)
        return pages


def words_of(text: str) -> list[str]:
    """Return the words and numbers of a text, case folded, without a plural s."""
    found = _WORD.findall(unicodedata.normalize("NFKC", text).casefold())
    return [word[:-1] if len(word) > 4 and word.endswith("s") and not word.endswith("ss") else word for word in found]
