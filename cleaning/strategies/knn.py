"""The labels of the nearest training queries, by cosine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from audit_core.errors import CleaningError
from cleaning.contract import Kind
from cleaning.strategies.learned import Learned, Lesson, blocks_option
from cleaning.strategies.options import check_options, whole_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

name = "knn"
title = "Nearest neighbours"
kind = Kind.LEARNED
describe = (
    "The k training queries (5) whose features lie nearest by cosine. The score is the part of them that are to be removed, "
    "so that 0.5 is a majority; training queries that lie equally far share the last places. With several blocks of "
    "features the cosine is the mean of the blocks'."
)
needs_embeddings = True
default_threshold = 0.5

#: Cosines nearer to each other than this are equal: float32 sums differ by as much with the order of the terms.
EQUAL = 2e-6
#: Rows compared at once: with some thousand training queries they take some MB.
_AT_ONCE = 1024
#: A block whose vectors have a column of this deviation or less is scaled by 1 there.
_CONSTANT = 1e-12


def build(options: Mapping[str, object]) -> Learned:
    """Return the strategy. Options: `blocks` (of features, ["query"]), `k` (5).

    Raises:
        CleaningError: an option is unknown or cannot be used.
    """
    check_options(name, options, ("blocks", "k"))
    blocks = blocks_option(name, options)
    return Learned(title, blocks, NeighboursLearner(whole_number(name, options, "k", 5, low=1, high=1000), blocks))


@dataclass(frozen=True, slots=True)
class NeighboursLearner:
    """Keeps the training queries."""

    k: int
    blocks: tuple[str, ...]

    def learn(self, lesson: Lesson) -> Neighbours:
        """Return the training queries, their blocks at unit length.

        Raises:
            CleaningError: there are fewer than k.
        """
        if len(lesson.remove) < self.k:
            raise CleaningError(
                f"{title} asks the {self.k} nearest of {len(lesson.remove)} training queries: choose a smaller k."
            )
        scales = []
        for block, columns in zip(self.blocks, _columns(lesson.widths), strict=True):
            scales.append(_NO_SCALE if block in ("query", "answer") else _Scale.of(lesson.features[:, columns]))
        prepared = _at_unit_length(lesson.features, lesson.widths, scales)
        return Neighbours(prepared.T.copy(), lesson.remove.astype(np.float32), self.k, lesson.widths, tuple(scales))


@dataclass(frozen=True, slots=True, eq=False)
class _Scale:
    """Mean and deviation of a block's columns; a block that is no embedding is compared by its scaled numbers."""

    mean: NDArray[np.float32] | float
    deviation: NDArray[np.float32] | float

    @classmethod
    def of(cls, features: NDArray[np.float32]) -> _Scale:
        deviation = features.std(axis=0)
        return cls(features.mean(axis=0), np.where(deviation > _CONSTANT, deviation, 1.0).astype(np.float32))


_NO_SCALE = _Scale(0.0, 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """Training queries as columns of `prepared`, their labels as 1.0 and 0.0."""

    prepared: NDArray[np.float32]
    labels: NDArray[np.float32]
    k: int
    widths: tuple[int, ...]
    scales: tuple[_Scale, ...]

    def predict(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the part of the k nearest that are to be removed, for each row."""
        out = np.empty(len(features))
        for start in range(0, len(features), _AT_ONCE):
            part = features[start : start + _AT_ONCE]
            out[start : start + len(part)] = self._votes(
                _at_unit_length(part, self.widths, self.scales) @ self.prepared
            )
        return out

    def _votes(self, cosines: NDArray[np.float32]) -> NDArray[np.float64]:
        n = cosines.shape[1]
        # One more than k tells whether others lie as far as the last one.
        keep = min(self.k + 1, n)
        nearest = (
            np.argpartition(cosines, n - keep, axis=1)[:, n - keep :]
            if keep < n
            else np.tile(np.arange(n), (len(cosines), 1))
        )
        values = np.take_along_axis(cosines, nearest, axis=1)
        order = np.argsort(-values, axis=1, kind="stable")
        nearest, values = np.take_along_axis(nearest, order, axis=1), np.take_along_axis(values, order, axis=1)
        votes = self.labels[nearest[:, : self.k]].sum(axis=1, dtype=np.float64)
        if keep > self.k:
            for row in np.flatnonzero(values[:, self.k - 1] - values[:, self.k] <= EQUAL).tolist():
                votes[row] = self._shared_votes(cosines[row], values[row, self.k - 1])
        return np.asarray(votes / self.k, dtype=np.float64)

    def _shared_votes(self, cosines: NDArray[np.float32], last: np.float32) -> float:
        """Return the votes of k neighbours where those as near as the last one share the places that are left."""
        nearer, equal = cosines > last + EQUAL, np.abs(cosines - last) <= EQUAL
        return float(self.labels[nearer].sum() + (self.k - nearer.sum()) * self.labels[equal].mean())


def _columns(widths: Sequence[int]) -> Iterator[slice]:
    start = 0
    for width in widths:
        yield slice(start, start + width)
        start += width


def _at_unit_length(
    features: NDArray[np.float32], widths: Sequence[int], scales: Sequence[_Scale]
) -> NDArray[np.float32]:
    """Return the features with each block scaled and at length 1 over the root of the number of blocks, or zero."""
    out = np.empty(features.shape, dtype=np.float32)
    for columns, scale in zip(_columns(widths), scales, strict=True):
        block = features[:, columns]
        if scale is not _NO_SCALE:
            block = (block - scale.mean) / scale.deviation
        length = np.sqrt(np.einsum("ij,ij->i", block, block))[:, None]
        np.divide(block, np.where(length > 0, length * np.float32(len(widths) ** 0.5), 1.0), out=out[:, columns])
    return out
