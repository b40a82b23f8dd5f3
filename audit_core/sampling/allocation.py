"""How a total of entries is divided among strata: exact whole numbers between a floor and a cap for each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction

from audit_core.errors import StatisticsError
from audit_core.sampling.expectation import StratumGuess


class Allocation(StrEnum):
    """The rule by which the sizes of strata follow from a total."""

    PROPORTIONAL = "proportional"
    NEYMAN = "neyman"
    EQUAL = "equal"
    BY_HAND = "by hand"


def allocation_scores(allocation: Allocation, strata: Sequence[StratumGuess]) -> list[Fraction]:
    """Return to what each stratum's size is proportional: N_h, N_h sqrt(p_h (1 - p_h)) (Neyman 1934), or 1.

    Neyman's sizes make the variance of the estimate the least for the total, if the guesses hold. A stratum without
    queries scores 0.
    """
    if allocation is Allocation.BY_HAND:
        raise StatisticsError("Sizes set by hand follow from no total. Give the sizes themselves.")
    if allocation is Allocation.EQUAL:
        return [Fraction(1 if each.population else 0) for each in strata]
    if allocation is Allocation.PROPORTIONAL:
        return [Fraction(each.population) for each in strata]
    return [each.population * Fraction(math.sqrt(each.accuracy * (1.0 - each.accuracy))) for each in strata]


def allocate(total: int, *, scores: Sequence[Fraction], floors: Sequence[int], caps: Sequence[int]) -> list[int]:
    """Return whole sizes that add up to `total`, proportional to `scores` within [floor, cap] of each.

    A stratum whose share is below its floor or above its cap stands there, and the others share the rest. The shares
    become whole by the largest remainder; of equal remainders the larger cap goes first, then the earlier stratum. If
    all that are left score 0, they share by their caps.

    Raises:
        StatisticsError: the floors need more than the total, or the caps hold less, or a floor is above its cap.
    """
    _check_bounds(total, floors, caps)
    sizes = [0] * len(scores)
    open_strata = list(range(len(scores)))
    rest = total
    while open_strata:
        shares = _shares(rest, open_strata, scores, caps)
        low = [each for each in open_strata if shares[each] < floors[each]]
        high = [each for each in open_strata if shares[each] > caps[each]]
        if not low and not high:
            _round_by_largest_remainder(sizes, shares, rest, caps)
            return sizes
        missing = sum(floors[each] - shares[each] for each in low)
        above = sum(shares[each] - caps[each] for each in high)
        # The side with the larger breach is settled first: its strata stay there whatever happens to the others.
        settled, bounds = (low, floors) if missing >= above else (high, caps)
        for each in settled:
            sizes[each] = bounds[each]
            rest -= bounds[each]
        open_strata = [each for each in open_strata if each not in settled]
    return sizes


def _check_bounds(total: int, floors: Sequence[int], caps: Sequence[int]) -> None:
    if any(floor > cap for floor, cap in zip(floors, caps, strict=True)):
        raise StatisticsError("A stratum's least size is above the number of its queries. Lower it.")
    if total < sum(floors):
        raise StatisticsError(
            f"A total of {total:,} is too small: the least sizes of the strata add up to {sum(floors):,}. "
            "Raise the total, draw a simple random sample, or take fewer strata."
        )
    if total > sum(caps):
        raise StatisticsError(f"A total of {total:,} is too large: there are {sum(caps):,} queries. Lower it.")


def _shares(
    rest: int, open_strata: Sequence[int], scores: Sequence[Fraction], caps: Sequence[int]
) -> dict[int, Fraction]:
    weights = {each: scores[each] for each in open_strata}
    if not any(weights.values()):
        weights = {each: Fraction(caps[each]) for each in open_strata}
    whole = sum(weights.values())
    return {each: rest * weight / whole if whole else Fraction(0) for each, weight in weights.items()}


def _round_by_largest_remainder(sizes: list[int], shares: dict[int, Fraction], rest: int, caps: Sequence[int]) -> None:
    for each, share in shares.items():
        sizes[each] = math.floor(share)
    left = rest - sum(sizes[each] for each in shares)
    by_remainder = sorted(shares, key=lambda each: (sizes[each] - shares[each], -caps[each], each))
    for each in by_remainder[:left]:
        sizes[each] += 1
