"""Vectors of length 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def normalised(vectors: NDArray[Any]) -> NDArray[np.float32]:
    """Return the rows of a matrix divided by their lengths, as float32. Zero rows stay zero; NaN and inf make NaN rows."""
    import numpy as np

    wide = np.asarray(vectors, dtype=np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        # Divided by the largest number first, no square of a finite number overflows or vanishes.
        largest = np.abs(wide).max(axis=1, keepdims=True, initial=0.0)
        scaled = wide / np.where(largest > 0, largest, 1.0)
        lengths = np.linalg.norm(scaled, axis=1, keepdims=True)
        unit = scaled / np.where(lengths > 0, lengths, 1.0)
    unit[~np.isfinite(wide).all(axis=1)] = np.nan
    return unit.astype(np.float32)
