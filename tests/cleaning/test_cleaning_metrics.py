"""Rates of a removal: the published figures, undecided queries, weights, and the coverage of the interval."""

from __future__ import annotations

import math

import numpy as np
import pytest

from audit_core.errors import CleaningError
from audit_core.statistics.intervals import WILSON_EFFECTIVE, wilson
from cleaning.intervals import wilson_bounds
from cleaning.metrics import (
    LABELLED_ONLY,
    NOTHING_KEPT,
    NOTHING_REMOVED,
    WEIGHTED,
    Confusion,
    confusion_of,
    decide,
    measure,
    measure_groups,
    rates_of,
)

NAN = math.nan


def test_a_query_goes_at_or_above_the_threshold_and_an_undecided_one_stays_undecided() -> None:
    assert decide([0.49, 0.5, 0.51, NAN], 0.5).tolist()[:3] == [0.0, 1.0, 1.0]
    assert math.isnan(decide([NAN], 0.5)[0])
    assert decide([1.0], math.inf).tolist() == [0.0]


def test_counts_tell_all_six_cells_apart() -> None:
    decisions = [1, 1, 1, 0, 0, 0, 0, NAN, NAN, NAN]
    remove = [True, True, False, True, False, False, False, True, True, False]
    assert confusion_of(decisions, remove) == Confusion(2, 1, 1, 3, 2, 1)


def test_undecided_queries_are_kept_in_the_headline_and_bound_it() -> None:
    rates = rates_of(Confusion(tp=30, fp=10, fn=8, tn=60, undecided_positive=4, undecided_negative=6))
    assert rates.false_omission.estimate == 12 / 78
    assert rates.false_omission.n == 78
    assert rates.lowest == 8 / 74
    assert rates.highest == 12 / 72
    assert rates.share_kept.estimate == 78 / 118
    assert rates.recall.estimate == 30 / 42
    assert rates.specificity.estimate == 66 / 76
    assert rates.precision.estimate == 30 / 40
    assert rates.f1 == 60 / 82
    assert rates.heading == LABELLED_ONLY


def test_nothing_kept_is_undefined_with_the_reason() -> None:
    rates = rates_of(Confusion(tp=5, fp=7, fn=0, tn=0))
    assert rates.false_omission.estimate is None
    assert rates.false_omission.undefined == NOTHING_KEPT
    assert (rates.lowest, rates.highest) == (None, None)
    assert rates.share_kept.estimate == 0.0


def test_everything_kept_has_no_precision_and_the_base_rate_as_false_omission() -> None:
    rates = rates_of(Confusion(tp=0, fp=0, fn=3, tn=7))
    assert rates.precision.undefined == NOTHING_REMOVED
    assert rates.false_omission.estimate == 0.3
    assert rates.recall.estimate == 0.0
    assert rates_of(Confusion(0, 0, 0, 4)).recall.undefined == "no query is to be removed"
    assert rates_of(Confusion(0, 0, 4, 0)).specificity.undefined == "no query is to be kept"
    assert rates_of(Confusion(0, 0, 0, 4)).f1 is None


def test_equal_selection_probabilities_change_no_rate_and_no_interval() -> None:
    generator = np.random.default_rng(0)
    remove = generator.random(200) < 0.3
    decisions = np.where(generator.random(200) < 0.1, NAN, (generator.random(200) < 0.4).astype(float))
    plain = measure(decisions, remove)
    weighted = measure(decisions, remove, probabilities=[0.25] * 200)
    assert weighted.heading == WEIGHTED
    assert weighted.confusion == plain.confusion
    for name in ("false_omission", "share_kept", "precision", "recall", "specificity"):
        one, other = getattr(plain, name), getattr(weighted, name)
        assert (other.estimate, other.low, other.high) == pytest.approx((one.estimate, one.low, one.high))
        assert other.n == pytest.approx(one.n)
    assert (weighted.lowest, weighted.highest, weighted.f1) == pytest.approx((plain.lowest, plain.highest, plain.f1))


