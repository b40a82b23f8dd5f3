"""Strategies on all queries of a dataset: what trains them, and each one's scores over everything."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from audit_core.errors import AssayError, CleaningError
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.workspace import Workspace
from cleaning.catalogue import strategy_module
from cleaning.compare import Entrant, checked_values, fold_seed
from cleaning.contract import Fitted, Inputs, Kind, Reason, Scores
from cleaning.entrants import entrant_of
from cleaning.fold_embedding import EmbeddedInFolds, FoldEmbeddings
from cleaning.labels import LabelSet
from cleaning.llm.asked import nothing_decided
from cleaning.metrics import decide
from cleaning.preparing import Report, embedded_inputs, needs_vectors, read_labels
from cleaning.query_frame import query_frame
from cleaning.score_asking import asked_summary
from cleaning.score_request import ScoreRequest
from cleaning.scoring import ScoredAll

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from audit_core.datasets.revision import Revision
    from audit_core.inference.embedder import Trainable

LOG = logging.getLogger(__name__)
#: So many queries are embedded and scored at a time where the vectors are not kept.
_AT_ONCE = 20_000
#: Queries named by each reason why they have no vector; the others are only counted.
_NAMED = 20


@dataclass(frozen=True, slots=True, eq=False)
class Scorable:
    """All queries of a dataset, and those whose labels train.

    `training` are the queries that train (none without labels) with their labels `remove`, those without a usable vector
    left out where vectors are needed; `has_vector` is True where a query's vector can be used, None without vectors kept.
    `trainable` is the embedder that is fitted on the training queries. `without_vector` says for each reason how many
    queries have no vector and names the first.
    """

    inputs: Inputs
    training: Inputs
    remove: NDArray[np.bool_]
    labels: LabelSet | None
    has_vector: NDArray[np.bool_] | None = None
    trainable: Trainable | None = None
    identity: Mapping[str, object] | None = None
    without_vector: Mapping[str, Any] = field(default_factory=dict)


def needs_training(request: ScoreRequest) -> list[str]:
    """Return the titles of the chosen strategies that learn from labels."""
    modules = [strategy_module(each.strategy) for each in request.strategies]
    return [module.title for module in modules if module.kind is Kind.LEARNED]


def scorable(workspace: Workspace, dataset: DatasetRow, request: ScoreRequest, tell: Report) -> Scorable:
    """Return all queries of a dataset as strategies see them, embedded where one needs that, and what trains.

    Raises:
        NotFound: the dataset has no such labels or vectors.
        CleaningError: the labels contradict each other.
        InferenceError: the embedder cannot be used.
    """
    revision, comparison = workspace.revision(dataset), request.as_comparison()
    tell("reading queries", 0.0)
    queries = query_frame(revision)
    if not queries.height:
        raise CleaningError(f"{dataset.name} holds no query, so there is nothing to score.")
    labels = (
        read_labels(workspace, dataset, comparison, evaluates=False)[1] if request.train_labels is not None else None
    )
    inputs, trainable, identity, has_vector = Inputs(queries), None, None, None
    without: dict[str, dict[str, Any]] = {}
    if needs_vectors(comparison):
        inputs, trainable, vectors = embedded_inputs(revision, queries, comparison, tell)
        if vectors is not None:
            from audit_core.inference.screening import screen

            screening = screen(vectors)
            has_vector, identity = screening.eligible, vectors.identity
            ids = queries["query_id"]
            for each in screening.ineligible:
                found = without.setdefault(each.says, {"queries": 0, "first": []})
                found["queries"] += 1
                if len(found["first"]) < _NAMED:
                    found["first"].append(ids[each.row])
    rows, remove = _training(queries["query_id"].to_list(), labels, has_vector)
    return Scorable(
        inputs=inputs,
        training=inputs.take(rows),
        remove=remove,
        labels=labels,
        has_vector=has_vector,
        trainable=trainable,
        identity=None if identity is None else _as_json(identity.as_json()),
        without_vector=without,
    )


def _as_json(text: str) -> dict[str, object]:
    import json

    document: dict[str, object] = json.loads(text)
    return document


def _training(
    query_ids: list[str], labels: LabelSet | None, has_vector: NDArray[np.bool_] | None
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Return the rows of the queries that train, in order, and whether each is to be removed."""
    by_id = {} if labels is None else labels.by_id()
    rows = [
        row
        for row, query_id in enumerate(query_ids)
        if query_id in by_id and (has_vector is None or bool(has_vector[row]))
    ]
    remove = np.array([by_id[query_ids[row]] for row in rows], dtype=np.bool_)
    return np.array(rows, dtype=np.intp), remove


