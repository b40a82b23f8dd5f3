"""Small strategies and query tables for the tests of the comparison; none of them is a strategy that Assay ships."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from audit_core.errors import CleaningError
from cleaning.compare import Entrant
from cleaning.contract import QUERY_COLUMNS, Inputs, Kind, Reason, Scores


def query_table(
    documents: Sequence[Sequence[str]],
    *,
    ids: Sequence[str] | None = None,
    group_ids: Sequence[str | None] | None = None,
    pages: Sequence[Sequence[str]] | None = None,
) -> pl.DataFrame:
    """Queries with these evidence documents; the other columns hold what a small benchmark could."""
    n = len(documents)
    names = list(ids) if ids is not None else [f"q{row:04d}" for row in range(n)]
    columns: dict[str, object] = {
        "query_id": names,
        "text": [f"What does {name} say?" for name in names],
        "answer": ["an answer"] * n,
        "source": ["left" if row % 2 else "right" for row in range(n)],
        "domain": ["d"] * n,
        "evidence_structure": ["Page-Single"] * n,
        "generator": ["one"] * n,
        "group_id": list(group_ids) if group_ids is not None else [None] * n,
        "language": ["en"] * n,
        "configured_pages": [list(each) for each in pages] if pages is not None else [[] for _ in range(n)],
        "evidence_pages": [[] for _ in range(n)],
        "documents": [list(each) for each in documents],
        "evidence_kinds": [[] for _ in range(n)],
    }
    lists = ("configured_pages", "evidence_pages", "documents", "evidence_kinds")
    schema = {name: pl.List(pl.String) if name in lists else pl.String for name in QUERY_COLUMNS}
    return pl.DataFrame({name: columns[name] for name in QUERY_COLUMNS}, schema=schema)


def benchmark(n: int, *, seed: int = 0, dimensions: int = 4, share: float = 0.3) -> tuple[Inputs, NDArray[np.bool_]]:
    """n queries on about n / 2 documents, some of two documents; vectors of which the first number betrays the label."""
    generator = np.random.default_rng(seed)
    remove = generator.random(n) < share
    vectors = generator.normal(size=(n, dimensions)).astype(np.float32)
    vectors[:, 0] += 1.5 * remove
    documents = [
        [f"doc{each}" for each in generator.integers(0, n // 2, size=1 + int(generator.random() < 0.1))]
        for _ in range(n)
    ]
    return Inputs(query_table(documents), vectors), remove


@dataclass
class Column:
    """Learns nothing: gives the fixed score that each query id has in `scores`; NaN for the others."""

    scores: dict[str, float]
    calls: int = 0
    reasons: bool = False

    def fit(self, inputs: Inputs, remove: NDArray[np.bool_], *, seed: int) -> Column:
        return self

    def score(self, inputs: Inputs) -> Scores:
        self.calls += 1
        ids = inputs.queries["query_id"].to_list()
        values = np.asarray([self.scores.get(each, np.nan) for each in ids])
        return Scores(values, tuple((Reason("column", each),) for each in ids) if self.reasons else ())


@dataclass
class Nearer:
    """Learns the mean vector of each kind; the score is how much nearer a query is to the mean of those to remove."""

    seen: list[frozenset[str]] | None = None

    def fit(self, inputs: Inputs, remove: NDArray[np.bool_], *, seed: int) -> FittedNearer:
        if self.seen is not None:
            self.seen.append(frozenset(inputs.queries["query_id"].to_list()))
        assert inputs.vectors is not None
        return FittedNearer(inputs.vectors[remove].mean(axis=0), inputs.vectors[~remove].mean(axis=0))


@dataclass
class FittedNearer:
    bad: NDArray[np.float32]
    good: NDArray[np.float32]

    def score(self, inputs: Inputs) -> Scores:
        assert inputs.vectors is not None
        far = [((inputs.vectors - mean) ** 2).sum(axis=1) for mean in (self.good, self.bad)]
        return Scores(np.asarray(1.0 / (1.0 + np.exp(-(far[0] - far[1]))), dtype=np.float64))


@dataclass
class Union:
    """A combination: removes what any member removes."""

    members: tuple[str, ...]

    def fit(self, inputs: Inputs, remove: NDArray[np.bool_], *, seed: int) -> Union:
        return self

    def score(self, inputs: Inputs) -> Scores:
        missing = [name for name in self.members if name not in inputs.decisions]
        if missing:
            raise CleaningError(f"The union needs {missing[0]}, which took no part or failed.")
        return Scores(np.max([inputs.decisions[name] for name in self.members], axis=0))


@dataclass
class Failing:
    """Fails in its n-th fit."""

    error: Exception
    at: int = 1
    fits: int = 0

    def fit(self, inputs: Inputs, remove: NDArray[np.bool_], *, seed: int) -> FittedNearer:
        self.fits += 1
        if self.fits >= self.at:
            raise self.error
        return Nearer().fit(inputs, remove, seed=seed)


def entrant(name: str, strategy: object, kind: Kind = Kind.LEARNED, **more: object) -> Entrant:
    """The strategy as it takes part."""
    return Entrant(name, name.title(), kind, strategy, **more)  # type: ignore[arg-type]
