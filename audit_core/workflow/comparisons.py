"""Comparisons of cleaning strategies as people see them: starting, naming, finding and deleting them.

What a comparison computes is not known here: its results lie as files in a folder of its own.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from audit_core.domain import JsonObject
from audit_core.errors import CleaningError, JobError, NameTaken, NotFound
from audit_core.storage import activity, comparisons, datasets, jobs
from audit_core.storage.comparisons import ComparisonRow
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.jobs import JobRow
from audit_core.storage.people import Person
from audit_core.workflow.jobs import JobView, get_job, start_job
from audit_core.workflow.run_lock import forget_lock, is_locked
from audit_core.workflow.workspace import Workspace

KIND = "cleaning.compare"
NAME_MAX = 120


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """A comparison with its dataset, and the job that makes it (None where it was made at once)."""

    row: ComparisonRow
    dataset: DatasetRow
    job: JobView | None

    @property
    def is_finished(self) -> bool:
        """Whether its results are whole."""
        return self.row.finished_at is not None


def add_comparison(
    workspace: Workspace, dataset: DatasetRow, *, name: str, spec: JsonObject, person: Person | None = None
) -> ComparisonRow:
    """Register a comparison without starting it, and return it.

    One of that name that broke off, and that nobody works on, is taken up again: with the new `spec`, under its own number,
    so that what it spent on language models counts on.

    Raises:
        CleaningError: the name is empty, too long, or cannot be shown.
        NameTaken: the dataset has a comparison of that name that is finished or being made.
    """
    if (broken := _broken_off(workspace, dataset, name)) is not None:
        with workspace.database.write() as connection:
            comparisons.take_up(connection, broken.id, spec=spec)
            taken = comparisons.by_id(connection, broken.id)
            about: JsonObject = {"comparison": broken.id}
            activity.record(connection, "comparison-take-up", about, person_id=person.id if person else None)
        if taken is None:
            raise NotFound(f"The comparison {broken.name!r} was deleted a moment ago. Start it again.")
        return taken
    with workspace.database.write() as connection:
        comparison_id = comparisons.add(
            connection,
            dataset_id=dataset.id,
            name=_free_name(workspace, dataset, name),
            split_hash="",
            labels_hash="",
            spec=spec,
        )
        subject = {"comparison": comparison_id, "name": name}
        activity.record(connection, "comparison-add", subject, person_id=person.id if person else None)
        row = comparisons.by_id(connection, comparison_id)
    assert row is not None
    return row


def start_comparison(
    workspace: Workspace, dataset: DatasetRow, *, name: str, spec: JsonObject, person: Person | None = None
) -> tuple[ComparisonRow, JobRow]:
    """Register a comparison and start the job that makes it; return both.

    Raises:
        CleaningError, NameTaken: as `add_comparison`.
        JobError: no process can be started for the job; it waits in the queue, and the comparison with it.
    """
    row = add_comparison(workspace, dataset, name=name, spec=spec, person=person)
    title = f"Compare strategies: {row.name}"
    arguments: JsonObject = {"comparison": row.id}
    try:
        job = start_job(workspace, kind=KIND, title=title, arguments=arguments, person=person)
    except JobError:
        # It waits in the queue all the same, unless it could not even be put there: then the name is free again.
        if not _link_queued(workspace, row, arguments):
            delete_comparison(workspace, row.id, person=person)
        raise
    with workspace.database.write() as connection:
        comparisons.set_job(connection, row.id, job.id)
    return row, job


def _link_queued(workspace: Workspace, row: ComparisonRow, arguments: JsonObject) -> bool:
    with workspace.database.write() as connection:
        found = [each.id for each in jobs.active(connection) if each.kind == KIND and each.arguments == arguments]
        if found:
            comparisons.set_job(connection, row.id, found[-1])
    return bool(found)


def finish_comparison(workspace: Workspace, comparison_id: int, *, split_hash: str, labels_hash: str) -> None:
    """Note that the results of a comparison lie whole in its folder.

    Raises:
        NotFound: it was deleted meanwhile, perhaps with its dataset; its folder is removed.
    """
    with workspace.database.write() as connection:
        is_there = comparisons.by_id(connection, comparison_id) is not None
        comparisons.set_finished(connection, comparison_id, split_hash=split_hash, labels_hash=labels_hash)
    if not is_there:
        shutil.rmtree(comparison_folder(workspace, comparison_id), ignore_errors=True)
        raise NotFound("This comparison was deleted while it was made, so its results are not kept.")


def comparison_folder(workspace: Workspace, comparison_id: int) -> Path:
    """Return the folder of a comparison's results; it is there once the comparison is finished."""
    return workspace.home / "comparisons" / str(comparison_id)