def entrants_of(request: ScoreRequest, prepared: Scorable, revision: Revision) -> list[Entrant]:
    """Return the strategies of a request, built with their options and thresholds, in its order.

    Raises:
        CleaningError: an unknown strategy, or an option or threshold that cannot be used.
    """
    embeddings = FoldEmbeddings(prepared.trainable) if prepared.trainable is not None else None
    return [entrant_of(choice, revision, embeddings) for choice in request.strategies]


def score_one(entrant: Entrant, prepared: Scorable, others: Sequence[ScoredAll], *, seed: int) -> ScoredAll:
    """Return one strategy's scores of all queries; a strategy that fails says why and has none.

    It is fitted on all queries that train. `others` are the strategies that a combination may see.
    """
    inputs = prepared.inputs
    if others:
        inputs = replace(
            inputs,
            other={each.name: each.scores for each in others},
            decisions={each.name: each.decisions for each in others},
        )
    try:
        fitted = entrant.strategy.fit(prepared.training, prepared.remove, seed=fold_seed(seed, 0, 0))
        values, reasons = _values(entrant, fitted, inputs)
    except AssayError as error:
        is_untaught = prepared.labels is None and entrant.kind in (Kind.LEARNED, Kind.BASELINE)
        hint = " No labels were named to train it." if is_untaught else ""
        return failed(entrant, len(inputs), f"{error}{hint}")
    except Exception as error:  # a strategy is anybody's file: its fault must not end the others
        LOG.exception("Strategy %s failed.", entrant.name)
        return failed(entrant, len(inputs), f"{type(error).__name__}: {error}")
    if prepared.has_vector is not None and strategy_module(str(entrant.options["strategy"])).needs_embeddings:
        values[~prepared.has_vector] = np.nan
    asked = asked_summary(entrant)
    return ScoredAll(
        name=entrant.name,
        title=entrant.title,
        kind=entrant.kind,
        options=dict(entrant.options),
        threshold=entrant.threshold,
        scores=values,
        decisions=decide(values, entrant.threshold),
        reasons=reasons,
        asked=asked,
        failed=nothing_decided(asked) if asked is not None and bool(np.isnan(values).all()) else None,
        learned=len(prepared.training) > 0 and _has_learned(entrant, fitted, others),
    )


def _has_learned(entrant: Entrant, fitted: Fitted, others: Sequence[ScoredAll]) -> bool:
    """Return whether labels have a part in what a strategy says, be it through the members that it combines."""
    if entrant.kind is Kind.COMBINATION:
        members = getattr(entrant.strategy, "members", None)
        return any(each.learned for each in others if members is None or each.name in members)
    own: object = entrant.strategy
    return fitted is not own and getattr(strategy_module(str(entrant.options["strategy"])), "learns", True)


def _values(
    entrant: Entrant, fitted: Fitted, inputs: Inputs
) -> tuple[NDArray[np.float64], dict[int, tuple[Reason, ...]]]:
    """Return the scores, and what fired by row; where the vectors are made on the way, part by part."""
    if not isinstance(entrant.strategy, EmbeddedInFolds):
        given = fitted.score(inputs)
        return checked_values(given, len(inputs)).copy(), _fired(given)
    parts = []
    for start in range(0, len(inputs), _AT_ONCE):
        part = inputs.take(np.arange(start, min(start + _AT_ONCE, len(inputs)), dtype=np.intp))
        parts.append(checked_values(fitted.score(part), len(part)))
    return np.concatenate(parts), {}


def _fired(given: Scores) -> dict[int, tuple[Reason, ...]]:
    return {row: tuple(reasons) for row, reasons in enumerate(given.reasons) if reasons}


def failed(entrant: Entrant, n: int, why: str) -> ScoredAll:
    """Return the record of a strategy that has no scores of n queries, and why."""
    nothing = np.full(n, np.nan)
    return ScoredAll(
        name=entrant.name,
        title=entrant.title,
        kind=entrant.kind,
        options=dict(entrant.options),
        threshold=entrant.threshold,
        scores=nothing,
        decisions=nothing.copy(),
        failed=why,
    )


def alike(strategies: Sequence[ScoredAll]) -> list[dict[str, Any]]:
    """Return what a reader must know: strategies that failed, decided nothing, or say the same as another of every query."""
    found = [{"about": [each.name], "says": f"failed: {each.failed}"} for each in strategies if each.failed is not None]
    usable = [each for each in strategies if each.failed is None]
    for place, one in enumerate(usable):
        if np.isnan(one.scores).all():
            found.append({"about": [one.name], "says": "decided nothing: every query is undecided, and so kept"})
            continue
        for other in usable[place + 1 :]:
            if np.array_equal(one.scores, other.scores, equal_nan=True):
                says = "give every query the same score: see whether one was meant to be another"
            elif np.array_equal(one.decisions, other.decisions, equal_nan=True):
                says = "decide the same of every query, though their scores differ"
            else:
                continue
            found.append({"about": [one.name, other.name], "says": says})
    return found
