"""The baseline that removes at random: the same query at the same seed has the same score, whatever stands beside it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from cleaning.contract import Inputs, Kind, Scores
from cleaning.strategies.options import check_options

if TYPE_CHECKING:
    from numpy.typing import NDArray

name = "random"
title = "Random removal"
kind = Kind.BASELINE
describe = (
    "A score drawn evenly from [0, 1) by the seed and the query id. At a threshold of 0.5 half of the queries go, whatever "
    "they are: what any strategy that removes as many must beat."
)
needs_embeddings = False
#: Training gives it a seed and nothing else.
learns = False
default_threshold = 0.5


def build(options: Mapping[str, object]) -> Random:
    """Return the strategy; it has no options (CleaningError where one is given)."""
    check_options(name, options, ())
    return Random(seed=None)


class Random:
    """Scores drawn by seed and query id; `seed` is that of `fit`."""

    def __init__(self, seed: int | None) -> None:
        self._seed = 0 if seed is None else seed

    def fit(self, inputs: Inputs, remove: NDArray[np.bool_], *, seed: int) -> Random:
        """Return the strategy with this seed; the queries and labels are not looked at."""
        return Random(seed)

    def score(self, inputs: Inputs) -> Scores:
        """Return one number in [0, 1) a query."""
        ids = inputs.queries["query_id"].to_list()
        return Scores(np.fromiter((self._draw(each) for each in ids), dtype=np.float64, count=len(ids)))

    def _draw(self, query_id: str) -> float:
        drawn = hashlib.blake2b(f"{self._seed}\0{query_id}".encode(), digest_size=8).digest()
        # 53 bits: all that a float below 1 holds.
        return (int.from_bytes(drawn, "little") >> 11) / 2**53
