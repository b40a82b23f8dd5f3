"""Cleaning runs as people see them: starting, naming, finding and deleting what scores, applies or rewords.

What a run computes is not known here: its files lie in a folder of its own.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from audit_core.domain import JsonObject
from audit_core.errors import CleaningError, JobError, NameTaken, NotFound
from audit_core.storage import activity, cleaning_runs, datasets, jobs
from audit_core.storage.cleaning_runs import CleaningRunRow, Rewording
from audit_core.storage.cleaning_tables import RunKind
from audit_core.storage.database import Connection
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.jobs import JobRow
from audit_core.storage.people import Person
from audit_core.workflow.jobs import JobView, get_job, start_job
from audit_core.workflow.run_lock import forget_lock, is_locked
from audit_core.workflow.workspace import Workspace

NAME_MAX = 120
#: What a run of each kind is called, the title of its job, and the command that lists such runs.
WORDS = {RunKind.SCORE: "scoring", RunKind.APPLY: "cleaning", RunKind.REWRITE: "rewording"}
_TITLES = {RunKind.SCORE: "Score all queries", RunKind.APPLY: "Apply a cleaning", RunKind.REWRITE: "Reword queries"}
_LISTS = {RunKind.SCORE: "clean scores", RunKind.APPLY: "clean applied", RunKind.REWRITE: "clean rewrites"}


@dataclass(frozen=True, slots=True)
class RunView:
    """A cleaning run with its dataset, and the job that does it (None where it was done at once).

    `made` is the cleaned revision that came of it, None where none is there. `is_being_made` is True while a process works
    on it, be it a job's or a command's.
    """

    row: CleaningRunRow
    dataset: DatasetRow
    job: JobView | None
    made: DatasetRow | None
    is_being_made: bool

    @property
    def is_finished(self) -> bool:
        """Whether its files are whole."""
        return self.row.finished_at is not None

    @property
    def outlives_original(self) -> bool:
        """Whether it is a cleaning whose original was deleted: `dataset` is then the revision that it made."""
        return bool((self.row.result or {}).get("original"))

    @property
    def original(self) -> tuple[str, str]:
        """Name and revision of the dataset that it is of, be that there or not."""
        kept = (self.row.result or {}).get("original")
        return (kept["name"], kept["revision"]) if kept else (self.dataset.name, self.dataset.revision)

    @property
    def state(self) -> str:
        """What is to be said of it in lists: `finished`, `running`, or the state of its job, else `broken off`."""
        if self.is_finished:
            return "finished"
        if self.is_being_made:
            return "running"
        return self.job.state if self.job is not None and self.job.state != "done" else "broken off"


def job_kind_of(kind: str) -> str:
    """Return the kind of the jobs that do runs of a kind: `cleaning.score`."""
    return f"cleaning.{RunKind(kind).value}"


def asking_id(row: CleaningRunRow) -> str:
    """Return under which name what a run spends on a language model is counted, over all its attempts.

    The time is part of it: the number of a run that was deleted may be given to a later one.
    """
    return f"cleaning_run:{row.id}:{row.created_at}"


def add_run(
    workspace: Workspace, dataset: DatasetRow, *, kind: str, name: str, spec: JsonObject, person: Person | None = None
) -> CleaningRunRow:
    """Register a run without starting it, and return it.

    A run of that kind and name that broke off, and that nobody works on, is taken up again: with the new `spec`, under its
    own number.

    Raises:
        CleaningError: the name is empty, too long, or cannot be shown.
        NameTaken: the dataset has a run of that kind and name that is finished or being made.
    """
    cleaned, sort = _clean_name(name), RunKind(kind)
    if (broken := _broken_off(workspace, dataset, sort, cleaned)) is not None:
        with workspace.database.write() as connection:
            cleaning_runs.take_up(connection, broken.id, spec=spec)
            row = cleaning_runs.by_id(connection, broken.id)
            _record(connection, "take-up", {"run": broken.id}, person)
        if row is None:
            raise NotFound(f"The {WORDS[sort]} {cleaned!r} was deleted a moment ago. Start it again.")
        return row
    with workspace.database.write() as connection:
        run_id = cleaning_runs.add(connection, dataset_id=dataset.id, kind=sort, name=cleaned, spec=spec)
        _record(connection, "add", {"run": run_id, "kind": sort.value, "name": cleaned}, person)
        row = cleaning_runs.by_id(connection, run_id)
    assert row is not None
    return row


def start_run(
    workspace: Workspace, dataset: DatasetRow, *, kind: str, name: str, spec: JsonObject, person: Person | None = None
) -> tuple[CleaningRunRow, JobRow]:
    """Register a run and start the job that does it; return both.

    Raises:
        CleaningError, NameTaken: as `add_run`.
        JobError: no process can be started for the job; it waits in the queue, and the run with it.
    """
    row = add_run(workspace, dataset, kind=kind, name=name, spec=spec, person=person)
    arguments: JsonObject = {"run": row.id}
    title = f"{_TITLES[row.kind]}: {row.name}"
    try:
        job = start_job(workspace, kind=job_kind_of(kind), title=title, arguments=arguments, person=person)
    except JobError:
        # It waits in the queue all the same, unless it could not even be put there: then the name is free again.
        if not _link_queued(workspace, row, arguments):
            delete_run(workspace, row.id, person=person)
        raise
    with workspace.database.write() as connection:
        cleaning_runs.set_job(connection, row.id, job.id)
    return row, job


def _link_queued(workspace: Workspace, row: CleaningRunRow, arguments: JsonObject) -> bool:
    kind = job_kind_of(row.kind)
    with workspace.database.write() as connection:
        found = [each.id for each in jobs.active(connection) if each.kind == kind and each.arguments == arguments]
        if found:
            cleaning_runs.set_job(connection, row.id, found[-1])
    return bool(found)


def finish_run(
    workspace: Workspace,
    run_id: int,
    *,
    result: JsonObject,
    made: DatasetRow | None = None,
    rewordings: Sequence[Rewording] = (),
) -> None:
    """Note that a run's files lie whole in its folder, and what came of it; all at once.

    `result` is a short summary for lists, `made` the cleaned revision, `rewordings` what is proposed for people to decide.

    Raises:
        NotFound: it was deleted meanwhile, perhaps with its dataset; its folder is removed.
    """
    with workspace.database.write() as connection:
        is_there = cleaning_runs.by_id(connection, run_id) is not None
        if is_there:
            made_id = made.id if made is not None else None
            cleaning_runs.set_finished(connection, run_id, result=result, result_dataset_id=made_id)
            cleaning_runs.clear_proposals(connection, run_id)
            cleaning_runs.add_proposals(connection, run_id, rewordings)
    if not is_there:
        shutil.rmtree(cleaning_folder(workspace, run_id), ignore_errors=True)
        raise NotFound("This run was deleted while it was made, so its results are not kept.")


def cleaning_folder(workspace: Workspace, run_id: int) -> Path:
    """Return the folder of a run's files; it is there once the run is finished."""
    return workspace.home / "cleanings" / str(run_id)


