"""Cases in which coefficients are undefined, negative, or depend on values that nobody gave; bootstraps of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from audit_core.agreement.bootstrap import Clusters, Plan, bootstrap, clusters_of
from audit_core.agreement.measuring import mean_of, measure, with_intervals
from audit_core.agreement.pairs import pairs_of
from audit_core.agreement.ratings import long_ratings, patterns_of, ratings_of
from audit_core.agreement.records import Agreed, Compare, Figure, prevails
from audit_core.agreement.report import Item
from audit_core.agreement.wording import skew_sentence
from audit_core.errors import StatisticsError

DECISIONS = ("correct", "incorrect")
AGREE, DIFFER = ("correct", "correct"), ("correct", "incorrect")


def _measured(rows: Any, scale: Any = DECISIONS, compare: Compare = Compare.NOMINAL) -> Agreed:
    return measure(ratings_of(rows, scale), compare).agreed


def _figure(agreed: Agreed, name: str) -> Figure:
    found = agreed.figure(name)
    assert found is not None
    return found


def test_where_everyone_says_correct_alpha_and_kappa_are_undefined_with_the_reason_and_ac1_is_1() -> None:
    found = _measured([AGREE] * 40)
    for name in ("kappa", "alpha"):
        figure = _figure(found, name)
        assert figure.value is None
        assert figure.undefined == "everyone said correct: expected agreement is 1"
    assert _figure(found, "percent").value == 1.0
    assert _figure(found, "ac1").value == 1.0
    most = prevails(found)
    assert most is not None
    assert most.words == "correct"


def test_fleiss_of_three_who_all_say_the_same_is_undefined_too() -> None:
    assert (
        _figure(_measured([("correct",) * 3] * 5), "fleiss").undefined
        == "everyone said correct: expected agreement is 1"
    )


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([("correct", None), ("incorrect", None)], "one rater only: there is nobody to agree with"),
        ([("correct", None), (None, "incorrect")], "no unit was rated by two raters"),
        ([(None, None)], "nobody rated anything"),
        ([], "nobody rated anything"),
    ],
)
def test_without_a_pair_every_figure_is_undefined_with_the_reason(rows: Any, reason: str) -> None:
    found = measure(ratings_of(rows, DECISIONS, raters=2), Compare.NOMINAL).agreed
    assert {each.undefined for each in found.figures} == {reason}
    assert all(each.value is None for each in found.figures)
    assert found.amounts.items == 0


def test_a_lone_disagreement_among_many_leaves_alpha_at_zero_and_a_negative_kappa_negative() -> None:
    """400 units, one of them disputed: percent 99.75, alpha = 1 - (n - 1) 2 / (2 n_c n_i) = 1 - 799 / 799 = 0."""
    found = _measured([AGREE] * 399 + [DIFFER])
    assert _figure(found, "percent").value == pytest.approx(0.9975)
    assert _figure(found, "alpha").value == pytest.approx(0.0, abs=1e-12)
    kappa, fleiss = (
        _figure(found, "kappa").value,
        _figure(_measured([(*AGREE, "correct")] * 399 + [(*DIFFER, "correct")]), "fleiss").value,
    )
    assert kappa == pytest.approx(0.0, abs=1e-12)
    assert fleiss is not None
    assert fleiss < 0, "a negative value stays as it is"
    ac1 = _figure(found, "ac1").value
    assert ac1 is not None
    assert ac1 > 0.997


@pytest.mark.parametrize("units", [10, 300, 20_000])
def test_a_kappa_that_every_draw_makes_zero_has_no_interval_of_rounding(units: int) -> None:
    """Of two raters of whom one never leaves "correct", Cohen's kappa is 0 whatever the weights."""
    ratings = ratings_of([DIFFER] + [AGREE] * (units - 1), DECISIONS)
    clusters = clusters_of([() for _ in range(units)])
    (found,) = with_intervals([measure(ratings, Compare.NOMINAL)], clusters, Plan(draws=200, seed=1))
    kappa, alpha = _figure(found, "kappa"), _figure(found, "alpha")
    assert (kappa.value, kappa.low, kappa.high) == (0.0, None, None)
    assert kappa.no_interval == "every draw gives the same value"
    assert alpha.value == 0.0
    assert alpha.low is not None, "alpha's interval is small, and no rounding"
    assert alpha.low < -1e-6


def test_a_small_interval_keeps_its_size_where_nearly_all_agree() -> None:
    """Of three raters, one of them apart once in n units: 1 - (2 / 3n) / (2 (1 / 3n) (1 - 1 / 3n)) = 1 - 1 / (1 - 1 / 3n)."""
    units = 100_000
    found = _measured([("correct", "correct", "incorrect")] + [("correct",) * 3] * (units - 1))
    assert _figure(found, "fleiss").value == pytest.approx(1 - 1 / (1 - 1 / (3 * units)), rel=1e-9)


