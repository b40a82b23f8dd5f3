"""The order in which one annotator gets the entries of a campaign, and where gold entries stand in it.

Each entry has one number for each annotator, a hash of (scheme, seed, person, entry number), and comes when its number says.
The hash depends on nothing else, so entries or people that come or go move nobody else's entries, and the order is the same at
every request and on every platform.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from audit_core.errors import StatisticsError
from audit_core.sampling.permanent_order import check_seed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Hashed before everything else. Another way of ordering would get another name, so that stored seeds keep their order.
SCHEME = "assay-order-1"
_STEP, _FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


@dataclass(frozen=True, slots=True, eq=False)
class EntryOrder:
    """Entry numbers in the order in which they come, with the sorted keys that put them there.

    `seed` None means that they come by number, for everybody.
    """

    seed: int | None
    person_id: int
    keys: NDArray[np.uint64]
    numbers: NDArray[np.int64]

    def numbers_after(self, number: int) -> NDArray[np.int64]:
        """Return all numbers, those that come after `number` first; `number` need not be among them, and 0 is before all."""
        import numpy as np

        if number <= 0:
            return self.numbers
        key = _keys(self.seed, self.person_id, np.asarray([number]))[0]
        start = int(np.searchsorted(self.keys, key, side="right"))
        return np.concatenate([self.numbers[start:], self.numbers[:start]])


def entry_order(numbers: NDArray[np.int64], *, seed: int | None, person_id: int) -> EntryOrder:
    """Return the order in which a person gets these entries; without a seed by number.

    Raises:
        StatisticsError: the seed is none, or a number is not positive.
    """
    import numpy as np

    if seed is not None:
        check_seed(seed)
    if numbers.size and int(numbers.min()) < 1:
        raise StatisticsError("Entries are numbered from 1.")
    keys = _keys(seed, person_id, numbers)
    order = np.argsort(keys)
    return EntryOrder(seed, person_id, keys[order], np.asarray(numbers)[order])


def _keys(seed: int | None, person_id: int, numbers: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return a key for each entry number; no two of one person are equal, since every step can be turned back."""
    import numpy as np

    plain = np.asarray(numbers).astype(np.uint64)
    if seed is None:
        return plain
    # Multiplications and sums wrap at 2^64, as they should. The mixing is that of Steele, Lea and Flood (OOPSLA 2014).
    mixed = plain * np.full(1, _STEP, np.uint64) + np.full(1, _start(seed, person_id), np.uint64)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.full(1, _FIRST, np.uint64)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.full(1, _SECOND, np.uint64)
    return mixed ^ (mixed >> np.uint64(31))


def _start(seed: int, person_id: int, *more: str) -> int:
    text = "/".join((SCHEME, str(seed), str(person_id), *more))
    return int.from_bytes(hashlib.sha256(text.encode("ascii")).digest()[:8], "big")


def is_gold_turn(turn: int, *, seed: int, person_id: int, share: float) -> bool:
    """Return whether an annotator's `turn`-th entry (from 0) is to be a gold one; true for about `share` of all turns.

    Nobody can tell from the turn number: each person has turns of their own.
    """
    return _start(seed, person_id, "gold", str(turn)) < share * 2**64