def test_weights_undo_the_oversampling_of_a_stratum() -> None:
    # 100 bad queries drawn with certainty, 100 good ones drawn one in ten: of 1,100 kept in the population 100 are bad.
    rates = measure([0.0] * 200, [True] * 100 + [False] * 100, probabilities=[1.0] * 100 + [0.1] * 100)
    assert rates.false_omission.estimate == pytest.approx(100 / 1100)
    # Drawn by label, the sample tells more than 200 queries drawn evenly would; no more than 200 are claimed.
    assert rates.false_omission.n == 200


def test_weights_that_do_not_go_with_the_label_cost_effective_queries() -> None:
    rates = measure([0.0] * 200, [True, False] * 100, probabilities=[1.0] * 100 + [0.1] * 100)
    assert rates.false_omission.estimate == pytest.approx(0.5)
    # p (1 - p) / V with V = sum w^2 (y - p)^2 / (sum w)^2 = (sum w)^2 / sum w^2 here, Kish's number.
    assert rates.false_omission.n == pytest.approx(1100**2 / (100 + 100 * 100))
    assert rates.false_omission.method == WILSON_EFFECTIVE


@pytest.mark.parametrize("chance", [400 / 1500, 1 / 3, 0.1, 1.0])
def test_equal_chances_leave_the_count_as_n_to_the_last_digit(chance: float) -> None:
    for n in range(3, 403, 7):
        rates = measure([0.0] * n, [True] + [False] * (n - 1), probabilities=[chance] * n)
        assert rates.false_omission.n == n


def test_a_weighted_rate_of_one_is_shown_without_an_interval() -> None:
    rates = measure([0.0, 0.0], [False, False], probabilities=[0.5, 0.25])
    assert rates.false_omission.estimate == 0.0
    assert rates.false_omission.low is None
    assert "agree" in str(rates.false_omission.undefined)
    assert measure([1.0], [True], probabilities=[0.5]).false_omission.undefined == NOTHING_KEPT


def test_groups_partition_the_counts() -> None:
    groups = measure_groups([1, 0, 0, NAN], [True, True, False, False], ["б", "а", "а", None])
    assert list(groups) == ["", "а", "б"]
    assert groups["а"].confusion == Confusion(0, 0, 1, 1)
    assert groups[""].confusion.undecided_negative == 1
    assert groups["б"].false_omission.undefined == NOTHING_KEPT


def test_arrays_that_do_not_fit_are_refused() -> None:
    with pytest.raises(CleaningError, match="cannot be held against"):
        confusion_of([1.0], [True, False])
    with pytest.raises(CleaningError, match="2 groups"):
        measure_groups([1.0], [True], ["a", "b"])
    with pytest.raises(CleaningError, match=r"in \(0, 1\]"):
        measure([1.0], [True], probabilities=[0.0])
    with pytest.raises(CleaningError, match="2 selection probabilities"):
        measure([1.0], [True], probabilities=[0.5, 0.5])


@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.995])
def test_array_bounds_are_those_of_the_wilson_interval(confidence: float) -> None:
    pairs = [(count, n) for n in (1, 2, 7, 40, 1438) for count in {0, 1, n // 3, n}]
    low, high = wilson_bounds(*zip(*pairs, strict=True), confidence=confidence)
    for (count, n), below, above in zip(pairs, low, high, strict=True):
        one = wilson(count, n, confidence=confidence)
        assert (below, above) == pytest.approx((one.low, one.high), abs=1e-12)
        assert 0.0 <= below <= count / n <= above <= 1.0
    assert np.isnan(wilson_bounds(0, 0)).all()


def test_the_interval_of_the_false_omission_rate_covers_it_as_often_as_it_says() -> None:
    # 150 queries, 30 % bad, a strategy with recall 0.7 and specificity 0.8: the true rate among kept is 0.09 / 0.65.
    generator = np.random.default_rng(11)
    truth = 0.3 * 0.3 / (0.3 * 0.3 + 0.7 * 0.8)
    covered, runs = 0, 2000
    for _ in range(runs):
        remove = generator.random(150) < 0.3
        decisions = np.where(remove, generator.random(150) < 0.7, generator.random(150) < 0.2).astype(float)
        counts = confusion_of(decisions, remove)
        low, high = wilson_bounds(counts.kept_positives, counts.kept)
        covered += bool(low <= truth <= high)
    # Two-sided 99.9 % binomial limits around 0.95 at 2,000 runs are 0.934-0.966.
    assert 0.934 <= covered / runs <= 0.97
