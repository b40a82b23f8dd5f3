"""Whether the changes between two revisions of a dataset gather in the queries that a sample drew."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from audit_core.errors import StatisticsError


@dataclass(frozen=True, slots=True)
class StratumChange:
    """A stratum of a frame: of `population` queries `entries` were drawn; `changed` changed, `changed_entries` among those drawn."""

    population: int
    entries: int
    changed: int
    changed_entries: int

    def __post_init__(self) -> None:
        rest = self.population - self.entries
        if not (0 <= self.entries <= self.population and 0 <= self.changed_entries <= min(self.entries, self.changed)):
            raise StatisticsError(
                f"{self} is not possible: entries and changes are parts of the stratum. Check the counts."
            )
        if self.changed - self.changed_entries > rest:
            raise StatisticsError(
                f"{self} has more changes outside the entries than there are queries. Check the counts."
            )


def expected_changes(strata: Sequence[StratumChange]) -> float:
    """Return how many changed entries are to be expected where the changes had nothing to do with the sample."""
    return math.fsum(each.entries * each.changed / each.population for each in strata if each.population)


def chance_of_as_many(strata: Sequence[StratumChange]) -> float:
    """Return the chance that a random sample of these sizes meets at least as many of the changed queries.

    The number of changed entries of a stratum is hypergeometric and that of all strata the sum of these; the chance is
    exact but for rounding. 1 where nothing changed, and for a census, which meets every change.
    """
    found = sum(each.changed_entries for each in strata)
    chances = [1.0]
    for each in strata:
        chances = _convolved(chances, _hypergeometric(each))
    return min(1.0, math.fsum(chances[found:]))


def _hypergeometric(stratum: StratumChange) -> list[float]:
    """Return the chances of 0, 1, ... changed queries among those drawn."""
    population, entries, changed = stratum.population, stratum.entries, stratum.changed
    whole = _log_choose(population, entries)
    chances = []
    for count in range(min(entries, changed) + 1):
        if entries - count > population - changed:
            chances.append(0.0)
            continue
        log = _log_choose(changed, count) + _log_choose(population - changed, entries - count) - whole
        chances.append(math.exp(log))
    return chances


def _log_choose(of: int, chosen: int) -> float:
    return math.lgamma(of + 1) - math.lgamma(chosen + 1) - math.lgamma(of - chosen + 1)


def _convolved(one: Sequence[float], other: Sequence[float]) -> list[float]:
    import numpy as np

    return [float(each) for each in np.convolve(one, other)]
