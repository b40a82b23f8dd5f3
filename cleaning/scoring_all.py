"""Running a scoring that was registered: every strategy over all queries, to files that lie whole in the run's folder."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from audit_core.domain import JsonObject
from audit_core.errors import CleaningError
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.cleanings import RunView, cleaning_folder, finish_run, get_run
from audit_core.workflow.run_lock import alone_on
from audit_core.workflow.workspace import Workspace
from cleaning.compare import Entrant
from cleaning.contract import Kind
from cleaning.executing import check_strategies
from cleaning.preparing import Report, read_labels
from cleaning.result import package_versions
from cleaning.score_asking import Asking, any_asks, asking_for, asks
from cleaning.score_request import ScoreRequest, score_request_from
from cleaning.scoring import ScoredAll, Scoring
from cleaning.scoring_files import write_scoring
from cleaning.scoring_strategies import Scorable, alike, entrants_of, failed, needs_training, scorable, score_one

#: Share of the time when all is prepared, and when all is scored, roughly; how many others a strategy that asks counts for.
_PREPARED, _SCORED, _ASKING = 0.1, 0.98, 20


def execute_score(workspace: Workspace, run_id: int, *, report: Report | None = None) -> Scoring:
    """Score all queries of the run's dataset and keep it; what an attempt that broke off left is removed first.

    `report` gets what is being done and the share of the whole that is done; it may raise to stop the work. Answers of
    language models are kept as they arrive, so that the next attempt asks only what is missing.

    Raises:
        NotFound: the run, its dataset or its labels are gone.
        CleaningError: no strategy decided anything, or what was asked for cannot be done; nothing is kept as finished.
        InferenceError: an embedder or a language model cannot be used, or a cap was reached.
    """
    tell = report or (lambda step, share: None)
    view = get_run(workspace, run_id)
    if view.is_finished:
        raise CleaningError(f"{view.row.name} is finished: its results are never overwritten. Start another scoring.")
    request = score_request_from(view.row.spec)
    folder = cleaning_folder(workspace, run_id)
    with alone_on(folder, view.row.name):
        sweep(folder)
        check_score(workspace, view.dataset, request)
        prepared = scorable(workspace, view.dataset, request, lambda step, share: tell(step, _PREPARED * share))
        entrants = entrants_of(request, prepared, workspace.revision(view.dataset))
        with _asking(workspace, view, request) as asking:
            scorer = _Scorer(prepared, seed=request.seed, tell=tell, asking=asking)
            strategies = scorer.all(entrants)
            spent = asking.spent() if asking is not None else None
        _refuse_undecided(strategies)
        has_learned = any(each.learned for each in strategies)
        trained_on = prepared.training.queries["query_id"].to_list() if has_learned else []
        scoring = Scoring(
            run_id=run_id,
            name=view.row.name,
            dataset_name=view.dataset.name,
            dataset_revision=view.dataset.revision,
            dataset_hash=view.dataset.content_hash,
            query_ids=tuple(prepared.inputs.queries["query_id"].to_list()),
            strategies=strategies,
            trained_on=frozenset(trained_on),
            card=_card(request, prepared, strategies, spent),
        )
        tell("writing the scores", 0.99)
        write_scoring(scoring, folder)
        finish_run(workspace, run_id, result=_summary(scoring))
    tell("done", 1.0)
    return scoring


def check_score(workspace: Workspace, dataset: DatasetRow, request: ScoreRequest) -> None:
    """Refuse what can be known to be wrong before anything takes time or costs money.

    Raises:
        NotFound: a strategy, an embedder, vectors or labels of that name are not there.
        CleaningError: an option cannot be used, or a strategy learns and no labels train it.
        InferenceError: an embedder or the connection to a language model cannot be used.
    """
    comparison = request.as_comparison()
    learning = needs_training(request)
    if learning and request.train_labels is None:
        raise CleaningError(
            f"{learning[0]} learns from labels, and none were named: add --train-labels KEY. `clean labels "
            f"{dataset.name}` lists the sources; keep a random sample apart, to choose the threshold on."
        )
    check_strategies(workspace, dataset, comparison)
    if request.train_labels is not None:
        read_labels(workspace, dataset, comparison, evaluates=False)


def sweep(folder: Path) -> None:
    """Remove what an attempt that broke off left of a run's files; the run's lock must be held."""
    shutil.rmtree(folder, ignore_errors=True)
    for partial in folder.parent.glob(f".{folder.name}-*"):
        shutil.rmtree(partial, ignore_errors=True)


class _Scorer:
    """All strategies of one run, one after the other: their scores as they come, and how far the run is."""

    def __init__(self, prepared: Scorable, *, seed: int, tell: Report, asking: Asking | None) -> None:
        self.prepared, self.seed, self.tell, self.asking = prepared, seed, tell, asking
        self.done: dict[str, ScoredAll] = {}
        self._start = _PREPARED

    def all(self, entrants: Sequence[Entrant]) -> tuple[ScoredAll, ...]:
        """Return every strategy's scores in the given order; combinations run last and see those that did not fail."""
        weights = {each.name: _ASKING if asks(each) else 1 for each in entrants}
        for entrant in sorted(entrants, key=lambda each: each.kind is Kind.COMBINATION):
            share = (_SCORED - _PREPARED) * weights[entrant.name] / sum(weights.values())
            self.tell(f"scoring: {entrant.title}", self._start)
            self.done[entrant.name] = self._one(entrant, share)
            self._start += share
        return tuple(self.done[each.name] for each in entrants)

    def _one(self, entrant: Entrant, share: float) -> ScoredAll:
        if asks(entrant):
            assert self.asking is not None
            start = self._start
            try:
                entrant = self.asking.answered(
                    entrant, self.prepared.inputs.queries, lambda step, part: self.tell(step, start + share * part)
                )
            except CleaningError as error:
                return failed(entrant, len(self.prepared.inputs), str(error))
        others: list[ScoredAll] = []
        if entrant.kind is Kind.COMBINATION:
            others = [each for each in self.done.values() if each.failed is None]
        return score_one(entrant, self.prepared, others, seed=self.seed)


