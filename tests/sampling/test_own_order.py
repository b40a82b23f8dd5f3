"""The order in which one annotator gets the entries: their own, always the same, and moved by nobody else."""

from __future__ import annotations

import numpy as np
import pytest

from audit_core.errors import StatisticsError
from audit_core.sampling.own_order import entry_order, is_gold_turn

NUMBERS = np.arange(1, 1001)
#: Computed with plain integers from the documented hash (see the module), and kept since.
GOLDEN = [736, 326, 434, 742, 395]


def in_order(numbers: np.ndarray = NUMBERS, *, seed: int | None = 7, person_id: int = 1) -> list[int]:
    found: list[int] = entry_order(numbers, seed=seed, person_id=person_id).numbers.tolist()
    return found


def test_the_order_is_a_permutation_that_seed_and_person_alone_decide() -> None:
    first = in_order()
    assert sorted(first) == NUMBERS.tolist()
    assert first == in_order()
    assert first != in_order(seed=8)
    assert first != in_order(person_id=2)
    # Stored seeds keep their order: these are the first entries of seed 7 and person 1 for good.
    assert first[:5] == GOLDEN


def test_entries_that_come_or_go_move_no_other() -> None:
    first = in_order()
    fewer = NUMBERS[NUMBERS % 3 != 0]
    assert in_order(fewer) == [each for each in first if each % 3]
    more = in_order(np.arange(1, 1201))
    assert [each for each in more if each <= 1000] == first


def test_where_an_entry_stands_says_nothing_of_where_it_stands_for_another_person() -> None:
    places = np.empty((2, NUMBERS.size))
    for row, person in enumerate((1, 2)):
        places[row, np.asarray(in_order(person_id=person)) - 1] = np.arange(NUMBERS.size)
    # Of independent orders the correlation is within 4 / sqrt(n) of 0 but once in 15,000.
    assert abs(np.corrcoef(places)[0, 1]) < 4 / np.sqrt(NUMBERS.size)
    assert abs(np.corrcoef(places[0], NUMBERS)[0, 1]) < 4 / np.sqrt(NUMBERS.size)


def test_the_order_goes_on_after_any_entry_and_wraps() -> None:
    order = entry_order(NUMBERS, seed=7, person_id=1)
    first = order.numbers.tolist()
    assert order.numbers_after(0).tolist() == first
    assert order.numbers_after(first[9]).tolist() == first[10:] + first[:10]
    assert order.numbers_after(first[-1]).tolist() == first
    # An entry that is none of these (a gold one) has its place between them all the same.
    without = entry_order(np.asarray([each for each in first if each != first[9]]), seed=7, person_id=1)
    assert without.numbers_after(first[9]).tolist()[0] == first[10]


def test_without_a_seed_entries_come_by_number_for_everybody() -> None:
    shuffled = np.asarray([5, 2, 9, 1])
    assert in_order(shuffled, seed=None) == [1, 2, 5, 9]
    assert entry_order(shuffled, seed=None, person_id=3).numbers_after(4).tolist() == [5, 9, 1, 2]


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5])
def test_about_the_share_of_the_turns_is_gold_and_each_person_has_turns_of_their_own(share: float) -> None:
    turns = [[is_gold_turn(turn, seed=3, person_id=person, share=share) for turn in range(4000)] for person in (1, 2)]
    for mine in turns:
        # 4 standard deviations of a binomial of 4,000.
        assert abs(sum(mine) / 4000 - share) <= 4 * np.sqrt(share * (1 - share) / 4000)
    assert share == 0 or turns[0] != turns[1]


def test_what_is_no_seed_or_no_number_is_refused() -> None:
    with pytest.raises(StatisticsError, match="A seed must be"):
        entry_order(NUMBERS, seed=-1, person_id=1)
    with pytest.raises(StatisticsError, match="numbered from 1"):
        entry_order(np.asarray([0, 1]), seed=1, person_id=1)
