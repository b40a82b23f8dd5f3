"""Coefficients against published values, to the digits that were published; the ratings are in `published_ratings`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import t

from audit_core.agreement.alpha import differences_of, given_distance, krippendorff_alpha
from audit_core.agreement.coefficients import brennan_prediger, fleiss_kappa, fleiss_z, percent_agreement
from audit_core.agreement.estimate import Estimate
from audit_core.agreement.gwet import gwet_ac
from audit_core.agreement.kappa import (
    bangdiwala_b,
    cohen_kappa,
    conger_kappa,
    kappa_se_under_chance,
    scott_pi,
)
from audit_core.agreement.ratings import Patterns, Ratings, patterns_of, ratings_of
from audit_core.agreement.weights import Metric, Weights, agreement_weights
from tests.agreement import published_ratings as published


def _both(rows: Any, scale: Any) -> tuple[Ratings, Patterns]:
    ratings = ratings_of(rows, tuple(scale))
    return ratings, patterns_of(ratings.counts)


def _alpha(patterns: Patterns, scale: Any, metric: Metric) -> float:
    return value(krippendorff_alpha(patterns, tuple(scale), differences_of(metric, tuple(scale))))


def _student(found: Estimate, *, units: int) -> tuple[float, float]:
    """Return the 95 % interval that irrCAC makes of a standard error."""
    assert found.se is not None
    reach = float(t.ppf(0.975, units - 1)) * found.se
    return value(found) - reach, value(found) + reach


def value(found: Estimate) -> float:
    assert found.value is not None, found.undefined
    return found.value


@pytest.mark.parametrize(
    ("rows", "scale", "metric", "wanted"),
    [
        (published.KRIPPENDORFF_A, (0, 1), Metric.NOMINAL, "0.095"),
        (published.KRIPPENDORFF_B, "abcde", Metric.NOMINAL, "0.692"),
        (published.KRIPPENDORFF_C, (1, 2, 3, 4, 5), Metric.NOMINAL, "0.743"),
        (published.KRIPPENDORFF_C, (1, 2, 3, 4, 5), Metric.ORDINAL, "0.815"),
        (published.KRIPPENDORFF_C, (1, 2, 3, 4, 5), Metric.INTERVAL, "0.849"),
        (published.KRIPPENDORFF_C, (1, 2, 3, 4, 5), Metric.RATIO, "0.797"),
    ],
)
def test_alpha_is_that_of_krippendorffs_own_examples(rows: Any, scale: Any, metric: Metric, wanted: str) -> None:
    assert f"{_alpha(_both(rows, scale)[1], scale, metric):.3f}" == wanted


def test_every_coefficient_of_gwets_four_raters_is_that_of_irrcac() -> None:
    """Source: README of the R package irrCAC and tests of the Python one; ratings with missing ones, a unit rated once."""
    scale = (1, 2, 3, 4, 5)
    ratings, patterns = _both(published.KRIPPENDORFF_C, scale)
    ac1 = gwet_ac(patterns, scale)
    assert value(percent_agreement(patterns, scale)) == pytest.approx(0.8181818, abs=5e-8)
    assert (ac1.value, ac1.expected, ac1.se) == pytest.approx((0.77544, 0.1903212, 0.14295), abs=5e-6)
    assert value(fleiss_kappa(patterns, scale)) == pytest.approx(0.76117, abs=5e-6)
    assert value(conger_kappa(ratings)) == pytest.approx(0.76282, abs=5e-6)
    assert value(brennan_prediger(patterns, scale)) == pytest.approx(0.77273, abs=5e-6)


@pytest.mark.parametrize(
    ("weights", "ac2", "alpha"),
    [
        (Weights.LINEAR, "0.859", "0.800"),
        (Weights.QUADRATIC, "0.914", "0.849"),
        (Weights.ORDINAL, "0.899", "0.834"),
    ],
)
def test_weighted_coefficients_of_the_four_raters_are_those_of_irrcac(weights: Weights, ac2: str, alpha: str) -> None:
    """Gwet's ordinal weights (alpha 0.834) are not Krippendorff's ordinal metric (0.815)."""
    scale = (1, 2, 3, 4, 5)
    _, patterns = _both(published.KRIPPENDORFF_C, scale)
    apart = given_distance(1 - agreement_weights(weights, scale))
    assert f"{value(gwet_ac(patterns, scale, weights=weights)):.3f}" == ac2
    assert f"{value(krippendorff_alpha(patterns, scale, apart)):.3f}" == alpha


def test_ac1_of_five_observers_has_the_published_parts_and_error() -> None:
    """Source: irrCAC for Python, tests: 0.497, observed 0.616, expected 0.236, standard error 0.122, alpha 0.481."""
    scale = (0, 1, 2, 3)
    _, patterns = _both(published.FIVE_OBSERVERS, scale)
    found = gwet_ac(patterns, scale)
    assert (found.value, found.observed, found.expected, found.se) == pytest.approx(
        (0.497, 0.616, 0.236, 0.122), abs=5e-4
    )
    assert _alpha(patterns, scale, Metric.NOMINAL) == pytest.approx(0.481, abs=5e-4)
    assert _student(found, units=15) == pytest.approx((0.235, 0.758), abs=5e-4)


def test_coefficients_of_four_raters_with_letters_are_those_of_irrcac() -> None:
    """Source: irrCAC for Python, tests (three decimals)."""
    ratings, patterns = _both(published.FOUR_RATERS, "abcde")
    scale = tuple("abcde")
    found = (
        gwet_ac(patterns, scale), fleiss_kappa(patterns, scale), conger_kappa(ratings), brennan_prediger(patterns, scale),
    )  # fmt: skip
    assert [f"{value(each):.3f}" for each in found] == ["0.685", "0.657", "0.659", "0.679"]
    assert f"{_alpha(patterns, scale, Metric.NOMINAL):.3f}" == "0.632"


def test_fleiss_kappa_of_the_diagnoses_is_that_of_1971() -> None:
    """Source: R irr::kappam.fleiss(diagnoses): 0.4302445, z 17.65183."""
    ratings, patterns = _both(published.DIAGNOSES, (1, 2, 3, 4, 5))
    assert ratings.counts.sum(axis=0).tolist() == [26, 26, 30, 55, 43]
    assert value(fleiss_kappa(patterns, ratings.scale)) == pytest.approx(0.4302445, abs=5e-8)
    assert fleiss_z(patterns) == pytest.approx(17.65183, abs=5e-6)


def test_counts_alone_give_the_coefficients_of_six_and_of_fourteen_raters() -> None:
    """Sources: irrCAC README (first half of Fleiss 1971); Wikipedia, Fleiss' kappa."""
    scale = tuple(range(5))
    six, fourteen = patterns_of(published.DISTRIBUTION), patterns_of(published.FOURTEEN_RATERS)
    ac1 = gwet_ac(six, scale)
    assert value(percent_agreement(six, scale)) == pytest.approx(0.5511111, abs=5e-8)
    assert (ac1.value, ac1.se) == pytest.approx((0.4448007, 0.08418757), abs=5e-8)
    assert value(fleiss_kappa(six, scale)) == pytest.approx(0.4139265, abs=5e-8)
    assert _alpha(six, scale, Metric.NOMINAL) == pytest.approx(0.4204384, abs=5e-8)
    assert value(brennan_prediger(six, scale)) == pytest.approx(0.4388889, abs=5e-8)
    assert f"{value(fleiss_kappa(fourteen, scale)):.3f}" == "0.210"
    each = [value(percent_agreement(patterns_of([row]), scale)) for row in published.FOURTEEN_RATERS]
    assert each == pytest.approx([1.0, 0.253, 0.308, 0.44, 0.33, 0.462, 0.242, 0.176, 0.286, 0.286], abs=5e-4)


