"""How proportions are written as percentages: the one place where they are rounded."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Decimal

from audit_core.errors import StatisticsError
from audit_core.statistics.intervals import CENSUS, Interval


def percent(value: float | None, *, decimals: int = 1) -> str:
    """Return a proportion as percent digits without the sign, such as `93.3` for 0.9325; `undefined` for None.

    Halves are rounded up. The shortest decimal that names the float is what is rounded, so that 746/800 gives 93.3 and
    not the 93.2 of binary formatting with halves to even.

    Raises:
        StatisticsError: the value is not finite (an undefined proportion is None, never NaN).
    """
    if value is None:
        return "undefined"
    number = float(value)
    if not math.isfinite(number):
        raise StatisticsError(f"A proportion of {value} cannot be written as a percentage; pass None for undefined.")
    step = Decimal(1).scaleb(-decimals)
    return str((Decimal(repr(number)) * 100).quantize(step, rounding=ROUND_HALF_UP))


def percent_text(value: float | None, *, decimals: int = 1) -> str:
    """Return a proportion as text with its sign, such as `93.3 %`; `undefined` for None."""
    digits = percent(value, decimals=decimals)
    return digits if value is None else f"{digits} %"


def range_text(low: float | None, high: float | None, *, decimals: int = 1) -> str:
    """Return two proportions as a range, such as `91.3-94.8 %`; `undefined` where either is None."""
    if low is None or high is None:
        return "undefined"
    return f"{percent(low, decimals=decimals)}-{percent(high, decimals=decimals)} %"


def confidence_text(confidence: float) -> str:
    """Return a confidence level without trailing zeros, such as `95 %` or `99.5 %`."""
    return f"{(Decimal(repr(float(confidence))) * 100).normalize():f} %"


def interval_text(interval: Interval) -> str:
    """Return an interval with its level and method, such as `95 % Wilson 91.3-94.8 %`, or why there is none."""
    if interval.undefined is not None:
        return f"interval undefined: {interval.undefined}"
    if interval.method == CENSUS:
        return "census, no sampling error"
    return f"{confidence_text(interval.confidence)} {interval.method} {range_text(interval.low, interval.high)}"
