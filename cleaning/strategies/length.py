"""The baseline that knows nothing of a query but how long it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cleaning.contract import Inputs, Kind, Scores
from cleaning.strategies.learned import Lesson
from cleaning.strategies.logistic_regression import Linear, LogisticRegressionLearner
from cleaning.strategies.options import check_options
from cleaning.strategies.scoring import as_scores
from cleaning.strategies.training import training_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

name = "length"
title = "Length of the query"
kind = Kind.BASELINE
describe = (
    "A logistic regression on the logarithm of the number of characters and nothing else: the training labels say whether "
    "long or short queries go. What a strategy that reads the query must beat."
)
needs_embeddings = False
default_threshold = 0.5

#: Hardly held back: there is one weight.
_C = 1.0


def build(options: Mapping[str, object]) -> Length:
    """Return the strategy; it has no options (CleaningError where one is given)."""
    check_options(name, options, ())
    return Length()


class Length:
    """The baseline before training."""

    def fit(self, inputs: Inputs, remove: NDArray[np.bool_], *, seed: int) -> FittedLength:
        """Return the baseline fitted on these queries.

        Raises:
            CleaningError: fewer than 10 queries or than 2 of a label.
        """
        remove = np.asarray(remove, dtype=bool)
        rows = training_order(inputs, remove, np.ones(len(inputs), dtype=bool), title=title)
        lengths = _lengths(inputs)[rows]
        learner = LogisticRegressionLearner((_C,))
        return FittedLength(learner.learn(Lesson(lengths, remove[rows], None, (1,), seed)))


@dataclass(frozen=True, slots=True)
class FittedLength:
    """The baseline after training."""

    line: Linear

    def score(self, inputs: Inputs) -> Scores:
        """Return the probability of removal by length; an empty text has length 0."""
        return Scores(as_scores(self.line.predict(_lengths(inputs))))


def _lengths(inputs: Inputs) -> NDArray[np.float32]:
    texts = inputs.queries["text"].to_list()
    counts = np.fromiter((len(text or "") for text in texts), dtype=np.float32, count=len(texts))
    return np.log1p(counts)[:, None]
