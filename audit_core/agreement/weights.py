"""How much two values agree (Gwet's weights, 1 = the same) or differ (Krippendorff's metrics, 0 = the same)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from audit_core.errors import StatisticsError

if TYPE_CHECKING:
    from audit_core.agreement.ratings import Floats


class Weights(StrEnum):
    """Partial credit for values that are near to one another on a scale; `identity` gives none."""

    IDENTITY = "identity"
    LINEAR = "linear"
    ORDINAL = "ordinal"
    QUADRATIC = "quadratic"


class Metric(StrEnum):
    """Krippendorff's metrics: how far two values are apart, squared."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"
    RATIO = "ratio"


def numbers_of(scale: Sequence[Hashable]) -> Floats:
    """Return where the values of a scale stand: the numbers themselves where all are, else their places 1, 2, 3, ..."""
    import numpy as np

    if all(isinstance(each, int | float) and not isinstance(each, bool) for each in scale):
        return np.asarray(scale, dtype=np.float64)
    return np.arange(1, len(scale) + 1, dtype=np.float64)


def agreement_weights(kind: Weights, scale: Sequence[Hashable]) -> Floats:
    """Return values x values: 1 on the diagonal, less where values lie further apart, 0 for the ends of the scale.

    With x the numbers of the scale (or places) and R = max - min: linear 1 - |x_k - x_l| / R, quadratic
    1 - (x_k - x_l)^2 / R^2, ordinal 1 - M_kl / max M, where M_kl = m (m - 1) / 2 and m the number of values from k to l,
    both counted. Source: Gwet, Handbook of Inter-Rater Reliability (4th ed., 2014), chapter 3.
    """
    import numpy as np

    size = len(scale)
    if kind is Weights.IDENTITY or size < 2:
        return np.eye(size)
    if kind is Weights.ORDINAL:
        places = np.arange(size)
        between = np.abs(places[:, None] - places[None, :]) + 1.0
        pairs = between * (between - 1) / 2
        return np.asarray(1 - pairs / pairs.max(), dtype=np.float64)
    numbers = numbers_of(scale)
    apart = np.abs(numbers[:, None] - numbers[None, :])
    part = apart / apart.max()
    return np.asarray(1 - (part if kind is Weights.LINEAR else part**2), dtype=np.float64)


def fixed_metric(kind: Metric, scale: Sequence[Hashable]) -> Floats:
    """Return values x values of squared differences of a metric that does not depend on what was said.

    nominal 1 where k and l differ; interval (x_k - x_l)^2; ratio ((x_k - x_l) / (x_k + x_l))^2. Source: Krippendorff,
    Computing Krippendorff's Alpha-Reliability (2011).

    Raises:
        StatisticsError: the ordinal metric, which needs the margins; a ratio scale with negative numbers.
    """
    import numpy as np

    if kind is Metric.NOMINAL:
        return np.asarray(1.0 - np.eye(len(scale)))
    if kind is Metric.ORDINAL:
        raise StatisticsError("The ordinal metric depends on how often each value was given: use `ordinal_metric`.")
    numbers = numbers_of(scale)
    apart = numbers[:, None] - numbers[None, :]
    if kind is Metric.INTERVAL:
        return np.asarray(apart**2)
    if (numbers < 0).any():
        raise StatisticsError("A ratio scale has a zero and nothing below it; this one holds negative numbers.")
    total = numbers[:, None] + numbers[None, :]
    return np.asarray((np.divide(apart, total, out=np.zeros_like(apart), where=total > 0)) ** 2)


def ordinal_metric(margins: Floats) -> Floats:
    """Return draws x values x values of Krippendorff's ordinal metric, from `margins` (draws x values) of pairable values.

    (sum of n_g for g from k to l, less half of n_k and of n_l)^2: distance in ranks, so that values nobody gave add none.
    """
    import numpy as np

    running = np.cumsum(margins, axis=-1) - margins / 2
    return np.asarray((running[..., :, None] - running[..., None, :]) ** 2)
