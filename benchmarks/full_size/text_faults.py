"""Faults of texts: queries that occur twice, nearly twice, point to a layout or an unnamed document; empty answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from benchmarks.full_size.places import Queries
from benchmarks.full_size.truth import Truth

if TYPE_CHECKING:
    import polars as pl

SAME_TEXTS = 400
NEAR_TEXTS = 400
EMPTY_ANSWERS = 300
EMPTY_TEXTS = 20
POINTING = 500
_LAYOUT = (
    "in the table above", "in Figure 3", "in the second column", "in the chart on the left", "at the top of the page",
)  # fmt: skip
_UNNAMED = ("in this study", "according to the article", "in the report", "by the authors of this paper")


def plant_text_faults(
    queries: Queries, texts: pl.Series, answers: pl.Series, truth: Truth
) -> tuple[pl.Series, pl.Series]:
    """Return the texts and answers with faults planted."""
    everywhere = np.ones(queries.ids.size, bool)
    new_texts, new_answers = texts.to_list(), answers.to_list()
    ids = queries.ids
    pairs = truth.take(2 * SAME_TEXTS, everywhere)
    for first, second in zip(pairs[0::2].tolist(), pairs[1::2].tolist(), strict=False):
        new_texts[second] = new_texts[first]
        truth.add("same_text", "queries", str(ids[second]), "text", str(ids[first]))
    pairs = truth.take(2 * NEAR_TEXTS, everywhere)
    for number, (first, second) in enumerate(zip(pairs[0::2].tolist(), pairs[1::2].tolist(), strict=False)):
        new_texts[second] = _nearly(new_texts[first], number)
        truth.add("near_same_text", "queries", str(ids[second]), "text", str(ids[first]))
    rows = truth.take(EMPTY_ANSWERS, everywhere)
    for number, row in enumerate(rows.tolist()):
        new_answers[row] = "" if number % 2 else "  "
    truth.add_all("empty_answer", "queries", ids[rows], "answer")
    rows = truth.take(EMPTY_TEXTS, everywhere)
    for number, row in enumerate(rows.tolist()):
        # No two of them alike, or they would be the same text as well.
        new_texts[row] = "" if number == 0 else "\u3000" * number
    truth.add_all("empty_text", "queries", ids[rows], "text")
    for fault, phrases in (("layout_reference", _LAYOUT), ("unnamed_document", _UNNAMED)):
        rows = truth.take(POINTING, everywhere)
        chosen = [phrases[number % len(phrases)] for number in range(rows.size)]
        for row, phrase in zip(rows.tolist(), chosen, strict=True):
            new_texts[row] = f"{new_texts[row].removesuffix('?')} {phrase}?"
        truth.add_all(fault, "queries", ids[rows], "text", chosen)
    return _series("text", new_texts), _series("answer", new_answers)


def _nearly(text: str, number: int) -> str:
    """Return the text with one small change: case, space, end, or its last word."""
    words = text.removesuffix("?").split(" ")
    changed = (
        text.upper(),
        text.replace(" ", "  ", 1),
        text.removesuffix("?") + " ?",
        " ".join([*words[:-1], words[-1] + "s"]) + "?",
    )
    start = number % len(changed)
    # A script without capitals, or a text of one word, is not changed by every one of them.
    return next(each for each in (*changed[start:], *changed) if each != text)


def _series(name: str, values: list[str]) -> pl.Series:
    import polars as pl

    return pl.Series(name, values, pl.String())
