"""Krippendorff's alpha from the coincidences of values within units: nominal, ordinal, interval, ratio, or any given distance."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from audit_core.agreement.estimate import Estimate, less_disagreement, undefined, why_no_variation, why_nothing_of
from audit_core.agreement.weights import Metric, fixed_metric, ordinal_metric

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from audit_core.agreement.ratings import Floats, Patterns

#: Margins of draws (draws x values) -> differences, (draws or 1) x values x values.
Differences = Callable[["Floats"], "Floats"]


def differences_of(metric: Metric, scale: tuple[object, ...]) -> Differences:
    """Return the differences of a metric; those of the ordinal one follow from the margins of each draw."""
    if metric is Metric.ORDINAL:
        return ordinal_metric
    fixed = fixed_metric(metric, scale)[None, :, :]
    return lambda _margins: fixed


def given_distance(distance: Floats) -> Differences:
    """Return the differences of a distance matrix as it is (values x values, 0 on the diagonal); it is not squared."""
    fixed = distance[None, :, :]
    return lambda _margins: fixed


def alpha_parts(patterns: Patterns, weights: Floats, differences: Differences) -> tuple[Floats, Floats]:
    """Return (observed, expected) disagreement of each draw, from the units that two or more rated.

    A unit of m values adds its ordered pairs of values, each 1 / (m - 1), to the coincidences. The weights of a draw are
    scaled to the number of units, since the expected disagreement counts values: n (n - 1) pairs of them. NaN in a draw
    in which nothing is pairable.
    """
    import numpy as np

    counts, raters = patterns.counts, patterns.raters
    enough = raters >= 2
    values = counts.shape[1]
    pairs = counts[:, :, None] * counts[:, None, :]
    pairs[:, np.arange(values), np.arange(values)] -= counts
    pairs = np.where(enough[:, None, None], pairs / np.where(enough, raters - 1, 1.0)[:, None, None], 0.0)
    total = weights.sum(axis=1, keepdims=True)
    scaled = weights * np.divide(patterns.sizes.sum(), total, out=np.zeros_like(total), where=total > 0)
    coincidences = (scaled @ pairs.reshape(len(counts), -1)).reshape(-1, values, values)
    margins = coincidences.sum(axis=2)
    apart = differences(margins)
    number = margins.sum(axis=1)
    observed = _over((coincidences * apart).sum(axis=(1, 2)), number)
    between = np.einsum("bk,bl,bkl->b", margins, margins, np.broadcast_to(apart, coincidences.shape))
    return observed, _over(between, number * (number - 1))


def krippendorff_alpha(patterns: Patterns, scale: tuple[object, ...], differences: Differences) -> Estimate:
    """Return Krippendorff's alpha; undefined, with the reason, where no unit is pairable or nothing varies.

    A negative alpha stays as it is. Source: Krippendorff, Computing Krippendorff's Alpha-Reliability (2011).
    """
    reason = why_nothing_of(patterns)
    if reason is not None:
        return undefined(reason)
    observed, expected = alpha_parts(patterns, patterns.sizes[None, :], differences)
    value = less_disagreement(observed, expected)
    if value[0] != value[0]:
        return undefined(why_no_variation(patterns, scale))
    return Estimate(float(value[0]), None, float(observed[0]), float(expected[0]))


def _over(above: Floats, below: Floats) -> Floats:
    import numpy as np

    found: NDArray[np.float64] = np.full_like(above, np.nan)
    return np.divide(above, below, out=found, where=below > 0)
