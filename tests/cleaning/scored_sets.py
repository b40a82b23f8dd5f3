"""Scorings and drawn labels that are built in memory, for tests of the guarantee and of the estimate for the whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cleaning.contract import Kind
from cleaning.drawn_labels import Division, DrawnLabels
from cleaning.labels import LabelSet
from cleaning.metrics import decide
from cleaning.scoring import ScoredAll, Scoring

HASH = "f" * 64


def ids(n: int) -> tuple[str, ...]:
    return tuple(f"q{row:06}" for row in range(n))


def scored(scores: ArrayLike, name: str = "mine", *, kind: Kind = Kind.LEARNED, **options: Any) -> ScoredAll:
    values = np.asarray(scores, dtype=np.float64)
    learned = kind is Kind.LEARNED
    return ScoredAll(name, name.capitalize(), kind, options, 0.5, values, decide(values, 0.5), learned=learned)


def scoring(*strategies: ScoredAll, trained_on: Sequence[str] = ()) -> Scoring:
    n = len(strategies[0].scores)
    return Scoring(1, "first", "made", "1", HASH, ids(n), strategies, frozenset(trained_on))


def drawn(
    rows: ArrayLike,
    bad: NDArray[np.bool_],
    *,
    chances: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    **more: Any,
) -> DrawnLabels:
    """Return labels of these rows; `bad` tells of every query whether it is; of a simple draw unless chances are given."""
    places = np.sort(np.asarray(rows, dtype=np.intp))
    n = len(bad)
    all_chances = np.full(n, len(places) / n) if chances is None else np.asarray(chances, dtype=np.float64)
    named = ids(n)
    labels = LabelSet(
        name="drawn",
        origin="removal campaign",
        query_ids=tuple(named[row] for row in places),
        remove=tuple(bool(bad[row]) for row in places),
        probabilities=tuple(all_chances[places].tolist()),
    )
    values: dict[str, Any] = {
        "division": Division.NONE if chances is None else Division.CHANCES,
        "stands_for": float((1.0 / all_chances[places]).sum()) if len(places) else None,
        **more,
    }
    numbers = np.arange(n) if groups is None else np.asarray(groups)
    return DrawnLabels("campaign:drawn", "drawn", HASH, labels, numbers.astype(np.intp), **values)