def list_runs(
    workspace: Workspace, *, kind: str | None = None, archived: bool | None = False, dataset: DatasetRow | None = None
) -> list[RunView]:
    """Return the runs, of one kind and on one dataset where these are given, the newest first.

    `archived`: those that are not archived, those that are, or (None) all.
    """
    with workspace.database.read() as connection:
        rows = cleaning_runs.all_rows(connection, dataset_id=dataset.id if dataset else None, kind=kind)
        known = {each.id: each for each in datasets.all_rows(connection)}
    kept = [row for row in rows if archived is None or (row.archived_at is not None) is archived]
    return [_view(workspace, row, known) for row in kept if row.dataset_id in known]


def get_run(workspace: Workspace, run_id: int) -> RunView:
    """Return a run by its number.

    Raises:
        NotFound: there is none.
    """
    with workspace.database.read() as connection:
        row = cleaning_runs.by_id(connection, run_id)
        known = {each.id: each for each in datasets.all_rows(connection)}
    if row is None or row.dataset_id not in known:
        raise NotFound(
            f"There is no cleaning run {run_id} here. `python -m audit_core clean scores` lists the scorings."
        )
    return _view(workspace, row, known)


def find_run(workspace: Workspace, name: str | int, kind: str = RunKind.SCORE) -> RunView:
    """Return a run of a kind by its number or its name; of several of one name, on different datasets, the newest.

    Raises:
        NotFound: there is none of that kind.
    """
    runs = list_runs(workspace, kind=kind, archived=None)
    text = str(name)
    by_number = [each for each in runs if str(each.row.id) == text]
    found = by_number or [each for each in runs if each.row.name == text]
    if not found:
        sort = RunKind(kind)
        raise NotFound(f"There is no {WORDS[sort]} {text!r} here. `python -m audit_core {_LISTS[sort]}` lists them.")
    return found[0]


