"""The planner: the published design, the report's own formula, the search for a width, and what it refuses."""

from __future__ import annotations

import random

import pytest

from audit_core.audit_report.benchmark import SMALL_STRATUM
from audit_core.errors import StatisticsError
from audit_core.sampling import (
    Allocation,
    SamplePlan,
    StratumGuess,
    Wanted,
    guessed_strata,
    guesses_from_audit,
    plan_by_hand,
    plan_for_total,
    plan_for_width,
    plan_sentences,
    plan_warnings,
)
from audit_core.sampling.plan_wording import FEW_ENTRIES
from audit_core.statistics.intervals import wilson, wilson_at
from audit_core.statistics.stratified import StratumCount, stratified_estimate
from tests.sampling.published import published_accuracies, published_counts, published_sizes

TOTALS = (Allocation.PROPORTIONAL, Allocation.NEYMAN, Allocation.EQUAL)


def published_populations() -> dict[tuple[str, str], int]:
    return {(each.source, each.evidence_structure): each.population for each in published_counts()}


def guesses(*strata: tuple[int, float]) -> list[StratumGuess]:
    """Return strata of one source from (population, accuracy)."""
    return [StratumGuess("S", f"structure {number}", *each) for number, each in enumerate(strata)]


def width(plan: SamplePlan) -> float:
    """Return the half-width of the whole-benchmark interval."""
    assert plan.whole.half_width is not None
    return plan.whole.half_width


def test_the_published_design_by_hand_gives_the_published_interval() -> None:
    plan = plan_by_hand(guessed_strata(published_populations(), published_accuracies()), published_sizes())
    # Published: 96.38 %, 94.8-97.5 %; half of 2.7 points.
    assert plan.total == 800
    assert plan.whole.interval.estimate == pytest.approx(0.9638, abs=5e-5)
    assert plan.whole.interval.low == pytest.approx(0.948, abs=5e-4)
    assert plan.whole.interval.high == pytest.approx(0.975, abs=5e-4)
    assert plan.whole.effective_n == pytest.approx(741.277, abs=1e-3)
    assert width(plan) == pytest.approx(0.0136, abs=5e-5)
    assert plan.whole.interval.method == "Wilson at the effective n"
    assert len(plan.strata) == 24
    assert [each.name for each in plan.sources] == ["PubMed", "SEC", "Wikipedia", "arXiv"]
    assert [each.size for each in plan.structures] == [200, 120, 120, 120, 120, 120]


def test_the_strata_of_the_published_design_have_the_published_wilson_intervals() -> None:
    plan = plan_by_hand(guessed_strata(published_populations(), published_accuracies()), published_sizes())
    by_name = {each.name: each for each in plan.strata}
    # Published: PubMed Cross-Doc 40 of 50, Wilson 67.0-88.8 %.
    cross = by_name["PubMed Cross-Doc"]
    assert (cross.interval.low, cross.interval.high) == pytest.approx((0.670, 0.888), abs=5e-4)
    assert cross.interval.method == "Wilson"
    assert cross.half_width == pytest.approx((0.888 - 0.670) / 2, abs=5e-4)


