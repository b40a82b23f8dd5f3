"""What a coefficient comes to: a value, or the reason why there is none; and arrays of them for many draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from audit_core.errors import StatisticsError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from audit_core.agreement.ratings import Floats, Patterns, Ratings

#: Differences from 1, and from 0, that are rounding: expected agreement that near to 1 is 1.
TINY = 1e-12


_NO_ROOM = "expected agreement is 1"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A coefficient: its value (1 is best, below 0 is worse than chance), or why it is undefined.

    `observed` and `expected` are the agreement (of alpha: 1 less the disagreement's ratio is the value, and these are the
    disagreements) that it is made of, parts of 1. `se` is an analytic standard error where there is a formula for it.
    """

    value: float | None
    undefined: str | None = None
    observed: float | None = None
    expected: float | None = None
    se: float | None = None

    def __post_init__(self) -> None:
        if (self.value is None) == (self.undefined is None):
            raise StatisticsError("A coefficient has either a value or a reason why it has none.")


def undefined(reason: str) -> Estimate:
    """Return a coefficient that does not exist."""
    return Estimate(None, reason)


def why_nothing(ratings: Ratings) -> str | None:
    """Return why no coefficient can be computed from ratings; None where they hold a unit with two raters."""
    if not len(ratings.unit):
        return "nobody rated anything"
    if len(ratings.active) < 2:
        return "one rater only: there is nobody to agree with"
    if int(ratings.counts.sum(axis=1).max()) < 2:
        return "no unit was rated by two raters"
    return None


def why_nothing_of(patterns: Patterns) -> str | None:
    """Return the same of patterns, which do not tell who rated."""
    if not patterns.sizes.size or patterns.raters.max() < 1:
        return "nobody rated anything"
    return None if patterns.raters.max() >= 2 else "no unit was rated by two raters"


def why_no_variation(patterns: Patterns, scale: tuple[object, ...], *, who: str = "everyone") -> str:
    """Return why chance leaves no room: everyone said the same, at least of the units that two or more rated."""
    pairable = patterns.counts[patterns.raters >= 2].sum(axis=0)
    said = [each for place, each in enumerate(scale) if pairable[place] > 0]
    if len(said) == 1:
        is_of_all = bool((patterns.counts.sum(axis=0) > 0).sum() == 1)
        return everyone_said(said[0], who=who if is_of_all else f"on the items that two or more judged, {who}")
    return "expected agreement is 1, so nothing is left to agree beyond chance"


def everyone_said(value: object, *, who: str = "everyone") -> str:
    """Return why a coefficient is undefined of raters who all gave that value."""
    return f"{who} said {words(value)}: {_NO_ROOM}"


def words(value: object) -> str:
    """Return a value of a scale as it is shown: text as it is, a set by its members, yes and no."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, frozenset):
        return "+".join(sorted(map(str, value))) or "none"
    return f"{value:g}" if isinstance(value, float) else str(value)


def beyond_chance(observed: Floats, expected: Floats) -> Floats:
    """Return (observed - expected) / (1 - expected) of each draw, NaN where expected agreement is 1 (the caller says why)."""
    import numpy as np

    room = 1.0 - expected
    found: NDArray[np.float64] = np.full_like(observed, np.nan)
    return without_rounding(np.divide(observed - expected, room, out=found, where=room > TINY))


def less_disagreement(observed: Floats, expected: Floats) -> Floats:
    """Return 1 - observed / expected *disagreement* of each draw, NaN where chance gives none.

    It is `beyond_chance` without the difference of two numbers near 1, which rounds to noise where nearly all agree.
    """
    import numpy as np

    found: NDArray[np.float64] = np.full_like(observed, np.nan)
    return without_rounding(1.0 - np.divide(observed, expected, out=found, where=expected > TINY))


def without_rounding(values: Floats) -> Floats:
    """Return values of which those that differ from 0 by rounding alone are 0."""
    import numpy as np

    return np.where(np.abs(values) <= TINY, 0.0, values)
