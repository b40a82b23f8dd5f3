"""The frame of strategies that learn from labelled queries: features in, probabilities out.

A learner gets a matrix of features and gives a predictor; the frame chooses the training rows, fits the features on them,
and reads the queries to score some thousand at a time. The score is the probability of removal at the share of bad queries
in training: labels are neither weighted nor resampled, so that 0.5 means as likely as not, and thresholds can be tuned.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from audit_core.errors import CleaningError
from cleaning.contract import Inputs, Scores
from cleaning.features import BLOCKS, Features, check_blocks, fit_features, usable_rows
from cleaning.strategies.options import names
from cleaning.strategies.scoring import as_scores, finite_rows
from cleaning.strategies.training import inner_folds, training_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Folds inside a training part, for what is chosen or held out there.
INNER_FOLDS = 3
#: Most distant number that a vector may hold: beyond, sums of squares are infinite in float32.
_LARGEST = 1e18


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """What a learner is given: features (n, width) float32, labels (n,), inner folds (or None), widths of blocks, seed."""

    features: NDArray[np.float32]
    remove: NDArray[np.bool_]
    folds: NDArray[np.intp] | None
    widths: tuple[int, ...]
    seed: int


class Predictor(Protocol):
    """A learner after training."""

    def predict(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the probability of removal of each row, of shape (n,)."""
        ...


class Learner(Protocol):
    """A way of learning, with its options."""

    def learn(self, lesson: Lesson) -> Predictor:
        """Return the predictor; the same lesson gives the same one. CleaningError where it cannot."""
        ...


@dataclass(frozen=True, slots=True)
class Learned:
    """A learner on chosen blocks of features, as a strategy."""

    title: str
    blocks: tuple[str, ...]
    learner: Learner

    def fit(self, inputs: Inputs, remove: NDArray[np.bool_], *, seed: int) -> FittedLearned:
        """Return the strategy trained on these queries; those without usable vectors have no part in it.

        Raises:
            CleaningError: fewer than 10 usable queries or than 2 of a label; vectors that a block needs are missing.
        """
        remove = np.asarray(remove, dtype=bool)
        rows = training_order(inputs, remove, usable_rows(inputs, self.blocks), title=self.title)
        training, labels = inputs.take(rows), remove[rows]
        folds = inner_folds(training.queries, labels, parts=INNER_FOLDS, seed=seed)
        features, matrix = fit_features(training, labels, folds, self.blocks)
        if np.abs(matrix).max(initial=0.0) > _LARGEST:
            raise CleaningError(f"{self.title} cannot be trained on vectors with numbers beyond {_LARGEST:g}.")
        predictor = self.learner.learn(Lesson(matrix, labels, folds, features.widths, seed))
        return FittedLearned(features, predictor)


@dataclass(frozen=True, slots=True, eq=False)
class FittedLearned:
    """A learned strategy after training."""

    features: Features
    predictor: Predictor

    def score(self, inputs: Inputs) -> Scores:
        """Return the probability of removal of each query; NaN where it has no usable vector."""
        values = np.full(len(inputs), np.nan)
        usable = np.empty(len(inputs), dtype=bool)
        for part, features in self.features.parts(inputs):
            fine = finite_rows(features)
            usable[part] = fine
            if fine.all():
                values[part] = self.predictor.predict(features)
            elif fine.any():
                values[np.flatnonzero(fine) + part.start] = self.predictor.predict(features[fine])
        values[usable] = as_scores(values[usable])
        return Scores(values)


def blocks_option(strategy: str, options: Mapping[str, object]) -> tuple[str, ...]:
    """Return the option `blocks` (the embedding of the query where it is not given); CleaningError where it is wrong."""
    return check_blocks(names(strategy, options, "blocks", ("query",), known=list(BLOCKS)))
