"""The releases that there are: listed, found by number, deleted."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from audit_core.domain import JsonObject, Role
from audit_core.errors import NotFound
from audit_core.storage import activity, datasets, people, releases
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.storage.releases import ReleaseRow
from audit_core.workflow.roles import require_role
from audit_core.workflow.run_lock import alone_on, forget_lock
from audit_core.workflow.workspace import Workspace


@dataclass(frozen=True, slots=True)
class ReleaseView:
    """A release with its dataset, who made it, and the new revision where it is here."""

    row: ReleaseRow
    dataset: DatasetRow
    person: str
    made: DatasetRow | None
    folder: Path

    @property
    def title(self) -> str:
        """How people call it."""
        return f"{self.dataset.name} {self.dataset.revision} -> {self.row.revision}"

    def as_json(self) -> JsonObject:
        """Return it as one JSON object, without the row numbers by which it is made again."""
        told = {name: part for name, part in (self.row.result or {}).items() if name != "held"} or None
        return {
            "id": self.row.id, "dataset": self.dataset.name, "revision": self.dataset.revision, "makes": self.row.revision,
            "created_at": self.row.created_at, "finished_at": self.row.finished_at, "by": self.person,
            "folder": str(self.folder), "imported": None if self.made is None else f"{self.made.name}@{self.made.revision}",
            "asked": self.row.spec, "result": told,
        }  # fmt: skip


def release_folder(workspace: Workspace, release_id: int) -> Path:
    """Return the folder of a release's files; it is there once the release is finished."""
    return workspace.home / "releases" / str(release_id)


def list_releases(workspace: Workspace, dataset: DatasetRow | None = None) -> list[ReleaseView]:
    """Return the releases, of one dataset where it is given, the newest first."""
    with workspace.database.read() as connection:
        rows = releases.all_rows(connection, dataset_id=dataset.id if dataset else None)
        known = {each.id: each for each in datasets.all_rows(connection)}
        names = people.names(connection)
    return [_view(workspace, row, known, names) for row in rows if row.dataset_id in known]


def get_release(workspace: Workspace, release_id: int) -> ReleaseView:
    """Return a release by its number.

    Raises:
        NotFound: there is none.
    """
    with workspace.database.read() as connection:
        row = releases.by_id(connection, release_id)
        known = {each.id: each for each in datasets.all_rows(connection)}
        names = people.names(connection)
    if row is None or row.dataset_id not in known:
        raise NotFound(f"There is no release {release_id} here. `python -m audit_core release list` lists them.")
    return _view(workspace, row, known, names)


def _view(workspace: Workspace, row: ReleaseRow, known: dict[int, DatasetRow], names: dict[int, str]) -> ReleaseView:
    made = known.get(row.result_dataset_id) if row.result_dataset_id is not None else None
    person = names.get(row.person_id, "somebody")
    return ReleaseView(row, known[row.dataset_id], person, made, release_folder(workspace, row.id))


def delete_release(workspace: Workspace, release_id: int, *, person: Person) -> None:
    """Delete a release with its files; corrections stay, and so does a new revision that was imported.

    Raises:
        NotAllowed: the person is no lead.
        NotFound: there is none.
        CleaningError: another process makes it.
    """
    require_role(person, Role.LEAD)
    view = get_release(workspace, release_id)
    with alone_on(view.folder, f"Release {release_id}"):
        with workspace.database.write() as connection:
            releases.delete(connection, release_id)
            subject = {"release": release_id, "dataset": view.dataset.name, "revision": view.row.revision}
            activity.record(connection, "release-delete", subject, person_id=person.id)
        shutil.rmtree(view.folder, ignore_errors=True)
    forget_lock(view.folder)
