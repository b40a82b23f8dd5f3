"""Which rows have a vector that can be used: looked at before anything is computed from vectors."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from audit_core.errors import InferenceError
from audit_core.inference.embedder import State
from audit_core.inference.embedding import Vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ROWS_AT_ONCE = 16_384


@dataclass(frozen=True, slots=True)
class Ineligible:
    """A row that no method may use: its number (from 0), why in one word, and in a sentence."""

    row: int
    state: State
    says: str


@dataclass(frozen=True, slots=True)
class Screening:
    """`eligible` is True where the vector is finite and not zero, shape (n,); the other rows are listed, in order."""

    eligible: NDArray[np.bool_]
    ineligible: tuple[Ineligible, ...]

    @property
    def counts(self) -> dict[State, int]:
        """How many rows are ineligible for which reason; reasons without a row are left out."""
        return dict(Counter(each.state for each in self.ineligible))


def screen(vectors: Vectors | NDArray[np.float32]) -> Screening:
    """Return which rows can be used. A row that has no vector at all keeps the reason that it came with.

    Two rows with the same vector are no fault. A memory map is read through once, a part at a time.

    Raises:
        InferenceError: not a matrix.
    """
    import numpy as np

    values, faults = (vectors.values, vectors.faults) if isinstance(vectors, Vectors) else (vectors, {})
    if values.ndim != 2:
        raise InferenceError(f"Vectors are a matrix with one row a text; these have the shape {values.shape}.")
    found = {row: Ineligible(row, fault.state, fault.says) for row, fault in faults.items()}
    for start in range(0, len(values), _ROWS_AT_ONCE):
        part = np.asarray(values[start : start + _ROWS_AT_ONCE])
        is_finite, is_zero = np.isfinite(part), (part == 0).all(axis=1)
        for place in np.flatnonzero(~is_finite.all(axis=1) | is_zero).tolist():
            row = start + place
            if row not in found:
                found[row] = _ineligible(row, part.shape[1], int(is_finite[place].sum()))
    eligible = np.ones(len(values), dtype=np.bool_)
    eligible[list(found)] = False
    return Screening(eligible, tuple(found[row] for row in sorted(found)))


def _ineligible(row: int, dimensions: int, finite: int) -> Ineligible:
    if dimensions == 0:
        return Ineligible(row, State.MISSING, "there is no vector")
    if finite == dimensions:
        return Ineligible(row, State.ZERO, "all numbers of the vector are 0, so it points nowhere")
    return Ineligible(row, State.NOT_FINITE, f"{dimensions - finite:,} of {dimensions:,} numbers are NaN or infinite")