def test_where_expected_counts_are_whole_the_plan_says_what_the_report_says_or_less() -> None:
    source = random.Random(5)
    compared = 0
    for _ in range(200):
        counts = []
        for number in range(source.randint(1, 6)):
            size = source.randint(2, 40)
            correct = source.randint(size // 2, size)
            counts.append(StratumCount("S", str(number), size + source.choice((0, 3, 500)), size, correct))
        plan = plan_by_hand(
            [
                StratumGuess("S", each.evidence_structure, each.population, each.correct / each.decided)
                for each in counts
            ],
            {("S", each.evidence_structure): each.decided for each in counts},
        )
        report = stratified_estimate(counts)
        assert (plan.whole.interval.low is None) == (report.interval.low is None)
        assert plan.whole.interval.method == report.interval.method
        if report.effective_n is not None and report.effective_n > report.decided:
            # A plan allows for samples in which a stratum shows no fault as well.
            assert plan.whole.effective_n is not None
            assert report.decided <= plan.whole.effective_n <= report.effective_n * (1 + 1e-12)
            continue
        compared += 1
        for mine, its in (
            (plan.whole.interval.estimate, report.interval.estimate),
            (plan.whole.interval.low, report.interval.low),
            (plan.whole.interval.high, report.interval.high),
            (plan.whole.effective_n, report.effective_n),
        ):
            assert mine == its if its is None else mine == pytest.approx(its, rel=1e-9, abs=1e-12)
    assert compared > 50


def test_expected_counts_need_not_be_whole() -> None:
    plan = plan_by_hand(guesses((100, 0.95), (300, 0.9)), {("S", "structure 0"): 7, ("S", "structure 1"): 11})
    # W = 1/4, 3/4; p = 0.9125; V = W^2 (1 - n/N) p q / (n - 1).
    variance = 0.0625 * 0.93 * 0.0475 / 6 + 0.5625 * (289 / 300) * 0.09 / 10
    expected = wilson_at(0.9125, 0.9125 * 0.0875 / variance)
    assert plan.whole.effective_n == pytest.approx(0.9125 * 0.0875 / variance)
    assert (plan.whole.interval.low, plan.whole.interval.high) == pytest.approx((expected.low, expected.high))


@pytest.mark.parametrize("allocation", TOTALS)
@pytest.mark.parametrize("wanted", [0.03, 0.0136, 0.008])
def test_the_total_found_holds_and_one_entry_fewer_does_not(allocation: Allocation, wanted: float) -> None:
    strata = guesses_from_audit(published_counts())
    plan = plan_for_width(strata, Wanted(whole=wanted), allocation=allocation)
    assert width(plan) <= wanted
    assert plan.whole.is_met
    assert width(plan_for_total(strata, plan.total - 1, allocation=allocation)) > wanted
    assert plan_for_total(strata, plan.total, allocation=allocation).sizes == plan.sizes


@pytest.mark.parametrize(("accuracy", "wanted"), [(0.95, 0.05), (0.9, 0.02), (1.0, 0.01), (0.5, 0.1)])
def test_the_size_of_a_stratum_is_the_first_at_which_its_wilson_interval_is_narrow_enough(
    accuracy: float, wanted: float
) -> None:
    plan = plan_for_width(guesses((5000, accuracy), (5000, 0.8)), Wanted(stratum=wanted), allocation=Allocation.EQUAL)
    first = next(
        size
        for size in range(2, 5001)
        for at in [wilson_at(accuracy, size)]
        if (at.high or 0.0) - (at.low or 0.0) <= 2 * wanted
    )
    assert plan.sizes[0] == first


def test_ninety_five_percent_guessed_within_five_points_needs_the_wilson_count() -> None:
    (size,) = plan_for_width(guesses((10_000, 0.95)), Wanted(stratum=0.05), allocation=Allocation.EQUAL).sizes
    # By hand, z = 1.96: 1.96 sqrt(0.0475 / n + 0.9604 / n^2) / (1 + 3.8416 / n) is 0.05031 at n = 82, 0.04998 at 83.
    assert size == 83


def test_a_small_stratum_is_taken_whole_and_then_exact() -> None:
    plan = plan_for_width(guesses((40, 0.9), (9000, 0.9)), Wanted(stratum=0.03), allocation=Allocation.EQUAL)
    assert plan.sizes[0] == 40
    assert plan.strata[0].interval.method == "census"
    assert plan.strata[0].half_width == 0.0
    assert plan.sizes[1] < 9000


@pytest.mark.parametrize("allocation", TOTALS)
def test_all_widths_that_are_wanted_are_met_together(allocation: Allocation) -> None:
    wanted = Wanted(whole=0.01, stratum=0.1, source=0.02, structure=0.03)
    plan = plan_for_width(guesses_from_audit(published_counts()), wanted, allocation=allocation)
    assert len(plan.rows) == 1 + 4 + 6 + 24
    assert all(each.is_met for each in plan.rows)
    alone = plan_for_width(guesses_from_audit(published_counts()), Wanted(stratum=0.1), allocation=allocation)
    assert all(size >= least for size, least in zip(plan.sizes, alone.sizes, strict=True))


def test_a_source_is_its_strata_weighted_by_their_queries() -> None:
    strata = [StratumGuess("A", "x", 100, 0.9), StratumGuess("A", "y", 300, 0.5), StratumGuess("B", "x", 50, 0.8)]
    plan = plan_for_total(strata, 30, allocation=Allocation.EQUAL)
    alone = stratified_estimate([StratumCount("A", "x", 100, 10, 9), StratumCount("A", "y", 300, 10, 5)])
    (first, _), (both, _) = plan.sources, plan.structures
    assert (first.name, first.population, first.size) == ("A", 400, 20)
    assert first.interval.low == pytest.approx(alone.interval.low)
    assert (both.name, both.population, both.size) == ("x", 150, 20)


def test_neyman_makes_the_least_variance_and_shows_it_where_the_effective_n_is_not_held() -> None:
    strata = guesses((90_000, 0.9), (1000, 0.99), (900, 0.99))
    found = {each: plan_for_total(strata, 600, allocation=each) for each in TOTALS}
    assert found[Allocation.NEYMAN].whole.effective_n == 600
    assert found[Allocation.NEYMAN].whole.is_held_at_size
    assert not found[Allocation.EQUAL].whole.is_held_at_size
    assert width(found[Allocation.NEYMAN]) < width(found[Allocation.EQUAL])
    assert "held at the number of entries" in plan_sentences(found[Allocation.NEYMAN])[1]
    assert "held" not in plan_sentences(found[Allocation.EQUAL])[1]


def test_where_faults_are_known_to_gather_neyman_needs_fewer_entries_than_a_proportional_division() -> None:
    strata = guesses((5000, 0.97), (5000, 0.6))
    found = {each: plan_for_width(strata, Wanted(whole=0.02), allocation=each).total for each in TOTALS}
    assert found[Allocation.NEYMAN] < 0.9 * found[Allocation.PROPORTIONAL]
    within = plan_for_total(strata, 600, allocation=Allocation.NEYMAN).whole
    assert within.effective_n is not None
    assert within.effective_n > 600


def test_a_plan_allows_for_strata_that_may_show_no_fault() -> None:
    # By itself V = 0.81 x 0.999 x 0.0099 / 9 + ... would give an effective n above the 40 entries.
    plan = plan_by_hand(guesses((9000, 0.999), (1000, 0.8)), {("S", "structure 0"): 20, ("S", "structure 1"): 20})
    assert plan.whole.effective_n == 40
    assert plan.whole.is_held_at_size


def test_every_stratum_gets_the_minimum_or_all_it_has() -> None:
    plan = plan_for_total(guesses((90_000, 0.95), (50, 0.95), (1, 0.95)), 100, allocation=Allocation.PROPORTIONAL)
    assert plan.sizes == (97, 2, 1)
    assert plan.whole.interval.undefined is None
    plan = plan_for_total(guesses((90_000, 0.95), (50, 0.95)), 100, allocation=Allocation.PROPORTIONAL, minimum=30)
    assert plan.sizes == (70, 30)


def test_an_enlargement_keeps_what_was_drawn_before() -> None:
    strata = guesses_from_audit(published_counts())
    plan = plan_for_width(strata, Wanted(whole=0.01), allocation=Allocation.NEYMAN, at_least=published_sizes())
    assert all(plan.sizes_by_stratum()[key] >= size for key, size in published_sizes().items())
    assert plan.total > 800
    assert plan.whole.is_met
    assert plan_for_total(strata, 800, allocation=Allocation.NEYMAN, at_least=published_sizes()).total == 800


def test_guesses_from_an_audit_lean_to_the_accuracy_of_all_and_are_never_certain() -> None:
    found = guesses_from_audit([StratumCount("S", "a", 100, 30, 30), StratumCount("S", "b", 100, 10, 5)])
    pooled = 35.5 / 41
    assert [each.accuracy for each in found] == pytest.approx([(30 + 4 * pooled) / 34, (5 + 4 * pooled) / 14])
    (alone,) = guesses_from_audit([StratumCount("S", "a", 100, 30, 30)])
    assert 0.98 < alone.accuracy < 1.0
    empty = guesses_from_audit([StratumCount("S", "a", 100, 30, 15), StratumCount("S", "b", 100, 0, 0)])
    assert empty[1].accuracy == 0.5


def test_certain_guesses_are_planned_with_and_named() -> None:
    plan = plan_by_hand(guesses((100, 1.0), (300, 0.9)), {("S", "structure 0"): 30, ("S", "structure 1"): 30})
    assert plan.whole.interval.undefined is None
    assert plan.strata[0].half_width == pytest.approx((1 - (wilson(30, 30).low or 0.0)) / 2)
    assert any(
        "Guessed all correct or all incorrect" in each and "S structure 0" in each for each in plan_warnings(plan)
    )


@pytest.mark.parametrize(("accuracy", "word"), [(1.0, "correct"), (0.0, "incorrect")])
def test_a_plan_on_certain_guesses_alone_has_no_interval_and_no_width_can_be_sought(accuracy: float, word: str) -> None:
    strata = guesses((100, accuracy), (300, accuracy))
    plan = plan_for_total(strata, 50, allocation=Allocation.EQUAL)
    assert plan.whole.half_width is None
    assert plan.whole.interval.undefined == f"every query is guessed {word}, so the variance formula gives nothing"
    assert f"undefined, since every query is guessed {word}" in plan_sentences(plan)[1]
    with pytest.raises(StatisticsError, match=f"For the whole benchmark every query is guessed {word}"):
        plan_for_width(strata, Wanted(whole=0.01), allocation=Allocation.EQUAL)
    with pytest.raises(StatisticsError, match=f"For S every query is guessed {word}"):
        plan_for_width(strata, Wanted(source=0.01), allocation=Allocation.EQUAL)
    # A stratum's own Wilson interval is there all the same.
    assert plan_for_width(strata, Wanted(stratum=0.05), allocation=Allocation.EQUAL).strata[0].is_met


def test_strata_without_queries_weigh_nothing_and_are_named() -> None:
    strata = guesses((0, 0.95), (300, 0.9))
    plan = plan_for_width(strata, Wanted(whole=0.05, stratum=0.05), allocation=Allocation.NEYMAN)
    assert plan.sizes[0] == 0
    assert plan.strata[0].interval.undefined == "no queries (a population of 0)"
    assert (
        plan.sizes[1]
        == plan_for_width(strata[1:], Wanted(whole=0.05, stratum=0.05), allocation=Allocation.NEYMAN).total
    )
    assert any(each == "No queries, so nothing to draw: S structure 0." for each in plan_warnings(plan))
    assert not any("Wider than" in each for each in plan_sentences(plan))


def test_strata_left_out_or_with_a_single_entry_leave_the_whole_undefined_and_are_named() -> None:
    plan = plan_by_hand(guesses((100, 0.9), (300, 0.9)), {("S", "structure 1"): 30})
    assert plan.whole.interval.undefined == "nothing would be drawn from S structure 0"
    assert any("Nothing would be drawn from S structure 0" in each for each in plan_warnings(plan))
    plan = plan_by_hand(guesses((100, 0.9), (300, 0.9)), {("S", "structure 0"): 1, ("S", "structure 1"): 30})
    assert "only one entry would be drawn from S structure 0" in (plan.whole.interval.undefined or "")
    assert any("A single entry has no variance" in each for each in plan_warnings(plan))


def test_without_a_minimum_the_search_still_ends_where_the_interval_exists() -> None:
    strata = guesses((9000, 0.9), (10, 0.9))
    plan = plan_for_width(strata, Wanted(whole=0.05), allocation=Allocation.PROPORTIONAL, minimum=0)
    assert plan.whole.is_met
    assert plan.sizes[1] >= 2


def test_everything_taken_is_a_census() -> None:
    plan = plan_by_hand(guesses((10, 0.9), (4, 0.5)), {("S", "structure 0"): 10, ("S", "structure 1"): 4})
    assert plan.whole.half_width == 0.0
    assert plan.whole.interval.method == "census"
    assert "no sampling error" in plan_sentences(plan)[1]


def test_the_sentences_say_what_the_plan_gives_and_rests_on() -> None:
    plan = plan_by_hand(
        guessed_strata(published_populations(), published_accuracies()), published_sizes(), wanted=Wanted(whole=0.01)
    )
    assert plan_sentences(plan) == (
        "800 of 271,760 queries from 24 strata, divided as set by hand.",
        "Whole benchmark: if the guesses hold, 96.38 % correct, 95 % Wilson at the effective n 94.8-97.5 %, half-width "
        "1.36 points (above the wanted 1.00 points).",
        "Widest half-width of a source: 3.07 points (SEC).",
        "Widest half-width of a structure: 6.74 points (Doc-Far).",
        "Widest half-width of a stratum: 13.11 points (SEC Doc-Far).",
        "Rests on guessed accuracies (80.0 % to 100.0 % a stratum) and on a decision for every entry that is drawn; "
        "what is found decides how wide the intervals will be.",
    )


def test_widths_that_are_missed_are_named() -> None:
    strata = guesses((9000, 0.9), (900, 0.9))
    plan = plan_for_total(strata, 100, allocation=Allocation.PROPORTIONAL, wanted=Wanted(stratum=0.07))
    assert [each.is_met for each in plan.strata] == [True, False]
    assert "Wider than the wanted 7.00 points, or undefined: S structure 1." in plan_sentences(plan)
    assert plan_warnings(plan)[0].startswith("1 stratum gets under 20 entries, the smallest 9.")


def test_the_planner_calls_small_what_the_report_calls_small() -> None:
    assert FEW_ENTRIES == SMALL_STRATUM


@pytest.mark.parametrize(
    ("strata", "words"),
    [
        ([], "no stratum with queries"),
        (guesses((0, 0.9)), "no stratum with queries"),
        (guesses((10, 1.1)), r"accuracy of S structure 0 is 1\.1"),
        (guesses((10, float("nan"))), "accuracy of S structure 0 is nan"),
        (guesses((10, 0.9), (-1, 0.9)), "population of S structure 1"),
        ([StratumGuess("S", "x", 9, 0.9)] * 2, "S x is named twice"),
    ],
)
def test_strata_that_cannot_be_planned_for_are_refused_by_name(strata: list[StratumGuess], words: str) -> None:
    with pytest.raises(StatisticsError, match=words):
        plan_for_total(strata, 5, allocation=Allocation.EQUAL)


def test_sizes_by_hand_are_checked_by_name() -> None:
    strata = guesses((100, 0.9))
    for sizes, words in (
        ({("S", "structure 0"): 101}, r"S structure 0 \(101 of 100\)"),
        ({("S", "structure 9"): 1}, "no stratum S structure 9"),
        ({("S", "structure 0"): 2.5}, "size of S structure 0"),
        ({}, "All sizes are 0"),
    ):
        with pytest.raises(StatisticsError, match=words):
            plan_by_hand(strata, sizes)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [0.0, -0.01, 0.5, 1.5, float("nan")])
def test_a_wanted_width_that_no_interval_could_have_is_refused(value: float) -> None:
    with pytest.raises(StatisticsError, match=r"wanted half-width \(source\)"):
        Wanted(source=value)


def test_a_search_needs_something_to_search_for() -> None:
    with pytest.raises(StatisticsError, match="No half-width is asked for"):
        plan_for_width(guesses((100, 0.9)), Wanted(), allocation=Allocation.EQUAL)


def test_guesses_and_strata_must_match_by_name() -> None:
    populations = {("S", "x"): 10, ("S", "y"): 20}
    assert [each.accuracy for each in guessed_strata(populations)] == [0.95, 0.95]
    with pytest.raises(StatisticsError, match="No accuracy is guessed for S y"):
        guessed_strata(populations, {("S", "x"): 0.9})
    with pytest.raises(StatisticsError, match="S z, which is no stratum"):
        guessed_strata(populations, {("S", "x"): 0.9, ("S", "y"): 0.9, ("S", "z"): 0.9})
    with pytest.raises(StatisticsError, match="no decided entry to guess from"):
        guesses_from_audit([StratumCount("S", "x", 10, 0, 0)])
