"""What a strategy is given, and what it gives back: the contract that every file in `cleaning/strategies/` keeps.

A strategy's module has these names:

```python
name = "logistic_regression"  # how it is called, on the command line as well
title = "Logistic regression"  # how it is shown
kind = Kind.LEARNED
describe = "..."  # one or two sentences: what it looks at, and what its score means
needs_embeddings = True
default_threshold = 0.5


def build(options: Mapping[str, object]) -> Strategy: ...  # unknown or wrong options: CleaningError
```

A query is removed when its score is at or above the threshold (positive = remove). A strategy never sees the labels of
the queries that it scores.

A strategy that asks a language model says so by `asks_model = True` in its module (and by `shows_evidence = True` if it can
show answer and pages to it), and has two methods more:

```python
def ask(self, queries: pl.DataFrame, asker: Asker, pages: PageSource | None = None) -> Self: ...  # with its answers
def asked_summary(self, threshold: float | None = None) -> JsonObject | None: ...  # what was asked, how it fell out
```

Whoever runs it asks before it scores; a query without an accepted answer is undecided.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

#: Columns of `Inputs.queries`, in this order. Lists are of text; a query without evidence has empty ones.
QUERY_COLUMNS = (
    "query_id", "text", "answer", "source", "domain", "evidence_structure", "generator", "group_id", "language",
    "configured_pages", "evidence_pages", "documents", "evidence_kinds",
)  # fmt: skip


class Kind(StrEnum):
    """What a strategy rests on. Difficulty filters are listed apart and never ranked by false omission rate."""

    RULE = "rule"
    LEARNED = "learned"
    MODEL = "model"
    COMBINATION = "combination"
    BASELINE = "baseline"
    DIFFICULTY = "difficulty"


@dataclass(frozen=True, slots=True)
class Inputs:
    """Queries as a strategy sees them: one row each, in one order.

    `queries` has the columns `QUERY_COLUMNS`. `vectors` holds one embedding a query, float32 of shape (n, dimensions),
    perhaps a memory map; None where no strategy needs them. `answer_vectors` the same of the answers. `other` holds the
    scores that other strategies gave these queries, by name, each of shape (n,) with NaN for undecided: what
    combinations are made of. `decisions` likewise holds their decisions at their own thresholds: 1.0, 0.0 or NaN.
    """

    queries: pl.DataFrame
    vectors: NDArray[np.float32] | None = None
    answer_vectors: NDArray[np.float32] | None = None
    other: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    decisions: dict[str, NDArray[np.float64]] = field(default_factory=dict)

    def __len__(self) -> int:
        """Return the number of queries."""
        return self.queries.height

    def take(self, rows: NDArray[np.intp]) -> Inputs:
        """Return the queries of these row numbers, in that order."""
        return Inputs(
            queries=self.queries[rows],
            vectors=None if self.vectors is None else self.vectors[rows],
            answer_vectors=None if self.answer_vectors is None else self.answer_vectors[rows],
            other={name: column[rows] for name, column in self.other.items()},
            decisions={name: column[rows] for name, column in self.decisions.items()},
        )


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a rule fired on a query: the rule's name, what it says, and the stretch of the query's text (or None)."""

    rule: str
    says: str
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Scores:
    """One score a query: in [0, 1], higher = more likely to remove, NaN = undecided (the query is kept, and counted).

    `reasons` holds what fired, one sequence a query, of strategies that can say; empty otherwise.
    """

    values: NDArray[np.float64]
    reasons: tuple[Sequence[Reason], ...] = ()


class Fitted(Protocol):
    """A strategy after training."""

    def score(self, inputs: Inputs) -> Scores:
        """Return one score a query."""
        ...


class Strategy(Protocol):
    """A strategy with its options, before training."""

    def fit(self, inputs: Inputs, remove: NDArray[np.bool_], *, seed: int) -> Fitted:
        """Return the strategy trained on labelled queries; `remove[i]` says whether query i is to be removed.

        Strategies that learn nothing return themselves. Same inputs and seed, same scores.

        Raises:
            CleaningError: it cannot be trained on these, and why.
        """
        ...
