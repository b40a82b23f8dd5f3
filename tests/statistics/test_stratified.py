"""The stratified estimate: the published audit, hand-computed cases, and where it does not exist."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from audit_core.errors import StatisticsError
from audit_core.statistics.intervals import wilson_at
from audit_core.statistics.stratified import StratumCount, name_list, stratified_estimate, stratum_name

FACTS = Path(__file__).parents[1] / "data" / "audit_strata.csv"


def strata(*counts: tuple[int, int, int]) -> list[StratumCount]:
    """Return strata of one source from (population, decided, correct)."""
    return [StratumCount("S", f"structure {number}", *count) for number, count in enumerate(counts)]


def test_the_published_audit_gives_the_published_estimate_for_the_whole_benchmark() -> None:
    with FACTS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    counts = [
        StratumCount(
            row["source"],
            row["evidence_structure"],
            int(row["population_queries"]),
            int(row["audited"]),
            int(row["correct"]),
        )
        for row in rows
    ]
    estimate = stratified_estimate(counts)
    # Published: 96.38 %, about 94.8-97.5 %; about 9,790 faulty queries remain unaudited.
    assert estimate.interval.estimate == pytest.approx(0.9638, abs=5e-5)
    assert estimate.interval.low == pytest.approx(0.948, abs=5e-4)
    assert estimate.interval.high == pytest.approx(0.975, abs=5e-4)
    assert estimate.remaining_faulty == pytest.approx(9791.96, abs=0.01)
    assert estimate.effective_n == pytest.approx(741.277, abs=1e-3)
    assert (estimate.population, estimate.decided, estimate.remaining) == (271_760, 800, 270_960)
    assert estimate.interval.method == "Wilson at the effective n"
    assert not estimate.is_census
    assert sum(share.weight for share in estimate.strata) == pytest.approx(1.0)


def test_two_strata_are_weighted_by_their_population_as_by_hand() -> None:
    estimate = stratified_estimate(strata((100, 10, 9), (300, 10, 5)))
    # W = 1/4, 3/4; p = 0.25 * 0.9 + 0.75 * 0.5 = 0.6
    # V = (1/16)(0.9)(0.09)/9 + (9/16)(29/30)(0.25)/9 = 0.0005625 + 0.015104166...
    variance = 0.0005625 + 0.5625 * (29 / 30) * 0.25 / 9
    assert estimate.interval.estimate == pytest.approx(0.6, abs=1e-15)
    assert estimate.effective_n == pytest.approx(0.24 / variance, rel=1e-12)
    expected = wilson_at(0.6, 0.24 / variance)
    assert (estimate.interval.low, estimate.interval.high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert estimate.remaining_faulty == pytest.approx(90 * 0.1 + 290 * 0.5, abs=1e-12)
    assert [share.remaining_faulty for share in estimate.strata] == pytest.approx([9.0, 145.0])
    assert [share.weight for share in estimate.strata] == [0.25, 0.75]


def test_where_every_stratum_shows_faults_the_effective_n_may_be_above_the_decided_entries() -> None:
    # W = 1/2; p = 0.745; V = (1/4)(0.98)(0.99 x 0.01)/99 + (1/4)(0.98)(0.25)/99.
    estimate = stratified_estimate(strata((5000, 100, 99), (5000, 100, 50)))
    variance = 0.25 * 0.98 * (0.0099 + 0.25) / 99
    assert estimate.effective_n == pytest.approx(0.745 * 0.255 / variance, rel=1e-12)
    assert estimate.effective_n is not None
    assert estimate.effective_n > 200


def test_half_of_a_stratum_that_was_looked_at_counts_for_what_it_tells() -> None:
    (alone,) = [stratified_estimate(strata((400, 200, 190)))]
    # V = (1 - 1/2) p (1 - p) / 199, so the others are twice as certain as 199 draws with replacement.
    assert alone.effective_n == pytest.approx(199 / 0.5, rel=1e-12)


def test_a_stratum_without_a_fault_is_taken_to_hide_half_a_one_where_the_effective_n_would_be_above_the_entries() -> (
    None
):
    found = stratified_estimate(strata((9000, 30, 30), (1000, 30, 24)))
    p = 0.9 + 0.1 * 0.8
    faults_alone = 0.01 * (1 - 30 / 1000) * 0.16 / 29
    hidden = 0.81 * (1 - 30 / 9000) * (0.5 / 31) * (30.5 / 31) / 29
    assert p * (1 - p) / faults_alone > 300
    assert p * (1 - p) / (faults_alone + hidden) < 60
    assert found.effective_n == 60.0
    more = stratified_estimate(strata((9000, 300, 300), (1000, 30, 24)))
    hidden = 0.81 * (1 - 300 / 9000) * (0.5 / 301) * (300.5 / 301) / 299
    assert more.effective_n == pytest.approx(p * (1 - p) / (faults_alone + hidden), rel=1e-12)


def test_the_effective_n_is_below_the_entries_whatever_a_stratum_may_hide() -> None:
    found = stratified_estimate(strata((100, 10, 10), (9900, 10, 9)))
    variance = 0.99**2 * (1 - 10 / 9900) * 0.09 / 9
    p = 0.01 + 0.99 * 0.9
    assert found.effective_n == pytest.approx(p * (1 - p) / variance, rel=1e-12)


def test_strata_that_are_all_right_or_all_wrong_have_the_effective_n_of_their_entries() -> None:
    without_variance = stratified_estimate(strata((100, 10, 10), (100, 10, 0)))
    assert without_variance.effective_n == 20.0
    assert without_variance.interval.estimate == 0.5
    assert without_variance.interval.low == pytest.approx(wilson_at(0.5, 20.0).low)


@pytest.mark.parametrize(("correct", "word"), [(10, "correct"), (0, "incorrect")])
def test_all_right_and_all_wrong_have_an_estimate_but_no_interval(correct: int, word: str) -> None:
    estimate = stratified_estimate(strata((101, 10, correct), (3003, 10, correct)))
    assert estimate.interval.estimate == correct / 10
    assert (estimate.interval.low, estimate.interval.high, estimate.effective_n) == (None, None, None)
    assert estimate.interval.undefined == f"every decided entry is {word}, so the variance formula gives nothing"


def test_a_stratum_with_one_entry_leaves_the_interval_undefined_and_is_named() -> None:
    estimate = stratified_estimate(strata((100, 10, 9), (50, 1, 1)))
    assert estimate.interval.estimate == pytest.approx((100 * 0.9 + 50) / 150)
    assert estimate.interval.low is None
    assert "only one entry is decided in S structure 1" in (estimate.interval.undefined or "")
    assert estimate.remaining_faulty == pytest.approx(9.0)


def test_a_stratum_of_one_query_that_was_judged_adds_no_variance() -> None:
    with_it = stratified_estimate(strata((100, 10, 9), (1, 1, 1)))
    assert with_it.interval.undefined is None
    assert with_it.interval.estimate == pytest.approx((90 + 1) / 101)
    variance = (100 / 101) ** 2 * 0.9 * 0.09 / 9
    p = 91 / 101
    assert with_it.effective_n == pytest.approx(p * (1 - p) / variance)


def test_a_stratum_with_nothing_decided_leaves_the_whole_estimate_undefined_and_is_named() -> None:
    estimate = stratified_estimate(strata((100, 10, 9), (50, 0, 0)))
    assert estimate.interval.estimate is None
    assert estimate.interval.undefined == "nothing is decided in S structure 1"
    assert estimate.remaining_faulty is None
    assert estimate.strata[1].accuracy is None


def test_a_stratum_without_queries_weighs_nothing() -> None:
    assert (
        stratified_estimate(strata((100, 10, 9), (0, 0, 0))).interval
        == stratified_estimate(strata((100, 10, 9))).interval
    )


@pytest.mark.parametrize(("correct", "share"), [(3, 0.75), (4, 1.0), (0, 0.0)])
def test_a_census_is_exact_and_says_so(correct: int, share: float) -> None:
    estimate = stratified_estimate([StratumCount("A", "x", 4, 4, correct), StratumCount("B", "x", 4, 4, correct)])
    assert (estimate.interval.estimate, estimate.interval.low, estimate.interval.high) == (share, share, share)
    assert estimate.interval.method == "census"
    assert estimate.is_census
    assert estimate.remaining == 0
    assert estimate.remaining_faulty == 0.0


@pytest.mark.parametrize("given", [[], strata((0, 0, 0))])
def test_no_queries_at_all_is_undefined(given: list[StratumCount]) -> None:
    estimate = stratified_estimate(given)
    assert estimate.interval.undefined == "no queries (a population of 0)"
    assert estimate.interval.estimate is None
    assert estimate.remaining_faulty is None
    assert not estimate.is_census


@pytest.mark.parametrize("counts", [(10, 5, 6), (4, 5, 5), (-1, 0, 0), (10, -1, 0), (10, 5, -1)])
def test_counts_that_contradict_one_another_are_refused(counts: tuple[int, int, int]) -> None:
    with pytest.raises(StatisticsError, match="S structure 0"):
        stratified_estimate(strata(counts))


def test_a_stratum_named_twice_is_refused() -> None:
    with pytest.raises(StatisticsError, match="A x is named twice"):
        stratified_estimate([StratumCount("A", "x", 10, 5, 5), StratumCount("A", "x", 10, 5, 4)])


def test_a_narrower_confidence_gives_a_narrower_interval() -> None:
    wide = stratified_estimate(strata((100, 10, 9), (300, 10, 5))).interval
    narrow = stratified_estimate(strata((100, 10, 9), (300, 10, 5)), confidence=0.8).interval
    assert wide.low is not None
    assert narrow.low is not None
    assert wide.low < narrow.low
    assert narrow.confidence == 0.8


def test_long_lists_of_strata_are_cut_and_counted() -> None:
    assert name_list(["a", "b"]) == "a, b"
    assert name_list(list("abcdefg")) == "a, b, c, d, e and 2 more"
    assert stratum_name("", "") == "(unnamed stratum)"
