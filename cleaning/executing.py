"""Running a comparison that was registered: from what was asked for to results that lie whole in its folder."""

from __future__ import annotations

import json
import shutil
from collections import defaultdict
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from audit_core.domain import JsonObject
from audit_core.errors import CleaningError, NotFound
from audit_core.inference.answer_store import AnswerStore, answers_folder
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.comparisons import ComparisonView, comparison_folder, finish_comparison, get_comparison
from audit_core.workflow.run_lock import alone_on
from audit_core.workflow.workspace import Workspace
from cleaning.catalogue import strategy_module
from cleaning.compare import Compared, Entrant, run
from cleaning.comparison_asking import (
    PlannedFor,
    asking_id,
    asks_model,
    plan,
    refuse_unpriced_models,
    with_answers,
)
from cleaning.contract import Kind
from cleaning.entrants import entrant_of
from cleaning.finished import write_extras
from cleaning.fold_embedding import FoldEmbeddings
from cleaning.learning import LearningCurve, learning_curve
from cleaning.llm.asker import Planner, live_asker
from cleaning.llm.evidence_images import PageSource
from cleaning.preparing import Prepared, Report, needs_vectors, prepare, read_labels, read_training_labels
from cleaning.request import BUNDLED, NO_VECTORS, ComparisonRequest, request_from
from cleaning.result import ComparisonRecord, RunCard, package_versions, write_result

if TYPE_CHECKING:
    from audit_core.datasets.revision import Revision

#: Learning curves take so many repeats of the split: each costs about three times the fits of one.
LEARNING_REPEATS = 2
#: Shares of the time after which all is prepared, asked and compared, roughly, without and with questions to a language
#: model; only the progress bar depends on them.
_SHARES, _SHARES_ASKING = (0.2, 0.2, 0.7), (0.03, 0.9, 0.97)


def execute(workspace: Workspace, comparison_id: int, *, report: Report | None = None) -> ComparisonRecord:
    """Run a comparison and keep its results; what a run that broke off left is removed first.

    `report` gets what is being done and the share of the whole that is done; it may raise to stop the work.

    Raises:
        NotFound: the comparison, its dataset or its labels are gone.
        CleaningError, InferenceError: no honest comparison is possible, and why; or another process makes it.
    """
    view = get_comparison(workspace, comparison_id)
    with alone_on(comparison_folder(workspace, comparison_id), view.row.name):
        return _execute(workspace, comparison_id, report or (lambda step, share: None))


def _execute(workspace: Workspace, comparison_id: int, tell: Report) -> ComparisonRecord:
    view = get_comparison(workspace, comparison_id)
    request = request_from(view.row.spec)
    folder = comparison_folder(workspace, comparison_id)
    if view.is_finished:
        raise CleaningError(
            f"{view.row.name} is finished: its results are never overwritten. Start another comparison."
        )
    shutil.rmtree(folder, ignore_errors=True)
    revision = workspace.revision(view.dataset)
    check_request(workspace, view.dataset, request)
    is_asking = any(asks_model(each.strategy) for each in request.strategies)
    shares = _SHARES_ASKING if is_asking else _SHARES
    prepared = prepare(workspace, view.dataset, request, report=lambda step, share: tell(step, shares[0] * share))
    entrants, spent = entrants_of(request, prepared, revision), None
    if is_asking:
        asked = _part_share(tell, shares[0], shares[1])
        entrants, spent = _with_answers(workspace, view, request, prepared, entrants, asked)
    compared = run(
        entrants,
        prepared.inputs,
        prepared.split,
        duplicate_group=prepared.duplicate_group,
        progress=_part(tell, "training and scoring out of fold", shares[1], shares[2]),
    )
    if not compared.usable:
        reasons = "; ".join(f"{each.title}: {each.failed}" for each in compared.strategies)
        raise CleaningError(f"Every strategy failed, so there is nothing to compare. {reasons}")
    curves = []
    if request.learning_curves:
        curves = _learning_curves(entrants, prepared, compared, _part_share(tell, shares[2], 1.0))
    record = ComparisonRecord(replace(_card(view, prepared), spent=spent), prepared.split, compared)
    write_result(record, folder)
    chances = prepared.probabilities
    write_extras(folder, learning=curves, probabilities=None if chances is None else chances[prepared.split.evaluated])
    finish_comparison(
        workspace, comparison_id, split_hash=prepared.split.hash, labels_hash=prepared.labels.content_hash
    )
    tell("done", 1.0)
    return record


def check_request(workspace: Workspace, dataset: DatasetRow, request: ComparisonRequest) -> None:
    """Refuse what can be known to be wrong before anything takes time: strategies, options, embedder, labels.

    Raises:
        NotFound, CleaningError, InferenceError: as `check_strategies`; or there are no such labels, or they contradict
            each other.
    """
    check_strategies(workspace, dataset, request)
    read_labels(workspace, dataset, request)
    read_training_labels(workspace, dataset, request)


def check_strategies(workspace: Workspace, dataset: DatasetRow, request: ComparisonRequest) -> None:
    """Refuse what is wrong with the chosen strategies, their options or the embedder.

    Raises:
        NotFound: a strategy, an embedder or vectors of that name are not there.
        CleaningError, InferenceError: an option cannot be used, vectors are needed and none were chosen, or money is capped
            and a model has no price.
    """
    revision = workspace.revision(dataset)
    refuse_unpriced_models([entrant_of(choice, revision, None) for choice in request.strategies], request)
    if needs_vectors(request):
        _refuse_without_vectors(request)
        _check_embedder(revision, request.embedder)


