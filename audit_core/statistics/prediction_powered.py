"""The share of a whole benchmark from a random human sample and a strategy's scores on everything."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from audit_core.errors import StatisticsError
from audit_core.statistics.intervals import CENSUS, Interval, check_confidence, check_count
from audit_core.statistics.stratified import name_list

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

PREDICTION_POWERED = "prediction-powered"
#: Labels of the rarer kind below which the normal interval is too narrow: in simulation it covered 93 % with 10 of 200,
#: 94 % with 20 of 400, and the nominal 95 % with 80 of 400.
FEW_OF_A_KIND = 20


@dataclass(frozen=True, slots=True, eq=False)
class LabelledStratum:
    """One stratum of a benchmark and the queries drawn from it at random, each with the same chance.

    `population` queries (N_h), of which those drawn have `labels` and `scores`, both of shape (n_h,). `spread` is the
    variance of the scores over all its queries (divisor N_h - 1), None where only those of the drawn are known.
    """

    name: str
    population: int
    labels: NDArray[np.bool_]
    scores: NDArray[np.float64]
    spread: float | None = None


@dataclass(frozen=True, slots=True)
class PredictionPowered:
    """A share that rests on labels and on scores.

    `power` is lambda, the part of the scores that is used. `unclipped` is the estimate before it was held to [0, 1],
    `variance` its variance; both None where they do not exist. `plain_variance` is that without scores (lambda 0).
    `labels_worth` is the number of labels that would give the same variance without scores, in the same division over
    strata. `warnings` must be read with the figures.
    """

    interval: Interval
    power: float
    unclipped: float | None
    variance: float | None
    plain_variance: float | None
    labels: int
    labels_worth: float | None
    warnings: tuple[str, ...] = ()


def prediction_powered(
    strata: Sequence[LabelledStratum], *, mean_score: float, power: float | None = None, confidence: float = 0.95
) -> PredictionPowered:
    """Return the share of positive queries among all N: lambda * mean_score + sum W_h mean_h(label - lambda * score).

    `mean_score` is the mean over all N queries, the labelled among them; W_h = N_h / N. At a given lambda it is unbiased
    whatever the scores are worth, as long as they were made without these labels. V = sum W_h^2 (1 - n_h / N_h) s_h^2 / n_h
    with s_h^2 the variance of label - lambda * score (divisor n_h - 1); the interval is the normal one, held to [0, 1] with
    a warning.

    `power` is lambda: 1 is prediction-powered inference (Angelopoulos et al. 2023, Science 382, 669-674); None takes the
    one with the least V, within [0, 1] (PPI++: Angelopoulos, Duchi and Zrnic 2023, arXiv:2311.01453). Unlike there, the
    benchmark is no sample of something larger: the mean of its scores is known, and a query that is labelled leaves
    nothing to guess, hence the finite population correction (the difference estimator; Cochran 1977, chapter 7).

    Undefined, with the reason: a stratum with queries and no label (then the estimate is too); one that was not taken
    whole with fewer than two labels; labels all alike; no variance left.

    Raises:
        StatisticsError: arrays of different length, more labels than queries, scores that are not finite, a lambda
            outside [0, 1], a confidence outside (0, 1).
    """
    level = check_confidence(confidence)
    filled = [_checked(each) for each in strata if each.population or len(each.labels)]
    if not math.isfinite(mean_score):
        raise StatisticsError(f"The mean score of the benchmark is {mean_score}: a finite number is needed.")
    if power is not None and not 0.0 <= power <= 1.0:
        raise StatisticsError(f"lambda is {power}: use 0 (labels alone) to 1 (the scores in full), or None to tune it.")
    labels = sum(len(each.labels) for each in filled)
    reason = _why_no_estimate(filled)
    if reason is not None:
        nothing = Interval(None, None, None, level, PREDICTION_POWERED, labels, None, reason)
        return PredictionPowered(nothing, power or 0.0, None, None, None, labels, None)
    weights = _weights(filled)
    thin = [each.name for each in filled if len(each.labels) < min(2, each.population)]
    used = power if power is not None else 0.0 if thin else _tuned(filled, weights)
    point = used * mean_score + math.fsum(
        weight * float(np.mean(each.labels - used * each.scores)) for weight, each in zip(weights, filled, strict=True)
    )
    variance = None if thin else _variance(filled, weights, used)
    plain = None if thin else _variance(filled, weights, 0.0)
    interval = _interval(filled, point, variance, thin, level)
    return PredictionPowered(
        interval=interval,
        power=used,
        unclipped=point,
        variance=variance,
        plain_variance=plain,
        labels=labels,
        labels_worth=_worth(filled, variance, plain) if interval.undefined is None else None,
        warnings=_warnings(filled, interval, point, variance, level),
    )


def score_spread(scores: ArrayLike) -> float | None:
    """Return the variance of scores with divisor n - 1; None of fewer than two."""
    values = np.asarray(scores, dtype=np.float64)
    return float(np.var(values, ddof=1)) if len(values) > 1 else None


def _checked(stratum: LabelledStratum) -> LabelledStratum:
    labels, scores = np.asarray(stratum.labels, dtype=bool), np.asarray(stratum.scores, dtype=np.float64)
    name = stratum.name or "the stratum"
    population = check_count(stratum.population, what=f"the population of {name}")
    if labels.shape != scores.shape or labels.ndim != 1:
        raise StatisticsError(f"{name} has labels of shape {labels.shape} and scores of shape {scores.shape}.")
    if len(labels) > population:
        raise StatisticsError(f"{name} has {len(labels)} labels but {population} queries. Check the design.")
    if not np.isfinite(scores).all():
        raise StatisticsError(f"{name} has scores that are not finite. Give undecided queries a number first.")
    return LabelledStratum(stratum.name, population, labels, scores, stratum.spread)


def _why_no_estimate(strata: Sequence[LabelledStratum]) -> str | None:
    if not strata:
        return "no queries (a population of 0)"
    empty = [each.name for each in strata if not len(each.labels)]
    return f"nothing is labelled in {name_list(empty)}" if empty else None


def _weights(strata: Sequence[LabelledStratum]) -> list[float]:
    total = sum(each.population for each in strata)
    return [each.population / total for each in strata]


def _factors(strata: Sequence[LabelledStratum], weights: Sequence[float]) -> list[float]:
    """Return W_h^2 (1 - n_h / N_h) / n_h: what each stratum's variance counts; 0 of one that was taken whole."""
    return [
        weight**2 * (1.0 - len(each.labels) / each.population) / len(each.labels)
        for weight, each in zip(weights, strata, strict=True)
    ]


