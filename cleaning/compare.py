"""Running strategies over one split: out-of-fold scores and decisions of all of them on the same queries."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from audit_core.errors import AssayError, CleaningError
from cleaning.compare_tuning import Wanted, inner_scores, tune_threshold
from cleaning.contract import Kind, Scores
from cleaning.llm.asked import nothing_decided
from cleaning.metrics import decide

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cleaning.contract import Inputs, Reason, Strategy
    from cleaning.splits import Fold, Split

LOG = logging.getLogger(__name__)

#: Called after each fold of each strategy with (done, total); an exception from it ends the run.
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Entrant:
    """A strategy that takes part: built, with its threshold or what the threshold is tuned for in each training part."""

    name: str
    title: str
    kind: Kind
    strategy: Strategy
    threshold: float = 0.5
    tune: Wanted | None = None
    options: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if math.isnan(self.threshold):
            raise CleaningError(f"The threshold of {self.name!r} is no number.")


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """What one strategy said of the evaluated queries.

    `scores` and `decisions` (1.0 remove, 0.0 keep, NaN undecided) have shape (repeats, m), `thresholds` (repeats, k).
    `failed` is why there are none (all NaN then). `learned` is False where the scores do not depend on the folds.
    `reasons` holds what fired, a query each, of strategies that learn nothing and can say. `asked` is what a language model
    was asked and how its answers fell out, as JSON holds it; None of strategies that ask none.
    """

    name: str
    title: str
    kind: Kind
    options: Mapping[str, object]
    tuned_for: str | None
    scores: NDArray[np.float64]
    decisions: NDArray[np.float64]
    thresholds: NDArray[np.float64]
    learned: bool
    seconds: float
    failed: str | None = None
    reasons: tuple[tuple[Reason, ...], ...] = ()
    asked: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Notice:
    """Something about strategies that a reader of the figures must know."""

    about: tuple[str, ...]
    says: str


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """All strategies on the same m evaluated queries of one split; row i of `query_ids` is column i of the scores."""

    split_hash: str
    query_ids: tuple[str, ...]
    remove: NDArray[np.bool_]
    strategies: tuple[Scored, ...]
    notices: tuple[Notice, ...]

    @property
    def usable(self) -> tuple[Scored, ...]:
        """The strategies that did not fail."""
        return tuple(each for each in self.strategies if each.failed is None)

    def of(self, name: str) -> Scored:
        """Return one strategy's scores; CleaningError where no strategy has this name."""
        for each in self.strategies:
            if each.name == name:
                return each
        raise CleaningError(f"{name!r} took no part. There are: {', '.join(each.name for each in self.strategies)}.")


def run(
    entrants: Sequence[Entrant],
    inputs: Inputs,
    split: Split,
    *,
    duplicate_group: Sequence[object] | None = None,
    progress: Progress | None = None,
) -> Compared:
    """Return every strategy's out-of-fold scores; `inputs` holds the queries of the split in its order.

    Each strategy is fitted on each fold's training queries and scores its evaluation queries. One that learns nothing
    (it is of no learned kind and `fit` returns itself) scores all queries once. Combinations run after all others, in
    the given order, and see the scores and decisions of those that did not fail. A threshold is tuned on the training
    part: a learned strategy's on its own scores out of inner folds (`duplicate_group` as in `plan_folds`). A strategy
    that fails in one fold is failed altogether and says why; the others go on. So is a model or a difficulty filter that
    decides nothing: undecided queries alone are no figures.

    Raises:
        CleaningError: no strategy, two of one name, or queries that are not those of the split.
    """
    _check(entrants, inputs, split)
    singles = [_Running(each, inputs, split, duplicate_group) for each in entrants if each.kind != Kind.COMBINATION]
    combined = [_Running(each, inputs, split, duplicate_group) for each in entrants if each.kind == Kind.COMBINATION]
    total, done = len(entrants) * len(split.folds), 0
    for group in (singles, combined):
        for fold in split.folds if group else ():
            training, evaluation = inputs.take(fold.training), inputs.take(fold.evaluation)
            for running in group:
                others = (
                    [each for each in (*singles, *combined[: combined.index(running)]) if each.failed is None]
                    if (group is combined)
                    else []
                )
                running.fold(fold, training, evaluation, others)
                done += 1
                if progress is not None:
                    progress(done, total)
    by_name = {each.entrant.name: each.scored() for each in (*singles, *combined)}
    strategies = tuple(by_name[each.name] for each in entrants)
    return Compared(
        split_hash=split.hash,
        query_ids=tuple(split.query_ids[row] for row in split.evaluated),
        remove=split.remove[split.evaluated],
        strategies=strategies,
        notices=tuple(_notices(strategies)),
    )


