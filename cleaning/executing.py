"""Running a comparison that was registered: from what was asked for to results that lie whole in its folder."""

from __future__ import annotations

import json
import shutil
from collections import defaultdict
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from audit_core.domain import JsonObject
from audit_core.errors import CleaningError, NotFound
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.comparisons import ComparisonView, comparison_folder, finish_comparison, get_comparison
from audit_core.workflow.workspace import Workspace
from cleaning.catalogue import build_strategy, strategy_module
from cleaning.compare import Compared, Entrant, run
from cleaning.contract import Kind
from cleaning.finished import write_extras
from cleaning.fold_embedding import EmbeddedInFolds, FoldEmbeddings
from cleaning.learning import LearningCurve, learning_curve
from cleaning.preparing import Prepared, Report, needs_vectors, prepare, read_labels, read_training_labels
from cleaning.request import BUNDLED, NO_VECTORS, Choice, ComparisonRequest, request_from, wanted_of
from cleaning.result import ComparisonRecord, RunCard, package_versions, write_result

if TYPE_CHECKING:
    from audit_core.datasets.revision import Revision
    from cleaning.contract import Strategy

#: Learning curves take so many repeats of the split: each costs about three times the fits of one.
LEARNING_REPEATS = 2
#: Share of the time that each part takes, roughly; only the progress bar depends on it.
_PREPARED, _COMPARED = 0.2, 0.7


def execute(workspace: Workspace, comparison_id: int, *, report: Report | None = None) -> ComparisonRecord:
    """Run a comparison and keep its results; what a run that broke off left is removed first.

    `report` gets what is being done and the share of the whole that is done; it may raise to stop the work.

    Raises:
        NotFound: the comparison, its dataset or its labels are gone.
        CleaningError, InferenceError: no honest comparison is possible, and why.
    """
    tell = report or (lambda step, share: None)
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
    prepared = prepare(workspace, view.dataset, request, report=lambda step, share: tell(step, _PREPARED * share))
    entrants = entrants_of(request, prepared, revision)
    compared = run(
        entrants,
        prepared.inputs,
        prepared.split,
        duplicate_group=prepared.duplicate_group,
        progress=_part(tell, "training and scoring out of fold", _PREPARED, _COMPARED),
    )
    if not compared.usable:
        reasons = "; ".join(f"{each.title}: {each.failed}" for each in compared.strategies)
        raise CleaningError(f"Every strategy failed, so there is nothing to compare. {reasons}")
    curves = _learning_curves(request, entrants, prepared, compared, tell) if request.learning_curves else []
    record = ComparisonRecord(_card(view, prepared), prepared.split, compared)
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
        NotFound: a strategy, an embedder, vectors or labels of that name are not there.
        CleaningError, InferenceError: an option cannot be used, vectors are needed and none were chosen, or labels
            contradict each other.
    """
    revision = workspace.revision(dataset)
    for choice in request.strategies:
        _entrant(choice, revision, None)
    if needs_vectors(request):
        _refuse_without_vectors(request)
        _check_embedder(revision, request.embedder)
    read_labels(workspace, dataset, request)
    read_training_labels(workspace, dataset, request)


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
    return [_entrant(choice, revision, embeddings) for choice in request.strategies]


def _entrant(choice: Choice, revision: Revision, embeddings: FoldEmbeddings | None) -> Entrant:
    module = strategy_module(choice.strategy)
    options: dict[str, Any] = dict(choice.options)
    if choice.strategy == "bm25_difficulty":
        from cleaning.strategies.page_texts import page_texts

        options["page_texts"] = partial(page_texts, revision)
    strategy: Strategy = build_strategy(choice.strategy, options)
    if embeddings is not None and module.needs_embeddings:
        strategy = EmbeddedInFolds(strategy, embeddings)
    tune = wanted_of(choice)
    return Entrant(
        name=choice.name,
        title=module.title if choice.label is None else f"{module.title} ({choice.label})",
        kind=module.kind,
        strategy=strategy,
        threshold=module.default_threshold if choice.threshold is None else choice.threshold,
        tune=tune,
        options={"strategy": choice.strategy, **choice.options},
    )


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


def _learning_curves(
    request: ComparisonRequest, entrants: list[Entrant], prepared: Prepared, compared: Compared, tell: Report
) -> list[LearningCurve]:
    """Return the curves of the learned strategies, at the share that would be kept if all bad queries went."""
    usable = {each.name for each in compared.usable}
    learned = [each for each in entrants if each.kind is Kind.LEARNED and each.name in usable]
    share = round(1.0 - float(compared.remove.mean()), 4)
    curves = []
    for place, entrant in enumerate(learned):
        start = _COMPARED + (1.0 - _COMPARED) * place / len(learned)
        end = _COMPARED + (1.0 - _COMPARED) * (place + 1) / len(learned)
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
    return document
