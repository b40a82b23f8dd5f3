"""Intervals for proportions, each with its method, its denominator and, where it does not exist, the reason."""

from __future__ import annotations

import math
from dataclasses import dataclass

from audit_core.errors import StatisticsError

WILSON = "Wilson"
WILSON_EFFECTIVE = "Wilson at the effective n"
CENSUS = "census"
CLUSTERED = "document-clustered bootstrap"


@dataclass(frozen=True, slots=True)
class Interval:
    """A proportion with its interval; all bounds are parts of 1 and lie in [0, 1] exactly.

    `n` is the denominator: entries, or the effective n (not a whole number) where the method says so. `count` is the
    numerator, None where the estimate is no plain quotient. `undefined` is the reason why there is no interval; `low`
    and `high` are then None, and `estimate` is None too where not even that exists.
    """

    estimate: float | None
    low: float | None
    high: float | None
    confidence: float
    method: str
    n: float
    count: int | None = None
    undefined: str | None = None

    def __post_init__(self) -> None:
        if self.undefined is not None:
            if self.low is not None or self.high is not None:
                raise StatisticsError(f"An undefined interval ({self.undefined}) cannot have bounds.")
            return
        if self.estimate is None or self.low is None or self.high is None:
            raise StatisticsError("An interval needs an estimate and two bounds, or the reason why it is undefined.")
        if not 0.0 <= self.low <= self.estimate <= self.high <= 1.0:
            raise StatisticsError(
                f"Bounds must lie as 0 <= low <= estimate <= high <= 1; found {self.low}, {self.estimate}, {self.high}."
            )


def wilson(count: int, n: int, *, confidence: float = 0.95) -> Interval:
    """Return the Wilson score interval of `count` out of `n` independent units.

    0 of n has a low bound of exactly 0, n of n a high bound of exactly 1; 0 of 0 is undefined.
    Source: Wilson 1927; method 3 of Newcombe 1998 (Statistics in Medicine 17, 857-872).

    Raises:
        StatisticsError: a count that is negative, not whole, not finite or above `n`; a confidence outside (0, 1).
    """
    level = check_confidence(confidence)
    whole = check_count(n, what="the denominator n")
    hits = check_count(count, what="the count")
    if hits > whole:
        raise StatisticsError(f"The count {hits} is above its denominator {whole}. Check what was counted.")
    if whole == 0:
        return Interval(None, None, None, level, WILSON, 0, 0, "no entries (0 of 0)")
    low, high = _score_bounds(hits, whole, level)
    return Interval(hits / whole, low, high, level, WILSON, whole, hits)


def wilson_at(p: float, n_eff: float, *, confidence: float = 0.95) -> Interval:
    """Return the Wilson score interval around the proportion `p` at an effective n that need not be whole.

    `p` is a part of 1; `n_eff` is the number of independent units that would be as informative. At n_eff = 0 it is
    undefined.

    Raises:
        StatisticsError: `p` outside [0, 1], a negative or non-finite `n_eff`, a confidence outside (0, 1).
    """
    level = check_confidence(confidence)
    if not math.isfinite(p) or not 0.0 <= p <= 1.0:
        raise StatisticsError(f"A proportion must lie in [0, 1]; found {p}.")
    if not math.isfinite(n_eff) or n_eff < 0:
        raise StatisticsError(f"An effective n must be finite and not negative; found {n_eff}.")
    if n_eff == 0:
        return Interval(None, None, None, level, WILSON_EFFECTIVE, 0, None, "the effective n is 0")
    low, high = _score_bounds(n_eff if p == 1.0 else p * n_eff, n_eff, level)
    # p * n_eff / n_eff may differ from p in the last digit.
    low, high = min(low, p), max(high, p)
    return Interval(p, low, high, level, WILSON_EFFECTIVE, n_eff)


def check_confidence(confidence: float) -> float:
    """Return the confidence level as a float; StatisticsError where it is not strictly between 0 and 1."""
    if not math.isfinite(confidence) or not 0.0 < confidence < 1.0:
        raise StatisticsError(f"A confidence level must lie between 0 and 1, such as 0.95; found {confidence}.")
    return float(confidence)


def check_count(value: float, *, what: str) -> int:
    """Return a count as an int; StatisticsError, naming `what`, where it is negative, not whole or not finite."""
    if not math.isfinite(value) or value != int(value):
        raise StatisticsError(f"For {what} a whole number is needed; found {value}.")
    if value < 0:
        raise StatisticsError(f"For {what} a number of at least 0 is needed; found {value}.")
    return int(value)


def _score_bounds(count: float, n: float, confidence: float) -> tuple[float, float]:
    from statsmodels.stats.proportion import proportion_confint

    low, high = proportion_confint(count, n, alpha=1.0 - confidence, method="wilson")
    # The formula is exact at 0 and n on paper, but leaves 1 - 1e-16 in floating point.
    exact_low = 0.0 if count == 0 else max(0.0, float(low))
    exact_high = 1.0 if count == n else min(1.0, float(high))
    return min(exact_low, count / n), max(exact_high, count / n)
