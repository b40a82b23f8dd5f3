"""From ratings to figures: which coefficients belong to which scale, their values, and what a bootstrap computes anew."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from audit_core.agreement.alpha import Differences, alpha_parts, differences_of, given_distance
from audit_core.agreement.alpha import krippendorff_alpha as krippendorff
from audit_core.agreement.bootstrap import Bounds, Clusters, Plan, Task, bootstrap
from audit_core.agreement.coefficients import (
    drawn,
    fleiss_kappa,
    fleiss_parts,
    gwet_parts,
    observed_agreement,
    percent_agreement,
    prevalence,
)
from audit_core.agreement.estimate import Estimate, less_disagreement, undefined, why_no_variation, why_nothing
from audit_core.agreement.gwet import gwet_ac
from audit_core.agreement.kappa import cohen_drawn, cohen_kappa
from audit_core.agreement.ratings import Patterns, Ratings, patterns_of
from audit_core.agreement.records import Agreed, Amounts, Compare, Figure, ValueCount
from audit_core.agreement.sets import masi_distances
from audit_core.agreement.weights import Metric, Weights, agreement_weights

if TYPE_CHECKING:
    from audit_core.agreement.ratings import Floats, Whole

Formula = Callable[["Floats"], "Floats"]

_METRIC_WORDS = {each: f"Krippendorff's alpha ({each.value})" for each in Metric}


@dataclass(frozen=True)
class Measured:
    """The figures of one thing without intervals, and the tasks that give them intervals."""

    agreed: Agreed
    tasks: tuple[Task, ...]

    def with_bounds(self, bounds: Sequence[Mapping[str, Bounds]]) -> Agreed:
        """Return the figures with the intervals that the tasks gave, in their order."""
        found = {name: each for one in bounds for name, each in one.items()}
        return replace(self.agreed, figures=tuple(_bounded(each, found.get(each.name)) for each in self.agreed.figures))

    def without_bounds(self, reason: str) -> Agreed:
        """Return the figures with the reason why they have no interval."""
        figures = (
            replace(each, no_interval=reason) if each.value is not None else each for each in self.agreed.figures
        )
        return replace(self.agreed, figures=tuple(figures))


def _bounded(figure: Figure, bounds: Bounds | None) -> Figure:
    if bounds is None:
        return figure
    return replace(figure, low=bounds.low, high=bounds.high, no_interval=bounds.undefined, failed=bounds.failed)


def measure(
    ratings: Ratings,
    compare: Compare,
    *,
    entries: Whole | None = None,
    with_interval_metric: bool = False,
    only: Collection[str] | None = None,
) -> Measured:
    """Return the figures of ratings: percent, a kappa, alpha, AC1 (nominal) or AC2 (ordinal); of sets percent and alpha by MASI.

    With exactly two raters the kappa is Cohen's, of an ordinal scale weighted; with more it is Fleiss'. With
    `with_interval_metric` (numbers whose distances mean something) alpha is given by that metric as well. `entries` is what
    each unit belongs to among the units of the clusters that a bootstrap weighs (default: the units are those). `only` names
    the figures that are wanted.
    """
    import numpy as np

    patterns = patterns_of(ratings.counts, width=len(ratings.scale))
    reason = why_nothing(ratings)
    kinds = _kinds(ratings, patterns, compare, with_interval_metric=with_interval_metric)
    if only is not None:
        kinds = [each for each in kinds if each[0] in only]
    figures = [
        Figure(name, title, None, reason) if reason else _figure(name, title, estimate())
        for name, title, estimate, _ in kinds
    ]
    agreed = Agreed(amounts=amounts_of(ratings), prevalence=_prevalence(ratings, patterns), figures=tuple(figures))
    if reason:
        return Measured(agreed, ())
    values = {each.name: each.value for each in figures}
    formulas = {name: rule for name, _, _, rule in kinds if rule is not None}
    entry_of = np.arange(ratings.units) if entries is None else entries
    tasks = [Task(entry_of, patterns.of_unit, np.ones(ratings.units), len(patterns.sizes), formulas, values)]
    tasks += _task_of_two(ratings, compare, entry_of, values)
    return Measured(agreed, tuple(tasks))


def _figure(name: str, title: str, found: Estimate) -> Figure:
    return Figure(name, title, found.value, found.undefined, se=found.se)


def _kinds(
    ratings: Ratings, patterns: Patterns, compare: Compare, *, with_interval_metric: bool
) -> list[tuple[str, str, Callable[[], Estimate], Formula | None]]:
    """Return (name, title, the estimate, what a draw computes) of each figure; kappas of two are drawn by a task of their own."""
    scale, size = ratings.scale, len(ratings.scale)
    exact = agreement_weights(Weights.IDENTITY, scale)
    kinds: list[tuple[str, str, Callable[[], Estimate], Formula | None]] = [
        (
            "percent", "Percent agreement", lambda: percent_agreement(patterns, scale),
            lambda weights: observed_agreement(patterns, weights, exact),
        )
    ]  # fmt: skip
    if compare is Compare.SET:
        distance = masi_distances([each for each in scale if isinstance(each, frozenset)])
        return [*kinds, _alpha("alpha", "Krippendorff's alpha (MASI)", patterns, scale, given_distance(distance))]
    kinds += _kappas(ratings, patterns, compare)
    if compare is Compare.NOMINAL:
        return [
            *kinds,
            _alpha("alpha", _METRIC_WORDS[Metric.NOMINAL], patterns, scale, differences_of(Metric.NOMINAL, scale)),
            _gwet("ac1", "Gwet's AC1", patterns, scale, Weights.IDENTITY),
        ]
    metrics = [("alpha", Metric.ORDINAL), *([("alpha_interval", Metric.INTERVAL)] if with_interval_metric else [])]
    kinds += [_alpha(name, _METRIC_WORDS[each], patterns, scale, differences_of(each, scale)) for name, each in metrics]
    if size < 2:
        return kinds
    for each in (Weights.LINEAR, Weights.ORDINAL, Weights.QUADRATIC):
        kinds.append(_gwet(f"ac2_{each.value}", f"Gwet's AC2 ({each.value})", patterns, scale, each))
    return kinds


def _alpha(
    name: str, title: str, patterns: Patterns, scale: tuple[object, ...], apart: Differences
) -> tuple[str, str, Callable[[], Estimate], Formula | None]:
    return (
        name, title, lambda: krippendorff(patterns, scale, apart),
        lambda weights: less_disagreement(*alpha_parts(patterns, weights, apart)),
    )  # fmt: skip


def _gwet(
    name: str, title: str, patterns: Patterns, scale: tuple[object, ...], kind: Weights
) -> tuple[str, str, Callable[[], Estimate], Formula | None]:
    credit = agreement_weights(kind, scale)
    return (
        name, title, lambda: gwet_ac(patterns, scale, weights=kind),
        lambda weights: drawn(gwet_parts, patterns, weights, credit),
    )  # fmt: skip


_TWO_KAPPAS = (
    ("kappa", "Cohen's kappa", Weights.IDENTITY),
    ("kappa_linear", "Cohen's kappa (linear weights)", Weights.LINEAR),
    ("kappa_quadratic", "Cohen's kappa (quadratic weights)", Weights.QUADRATIC),
)


def _of_two(compare: Compare) -> Sequence[tuple[str, str, Weights]]:
    return _TWO_KAPPAS[:1] if compare is Compare.NOMINAL else _TWO_KAPPAS


def _kappas(
    ratings: Ratings, patterns: Patterns, compare: Compare
) -> list[tuple[str, str, Callable[[], Estimate], Formula | None]]:
    scale = ratings.scale
    if len(ratings.active) != 2:
        credit = agreement_weights(Weights.IDENTITY, scale)
        return [
            (
                "fleiss", "Fleiss' kappa", lambda: fleiss_kappa(patterns, scale),
                lambda weights: drawn(fleiss_parts, patterns, weights, credit),
            )
        ]  # fmt: skip
    table = ratings.of_two(*ratings.active)
    return [(name, title, _cohen(table, patterns, scale, kind), None) for name, title, kind in _of_two(compare)]


def _cohen(table: Whole, patterns: Patterns, scale: tuple[object, ...], kind: Weights) -> Callable[[], Estimate]:
    def estimate() -> Estimate:
        found = cohen_kappa(table, scale, weights=kind)
        return undefined(why_no_variation(patterns, scale)) if found.value is None else found

    return estimate


def _task_of_two(ratings: Ratings, compare: Compare, entry_of: Whole, values: Mapping[str, float | None]) -> list[Task]:
    """Return the task of Cohen's kappas: its sums are the cells of the table of the two raters."""
    import numpy as np

    if len(ratings.active) != 2 or compare is Compare.SET:
        return []
    unit, cell = ratings.cells_of_two(*ratings.active)
    size = len(ratings.scale)

    def formula(kind: Weights) -> Formula:
        credit = agreement_weights(kind, ratings.scale)
        return lambda sums: cohen_drawn(sums.reshape(-1, size, size), credit)

    formulas = {name: formula(kind) for name, _, kind in _of_two(compare) if name in values}
    return [Task(entry_of[unit], cell, np.ones(len(unit)), size * size, formulas, values)]


