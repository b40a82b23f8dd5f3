"""A second draw that leaves an earlier one out: which chance it has, alone and combined, and what it stands for."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from audit_core.errors import StatisticsError
from audit_core.sampling import StratumKey, draw_sentences, sample_design, simple_draw, stratified_draw

ONE: StratumKey = ("PubMed", "Doc-Far")
TWO: StratumKey = ("SEC", "Doc-Far")
FRAME = {ONE: [f"q{number}" for number in range(10)], TWO: [f"r{number}" for number in range(40)]}


def first(seed: int = 1) -> list[str]:
    """Return the ids of a first draw of 3 and 8."""
    return [each.query_id for each in stratified_draw(FRAME, {ONE: 3, TWO: 8}, seed=seed).entries]


def test_nothing_that_was_drawn_before_is_drawn_again() -> None:
    for seed in range(100):
        earlier = first(seed)
        again = stratified_draw(FRAME, {ONE: 7, TWO: 32}, seed=seed + 1, leave_out=earlier)
        assert {each.query_id for each in again.entries} == {*FRAME[ONE], *FRAME[TWO]} - set(earlier)


def test_the_chances_alone_and_combined_are_as_by_hand() -> None:
    draw = stratified_draw(FRAME, {ONE: 2, TWO: 12}, seed=2, leave_out=first(), left_out_at_random=True)
    assert [(each.population, each.left_out, each.eligible, each.drawn) for each in draw.strata] == [
        (10, 3, 7, 2),
        (40, 8, 32, 12),
    ]
    assert [(each.probability, each.probability_combined) for each in draw.strata] == [(2 / 7, 0.5), (12 / 32, 0.5)]
    assert {(each.probability, each.probability_combined) for each in draw.entries if each.source == "SEC"} == {
        (0.375, 0.5)
    }


def test_nothing_combined_is_claimed_where_the_earlier_entries_were_not_drawn_at_random() -> None:
    draw = stratified_draw(FRAME, {ONE: 2, TWO: 12}, seed=2, leave_out=["q0", "q1", "q2"])
    assert [(each.probability, each.probability_combined) for each in draw.strata] == [(2 / 7, None), (0.3, 0.3)]


def test_a_second_draw_with_the_seed_of_the_first_is_its_enlargement() -> None:
    earlier = first(6)
    second = stratified_draw(FRAME, {ONE: 4, TWO: 10}, seed=6, leave_out=earlier, left_out_at_random=True)
    enlarged = stratified_draw(FRAME, {ONE: 7, TWO: 18}, seed=6)
    assert {*earlier, *(each.query_id for each in second.entries)} == {each.query_id for each in enlarged.entries}
    assert [each.probability_combined for each in second.strata] == [each.probability for each in enlarged.strata]


@pytest.mark.parametrize("apart", [0, 100_000])
def test_two_successive_draws_together_are_one_larger_simple_random_sample(apart: int) -> None:
    """With the same seed for both draws, and with two seeds."""
    frame, seeds = {ONE: FRAME[ONE]}, 4000
    alone: Counter[str] = Counter()
    both: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    for seed in range(seeds):
        earlier = [each.query_id for each in stratified_draw(frame, {ONE: 2}, seed=seed).entries]
        second = stratified_draw(frame, {ONE: 3}, seed=seed + apart, leave_out=earlier, left_out_at_random=True)
        new = [each.query_id for each in second.entries]
        alone.update(new)
        both.update(earlier + new)
        pairs.update(combinations(sorted(earlier + new), 2))

    def most_deviant(counts: Counter[str] | Counter[tuple[str, str]], chance: float) -> float:
        spread: float = (seeds * chance * (1 - chance)) ** 0.5
        return max(abs(count - seeds * chance) / spread for count in counts.values())

    # The new ones alone: n2 / N = 3/10. Both: 5/10, pairs 5 * 4 / (10 * 9). Standard deviations.
    assert most_deviant(alone, 0.3) < 4.5
    assert most_deviant(both, 0.5) < 4.5
    assert len(pairs) == 45
    assert most_deviant(pairs, 20 / 90) < 4.5


def test_the_design_stands_for_the_whole_frame_where_the_earlier_draw_was_random() -> None:
    draw = stratified_draw(FRAME, {ONE: 2, TWO: 12}, seed=2, leave_out=first(), left_out_at_random=True)
    design = sample_design(draw, frame_name="small", frame_revision="1")
    assert design.frame_name == "small"
    assert [(each.population, each.drawn) for each in design.strata] == [(10, 2), (40, 12)]
    assert draw_sentences(draw)[1].startswith(
        "11 queries taken before are left out. They were drawn at random, so this"
    )


def test_the_design_stands_for_the_others_where_the_earlier_entries_were_chosen() -> None:
    draw = stratified_draw(FRAME, {ONE: 2, TWO: 12}, seed=2, leave_out=first())
    design = sample_design(draw, frame_name="small", frame_revision="1")
    assert design.frame_name == "small, without 11 queries taken before"
    assert [(each.population, each.drawn) for each in design.strata] == [(7, 2), (32, 12)]
    assert design.is_probability
    assert draw_sentences(draw)[1].endswith("so this draw stands for the other 39 queries.")


def test_a_stratum_that_was_taken_whole_before_has_nothing_left_to_draw() -> None:
    draw = stratified_draw(FRAME, {TWO: 4}, seed=2, leave_out=FRAME[ONE], left_out_at_random=True)
    assert (draw.strata[0].probability, draw.strata[0].probability_combined) == (None, 1.0)
    # This draw alone cannot stand for a stratum that it has no entry of, except where it need not.
    assert draw.undrawn == (ONE,)
    assert stratified_draw(FRAME, {TWO: 4}, seed=2, leave_out=FRAME[ONE]).undrawn == ()
    with pytest.raises(StatisticsError, match=r"PubMed Doc-Far \(1 asked for, 0 to draw from: 10 queries, 10 left out"):
        stratified_draw(FRAME, {ONE: 1}, seed=2, leave_out=FRAME[ONE])


def test_ids_that_are_not_in_the_frame_are_left_out_of_nothing_and_counted() -> None:
    draw = stratified_draw(FRAME, {ONE: 1}, seed=2, leave_out=["q1", "gone", "gone", "withdrawn"])
    assert (draw.left_out, draw.left_out_elsewhere) == (1, 2)


def test_a_second_simple_draw_has_the_chances_of_the_whole_frame() -> None:
    earlier = [each.query_id for each in simple_draw(FRAME, 10, seed=1).entries]
    draw = simple_draw(FRAME, 20, seed=1, leave_out=earlier, left_out_at_random=True)
    assert {(each.probability, each.probability_combined) for each in draw.entries} == {(0.5, 0.6)}
    assert not {each.query_id for each in draw.entries} & set(earlier)
    enlarged = simple_draw(FRAME, 30, seed=1)
    assert [each.query_id for each in enlarged.entries] == earlier + [each.query_id for each in draw.entries]
    with pytest.raises(StatisticsError, match=r"has 40 to draw from \(50 queries, 10 left out\)"):
        simple_draw(FRAME, 41, seed=1, leave_out=earlier)
