"""Weights by which queries are chosen for labelling: how much strategies disagree, how near a score is to its threshold.

Both follow from scores and decisions alone, never from a label, so the chances of a draw by them are known.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from cleaning.contract import Kind
from cleaning.scoring import ScoredAll, Scoring

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Kinds that choose nothing unless they are named: a baseline or a difficulty filter does not say which queries are bad, and
#: a combination says again what its members say.
NOT_ASKED = frozenset({Kind.BASELINE, Kind.DIFFICULTY, Kind.COMBINATION})
#: How many of the nearest queries share the weight, for each query that is to be drawn near a threshold: at most so many,
#: fewer where they are more than a quarter of all, but never fewer than the second number.
NEAREST, FEWEST = 10, 4
#: Distances that differ by less are the same.
_DECIMALS = 9


def voters(scoring: Scoring, names: Sequence[str] = ()) -> tuple[ScoredAll, ...]:
    """Return the strategies whose scores choose: those named, else all that can be used and say which queries are bad.

    Raises:
        CleaningError: a name took no part in the scoring, or has no scores (and why).
    """
    if names:
        return tuple(scoring.of(name) for name in dict.fromkeys(names))
    return tuple(each for each in scoring.usable if each.kind not in NOT_ASKED)


def disagreement_weights(strategies: Sequence[ScoredAll]) -> NDArray[np.float64]:
    """Return the vote entropy of every query, in bits, shape (n,): 1 where half of the strategies remove it, 0 where all agree.

    With q the share that removes among those that decide, it is -q log2 q - (1 - q) log2 (1 - q) (Dagan and Engelson 1995,
    ICML, 150-157). An undecided strategy has no vote; where fewer than two decide the weight is 0.
    """
    decisions = np.stack([each.decisions for each in strategies])
    votes = np.count_nonzero(~np.isnan(decisions), axis=0)
    share = np.nansum(decisions, axis=0) / np.maximum(votes, 1)
    split = (share > 0) & (share < 1)
    inside = np.where(split, share, 0.5)
    entropy = -(inside * np.log2(inside) + (1 - inside) * np.log2(1 - inside))
    return np.where(split & (votes >= 2), entropy, 0.0)


def near_threshold_weights(
    strategies: Sequence[ScoredAll], *, wanted: int
) -> tuple[NDArray[np.float64], dict[str, float]]:
    """Return how near every query's scores are to their thresholds, in [0, 1], shape (n,), and each strategy's band.

    For one strategy the weight is 1 at the threshold and falls evenly to 0 at the edge of its band, |score - threshold| =
    band, which is just wider than to hold the 10 * `wanted` nearest queries (no more than a quarter of all, but 4 * `wanted`
    at least); the weights of several strategies are averaged. An undecided query weighs nothing. A strategy whose scores
    all lie equally far from its threshold (one that says yes or no) has no band and is left out; where none has one all
    weights are 0.
    """
    n = len(strategies[0].scores) if strategies else 0
    total = np.zeros(n)
    bands: dict[str, float] = {}
    for each in strategies:
        scores = np.asarray(each.scores, dtype=np.float64)
        distance: NDArray[np.float64] = np.abs(scores - each.threshold).round(_DECIMALS)
        known = distance[np.isfinite(distance)]
        if not len(known) or known.min() == known.max():
            continue
        band = _band(known, min(NEAREST * wanted, max(FEWEST * wanted, len(known) // 4)))
        bands[each.name] = band
        total += np.clip(1.0 - np.where(np.isfinite(distance), distance, band) / band, 0.0, 1.0)
    return total / max(1, len(bands)), bands


def _band(distances: NDArray[np.float64], count: int) -> float:
    """Return the smallest distance beyond that of the `count`-th nearest query, or the largest where there is none."""
    last = np.partition(distances, min(count, len(distances)) - 1)[min(count, len(distances)) - 1]
    beyond = distances[distances > last]
    return float(beyond.min() if len(beyond) else distances.max())
