"""The baseline that removes nothing: its false omission rate is the share of bad queries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from cleaning.contract import Inputs, Kind, Scores
from cleaning.strategies.options import check_options

if TYPE_CHECKING:
    from numpy.typing import NDArray

name = "keep_all"
title = "Keep all"
kind = Kind.BASELINE
describe = "Keeps every query: the score is always 0. Its false omission rate is the share of queries that should go."
needs_embeddings = False
default_threshold = 0.5


def build(options: Mapping[str, object]) -> KeepAll:
    """Return the strategy; it has no options (CleaningError where one is given)."""
    check_options(name, options, ())
    return KeepAll()


class KeepAll:
    """Keeps every query. It learns nothing."""

    def fit(self, inputs: Inputs, remove: NDArray[np.bool_], *, seed: int) -> KeepAll:
        """Return the strategy itself."""
        return self

    def score(self, inputs: Inputs) -> Scores:
        """Return 0 for every query."""
        return Scores(np.zeros(len(inputs)))
