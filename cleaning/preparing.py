"""Everything that a comparison rests on before a strategy runs: labels, queries, vectors, near-duplicates, the split."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from audit_core.domain import IssueCode
from audit_core.errors import CleaningError
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.label_sources import LabelSource, SourceLabel, labels_from, refuse_training_only
from audit_core.workflow.workspace import Workspace
from cleaning.catalogue import strategy_module
from cleaning.contract import Inputs
from cleaning.labels import GivenLabel, LabelSet, reconcile, removal_from_codes
from cleaning.query_frame import query_frame
from cleaning.request import BUNDLED, NO_VECTORS, ComparisonRequest
from cleaning.splits import Split
from cleaning.splits_plan import plan_folds, plan_single
from cleaning.training_labels import joined, plan_given

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from audit_core.datasets.revision import Revision
    from audit_core.inference.embedder import Trainable
    from audit_core.inference.embedding import Vectors

#: Called with (what is being done, the share of it that is done).
Report = Callable[[str, float], None]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A labelled query that no strategy gets, and why."""

    query_id: str
    reason: str


@dataclass(frozen=True, eq=False)
class Prepared:
    """What a comparison rests on; row i of `inputs` has the label `remove[i]`.

    `embedder` describes the vectors in words and `identity` as JSON holds it (None without vectors); `trainable` is
    the embedder that must be fitted in each fold. `duplicate_group` holds one number a query. `left_out` are labelled
    queries that cannot be used: without a usable vector, disputed, unknown to the dataset.
    """

    source: LabelSource
    labels: LabelSet
    inputs: Inputs
    remove: NDArray[np.bool_]
    probabilities: NDArray[np.float64] | None
    duplicate_group: Sequence[int]
    left_out: tuple[LeftOut, ...]
    split: Split
    identity: dict[str, object] | None
    trainable: Trainable | None
    truncated: int


def prepare(
    workspace: Workspace,
    dataset: DatasetRow,
    request: ComparisonRequest,
    *,
    with_vectors: bool = True,
    report: Report | None = None,
) -> Prepared:
    """Return what the comparison rests on. Without vectors the split is that of all labelled queries: a look ahead.

    Raises:
        NotFound: the dataset has no such labels or vectors.
        CleaningError: the labels contradict each other, are too few or all equal, or no split is possible; says why.
        InferenceError: the embedder cannot be used.
    """
    tell = report or (lambda step, share: None)
    revision = workspace.revision(dataset)
    tell("reading labels", 0.0)
    source, evaluated = read_labels(workspace, dataset, request)
    training = read_training_labels(workspace, dataset, request)
    labels = evaluated if training is None else joined(evaluated, training)
    queries = query_frame(revision, labels.query_ids)
    remove = np.asarray(labels.remove, dtype=np.bool_)
    left_out = [LeftOut(query_id, f"labels: {reason}") for reason, ids in labels.left_out.items() for query_id in ids]
    left_out += [LeftOut(query_id, "not in the dataset") for query_id in labels.unknown]
    inputs, trainable, identity, truncated = Inputs(queries), None, None, 0
    if with_vectors and needs_vectors(request):
        inputs, trainable, vectors = embedded_inputs(revision, queries, request, tell)
        if vectors is not None:
            identity, truncated = _identity(vectors), vectors.truncated
            kept, faults = _eligible(inputs, vectors)
            left_out += faults
            inputs, remove = inputs.take(kept), remove[kept]
    if not len(inputs):
        raise CleaningError(_nothing_left(labels, left_out))
    tell("looking for near-duplicates", 0.9)
    groups = _duplicate_groups(inputs.queries["text"].to_list())
    chances = _chances(labels, inputs)
    if training is None:
        split = plan(inputs.queries, remove, groups, request)
    else:
        split = plan_given(inputs.queries, remove, groups, evaluated=evaluated, training=training, seed=request.seed)
    return Prepared(
        source=source,
        labels=labels,
        inputs=inputs,
        remove=remove,
        probabilities=chances,
        duplicate_group=groups,
        left_out=tuple(left_out),
        split=split,
        identity=identity,
        trainable=trainable,
        truncated=truncated,
    )


def needs_vectors(request: ComparisonRequest) -> bool:
    """Return whether any chosen strategy looks at vectors; for the others nothing is embedded and no query left out."""
    return any(strategy_module(each.strategy).needs_embeddings for each in request.strategies)


def read_labels(
    workspace: Workspace, dataset: DatasetRow, request: ComparisonRequest, *, evaluates: bool = True
) -> tuple[LabelSource, LabelSet]:
    """Return where the labels come from, and one label a query.

    Raises:
        NotFound: the dataset has no such labels.
        CleaningError: they contradict each other, or are to evaluate (or to choose) and may only train.
    """
    source, given = labels_from(workspace, dataset, request.labels)
    if evaluates:
        refuse_training_only(source)
    codes = frozenset(IssueCode(each) for each in request.remove_codes)
    known = {query_id for query_id, _, _ in workspace.revision(dataset).queries_index()}
    labels = reconcile(
        (_given(each, codes) for each in given), known=known, name=source.name, origin=_origin(source, request)
    )
    return source, labels