def _check_embedder(revision: Revision, embedder: str) -> None:
    from audit_core.inference.bundle_vectors import bundled_models
    from audit_core.inference.embedder import build_embedder

    if not embedder.startswith(BUNDLED):
        build_embedder(embedder)
        return
    known = bundled_models(revision)
    if embedder.removeprefix(BUNDLED) not in known:
        there = ", ".join(f"{BUNDLED}{each}" for each in known) or "none"
        raise NotFound(f"No embeddings {embedder!r} came with this dataset. There are: {there}.")


def entrants_of(request: ComparisonRequest, prepared: Prepared, revision: Revision) -> list[Entrant]:
    """Return the strategies of a request, built with their options and thresholds.

    Raises:
        CleaningError: an unknown strategy, or an option or threshold that cannot be used.
    """
    embeddings = FoldEmbeddings(prepared.trainable) if prepared.trainable is not None else None
    return [entrant_of(choice, revision, embeddings) for choice in request.strategies]


def _refuse_without_vectors(request: ComparisonRequest) -> None:
    modules = [strategy_module(each.strategy) for each in request.strategies]
    needing = [module.title for module in modules if module.needs_embeddings]
    if needing and request.embedder == NO_VECTORS:
        raise CleaningError(
            f"{needing[0]} needs embeddings, but none were chosen. Choose an embedder, or leave it out."
        )


def _part(tell: Report, step: str, start: float, end: float) -> Callable[[int, int], None]:
    def progress(done: int, total: int) -> None:
        tell(step, start + (end - start) * done / max(1, total))

    return progress


def _part_share(tell: Report, start: float, end: float) -> Report:
    return lambda step, share: tell(step, start + (end - start) * share)


def _with_answers(
    workspace: Workspace,
    view: ComparisonView,
    request: ComparisonRequest,
    prepared: Prepared,
    entrants: list[Entrant],
    tell: Report,
) -> tuple[list[Entrant], dict[str, float | None]]:
    """Return the strategies with the answers of language models, and what the comparison has spent on them so far."""
    pages = PageSource(workspace.revision(view.dataset), workspace.page_images)
    with live_asker(asking_id(view.row), caps=request.caps, in_flight=request.in_flight) as asker:
        found = with_answers(entrants, prepared.inputs, prepared.split, asker.reporting, pages, report=tell)
        return found, asdict(asker.spent())


def plan_asking(workspace: Workspace, dataset: DatasetRow, request: ComparisonRequest) -> list[PlannedFor]:
    """Return what the strategies of a request would ask language models, step by step; nothing is sent.

    Raises:
        NotFound, CleaningError, InferenceError: as `check_request`, or no split is possible.
    """
    check_request(workspace, dataset, request)
    prepared = prepare(workspace, dataset, request, with_vectors=False)
    revision = workspace.revision(dataset)
    entrants = entrants_of(request, prepared, revision)
    with AnswerStore(answers_folder()) as store:
        pages = PageSource(revision, workspace.page_images)
        return plan(entrants, prepared.inputs, prepared.split, Planner(store), pages)


def _learning_curves(
    entrants: list[Entrant], prepared: Prepared, compared: Compared, tell: Report
) -> list[LearningCurve]:
    """Return the curves of the learned strategies, at the share that would be kept if all bad queries went."""
    usable = {each.name for each in compared.usable}
    learned = [each for each in entrants if each.kind is Kind.LEARNED and each.name in usable]
    share = round(1.0 - float(compared.remove.mean()), 4)
    curves = []
    for place, entrant in enumerate(learned):
        start, end = place / len(learned), (place + 1) / len(learned)
        progress = _part(tell, f"learning curve of {entrant.title}", start, end)
        curves.append(
            learning_curve(
                entrant, prepared.inputs, prepared.split, share_kept=share, repeats=LEARNING_REPEATS, progress=progress
            )
        )
    return curves


def _card(view: ComparisonView, prepared: Prepared) -> RunCard:
    ineligible: defaultdict[str, list[str]] = defaultdict(list)
    for each in prepared.left_out:
        if each.reason.startswith("vector: "):
            ineligible[each.reason.removeprefix("vector: ")].append(each.query_id)
    return RunCard(
        dataset_name=view.dataset.name,
        dataset_revision=view.dataset.revision,
        dataset_hash=view.dataset.content_hash,
        labels_name=prepared.labels.name,
        labels_hash=prepared.labels.content_hash,
        labels_origin=prepared.labels.origin,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        seed=prepared.split.seed,
        embedder={key: str(value) for key, value in prepared.identity.items()} if prepared.identity else None,
        packages=package_versions(),
        ineligible=dict(ineligible),
        left_out=prepared.labels.left_out,
        unknown=prepared.labels.unknown,
    )


def card_document(record: ComparisonRecord, request: ComparisonRequest) -> JsonObject:
    """Return the run card as one JSON document: what was asked for, what it was made of, and the hash of the split."""
    document: JsonObject = json.loads(json.dumps(asdict(record.card)))
    split = record.split
    document["split"] = {
        "hash": split.hash, "method": split.method, "folds": split.k, "repeats": split.repeats, "seed": split.seed,
        "notes": list(split.notes), "queries": len(split.query_ids), "to_remove": int(split.remove.sum()),
    }  # fmt: skip
    document["request"] = request.as_json()
    document["asked"] = {each.name: each.asked for each in record.compared.strategies if each.asked is not None}
    return document
