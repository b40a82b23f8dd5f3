"""Which labelled queries enter an exact test: a held-out part, equal chances, one query a group; by lot, blind to labels.

An exact binomial test needs draws that all stand for the same: each kept query must enter with the same chance, and none
because of another one. Three lots see to that, drawn from the seed and the query ids and never from the labels:

1. A stratified draw takes more of small strata. A labelled query stays with min(chance) / chance, after which all have the
   same chance. (Weights would be no alternative: a weighted share has no exact binomial bound.)
2. Queries of one group are not independent. Of the labelled, kept queries of a group one enters.
3. One of a group is fewer than its share where the group is large and much of it was drawn: with M kept queries in the
   group, each drawn with chance f, a given one enters with (1 - (1 - f)^M) / M. So groups stay by lot with the smallest
   such value over their own. Where the sample is a small part of the benchmark this changes next to nothing; in a
   sample that takes much of it, large bad groups would otherwise count as little as small good ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cleaning.fixed_sequence import Count

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Labelled queries of one part, in an order that chance made, with the groups of all queries of the dataset.

    `rows` are dataset rows, `remove` and `chances` belong to them. `groups` of shape (N,) has a number from 0 for each
    query; `eligible` (N,) marks those of which labels could be: the ones that trained nothing. `lots` has one number in
    [0, 1) for each group. `rate` is the chance with which an eligible query is among `rows`, given that its group is in
    this part, `part_share` the share of groups in it. `labels` counts the usable labels before anything was left out.
    """

    rows: NDArray[np.intp]
    remove: NDArray[np.bool_]
    chances: NDArray[np.float64]
    groups: NDArray[np.intp]
    eligible: NDArray[np.bool_]
    lots: NDArray[np.float64]
    rate: float
    part_share: float
    labels: int

    def count(self, kept: NDArray[np.bool_]) -> Count:
        """Return the labelled queries that enter the test of what is kept (one flag a query of the dataset)."""
        entering = self.entering(kept)
        return Count(len(entering), int(self.remove[entering].sum()))

    def entering(self, kept: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Return the places in `rows` of the queries that enter: in each group the first kept one, if its lot says so."""
        places = np.flatnonzero(kept[self.rows])
        if not len(places):
            return places
        _, first = np.unique(self.groups[self.rows[places]], return_index=True)
        places = places[first]
        group = self.groups[self.rows[places]]
        sizes = np.bincount(self.groups[kept & self.eligible], minlength=int(self.groups.max()) + 1)
        chance = self._chance_of_one(sizes[group])
        least = self._chance_of_one(sizes.max(keepdims=True))[0]
        chosen: NDArray[np.intp] = places[self.lots[group] < least / chance]
        return chosen

    def expected(self, kept: NDArray[np.bool_]) -> float:
        """Return how many labelled queries are expected to enter the test of what is kept, whatever was drawn."""
        stays = kept & self.eligible
        if not stays.any():
            return 0.0
        largest = np.bincount(self.groups[stays]).max(keepdims=True)
        return float(stays.sum() * self.part_share * self._chance_of_one(largest)[0])

    def groups_in(self, kept: NDArray[np.bool_]) -> int:
        """Return how many groups the kept queries make of which labels could be."""
        return len(np.unique(self.groups[kept & self.eligible]))

    def _chance_of_one(self, sizes: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the chance of a given query to enter from a group of so many kept ones, (1 - (1 - f)^M) / M."""
        if self.rate >= 1.0:
            return np.asarray(1.0 / sizes, dtype=np.float64)
        return np.asarray(-np.expm1(sizes * np.log1p(-self.rate)) / sizes, dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """The part that chooses, the one that was held out (its chances are not made equal), and what must be said of both."""

    choosing: Part
    testing: Part
    notes: tuple[str, ...]


def split_labels(
    rows: NDArray[np.intp],
    remove: NDArray[np.bool_],
    chances: NDArray[np.float64],
    groups: NDArray[np.intp],
    eligible: NDArray[np.bool_],
    *,
    seed: int,
    test_share: float,
) -> Split:
    """Return the labelled queries in two parts by group, the choosing one thinned to equal chances; by lot from `seed`.

    `rows`, `remove` and `chances` are in the order of the query ids, so that the same queries meet the same lots.
    """
    labelled = np.unique(groups[rows])
    # Streams of their own: another share held out changes no other lot.
    dealing, thinning, order, lottery = (np.random.default_rng([seed, stream]) for stream in range(4))
    held = np.zeros(int(groups.max()) + 1, dtype=bool)
    held[dealing.permutation(labelled)[: round(test_share * len(labelled))]] = True
    least = float(chances.min())
    stays = thinning.random(len(rows)) < least / chances
    ranks = order.permutation(len(rows))
    lots = lottery.random(len(held))
    is_held = held[groups[rows]]
    notes = _notes(len(rows), int(stays.sum()), int(is_held.sum()), int((stays & ~is_held).sum()))

    def part(wanted: NDArray[np.bool_], share: float) -> Part:
        places = np.flatnonzero(wanted)[np.argsort(ranks[wanted])]
        rate = min(1.0, len(places) / (share * float(eligible.sum()))) if share else 0.0
        return Part(
            rows=rows[places], remove=remove[places], chances=chances[places], groups=groups, eligible=eligible,
            lots=lots, rate=rate, part_share=share, labels=len(rows),
        )  # fmt: skip

    share = float(held.sum()) / len(labelled)
    return Split(part(stays & ~is_held, 1.0 - share), part(is_held, share), notes)


def _notes(labels: int, equal: int, held: int, left: int) -> tuple[str, ...]:
    notes = []
    if equal < labels:
        notes.append(
            f"The labels were drawn with different chances. Of {labels:,} a lot that is blind to the labels leaves {equal:,} with "
            "equal chances, which an exact test needs."
        )
    if held:
        notes.append(f"{held:,} labels are held out and choose nothing; {left:,} choose.")
    return tuple(notes)