def test_two_abstractors_give_the_published_kappa_pi_and_b() -> None:
    """Source: irrCAC README and tests. There the error of AC1 of a table divides by n, of ratings by n - 1."""
    table, scale = np.asarray(published.ABSTRACTORS), (1, 2, 3)
    rows = [(scale[i], scale[j]) for i in range(3) for j in range(3) for _ in range(table[i, j])]
    _, patterns = _both(rows, scale)
    kappa, ac1 = cohen_kappa(table, scale), gwet_ac(patterns, scale)
    assert (kappa.value, kappa.se, kappa.observed) == pytest.approx((0.7964094, 0.05891072, 0.89), abs=5e-8)
    assert value(scott_pi(table, scale)) == pytest.approx(0.7962397, abs=5e-8)
    assert value(fleiss_kappa(patterns, scale)) == pytest.approx(0.7962397, abs=5e-8)
    assert value(bangdiwala_b(table)) == pytest.approx(0.8059604, abs=5e-8)
    assert value(ac1) == pytest.approx(0.8493305, abs=5e-8)
    assert ac1.se is not None
    assert ac1.se * math.sqrt(99 / 100) == pytest.approx(0.04321747, abs=5e-8)
    assert _student(ac1, units=100) == pytest.approx((0.764, 0.935), abs=1e-3)
    assert _alpha(patterns, scale, Metric.NOMINAL) == pytest.approx(0.7972585, abs=5e-8)
    assert f"{value(gwet_ac(patterns, scale, weights=Weights.LINEAR)):.2f}" == "0.90"
    assert f"{value(gwet_ac(patterns, scale, weights=Weights.QUADRATIC)):.2f}" == "0.94"


