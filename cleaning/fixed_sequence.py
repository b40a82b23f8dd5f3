"""Exact tests in an order that is fixed beforehand: which thresholds keep few bad queries, whatever the labels turn out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

#: A scale with at most so many values has each of them as a threshold.
FEW_VALUES = 20
#: The shares kept, in parts of 1, that the thresholds of finer scales aim at.
SHARES = tuple(step / 20 for step in range(1, 21))
#: Labels beyond which no number is named: nobody labels that many.
MOST_LABELS = 10_000_000


class Outcome(StrEnum):
    """What became of a threshold: the bound holds, it could not be tested, the first that did not hold, not reached."""

    REJECTED = "rejected"
    SKIPPED = "skipped"
    STOPPED = "stopped"
    NOT_REACHED = "not reached"


@dataclass(frozen=True, slots=True)
class Step:
    """One threshold and its test of "the bad share of what is kept is at least the risk".

    A query goes at a score at or above `threshold`; `inf` keeps all. `rating` is the same on a scale of ratings, where a
    query goes at or below it (None on other scales, and where all are kept). `kept` of the queries that the promise is about
    stay, `share_kept` of them. Of those, `n` labelled ones entered the test and `bad` of them are bad; `p` is the exact
    one-sided probability of so few, `upper` the Clopper-Pearson bound at the level of the test. None where not tested;
    `says` is why.
    """

    threshold: float
    rating: float | None
    kept: int
    share_kept: float
    n: int | None
    bad: int | None
    p: float | None
    upper: float | None
    outcome: Outcome
    says: str = ""


@dataclass(frozen=True, slots=True)
class Count:
    """The labelled queries that enter the test of one threshold, and how many of them are bad."""

    n: int
    bad: int


def threshold_grid(scores: ArrayLike) -> NDArray[np.float64]:
    """Return the thresholds of a strategy from its scores on the whole benchmark, from the one that keeps least upwards.

    Undecided queries (NaN) are kept at each. A scale of up to `FEW_VALUES` values has each value; a finer one has those that
    keep 5, 10 ... 95 % of all queries, or just more where scores are equal. The last is `inf`, which keeps all. No label
    has a part in it.
    """
    values = np.asarray(scores, dtype=np.float64)
    decided = np.sort(values[~np.isnan(values)])
    distinct = np.unique(decided)
    if len(distinct) > FEW_VALUES:
        undecided = len(values) - len(decided)
        wanted = [math.ceil(share * len(values) - 1e-9) - undecided for share in SHARES]
        # All that equal the last one kept stay as well; the next higher score is the threshold.
        ends = [int(np.searchsorted(decided, decided[place - 1], side="right")) if place > 0 else 0 for place in wanted]
        distinct = np.unique(decided[[end for end in ends if end < len(decided)]])
    return np.append(distinct, np.inf)


def shortest_threshold(scores: ArrayLike, threshold: float) -> float:
    """Return the number with the fewest digits, three at least, that keeps the same of these queries as a threshold.

    It is at or below the threshold and above every lower score, so that it can be said, copied and typed.
    """
    if math.isinf(threshold):
        return threshold
    values = np.asarray(scores, dtype=np.float64)
    lower = values[values < threshold]
    below = float(lower.max()) if lower.size else -math.inf
    exact = Decimal(threshold)
    for digits in range(3, 18):
        place = Decimal(1).scaleb(exact.adjusted() - digits + 1) if exact else Decimal(1)
        short = float(exact.quantize(place, rounding=ROUND_FLOOR))
        if below < short <= threshold:
            return short
    return threshold


def keeps(scores: ArrayLike, threshold: float) -> NDArray[np.bool_]:
    """Return which queries stay: those with a score below the threshold, and the undecided."""
    values = np.asarray(scores, dtype=np.float64)
    return np.isnan(values) | (values < threshold)


def exact_p(bad: int, n: int, risk: float) -> float:
    """Return P(Binom(n, risk) <= bad): how likely so few bad ones are where the share is `risk` (or more: less likely)."""
    from scipy.special import bdtr

    return float(bdtr(bad, n, risk))


def upper_bound(bad: int, n: int, alpha: float) -> float:
    """Return the one-sided Clopper-Pearson bound: the largest share that the test at `alpha` does not reject."""
    from scipy.special import betaincinv

    return 1.0 if bad >= n else float(betaincinv(bad + 1, n - bad, 1.0 - alpha))


def fewest_labels(risk: float, alpha: float) -> int:
    """Return how many kept labels it takes, none of them bad, for the bound to hold: (1 - risk)^n <= alpha."""
    return max(1, math.ceil(math.log(alpha) / math.log1p(-risk) - 1e-9))


def labels_needed(share: float, risk: float, alpha: float) -> int | None:
    """Return about how many kept labels it would take if `share` of them are bad; None where no number would do.

    At most `MOST_LABELS` are named, where the share is just below the risk. The number of bad ones is taken as share * n,
    not rounded (the binomial probability as an incomplete beta function).
    """
    from scipy.special import betainc

    if share >= risk:
        return None

    def p(n: int) -> float:
        bad = share * n
        return float(betainc(n - bad, bad + 1.0, 1.0 - risk))

    low, high = 0, fewest_labels(risk, alpha)
    while p(high) > alpha:
        low, high = high, 2 * high
        if high > MOST_LABELS:
            return MOST_LABELS
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if p(middle) <= alpha else (middle, high)
    return high


def first_with_a_chance(expected: Sequence[float], labels: int, fewest: int) -> int:
    """Return the place of the first threshold that is tested, past the last where none is.

    `expected` is how many of `labels` labelled queries are expected to enter the test of each threshold. A test of fewer
    than `fewest` cannot be won even if none is bad, and the sequence would end there. So thresholds are passed over at
    which fewer enter with a chance above 5 % (normal approximation). It follows from scores, groups and the number of
    labels, not from what the labels say nor from which queries were drawn, so that the order stays fixed beforehand.
    """
    for place, mean in enumerate(expected):
        if mean >= expected_needed(fewest, mean / labels) - 1e-9:
            return place
    return len(expected)


def expected_needed(fewest: int, share: float) -> float:
    """Return how many labelled queries must be expected in a test so that `fewest` are in it with a chance of 95 %.

    `share` is the part of the labelled queries that is expected in it.
    """
    spread = 1.645 * math.sqrt(max(0.0, 1.0 - share))
    # The mean m at which m - spread * sqrt(m) is `fewest`.
    return ((spread + math.sqrt(spread**2 + 4.0 * fewest)) / 2.0) ** 2
