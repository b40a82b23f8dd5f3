"""Rows of releases; the files of each lie in a folder of the home, which its id names."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from audit_core.domain import JsonObject
from audit_core.storage.clock import now
from audit_core.storage.decision_tables import release
from audit_core.storage.inserting import insert_row


@dataclass(frozen=True, slots=True)
class ReleaseRow:
    """A release: `revision` is the one that it makes of its dataset. `finished_at` is None until its files are whole.

    `spec` is what was asked for, `result` what came of it; `result_dataset_id` the new revision where it is here.
    """

    id: int
    dataset_id: int
    revision: str
    spec: JsonObject
    result: JsonObject | None
    person_id: int
    created_at: str
    finished_at: str | None
    result_dataset_id: int | None


def add(connection: sa.Connection, *, dataset_id: int, revision: str, spec: JsonObject, person_id: int) -> int:
    """Add a release and return its id. The caller has made sure that the dataset has none of that revision."""
    values = {
        "dataset_id": dataset_id, "revision": revision, "spec": spec, "person_id": person_id, "created_at": now(),
    }  # fmt: skip
    return insert_row(connection, release, values)


def by_id(connection: sa.Connection, release_id: int) -> ReleaseRow | None:
    """Return the release with that id, None where there is none."""
    return _one(connection, release.c.id == release_id)


def by_revision(connection: sa.Connection, *, dataset_id: int, revision: str) -> ReleaseRow | None:
    """Return the release that makes that revision of a dataset, None where none does."""
    return _one(connection, sa.and_(release.c.dataset_id == dataset_id, release.c.revision == revision))


def _one(connection: sa.Connection, condition: sa.ColumnElement[bool]) -> ReleaseRow | None:
    found = connection.execute(sa.select(release).where(condition)).one_or_none()
    return ReleaseRow(**found._mapping) if found else None


def all_rows(connection: sa.Connection, *, dataset_id: int | None = None) -> list[ReleaseRow]:
    """Return the releases, of one dataset where it is given, the newest first."""
    query = sa.select(release).order_by(release.c.id.desc())
    if dataset_id is not None:
        query = query.where(release.c.dataset_id == dataset_id)
    return [ReleaseRow(**each._mapping) for each in connection.execute(query)]


def take_up(connection: sa.Connection, release_id: int, *, spec: JsonObject, person_id: int) -> None:
    """Give a release that broke off what is asked for now."""
    values = {"spec": spec, "person_id": person_id, "created_at": now()}
    connection.execute(release.update().where(release.c.id == release_id).values(values))


def set_finished(
    connection: sa.Connection, release_id: int, *, result: JsonObject, result_dataset_id: int | None
) -> None:
    """Note that the files of a release are whole, and what came of it."""
    values = {"finished_at": now(), "result": result, "result_dataset_id": result_dataset_id}
    connection.execute(release.update().where(release.c.id == release_id).values(values))


def delete(connection: sa.Connection, release_id: int) -> None:
    """Delete a release's row; its folder is the caller's to remove."""
    connection.execute(release.delete().where(release.c.id == release_id))


def delete_of_dataset(connection: sa.Connection, dataset_id: int) -> list[int]:
    """Delete all releases of a dataset; return their ids, for their folders. Those that made it know of it no more."""
    query = sa.select(release.c.id).where(release.c.dataset_id == dataset_id).order_by(release.c.id)
    ids = list(connection.execute(query).scalars())
    connection.execute(release.delete().where(release.c.dataset_id == dataset_id))
    made = release.c.result_dataset_id == dataset_id
    connection.execute(release.update().where(made).values(result_dataset_id=None))
    return ids
