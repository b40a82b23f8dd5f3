"""A finished scoring for tests of pages: of every query of the rated bundle, by strategies of every kind."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.cleanings import RunView, add_run, cleaning_folder, finish_run, get_run
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.label_sets import add_labels
from audit_core.workflow.workspace import Workspace
from cleaning.contract import Kind, Reason
from cleaning.scoring import ScoredAll
from cleaning.scoring_files import write_scoring
from cleaning.scoring_strategies import alike
from tests.cleaning.applied_cleanings import NAN, scoring_of, strategy
from tests.cleaning.rated_bundle import SIZES, Rated, rated_bundle
from tests.strata_bundle import Sizes

#: 48 queries, 12 of them bad: for what needs no guarantee.
FEW: Sizes = {("wiki", "Page-Single"): 20, ("wiki", "Cross-Doc"): 8, ("law", "Page-Single"): 20}
#: What is kept of questions to a model: four of 48 replies could not be used, and one in ten decisions flipped.
ASKED = {
    "asked": 48, "kept": 8, "calls": 41, "tokens_input": 12_000, "tokens_output": 900, "spend": 0.25, "repeats": 2,
    "statuses": {"accepted": 44, "truncated": 3, "off the scale": 1},
    "flips": {"count": 4, "n": 40, "threshold": 0.5, "low": 0.04, "high": 0.23},
    "stages": [
        {
            "prompt": "llm_rating", "prompt_hash": "0123456789abcdef", "model": "a-model", "base_url": "http://127.0.0.1:1/v1",
            "asked": 48, "kept": 8, "calls": 41, "tokens_input": 12_000, "tokens_output": 900, "spend": 0.25,
            "probe": {"mode": "ignored"}, "statuses": {"accepted": 44, "truncated": 3, "off the scale": 1},
        }
    ],
}  # fmt: skip


def rated_dataset(
    workspace: Workspace, folder: Path, *, sizes: Sizes = SIZES, with_sample: bool = True
) -> tuple[Rated, DatasetRow]:
    """Import the rated bundle, and the labels of its random sample as the label set `sample`."""
    rated = rated_bundle(folder, sizes)
    dataset = import_bundle(workspace, rated.folder).dataset
    if with_sample:
        add_labels(workspace, dataset, name="sample", labels=rated.sample)
    return rated, dataset


def finished_scoring(
    workspace: Workspace, dataset: DatasetRow, rated: Rated, *, name: str = "scores", only: tuple[str, ...] = ()
) -> RunView:
    """Keep a finished scoring with the strategies of `every_strategy`, or some of them by name."""
    ids = workspace.revision(dataset).query_ids(limit=10**6)
    taking_part = [each for each in every_strategy(ids, rated) if not only or each.name in only]
    row = add_run(workspace, dataset, kind="score", name=name, spec={"strategies": [each.name for each in taking_part]})
    card = {"request": {"seed": 1}, "notices": alike(taking_part)}
    scoring = replace(scoring_of(ids, *taking_part, dataset=dataset), run_id=row.id, name=name, card=card)
    write_scoring(scoring, cleaning_folder(workspace, row.id))
    result = {"queries": len(ids), "strategies": [{"name": each.name, "failed": each.failed} for each in taking_part]}
    finish_run(workspace, row.id, result=result)
    return get_run(workspace, row.id)


def every_strategy(ids: list[str], rated: Rated) -> list[ScoredAll]:
    """A model that knows all but a few bad ones, graded rules, one that leaves every third open, a twin, a filter, a failure."""
    bad, misled = set(rated.bad), np.random.default_rng(3)
    knows = [1.0 if each in bad and place % 40 else 0.0 for place, each in enumerate(ids)]
    graded = np.clip(0.35 + 0.3 * np.array([each in bad for each in ids]) + misled.normal(0, 0.1, len(ids)), 0, 1)
    reasons = {place: (Reason("layout", "names a table", 5, 9),) for place, score in enumerate(knows) if score}
    every_third = [NAN if place % 3 == 0 else score for place, score in enumerate(knows)]
    return [
        strategy("llm_rating", knows, reasons=reasons, asked=ASKED),
        strategy("graded", graded.tolist(), kind=Kind.RULE),
        strategy("silent", every_third),
        strategy("keep_all", [0.0] * len(ids), kind=Kind.BASELINE),
        strategy("twin", [0.0] * len(ids), kind=Kind.BASELINE),
        strategy("easy", graded.tolist()[::-1], kind=Kind.DIFFICULTY),
        strategy("broken", [NAN] * len(ids), failed="nothing was decided: 48 refused. No query has a score"),
    ]
