"""Draws in proportion to weights: exact chances by going through every order and start, fixed sizes, certain units."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest

from audit_core.errors import StatisticsError
from audit_core.sampling import inclusion_chances, pps_draw
from audit_core.sampling.pps import GRID, systematic

KEY = ("test", "part")


@pytest.mark.parametrize(
    ("weights", "size"),
    [((1, 2, 3, 4), 2), ((5, 5, 5, 5), 3), ((1, 1, 2, 8, 4), 2), ((3,), 1), ((1, 2, 3, 6), 2)],
)
def test_over_all_starts_every_unit_is_taken_as_often_as_its_weight_says_in_whatever_order(
    weights: tuple[int, ...], size: int
) -> None:
    """Madow's systematic draw: exactly size * w of the W starts take a unit, and each start takes `size` of them."""
    units = {f"u{place}": weight for place, weight in enumerate(weights)}
    total = sum(weights)
    assert all(size * weight <= total for weight in weights)
    for order in permutations(units):
        line = [(each, units[each]) for each in order]
        taken = [systematic(line, size, start=start) for start in range(total)]
        assert {len(each) for each in taken} == {size}
        assert all(len(set(each)) == size for each in taken)
        assert Counter(each for draw in taken for each in draw) == {
            each: size * weight for each, weight in units.items()
        }


def test_the_chances_are_in_proportion_to_the_weights_and_add_up_to_the_size() -> None:
    chances = inclusion_chances({"a": 0.1, "b": 0.2, "c": 0.3, "d": 0.4, "e": 0.0}, 2)
    assert chances.keys() == {"a", "b", "c", "d"}
    assert sum(chances.values()) == 2
    for each, wanted in {"a": 0.2, "b": 0.4, "c": 0.6, "d": 0.8}.items():
        assert float(chances[each]) == pytest.approx(wanted, abs=1e-5)


def test_units_too_heavy_for_their_share_are_certain_and_the_others_share_what_is_left_once_more() -> None:
    """By hand: of 10, 4, 1, 1 a draw of 3 takes 10 (3 * 10 >= 16), then 4 (2 * 4 >= 6), then one of the two."""
    weights = {"a": 10 / 16, "b": 4 / 16, "c": 1 / 16, "d": 1 / 16}
    assert inclusion_chances(weights, 3) == {"a": 1, "b": 1, "c": Fraction(1, 2), "d": Fraction(1, 2)}
    for seed in range(50):
        draw = pps_draw(weights, 3, seed=seed, key=KEY)
        assert len(draw.query_ids) == 3
        assert draw.certain == 2
        assert {"a", "b"} < set(draw.query_ids)


def test_where_fewer_have_a_weight_than_are_asked_for_all_are_taken_for_certain() -> None:
    draw = pps_draw({"a": 0.2, "b": 0.0, "c": 1.0}, 5, seed=1, key=KEY)
    assert (set(draw.query_ids), draw.certain, draw.candidates) == ({"a", "c"}, 2, 2)
    assert inclusion_chances({"a": 0.2, "b": 0.0, "c": 1.0}, 5) == {"a": 1, "c": 1}
    nothing = pps_draw({"a": 0.0}, 1, seed=1, key=KEY)
    assert (nothing.query_ids, nothing.candidates) == ((), 0)
    assert pps_draw({"a": 1.0}, 0, seed=1, key=KEY).query_ids == ()


def test_the_chances_of_a_draw_are_those_of_the_whole_list_and_its_size_never_varies() -> None:
    weights = {f"q{place}": (place % 7) / 7 for place in range(60)}
    every = inclusion_chances(weights, 13)
    assert sum(every.values()) == 13
    for seed in range(200):
        draw = pps_draw(weights, 13, seed=seed, key=KEY)
        assert len(set(draw.query_ids)) == len(draw.query_ids) == 13
        assert draw.chances == {each: every[each] for each in draw.query_ids}


def test_over_many_seeds_every_query_is_drawn_as_often_as_its_chance_says() -> None:
    weights = {f"q{place}": place / 12 for place in range(1, 13)}
    every, seeds = inclusion_chances(weights, 4), 6000
    found: Counter[str] = Counter()
    for seed in range(seeds):
        found.update(pps_draw(weights, 4, seed=seed, key=KEY).query_ids)
    for each, chance in every.items():
        p = float(chance)
        assert abs(found[each] / seeds - p) < 4 * math.sqrt(p * (1 - p) / seeds), each


def test_a_draw_depends_on_seed_and_part_and_not_on_the_order_of_the_weights() -> None:
    weights = {f"q{place}": 0.1 + place / 100 for place in range(40)}
    backwards = dict(reversed(weights.items()))
    assert pps_draw(weights, 10, seed=3, key=KEY) == pps_draw(backwards, 10, seed=3, key=KEY)
    assert pps_draw(weights, 10, seed=3, key=KEY) != pps_draw(weights, 10, seed=4, key=KEY)
    assert pps_draw(weights, 10, seed=3, key=KEY) != pps_draw(weights, 10, seed=3, key=("test", "other"))


def test_a_weight_too_small_for_the_grid_still_has_a_chance() -> None:
    chances = inclusion_chances({"a": 1e-12, "b": 1.0, "c": 1.0}, 1)
    assert chances["a"] == Fraction(1, 2 * GRID + 1)


@pytest.mark.parametrize("weight", [-0.1, math.nan, math.inf])
def test_a_weight_that_is_none_is_refused_with_its_query(weight: float) -> None:
    with pytest.raises(StatisticsError, match="weight of 'b'"):
        inclusion_chances({"a": 1.0, "b": weight}, 1)
    with pytest.raises(StatisticsError, match="weight of 'b'"):
        pps_draw({"a": 1.0, "b": weight}, 1, seed=1, key=KEY)
