"""The weights by which queries are chosen for labelling: vote entropy, and nearness to thresholds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from audit_core.errors import CleaningError
from cleaning.contract import Kind
from cleaning.queue_weights import disagreement_weights, near_threshold_weights, voters
from tests.cleaning.scored_sets import scored, scoring

NAN = float("nan")


def test_the_weight_of_disagreement_is_the_entropy_of_the_votes_in_bits() -> None:
    """By hand: 1 of 2 gives 1 bit; 1 of 3 gives log2(3) - 2/3; all the same gives 0."""
    strategies = [
        scored([0.9, 0.9, 0.9, 0.1, 0.9]),
        scored([0.1, 0.1, 0.9, 0.1, NAN]),
        scored([NAN, 0.1, 0.9, 0.1, NAN]),
    ]
    weights = disagreement_weights(strategies)
    assert weights == pytest.approx([1.0, np.log2(3) - 2 / 3, 0.0, 0.0, 0.0])


def test_an_undecided_strategy_has_no_vote_and_where_one_alone_decides_nobody_disagrees() -> None:
    assert disagreement_weights([scored([0.9, 0.9]), scored([NAN, 0.1])]).tolist() == [0.0, 1.0]
    assert disagreement_weights([scored([NAN]), scored([NAN])]).tolist() == [0.0]


def test_the_weight_near_a_threshold_falls_evenly_to_the_edge_of_its_band() -> None:
    """Ten of 41 queries is a quarter: the ten nearest lie within 0.05, the next 0.06 off: the edge, with weight 0."""
    scores = 0.5 + np.arange(-20, 21) / 100
    weights, bands = near_threshold_weights([scored(scores)], wanted=1)
    assert bands == {"mine": 0.06}
    assert weights[20] == 1.0
    assert weights[[18, 22]] == pytest.approx([1 - 0.02 / 0.06] * 2)
    assert np.flatnonzero(weights).tolist() == list(range(15, 26))


@pytest.mark.parametrize(("wanted", "within"), [(1, 10), (3, 30), (5, 30), (20, 80)])
def test_the_band_holds_ten_times_what_is_wanted_or_a_quarter_of_all_but_four_times_what_is_wanted(
    wanted: int, within: int
) -> None:
    """120 queries at 0.001, 0.002, ... from the threshold."""
    weights, bands = near_threshold_weights([scored(0.5 + np.arange(1, 121) / 1_000)], wanted=wanted)
    assert bands["mine"] == (within + 1) / 1_000
    assert np.count_nonzero(weights) == within


def test_every_query_as_near_as_the_last_of_the_nearest_has_a_weight() -> None:
    """Scores in quarters: 15 at the threshold are more than the ten nearest, so the band ends at the next quarter."""
    weights, bands = near_threshold_weights([scored([0.5] * 15 + [0.75] * 5 + [1.0] * 25)], wanted=1)
    assert bands == {"mine": 0.25}
    assert weights.tolist() == [1.0] * 15 + [0.0] * 30


def test_several_strategies_are_averaged_and_an_undecided_query_weighs_nothing() -> None:
    one = scored([0.5, 0.6, 0.7, NAN], "one")
    two = scored([0.9, 0.5, NAN, NAN], "two")
    weights, bands = near_threshold_weights([one, two], wanted=1)
    assert bands == {"one": pytest.approx(0.2), "two": pytest.approx(0.4)}
    assert weights == pytest.approx([0.5, (0.5 + 1.0) / 2, 0.0, 0.0])


def test_a_strategy_that_says_yes_or_no_is_never_near_its_threshold() -> None:
    yes_or_no = scored([1.0, 0.0, 1.0, NAN], "rules", kind=Kind.RULE)
    weights, bands = near_threshold_weights([yes_or_no], wanted=1)
    assert (weights.tolist(), bands) == ([0.0] * 4, {})
    graded = scored([0.5, 0.9, 0.9, 0.9], "graded")
    weights, bands = near_threshold_weights([yes_or_no, graded], wanted=1)
    assert bands.keys() == {"graded"}
    assert weights.tolist() == [1.0, 0.0, 0.0, 0.0]


def test_baselines_difficulty_filters_and_combinations_choose_only_where_they_are_named() -> None:
    rows = [0.1, 0.9]
    failed = replace(scored(rows, "failed"), failed="the server was away")
    found = scoring(
        scored(rows, "learned"), scored(rows, "rules", kind=Kind.RULE), scored(rows, "llm", kind=Kind.MODEL),
        scored(rows, "chance", kind=Kind.BASELINE), scored(rows, "hard", kind=Kind.DIFFICULTY),
        scored(rows, "union", kind=Kind.COMBINATION), failed,
    )  # fmt: skip
    assert [each.name for each in voters(found)] == ["learned", "rules", "llm"]
    assert [each.name for each in voters(found, ["union", "llm", "union"])] == ["union", "llm"]
    with pytest.raises(CleaningError, match="the server was away"):
        voters(found, ["failed"])
    with pytest.raises(CleaningError, match="took no part"):
        voters(found, ["other"])
