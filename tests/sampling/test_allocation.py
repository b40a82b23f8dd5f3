"""How a total is divided among strata: examples by hand, floors, caps, and an independent solution."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from audit_core.errors import StatisticsError
from audit_core.sampling import Allocation, StratumGuess
from audit_core.sampling.allocation import allocate, allocation_scores


def divided(
    total: int, allocation: Allocation, *strata: tuple[int, float], floors: list[int] | None = None
) -> list[int]:
    """Return the sizes for strata given as (population, guessed accuracy)."""
    guesses = [StratumGuess("S", str(number), *each) for number, each in enumerate(strata)]
    return allocate(
        total,
        scores=allocation_scores(allocation, guesses),
        floors=floors or [0] * len(strata),
        caps=[each.population for each in guesses],
    )


def test_proportional_sizes_follow_the_populations() -> None:
    assert divided(10, Allocation.PROPORTIONAL, (500, 0.9), (300, 0.5), (200, 0.99)) == [5, 3, 2]
    # Shares 5.5, 3.3, 2.2: the one entry left goes to the largest remainder.
    assert divided(11, Allocation.PROPORTIONAL, (500, 0.9), (300, 0.5), (200, 0.99)) == [6, 3, 2]


def test_neyman_sizes_follow_population_times_standard_deviation() -> None:
    # 1000 sqrt(0.5 * 0.5) = 500 and 1000 sqrt(0.9 * 0.1) = 300.
    assert divided(80, Allocation.NEYMAN, (1000, 0.5), (1000, 0.9)) == [50, 30]
    # 3000 * 0.3 = 900, 1000 * 0.5 = 500, 500 * 0.4 = 200 (0.8 * 0.2 = 0.16): shares of 160 are 90, 50, 20.
    assert divided(160, Allocation.NEYMAN, (3000, 0.9), (1000, 0.5), (500, 0.2)) == [90, 50, 20]


def test_neyman_is_proportional_where_all_strata_are_guessed_alike() -> None:
    strata = [(700, 0.95), (200, 0.95), (100, 0.95)]
    assert divided(50, Allocation.NEYMAN, *strata) == divided(50, Allocation.PROPORTIONAL, *strata) == [35, 10, 5]


def test_equal_sizes_are_capped_and_the_others_share_the_rest() -> None:
    assert divided(100, Allocation.EQUAL, (20, 0.5), (1000, 0.5)) == [20, 80]
    # 25 each; 10 and 20 are taken whole; the 70 left are 35 each.
    assert divided(100, Allocation.EQUAL, (10, 0.5), (20, 0.5), (900, 0.5), (900, 0.5)) == [10, 20, 35, 35]


def test_a_stratum_below_its_floor_takes_from_the_others() -> None:
    assert divided(100, Allocation.PROPORTIONAL, (9900, 0.5), (100, 0.5), floors=[2, 2]) == [98, 2]


def test_floors_and_caps_that_are_hit_at_once_are_settled_together() -> None:
    # Scores 1000, 10, 1: the first is capped at 30; of the 20 left 18.2 and 1.8 become 15 and 5 by the last one's floor.
    sizes = allocate(50, scores=[Fraction(1000), Fraction(10), Fraction(1)], floors=[0, 0, 5], caps=[30, 90, 90])
    assert sizes == [30, 15, 5]


def test_of_equal_remainders_the_larger_stratum_goes_first() -> None:
    one = [Fraction(1)] * 3
    assert allocate(4, scores=one, floors=[0] * 3, caps=[10, 30, 30]) == [1, 2, 1]


def test_a_stratum_guessed_without_fault_gets_its_floor_from_neyman_until_the_others_are_full() -> None:
    assert divided(40, Allocation.NEYMAN, (1000, 1.0), (50, 0.5), floors=[2, 2]) == [2, 38]
    assert divided(60, Allocation.NEYMAN, (1000, 1.0), (50, 0.5), floors=[2, 2]) == [10, 50]
    # Where every guess is without fault there is nothing to weigh but the queries.
    assert divided(40, Allocation.NEYMAN, (300, 1.0), (100, 0.0)) == [30, 10]


def test_a_stratum_without_queries_gets_nothing() -> None:
    for allocation in (Allocation.PROPORTIONAL, Allocation.NEYMAN, Allocation.EQUAL):
        assert divided(10, allocation, (0, 0.5), (100, 0.5)) == [0, 10]


def test_everything_can_be_taken_and_nothing() -> None:
    assert divided(120, Allocation.EQUAL, (20, 0.5), (100, 0.5)) == [20, 100]
    assert divided(0, Allocation.EQUAL, (20, 0.5), (100, 0.5)) == [0, 0]


def by_search(total: int, scores: list[int], floors: list[int], caps: list[int]) -> list[float]:
    """Return the shares clamp(rate * score, floor, cap) with the rate at which they add up to the total."""
    low, high = 0.0, 1e9
    for _ in range(200):
        rate = (low + high) / 2
        shares = [min(max(rate * score, floor), cap) for score, floor, cap in zip(scores, floors, caps, strict=True)]
        low, high = (rate, high) if sum(shares) < total else (low, rate)
    return shares


def test_random_divisions_add_up_and_agree_with_an_independent_solution() -> None:
    source = random.Random(11)
    for _ in range(400):
        count = source.randint(1, 12)
        caps = [source.choice((source.randint(1, 5), source.randint(5, 400))) for _ in range(count)]
        floors = [min(cap, source.choice((0, 2, 30))) for cap in caps]
        scores = [source.randint(1, 10_000) for _ in range(count)]
        total = source.randint(sum(floors), sum(caps))
        sizes = allocate(total, scores=[Fraction(each) for each in scores], floors=floors, caps=caps)
        assert sum(sizes) == total
        shares = by_search(total, scores, floors, caps)
        for size, share, floor, cap in zip(sizes, shares, floors, caps, strict=True):
            assert floor <= size <= cap
            assert abs(size - share) < 1.0 + 1e-6


@pytest.mark.parametrize(
    ("total", "floors", "words"),
    [
        (3, [2, 2], "too small: the least sizes of the strata add up to 4"),
        (31, [2, 2], "too large: there are 30 queries"),
        (20, [11, 2], "above the number of its queries"),
    ],
)
def test_totals_and_floors_that_cannot_be_are_refused(total: int, floors: list[int], words: str) -> None:
    with pytest.raises(StatisticsError, match=words):
        allocate(total, scores=[Fraction(1), Fraction(1)], floors=floors, caps=[10, 20])


def test_sizes_by_hand_follow_from_no_total() -> None:
    with pytest.raises(StatisticsError, match="Give the sizes themselves"):
        allocation_scores(Allocation.BY_HAND, [StratumGuess("S", "x", 10, 0.5)])
