"""Ratings as arrays: who said what of which unit on which scale, and the counts that all coefficients are made of."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from audit_core.errors import StatisticsError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Whole = NDArray[np.int64]
    Truths = NDArray[np.bool_]

#: What a rater says nothing with, in rows of ratings.
MISSING = None


@dataclass(frozen=True)
class Ratings:
    """Ratings in long form: rating i is what `rater[i]` said of `unit[i]`, the value `scale[value[i]]`.

    `units` and `raters` count all there are, those without a rating as well. `scale` holds every value that could have been
    given, in its order, also those that nobody gave. Each rater says one thing of a unit, or nothing.
    """

    units: int
    raters: int
    unit: Whole
    rater: Whole
    value: Whole
    scale: tuple[Hashable, ...]

    @cached_property
    def counts(self) -> Whole:
        """How many raters gave each value, units x values of the scale."""
        import numpy as np

        width = len(self.scale)
        flat = np.bincount(self.unit * width + self.value, minlength=self.units * width)
        return flat.reshape(self.units, width).astype(np.int64, copy=False)

    def only(self, kept: Truths) -> Ratings:
        """Return the ratings of some units (a truth value each), renumbered in their order; the raters keep their numbers."""
        import numpy as np

        place = np.cumsum(kept) - 1
        own = kept[self.unit]
        return Ratings(
            int(kept.sum()), self.raters, place[self.unit[own]], self.rater[own], self.value[own], self.scale
        )

    @cached_property
    def active(self) -> list[int]:
        """The numbers of the raters who rated anything."""
        import numpy as np

        return [int(each) for each in np.flatnonzero(np.bincount(self.rater, minlength=self.raters))]

    def cells_of_two(self, first: int, second: int) -> tuple[Whole, Whole]:
        """Return (unit, cell) of each unit that both rated; the cell is the place in a flat table values x values."""
        import numpy as np

        said = np.full((2, self.units), -1, dtype=np.int64)
        for place, rater in enumerate((first, second)):
            own = self.rater == rater
            said[place, self.unit[own]] = self.value[own]
        both = np.flatnonzero((said >= 0).all(axis=0))
        return both, said[0, both] * len(self.scale) + said[1, both]

    def of_two(self, first: int, second: int) -> Whole:
        """Return values x values: how often rater `first` gave the row's value where `second` gave the column's."""
        import numpy as np

        width = len(self.scale)
        _, cells = self.cells_of_two(first, second)
        return np.bincount(cells, minlength=width * width).reshape(width, width).astype(np.int64, copy=False)


def ratings_of(
    rows: Sequence[Sequence[Hashable | None]], scale: Sequence[Hashable], *, raters: int | None = None
) -> Ratings:
    """Return ratings given as one row a unit, one place in it a rater; `MISSING` (None) where a rater said nothing.

    `scale` is all that could have been said, in order. `raters` is how many places a row has (default: that of the first).

    Raises:
        StatisticsError: rows of different lengths, a value twice on the scale, or one that is not on it.
    """
    width = raters if raters is not None else (len(rows[0]) if rows else 0)
    for place, row in enumerate(rows):
        if len(row) != width:
            raise StatisticsError(f"Unit {place + 1} has {len(row)} places for ratings, the others {width}.")
    triples = ((u, r, said) for u, row in enumerate(rows) for r, said in enumerate(row) if said is not MISSING)
    return long_ratings(triples, scale, units=len(rows), raters=width)


def long_ratings(
    triples: Iterable[tuple[int, int, Hashable]], scale: Sequence[Hashable], *, units: int, raters: int
) -> Ratings:
    """Return ratings given as (unit number, rater number, value), each rater at most once a unit.

    Raises:
        StatisticsError: a value twice on the scale, or one that is not on it; a rater who rated a unit twice.
    """
    import numpy as np

    # True is no 1 here: a scale of booleans and one of numbers are different scales.
    place_of = {(isinstance(each, bool), each): place for place, each in enumerate(scale)}
    if len(place_of) != len(scale):
        raise StatisticsError("A scale holds a value twice: name each once.")
    found = list(triples)
    try:
        values = [place_of[isinstance(said, bool), said] for _, _, said in found]
    except KeyError as error:
        raise StatisticsError(
            f"{error.args[0][1]!r} is not on the scale, which is {', '.join(map(repr, scale))}: name all values that "
            "could have been given."
        ) from None
    unit = np.fromiter((each[0] for each in found), dtype=np.int64, count=len(found))
    rater = np.fromiter((each[1] for each in found), dtype=np.int64, count=len(found))
    if len(np.unique(unit * max(raters, 1) + rater)) != len(found):
        raise StatisticsError("A rater rated a unit twice: keep one rating of each rater on each unit.")
    return Ratings(units, raters, unit, rater, np.asarray(values, dtype=np.int64), tuple(scale))


@dataclass(frozen=True)
class Patterns:
    """Counts of units, equal ones together: `counts[p]` (values) stands `sizes[p]` times; `of_unit[i]` is the unit's p.

    Every coefficient is a function of the patterns and of how much each weighs, so a bootstrap weighs patterns, not units.
    """

    counts: Floats
    sizes: Floats
    of_unit: Whole

    @cached_property
    def raters(self) -> Floats:
        """How many raters rated a unit of each pattern."""
        import numpy as np

        return np.asarray(self.counts.sum(axis=1))


def patterns_of(counts: NDArray[np.int64] | Sequence[Sequence[int]], *, width: int | None = None) -> Patterns:
    """Return the patterns of counts, units x values; units without a rating make a pattern too.

    Raises:
        StatisticsError: a negative count, or rows of different lengths.
    """
    import numpy as np

    try:
        table = np.asarray(counts, dtype=np.int64)
    except ValueError:
        raise StatisticsError("Counts must be whole numbers, as many in each unit as the scale has values.") from None
    table = table.reshape(-1, width if width is not None else (table.shape[1] if table.ndim == 2 else 0))
    if (table < 0).any():
        raise StatisticsError("A count of raters is negative. Check what was counted.")
    base = int(table.max(initial=0)) + 1
    if table.shape[1] and base ** table.shape[1] < 2**62:
        keys = table @ (base ** np.arange(table.shape[1], dtype=np.int64))
        _, first, of_unit, sizes = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
        found = table[first]
    else:
        found, of_unit, sizes = np.unique(table, axis=0, return_inverse=True, return_counts=True)
    return Patterns(found.astype(np.float64), sizes.astype(np.float64), of_unit.reshape(-1))