def fold_seed(split_seed: int, repeat: int, number: int) -> int:
    """Return the seed that all strategies are fitted with in this fold."""
    return int(np.random.SeedSequence([split_seed, repeat, number]).generate_state(1)[0])


def out_of_fold(
    strategy: Strategy, training: Inputs, remove: NDArray[np.bool_], evaluation: Inputs, seed: int
) -> NDArray[np.float64]:
    """Return the scores, shape (n,), of a strategy fitted on `training` for the queries of `evaluation`.

    Raises:
        CleaningError: the strategy refused, or gave something else than one score in [0, 1] (or NaN) a query.
    """
    return checked_values(strategy.fit(training, remove, seed=seed).score(evaluation), len(evaluation))


def checked_values(scores: Scores, n: int) -> NDArray[np.float64]:
    """Return the values of scores; CleaningError unless they are one number in [0, 1], or NaN, for each of n queries."""
    values = np.asarray(scores.values, dtype=np.float64)
    if values.shape != (n,):
        raise CleaningError(f"It gave scores of shape {values.shape} for {n} queries: one each is needed.")
    wrong = ~np.isnan(values) & ~((values >= 0.0) & (values <= 1.0))
    if wrong.any():
        raise CleaningError(f"It gave the score {values[wrong][0]}: scores must lie in [0, 1], NaN for undecided.")
    if scores.reasons and len(scores.reasons) != n:
        raise CleaningError(f"It gave reasons for {len(scores.reasons)} of {n} queries: one sequence each is needed.")
    return values


