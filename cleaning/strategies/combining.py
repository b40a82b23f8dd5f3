"""How decisions of several strategies become one, with undecided ones, and the score that stands for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from audit_core.errors import CleaningError
from cleaning.contract import Inputs, Scores
from cleaning.strategies.options import check_options, names

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Just below the threshold: the highest score of a query that stays.
_BELOW = np.nextafter(0.5, 0.0)


@dataclass(frozen=True, slots=True)
class Combination:
    """Removes where at least `k` of its members do; it learns nothing of its own. None for `k` means all of them."""

    title: str
    members: tuple[str, ...]
    k: int | None

    def fit(self, inputs: Inputs, remove: NDArray[np.bool_], *, seed: int) -> Combination:
        """Return the combination itself: its members are trained by whoever runs them."""
        return self

    def score(self, inputs: Inputs) -> Scores:
        """Return a score of at least 0.5 where the combination removes, below where it keeps, NaN where undecided.

        Decisions are those of the members at their own thresholds, from `inputs.decisions`. With undecided members: it
        removes if k members do whatever the undecided ones would say, keeps if k cannot be reached even if all of those
        would remove, and is undecided otherwise.

        On either side queries are ordered by the k-th largest of the members' scores (`inputs.other`; for a union the
        largest, for an intersection the smallest), undecided members and members without scores left out: half of it,
        and 0.5 more where the query goes. So a curve over thresholds passes through the combination's own decision.

        Raises:
            CleaningError: a member took no part, or failed.
        """
        missing = [member for member in self.members if member not in inputs.decisions]
        if missing:
            there = ", ".join(sorted(inputs.decisions)) or "none"
            raise CleaningError(
                f"{self.title} needs the decisions of {', '.join(missing)}, which took no part or failed. There are: {there}."
            )
        decisions = np.stack([inputs.decisions[member] for member in self.members])
        k = len(self.members) if self.k is None else self.k
        decided = _decide(decisions, k)
        inner = _kth_largest([inputs.other.get(member, inputs.decisions[member]) for member in self.members], k)
        values = np.where(decided == 1.0, 0.5 + 0.5 * inner, np.minimum(0.5 * inner, _BELOW))
        return Scores(np.where(np.isnan(decided), np.nan, values))


def members_option(strategy: str, options: Mapping[str, object], *, known: tuple[str, ...]) -> tuple[str, ...]:
    """Return the option `members`, the names under which the combined strategies take part; there is no default.

    Raises:
        CleaningError: it is missing or empty, or an option is not among `known`.
    """
    check_options(strategy, options, known)
    if "members" not in options:
        raise CleaningError(
            f"The strategy {strategy} needs the option members: a list of the strategies that it combines."
        )
    members = names(strategy, options, "members", (), known=None)
    if strategy in members:
        raise CleaningError(f"The strategy {strategy} cannot be a member of itself. Take it out of members.")
    return members


def _decide(decisions: NDArray[np.float64], k: int) -> NDArray[np.float64]:
    """Return 1.0, 0.0 or NaN for each query from decisions of shape (members, n)."""
    removing = (decisions == 1.0).sum(axis=0)
    possible = removing + np.isnan(decisions).sum(axis=0)
    return np.where(removing >= k, 1.0, np.where(possible < k, 0.0, np.nan))


def _kth_largest(scores: list[NDArray[np.float64]], k: int) -> NDArray[np.float64]:
    """Return the k-th largest score of each query, the smallest where fewer are there, 0.5 where there is none."""
    ordered = -np.sort(-np.stack(scores), axis=0)
    counts = (~np.isnan(ordered)).sum(axis=0)
    place = np.clip(np.minimum(k, counts) - 1, 0, None)
    return np.where(counts > 0, np.take_along_axis(ordered, place[None, :], axis=0)[0], 0.5)