def read_training_labels(workspace: Workspace, dataset: DatasetRow, request: ComparisonRequest) -> LabelSet | None:
    """Return one label a query of the source that only trains, None where the request names none.

    Raises:
        NotFound, CleaningError: as `read_labels`.
    """
    if request.train_labels is None:
        return None
    trains = replace(request, labels=request.train_labels, train_labels=None)
    return read_labels(workspace, dataset, trains, evaluates=False)[1]


def plan(queries: pl.DataFrame, remove: NDArray[np.bool_], groups: Sequence[int], request: ComparisonRequest) -> Split:
    """Return the split of one label source that the request asks for.

    Raises:
        CleaningError: it is not possible, and why.
    """
    if request.train is not None:
        return plan_single(queries, remove, train=request.train, duplicate_group=groups, seed=request.seed)
    return plan_folds(
        queries,
        remove,
        duplicate_group=groups,
        folds=request.folds,
        repeats=request.repeats,
        seed=request.seed,
        fewer_folds=request.fewer_folds,
    )


def _given(label: SourceLabel, codes: frozenset[IssueCode]) -> GivenLabel:
    remove = label.remove
    if label.codes is not None:
        remove = removal_from_codes([IssueCode(each) for each in label.codes], remove_codes=codes)
    return GivenLabel(
        label.query_id,
        remove,
        label.annotator,
        adjudicated=label.is_adjudicated,
        probability=label.probability,
        where=label.where,
    )


def _origin(source: LabelSource, request: ComparisonRequest) -> str:
    if source.kind == "audit campaign":
        return f"{source.kind}, removed when the codes hold one of {', '.join(request.remove_codes)}"
    return source.kind


def embedded_inputs(
    revision: Revision, queries: pl.DataFrame, request: ComparisonRequest, tell: Report
) -> tuple[Inputs, Trainable | None, Vectors | None]:
    """Return the inputs with their vectors; instead of vectors the embedder, where it must be fitted in each fold."""
    from audit_core.inference.bundle_vectors import bundled_vectors
    from audit_core.inference.embedder import build_embedder, embedders
    from audit_core.inference.embedding import embed_texts
    from audit_core.inference.vector_store import cache_folder

    if request.embedder == NO_VECTORS:
        return Inputs(queries), None, None
    ids, texts = queries["query_id"].to_list(), queries["text"].to_list()
    if request.embedder.startswith(BUNDLED):
        vectors = bundled_vectors(revision, request.embedder.removeprefix(BUNDLED), ids)
        return Inputs(queries, vectors=vectors.values), None, vectors
    built = build_embedder(request.embedder)
    if embedders()[request.embedder].needs_fitting:
        return Inputs(queries), built, None  # type: ignore[return-value]

    def progress(done: int, total: int) -> None:
        tell(f"embedding {total:,} queries", 0.8 * done / max(1, total))

    vectors = embed_texts(built, texts, cache=cache_folder(), report=progress)  # type: ignore[arg-type]
    if not _reads_answers(request):
        return Inputs(queries, vectors=vectors.values), None, vectors
    answers = [each or "" for each in queries["answer"].to_list()]
    of_answers = embed_texts(built, answers, cache=cache_folder())  # type: ignore[arg-type]
    # A query without an answer has none to embed: zeros say so, and no query is left out for it.
    answer_vectors = np.nan_to_num(of_answers.values, nan=0.0)
    return Inputs(queries, vectors=vectors.values, answer_vectors=answer_vectors), None, vectors


def _reads_answers(request: ComparisonRequest) -> bool:
    """Return whether a strategy was given the block of features that is made of the answers' embeddings."""
    return any("answer" in (each.options.get("blocks") or ()) for each in request.strategies)


def _identity(vectors: Vectors) -> dict[str, object]:
    import json

    document: dict[str, object] = json.loads(vectors.identity.as_json())
    return document


def _eligible(inputs: Inputs, vectors: Vectors) -> tuple[NDArray[np.intp], list[LeftOut]]:
    """Return the rows whose vectors can be used, and the others with the reason: one shared set for all strategies."""
    from audit_core.inference.screening import screen

    screening = screen(vectors)
    ids = inputs.queries["query_id"]
    faults = [LeftOut(ids[each.row], f"vector: {each.says}") for each in screening.ineligible]
    return np.flatnonzero(screening.eligible), faults


def _duplicate_groups(texts: list[str]) -> Sequence[int]:
    from cleaning.duplicates import group_near_duplicates

    return [int(each) for each in group_near_duplicates(texts).group]


def _chances(labels: LabelSet, inputs: Inputs) -> NDArray[np.float64] | None:
    if labels.probabilities is None:
        return None
    by_id = dict(zip(labels.query_ids, labels.probabilities, strict=True))
    return np.asarray([by_id[each] for each in inputs.queries["query_id"]], dtype=np.float64)


def _nothing_left(labels: LabelSet, left_out: Sequence[LeftOut]) -> str:
    if left_out:
        return f"None of the {len(left_out):,} labelled queries can be used; the first: {left_out[0].query_id!r}, {left_out[0].reason}."
    return f"{labels.name} holds no label of a query of this dataset."
