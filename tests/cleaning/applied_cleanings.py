"""Scorings with given scores, and cleanings applied by them, for tests of what a cleaning does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from audit_core.storage.cleaning_runs import Rewording
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.cleanings import RunView, add_run, cleaning_folder, finish_run, get_run
from audit_core.workflow.rewrites import decide_rewrite
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from cleaning.apply_request import ApplyRequest, AtThreshold
from cleaning.applying import execute_apply
from cleaning.contract import Kind, Reason
from cleaning.scoring import ScoredAll, Scoring
from cleaning.scoring_files import write_scoring

NAN = float("nan")


def strategy(
    name: str,
    scores: Sequence[float],
    *,
    threshold: float = 0.5,
    kind: Kind = Kind.MODEL,
    reasons: Mapping[int, Sequence[Reason]] | None = None,
    **more: Any,
) -> ScoredAll:
    """A strategy with these scores."""
    values = np.array(scores, dtype=np.float64)
    decisions = np.where(np.isnan(values), np.nan, (values >= threshold).astype(float))
    return ScoredAll(
        name, name.replace("_", " ").title(), kind, more.pop("options", {}), threshold, values, decisions, reasons or {}, **more
    )  # fmt: skip


def scoring_of(query_ids: Sequence[str], *strategies: ScoredAll, dataset: DatasetRow | None = None) -> Scoring:
    """A scoring of these queries; of no dataset unless one is given."""
    place = (dataset.name, dataset.revision, dataset.content_hash) if dataset else ("made", "1", "hash")
    return Scoring(1, "scores", *place, query_ids=tuple(query_ids), strategies=strategies)


def scored(workspace: Workspace, dataset: DatasetRow, *strategies: ScoredAll, name: str = "scores") -> RunView:
    """Keep a finished scoring of a dataset with these strategies, as the scoring itself does."""
    ids = workspace.revision(dataset).query_ids(limit=10**6)
    row = add_run(workspace, dataset, kind="score", name=name, spec={})
    write_scoring(scoring_of(ids, *strategies, dataset=dataset), cleaning_folder(workspace, row.id))
    finish_run(workspace, row.id, result={})
    return get_run(workspace, row.id)


def asked(scoring: RunView, *names: str, **options: Any) -> ApplyRequest:
    """A request to apply strategies of a scoring at their own thresholds."""
    values = {"name": "first", "revision": "2-cleaned", **options}
    return ApplyRequest(scoring=scoring.row.id, strategies=tuple(AtThreshold(each) for each in names), **values)


def registered(workspace: Workspace, scoring: RunView, request: ApplyRequest) -> int:
    """Register a cleaning and return its number."""
    return add_run(workspace, scoring.dataset, kind="apply", name=request.name, spec=request.as_json()).id


def applied(workspace: Workspace, scoring: RunView, *names: str, **options: Any) -> RunView:
    """Apply a cleaning as the command does, and return its run."""
    run_id = registered(workspace, scoring, asked(scoring, *names, **options))
    execute_apply(workspace, run_id)
    return get_run(workspace, run_id)


def reworded(
    workspace: Workspace, dataset: DatasetRow, texts: Mapping[str, tuple[str, str]], *, accept: bool = True
) -> int:
    """Keep a finished run that rewords queries (id -> before, after), accepted by a person; return its number."""
    row = add_run(workspace, dataset, kind="rewrite", name="reworded", spec={})
    proposals = [Rewording(query_id, *both, "clearer") for query_id, both in texts.items()]
    finish_run(workspace, row.id, result={}, rewordings=proposals)
    if accept:
        person = sign_in(workspace, "ann")
        for query_id in texts:
            decide_rewrite(workspace, row.id, query_id, accept=True, person=person)
    return row.id
