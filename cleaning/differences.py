"""Is one strategy better than another? Paired differences on the same queries, with intervals, p values and the ids."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from audit_core.errors import CleaningError
from audit_core.statistics.intervals import check_confidence
from cleaning.intervals import bootstrap_sums
from cleaning.metrics import inverse_weights

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from cleaning.compare import Compared

#: What is compared: (FN + U+) / kept, kept / n, TP / positives, kept negatives / negatives.
BOOTSTRAPPED = ("false_omission", "share_kept", "recall")
TESTED = ("recall", "specificity")


@dataclass(frozen=True, slots=True)
class Difference:
    """First minus second strategy in one measure, with a percentile interval and a two-sided p from the bootstrap.

    `holm` is p adjusted over all pairs of the family for this measure. All None, with the reason in `undefined`, where
    one of the two rates is; `says` adds what a reader must know.
    """

    measure: str
    first: float | None
    second: float | None
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    holm: float | None
    undefined: str | None = None
    says: str = ""


@dataclass(frozen=True, slots=True)
class McNemar:
    """The exact test of equal recall (over positives) or equal specificity (over negatives) of two strategies.

    `only_first` and `only_second` count the queries that only the one removes, among `n`; undecided ones are not
    removed. It takes queries for independent, as the bootstrap does not.
    """

    measure: str
    n: int
    only_first: int
    only_second: int
    p: float | None
    holm: float | None
    says: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two strategies on the same queries, and the ids on which they part."""

    first: str
    second: str
    differences: tuple[Difference, ...]
    tests: tuple[McNemar, ...]
    only_first_removes: tuple[str, ...]
    only_second_removes: tuple[str, ...]


def pairwise_differences(
    compared: Compared,
    documents: Sequence[Collection[str]],
    *,
    names: Sequence[str] | None = None,
    probabilities: ArrayLike | None = None,
    resamples: int = 2000,
    seed: int = 1,
    confidence: float = 0.95,
) -> tuple[Pair, ...]:
    """Return all pairs of the strategies (or of those named), by the decisions of repeat 1.

    `documents` holds the evidence documents of each evaluated query. All strategies meet the same resamples of
    documents; with selection probabilities each query counts 1/probability in the rates (not in McNemar's test). p is
    twice the smaller share of resamples on one side of zero, ties on both, with one added to count and number. Holm's
    adjustment is over all pairs given here, each measure by itself.

    Raises:
        CleaningError: fewer than two strategies, an unknown or failed one, not one set of documents a query.
    """
    level = check_confidence(confidence)
    chosen = [each.name for each in compared.usable] if names is None else list(names)
    if len(chosen) < 2:
        raise CleaningError(f"A difference needs two strategies; {len(chosen)} took part without failing.")
    scored = [compared.of(name) for name in chosen]
    failed = [each for each in scored if each.failed is not None]
    if failed:
        raise CleaningError(f"{failed[0].name!r} failed, so nothing can be compared with it: {failed[0].failed}")
    removes = np.stack([each.decisions[0] == 1.0 for each in scored])
    weights = inverse_weights(probabilities, len(compared.remove))
    rates = _Rates.of(removes, compared.remove, weights, documents, resamples, seed)
    pairs: list[Pair] = []
    for one, other in combinations(range(len(chosen)), 2):
        pairs.append(
            Pair(
                chosen[one],
                chosen[other],
                tuple(rates.difference(measure, one, other, level) for measure in BOOTSTRAPPED),
                tuple(_mcnemar(measure, removes[one], removes[other], compared.remove) for measure in TESTED),
                _ids(compared.query_ids, removes[one] & ~removes[other]),
                _ids(compared.query_ids, removes[other] & ~removes[one]),
            )
        )
    return _adjusted(pairs)


def holm(p_values: Sequence[float | None]) -> tuple[float | None, ...]:
    """Return p values adjusted by Holm's step-down method (Holm 1979); None (undefined) counts for no test."""
    known = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, place) in enumerate(known):
        highest = max(highest, min(1.0, p * (len(known) - rank)))
        adjusted[place] = highest
    return tuple(adjusted)


def mcnemar_p(only_first: int, only_second: int) -> float:
    """Return the exact two-sided p of McNemar's test: a fair coin over the queries on which the two part."""
    from scipy.stats import binom

    parted = only_first + only_second
    if not parted:
        return 1.0
    return min(1.0, 2.0 * float(binom.cdf(min(only_first, only_second), parted, 0.5)))


