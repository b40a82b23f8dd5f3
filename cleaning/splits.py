"""Which queries train and which evaluate: folds over documents, what was dropped as a leak, and the hash of it all."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from audit_core.errors import CleaningError
from cleaning.leaks import REASONS

if TYPE_CHECKING:
    from numpy.typing import NDArray

K_FOLD = "repeated k-fold over documents"
SINGLE = "one split over documents"
GIVEN = "given split"


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """One training and one evaluation part, as row numbers (sorted, disjoint).

    `dropped` are the rows that neither train nor evaluate since they share something with the evaluation part;
    `reasons[r]` counts those to which `leaks.REASONS[r]` applies (a query may count under several).
    """

    repeat: int
    number: int
    training: NDArray[np.intp]
    evaluation: NDArray[np.intp]
    dropped: NDArray[np.intp]
    reasons: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FoldCount:
    """What a fold holds, for a look before anything runs: queries, and those of them to remove, in each part."""

    repeat: int
    fold: int
    evaluation: int
    evaluation_positives: int
    training: int
    training_positives: int
    dropped: int
    dropped_by_reason: dict[str, int]


@dataclass(frozen=True, eq=False)
class Split:
    """A plan of who trains and who evaluates; rows are those of the queries that it was made for.

    `folds` are in the order of repeats; in each repeat every row of `evaluated` is evaluated exactly once. `notes` say
    in words where the plan is not the one that was asked for. Equal `hash`, comparable results.
    """

    method: str
    seed: int
    query_ids: tuple[str, ...]
    remove: NDArray[np.bool_]
    folds: tuple[Fold, ...]
    notes: tuple[str, ...] = ()

    @property
    def repeats(self) -> int:
        """How often each evaluated query is scored out of fold."""
        return 1 + max(fold.repeat for fold in self.folds)

    @property
    def k(self) -> int:
        """Folds a repeat."""
        return sum(fold.repeat == 0 for fold in self.folds)

    @cached_property
    def evaluated(self) -> NDArray[np.intp]:
        """The rows that are evaluated, sorted: all of them in k folds, the test part of a single split."""
        return np.sort(np.concatenate([fold.evaluation for fold in self.folds if fold.repeat == 0]))

    def of_repeat(self, repeat: int) -> tuple[Fold, ...]:
        """Return the folds of one repeat (0-based)."""
        return tuple(fold for fold in self.folds if fold.repeat == repeat)

    @cached_property
    def counts(self) -> tuple[FoldCount, ...]:
        """What each fold holds."""
        return tuple(
            FoldCount(
                repeat=fold.repeat,
                fold=fold.number,
                evaluation=len(fold.evaluation),
                evaluation_positives=int(self.remove[fold.evaluation].sum()),
                training=len(fold.training),
                training_positives=int(self.remove[fold.training].sum()),
                dropped=len(fold.dropped),
                dropped_by_reason=dict(zip(REASONS, fold.reasons, strict=True)),
            )
            for fold in self.folds
        )

    @cached_property
    def hash(self) -> str:
        """sha256 over query ids, labels, parts, drops, seed and method, whatever the order of the rows."""
        order = np.argsort(np.asarray(self.query_ids, dtype=object), kind="stable")
        place = np.empty(len(order), dtype=np.intp)
        place[order] = np.arange(len(order))

        def rows(part: NDArray[np.intp]) -> list[int]:
            return [int(each) for each in np.sort(place[part])]

        content = {
            "method": self.method,
            "seed": self.seed,
            "query_ids": [self.query_ids[row] for row in order],
            "remove": [int(self.remove[row]) for row in order],
            "folds": [
                [fold.repeat, fold.number, rows(fold.evaluation), rows(fold.training), rows(fold.dropped), fold.reasons]
                for fold in self.folds
            ],
        }
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


def check_same_split(hashes: Sequence[str]) -> str:
    """Return the one split hash that these results share.

    Raises:
        CleaningError: there is none, or more than one: results on different splits are never compared.
    """
    distinct = sorted(set(hashes))
    if not distinct:
        raise CleaningError("There are no results to compare.")
    if len(distinct) > 1:
        short = ", ".join(each[:12] for each in distinct)
        raise CleaningError(
            f"These results come from {len(distinct)} different splits ({short}): other queries, labels or folds, so no "
            "difference between them would mean anything. Run the strategies again on one split."
        )
    return distinct[0]
