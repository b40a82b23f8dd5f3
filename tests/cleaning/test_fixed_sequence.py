"""Exact tests in a fixed order: golden values by another formula, the grid of thresholds, and how many labels it takes."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy import stats

from cleaning.fixed_sequence import (
    SHARES,
    exact_p,
    expected_needed,
    fewest_labels,
    first_with_a_chance,
    keeps,
    labels_needed,
    shortest_threshold,
    threshold_grid,
    upper_bound,
)
from cleaning.published import PUBLISHED


@pytest.mark.parametrize(("bad", "n"), [(0, 29), (0, 28), (3, 76), (12, 200), (44, 353), (5, 5)])
def test_p_is_the_sum_of_the_binomial_terms(bad: int, n: int) -> None:
    risk = Fraction(1, 10)
    terms = sum(comb(n, k) * risk**k * (1 - risk) ** (n - k) for k in range(bad + 1))
    assert exact_p(bad, n, 0.1) == pytest.approx(float(terms), rel=1e-12)


@pytest.mark.parametrize(("bad", "n", "alpha"), [(0, 29, 0.05), (3, 76, 0.05), (12, 200, 0.01), (44, 353, 0.05)])
def test_the_upper_bound_is_the_f_quantile_of_clopper_and_pearson_and_the_share_at_which_p_is_alpha(
    bad: int, n: int, alpha: float
) -> None:
    # Clopper and Pearson 1934 by the F distribution: (k + 1) F / (n - k + (k + 1) F).
    quantile = float(stats.f.ppf(1 - alpha, 2 * (bad + 1), 2 * (n - bad)))
    expected = (bad + 1) * quantile / (n - bad + (bad + 1) * quantile)
    assert upper_bound(bad, n, alpha) == pytest.approx(expected, rel=1e-10)
    assert exact_p(bad, n, upper_bound(bad, n, alpha)) == pytest.approx(alpha, rel=1e-9)


def test_where_all_are_bad_the_bound_is_one() -> None:
    assert upper_bound(5, 5, 0.05) == 1.0


def test_29_faultless_labels_bound_ten_percent_and_28_do_not() -> None:
    # 0.9^29 = 0.0471, 0.9^28 = 0.0523; the "rule of three" gives 30.
    assert fewest_labels(0.10, 0.05) == 29
    assert exact_p(0, 29, 0.1) <= 0.05 < exact_p(0, 28, 0.1)
    assert fewest_labels(0.5, 0.5) == 1
    # 0.5^2 is 0.25 exactly.
    assert fewest_labels(0.5, 0.25) == 2


@pytest.mark.parametrize("share", [0.0, 0.02, 0.05, 0.08, 0.095])
def test_the_labels_that_are_said_to_be_needed_are_just_enough(share: float) -> None:
    needed = labels_needed(share, 0.1, 0.05)
    assert needed is not None
    assert exact_p(int(share * needed), needed, 0.1) <= 0.05
    assert exact_p(int(np.ceil(share * needed * 0.9)), int(needed * 0.9), 0.1) > 0.05


def test_no_number_of_labels_helps_at_or_above_the_risk() -> None:
    assert labels_needed(0.1, 0.1, 0.05) is None
    assert labels_needed(0.2, 0.1, 0.05) is None


def test_a_scale_of_few_values_has_each_as_a_threshold_and_one_that_keeps_all() -> None:
    scores = np.array([0.0, 0.25, 0.25, 1.0, np.nan, 0.5])
    grid = threshold_grid(scores)
    assert grid.tolist() == [0.0, 0.25, 0.5, 1.0, np.inf]
    # The undecided one is kept at each.
    assert [int(keeps(scores, each).sum()) for each in grid] == [1, 2, 4, 5, 6]


def test_a_fine_scale_has_thresholds_that_keep_twentieths() -> None:
    scores = np.random.default_rng(1).permutation(1000) / 1000
    kept = [int(keeps(scores, each).sum()) for each in threshold_grid(scores)]
    assert kept == [round(1000 * share) for share in SHARES]


def test_equal_scores_stay_together_and_undecided_queries_count_as_kept() -> None:
    # 300 undecided and 400 equal lowest scores: 5 to 30 % can only be the undecided, 35 to 70 % all of the equal ones.
    scores = np.concatenate([np.full(300, np.nan), np.zeros(400), np.linspace(0.1, 1.0, 300)])
    kept = [int(keeps(scores, each).sum()) for each in threshold_grid(scores)]
    assert kept == [300, 700, 750, 800, 850, 900, 950, 1000]


def test_a_strategy_that_decides_nothing_has_one_threshold_that_keeps_all() -> None:
    assert threshold_grid(np.full(5, np.nan)).tolist() == [np.inf]


def test_the_sequence_starts_where_a_faultless_result_could_pass() -> None:
    # Of 400 labels 5, 10, 15 % are 20, 40, 60: 40 are below 29 in under 5 % of draws (sd 6), 20 are nearly always.
    assert first_with_a_chance([20.0, 40.0, 60.0], 400, 29) == 1
    assert first_with_a_chance([20.0], 400, 29) == 1
    # All labels enter where all is kept: no chance is left in how many.
    assert first_with_a_chance([28.0], 28, 29) == 1
    assert first_with_a_chance([29.0], 29, 29) == 0
    enough = expected_needed(29, 0.1)
    assert enough - 1.645 * np.sqrt(enough * 0.9) == pytest.approx(29)


def test_the_published_counts_allow_no_bound_below_15_and_a_half_percent() -> None:
    counts = [(each.confusion.fn, each.confusion.kept) for each in PUBLISHED]
    bounds = {(bad, n): upper_bound(bad, n, 0.05) for bad, n in counts}
    # The lowest of the nine one-sided 95 % bounds is that of classifier or rating, 135 of 993; by scipy's beta quantile.
    assert min(bounds, key=lambda each: bounds[each]) == (135, 993)
    assert bounds[135, 993] == pytest.approx(float(stats.beta.ppf(0.95, 136, 858)), rel=1e-10)
    assert bounds[135, 993] == pytest.approx(0.15515, abs=5e-6)
    assert all(exact_p(bad, n, 0.155) > 0.05 for bad, n in counts)
    assert exact_p(135, 993, 0.156) <= 0.05


def test_a_threshold_is_said_with_as_few_digits_as_keep_the_same_queries() -> None:
    chance = np.random.default_rng(3)
    # Learned scores lie close together.
    scores = np.concatenate([0.48 + 0.02 * chance.random(2000), [np.nan, 0.0, 1.0, 1e-9, 0.1 + 0.2]])
    for threshold in [*threshold_grid(scores).tolist(), 1e-9, 0.0, 1.0, 0.1 + 0.2]:
        short = shortest_threshold(scores, threshold)
        assert short <= threshold
        assert np.array_equal(keeps(scores, short), keeps(scores, threshold))
        assert float(repr(short)) == short
    assert shortest_threshold(np.array([0.48650912, 0.4861]), 0.48650912) == 0.4865
    assert shortest_threshold(np.array([0.48650912, 0.486509]), 0.48650912) == 0.4865091
    assert shortest_threshold(np.array([0.25, 0.5]), 0.5) == 0.5
    assert shortest_threshold(np.array([1 / 3, 2 / 3]), 2 / 3) == 0.666
    assert shortest_threshold(np.array([0.2]), np.inf) == np.inf