def list_comparisons(
    workspace: Workspace, *, archived: bool | None = False, dataset: DatasetRow | None = None
) -> list[ComparisonView]:
    """Return the comparisons, of one dataset where it is given, the newest first.

    `archived`: those that are not archived, those that are, or (None) all.
    """
    with workspace.database.read() as connection:
        rows = comparisons.all_rows(connection, dataset_id=dataset.id if dataset else None)
        known = {each.id: each for each in datasets.all_rows(connection)}
    kept = [row for row in rows if archived is None or (row.archived_at is not None) is archived]
    return [ComparisonView(row, known[row.dataset_id], _job(workspace, row)) for row in kept]


def get_comparison(workspace: Workspace, comparison_id: int) -> ComparisonView:
    """Return a comparison by its number.

    Raises:
        NotFound: there is none.
    """
    with workspace.database.read() as connection:
        row = comparisons.by_id(connection, comparison_id)
        dataset = datasets.by_id(connection, row.dataset_id) if row else None
    if row is None or dataset is None:
        raise NotFound(f"There is no comparison {comparison_id} here. `python -m audit_core clean list` lists them.")
    return ComparisonView(row, dataset, _job(workspace, row))


def find_comparison(workspace: Workspace, name: str) -> ComparisonView:
    """Return a comparison by its number or its name; of several of one name the newest.

    Raises:
        NotFound: there is none.
    """
    if name.isascii() and name.isdigit() and len(name) <= 9:
        return get_comparison(workspace, int(name))
    for each in list_comparisons(workspace, archived=None):
        if each.row.name == name:
            return each
    raise NotFound(f"There is no comparison {name!r} here. `python -m audit_core clean list` lists them.")


def _job(workspace: Workspace, row: ComparisonRow) -> JobView | None:
    if row.job_id is None:
        return None
    with workspace.database.read() as connection:
        is_there = jobs.by_id(connection, row.job_id) is not None
    return get_job(workspace, row.job_id) if is_there else None


def rename_comparison(workspace: Workspace, comparison_id: int, name: str, *, person: Person | None = None) -> None:
    """Give a comparison another name.

    Raises:
        NotFound, CleaningError, NameTaken: there is none, or the name cannot be used.
    """
    view = get_comparison(workspace, comparison_id)
    if name.strip() == view.row.name:
        return
    with workspace.database.write() as connection:
        comparisons.rename(connection, comparison_id, _free_name(workspace, view.dataset, name))
        subject = {"comparison": comparison_id, "name": name}
        activity.record(connection, "comparison-rename", subject, person_id=person.id if person else None)


def archive_comparison(
    workspace: Workspace, comparison_id: int, *, archived: bool, person: Person | None = None
) -> None:
    """Hide a comparison from lists, or show it again.

    Raises:
        NotFound: there is none.
    """
    get_comparison(workspace, comparison_id)
    with workspace.database.write() as connection:
        comparisons.set_archived(connection, comparison_id, archived=archived)
        action = "comparison-archive" if archived else "comparison-restore"
        activity.record(connection, action, {"comparison": comparison_id}, person_id=person.id if person else None)


def delete_comparison(workspace: Workspace, comparison_id: int, *, person: Person | None = None) -> None:
    """Delete a comparison with its results. Labels, judgments and the dataset stay.

    Raises:
        NotFound: there is none.
        CleaningError: it is being made: its job must be cancelled first.
    """
    view = get_comparison(workspace, comparison_id)
    if view.job is not None and view.job.is_active:
        raise CleaningError(f"{view.row.name} is being made by job {view.job.job.id}: cancel the job first.")
    with workspace.database.write() as connection:
        comparisons.delete(connection, comparison_id)
        subject = {"comparison": comparison_id, "name": view.row.name}
        activity.record(connection, "comparison-delete", subject, person_id=person.id if person else None)
    folder = comparison_folder(workspace, comparison_id)
    shutil.rmtree(folder, ignore_errors=True)
    forget_lock(folder)


def _broken_off(workspace: Workspace, dataset: DatasetRow, name: str) -> ComparisonRow | None:
    """Return the comparison of that name that may be taken up again, None where there is none such."""
    with workspace.database.read() as connection:
        row = comparisons.by_name(connection, dataset_id=dataset.id, name=" ".join(name.split()))
    if row is None or row.finished_at is not None or is_locked(comparison_folder(workspace, row.id)):
        return None
    job = _job(workspace, row)
    return None if job is not None and job.is_active else row


def _free_name(workspace: Workspace, dataset: DatasetRow, name: str) -> str:
    cleaned = " ".join(name.split())
    if not 1 <= len(cleaned) <= NAME_MAX or not cleaned.isprintable():
        raise CleaningError(f"A comparison needs a name of 1 to {NAME_MAX} characters that can be shown.")
    with workspace.database.read() as connection:
        if comparisons.by_name(connection, dataset_id=dataset.id, name=cleaned) is not None:
            raise NameTaken(f"There is a comparison {cleaned!r} on this dataset already. Choose another name.")
    return cleaned