def _view(workspace: Workspace, row: CleaningRunRow, known: dict[int, DatasetRow]) -> RunView:
    is_being_made = row.finished_at is None and is_locked(cleaning_folder(workspace, row.id))
    made = known.get(row.result_dataset_id) if row.result_dataset_id is not None else None
    return RunView(row, known[row.dataset_id], _job(workspace, row), made, is_being_made)


def _job(workspace: Workspace, row: CleaningRunRow) -> JobView | None:
    if row.job_id is None:
        return None
    with workspace.database.read() as connection:
        is_there = jobs.by_id(connection, row.job_id) is not None
    return get_job(workspace, row.job_id) if is_there else None


def rename_run(workspace: Workspace, run_id: int, name: str, *, person: Person | None = None) -> None:
    """Give a run another name.

    Raises:
        NotFound, CleaningError, NameTaken: there is none, or the name cannot be used.
    """
    view = get_run(workspace, run_id)
    cleaned = _clean_name(name)
    if cleaned == view.row.name:
        return
    _refuse_taken(workspace, view.dataset, view.row.kind, cleaned)
    with workspace.database.write() as connection:
        cleaning_runs.rename(connection, run_id, cleaned)
        _record(connection, "rename", {"run": run_id, "name": cleaned}, person)


def archive_run(workspace: Workspace, run_id: int, *, archived: bool, person: Person | None = None) -> None:
    """Hide a run from lists, or show it again.

    Raises:
        NotFound: there is none.
    """
    get_run(workspace, run_id)
    with workspace.database.write() as connection:
        cleaning_runs.set_archived(connection, run_id, archived=archived)
        _record(connection, "archive" if archived else "restore", {"run": run_id}, person)


def delete_run(workspace: Workspace, run_id: int, *, person: Person | None = None) -> None:
    """Delete a run with its files and proposals. Labels, the dataset, a revision that it made and model answers stay.

    Raises:
        NotFound: there is none.
        CleaningError: it is being made.
    """
    view = get_run(workspace, run_id)
    if view.job is not None and view.job.is_active:
        raise CleaningError(f"{view.row.name} is being made by job {view.job.job.id}: cancel the job first.")
    if view.is_being_made:
        raise CleaningError(f"{view.row.name} is being made by another process: stop that one first.")
    with workspace.database.write() as connection:
        cleaning_runs.delete(connection, run_id)
        _record(connection, "delete", {"run": run_id, "kind": view.row.kind.value, "name": view.row.name}, person)
    folder = cleaning_folder(workspace, run_id)
    shutil.rmtree(folder, ignore_errors=True)
    forget_lock(folder)


def _record(connection: Connection, what: str, subject: JsonObject, person: Person | None) -> None:
    activity.record(connection, f"cleaning-run-{what}", subject, person_id=person.id if person else None)


def _clean_name(name: str) -> str:
    cleaned = " ".join(name.split())
    if not 1 <= len(cleaned) <= NAME_MAX or not cleaned.isprintable():
        raise CleaningError(f"A run needs a name of 1 to {NAME_MAX} characters that can be shown.")
    return cleaned


def _refuse_taken(workspace: Workspace, dataset: DatasetRow, kind: RunKind, name: str) -> None:
    with workspace.database.read() as connection:
        row = cleaning_runs.by_name(connection, dataset_id=dataset.id, kind=kind, name=name)
    if row is not None:
        raise NameTaken(f"There is a {WORDS[kind]} {name!r} on this dataset already. Choose another name.")


def _broken_off(workspace: Workspace, dataset: DatasetRow, kind: RunKind, name: str) -> CleaningRunRow | None:
    """Return the run of that name that may be taken up again, None where the name is free; refuse a name in use."""
    with workspace.database.read() as connection:
        row = cleaning_runs.by_name(connection, dataset_id=dataset.id, kind=kind, name=name)
    if row is None:
        return None
    view = get_run(workspace, row.id)
    if view.is_finished or view.is_being_made or (view.job is not None and view.job.is_active):
        _refuse_taken(workspace, dataset, kind, name)
    return row
