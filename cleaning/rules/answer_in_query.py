"""The rule on queries that hold their own answer."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from cleaning.contract import Reason
from cleaning.rules.finding import Found

if TYPE_CHECKING:
    import polars as pl

name = "answer_in_query"
title = "Answer inside the query"
describe = (
    "The words of the answer stand in the query, in their order. Choices that the query offers (A or B, which of A and B), "
    "yes and no, and answers of a single number below ten or a single letter do not count."
)
compares_queries = False

_TOKEN = re.compile(r"\d+(?:[.,]\d+)*%?|[^\W\d_]+(?:['’][^\W\d_]+)?")
_CHOICE = re.compile(
    r"\b(?:or|oder|ou|either|whether|versus|vs|between|zwischen|entre)\b"
    r"|\b(?:which|whose|welche[rnms]?|lequel|laquelle|cuál)\b.{0,80}\b(?:and|und|et|y)\b|\b(?:than|als|que\s+celui)\b",
    re.IGNORECASE,
)
_SAYS_NOTHING_TEXT = """
    yes no true false ja nein oui non sí si none nothing unknown not given the a an of in and both neither all it
"""
_SAYS_NOTHING = frozenset(_SAYS_NOTHING_TEXT.split())


def find(queries: pl.DataFrame) -> Found:
    """Return what the rule says of each query, from its text and answer; without an answer it does not fire."""
    rows = zip(queries["text"].to_list(), queries["answer"].to_list(), strict=True)
    reasons = tuple(tuple(find_in_text(text or "", answer or "")) for text, answer in rows)
    return Found(np.fromiter((bool(each) for each in reasons), dtype=bool, count=len(reasons)), reasons)


def find_in_text(text: str, answer: str) -> Sequence[Reason]:
    """Return where the answer stands in the text, or nothing."""
    wanted = [word for word, _, _ in _tokens(answer)]
    if not _tells(wanted) or _CHOICE.search(text):
        return []
    tokens = _tokens(text)
    for first in range(len(tokens) - len(wanted) + 1):
        if all(tokens[first + place][0] == word for place, word in enumerate(wanted)):
            start, end = tokens[first][1], tokens[first + len(wanted) - 1][2]
            return [Reason(name, "the answer stands in the query", start, end)]
    return []


def _tokens(text: str) -> list[tuple[str, int, int]]:
    return [
        (unicodedata.normalize("NFKC", found.group()).casefold().replace("’", "'"), found.start(), found.end())
        for found in _TOKEN.finditer(text)
    ]


def _tells(words: Sequence[str]) -> bool:
    content = [word for word in words if word not in _SAYS_NOTHING]
    if not content:
        return False
    return len(content) > 1 or len(content[0]) > 1