def _refuse_undecided(strategies: Sequence[ScoredAll]) -> None:
    if any(each.failed is None and not np.isnan(each.scores).all() for each in strategies):
        return
    reasons = "; ".join(f"{each.title}: {each.failed or 'every query is undecided'}" for each in strategies)
    raise CleaningError(
        f"No strategy decided anything, so there are no scores and nothing is kept as finished. {reasons}"
    )


def _asking(workspace: Workspace, view: RunView, request: ScoreRequest) -> AbstractContextManager[Asking | None]:
    if not any_asks(request):
        return nullcontext()
    return asking_for(workspace, view, caps=request.caps, in_flight=request.in_flight)


def _card(
    request: ScoreRequest, prepared: Scorable, strategies: Sequence[ScoredAll], spent: JsonObject | None
) -> JsonObject:
    labels = prepared.labels
    trained = None
    if labels is not None:
        trained = {
            "source": request.train_labels, "name": labels.name, "origin": labels.origin, "hash": labels.content_hash,
            "queries": len(prepared.training), "to_remove": int(prepared.remove.sum()),
            "left_out": {reason: len(ids) for reason, ids in labels.left_out.items()}, "unknown": len(labels.unknown),
        }  # fmt: skip
    return {
        "created": datetime.now(UTC).isoformat(timespec="seconds"), "request": request.as_json(),
        "training_labels": trained, "embedder": dict(prepared.identity) if prepared.identity else None,
        "without_vector": dict(prepared.without_vector), "packages": package_versions(), "notices": alike(strategies),
        "spent": spent,
    }  # fmt: skip


def _summary(scoring: Scoring) -> JsonObject:
    """Return what lists show of a scoring: queries, and of each strategy how many go, stay and are undecided."""
    return {
        "queries": len(scoring.query_ids),
        "strategies": [
            {
                "name": each.name, "threshold": each.threshold, "removed": int((each.decisions == 1.0).sum()),
                "kept": int((each.decisions == 0.0).sum()), "undecided": int(np.isnan(each.decisions).sum()),
                "failed": each.failed,
            }
            for each in scoring.strategies
        ],
        "notices": list(scoring.card["notices"]),
    }  # fmt: skip