def _tuned(strata: Sequence[LabelledStratum], weights: Sequence[float]) -> float:
    """Return the lambda with the least variance, sum c_h cov_h(label, score) / sum c_h var_h(score), within [0, 1]."""
    shared, spread = [], []
    for factor, each in zip(_factors(strata, weights), strata, strict=True):
        if factor == 0.0:
            continue
        own = float(np.var(each.scores, ddof=1)) if each.spread is None else each.spread
        spread.append(factor * own)
        centred = each.labels - each.labels.mean()
        shared.append(factor * float(centred @ (each.scores - each.scores.mean())) / (len(each.labels) - 1))
    total = math.fsum(spread)
    return min(1.0, max(0.0, math.fsum(shared) / total)) if total > 0.0 else 0.0


def _variance(strata: Sequence[LabelledStratum], weights: Sequence[float], power: float) -> float:
    terms = [
        factor * float(np.var(each.labels - power * each.scores, ddof=1))
        for factor, each in zip(_factors(strata, weights), strata, strict=True)
        if factor > 0.0
    ]
    return math.fsum(terms)


def _interval(
    strata: Sequence[LabelledStratum], point: float, variance: float | None, thin: Sequence[str], level: float
) -> Interval:
    from scipy.special import ndtri

    labels, clipped = sum(len(each.labels) for each in strata), min(1.0, max(0.0, point))
    positives = sum(int(each.labels.sum()) for each in strata)
    reason = None
    if all(len(each.labels) == each.population for each in strata):
        exact = positives / labels
        return Interval(exact, exact, exact, level, CENSUS, labels, positives)
    if variance is None:
        reason = f"fewer than two queries are labelled in {name_list(thin)}, so the variance is unknown"
    elif positives in (0, labels):
        reason = f"all {labels:,} labels are alike, so the variance formula gives nothing"
    elif variance <= 0.0:
        reason = "no variance: in each stratum all labels and scores are alike"
    if reason is not None or variance is None:
        return Interval(clipped, None, None, level, PREDICTION_POWERED, labels, None, reason)
    half = float(ndtri(0.5 + level / 2.0)) * math.sqrt(variance)
    low, high = max(0.0, point - half), min(1.0, point + half)
    return Interval(clipped, min(low, clipped), max(high, clipped), level, PREDICTION_POWERED, labels)


def _worth(strata: Sequence[LabelledStratum], variance: float | None, plain: float | None) -> float | None:
    """Return the n' at which labels alone would have this variance: (1/n' - 1/N) S^2 = V, with S^2 from the plain one."""
    if variance is None or plain is None or plain <= 0.0:
        return None
    labels, population = sum(len(each.labels) for each in strata), sum(each.population for each in strata)
    each_label = plain / (1.0 / labels - 1.0 / population)
    return 1.0 / (variance / each_label + 1.0 / population)


def _warnings(
    strata: Sequence[LabelledStratum], interval: Interval, point: float, variance: float | None, level: float
) -> tuple[str, ...]:
    from scipy.special import ndtri

    if interval.method == CENSUS:
        return ()
    warnings: list[str] = []
    if not 0.0 <= point <= 1.0:
        warnings.append(f"The estimate came out at {point:.4f} and was held to {interval.estimate:.0f}.")
    if interval.undefined is not None or variance is None:
        return tuple(warnings)
    half = float(ndtri(0.5 + level / 2.0)) * math.sqrt(variance)
    if point - half < 0.0 or point + half > 1.0:
        warnings.append(
            f"The interval came out at {point - half:.4f} to {point + half:.4f} and was cut at the end of its scale: the normal "
            "interval is unreliable there."
        )
    positives = sum(int(each.labels.sum()) for each in strata)
    rarer = min(positives, sum(len(each.labels) for each in strata) - positives)
    if rarer < FEW_OF_A_KIND:
        warnings.append(
            f"Labels of the rarer kind: {rarer:,}. Below {FEW_OF_A_KIND} the normal interval tends to be too narrow."
        )
    return tuple(warnings)
