"""Intervals of coefficients by weighing documents: each draws an Exp(1) weight, a unit weighs the product over its documents.

No unit ever loses all its weight, so that no value of the scale vanishes in a draw. The intervals show the uncertainty from
which units were rated, not from who rated them. Source of the weights: Owen and Eckles 2012 (Annals of Applied Statistics 6).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from audit_core.errors import StatisticsError
from audit_core.statistics.intervals import check_confidence, check_count

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from audit_core.agreement.ratings import Floats, Whole

#: How the intervals are called.
METHOD = "document bootstrap"
#: Random weights drawn at once; bounds the memory (8 bytes each) whatever the number of units.
WEIGHTS_AT_ONCE = 4_000_000
FEWEST_DRAWS = 100
#: Draws that differ by no more than this, relative to their size, differ by rounding.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Plan:
    """How a bootstrap is made: how many draws, from which seed, and the level of its intervals."""

    draws: int = 1000
    seed: int = 1
    confidence: float = 0.95

    def __post_init__(self) -> None:
        check_confidence(self.confidence)
        check_count(self.seed, what="the seed")
        if check_count(self.draws, what="the number of draws") < FEWEST_DRAWS:
            raise StatisticsError(
                f"At least {FEWEST_DRAWS} draws are needed for a percentile interval; found {self.draws}."
            )


@dataclass(frozen=True, slots=True)
class Bounds:
    """A percentile interval; without one `undefined` says why. `failed` draws had no value, and are left out."""

    low: float | None
    high: float | None
    undefined: str | None = None
    failed: int = 0


@dataclass(frozen=True)
class Clusters:
    """The documents that units rest on: units on the same documents are one group, and weigh the same in every draw.

    `of_unit` is the group of each unit; `members` and `starts` the documents of each group, by number, one after the other.
    """

    of_unit: Whole
    members: Whole
    starts: Whole
    documents: int
    without_document: int

    @property
    def groups(self) -> int:
        """How many groups there are."""
        return len(self.starts)

    def documents_of(self, units: Whole) -> int:
        """Return how many documents these units rest on, each without one counted as a document."""
        import numpy as np

        wanted = np.zeros(self.groups, dtype=bool)
        wanted[self.of_unit[units]] = True
        lengths = np.diff(np.append(self.starts, len(self.members)))
        return len(np.unique(self.members[np.repeat(wanted, lengths)]))

    def weights(self, plan: Plan) -> Iterator[Floats]:
        """Yield the weights of draws x groups, so many draws at a time as fit; the same seed gives the same weights."""
        import numpy as np

        clusters = int(self.members.max(initial=-1)) + 1
        generator = np.random.default_rng(plan.seed)
        at_once = max(1, WEIGHTS_AT_ONCE // max(clusters, len(self.members), 1))
        for first in range(0, plan.draws, at_once):
            drawn = generator.standard_exponential((min(plan.draws - first, at_once), clusters))
            yield np.multiply.reduceat(drawn[:, self.members], self.starts, axis=1)


def clusters_of(documents: Sequence[Collection[str]]) -> Clusters:
    """Return the clusters of units that are given by the ids of their documents; one without any is a cluster by itself."""
    import numpy as np

    sets = [frozenset(each) for each in documents]
    number = {document: place for place, document in enumerate(sorted(frozenset().union(*sets)))}
    groups: dict[tuple[int, ...], int] = {}
    of_unit = np.empty(len(sets), dtype=np.int64)
    alone = len(number)
    for unit, each in enumerate(sets):
        key = tuple(sorted(number[document] for document in each))
        if not key:
            key, alone = (alone,), alone + 1
        of_unit[unit] = groups.setdefault(key, len(groups))
    lengths = np.asarray([len(each) for each in groups], dtype=np.int64)
    members = np.asarray([cluster for each in groups for cluster in each], dtype=np.int64)
    return Clusters(of_unit, members, np.cumsum(lengths) - lengths, len(number), alone - len(number))


@dataclass(frozen=True)
class Task:
    """What is computed anew in each draw, from sums over units: unit `unit[i]` adds `amount[i]` times its weight to `column[i]`.

    `formulas` make a number a draw out of the sums, draws x columns; `values` are those of the units as they are.
    """

    unit: Whole
    column: Whole
    amount: Floats
    columns: int
    formulas: Mapping[str, Callable[[Floats], Floats]]
    values: Mapping[str, float | None]


def bootstrap(clusters: Clusters, tasks: Sequence[Task], plan: Plan) -> list[dict[str, Bounds]]:
    """Return the interval of each formula of each task that has a value, in the order of the tasks.

    All tasks see the same weights. Where a percentile interval does not hold the value, it is widened to it.
    """
    import numpy as np

    wanted = [{name: rule for name, rule in each.formulas.items() if each.values[name] is not None} for each in tasks]
    sums = [_sums(clusters, each) for each in tasks]
    groups = [np.unique(clusters.of_unit[each.unit]).size for each in tasks]
    parts: list[dict[str, list[Floats]]] = [{name: [] for name in each} for each in wanted]
    if any(size > 1 and rules for size, rules in zip(groups, wanted, strict=True)):
        for weights in clusters.weights(plan):
            for total, rules, size, found in zip(sums, wanted, groups, parts, strict=True):
                if size < 2 or not rules:
                    continue
                summed = np.asarray((total @ weights.T).T)
                for name, rule in rules.items():
                    found[name].append(rule(summed))
    return [
        {name: _bounds(found[name], each.values[name], plan, groups=size) for name in rules}
        for each, rules, size, found in zip(tasks, wanted, groups, parts, strict=True)
    ]


def _sums(clusters: Clusters, task: Task) -> csr_array:
    """Return columns x groups: what a group of weight 1 adds to each column."""
    from scipy.sparse import coo_array

    shape = (task.columns, clusters.groups)
    return coo_array((task.amount, (task.column, clusters.of_unit[task.unit])), shape=shape).tocsr()


def _bounds(parts: Sequence[Floats], value: float | None, plan: Plan, *, groups: int) -> Bounds:
    import numpy as np

    if groups < 2:
        return Bounds(None, None, "all items rest on the same documents")
    drawn = np.concatenate(parts)
    defined = drawn[np.isfinite(drawn)]
    failed = len(drawn) - len(defined)
    if 2 * len(defined) < plan.draws:
        return Bounds(None, None, f"undefined in {failed:,} of {plan.draws:,} draws", failed)
    if np.ptp(defined) <= _ROUNDING * max(1.0, float(np.abs(defined).max())):
        return Bounds(None, None, "every draw gives the same value", failed)
    tail = (1.0 - plan.confidence) / 2.0
    low, high = (float(each) for each in np.quantile(defined, [tail, 1.0 - tail]))
    assert value is not None
    return Bounds(min(low, value), max(high, value), None, failed)