def test_kappa_of_a_table_with_an_empty_column_is_that_of_sas() -> None:
    """Source: SAS PROC FREQ: 0.4842 (0.1380), under chance 0.1484, z 3.2626; linear 0.4701 (0.1457), and 95 % intervals."""
    table, scale = np.asarray(published.EMPTY_COLUMN), (1, 2, 3)
    plain, linear = cohen_kappa(table, scale), cohen_kappa(table, scale, weights=Weights.LINEAR)
    under_chance = kappa_se_under_chance(table, scale)
    assert (plain.value, plain.se, under_chance) == pytest.approx((0.4842, 0.1380, 0.1484), abs=5e-5)
    assert value(plain) / under_chance == pytest.approx(3.2626, abs=5e-5)
    assert (linear.value, linear.se) == pytest.approx((0.4701, 0.1457), abs=5e-5)
    for found, bounds in ((plain, (0.2137, 0.7547)), (linear, (0.1845, 0.7558))):
        assert found.se is not None
        assert tuple(value(found) + sign * 1.959964 * found.se for sign in (-1, 1)) == pytest.approx(bounds, abs=5e-5)


def test_a_value_that_neither_rater_used_changes_the_weighted_kappa() -> None:
    """Source: R irr::kappa2(anxiety[, 2:3]), which drops the unused 5: linear 0.1459075, squared 0.2520325."""
    rows = [each[1:] for each in published.ANXIETY]
    whole = ratings_of(rows, (1, 2, 3, 4, 5, 6)).of_two(0, 1)
    letters = tuple("12346")
    reduced = ratings_of([tuple(str(each) for each in row) for row in rows], letters).of_two(0, 1)
    assert value(cohen_kappa(reduced, letters)) == pytest.approx(-0.006289308, abs=5e-10)
    assert value(cohen_kappa(reduced, letters, weights=Weights.LINEAR)) == pytest.approx(0.1459075, abs=5e-8)
    assert value(cohen_kappa(reduced, letters, weights=Weights.QUADRATIC)) == pytest.approx(0.2520325, abs=5e-8)
    assert value(cohen_kappa(whole, range(1, 7), weights=Weights.LINEAR)) == pytest.approx(0.1262136, abs=5e-8)
