"""Agreement of each pair of annotators on what both rated, without intervals."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from audit_core.agreement.alpha import differences_of, given_distance, krippendorff_alpha
from audit_core.agreement.estimate import Estimate, undefined, why_no_variation
from audit_core.agreement.kappa import cohen_kappa
from audit_core.agreement.ratings import Patterns, Ratings
from audit_core.agreement.records import Compare, Figure
from audit_core.agreement.report import Pair
from audit_core.agreement.sets import masi_distances
from audit_core.agreement.weights import Metric, Weights

if TYPE_CHECKING:
    from audit_core.agreement.alpha import Differences
    from audit_core.agreement.ratings import Floats, Whole

_NOTHING = "no item was rated by both"


def pairs_of(ratings: Ratings, compare: Compare) -> tuple[Pair, ...]:
    """Return the agreement of each two raters who rated anything, those without a common item as well."""
    apart = _differences(ratings, compare)
    return tuple(_pair(ratings, compare, one, other, apart) for one, other in combinations(ratings.active, 2))


def _differences(ratings: Ratings, compare: Compare) -> Differences:
    if compare is Compare.SET:
        return given_distance(masi_distances([each for each in ratings.scale if isinstance(each, frozenset)]))
    return differences_of(Metric(compare.value), ratings.scale)


def _pair(ratings: Ratings, compare: Compare, one: int, other: int, apart: Differences) -> Pair:
    table = ratings.of_two(one, other)
    total = int(table.sum())
    percent = Estimate(float(table.trace()) / total) if total else undefined(_NOTHING)
    patterns = _patterns(table)
    alpha = krippendorff_alpha(patterns, ratings.scale, apart) if total else undefined(_NOTHING)
    if total and alpha.value is None:
        alpha = undefined(why_no_variation(patterns, ratings.scale, who="both"))
    kappa = None
    if compare is not Compare.SET:
        weights = Weights.QUADRATIC if compare is Compare.ORDINAL else Weights.IDENTITY
        name = "Cohen's kappa (quadratic weights)" if compare is Compare.ORDINAL else "Cohen's kappa"
        kappa = _figure("kappa", name, cohen_kappa(table, ratings.scale, weights=weights))
    return Pair(
        one, other, total, _figure("percent", "Percent agreement", percent), kappa,
        _figure("alpha", f"Krippendorff's alpha ({'MASI' if compare is Compare.SET else compare.value})", alpha),
    )  # fmt: skip


def _figure(name: str, title: str, found: Estimate) -> Figure:
    return Figure(name, title, found.value, found.undefined, se=found.se)


def _patterns(table: Whole) -> Patterns:
    """Return the units of a table of two raters as patterns: each cell is two values."""
    import numpy as np

    size = len(table)
    rows, columns = np.nonzero(table)
    counts: Floats = np.zeros((len(rows), size))
    np.add.at(counts, (np.arange(len(rows)), rows), 1.0)
    np.add.at(counts, (np.arange(len(rows)), columns), 1.0)
    return Patterns(counts, table[rows, columns].astype(np.float64), np.arange(len(rows)))
