"""Vectors read a part at a time, so that a memory map of any size is scored in little memory."""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Rows that are read at once: 16 MB of 1,024 numbers each.
ROWS_AT_ONCE = 4096
#: Digits that a score is rounded to: what differs beyond comes from the order in which numbers were added up.
DIGITS = 9


def parts(n: int, at_once: int = ROWS_AT_ONCE) -> Iterator[slice]:
    """Yield the slices that n rows are read in."""
    for start in range(0, n, at_once):
        yield slice(start, min(start + at_once, n))


def read_part(vectors: NDArray[np.float32], part: slice) -> NDArray[np.float32]:
    """Return these rows, copied; the memory that a map took for them is given back to the system."""
    rows = np.array(vectors[part], dtype=np.float32)
    mapped = _map_of(vectors)
    if mapped is not None and hasattr(mapped, "madvise"):
        # Nothing is lost: pages of a file that are let go of are read again when they are asked for.
        mapped.madvise(mmap.MADV_DONTNEED)
    return rows


def finite_rows(vectors: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return whether all numbers of each row are finite."""
    finite = np.empty(len(vectors), dtype=bool)
    for part in parts(len(vectors)):
        finite[part] = np.isfinite(read_part(vectors, part)).all(axis=1)
    return finite


def as_scores(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return numbers as scores: within [0, 1], rounded so that the same query has the same score in any batch."""
    return np.clip(np.round(values, DIGITS), 0.0, 1.0)


def probability(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the logistic function of log odds."""
    from scipy.special import expit

    return np.asarray(expit(logits), dtype=np.float64)


def _map_of(array: object) -> mmap.mmap | None:
    """Return the read-only map that an array's memory is of, if it is of one; a map that may be written is left alone."""
    if getattr(array, "mode", None) not in (None, "r"):
        return None
    while isinstance(array, np.ndarray):
        if array.flags.writeable:
            return None
        array = array.base
    return array if isinstance(array, mmap.mmap) else None
