"""The figures of each strategy: rates of the first repeat, their spread over the repeats, by group, at equal share kept."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from audit_core.statistics.intervals import CLUSTERED, WILSON, Interval
from cleaning.compare_share import AtShare, at_share_kept
from cleaning.contract import Kind
from cleaning.intervals import bootstrap_sums
from cleaning.metrics import MEASURES, Rates, inverse_weights, measure, measure_groups

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from cleaning.compare import Compared, Scored


@dataclass(frozen=True, slots=True)
class Spread:
    """How one rate varies over the repeats in which it is defined; all None where it never is, `sd` in a single one.

    Other deals of the same queries into folds: no interval, and no more data.
    """

    minimum: float | None
    maximum: float | None
    sd: float | None
    repeats: int


@dataclass(frozen=True, slots=True)
class Summary:
    """One strategy's figures. `rates` come from repeat 1, in which each query is scored once out of fold.

    `spread` goes by the names of `metrics.MEASURES`; `groups` by kind of group (such as `source`), then by group.
    `clustered` is the false omission rate with the document-clustered interval, None where no documents were given.
    `ranked` is False for difficulty filters, which describe easy queries, not bad ones.
    """

    name: str
    title: str
    kind: Kind
    rates: Rates
    spread: dict[str, Spread]
    groups: dict[str, dict[str, Rates]]
    ranked: bool
    clustered: Interval | None = None


@dataclass(frozen=True, slots=True)
class ShareRow:
    """One strategy at a share kept that all strategies are held to; `spread` is that of its FOR over the repeats."""

    name: str
    at: AtShare
    spread: Spread


def summarise(
    compared: Compared,
    *,
    groups: Mapping[str, Sequence[str | None]] | None = None,
    documents: Sequence[Collection[str]] | None = None,
    probabilities: ArrayLike | None = None,
    resamples: int = 2000,
    seed: int = 1,
    confidence: float = 0.95,
) -> tuple[Summary, ...]:
    """Return the figures of every strategy that did not fail, in their order.

    `groups` holds, by kind of group, one group an evaluated query; `probabilities` the selection probability of each
    (rates are then weighted by their inverse). With `documents`, the evidence documents of each evaluated query, the
    document-clustered interval stands beside the first: queries that share documents are not independent.

    Raises:
        CleaningError: groups, documents or probabilities that are not one an evaluated query, or not in (0, 1].
    """

    clustered = (
        {}
        if documents is None
        else _clustered(compared, documents, inverse_weights(probabilities, len(compared.remove)), resamples, seed)
    )

    def one(each: Scored) -> Summary:
        repeats = [
            measure(decisions, compared.remove, probabilities=probabilities, confidence=confidence)
            for decisions in each.decisions
        ]
        by_group = {
            kind: measure_groups(
                each.decisions[0], compared.remove, names, probabilities=probabilities, confidence=confidence
            )
            for kind, names in (groups or {}).items()
        }
        spread = {name: spread_of([getattr(rates, name).estimate for rates in repeats]) for name in MEASURES}
        beside = None
        if documents is not None:
            beside = _percentile(repeats[0].false_omission, clustered[each.name], confidence)
        ranked = each.kind != Kind.DIFFICULTY
        return Summary(each.name, each.title, each.kind, repeats[0], spread, by_group, ranked, beside)

    return tuple(one(each) for each in compared.usable)


def at_equal_share(compared: Compared, *, share_kept: float, confidence: float = 0.95) -> tuple[ShareRow, ...]:
    """Return every strategy with the same number of queries kept, ranked by its scores; random removal is the last row.

    Counts come from repeat 1. Random removal, called `random removal`, keeps bad queries at the base rate.

    Raises:
        CleaningError: `share_kept` outside [0, 1].
    """
    rows: list[ShareRow] = []
    for each in compared.usable:
        repeats = [
            at_share_kept(scores, compared.remove, share_kept=share_kept, confidence=confidence)
            for scores in each.scores
        ]
        rows.append(ShareRow(each.name, repeats[0], spread_of([at.false_omission.estimate for at in repeats])))
    level = at_share_kept(np.zeros(len(compared.remove)), compared.remove, share_kept=share_kept, confidence=confidence)
    base = level.false_omission.estimate
    says = "the base rate: expected, not counted" if base is not None else str(level.undefined)
    random = Interval(base, None, None, confidence, WILSON, level.kept, None, says)
    without_interval = AtShare(
        level.kept, level.removed, level.kept_positives, level.tied, random, level.recall, level.undefined
    )
    rows.append(ShareRow("random removal", without_interval, spread_of([base])))
    return tuple(rows)


def spread_of(values: Sequence[float | None]) -> Spread:
    """Return the spread of the values that are not None; `sd` is that of a sample (n - 1)."""
    known = [value for value in values if value is not None]
    if not known:
        return Spread(None, None, None, 0)
    sd = float(np.std(known, ddof=1)) if len(known) > 1 else None
    return Spread(min(known), max(known), sd, len(known))


def _clustered(
    compared: Compared,
    documents: Sequence[Collection[str]],
    weights: NDArray[np.float64],
    resamples: int,
    seed: int,
) -> dict[str, NDArray[np.float64]]:
    """Return the resampled false omission rates of every strategy, by name, on the same resamples of documents."""
    kept = np.stack([each.decisions[0] != 1.0 for each in compared.usable], axis=1)
    columns = np.concatenate([kept & compared.remove[:, None], kept], axis=1) * weights[:, None]
    sums = bootstrap_sums(columns, documents, resamples=resamples, seed=seed)
    size = kept.shape[1]
    part, whole = sums[:, :size], sums[:, size:]
    rates = np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0.0)
    return {each.name: rates[:, place] for place, each in enumerate(compared.usable)}


def _percentile(rate: Interval, resampled: NDArray[np.float64], confidence: float) -> Interval:
    """Return the rate with the percentile interval of its resamples, widened to the rate itself."""
    if rate.estimate is None:
        return Interval(None, None, None, confidence, CLUSTERED, rate.n, rate.count, rate.undefined)
    if rate.estimate in (0.0, 1.0):
        reason = "all kept queries are of one kind, so each resample repeats the same share"
        return Interval(rate.estimate, None, None, confidence, CLUSTERED, rate.n, rate.count, reason)
    tail = (1.0 - confidence) / 2.0
    low, high = (float(each) for each in np.quantile(resampled, [tail, 1.0 - tail]))
    bounds = max(0.0, min(low, rate.estimate)), min(1.0, max(high, rate.estimate))
    return Interval(rate.estimate, *bounds, confidence, CLUSTERED, rate.n, rate.count)
