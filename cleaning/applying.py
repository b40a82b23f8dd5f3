"""Applying a cleaning: from the scores of all queries to a new revision of the dataset without those that go."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from audit_core.datasets.aside import storage_errors
from audit_core.errors import CleaningError
from audit_core.storage import datasets
from audit_core.storage.cleaning_tables import ProposalState
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.cleanings import RunView, cleaning_folder, find_run, finish_run, get_run
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.rewrites import list_rewrites
from audit_core.workflow.run_lock import alone_on
from audit_core.workflow.scratch import scratch_folder
from audit_core.workflow.workspace import Workspace
from cleaning.applied import Applied, AppliedMember, write_applied
from cleaning.apply_request import ApplyRequest, apply_request_from
from cleaning.cleaned_source import cleaned_source
from cleaning.evidence_combinations import evidence_combinations
from cleaning.query_frame import query_frame
from cleaning.removal_plan import Removal, plan_removal, refuse_pointless
from cleaning.removal_tables import DOMAIN, SOURCE, stratum_counts
from cleaning.removed_list import REMOVED, write_removed
from cleaning.scoring_files import read_scoring

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

    from audit_core.datasets.revision import Revision
    from cleaning.scoring import Scoring

__all__ = ["Plan", "execute_apply", "has_made", "plan_application", "plan_removal"]

#: Told what is being done and the share of the whole that is done; may raise to stop the work.
Report = Callable[[str, float], None]
#: Where each part begins, as a share of the whole; only the progress bar depends on it.
_ATTACHED, _WRITTEN, _IMPORTED = 0.1, 0.2, 0.3
BUNDLE = "bundle"


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """All that a request would do, with nothing done: what is shown before.

    `queries` has a row for each query of the dataset, with the columns of `query_frame` and the booleans `removed`,
    `undecided` and `reworded`. `rewordings` are new texts by query id.
    """

    dataset: DatasetRow
    removal: Removal
    queries: pl.DataFrame
    rewordings: dict[str, str]
    applied: Applied


def plan_application(workspace: Workspace, request: ApplyRequest) -> Plan:
    """Return what a request would do to its dataset; nothing is written.

    An accepted rewording keeps its query, whatever the scores of its old words say: a person wanted it in these words.

    Raises:
        NotFound: the scoring, the rewritten run or the dataset's folder is gone.
        CleaningError: nothing or everything would go, a strategy has no scores, the revision is there already, or the
            scoring or the rewordings are of other queries.
    """
    run = find_run(workspace, request.scoring, "score")
    dataset = run.dataset
    _refuse_revision(workspace, dataset, request.revision, mark=None)
    return _plan(workspace, run, request)


def execute_apply(workspace: Workspace, run_id: int, report: Report | None = None) -> Applied:
    """Do a registered cleaning: the new revision is imported whole, and the run finished, or nothing of it stays.

    An attempt that was killed leaves nothing that another does not clear away; where it had imported the revision before
    it died, that is taken as it is.

    Raises:
        NotFound, CleaningError: as `plan_application`; or it is finished, or being made by another process.
        BundleError: page files of the original are not where they were.
        StorageError: the disk is full or cannot be written.
    """
    tell = report or (lambda step, share: None)
    run = get_run(workspace, run_id)
    folder = cleaning_folder(workspace, run_id)
    with alone_on(folder, run.row.name):
        run = get_run(workspace, run_id)
        if run.is_finished:
            raise CleaningError(
                f"{run.row.name} is finished: what it made is never overwritten. Start another cleaning."
            )
        request = apply_request_from(run.row.spec)
        _refuse_revision(workspace, run.dataset, request.revision, mark=_mark(run))
        _refuse_lost_pages(workspace.revision(run.dataset))
        tell("working out what goes", 0.0)
        with scratch_folder(workspace.home) as scratch:
            applied = _write(workspace, run, request, scratch, tell)
            made = _import(workspace, run, scratch / BUNDLE, tell)
        finish_run(workspace, run_id, result=applied.summary(), made=made)
    tell("done", 1.0)
    return applied


def has_made(workspace: Workspace, run_id: int) -> bool:
    """Return whether the revision of a cleaning is there, be the run finished or not.

    Raises:
        NotFound: there is no such run.
    """
    run = get_run(workspace, run_id)
    with workspace.database.read() as connection:
        rows = datasets.by_name(connection, run.dataset.name, apply_request_from(run.row.spec).revision)
    return any(each.origin.endswith(_mark(run)) for each in rows)


def _write(workspace: Workspace, run: RunView, request: ApplyRequest, scratch: Path, tell: Report) -> Applied:
    """Write what the run keeps of its own, and the cleaned bundle; nothing of it is in memory when the import begins."""
    from audit_core.exporters.bundle import write_bundle

    scoring = find_run(workspace, request.scoring, "score")
    if scoring.dataset.id != run.dataset.id:
        raise CleaningError(f"The scoring {scoring.row.name} is of another dataset than the cleaning {run.row.name}.")
    plan = _plan(workspace, scoring, request)
    revision = workspace.revision(run.dataset)
    source = cleaned_source(
        revision, scratch / "kept", keep=~plan.queries["removed"].to_numpy(), rewordings=plan.rewordings,
        name=request.revision,
        advance=lambda part: tell("taking runs and embeddings along", _ATTACHED + (_WRITTEN - _ATTACHED) * part),
    )  # fmt: skip
    applied = replace(plan.applied, notes=(*plan.applied.notes, *source.notes))
    folder = cleaning_folder(workspace, run.row.id)
    shutil.rmtree(folder, ignore_errors=True)
    with storage_errors(folder):
        folder.mkdir(parents=True)
        write_removed(plan.removal, plan.queries, folder / REMOVED)
        write_applied(applied, folder)
    tell("writing the cleaned bundle", _WRITTEN)
    media = "link" if revision.manifest.keeps_media else "refer"
    write_bundle(source, scratch / BUNDLE, judgments={}, labels={}, form="parquet", media=media)
    return applied


def _import(workspace: Workspace, run: RunView, bundle: Path, tell: Report) -> DatasetRow:
    """Import the cleaned bundle; return the dataset. Page files are kept with it if they are with the original."""
    manifest = workspace.revision(run.dataset).manifest
    result = import_bundle(
        workspace, bundle, lenient=manifest.is_lenient, keeps_media=manifest.keeps_media,
        origin=f"{run.dataset.name}@{run.dataset.revision} by the cleaning {run.row.name} {_mark(run)}",
        progress=lambda step, share: tell(f"importing: {step}", _IMPORTED + (0.98 - _IMPORTED) * share),
    )  # fmt: skip
    if not result.dataset.origin.endswith(_mark(run)):
        raise _is_there(run.dataset, result.dataset.revision)
    return result.dataset


def _plan(workspace: Workspace, run: RunView, request: ApplyRequest) -> Plan:
    dataset = run.dataset
    scoring = read_scoring(workspace, run)
    revision = workspace.revision(dataset)
    queries = query_frame(revision)
    _refuse_other_queries(scoring, dataset, queries)
    rewordings = {} if request.rewrites is None else _accepted(workspace, request.rewrites, dataset, queries)
    removal, spared = plan_removal(scoring, request).sparing(rewordings)
    if not rewordings or len(removal.rows):
        refuse_pointless(removal)
    decided = _decided(queries, removal, rewordings)
    applied = Applied(
        request=request, dataset_name=dataset.name, dataset_revision=dataset.revision,
        dataset_hash=dataset.content_hash, rule=removal.rule,
        members=tuple(
            AppliedMember(each.name, each.title, each.kind.value, each.threshold, each.says, int((each.decisions == 1).sum()))
            for each in removal.members
        ),
        spared=spared, notes=(*removal.notes, *_notes(removal, rewordings, spared)),
        sources=stratum_counts(decided, SOURCE, first=revision.info.sources), domains=stratum_counts(decided, DOMAIN),
        combinations=evidence_combinations(decided),
    )  # fmt: skip
    return Plan(dataset, removal, decided, rewordings, applied)


def _decided(queries: pl.DataFrame, removal: Removal, rewordings: dict[str, str]) -> pl.DataFrame:
    import numpy as np
    import polars as pl

    return queries.with_columns(
        removed=pl.Series(removal.decisions == 1.0),
        undecided=pl.Series(np.isnan(removal.decisions)),
        reworded=pl.col("query_id").is_in(list(rewordings)),
    )


def _notes(removal: Removal, rewordings: dict[str, str], spared: int) -> list[str]:
    notes = []
    if rewordings:
        notes.append(
            f"{len(rewordings):,} queries are reworded; {spared:,} of these would have gone by the scores of their old words. "
            "Nothing scored the new words."
        )
        if not len(removal.rows):
            notes.append("No query goes: the new revision differs in the reworded queries alone.")
    notes.append(
        "Labels and judgments do not come along: they are of the queries before the cleaning, and figures of the two are "
        "never pooled. `campaign carry-over` takes judgments over where a query is the same."
    )
    return notes


def _accepted(workspace: Workspace, run_id: int, dataset: DatasetRow, queries: pl.DataFrame) -> dict[str, str]:
    """Return the rewordings of a run that a person accepted, by query id, checked against the queries as they are."""
    run = find_run(workspace, run_id, "rewrite")
    if run.dataset.id != dataset.id:
        raise CleaningError(f"The rewordings {run.row.name} are of another dataset or revision than the scoring.")
    if not run.is_finished:
        raise CleaningError(f"The rewordings {run.row.name} are not finished ({run.state}).")
    rows = list_rewrites(workspace, run.row.id, state=ProposalState.ACCEPTED)
    if not rows:
        raise CleaningError(f"Nobody accepted a rewording of {run.row.name} yet: accept some, or leave the run out.")
    wanted = {each.query_id for each in rows}
    texts = dict(queries.filter(queries["query_id"].is_in(list(wanted))).select("query_id", "text").iter_rows())
    for each in rows:
        if texts.get(each.query_id) != each.before or not each.after.strip():
            raise CleaningError(
                f"The rewording of {each.query_id!r} in {run.row.name} does not fit the query as it is: reject it."
            )
    return {each.query_id: each.after for each in rows if each.after != each.before}


def _refuse_other_queries(scoring: Scoring, dataset: DatasetRow, queries: pl.DataFrame) -> None:
    is_same = scoring.dataset_hash == dataset.content_hash and len(scoring.query_ids) == queries.height
    if not is_same or queries["query_id"].to_list() != list(scoring.query_ids):
        raise CleaningError(
            f"The scoring {scoring.name} is of other queries than {dataset.name}@{dataset.revision} has."
        )


def _refuse_revision(workspace: Workspace, dataset: DatasetRow, revision: str, *, mark: str | None) -> None:
    """Refuse a revision that is there, unless an attempt of this run made it and died before it could say so."""
    with workspace.database.read() as connection:
        rows = datasets.by_name(connection, dataset.name, revision)
    if any(mark is None or not each.origin.endswith(mark) for each in rows):
        raise _is_there(dataset, revision)


def _is_there(dataset: DatasetRow, revision: str) -> CleaningError:
    return CleaningError(
        f"{dataset.name} has a revision {revision} already, and a revision is never changed: choose another name for the new one."
    )


def _refuse_lost_pages(revision: Revision) -> None:
    if not revision.media_root.is_dir():
        raise CleaningError(
            f"The page files of {revision.info.name} are not at {revision.media_root}: put that folder back, then apply again."
        )


def _mark(run: RunView) -> str:
    """Return how the origin of what a run made ends: the number of a deleted run may be given again, so with its time."""
    return f"(run {run.row.id} of {run.row.created_at[:19]})"