def test_what_everyone_said_is_of_the_units_that_two_rated_where_a_lone_rating_says_otherwise() -> None:
    found = _measured([AGREE, AGREE, ("incorrect", None)])
    assert _figure(found, "percent").value == 1.0
    for name in ("kappa", "alpha"):
        assert _figure(found, name).undefined == (
            "on the items that two or more judged, everyone said correct: expected agreement is 1"
        )
    assert [each.ratings for each in found.prevalence] == [4, 1]


def test_raters_who_always_differ_have_a_negative_alpha_that_is_not_clamped() -> None:
    found = _measured([DIFFER, tuple(reversed(DIFFER))] * 10)
    assert _figure(found, "percent").value == 0.0
    assert _figure(found, "alpha").value == pytest.approx(1 - 39 / 20)
    assert _figure(found, "kappa").value == pytest.approx(-1.0)


def test_values_that_nobody_gave_change_ac1_and_leave_alpha_as_it_is() -> None:
    rows = [(1, 1), (1, 2), (2, 2), (1, 1)]
    short, long = (_measured(rows, scale, Compare.NOMINAL) for scale in ((1, 2), (1, 2, 3, 4)))
    assert _figure(short, "alpha").value == pytest.approx(_figure(long, "alpha").value)
    # Expected by AC1: pi = 5/8, 3/8, so sum of pi (1 - pi) = 30/64, over q - 1.
    assert _figure(short, "ac1").value == pytest.approx((0.75 - 30 / 64) / (1 - 30 / 64))
    assert _figure(long, "ac1").value == pytest.approx((0.75 - 10 / 64) / (1 - 10 / 64))
    assert [each.ratings for each in long.prevalence] == [5, 3, 0, 0]


def test_the_ordinal_metric_counts_ranks_so_that_unused_values_add_no_distance() -> None:
    rows = [(1, 1), (1, 5), (5, 5), (1, 1)]
    with_gap, without = (_measured(rows, scale, Compare.ORDINAL) for scale in ((1, 2, 3, 4, 5), (1, 5)))
    assert _figure(with_gap, "alpha").value == pytest.approx(_figure(without, "alpha").value)


def test_missing_ratings_are_missing_and_no_value_of_their_own() -> None:
    with_missing = _measured([("correct", "correct", None), ("incorrect", "incorrect", None), (*DIFFER, None)])
    without = _measured([AGREE, ("incorrect", "incorrect"), DIFFER])
    for name in ("percent", "kappa", "alpha", "ac1"):
        assert _figure(with_missing, name).value == pytest.approx(_figure(without, name).value)
    assert with_missing.amounts.raters == 2


def test_a_value_off_the_scale_and_a_doubled_rating_are_refused_by_name() -> None:
    with pytest.raises(StatisticsError, match="'perhaps' is not on the scale"):
        ratings_of([("perhaps", "correct")], DECISIONS)
    with pytest.raises(StatisticsError, match="rated a unit twice"):
        long_ratings([(0, 0, "correct"), (0, 0, "incorrect")], DECISIONS, units=1, raters=1)
    with pytest.raises(StatisticsError, match="places for ratings"):
        ratings_of([("correct",), AGREE], DECISIONS)


def test_true_is_no_number_on_a_scale() -> None:
    with pytest.raises(StatisticsError, match="True is not on the scale"):
        ratings_of([(True, 1)], (0, 1))


def _clusters(number: int) -> Clusters:
    return clusters_of([(f"d{place}",) for place in range(number)])


def test_the_same_seed_gives_the_same_interval_whatever_the_size_of_the_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [AGREE] * 20 + [("incorrect", "incorrect")] * 10 + [DIFFER] * 10
    measured = measure(ratings_of(rows, DECISIONS), Compare.NOMINAL)
    first = with_intervals([measured], _clusters(40), Plan(300, 7))[0]
    monkeypatch.setattr("audit_core.agreement.bootstrap.WEIGHTS_AT_ONCE", 400)
    again = with_intervals([measured], _clusters(40), Plan(300, 7))[0]
    other = with_intervals([measured], _clusters(40), Plan(300, 8))[0]
    assert first == again
    assert first != other
    for figure in first.figures:
        assert figure.low is not None
        assert figure.high is not None
        assert figure.value is not None
        assert figure.low <= figure.value <= figure.high


def test_the_bootstrap_of_a_share_has_the_width_of_its_theory() -> None:
    """With Exp(1) weights a weighted mean of n values of variance v varies by about v / (n + 1)."""
    values = [1.0] * 300 + [0.0] * 100
    figure, task = mean_of("share", "Share", values, range(400), nothing="none")
    assert task is not None
    bounds = bootstrap(_clusters(400), [task], Plan(4000, 1))[0]["share"]
    assert figure.value == 0.75
    assert bounds.low is not None
    assert bounds.high is not None
    assert bounds.high - bounds.low == pytest.approx(2 * 1.96 * (0.75 * 0.25 / 401) ** 0.5, rel=0.05)


