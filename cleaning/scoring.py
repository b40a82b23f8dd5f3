"""What strategies said of every query of a dataset: what a threshold is chosen on, and what a cleaning is made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from audit_core.errors import CleaningError
from cleaning.contract import Kind, Reason

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class ScoredAll:
    """One strategy on all n queries of a dataset.

    `scores` of shape (n,) in [0, 1], higher = more likely to remove, NaN = undecided; `decisions` likewise 1.0 (remove, its
    score is at or above `threshold`), 0.0 or NaN. `reasons` holds what fired, by row; rows without any are not in it.
    `asked` says what a language model was asked and how its answers fell out (JSON), None of other strategies. `failed` is
    why there are no scores (all NaN then). `learned` tells whether training labels had a part in the scores, be it through
    a member of a combination.
    """

    name: str
    title: str
    kind: Kind
    options: Mapping[str, Any]
    threshold: float
    scores: NDArray[np.float64]
    decisions: NDArray[np.float64]
    reasons: Mapping[int, Sequence[Reason]] = field(default_factory=dict)
    asked: Mapping[str, Any] | None = None
    failed: str | None = None
    learned: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Scoring:
    """All strategies of one scoring run on all queries of one dataset revision, in the dataset's order.

    `trained_on` are the queries whose labels trained the strategies that learned: the scores of these are not out of sample
    there, so such labels may neither choose nor judge where one of them takes part (`trained_for`).
    """

    run_id: int
    name: str
    dataset_name: str
    dataset_revision: str
    dataset_hash: str
    query_ids: tuple[str, ...]
    strategies: tuple[ScoredAll, ...]
    trained_on: frozenset[str] = frozenset()
    card: Mapping[str, Any] = field(default_factory=dict)

    @property
    def usable(self) -> tuple[ScoredAll, ...]:
        """The strategies that did not fail."""
        return tuple(each for each in self.strategies if each.failed is None)

    def trained_for(self, strategies: Iterable[ScoredAll]) -> frozenset[str]:
        """Return the queries whose labels trained any of these strategies; none where none of them learned."""
        return self.trained_on if any(each.learned for each in strategies) else frozenset()

    def of(self, name: str) -> ScoredAll:
        """Return one strategy's scores; CleaningError where none has this name, or it failed (and why)."""
        for each in self.strategies:
            if each.name == name:
                if each.failed is not None:
                    raise CleaningError(f"{each.title} has no scores: {each.failed}")
                return each
        raise CleaningError(
            f"{name!r} took no part in the scoring {self.name}. There are: {', '.join(each.name for each in self.strategies)}."
        )
