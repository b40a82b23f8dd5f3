"""Logistic regression on standardised features; how strongly it is held back is chosen inside the training queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from audit_core.errors import CleaningError
from cleaning.contract import Kind
from cleaning.strategies.learned import Learned, Lesson, blocks_option
from cleaning.strategies.options import check_options
from cleaning.strategies.scoring import probability

if TYPE_CHECKING:
    from numpy.typing import NDArray

name = "logistic_regression"
title = "Logistic regression"
kind = Kind.LEARNED
describe = (
    "A weighted sum of the features, each scaled to mean 0 and deviation 1. How strongly the weights are held back (C) is "
    "the value of least log loss over three folds inside the training queries. The score is the probability of removal at "
    "the share of bad queries in training; labels are not weighted."
)
needs_embeddings = True
default_threshold = 0.5

#: Values of C that are tried: from where hundreds of dimensions hardly count to where few are held back.
GRID = (0.0001, 0.001, 0.01, 0.1, 1.0)
#: Rows that are turned into float64 at once, so that they stay in the processor's cache.
_AT_ONCE = 256
#: C where no folds inside the training queries are possible.
WITHOUT_FOLDS = 0.01


def build(options: Mapping[str, object]) -> Learned:
    """Return the strategy. Options: `blocks` (of features, ["query"]), `c` (a list of values of C to choose from).

    Raises:
        CleaningError: an option is unknown or cannot be used.
    """
    return build_named(name, title, options)


def build_named(strategy: str, shown: str, options: Mapping[str, object]) -> Learned:
    """Return the strategy under another name and title, which its messages use."""
    check_options(strategy, options, ("blocks", "c"))
    learner = LogisticRegressionLearner(_grid(strategy, options.get("c", GRID)))
    return Learned(shown, blocks_option(strategy, options), learner)


@dataclass(frozen=True, slots=True)
class LogisticRegressionLearner:
    """Chooses C from a grid and fits."""

    grid: tuple[float, ...]

    def learn(self, lesson: Lesson) -> Linear:
        """Return the fitted weights."""
        return _fit(lesson.features, lesson.remove, self._choose(lesson))

    def _choose(self, lesson: Lesson) -> float:
        if len(self.grid) == 1:
            return self.grid[0]
        if lesson.folds is None:
            return min(self.grid, key=lambda c: abs(np.log(c / WITHOUT_FOLDS)))
        losses = np.zeros(len(self.grid))
        for fold in np.unique(lesson.folds):
            inside, outside = lesson.folds == fold, lesson.folds != fold
            truth = lesson.remove[inside]
            fits = _path(lesson.features[outside], lesson.remove[outside], self.grid)
            for place, fitted in enumerate(fits):
                logits = fitted.logits(lesson.features[inside])
                # log(1 + exp(-z)) of the true side, without overflow.
                losses[place] += np.logaddexp(0.0, np.where(truth, -logits, logits)).sum()
        return self.grid[int(np.argmin(losses))]


@dataclass(frozen=True, slots=True, eq=False)
class Linear:
    """Weights on the features as they are given, scaling included: log odds = features @ weights + constant."""

    weights: NDArray[np.float64]
    constant: float
    c: float

    def logits(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the log odds of removal of each row."""
        out = np.empty(len(features))
        for start in range(0, len(features), _AT_ONCE):
            out[start : start + _AT_ONCE] = features[start : start + _AT_ONCE].astype(np.float64) @ self.weights
        return out + self.constant

    def predict(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the probability of removal of each row."""
        return probability(self.logits(features))


def _fit(features: NDArray[np.float32], remove: NDArray[np.bool_], c: float) -> Linear:
    return _path(features, remove, (c,))[0]


def _path(features: NDArray[np.float32], remove: NDArray[np.bool_], grid: Sequence[float]) -> list[Linear]:
    """Return the fit for each C; each starts from the one before, which changes the time only."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    scaler = StandardScaler()
    scaled = scaler.fit_transform(features.astype(np.float64))
    model: Any = LogisticRegression(C=grid[0], max_iter=5000, warm_start=True)
    fits = []
    for c in grid:
        model.set_params(C=c).fit(scaled, remove)
        weights = model.coef_[0] / scaler.scale_
        fits.append(Linear(weights, float(model.intercept_[0] - weights @ scaler.mean_), c))
    return fits


def _grid(strategy: str, given: object) -> tuple[float, ...]:
    values = given if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    numbers = [float(each) for each in values if isinstance(each, int | float) and not isinstance(each, bool)]
    if not numbers or len(numbers) < len(values) or not all(1e-6 <= each <= 1e3 for each in numbers):
        raise CleaningError(
            f"The option c of the strategy {strategy} is {given!r}: give a list of numbers from 0.000001 to 1000."
        )
    return tuple(sorted(set(numbers)))