def test_a_unit_on_two_documents_weighs_their_product() -> None:
    clusters = clusters_of([("a",), ("b",), ("a", "b"), ("b", "a"), ()])
    weights = next(clusters.weights(Plan(200, 3)))
    assert clusters.groups == 4
    assert clusters.of_unit.tolist() == [0, 1, 2, 2, 3]
    assert weights[:, 2] == pytest.approx(weights[:, 0] * weights[:, 1])
    assert (clusters.documents, clusters.without_document) == (2, 1)
    assert clusters.documents_of(np.asarray([2, 4])) == 3


def test_no_interval_is_given_without_variation_and_the_reason_is_said() -> None:
    measured = measure(ratings_of([AGREE] * 10, DECISIONS), Compare.NOMINAL)
    on_one = with_intervals([measured], clusters_of([("d",)] * 10), Plan(200, 1))[0]
    assert _figure(on_one, "percent").no_interval == "all items rest on the same documents"
    on_many = with_intervals([measured], _clusters(10), Plan(200, 1))[0]
    assert _figure(on_many, "percent").no_interval == "every draw gives the same value"
    assert _figure(on_many, "percent").low is None
    assert _figure(on_many, "alpha").no_interval is None, "it is undefined, which is said already"
    without = with_intervals([measured], _clusters(10), None)[0]
    assert _figure(without, "percent").no_interval == "no bootstrap was asked for"


def test_draws_without_a_value_are_counted_and_left_out() -> None:
    _, task = mean_of("odd", "Odd", [1.0, 2.0, 4.0, 3.0], range(4), nothing="none")
    assert task is not None

    def sometimes(sums: Any) -> Any:
        means = sums[:, 0] / sums[:, 1]
        return np.where(np.arange(len(means)) % 4 == 0, np.nan, means)

    formulas = {"odd": sometimes}
    some = type(task)(task.unit, task.column, task.amount, task.columns, formulas, task.values)
    assert bootstrap(_clusters(4), [some], Plan(200, 1))[0]["odd"].failed == 50
    most = type(task)(
        task.unit, task.column, task.amount, task.columns, {"odd": lambda sums: sums[:, 0] * np.nan}, task.values
    )
    bounds = bootstrap(_clusters(4), [most], Plan(200, 1))[0]["odd"]
    assert bounds.low is None
    assert bounds.undefined == "undefined in 200 of 200 draws"


@pytest.mark.parametrize("draws", [0, 99])
def test_too_few_draws_are_refused(draws: int) -> None:
    with pytest.raises(StatisticsError, match="At least 100 draws"):
        Plan(draws=draws)


def test_patterns_hold_the_counts_of_their_units_and_how_often_they_stand() -> None:
    counts = np.asarray([[3, 0], [2, 1], [3, 0], [0, 0]])
    patterns = patterns_of(counts)
    assert patterns.counts[patterns.of_unit].tolist() == counts.tolist()
    assert sorted(patterns.sizes.tolist()) == [1, 1, 2]
    # So many raters and values that no number holds a row: the other way of finding equal rows.
    wide = np.zeros((3, 40), dtype=int)
    wide[0, 0] = wide[2, 0] = 9
    assert patterns_of(wide).of_unit.tolist() == [1, 0, 1]


def test_pairs_are_compared_on_what_both_rated_and_one_without_a_common_unit_says_so() -> None:
    ratings = ratings_of(
        [("correct", "correct", None), ("incorrect", "correct", None), (None, "incorrect", "incorrect")], DECISIONS
    )
    pairs = {(each.first, each.second): each for each in pairs_of(ratings, Compare.NOMINAL)}
    assert [each.items for each in pairs.values()] == [2, 0, 1]
    assert pairs[0, 1].percent.value == 0.5
    assert pairs[0, 2].alpha.undefined == "no item was rated by both"
    assert pairs[1, 2].alpha.undefined == "both said incorrect: expected agreement is 1"


def test_the_sentence_on_skew_names_some_things_and_counts_the_rest() -> None:
    agreed = _measured([AGREE] * 9 + [DIFFER])
    items = [
        Item(name=f"t{number}", title=f"Thing {number}", compare=Compare.NOMINAL, unit="entry", agreed=agreed)
        for number in range(9)
    ]
    sentence = skew_sentence(items)
    assert sentence is not None
    assert sentence.endswith("Thing 5: 95.0 % correct; and 3 more).")
    even = _measured([AGREE, ("incorrect", "incorrect")] * 5)
    assert skew_sentence([Item(name="e", title="Even", compare=Compare.NOMINAL, unit="entry", agreed=even)]) is None
