"""Curves and the threshold table: every threshold as if counted by itself, thinning, bands."""

from __future__ import annotations

import math

import numpy as np
import pytest

from audit_core.errors import CleaningError
from cleaning.curves import BOOTSTRAP_BAND, bootstrap_band, threshold_table, wilson_band
from cleaning.intervals import bootstrap_sums
from cleaning.metrics import WEIGHTED, confusion_of, decide, measure, rates_of


def _scores(n: int = 300, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    remove = generator.random(n) < 0.3
    scores = np.round(np.clip(generator.normal(0.4 + 0.2 * remove, 0.2), 0, 1), 2)
    scores[generator.random(n) < 0.1] = np.nan
    return scores, remove


def _same(value: float, expected: float | None) -> bool:
    return math.isnan(value) if expected is None else value == pytest.approx(expected)


def test_every_row_is_what_counting_at_its_threshold_gives() -> None:
    scores, remove = _scores()
    table = threshold_table(scores, remove, most=None)
    assert len(table) == len(np.unique(scores[~np.isnan(scores)])) + 1 == table.all_thresholds
    for row, threshold in enumerate(table.thresholds):
        counts = confusion_of(decide(scores, threshold), remove)
        assert (table.tp[row], table.fp[row], table.fn[row], table.tn[row]) == (
            counts.tp,
            counts.fp,
            counts.fn,
            counts.tn,
        )
        assert (table.undecided_positive, table.undecided_negative) == (
            counts.undecided_positive,
            counts.undecided_negative,
        )
        assert table.kept[row] == counts.kept
        rates = rates_of(counts)
        for name in ("false_omission", "share_kept", "precision", "recall", "specificity"):
            assert _same(getattr(table, name)[row], getattr(rates, name).estimate)
        assert _same(table.low[row], rates.false_omission.low)
        assert _same(table.high[row], rates.false_omission.high)


def test_the_last_threshold_removes_nothing_and_leaves_the_base_rate() -> None:
    scores, remove = _scores()
    table = threshold_table(scores, remove)
    assert table.thresholds[-1] == math.inf
    assert table.share_kept[-1] == 1.0
    assert table.false_omission[-1] == table.base_rate == remove.mean()
    assert math.isnan(table.precision[-1])


def test_a_strategy_that_removes_everything_has_no_rate_at_its_lowest_threshold() -> None:
    table = threshold_table([0.5, 0.5, 0.5], [True, False, False])
    assert table.thresholds.tolist() == [0.5, math.inf]
    assert table.kept.tolist() == [0, 3]
    assert math.isnan(table.false_omission[0])
    assert math.isnan(table.low[0])


def test_many_thresholds_are_thinned_evenly_over_the_share_kept() -> None:
    generator = np.random.default_rng(0)
    scores = generator.random(5000) ** 4
    table = threshold_table(scores, generator.random(5000) < 0.3)
    assert table.all_thresholds == 5001
    assert 190 < len(table) <= 200
    assert table.thresholds[0] == scores.min()
    assert table.thresholds[-2] == scores.max()
    assert np.diff(table.share_kept).max() < 0.006


def test_the_row_of_a_threshold_makes_the_decisions_of_that_threshold() -> None:
    scores, remove = _scores()
    table = threshold_table(scores, remove, most=None)
    for threshold in (0.0, 0.333, 0.5, 0.501, 1.0, 1.1):
        assert table.kept[table.at(threshold)] == confusion_of(decide(scores, threshold), remove).kept


def test_undecided_alone_leave_one_row() -> None:
    table = threshold_table([math.nan] * 3, [True, False, False])
    assert table.thresholds.tolist() == [math.inf]
    assert table.false_omission.tolist() == [1 / 3]
    empty = threshold_table([], [])
    assert empty.base_rate is None
    assert math.isnan(empty.false_omission[0])


def test_the_bootstrap_band_is_that_of_each_threshold_by_itself() -> None:
    scores, remove = _scores()
    documents = [{f"d{row // 3}"} for row in range(300)]
    table = threshold_table(scores, remove)
    band = bootstrap_band(table, scores, remove, documents, resamples=400, seed=7)
    assert band.method == BOOTSTRAP_BAND
    row = table.at(0.5)
    kept = ~(scores >= 0.5)
    sums = bootstrap_sums(np.stack([kept & remove, kept], axis=1) * 1.0, documents, resamples=400, seed=7)
    low, high = np.quantile(sums[:, 0] / sums[:, 1], [0.025, 0.975])
    assert (band.low[row], band.high[row]) == pytest.approx((low, high))
    known = ~np.isnan(band.low)
    assert (band.low[known] <= table.false_omission[known]).all()
    assert (band.high[known] >= table.false_omission[known]).all()
    assert wilson_band(table).low is table.low


def test_a_rate_that_no_resample_can_move_has_no_bootstrap_band() -> None:
    scores = np.asarray([0.9, 0.8, 0.1, 0.1])
    remove = np.asarray([True, True, False, False])
    table = threshold_table(scores, remove)
    band = bootstrap_band(table, scores, remove, [{"a"}, {"b"}, {"c"}, {"d"}], resamples=100)
    # At 0.1 nothing is kept, at 0.8 only good ones are; at 0.9 and inf there are both.
    assert np.isnan(band.low).tolist() == [True, True, False, False]


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(CleaningError, match="cannot be held against"):
        threshold_table([0.5], [True, False])
    with pytest.raises(CleaningError, match="at least 2"):
        threshold_table([0.5], [True], most=1)
    table = threshold_table([0.5], [True])
    with pytest.raises(CleaningError, match="2 sets of documents"):
        bootstrap_band(table, [0.5], [True], [{"a"}, {"b"}])
    with pytest.raises(CleaningError, match="100 resamples"):
        bootstrap_band(table, [0.5], [True], [{"a"}], resamples=10)


def test_weighted_rows_are_what_measuring_at_their_threshold_gives() -> None:
    scores, remove = _scores()
    chances = np.random.default_rng(5).choice([0.1, 0.5, 1.0], 300)
    table = threshold_table(scores, remove, probabilities=chances, most=None)
    assert table.heading == WEIGHTED
    for row, threshold in enumerate(table.thresholds):
        rates = measure(decide(scores, threshold), remove, probabilities=chances)
        assert table.kept[row] == rates.confusion.kept
        for name in ("false_omission", "share_kept", "precision", "recall", "specificity"):
            assert _same(getattr(table, name)[row], getattr(rates, name).estimate)
        assert _same(table.low[row], rates.false_omission.low)
        assert _same(table.high[row], rates.false_omission.high)
    documents = [{str(row)} for row in range(300)]
    band = bootstrap_band(table, scores, remove, documents, probabilities=chances, resamples=200)
    assert (band.low[-1], band.high[-1]) == pytest.approx((table.low[-1], table.high[-1]), abs=0.03)
    with pytest.raises(CleaningError, match=r"in \(0, 1\]"):
        threshold_table(scores, remove, probabilities=np.zeros(300))


def test_a_weighted_rate_of_zero_has_no_bounds() -> None:
    table = threshold_table([0.9, 0.1, 0.1], [True, False, False], probabilities=[0.3, 0.1, 0.7])
    assert table.false_omission[1] == 0.0
    assert np.isnan(table.low).tolist() == [True, True, False]
    assert table.recall.tolist() == [1.0, 1.0, 0.0]
