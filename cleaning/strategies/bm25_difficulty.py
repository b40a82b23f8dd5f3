"""The difficulty filter by words: queries whose evidence pages are found by word search alone are easy, not bad."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from audit_core.errors import CleaningError
from cleaning.contract import Inputs, Kind, Scores
from cleaning.strategies.bm25 import Bm25Index
from cleaning.strategies.options import check_options, whole_number
from cleaning.strategies.scoring import as_scores

if TYPE_CHECKING:
    from numpy.typing import NDArray

name = "bm25_difficulty"
title = "Easy by word search"
kind = Kind.DIFFICULTY
describe = (
    "Ranks all pages by BM25 on the words of the query. The score is the number of evidence pages over the rank of the last "
    "of them: 1 where they come first, near 0 where one comes late or is not found. It describes easy queries, not bad "
    "ones, and is never ranked by false omission rate. It needs the texts of the pages."
)
needs_embeddings = False
default_threshold = 1.0

PageTexts = Mapping[str, str] | Callable[[], Mapping[str, str]]


def build(options: Mapping[str, object]) -> Bm25Difficulty:
    """Return the strategy.

    Options: `page_texts` (needed: page id -> text, or a function without arguments that returns that, called once with the
    first query; all pages of the benchmark), `piece_words` (180: pages are searched in pieces of as many words).

    Raises:
        CleaningError: an option is unknown or cannot be used.
    """
    check_options(name, options, ("page_texts", "piece_words"))
    texts = options.get("page_texts")
    if texts is None:
        raise CleaningError(f"The strategy {name} needs the option page_texts: the text of every page by page id.")
    if not isinstance(texts, Mapping) and not callable(texts):
        raise CleaningError(
            f"The option page_texts of the strategy {name} is of type {type(texts).__name__}: give page id -> text, or a "
            "function that returns that."
        )
    return Bm25Difficulty(texts, whole_number(name, options, "piece_words", 180, low=10, high=100_000))


class Bm25Difficulty:
    """The filter; the index is made when the first queries are scored. It learns nothing."""

    def __init__(self, texts: PageTexts, piece_words: int) -> None:
        self._texts = texts
        self._piece_words = piece_words
        self._index: Bm25Index | None = None

    def fit(self, inputs: Inputs, remove: NDArray[np.bool_], *, seed: int) -> Bm25Difficulty:
        """Return the strategy itself."""
        return self

    def score(self, inputs: Inputs) -> Scores:
        """Return evidence pages over the rank of the last of them.

        A page's rank counts every page that scores as much or more, so that ties are no luck. NaN where the query has
        no evidence page or one without text; 0 where a page shares no word with the query.
        """
        if not len(inputs):
            return Scores(np.empty(0))
        if self._index is None:
            texts = self._texts() if callable(self._texts) else self._texts
            self._index = Bm25Index(texts, piece_words=self._piece_words)
        rows = zip(inputs.queries["text"].to_list(), inputs.queries["evidence_pages"].to_list(), strict=True)
        values = np.array([_easiness(self._index, text or "", pages or ()) for text, pages in rows], dtype=np.float64)
        return Scores(as_scores(values))


def _easiness(index: Bm25Index, text: str, pages: tuple[str, ...] | list[str]) -> float:
    wanted = sorted(set(pages))
    if not wanted or any(page not in index.page_rows for page in wanted):
        return float("nan")
    scores = index.page_scores(text)
    lowest = min(scores[index.page_rows[page]] for page in wanted)
    return len(wanted) / int((scores >= lowest).sum()) if lowest > 0 else 0.0
