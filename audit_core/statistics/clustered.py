"""The document-clustered interval of a proportion: entries that share evidence documents are not independent."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from audit_core.errors import StatisticsError
from audit_core.statistics.intervals import CLUSTERED, Interval, check_confidence, check_count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Random weights drawn at once; bounds the memory (8 bytes each) whatever the number of entries.
WEIGHTS_AT_ONCE = 4_000_000


@dataclass(frozen=True, slots=True)
class ClusteredInterval:
    """A bootstrap interval over documents, and what it rests on.

    `documents` counts distinct evidence documents; `sharing` the entries that have a document in common with another
    entry; `without_document` the entries that name none (each resampled by itself).
    """

    interval: Interval
    resamples: int
    seed: int
    documents: int
    sharing: int
    without_document: int


def entries_sharing_documents(documents: Sequence[Collection[str]]) -> int:
    """Return how many entries have an evidence document in common with another; one collection of ids an entry."""
    holders: dict[str, int] = {}
    for each in documents:
        for document in set(each):
            holders[document] = holders.get(document, 0) + 1
    return sum(any(holders[document] > 1 for document in each) for each in documents)


def document_clustered(
    correct: Sequence[bool],
    documents: Sequence[Collection[str]],
    *,
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int = 1,
) -> ClusteredInterval:
    """Return the share of correct entries with a percentile interval from resampling documents.

    Each document draws an Exp(1) weight; an entry's weight is the product over its distinct evidence documents; a
    resample is the weighted mean (Owen and Eckles 2012, Annals of Applied Statistics 6, 895-927). The same seed gives
    the same interval whatever the order of the documents. It shows the uncertainty from sampling, not from wrong
    judgments.

    Undefined, with the reason: no entries; fewer than two documents; all entries on the same documents; all entries
    of the same value (each resample would repeat it).

    Raises:
        StatisticsError: the two sequences differ in length; fewer than 100 resamples; a confidence outside (0, 1).
    """
    level = check_confidence(confidence)
    if len(correct) != len(documents):
        raise StatisticsError(f"{len(correct)} values but {len(documents)} sets of documents: one of each per entry.")
    if check_count(resamples, what="the number of resamples") < 100:
        raise StatisticsError(f"At least 100 resamples are needed for a percentile interval; found {resamples}.")
    sets = [frozenset(each) for each in documents]
    distinct = sorted(frozenset().union(*sets))
    hits = sum(bool(value) for value in correct)
    interval = _interval(correct, sets, distinct, level, resamples, seed, hits)
    return ClusteredInterval(
        interval=interval,
        resamples=resamples,
        seed=seed,
        documents=len(distinct),
        sharing=entries_sharing_documents(sets),
        without_document=sum(not each for each in sets),
    )


def _interval(
    correct: Sequence[bool],
    sets: Sequence[frozenset[str]],
    distinct: Sequence[str],
    level: float,
    resamples: int,
    seed: int,
    hits: int,
) -> Interval:
    import numpy as np

    n = len(sets)
    reason = _why_undefined(n, hits, sets, len(distinct))
    if reason is not None:
        return Interval(hits / n if n else None, None, None, level, CLUSTERED, n, hits, reason)
    groups = _groups(correct, sets, distinct)
    means = _resampled_means(groups, resamples, seed)
    tail = (1.0 - level) / 2.0
    low, high = (float(bound) for bound in np.quantile(means, [tail, 1.0 - tail]))
    estimate = hits / n
    # A percentile interval need not hold the estimate when a few documents carry most entries; it is widened to it
    # then.
    return Interval(estimate, min(max(0.0, low), estimate), max(min(1.0, high), estimate), level, CLUSTERED, n, hits)


def _why_undefined(n: int, hits: int, sets: Sequence[frozenset[str]], documents: int) -> str | None:
    if n == 0:
        return "no entries (0 of 0)"
    clusters = documents + sum(not each for each in sets)
    if clusters < 2:
        return "all entries rest on one document" if documents else "one entry, which names no document"
    if documents and len(set(sets)) == 1:
        return "all entries rest on the same documents"
    if hits in (0, n):
        return f"every entry is {'correct' if hits else 'incorrect'}, so each resample repeats the same share"
    return None


def _groups(
    correct: Sequence[bool], sets: Sequence[frozenset[str]], distinct: Sequence[str]
) -> dict[tuple[int, ...], tuple[int, int]]:
    """Return (entries, correct entries) by the sorted cluster numbers they rest on, in the order of those numbers.

    Entries on the same documents get the same weight in every resample, so they are counted together.
    """
    number = {document: index for index, document in enumerate(distinct)}
    groups: dict[tuple[int, ...], tuple[int, int]] = {}
    alone = len(number)
    for value, each in zip(correct, sets, strict=True):
        if each:
            key = tuple(sorted(number[document] for document in each))
        else:
            key, alone = (alone,), alone + 1
        size, hits = groups.get(key, (0, 0))
        groups[key] = (size + 1, hits + bool(value))
    return dict(sorted(groups.items()))


def _resampled_means(groups: dict[tuple[int, ...], tuple[int, int]], resamples: int, seed: int) -> NDArray[np.float64]:
    import numpy as np

    members = np.asarray([cluster for key in groups for cluster in key], dtype=np.int64)
    lengths = np.asarray([len(key) for key in groups], dtype=np.int64)
    starts = np.cumsum(lengths) - lengths
    counts = np.asarray(list(groups.values()), dtype=np.float64)
    clusters = int(members.max()) + 1
    generator = np.random.default_rng(seed)
    means = np.empty(resamples, dtype=np.float64)
    at_once = max(1, WEIGHTS_AT_ONCE // max(clusters, len(members)))
    for first in range(0, resamples, at_once):
        last = min(resamples, first + at_once)
        drawn = generator.standard_exponential((last - first, clusters))
        weights = np.multiply.reduceat(drawn[:, members], starts, axis=1)
        sums = weights @ counts
        means[first:last] = sums[:, 1] / sums[:, 0]
    return means
