"""Coefficients of a table of two raters: Cohen's kappa with its standard errors, Scott's pi, Bangdiwala's B; and Conger's kappa."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from audit_core.agreement.coefficients import observed_agreement
from audit_core.agreement.estimate import (
    TINY,
    Estimate,
    beyond_chance,
    everyone_said,
    less_disagreement,
    undefined,
    why_nothing,
)
from audit_core.agreement.ratings import patterns_of
from audit_core.agreement.weights import Weights, agreement_weights

if TYPE_CHECKING:
    from audit_core.agreement.ratings import Floats, Ratings, Whole

    Table = Floats | Whole


def cohen_parts(tables: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Return (observed, expected) of draws x values x values: one rater's values in rows, the other's in columns."""
    shares = tables / tables.sum(axis=(1, 2), keepdims=True)
    rows, columns = shares.sum(axis=2), shares.sum(axis=1)
    return (shares * values).sum(axis=(1, 2)), ((rows @ values) * columns).sum(axis=1)


def cohen_drawn(tables: Floats, credit: Floats) -> Floats:
    """Return Cohen's kappa of each table, NaN where it has none."""
    return less_disagreement(*cohen_parts(tables, 1.0 - credit))


def cohen_kappa(table: Table, scale: tuple[object, ...], *, weights: Weights = Weights.IDENTITY) -> Estimate:
    """Return Cohen's kappa of the units that both rated, weighted or not, with its large-sample standard error.

    `table` is values x values. Sources: Cohen 1960 and 1968; the standard error: Fleiss, Cohen and Everitt 1969
    (Psychological Bulletin 72).
    """
    total = float(table.sum())
    if total == 0:
        return undefined("no unit was rated by both")
    credit = agreement_weights(weights, scale)
    observed, expected = cohen_parts(table[None].astype(float), credit)
    value = cohen_drawn(table[None].astype(float), credit)
    if value[0] != value[0]:
        return undefined(everyone_said(scale[int(table.sum(axis=1).argmax())], who="both"))
    found = Estimate(float(value[0]), None, float(observed[0]), float(expected[0]))
    return replace(found, se=_standard_error(table / total, credit, found, total))


def _standard_error(shares: Floats, credit: Floats, found: Estimate, total: float) -> float:
    assert found.value is not None
    assert found.expected is not None
    kappa, expected = found.value, found.expected
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    # What a value of each rater would get by chance from the other one.
    of_row, of_column = credit @ columns, rows @ credit
    middle = (of_row[:, None] + of_column[None, :]) * (1 - kappa)
    spread = float((shares * (credit - middle) ** 2).sum()) - (kappa - expected * (1 - kappa)) ** 2
    return math.sqrt(max(spread, 0.0) / total) / (1 - expected)


def kappa_se_under_chance(table: Table, scale: tuple[object, ...], *, weights: Weights = Weights.IDENTITY) -> float:
    """Return the standard error of Cohen's kappa if the raters were independent. Source: as for the kappa."""
    total = float(table.sum())
    shares, credit = table / total, agreement_weights(weights, scale)
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    chance = rows[:, None] * columns[None, :]
    expected = float((chance * credit).sum())
    apart = credit - ((credit @ columns)[:, None] + (rows @ credit)[None, :])
    return math.sqrt((float((chance * apart**2).sum()) - expected**2) / total) / (1 - expected)


def scott_pi(table: Table, scale: tuple[object, ...]) -> Estimate:
    """Return Scott's pi of two raters: chance draws from what both said together. Source: Scott 1955."""
    both = (table.sum(axis=0) + table.sum(axis=1)) / 2
    total = float(table.sum())
    if total == 0:
        return undefined("no unit was rated by both")
    shares = both / total
    observed, expected = float(table.trace()) / total, float((shares**2).sum())
    if 1 - expected <= TINY:
        return undefined(everyone_said(scale[int(both.argmax())], who="both"))
    return Estimate((observed - expected) / (1 - expected), None, observed, expected)


def bangdiwala_b(table: Table) -> Estimate:
    """Return Bangdiwala's B: the area of the squares of agreement over that of the margins' rectangles. Source: Bangdiwala 1985."""
    area = float((table.sum(axis=0) * table.sum(axis=1)).sum())
    if area == 0:
        return undefined("no value was given by both raters")
    return Estimate(float((table.diagonal() ** 2).sum()) / area)


def conger_kappa(ratings: Ratings, *, weights: Weights = Weights.IDENTITY) -> Estimate:
    """Return Conger's kappa, Cohen's for more than two raters: chance draws each rater's value from what that one said.

    Source: Conger 1980 (Psychological Bulletin 88); with missing ratings Gwet's Handbook (4th ed., 2014), chapter 2.
    """
    import numpy as np

    reason = why_nothing(ratings)
    if reason is not None:
        return undefined(reason)
    size = len(ratings.scale)
    credit = agreement_weights(weights, ratings.scale)
    patterns = patterns_of(ratings.counts)
    observed = observed_agreement(patterns, patterns.sizes[None, :], credit)
    own = np.bincount(ratings.rater * size + ratings.value, minlength=ratings.raters * size).reshape(-1, size)
    own = own[own.sum(axis=1) > 0]
    shares = own / own.sum(axis=1, keepdims=True)
    raters, mean = len(shares), shares.mean(axis=0)
    joint = (shares.T @ shares - raters * np.outer(mean, mean)) / (raters - 1)
    expected = np.asarray([float((credit * (np.outer(mean, mean) - joint / raters)).sum())])
    value = beyond_chance(observed, expected)
    if value[0] != value[0]:
        return undefined(everyone_said(ratings.scale[int(mean.argmax())]))
    return Estimate(float(value[0]), None, float(observed[0]), float(expected[0]))
