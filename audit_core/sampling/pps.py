"""Fixed-size draws with chances in proportion to weights: systematic sampling of a list in random order.

With weights w_k that add up to W, a draw of n takes every unit with n w_k >= W for certain, and again among the others
with what is left of n, until none is so heavy. The others stand in random order, unit k takes the stretch of length
n w_k of a line of length n W, and one random start u in [0, W) chooses the units under u, u + W, u + 2 W ... (Madow 1949,
Annals of Mathematical Statistics 20, 333-354; Särndal, Swensson and Wretman 1992, Model Assisted Survey Sampling, 3.6).
No other unit is longer than W, so each is taken at most once, the size is always n, and the chance of each is n w_k / W,
whatever the order.

Weights become whole numbers first (parts of `GRID`), and so does the start: the chances are then exact fractions, and no
rounding of running sums can give or take a unit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from audit_core.errors import StatisticsError
from audit_core.sampling.frame import StratumKey
from audit_core.sampling.permanent_order import check_seed, permanent_order
from audit_core.statistics.intervals import check_count

#: A weight of 1 in whole numbers; a positive weight counts as at least 1 of it.
GRID = 2**20


@dataclass(frozen=True, slots=True)
class PpsDraw:
    """What was drawn, in the order of the list. `chances` are in (0, 1], by query id, 1 for those taken for certain.

    `candidates` counts the queries with a positive weight. Where fewer are there than were asked for, all are taken.
    """

    query_ids: tuple[str, ...]
    chances: Mapping[str, Fraction]
    candidates: int

    @property
    def certain(self) -> int:
        """How many were taken whatever chance said."""
        return sum(chance == 1 for chance in self.chances.values())


def inclusion_chances(weights: Mapping[str, float], size: int) -> dict[str, Fraction]:
    """Return the chance of every query with a positive weight to be in a draw of `size`: they add up to it, exactly.

    Where fewer than `size` have a positive weight each has chance 1.

    Raises:
        StatisticsError: a weight that is negative or no finite number, or a size that is no count.
    """
    certain, others, left = _parted(_whole(weights), check_count(size, what="the size of the draw"))
    total = sum(others.values())
    return dict.fromkeys(certain, Fraction(1)) | {
        each: Fraction(left * weight, total) if left else Fraction(0) for each, weight in others.items()
    }


def pps_draw(weights: Mapping[str, float], size: int, *, seed: int, key: StratumKey) -> PpsDraw:
    """Return `size` queries (all with a positive weight where there are fewer), drawn in proportion to their weights.

    `key` tells the draws of one seed apart: each has an order and a start of its own. Queries of weight 0 are never drawn.

    Raises:
        StatisticsError: as `inclusion_chances`; a seed that is none.
    """
    check_seed(seed)
    whole = _whole(weights)
    certain, others, left = _parted(whole, check_count(size, what="the size of the draw"))
    ranked = [query_id for _, query_id in permanent_order(seed, key, whole)]
    total = sum(others.values())
    line = [(each, others[each]) for each in ranked if each in others]
    taken = frozenset(systematic(line, left, start=_start(seed, key, total)) if left else ())
    chances = {
        each: Fraction(1) if each in certain else Fraction(left * others[each], total)
        for each in ranked
        if each in certain or each in taken
    }
    return PpsDraw(tuple(chances), chances, len(whole))


def systematic(line: Sequence[tuple[str, int]], size: int, *, start: int) -> list[str]:
    """Return the `size` units of a line under the points start, start + W, ...; W is the sum of their whole weights.

    Unit k takes the whole numbers from size * C up to size * (C + w_k), with C the sum of the weights before it; `start` is
    a whole number from 0 to W - 1, and size * w_k is at most W for every unit.
    """
    total = sum(weight for _, weight in line)
    found, passed, point = [], 0, start
    for unit, weight in line:
        passed += size * weight
        if point < passed:
            found.append(unit)
            point += total
    return found


def _whole(weights: Mapping[str, float]) -> dict[str, int]:
    """Return the positive weights as whole numbers, by query id in order of ids."""
    bad = next((each for each, weight in weights.items() if not (math.isfinite(weight) and weight >= 0)), None)
    if bad is not None:
        raise StatisticsError(f"The weight of {bad!r} is {weights[bad]}: give finite numbers from 0.")
    return {each: max(1, round(weights[each] * GRID)) for each in sorted(weights) if weights[each] > 0}


def _parted(whole: Mapping[str, int], size: int) -> tuple[frozenset[str], dict[str, int], int]:
    """Return the units that are taken for certain, the others with their weights, and how many are drawn of these."""
    certain, total, left = set(), sum(whole.values()), size
    for each in sorted(whole, key=lambda unit: -whole[unit]):
        if not left or left * whole[each] < total:
            break
        certain.add(each)
        total -= whole[each]
        left -= 1
    others = {each: weight for each, weight in whole.items() if each not in certain}
    return frozenset(certain), others, left if others else 0


def _start(seed: int, key: StratumKey, total: int) -> int:
    """Return a whole number from 0 to total - 1; that 2^256 is no multiple of `total` changes no chance by 2^-190."""
    ((number, _),) = permanent_order(seed, (key[0], f"{key[1]}: start"), [""])
    return int.from_bytes(number) % total if total else 0
