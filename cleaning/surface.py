"""How a query's wording reads: log odds of removal from its words, the forms of its words, and their order.

A well-formed question differs from a bad one in function words, endings and order more than in topic. So a text is read
twice: as its words (one and two in a row), and as a row of word forms, in which function words stand for themselves and
any other word for its ending (one to four in a row). A logistic regression on the weighted counts gives one number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TOKEN = re.compile(r"\w+(?:['’]\w+)?|[^\w\s]")
_NUMBER = re.compile(r"\d+")
_ENDINGS = (
    "ing", "ed", "ly", "tion", "ment", "ness", "ity", "ous", "ive", "able", "al", "er", "or", "ist", "est", "ies", "es", "s", "y",
)  # fmt: skip
_FORM_WORDS_TEXT = """
    a an the this that these those and or but if of in on at by for from to with without into about over under between
    during before after than as like per via is are was were am be been being do does did done doing has have had having
    can could will would shall should may might must what which who whom whose when where why how whats i you he it she
    we they me him her us them my your his its our their mine yours there here not no many much long far old often big
    tall high fast some any all each every most more other another mean name get go make use used called best same
    different first last number people work find one two three
"""
_FORM_WORDS = frozenset(_FORM_WORDS_TEXT.split())
#: Longest run of word forms, and of words.
_LONGEST_FORMS, _LONGEST_WORDS = 4, 2
#: Texts that a run must be in to count, and how strongly the weights are held back (scikit-learn's C).
_LEAST_TEXTS, _C = 2, 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """The fitted reading."""

    readers: tuple[Any, ...]
    model: Any

    def log_odds(self, texts: Sequence[str | None]) -> NDArray[np.float64]:
        """Return the log odds of removal of each text, of shape (n,)."""
        if not texts:
            return np.zeros(0)
        return np.asarray(self.model.decision_function(_counts(self.readers, texts)), dtype=np.float64)


def fit_surface(
    texts: Sequence[str | None], remove: NDArray[np.bool_], folds: NDArray[np.intp] | None
) -> tuple[Surface, NDArray[np.float64]]:
    """Return the reading fitted on all texts, and the log odds of each from a reading fitted without its fold.

    `folds` holds a fold number for each text; with None the second are those of the first.
    """
    fitted = _fit(texts, remove)
    if folds is None:
        return fitted, fitted.log_odds(texts)
    held_out = np.empty(len(texts))
    for fold in np.unique(folds):
        inside, outside = np.flatnonzero(folds == fold).tolist(), np.flatnonzero(folds != fold).tolist()
        reading = _fit([texts[row] for row in outside], remove[outside])
        held_out[inside] = reading.log_odds([texts[row] for row in inside])
    return fitted, held_out


def forms_of(text: str) -> list[str]:
    """Return the word forms of a text, with a mark at its beginning and end."""
    return ["<", *(_form(token) for token in _TOKEN.findall(text)), ">"]


def _fit(texts: Sequence[str | None], remove: NDArray[np.bool_]) -> Surface:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    readers = tuple(
        TfidfVectorizer(analyzer=analyzer, min_df=_LEAST_TEXTS, sublinear_tf=True).fit(_present(texts))
        for analyzer in (_runs_of_forms, _runs_of_words)
    )
    model = LogisticRegression(C=_C, max_iter=1000).fit(_counts(readers, texts), remove)
    return Surface(readers, model)


def _counts(readers: Sequence[Any], texts: Sequence[str | None]) -> Any:
    from scipy.sparse import hstack

    return hstack([reader.transform(_present(texts)) for reader in readers]).tocsr()


def _present(texts: Sequence[str | None]) -> list[str]:
    return [text or "" for text in texts]


def _runs_of_forms(text: str) -> list[str]:
    return _runs(forms_of(text), _LONGEST_FORMS)


def _runs_of_words(text: str) -> list[str]:
    return _runs(["<", *(token.casefold() for token in _TOKEN.findall(text)), ">"], _LONGEST_WORDS)


def _runs(tokens: Sequence[str], longest: int) -> list[str]:
    return [" ".join(tokens[at : at + n]) for n in range(1, longest + 1) for at in range(len(tokens) - n + 1)]


def _form(token: str) -> str:
    folded = token.casefold()
    if folded in _FORM_WORDS:
        return folded
    if _NUMBER.fullmatch(token):
        return "#"
    if not token[0].isalnum():
        return token
    capital = "X" if token[0].isupper() else ""
    for ending in _ENDINGS:
        if folded.endswith(ending) and len(folded) > len(ending) + 2:
            return f"{capital}~{ending}"
    return f"{capital}~"
