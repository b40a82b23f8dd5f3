"""Making a release, at once or as a job: proved, whole and listed, or not there at all."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from audit_core.corrections.records import CorrectionState
from audit_core.datasets.aside import built_aside, storage_errors
from audit_core.domain import Role
from audit_core.errors import LedgerError, NotFound
from audit_core.exporters.bundle import write_bundle
from audit_core.storage import activity, campaigns, corrections, datasets, jobs, releases
from audit_core.storage.database import Connection
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.jobs import JobRow
from audit_core.storage.people import Person
from audit_core.storage.releases import ReleaseRow
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.jobs import TITLE_MAX, start_job
from audit_core.workflow.release_held import Held, held_now
from audit_core.workflow.release_list import ReleaseView, get_release
from audit_core.workflow.release_making import BUNDLE, MadeFiles, chosen_corrections, make_files
from audit_core.workflow.release_request import ReleaseRequest, checked_request, request_from
from audit_core.workflow.roles import require_role
from audit_core.workflow.run_lock import alone_on, forget_lock
from audit_core.workflow.scratch import scratch_folder
from audit_core.workflow.workspace import Workspace

KIND = "release.make"
Report = Callable[[str, float], None]


def make_release(
    workspace: Workspace,
    dataset: DatasetRow,
    request: ReleaseRequest,
    *,
    person: Person,
    to: Path | None = None,
    report: Report | None = None,
) -> ReleaseView:
    """Make a release and return it: proved, whole and listed, or not there at all. With `to` its files are put there as well.

    Raises:
        NotAllowed: the person is no lead.
        LedgerError: nothing is accepted, the revision is there already, or the proof fails.
        CorrectionStale: accepted corrections do not apply.
        AssayError: `to` is not empty.
        StorageError: the disk is full or cannot be written.
    """
    require_role(person, Role.LEAD)
    checked = checked_request(request)
    if to is not None and to.exists() and (not to.is_dir() or any(to.iterdir())):
        raise LedgerError(f"{to} is there already and is not an empty folder: choose another, or empty it.")
    with workspace.database.read() as connection:
        _refuse_campaigns(connection, dataset, checked.campaigns)
    chosen_corrections(workspace, dataset, checked.campaigns)
    row = _registered(workspace, dataset, checked, person)
    try:
        return execute_release(workspace, row.id, to=to, report=report)
    except BaseException:
        _forget(workspace, row.id)
        raise


def _forget(workspace: Workspace, release_id: int) -> None:
    """Take the row of a release away that broke off in front of whoever made it, so that its number is free again."""
    with workspace.database.write() as connection:
        row = releases.by_id(connection, release_id)
        if row is not None and row.finished_at is None:
            releases.delete(connection, release_id)


def start_release(workspace: Workspace, dataset: DatasetRow, request: ReleaseRequest, *, person: Person) -> JobRow:
    """Start the job that makes a release, and return it.

    Raises:
        NotAllowed, LedgerError, CorrectionStale: as `make_release`, as far as it can be told before.
        JobError: it cannot be started.
    """
    require_role(person, Role.LEAD)
    checked = checked_request(request)
    with workspace.database.read() as connection:
        _refuse_campaigns(connection, dataset, checked.campaigns)
    chosen_corrections(workspace, dataset, checked.campaigns)
    _refuse_active(workspace, dataset, checked.revision)
    row = _registered(workspace, dataset, checked, person)
    title = f"Release {dataset.shown} {dataset.revision} -> {checked.revision}"[:TITLE_MAX]
    return start_job(workspace, kind=KIND, title=title, arguments={"release": row.id}, person=person)


def _refuse_active(workspace: Workspace, dataset: DatasetRow, revision: str) -> None:
    """Refuse a second job for a release that one makes already: a button is pressed twice sometimes."""
    with workspace.database.read() as connection:
        found = releases.by_revision(connection, dataset_id=dataset.id, revision=revision)
        active = [
            each
            for each in jobs.active(connection)
            if found and each.kind == KIND and each.arguments == {"release": found.id}
        ]
    if active:
        raise LedgerError(f"Job {active[0].id} makes revision {revision} already: wait until it is done, or cancel it.")


def _registered(workspace: Workspace, dataset: DatasetRow, request: ReleaseRequest, person: Person) -> ReleaseRow:
    """Return the row of a release to be made; one that broke off is taken up."""
    with workspace.database.write() as connection:
        _refuse_campaigns(connection, dataset, request.campaigns)
        found = releases.by_revision(connection, dataset_id=dataset.id, revision=request.revision)
        if found is not None and found.finished_at is not None:
            raise LedgerError(
                f"Release {found.id} makes revision {request.revision} of {dataset.name}@{dataset.revision} already: name another, "
                f"or delete that one with `python -m audit_core release delete {found.id}`."
            )
        if datasets.by_name(connection, dataset.name, request.revision):
            raise LedgerError(f"{dataset.name} has a revision {request.revision} already: name another one.")
        if found is None:
            release_id = releases.add(
                connection,
                dataset_id=dataset.id,
                revision=request.revision,
                spec=request.as_json(),
                person_id=person.id,
            )
        else:
            release_id = found.id
            releases.take_up(connection, found.id, spec=request.as_json(), person_id=person.id)
        row = releases.by_id(connection, release_id)
    assert row is not None
    return row


def _refuse_campaigns(connection: Connection, dataset: DatasetRow, names: Sequence[str]) -> None:
    known = [each.name for each in campaigns.all_rows(connection, dataset_id=dataset.id)]
    missing = [each for each in names if each not in known]
    if missing:
        raise NotFound(
            f"{dataset.name}@{dataset.revision} has no campaign {missing[0]!r}. It has: {', '.join(known) or 'none'}."
        )


def execute_release(
    workspace: Workspace, release_id: int, *, to: Path | None = None, report: Report | None = None
) -> ReleaseView:
    """Do a registered release: its folder is built aside and renamed when it is whole and proved.

    Raises:
        NotFound, LedgerError, CorrectionStale, StorageError: as `make_release`; or it is made by another process.
    """
    tell = report or (lambda step, share: None)
    view = get_release(workspace, release_id)
    request = request_from(view.row.spec)
    with _alone(view):
        if get_release(workspace, release_id).row.finished_at is not None:
            raise LedgerError(f"Release {release_id} is finished: what it holds is never overwritten.")
        chosen = chosen_corrections(workspace, view.dataset, request.campaigns)
        ids = _accepted(workspace, view.dataset)
        held = held_now(workspace, view.dataset, chosen)
        with scratch_folder(workspace.home) as scratch:
            with storage_errors(view.folder):
                shutil.rmtree(view.folder, ignore_errors=True)
            with built_aside(view.folder) as aside:
                made = make_files(
                    workspace, view.dataset, request, chosen, held=held, folder=aside, scratch=scratch,
                    report=lambda step, part: tell(step, 0.7 * part),
                )  # fmt: skip
            imported = _imported(workspace, view, request, made, scratch, tell) if request.imports else None
            if to is not None:
                _put(view.folder, made, to, request)
        _finish(workspace, view, made, imported, ids, held)
    tell("done", 1.0)
    return get_release(workspace, release_id)


@contextmanager
def _alone(view: ReleaseView) -> Iterator[None]:
    """Hold the lock of a release; its file stays only where there are files of the release beside it."""
    is_ours = False
    try:
        with alone_on(view.folder, f"Release {view.row.id}"):
            is_ours = True
            yield
    finally:
        if is_ours and not view.folder.exists():
            forget_lock(view.folder)


def _accepted(workspace: Workspace, dataset: DatasetRow) -> set[int]:
    with workspace.database.read() as connection:
        rows = corrections.of_dataset(connection, dataset.id, states=[CorrectionState.ACCEPTED])
    return {each.id for each in rows}


def _imported(
    workspace: Workspace, view: ReleaseView, request: ReleaseRequest, made: MadeFiles, scratch: Path, tell: Report
) -> DatasetRow:
    """Import the new revision and return it; page files are kept with it if they are with the original."""
    manifest = workspace.revision(view.dataset).manifest
    media = "link" if manifest.keeps_media else "refer"
    bundle = write_bundle(made.source, scratch / "import", judgments={}, labels={}, form="parquet", media=media)
    result = import_bundle(
        workspace, bundle, lenient=manifest.is_lenient, keeps_media=manifest.keeps_media,
        origin=f"{view.dataset.name}@{view.dataset.revision} by release {view.row.id}",
        progress=lambda step, part: tell(f"importing: {step}", 0.7 + 0.28 * part),
    )  # fmt: skip
    if result.dataset.content_hash != made.facts.result.hash:
        raise LedgerError(
            f"What was imported has the content hash {result.dataset.content_hash}, the certificate says {made.facts.result.hash}."
        )
    return result.dataset


def _put(folder: Path, made: MadeFiles, to: Path, request: ReleaseRequest) -> None:
    """Put the files of a release elsewhere. The bundle is written anew, since what it refers to lies elsewhere from there."""
    target = to.absolute()
    if target.exists():
        target.rmdir()
    with built_aside(target) as aside:
        for each in sorted(folder.iterdir()):
            if each.is_dir() and each.name != BUNDLE:
                shutil.copytree(each, aside / each.name)
            elif each.is_file():
                shutil.copyfile(each, aside / each.name)
        if not request.ids_only:
            write_bundle(made.source, aside / BUNDLE, judgments={}, labels={}, form=request.form, media=request.media)


def _finish(
    workspace: Workspace, view: ReleaseView, made: MadeFiles, imported: DatasetRow | None, ids: set[int], held: Held
) -> None:
    result = {
        "hash": made.facts.result.hash, "files": dict(made.facts.files), "counts": made.facts.counts,
        "verification": made.verification.as_json(), "held": held.as_json(),
    }  # fmt: skip
    with workspace.database.write() as connection:
        is_same = ids == {
            each.id for each in corrections.of_dataset(connection, view.dataset.id, states=[CorrectionState.ACCEPTED])
        }
        is_there = releases.by_id(connection, view.row.id) is not None
        if is_there and is_same:
            releases.set_finished(
                connection, view.row.id, result=result, result_dataset_id=imported.id if imported else None
            )
            subject = {"release": view.row.id, "dataset": view.dataset.name, "revision": view.row.revision}
            activity.record(connection, "release-make", subject, person_id=view.row.person_id)
    if not (is_there and is_same):
        shutil.rmtree(view.folder, ignore_errors=True)
        raise LedgerError(
            "Corrections were reviewed while the release was made, so that it is not kept: make it again."
            if is_there
            else "The release was deleted while it was made, so that its files are not kept."
        )
