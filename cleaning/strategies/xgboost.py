"""Boosted trees on the features, grown over histograms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from audit_core.errors import CleaningError
from cleaning.contract import Kind
from cleaning.strategies.learned import Learned, Lesson, blocks_option
from cleaning.strategies.options import check_options, number, whole_number
from cleaning.strategies.scoring import probability

if TYPE_CHECKING:
    from numpy.typing import NDArray

name = "xgboost"
title = "XGBoost"
kind = Kind.LEARNED
describe = (
    "Small decision trees, each mending what the ones before got wrong (log loss, unweighted). The score is the trees' "
    "probability of removal; with `calibrate` it is drawn to what queries outside the trees' training had (Platt scaling "
    "over three folds inside the training queries)."
)
needs_embeddings = True
default_threshold = 0.5


def build(options: Mapping[str, object]) -> Learned:
    """Return the strategy.

    Options: `blocks` (of features, ["query"]), `trees` (150), `depth` (4), `learning_rate` (0.1), `columns` (the part of
    the features that each tree sees, 0.3), `calibrate` (false: it takes four times as long), `threads` (2).

    Raises:
        CleaningError: an option is unknown or cannot be used.
    """
    check_options(name, options, ("blocks", "trees", "depth", "learning_rate", "columns", "calibrate", "threads"))
    calibrate = options.get("calibrate", False)
    if not isinstance(calibrate, bool):
        raise CleaningError(f"The option calibrate of the strategy {name} is {calibrate!r}: give true or false.")
    return Learned(
        title,
        blocks_option(name, options),
        TreesLearner(
            trees=whole_number(name, options, "trees", 150, low=1, high=10_000),
            depth=whole_number(name, options, "depth", 4, low=1, high=16),
            learning_rate=number(name, options, "learning_rate", 0.1, low=0.0001, high=1.0),
            columns=number(name, options, "columns", 0.3, low=0.01, high=1.0),
            calibrate=calibrate,
            threads=whole_number(name, options, "threads", 2, low=1, high=64),
        ),
    )


@dataclass(frozen=True, slots=True)
class TreesLearner:
    """Grows the trees, and calibrates them where that is asked for."""

    trees: int
    depth: int
    learning_rate: float
    columns: float
    calibrate: bool
    threads: int

    def learn(self, lesson: Lesson) -> Trees:
        """Return the trees; uncalibrated where no folds inside the training queries are possible."""
        booster = self._grow(lesson.features, lesson.remove, lesson.seed)
        if not self.calibrate or lesson.folds is None:
            return Trees(booster, 1.0, 0.0)
        margins = np.empty(len(lesson.remove))
        for fold in np.unique(lesson.folds):
            inside, outside = lesson.folds == fold, lesson.folds != fold
            grown = self._grow(lesson.features[outside], lesson.remove[outside], lesson.seed)
            margins[inside] = Trees(grown, 1.0, 0.0).margins(lesson.features[inside])
        slope, shift = _platt(margins, lesson.remove)
        return Trees(booster, slope, shift)

    def _grow(self, features: NDArray[np.float32], remove: NDArray[np.bool_], seed: int) -> Any:
        import xgboost

        settings = {
            "objective": "binary:logistic",
            "tree_method": "hist",
            "max_depth": self.depth,
            "eta": self.learning_rate,
            "colsample_bytree": self.columns,
            "nthread": self.threads,
            "seed": seed % 2**31,
            "base_score": float(remove.mean()),
        }
        return xgboost.train(
            settings, xgboost.QuantileDMatrix(features, label=remove, nthread=self.threads), num_boost_round=self.trees
        )


@dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """Grown trees, and what their margin (log odds) is multiplied by and shifted by."""

    booster: Any
    slope: float
    shift: float

    def margins(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the sum over the trees for each row, in log odds."""
        return np.asarray(self.booster.inplace_predict(features, predict_type="margin"), dtype=np.float64)

    def predict(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the probability of removal of each row."""
        return probability(self.margins(features) * self.slope + self.shift)


def _platt(margins: NDArray[np.float64], remove: NDArray[np.bool_]) -> tuple[float, float]:
    """Return slope and shift; a slope below 0, which would turn the trees' order round, counts as no opinion (0)."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=1e3, max_iter=1000).fit(margins[:, None], remove)
    slope = float(model.coef_[0, 0])
    if slope > 0:
        return slope, float(model.intercept_[0])
    share = float(remove.mean())
    return 0.0, float(np.log(share / (1 - share)))
