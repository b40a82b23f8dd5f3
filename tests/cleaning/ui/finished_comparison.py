"""A finished comparison for tests of pages: the sample's queries, and small strategies of every kind."""

from __future__ import annotations

import numpy as np

from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.comparisons import (
    ComparisonView,
    add_comparison,
    comparison_folder,
    finish_comparison,
    get_comparison,
)
from audit_core.workflow.importing import list_datasets
from audit_core.workflow.workspace import Workspace
from cleaning.compare import Entrant, run
from cleaning.contract import Kind
from cleaning.finished import write_extras
from cleaning.learning import learning_curve
from cleaning.preparing import Prepared, prepare
from cleaning.request import NO_VECTORS, Choice, ComparisonRequest
from cleaning.result import ComparisonRecord, RunCard, write_result
from cleaning.strategies import rules as rules_module
from tests.cleaning.stub_strategies import Column, Failing, entrant

#: Number of strategies that take part, and of those that fail.
STRATEGIES, FAILED = 9, 1


def the_sample(workspace: Workspace) -> DatasetRow:
    """The dataset of the built-in sample."""
    return next(each for each in list_datasets(workspace) if each.name == "assay-sample")


def entrants(prepared: Prepared) -> list[Entrant]:
    """Learned ones that know much and little, rules, a twin, one that removes all, one undecided, one that fails."""
    ids = prepared.inputs.queries["query_id"].to_list()
    noise = np.random.default_rng(3).random(len(ids))
    knows = {
        each: float(0.5 * bad + 0.5 * chance) for each, bad, chance in zip(ids, prepared.remove, noise, strict=True)
    }
    little = {
        each: float(0.1 * bad + 0.9 * chance) for each, bad, chance in zip(ids, prepared.remove, noise, strict=True)
    }
    half = {each: score for place, (each, score) in enumerate(knows.items()) if place % 4}
    return [
        entrant("knows", Column(knows)),
        entrant("little", Column(little)),
        entrant("rules", rules_module.build({}), Kind.RULE),
        entrant("everything", Column(dict.fromkeys(ids, 1.0)), Kind.RULE),
        entrant("silent", Column(half), Kind.MODEL),
        entrant("keep", Column(dict.fromkeys(ids, 0.0)), Kind.BASELINE),
        entrant("twin", Column(dict.fromkeys(ids, 0.0)), Kind.BASELINE),
        entrant("easy", Column(dict(zip(ids, noise.tolist(), strict=True))), Kind.DIFFICULTY),
        entrant("broken", Failing(RuntimeError("no memory left"))),
    ]


def finish(workspace: Workspace, *, name: str = "first", labels: str = "labels:removal") -> ComparisonView:
    """Add a comparison on the sample with whole results and return it."""
    dataset = the_sample(workspace)
    request = ComparisonRequest(name, labels, (Choice("keep_all"),), embedder=NO_VECTORS, repeats=2, resamples=500)
    prepared = prepare(workspace, dataset, request, with_vectors=False)
    taking_part = entrants(prepared)
    compared = run(taking_part, prepared.inputs, prepared.split, duplicate_group=prepared.duplicate_group)
    row = add_comparison(workspace, dataset, name=name, spec=request.as_json())
    folder = comparison_folder(workspace, row.id)
    card = RunCard(
        dataset.name, dataset.revision, dataset.content_hash, "removal", prepared.labels.content_hash, "label set",
        "2026-05-01T10:00:00+00:00", 1, ineligible={"empty text": ["q-empty"]}, unknown=["q-unknown"],
    )  # fmt: skip
    write_result(ComparisonRecord(card, prepared.split, compared), folder)
    curve = learning_curve(taking_part[0], prepared.inputs, prepared.split, share_kept=0.8, fractions=(0.05, 0.5, 1.0))
    write_extras(folder, learning=[curve], probabilities=None)
    finish_comparison(workspace, row.id, split_hash=prepared.split.hash, labels_hash=prepared.labels.content_hash)
    return get_comparison(workspace, row.id)
