"""Queries that every strategy is tried on, and options that build each of them."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from cleaning.catalogue import build_strategy
from cleaning.contract import QUERY_COLUMNS, Inputs, Strategy
from tests.cleaning.llm.stub_asker import StubAsker

_LISTS = ("configured_pages", "evidence_pages", "documents", "evidence_kinds")
_TEXTS = (
    "What is the population of {} ?", "how many is it {}", "Was ist die Fläche von {}?", "Quelle est la capitale de {} ?",
    "What does the table show for {}?", "表中{}的数值是多少？", "annual revenue {} 2019",
)  # fmt: skip
_NAMES = ("Oslo", "Genève", "Köln", "東京", "Łódź", "Reykjavík", "São Paulo", "x", "🙂", "A\u0301")

PAGES = {
    f"p{number}": f"The page number {number} tells of {_NAMES[number % 10]} and its population." for number in range(80)
}
_MODEL = {"base_url": "http://127.0.0.1:9/v1", "model": "stub"}
#: Options of each strategy, by the name that a test is called by.
BUILT: dict[str, tuple[str, dict[str, object]]] = {
    "rules": ("rules", {}),
    "rules, two of them": ("rules", {"rules": ["no_question", "layout_reference"]}),
    "evidence_filter": ("evidence_filter", {}),
    "logistic_regression": ("logistic_regression", {}),
    "logistic_regression, all blocks": (
        "logistic_regression",
        {"blocks": ["query", "answer", "structure", "lengths", "rules", "surface"], "c": [0.01, 0.1]},
    ),
    "logistic_regression_surface": ("logistic_regression_surface", {}),
    "xgboost": ("xgboost", {"trees": 20, "threads": 1}),
    "xgboost, calibrated": ("xgboost", {"trees": 20, "threads": 1, "calibrate": True, "blocks": ["query", "lengths"]}),
    "knn": ("knn", {}),
    "knn, blocks": ("knn", {"k": 3, "blocks": ["query", "structure", "surface"]}),
    "union": ("union", {"members": ["one", "two", "three"]}),
    "intersection": ("intersection", {"members": ["one", "two"]}),
    "k_of_n": ("k_of_n", {"members": ["one", "two", "three"], "k": 2}),
    "keep_all": ("keep_all", {}),
    "random": ("random", {}),
    "length": ("length", {}),
    "bm25_difficulty": ("bm25_difficulty", {"page_texts": PAGES}),
    "llm_rating": ("llm_rating", {"model": _MODEL}),
    "llm_rating, thrice and limits": (
        "llm_rating",
        {"model": _MODEL, "repeats": 3, "with_answer": True, "criteria": ["clarity", "closedness"], "thresholds": 0.25},
    ),
    "llm_classifier": ("llm_classifier", {"model": _MODEL, "repeats": 4}),
    "context_check": ("context_check", {"model": _MODEL, "repeats": 2}),
    "closed_book": ("closed_book", {"panel": [_MODEL, {**_MODEL, "model": "other"}], "judge": _MODEL}),
}


def built(case: str) -> Strategy:
    """A strategy with its options; one that asks a language model has a stub's answers about `cases` and `training`."""
    name, options = BUILT[case]
    strategy = build_strategy(name, options)
    if hasattr(strategy, "ask"):
        queries = pl.concat([cases()[0].queries, training()[0].queries, cases(300, first=5000)[0].queries])
        strategy = strategy.ask(queries, StubAsker())
    return strategy


def cases(n: int = 80, *, seed: int = 3, first: int = 0) -> tuple[Inputs, NDArray[np.bool_]]:
    """n queries of several languages with vectors that tell a little of the label, and other strategies' scores."""
    chance = np.random.default_rng([seed, first])
    remove = chance.random(n) < 0.35
    rows = range(first, first + n)
    values: dict[str, object] = {name: [[]] * n if name in _LISTS else ["some"] * n for name in QUERY_COLUMNS}
    values |= {
        "query_id": [f"q{row:04d}" for row in rows],
        "text": [_TEXTS[(row + 3 * int(bad)) % 7].format(_NAMES[row % 10] + str(row // 9)) for row, bad in zip(rows, remove, strict=True)],
        "answer": [None if row % 5 == 0 else f"{row} people" for row in rows],
        "evidence_structure": [("Page-Single", "Cross-Doc", "Doc-Far")[row % 3] for row in rows],
        "evidence_pages": [[f"p{row % 80}", f"p{(row + row % 2) % 80}"] for row in rows],
        "documents": [[f"d{row // 2}"] for row in rows],
        "evidence_kinds": [["Text"] if row % 2 else [] for row in rows],
        "group_id": [None] * n,
    }  # fmt: skip
    frame = pl.DataFrame(values, schema={c: pl.List(pl.String) if c in _LISTS else pl.String for c in QUERY_COLUMNS})
    vectors = chance.normal(size=(n, 12)).astype(np.float32)
    vectors[:, 0] += 2.0 * remove
    other = {name: chance.random(n) for name in ("one", "two", "three")}
    other["two"][::7] = np.nan
    decisions = {name: np.where(np.isnan(scores), np.nan, scores >= 0.6) for name, scores in other.items()}
    answers = chance.normal(size=(n, 6)).astype(np.float32)
    return Inputs(frame, vectors, answers, other, decisions), remove


def training() -> tuple[Inputs, NDArray[np.bool_]]:
    """Queries to train on, without what combinations see of other strategies: so they are given in a comparison."""
    inputs, remove = cases(120, first=1000)
    return Inputs(inputs.queries, inputs.vectors, inputs.answer_vectors), remove
