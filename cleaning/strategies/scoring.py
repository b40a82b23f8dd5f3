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
#: Bytes of a map that are read before its memory is given back.
_BEFORE_RELEASE = 64_000_000
#: Digits that a score is rounded to: what differs beyond comes from the order in which numbers were added up.
DIGITS = 9


def parts(n: int, at_once: int = ROWS_AT_ONCE) -> Iterator[slice]:
    """Yield the slices that n rows are read in."""
    for start in range(0, n, at_once):
        yield slice(start, min(start + at_once, n))


def read_part(vectors: NDArray[np.float32], part: slice) -> NDArray[np.float32]:
    """Return these rows, not to be written to: a view where they are float32 already.

    Where they are of a map, the memory that it took for earlier parts is given back to the system now and then.
    """
    row_bytes = vectors.itemsize * int(np.prod(vectors.shape[1:]))
    every = max(_BEFORE_RELEASE // max(row_bytes * (part.stop - part.start), 1), 1) * (part.stop - part.start)
    if part.start and part.start % max(every, 1) < part.stop - part.start:
        release(vectors)
    return np.asarray(vectors[part], dtype=np.float32)


def release(vectors: NDArray[np.float32]) -> None:
    """Give the memory that a map took for its file back to the system; other arrays are left alone."""
    mapped = _map_of(vectors)
    if mapped is not None and hasattr(mapped, "madvise"):
        # Nothing is lost: pages of a file that are let go of are read again when they are asked for.
        mapped.madvise(mmap.MADV_DONTNEED)


def finite_rows(rows: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return whether all numbers of each row are finite, and small enough that float32 can add them up."""
    # A sum is finite only if all its terms are: one number a row instead of a flag for every number. (Not as a product:
    # its idle threads would be in the way of those that the strategy starts next.)
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(np.isfinite(rows.sum(axis=1)), dtype=bool)


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