class _Running:
    """One strategy while the folds go by: its scores as they come, or why it failed."""

    def __init__(
        self, entrant: Entrant, inputs: Inputs, split: Split, duplicate_group: Sequence[object] | None
    ) -> None:
        self.entrant, self.inputs, self.split, self.duplicates = entrant, inputs, split, duplicate_group
        shape = (split.repeats, len(split.evaluated))
        self.scores, self.decisions = np.full(shape, np.nan), np.full(shape, np.nan)
        self.thresholds = np.full((split.repeats, max(fold.number for fold in split.folds) + 1), np.nan)
        #: Scores of all queries, of a strategy that learns nothing; None until that is known.
        self.fixed: NDArray[np.float64] | None = None
        self.reasons: tuple[tuple[Reason, ...], ...] = ()
        self.failed: str | None = None
        self.seconds = 0.0

    def fold(self, fold: Fold, training: Inputs, evaluation: Inputs, others: Sequence[_Running]) -> None:
        """Fit and score one fold; a failure is kept in `failed`."""
        if self.failed is not None:
            return
        places = np.searchsorted(self.split.evaluated, fold.evaluation)
        started = time.perf_counter()
        try:
            if others:
                evaluation = replace(
                    evaluation,
                    other={each.entrant.name: each.scores[fold.repeat, places] for each in others},
                    decisions={each.entrant.name: each.decisions[fold.repeat, places] for each in others},
                )
            values, threshold = self._score(fold, training, evaluation)
        except AssayError as error:
            self.failed = str(error)
        except Exception as error:  # a strategy is anybody's file: its fault must not end the others
            LOG.exception("Strategy %s failed in repeat %d, fold %d.", self.entrant.name, fold.repeat, fold.number)
            self.failed = f"{type(error).__name__}: {error}"
        else:
            self.scores[fold.repeat, places] = values
            self.decisions[fold.repeat, places] = decide(values, threshold)
            self.thresholds[fold.repeat, fold.number] = threshold
        finally:
            self.seconds += time.perf_counter() - started

    def scored(self) -> Scored:
        """Return the record of the whole run."""
        entrant = self.entrant
        arrays = (self.scores, self.decisions, self.thresholds)
        if self.failed is not None:
            arrays = tuple(np.full_like(each, np.nan) for each in arrays)  # type: ignore[assignment]
        return Scored(
            name=entrant.name,
            title=entrant.title,
            kind=entrant.kind,
            options=dict(entrant.options),
            tuned_for=None if entrant.tune is None else str(entrant.tune),
            scores=arrays[0],
            decisions=arrays[1],
            thresholds=arrays[2],
            learned=self.fixed is None,
            seconds=self.seconds,
            failed=self.failed,
            reasons=() if self.failed is not None else self.reasons,
            asked=self._asked(),
        )

    def _asked(self) -> Mapping[str, Any] | None:
        """Return what a language model was asked; of a tuned threshold the middle one decides the flips."""
        summary = getattr(self.entrant.strategy, "asked_summary", None)
        if summary is None:
            return None
        tuned = self.thresholds[np.isfinite(self.thresholds)]
        threshold = self.entrant.threshold if self.entrant.tune is None or not len(tuned) else float(np.median(tuned))
        found: Mapping[str, Any] | None = summary(threshold)
        return found

    def _score(self, fold: Fold, training: Inputs, evaluation: Inputs) -> tuple[NDArray[np.float64], float]:
        entrant, remove = self.entrant, self.split.remove[fold.training]
        seed = fold_seed(self.split.seed, fold.repeat, fold.number)
        own: object = entrant.strategy
        if self.fixed is None:
            fitted = entrant.strategy.fit(training, remove, seed=seed)
            if entrant.kind not in (Kind.LEARNED, Kind.COMBINATION) and fitted is own:
                given = fitted.score(self.inputs)
                self.fixed = checked_values(given, len(self.inputs))
                if entrant.kind in (Kind.MODEL, Kind.DIFFICULTY) and np.isnan(self.fixed[self.split.evaluated]).all():
                    raise CleaningError(nothing_decided(self._asked()))
                if given.reasons:
                    self.reasons = tuple(tuple(given.reasons[row]) for row in self.split.evaluated)
        if self.fixed is not None:
            values, known = self.fixed[fold.evaluation], self.fixed[fold.training]
        else:
            values, known = checked_values(fitted.score(evaluation), len(evaluation)), None
        if entrant.tune is None:
            return values, entrant.threshold
        if entrant.kind == Kind.COMBINATION:
            raise CleaningError("The threshold of a combination is not tuned: tune those of its members, or set it.")
        if known is None:
            groups = None if self.duplicates is None else [self.duplicates[row] for row in fold.training]
            known = inner_scores(
                entrant.strategy, training, remove, seed=seed, duplicate_group=groups, score=out_of_fold
            )
        return values, tune_threshold(known, remove, entrant.tune)


def _check(entrants: Sequence[Entrant], inputs: Inputs, split: Split) -> None:
    names = [each.name for each in entrants]
    if not names:
        raise CleaningError("No strategy takes part. Name at least one.")
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise CleaningError(f"Two strategies are called {twice[0]!r}. Give each its own name.")
    if tuple(inputs.queries["query_id"].to_list()) != split.query_ids:
        raise CleaningError("The queries are not those that the split was made for, or in another order.")


def _notices(strategies: Sequence[Scored]) -> list[Notice]:
    found = [Notice((each.name,), f"failed: {each.failed}") for each in strategies if each.failed is not None]
    usable = [each for each in strategies if each.failed is None]
    for place, one in enumerate(usable):
        if np.isnan(one.scores).all():
            found.append(Notice((one.name,), "decided nothing: every query is undecided, and so kept"))
            continue
        for other in usable[place + 1 :]:
            both = (one.name, other.name)
            same_decisions = np.array_equal(one.decisions, other.decisions, equal_nan=True)
            if np.array_equal(one.scores, other.scores, equal_nan=True):
                where = (
                    "and decide the same: their figures are one" if same_decisions else "and differ by threshold only"
                )
                found.append(Notice(both, f"give every query the same score, {where}"))
            elif same_decisions:
                found.append(Notice(both, "decide the same of every query, though their scores differ"))
    return found