def amounts_of(ratings: Ratings) -> Amounts:
    """Return what figures of these ratings rest on."""
    raters = ratings.counts.sum(axis=1)
    return Amounts(
        items=int((raters >= 2).sum()),
        lone=int((raters == 1).sum()),
        raters=len(ratings.active),
        ratings=len(ratings.unit),
        pairs=int((raters * (raters - 1) // 2).sum()),
    )


def _prevalence(ratings: Ratings, patterns: Patterns) -> tuple[ValueCount, ...]:
    if not len(ratings.unit):
        return tuple(ValueCount(each, 0, 0.0) for each in ratings.scale)
    shares = prevalence(patterns, patterns.sizes[None, :])[0]
    given = ratings.counts.sum(axis=0)
    return tuple(ValueCount(each, int(given[place]), float(shares[place])) for place, each in enumerate(ratings.scale))


def mean_of(
    name: str, title: str, values: Sequence[float], entries: Sequence[int], *, nothing: str
) -> tuple[Figure, Task | None]:
    """Return the mean of values, each of something on an entry, and the task that gives it an interval; `nothing`: why there is none."""
    import numpy as np

    if not values:
        return Figure(name, title, None, nothing), None
    amounts = np.asarray(values, dtype=np.float64)
    places = np.asarray(entries, dtype=np.int64)
    mean = float(amounts.mean())
    both = np.concatenate((places, places))
    column = np.repeat([0, 1], len(places))
    added = np.concatenate((amounts, np.ones(len(places))))
    task = Task(both, column, added, 2, {name: lambda sums: sums[:, 0] / sums[:, 1]}, {name: mean})
    return Figure(name, title, mean), task


def with_intervals(measured: Sequence[Measured], clusters: Clusters, plan: Plan | None) -> list[Agreed]:
    """Return the figures of several things with intervals, all by the same draws, and on how many documents they rest.

    Without a plan each says that no bootstrap was asked for.
    """
    drawn = iter([] if plan is None else bootstrap(clusters, [task for each in measured for task in each.tasks], plan))
    found = []
    for each in measured:
        if plan is None:
            agreed = each.without_bounds("no bootstrap was asked for")
        else:
            agreed = each.with_bounds([next(drawn) for _ in each.tasks])
        documents = clusters.documents_of(each.tasks[0].unit) if each.tasks else 0
        found.append(replace(agreed, amounts=replace(agreed.amounts, documents=documents)))
    return found
