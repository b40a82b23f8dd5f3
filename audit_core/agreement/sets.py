"""How alike two sets are: equal, Jaccard, MASI; the distances with which Krippendorff's alpha compares sets."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from audit_core.agreement.ratings import Floats

#: Monotonicity of MASI: the same, one within the other, some in common, nothing in common.
SAME, WITHIN, CROSSING, APART = 1.0, 2 / 3, 1 / 3, 0.0


def jaccard(one: Collection[Hashable], other: Collection[Hashable]) -> float | None:
    """Return the share of members of either set that are in both, 0 to 1; None of two empty sets."""
    first, second = set(one), set(other)
    either = first | second
    return len(first & second) / len(either) if either else None


def masi(one: Collection[Hashable], other: Collection[Hashable]) -> float:
    """Return MASI, 0 (nothing in common) to 1 (the same): Jaccard times 1, 2/3 or 1/3 for equal, nested or crossing sets.

    Two empty sets are the same; an empty and another one have nothing in common. Source: Passonneau 2006 (LREC),
    Measuring Agreement on Set-valued Items.
    """
    first, second = set(one), set(other)
    if first == second:
        return SAME
    common = first & second
    if not common:
        return APART
    return (jaccard(first, second) or 0.0) * (WITHIN if common in (first, second) else CROSSING)


def masi_distances(sets: Sequence[frozenset[Hashable]]) -> Floats:
    """Return sets x sets of 1 - MASI, 0 on the diagonal. As in the source, alpha takes it as it is, not squared."""
    import numpy as np

    return np.asarray([[1.0 - masi(one, other) for other in sets] for one in sets], dtype=np.float64)