@dataclass(frozen=True, slots=True, eq=False)
class _Rates:
    """Parts and wholes of each measure, observed (strategies,) and resampled (resamples, strategies)."""

    observed: dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]]
    resampled: dict[str, NDArray[np.float64]]

    @classmethod
    def of(
        cls,
        removes: NDArray[np.bool_],
        remove: NDArray[np.bool_],
        weights: NDArray[np.float64],
        documents: Sequence[Collection[str]],
        resamples: int,
        seed: int,
    ) -> _Rates:
        size, n = removes.shape
        kept = ~removes.T
        labels = remove[:, None]
        # Kept positives, kept, and what all strategies share: positives and all queries.
        columns = np.concatenate([kept & labels, kept, labels, np.ones((n, 1), dtype=bool)], axis=1) * weights[:, None]
        sums = bootstrap_sums(columns, documents, resamples=resamples, seed=seed)
        resampled = {measure: _divide(*parts) for measure, parts in cls._parts(sums, size).items()}
        return cls(cls._parts(columns.sum(axis=0)[None, :], size), resampled)

    @staticmethod
    def _parts(sums: NDArray[np.float64], size: int) -> dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]]:
        kept_bad, kept = sums[:, :size], sums[:, size : 2 * size]
        positives, everything = sums[:, 2 * size : 2 * size + 1], sums[:, 2 * size + 1 :]
        return {
            "false_omission": (kept_bad, kept),
            "share_kept": (kept, np.broadcast_to(everything, kept.shape)),
            "recall": (positives - kept_bad, np.broadcast_to(positives, kept.shape)),
        }

    def difference(self, measure: str, one: int, other: int, level: float) -> Difference:
        part, whole = (each[0] for each in self.observed[measure])
        first, second = (float(part[each] / whole[each]) if whole[each] else None for each in (one, other))
        if first is None or second is None:
            reason = "no query is to be removed" if measure == "recall" else "one of the two keeps nothing"
            return Difference(measure, first, second, None, None, None, None, None, reason)
        drawn = self.resampled[measure][:, one] - self.resampled[measure][:, other]
        # Rounding leaves 1e-17 between sums of the same weights; that is no difference.
        drawn[np.abs(drawn) < 1e-12] = 0.0
        difference = first - second
        if not drawn.any():
            # The same queries decide both rates: equal decisions, or a strategy against itself.
            says = "the same in every resample: p = 1"
            return Difference(measure, first, second, 0.0, 0.0, 0.0, 1.0, None, says=says)
        tail = (1.0 - level) / 2.0
        low, high = (float(each) for each in np.quantile(drawn, [tail, 1.0 - tail]))
        fewest = min(int((drawn <= 0.0).sum()), int((drawn >= 0.0).sum()))
        p = min(1.0, 2.0 * (fewest + 1) / (len(drawn) + 1))
        return Difference(measure, first, second, difference, min(low, difference), max(high, difference), p, None)


def _divide(part: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    out = np.full(part.shape, np.nan)
    np.divide(part, whole, out=out, where=whole > 0.0)
    return out


def _mcnemar(measure: str, first: NDArray[np.bool_], second: NDArray[np.bool_], remove: NDArray[np.bool_]) -> McNemar:
    among = remove if measure == "recall" else ~remove
    n, word = int(among.sum()), "positives" if measure == "recall" else "negatives"
    only_first, only_second = int((first & ~second & among).sum()), int((second & ~first & among).sum())
    if not n:
        return McNemar(measure, 0, 0, 0, None, None, f"no {word}")
    says = "" if only_first + only_second else f"the two decide the same on all {n} {word}: p = 1"
    return McNemar(measure, n, only_first, only_second, mcnemar_p(only_first, only_second), None, says)


def _adjusted(pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    """Return the pairs with Holm's adjustment over all of them, measure by measure."""
    differences = [holm([pair.differences[place].p for pair in pairs]) for place in range(len(BOOTSTRAPPED))]
    tests = [holm([pair.tests[place].p for pair in pairs]) for place in range(len(TESTED))]
    return tuple(
        replace(
            pair,
            differences=tuple(
                replace(each, holm=differences[place][row]) for place, each in enumerate(pair.differences)
            ),
            tests=tuple(replace(each, holm=tests[place][row]) for place, each in enumerate(pair.tests)),
        )
        for row, pair in enumerate(pairs)
    )


def _ids(query_ids: Sequence[str], rows: NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(query_ids[row] for row in np.flatnonzero(rows).tolist())
