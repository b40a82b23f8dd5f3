"""Which queries a cleaning removes, by which strategies and why: worked out from the scores alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from audit_core.errors import CleaningError
from cleaning.apply_request import ApplyRequest, Combine
from cleaning.contract import Inputs, Kind, Reason
from cleaning.scoring import ScoredAll, Scoring

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: What removing easy queries does, and what it does not.
DIFFICULTY_SAYS = "{title} finds queries that are easy, not queries that are bad: it makes the benchmark harder."
#: What a guarantee is not about, where all queries are decided on.
TRAINED_SAYS = (
    "The labels of {count:,} of these queries trained a strategy that decides here: a guarantee says nothing of those."
)


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """A strategy at the threshold at which it is applied.

    `scores` of shape (n,) in [0, 1], NaN = undecided; `decisions` 1.0 (removes), 0.0 or NaN. `says` is the threshold in
    words, with that of the ratings where the score stands for ratings.
    """

    name: str
    title: str
    kind: Kind
    threshold: float
    says: str
    scores: NDArray[np.float64]
    decisions: NDArray[np.float64]
    reasons: Mapping[int, Sequence[Reason]]


@dataclass(frozen=True, slots=True)
class RemovedQuery:
    """One query that goes: which strategies remove it, its score in every one that takes part (None = undecided), and why.

    `reasons` pairs the name of a strategy with what fired.
    """

    row: int
    query_id: str
    strategies: tuple[str, ...]
    scores: Mapping[str, float | None]
    reasons: tuple[tuple[str, Reason], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Removal:
    """What becomes of each of n queries, in the dataset's order: `decisions` is 1.0 (goes), 0.0 or NaN (undecided: stays).

    `rule` says in words how the members decide together; `notes` must be read with the figures.
    """

    query_ids: tuple[str, ...]
    members: tuple[Member, ...]
    rule: str
    decisions: NDArray[np.float64]
    notes: tuple[str, ...] = ()

    @property
    def rows(self) -> NDArray[np.intp]:
        """The row numbers of the queries that go."""
        import numpy as np

        return np.flatnonzero(self.decisions == 1.0)

    @property
    def removed_ids(self) -> tuple[str, ...]:
        """The ids of the queries that go, in the dataset's order."""
        return tuple(self.query_ids[row] for row in self.rows)

    @property
    def undecided(self) -> int:
        """How many queries stay because nothing was decided."""
        import numpy as np

        return int(np.isnan(self.decisions).sum())

    def removed(self) -> Iterator[RemovedQuery]:
        """Yield the queries that go, in the dataset's order."""
        import numpy as np

        for row in self.rows.tolist():
            by = [each for each in self.members if each.decisions[row] == 1.0]
            scores = {
                each.name: None if np.isnan(each.scores[row]) else float(each.scores[row]) for each in self.members
            }
            reasons = tuple((each.name, reason) for each in by for reason in each.reasons.get(row, ()))
            yield RemovedQuery(row, self.query_ids[row], tuple(each.name for each in by), scores, reasons)

    def sparing(self, query_ids: Collection[str]) -> tuple[Removal, int]:
        """Return the removal without these queries, which stay whatever was decided, and how many of them would have gone."""
        import numpy as np

        spared = np.fromiter((each in query_ids for each in self.query_ids), bool, len(self.query_ids))
        count = int((spared & (self.decisions == 1.0)).sum())
        return replace(self, decisions=np.where(spared, 0.0, self.decisions)), count


def plan_removal(scoring: Scoring, request: ApplyRequest) -> Removal:
    """Return which queries a request removes, by the scores of that scoring; nothing is written.

    A query goes where its score is at or above the threshold. Several strategies decide as the combinations of the
    comparison do: where undecided ones could turn the balance, the query is undecided and stays.

    Raises:
        CleaningError: a strategy took no part in the scoring or failed there.
    """
    chosen = [scoring.of(each.strategy) for each in request.strategies]
    members = tuple(_member(scored, each.threshold) for scored, each in zip(chosen, request.strategies, strict=True))
    notes = [DIFFICULTY_SAYS.format(title=each.title) for each in members if each.kind is Kind.DIFFICULTY]
    if trained := len(scoring.trained_for(chosen)):
        notes.append(TRAINED_SAYS.format(count=trained))
    return Removal(scoring.query_ids, members, request.rule, _decide(members, request), tuple(notes))


def refuse_pointless(removal: Removal) -> None:
    """Refuse a removal of no query, or of all of them.

    Raises:
        CleaningError: says so, with the highest score where nothing goes.
    """
    import numpy as np

    count = len(removal.rows)
    if count == len(removal.query_ids):
        raise CleaningError(
            f"All {count:,} queries would be removed, and an empty benchmark measures nothing. Choose a higher threshold."
        )
    if count == 0:
        tops = []
        for each in removal.members:
            known = each.scores[~np.isnan(each.scores)]
            top = f"its highest score is {known.max():.6g}" if known.size else "it decided on no query"
            tops.append(f"{each.title} removes from {each.threshold:.6g} on, and {top}")
        raise CleaningError(f"No query would be removed, so there is nothing to apply: {'; '.join(tops)}.")


def _member(scored: ScoredAll, threshold: float | None) -> Member:
    import numpy as np

    at = scored.threshold if threshold is None else float(threshold)
    scores = np.asarray(scored.scores)
    decisions = np.where(np.isnan(scores), np.nan, (scores >= at).astype(np.float64))
    return Member(
        scored.name, scored.title, scored.kind, at, threshold_words(scored, at), scores, decisions, scored.reasons
    )


def _decide(members: tuple[Member, ...], request: ApplyRequest) -> NDArray[np.float64]:
    import numpy as np
    import polars as pl

    from cleaning.strategies.combining import Combination

    if request.combine is None:
        return members[0].decisions
    k = {Combine.UNION: 1, Combine.INTERSECTION: None}.get(request.combine, request.k)
    together = Combination(request.rule, tuple(each.name for each in members), k)
    decisions = {each.name: each.decisions for each in members}
    values = together.score(Inputs(pl.DataFrame(), decisions=decisions)).values
    return np.where(np.isnan(values), np.nan, (values >= 0.5).astype(np.float64))


def threshold_words(scored: ScoredAll, threshold: float) -> str:
    """Return a threshold in words; of ratings by a language model also as the rating that it stands for.

    The score of such a strategy is 1 less the lowest rating; with a threshold for each criterion it is the largest of
    0.5 + (threshold - rating) / 2.
    """
    said = f"score at or above {threshold:.6g}"
    if scored.options.get("strategy", scored.name) != "llm_rating":
        return said
    limits = scored.options.get("thresholds")
    if limits is None:
        return f"{said}: rated {max(0.0, 1.0 - threshold):.6g} or lower in any criterion"
    # At the threshold 0.5 that is the limit itself.
    moved = 1.0 - 2.0 * threshold
    if not isinstance(limits, Mapping):
        return f"{said}: rated {limits + moved:.6g} or lower in any criterion"
    return (
        f"{said}: rated at or below any of {', '.join(f'{name} {each + moved:.6g}' for name, each in limits.items())}"
    )
