"""Sets by Jaccard and MASI, boxes as zones and one by one."""

from __future__ import annotations

import random

import pytest

from audit_core.agreement.boxes import Drawn, box_agreement, matched_boxes
from audit_core.agreement.measuring import measure
from audit_core.agreement.ratings import ratings_of
from audit_core.agreement.records import Compare
from audit_core.agreement.sets import jaccard, masi, masi_distances


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        ("", "", 1.0),
        ("", "F", 0.0),
        ("F", "E", 0.0),
        ("FE", "EF", 1.0),
        # Within: Jaccard 1/2 times 2/3. Crossing: 1/3 times 1/3 (Passonneau 2006, section 4).
        ("F", "FE", 1 / 3),
        ("FE", "FU", 1 / 9),
        ("FEU", "FE", 4 / 9),
    ],
)
def test_masi_is_jaccard_times_how_the_sets_lie_to_one_another(one: str, other: str, wanted: float) -> None:
    assert masi(one, other) == pytest.approx(wanted)
    assert masi(other, one) == pytest.approx(wanted)


def test_jaccard_of_two_empty_sets_is_undefined() -> None:
    assert jaccard((), ()) is None
    assert jaccard(("p1", "p2"), ("p2", "p3")) == pytest.approx(1 / 3)


def test_alpha_of_sets_by_masi_is_1_less_the_ratio_of_mean_distances() -> None:
    """By hand: F|F, F|FE, none|none. Values: F 3, FE 1, none 2; n = 6.

    Observed: one pair of six values differs by 2/3, so 2 * (2/3) / 6 = 2/9. Expected: F-FE 2 * 3 * 1 * 2/3 = 4,
    F-none 2 * 3 * 2 = 12, FE-none 2 * 1 * 2 = 4; 20 / 30 = 2/3. Alpha = 1 - (2/9) / (2/3) = 2/3.
    """
    none, f, fe = frozenset(), frozenset("F"), frozenset("FE")
    scale = (none, f, fe)
    found = measure(ratings_of([(f, f), (f, fe), (none, none)], scale), Compare.SET).agreed
    alpha, percent = found.figure("alpha"), found.figure("percent")
    assert alpha is not None
    assert percent is not None
    assert alpha.value == pytest.approx(2 / 3)
    assert percent.value == pytest.approx(2 / 3)
    assert masi_distances(scale)[1, 2] == pytest.approx(2 / 3)


def test_zones_count_an_area_once_however_many_boxes_cover_it() -> None:
    one = [(0, 0, 4, 4), (0, 0, 4, 4), (2, 0, 4, 4)]
    other = [(2, 0, 6, 4)]
    found = box_agreement(one, other)
    assert found.drawn is Drawn.BOTH
    assert found.zone_iou == pytest.approx(8 / 24)
    assert found.zone_f1 == pytest.approx(16 / 32)


def test_the_zone_is_the_same_in_two_boxes_as_in_one_and_the_boxes_are_not() -> None:
    found = box_agreement([(0, 0, 1, 1)], [(0, 0, 0.5, 1), (0.5, 0, 1, 1)])
    assert found.zone_iou == pytest.approx(1.0)
    # Each half has an intersection over union of exactly 0.5 with the whole; one of them finds it.
    assert (found.matched, found.first, found.second) == (1, 1, 2)
    assert found.matched_f1 == pytest.approx(2 / 3)


def test_disjoint_boxes_have_no_overlap_and_no_match() -> None:
    found = box_agreement([(0, 0, 0.2, 0.2)], [(0.5, 0.5, 0.9, 0.9)])
    assert (found.zone_iou, found.zone_f1, found.matched_f1) == (0.0, 0.0, 0.0)


def test_a_page_without_boxes_of_one_or_both_is_no_1_and_no_0() -> None:
    neither, one = box_agreement([], []), box_agreement([(0, 0, 1, 1)], [])
    assert (neither.drawn, neither.zone_iou, neither.matched_f1) == (Drawn.NEITHER, None, None)
    assert (one.drawn, one.zone_iou, one.zone_f1, one.matched_f1) == (Drawn.ONE, None, None, None)
    assert box_agreement([(0.3, 0.3, 0.3, 0.9)], []).drawn is Drawn.NEITHER, "a box without an area is none"


def test_the_matching_is_optimal_where_the_greedy_one_would_lose_a_pair() -> None:
    """The wide box reaches both; taking the first partner would leave the other without one."""
    wide, left, right = (0, 0, 10, 10), (0, 0, 10, 8), (0, 0, 10, 6)
    assert matched_boxes([wide, left], [left, right]) == 2
    assert matched_boxes([left, wide], [left, right]) == 2
    assert matched_boxes([wide, (0, 0, 10, 9.9)], [(0, 0, 10, 10), (0, 0, 10, 5.0)]) == 2


def test_zone_areas_are_those_counted_cell_by_cell() -> None:
    chance = random.Random(4)

    def boxes(number: int) -> list[tuple[int, int, int, int]]:
        corners = [(chance.randrange(0, 15), chance.randrange(0, 15)) for _ in range(number)]
        return [(x, y, x + chance.randrange(1, 6), y + chance.randrange(1, 6)) for x, y in corners]

    for _ in range(50):
        one, other = boxes(chance.randrange(1, 7)), boxes(chance.randrange(1, 7))
        zones = [{(x, y) for a, b, c, d in each for x in range(a, c) for y in range(b, d)} for each in (one, other)]
        found = box_agreement(one, other)
        assert found.zone_iou == pytest.approx(len(zones[0] & zones[1]) / len(zones[0] | zones[1]))
        assert found.zone_f1 == pytest.approx(2 * len(zones[0] & zones[1]) / (len(zones[0]) + len(zones[1])))
