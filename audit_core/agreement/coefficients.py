"""Percent agreement, Fleiss' kappa, Brennan and Prediger's, and Gwet's AC1 and AC2, of units whose number of raters may vary.

All are functions of the patterns of counts and of `weights`, draws x patterns: how much the units of each pattern weigh in each
draw. The estimate itself is the draw in which each weighs as often as it stands. Source of the forms with missing
ratings: Gwet, Handbook of Inter-Rater Reliability (4th ed., 2014), chapters 2, 3 and 5.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from audit_core.agreement.estimate import (
    Estimate,
    beyond_chance,
    less_disagreement,
    undefined,
    why_no_variation,
    why_nothing_of,
)
from audit_core.agreement.weights import Weights, agreement_weights

if TYPE_CHECKING:
    from audit_core.agreement.ratings import Floats, Patterns

#: A coefficient of many draws: (patterns, weights of draws x patterns, weights of values x values) -> (observed, expected).
Parts = Callable[["Patterns", "Floats", "Floats"], "tuple[Floats, Floats]"]


def observed_agreement(patterns: Patterns, weights: Floats, values: Floats) -> Floats:
    """Return the agreement of pairs of raters in each draw, the mean over units that two or more rated; parts of 1.

    `values` (values x values) gives partial credit; where it is 1 - credit, it is the disagreement. NaN in a draw in which no such
    unit has a weight.
    """
    import numpy as np

    counts, raters = patterns.counts, patterns.raters
    enough = raters >= 2
    credit = counts @ values
    pairs = np.where(enough, raters * (raters - 1), 1.0)
    each = np.where(enough, (counts * (credit - values.diagonal())).sum(axis=1) / pairs, 0.0)
    total = weights @ enough.astype(np.float64)
    found: Floats = np.full(len(weights), np.nan)
    return np.divide(weights @ each, total, out=found, where=total > 0)


def prevalence(patterns: Patterns, weights: Floats) -> Floats:
    """Return draws x values: the share of each value, the mean over rated units of the share of its raters who gave it."""
    import numpy as np

    rated = patterns.raters > 0
    shares = np.where(rated[:, None], patterns.counts / np.where(rated, patterns.raters, 1.0)[:, None], 0.0)
    return np.asarray((weights @ shares) / (weights @ rated.astype(np.float64))[:, None])


def fleiss_parts(patterns: Patterns, weights: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Return (observed, expected) of Fleiss' kappa: chance draws both raters' values from what all raters said."""
    shares = prevalence(patterns, weights)
    return observed_agreement(patterns, weights, values), ((shares @ values) * shares).sum(axis=1)


def brennan_prediger_parts(patterns: Patterns, weights: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Return (observed, expected) of Brennan and Prediger's coefficient: chance gives each value alike."""
    import numpy as np

    return observed_agreement(patterns, weights, values), np.full(len(weights), values.sum() / values.size)


def gwet_parts(patterns: Patterns, weights: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Return (observed, expected) of Gwet's AC1 (identity weights) or AC2: T / (q (q - 1)) sum of pi_k (1 - pi_k)."""
    import numpy as np

    size = len(values)
    if size < 2:
        return observed_agreement(patterns, weights, values), np.ones(len(weights))
    shares = prevalence(patterns, weights)
    expected = values.sum() / (size * (size - 1)) * (shares * (1 - shares)).sum(axis=1)
    return observed_agreement(patterns, weights, values), expected


def drawn(parts: Parts, patterns: Patterns, weights: Floats, credit: Floats) -> Floats:
    """Return a coefficient of each draw by its `parts`, NaN where it has none."""
    if parts is gwet_parts:
        return beyond_chance(*parts(patterns, weights, credit))
    return less_disagreement(*parts(patterns, weights, 1.0 - credit))


def coefficient(
    parts: Parts, patterns: Patterns, scale: tuple[object, ...], *, weights: Weights = Weights.IDENTITY
) -> Estimate:
    """Return a coefficient of all units, by its `parts`; undefined, with the reason, without pairs or without variation."""
    reason = why_nothing_of(patterns)
    if reason is not None:
        return undefined(reason)
    credit = agreement_weights(weights, scale)
    observed, expected = parts(patterns, patterns.sizes[None, :], credit)
    value = drawn(parts, patterns, patterns.sizes[None, :], credit)
    if value[0] != value[0]:
        if len(scale) < 2:
            return undefined("the scale has one value only")
        return undefined(why_no_variation(patterns, scale))
    return Estimate(float(value[0]), None, float(observed[0]), float(expected[0]))


def percent_agreement(
    patterns: Patterns, scale: tuple[object, ...], *, weights: Weights = Weights.IDENTITY
) -> Estimate:
    """Return the mean over units of the share of their pairs of raters who agree (with partial credit by `weights`)."""
    reason = why_nothing_of(patterns)
    if reason is not None:
        return undefined(reason)
    credit = agreement_weights(weights, scale)
    return Estimate(float(observed_agreement(patterns, patterns.sizes[None, :], credit)[0]))


def fleiss_kappa(patterns: Patterns, scale: tuple[object, ...], *, weights: Weights = Weights.IDENTITY) -> Estimate:
    """Return Fleiss' kappa, of two raters without missing ratings Scott's pi. Source: Fleiss 1971 (Psychological Bulletin 76)."""
    return coefficient(fleiss_parts, patterns, scale, weights=weights)


def brennan_prediger(patterns: Patterns, scale: tuple[object, ...], *, weights: Weights = Weights.IDENTITY) -> Estimate:
    """Return Brennan and Prediger's coefficient. Source: Brennan and Prediger 1981 (Educational and Psychological Measurement 41)."""
    return coefficient(brennan_prediger_parts, patterns, scale, weights=weights)


def fleiss_z(patterns: Patterns) -> float:
    """Return Fleiss' kappa over its standard error under chance alone; every unit must have the same number of raters.

    Source: Fleiss, Nee and Landis 1979 (Psychological Bulletin 86). NaN never: a caller asks only where kappa is defined.
    """
    import numpy as np

    raters, units = float(patterns.raters[0]), float(patterns.sizes.sum())
    shares = prevalence(patterns, patterns.sizes[None, :])[0]
    rest = 1 - shares
    spread = float((shares * rest).sum())
    variance = (spread**2 - float((shares * rest * (rest - shares)).sum())) * 2 / (units * raters * (raters - 1))
    kappa = fleiss_kappa(patterns, tuple(range(len(shares)))).value or 0.0
    return float(kappa * spread / np.sqrt(variance))
