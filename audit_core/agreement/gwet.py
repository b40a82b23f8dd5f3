"""Gwet's AC1 and AC2 with their standard error. AC1 and AC2 depend on how many values the scale has, used or not."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from audit_core.agreement.coefficients import coefficient, gwet_parts, prevalence
from audit_core.agreement.estimate import Estimate
from audit_core.agreement.weights import Weights, agreement_weights

if TYPE_CHECKING:
    from audit_core.agreement.ratings import Floats, Patterns


def gwet_ac(patterns: Patterns, scale: tuple[object, ...], *, weights: Weights = Weights.IDENTITY) -> Estimate:
    """Return AC1 (identity weights) or AC2, with the standard error over the sampling of units.

    Source: Gwet 2008 (British Journal of Mathematical and Statistical Psychology 61) and the Handbook (4th ed., 2014),
    chapter 5.
    """
    found = coefficient(gwet_parts, patterns, scale, weights=weights)
    if found.value is None:
        return found
    return replace(found, se=_standard_error(patterns, agreement_weights(weights, scale), found))


def _standard_error(patterns: Patterns, credit: Floats, found: Estimate) -> float | None:
    """Return the root of sum (k_i - k)^2 / (n (n - 1)) over rated units, k_i the unit's part in the coefficient."""
    import numpy as np

    counts, raters = patterns.counts, patterns.raters
    rated = raters >= 1
    sizes = patterns.sizes * rated
    units, pairable = float(sizes.sum()), float(sizes[raters >= 2].sum())
    if units < 2 or found.value is None or found.expected is None:
        return None
    size = len(credit)
    shares = prevalence(patterns, patterns.sizes[None, :])[0]
    enough = raters >= 2
    observed = np.where(
        enough,
        (counts * (counts @ credit - 1)).sum(axis=1) / np.where(enough, raters * (raters - 1), 1.0),
        0.0,
    )
    own = np.where(rated[:, None], counts / np.where(rated, raters, 1.0)[:, None], 0.0)
    chance = credit.sum() / (size * (size - 1)) * (own @ (1 - shares))
    room = 1 - found.expected
    part = np.where(enough, units / pairable * (observed - found.expected) / room, 0.0)
    part = part - 2 * (1 - found.value) * (chance - found.expected) / room
    return math.sqrt(float((sizes * (part - found.value) ** 2).sum()) / (units * (units - 1)))
