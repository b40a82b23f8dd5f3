"""Wilson intervals against published values, and what is refused."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np
import pytest

from audit_core.errors import StatisticsError
from audit_core.statistics.intervals import Interval, wilson, wilson_at

NEWCOMBE = "Newcombe 1998, Statistics in Medicine 17, 857-872, Table I, method 3"
R_BINOM = "R, binom::binom.confint(methods = 'wilson')"

#: count, n, low, high, tolerance, source
PUBLISHED = [
    (81, 263, 0.2553, 0.3662, 5e-5, NEWCOMBE),
    (15, 148, 0.0624, 0.1605, 5e-5, NEWCOMBE),
    (0, 20, 0.0, 0.1611, 5e-5, NEWCOMBE),
    (1, 29, 0.0061, 0.1718, 5e-5, NEWCOMBE),
    (18, 20, 0.6989663547715128, 0.972133518786232, 1e-9, R_BINOM),
    (4, 20, 0.0806576625797981, 0.4160174322518935, 1e-9, R_BINOM),
    (190, 200, 0.910421851861224, 0.972617354399236, 1e-9, R_BINOM),
    (0, 30, 0.0, 0.11351339, 1e-8, R_BINOM),
    (30, 30, 0.8864866, 1.0, 1e-7, R_BINOM),
    (746, 800, 0.913, 0.948, 5e-4, "the published audit of 800 entries, all"),
    (177, 200, 0.833, 0.922, 5e-4, "the published audit, Cross-Doc"),
    (40, 50, 0.670, 0.888, 5e-4, "the published audit, PubMed Cross-Doc"),
    (0, 50, 0.0, 0.071, 5e-4, "the published second reading, overturned"),
]


@pytest.mark.parametrize(("count", "n", "low", "high", "tolerance", "source"), PUBLISHED)
def test_wilson_gives_the_published_bounds(
    count: int, n: int, low: float, high: float, tolerance: float, source: str
) -> None:
    interval = wilson(count, n)
    assert interval.low == pytest.approx(low, abs=tolerance), source
    assert interval.high == pytest.approx(high, abs=tolerance), source
    assert interval.estimate == count / n
    assert (interval.count, interval.n, interval.method, interval.confidence) == (count, n, "Wilson", 0.95)


def test_wilson_gives_the_bounds_of_the_collected_tables(real_data: Path) -> None:
    path = real_data / "intervals" / "single_proportion.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["method"] == "wilson"]
    assert len(rows) > 5
    for row in rows:
        interval = wilson(int(row["successes"]), int(row["n"]))
        assert interval.low == pytest.approx(float(row["lower"]), abs=float(row["tolerance"])), row["source"]
        assert interval.high == pytest.approx(float(row["upper"]), abs=float(row["tolerance"])), row["source"]


@pytest.mark.parametrize("n", [1, 2, 3, 7, 20, 49, 800, 271_760])
@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999])
def test_bounds_are_exact_at_none_and_all(n: int, confidence: float) -> None:
    nothing, everything = wilson(0, n, confidence=confidence), wilson(n, n, confidence=confidence)
    assert nothing.low == 0.0
    assert everything.high == 1.0
    assert nothing.high is not None
    assert everything.low is not None
    assert 0.0 < nothing.high < 1.0
    assert everything.low == pytest.approx(1.0 - nothing.high, abs=1e-12)


def test_every_interval_lies_in_the_unit_range_and_holds_its_estimate() -> None:
    for n in range(1, 41):
        for count in range(n + 1):
            interval = wilson(count, n, confidence=0.9)
            assert interval.low is not None
            assert interval.high is not None
            assert interval.estimate is not None
            assert 0.0 <= interval.low <= interval.estimate <= interval.high <= 1.0


def test_nothing_of_nothing_is_undefined_with_the_reason() -> None:
    interval = wilson(0, 0)
    assert (interval.estimate, interval.low, interval.high) == (None, None, None)
    assert interval.undefined == "no entries (0 of 0)"
    assert (interval.n, interval.count) == (0, 0)


@pytest.mark.parametrize(
    ("count", "n"),
    [(1, 0), (5, 4), (-1, 4), (0, -1), (math.nan, 4), (1, math.nan), (1, math.inf), (1.5, 4), (1, 4.5)],
)
def test_counts_that_cannot_be_are_refused(count: float, n: float) -> None:
    with pytest.raises(StatisticsError):
        wilson(count, n)  # type: ignore[arg-type]


def test_a_count_above_its_denominator_is_named_in_the_message() -> None:
    with pytest.raises(StatisticsError, match="count 5 is above its denominator 4"):
        wilson(5, 4)


def test_whole_numbers_from_arrays_are_taken_as_counts() -> None:
    count, n = np.asarray([3, 4])
    assert wilson(count, n) == wilson(3, 4)
    assert type(wilson(count, n).count) is int


@pytest.mark.parametrize("confidence", [0.0, 1.0, -0.1, 95.0, math.nan])
def test_a_confidence_outside_zero_and_one_is_refused(confidence: float) -> None:
    with pytest.raises(StatisticsError, match="confidence level"):
        wilson(1, 2, confidence=confidence)
    with pytest.raises(StatisticsError, match="confidence level"):
        wilson_at(0.5, 2.0, confidence=confidence)


def test_wilson_at_a_whole_n_is_wilson() -> None:
    plain, at = wilson(746, 800), wilson_at(746 / 800, 800.0)
    assert at.low == pytest.approx(plain.low, abs=1e-14)
    assert at.high == pytest.approx(plain.high, abs=1e-14)
    assert (at.count, at.method) == (None, "Wilson at the effective n")


def test_wilson_at_a_fractional_n_solves_the_score_equation() -> None:
    p, n = 0.96377, 741.277
    at = wilson_at(p, n)
    z = 1.959963984540054
    for bound in (at.low, at.high):
        assert bound is not None
        # The definition: |p - bound| = z sqrt(bound (1 - bound) / n).
        assert abs(p - bound) == pytest.approx(z * math.sqrt(bound * (1 - bound) / n), abs=1e-12)


@pytest.mark.parametrize("n_eff", [0.3, 1.0, 7.7, 123.456])
def test_wilson_at_is_exact_at_none_and_all(n_eff: float) -> None:
    assert wilson_at(0.0, n_eff).low == 0.0
    assert wilson_at(1.0, n_eff).high == 1.0


def test_wilson_at_an_effective_n_of_zero_is_undefined() -> None:
    assert wilson_at(0.5, 0.0).undefined == "the effective n is 0"


@pytest.mark.parametrize(
    ("p", "n_eff"), [(-0.1, 5), (1.1, 5), (math.nan, 5), (0.5, -1), (0.5, math.inf), (0.5, math.nan)]
)
def test_wilson_at_refuses_what_is_no_proportion_or_no_n(p: float, n_eff: float) -> None:
    with pytest.raises(StatisticsError):
        wilson_at(p, n_eff)


@pytest.mark.parametrize(
    ("estimate", "low", "high", "undefined"),
    [
        (0.5, None, 0.6, None),
        (None, 0.1, 0.2, None),
        (0.5, 0.6, 0.7, None),
        (0.5, -0.1, 0.7, None),
        (0.5, 0.4, 0.6, "x"),
    ],
)
def test_an_interval_that_contradicts_itself_cannot_be_made(
    estimate: float | None, low: float | None, high: float | None, undefined: str | None
) -> None:
    with pytest.raises(StatisticsError):
        Interval(estimate, low, high, 0.95, "Wilson", 10, None, undefined)
