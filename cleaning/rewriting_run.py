"""Running a rewording that was registered: a language model proposes, and people decide on what is kept here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from audit_core.domain import JsonObject
from audit_core.errors import CleaningError
from audit_core.inference.chat import Status
from audit_core.storage.cleaning_runs import Rewording
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.cleanings import cleaning_folder, find_run, finish_run, get_run
from audit_core.workflow.run_lock import alone_on
from audit_core.workflow.workspace import Workspace
from cleaning.llm.asked import none_accepted
from cleaning.llm.asker import Planned, caps_of, refuse_unpriced
from cleaning.llm.rewriting import reword, rewrite_settings, rewrite_stage
from cleaning.preparing import Report
from cleaning.query_frame import query_frame
from cleaning.rewrite_request import RewriteRequest, rewrite_request_from
from cleaning.score_asking import asking_for, page_source, planner
from cleaning.scoring_files import read_scoring

if TYPE_CHECKING:
    import polars as pl

#: Share of the time when all is answered, roughly.
_ASKED = 0.98


@dataclass(frozen=True, slots=True, eq=False)
class ToReword:
    """The queries to reword, with the columns of the contract, and by query id what was found wrong with each."""

    queries: pl.DataFrame
    faults: dict[str, Sequence[str]]


def execute_rewrite(workspace: Workspace, run_id: int, *, report: Report | None = None) -> JsonObject:
    """Ask for another wording of each query of a run, keep what is proposed, and return the run's summary.

    Answers are kept as they arrive, so that the next attempt asks only what is missing. Nothing is accepted here.

    Raises:
        NotFound: the run, its dataset or its scoring is gone.
        CleaningError: no answer could be used, or what was asked for cannot be done; nothing is kept as finished.
        InferenceError: the language model cannot be used, or a cap was reached.
    """
    tell = report or (lambda step, share: None)
    view = get_run(workspace, run_id)
    if view.is_finished:
        raise CleaningError(
            f"{view.row.name} is finished: its proposals are never overwritten. Start another rewording."
        )
    request = rewrite_request_from(view.row.spec)
    with alone_on(cleaning_folder(workspace, run_id), view.row.name):
        settings = rewrite_settings(request.options)
        tell("reading queries", 0.0)
        chosen = to_reword(workspace, view.dataset, request)
        stage = rewrite_stage(settings)
        with asking_for(workspace, view, caps=request.caps, in_flight=request.in_flight) as asking:
            asker = asking.asker_for(lambda step, share: tell(step, _ASKED * share))
            found = list(reword(chosen.queries, settings, asker, faults=chosen.faults, pages=asking.pages, stage=stage))
            spent = asking.spent()
        asked = stage.as_json()
        if not any(each.status is Status.ACCEPTED for each in found):
            raise CleaningError(f"No query was reworded: {none_accepted(asked)}.")
        proposed = [
            Rewording(each.query_id, each.before, each.after, each.reason) for each in found if each.after is not None
        ]
        accepted = sum(each.status is Status.ACCEPTED for each in found)
        result: JsonObject = {
            "queries": chosen.queries.height, "proposed": len(proposed), "unchanged": accepted - len(proposed),
            "unanswered": chosen.queries.height - accepted, "asked": asked, "spent": spent,
        }  # fmt: skip
        finish_run(workspace, run_id, result=result, rewordings=proposed)
    tell("done", 1.0)
    return result


def to_reword(workspace: Workspace, dataset: DatasetRow, request: RewriteRequest) -> ToReword:
    """Return the queries that a request names.

    Raises:
        NotFound: there is no such scoring.
        CleaningError: it is of another dataset or not finished, its strategy took no part or removes nothing, or the
            dataset lacks a query of the list.
    """
    revision = workspace.revision(dataset)
    if request.query_ids is not None:
        return ToReword(query_frame(revision, list(dict.fromkeys(request.query_ids))), {})
    assert request.strategy is not None
    view = find_run(workspace, str(request.scoring))
    if view.dataset.id != dataset.id:
        raise CleaningError(
            f"The scoring {view.row.name} is of {view.dataset.name}@{view.dataset.revision}, not of {dataset.name}@"
            f"{dataset.revision}: name one of this dataset."
        )
    scoring = read_scoring(workspace, view)
    strategy = scoring.of(request.strategy)
    rows = np.flatnonzero(strategy.decisions == 1.0).tolist()
    if not rows:
        raise CleaningError(
            f"{strategy.title} removes no query in the scoring {view.row.name}: there is none to reword."
        )
    ids = [scoring.query_ids[row] for row in rows]
    faults: dict[str, Sequence[str]] = {
        scoring.query_ids[row]: list(dict.fromkeys(each.says for each in strategy.reasons.get(row, ()))) for row in rows
    }
    return ToReword(query_frame(revision, ids), {query_id: found for query_id, found in faults.items() if found})


def check_rewrite(workspace: Workspace, dataset: DatasetRow, request: RewriteRequest) -> None:
    """Refuse what can be known to be wrong before anything is spent.

    Raises:
        NotFound, CleaningError: as `to_reword`; or an option cannot be used.
        InferenceError: the language model cannot be used, or money is capped and its price is not known.
    """
    refuse_unpriced(caps_of(request.caps), [rewrite_settings(request.options).model])
    to_reword(workspace, dataset, request)


def plan_rewrite(workspace: Workspace, dataset: DatasetRow, request: RewriteRequest) -> Planned:
    """Return what a rewording would take; nothing is sent.

    Raises:
        NotFound, CleaningError, InferenceError: as `check_rewrite`.
        StorageError: the answers that are kept cannot be read.
    """
    settings, chosen = rewrite_settings(request.options), to_reword(workspace, dataset, request)
    with planner() as planning:
        pages = page_source(workspace, dataset)
        for _ in reword(chosen.queries, settings, planning, faults=chosen.faults, pages=pages):
            continue
    return planning.planned[0]
