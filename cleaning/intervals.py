"""Intervals for whole arrays at once: Wilson bounds, and the sums over which the document bootstrap takes its means."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from audit_core.errors import CleaningError
from audit_core.statistics.clustered import WEIGHTS_AT_ONCE
from audit_core.statistics.intervals import check_confidence

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

#: How the uncertainty from sharing documents is named, and what it does not show.
BOOTSTRAP_SAYS = (
    "Each document is re-weighted: this shows the uncertainty from sampling queries, not from wrong labels."
)


def wilson_bounds(
    count: ArrayLike, n: ArrayLike, *, confidence: float = 0.95
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return (low, high) of the Wilson score interval of each count out of each n; NaN where n is 0.

    Counts and n need not be whole (expected counts, effective n). Source: Wilson 1927, as `statistics.wilson`.
    """
    from scipy.special import ndtri

    level = check_confidence(confidence)
    hits, whole = np.broadcast_arrays(np.asarray(count, dtype=np.float64), np.asarray(n, dtype=np.float64))
    z2 = float(ndtri(0.5 + level / 2.0)) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        p = hits / whole
        centre = (hits + z2 / 2.0) / (whole + z2)
        half = np.sqrt(z2) / (whole + z2) * np.sqrt(whole * p * (1.0 - p) + z2 / 4.0)
        # The formula is exact at 0 and n on paper, but leaves 1e-17 in floating point.
        low = np.where(hits == 0, 0.0, np.minimum(np.maximum(centre - half, 0.0), p))
        high = np.where(hits == whole, 1.0, np.maximum(np.minimum(centre + half, 1.0), p))
    empty = whole == 0
    return np.where(empty, np.nan, low), np.where(empty, np.nan, high)


def bootstrap_sums(
    columns: NDArray[np.float64], documents: Sequence[Collection[str]], *, resamples: int = 2000, seed: int = 1
) -> NDArray[np.float64]:
    """Return the weighted column sums of each resample, of shape (resamples, columns).

    `columns` has shape (n queries, columns), `documents` one collection of ids a query. In a resample each document
    draws an Exp(1) weight and a query weighs the product over its distinct documents; a query without documents draws
    its own (Owen and Eckles 2012, Annals of Applied Statistics 6, 895-927). All columns meet the same weights, so that
    ratios of columns can be compared resample by resample.

    Raises:
        CleaningError: not one set of documents a query; fewer than 100 resamples.
    """
    n = len(columns)
    if len(documents) != n:
        raise CleaningError(f"{len(documents)} sets of documents were given for {n} queries: give one each.")
    if resamples < 100:
        raise CleaningError(f"At least 100 resamples are needed for a percentile interval; found {resamples}.")
    if n == 0:
        return np.zeros((resamples, columns.shape[1]))
    first, others, clusters = _clusters(documents)
    generator = np.random.default_rng(seed)
    sums = np.empty((resamples, columns.shape[1]))
    at_once = max(1, WEIGHTS_AT_ONCE // max(clusters, n))
    for start in range(0, resamples, at_once):
        stop = min(resamples, start + at_once)
        drawn = generator.standard_exponential((stop - start, clusters))
        weights = drawn[:, first]
        for rows, numbers in others:
            weights[:, rows] *= drawn[:, numbers]
        sums[start:stop] = weights @ columns
    return sums


def _clusters(
    documents: Sequence[Collection[str]],
) -> tuple[NDArray[np.intp], list[tuple[NDArray[np.intp], NDArray[np.intp]]], int]:
    """Return the first cluster of each query; (rows, clusters) of those with a second, a third ...; how many there are.

    Documents are numbered in the order of their names, then queries without any in their own order.
    """
    sets = [sorted(set(each)) for each in documents]
    number = {document: index for index, document in enumerate(sorted({one for each in sets for one in each}))}
    first = np.empty(len(sets), dtype=np.intp)
    later: dict[int, tuple[list[int], list[int]]] = {}
    clusters = len(number)
    for row, each in enumerate(sets):
        if not each:
            first[row], clusters = clusters, clusters + 1
            continue
        first[row] = number[each[0]]
        for place, document in enumerate(each[1:]):
            rows, numbers = later.setdefault(place, ([], []))
            rows.append(row)
            numbers.append(number[document])
    others = [(np.asarray(rows, dtype=np.intp), np.asarray(held, dtype=np.intp)) for rows, held in later.values()]
    return first, others, clusters
