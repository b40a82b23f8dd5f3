"""Rows of comparisons of cleaning strategies. Their results lie in files, in a folder named by the row's id."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from audit_core.domain import JsonObject
from audit_core.storage.clock import now
from audit_core.storage.inserting import insert_row
from audit_core.storage.schema import comparison


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """A comparison on a dataset. `spec` is what was asked for; `finished_at` is None until its results are whole."""

    id: int
    dataset_id: int
    name: str
    split_hash: str
    labels_hash: str
    spec: JsonObject
    job_id: int | None
    created_at: str
    finished_at: str | None
    archived_at: str | None


def add(
    connection: sa.Connection,
    *,
    dataset_id: int,
    name: str,
    split_hash: str,
    labels_hash: str,
    spec: JsonObject,
    job_id: int | None = None,
) -> int:
    """Add a comparison and return its id. The caller has made sure that the name is free on that dataset."""
    values = {
        "dataset_id": dataset_id, "name": name, "split_hash": split_hash, "labels_hash": labels_hash, "spec": spec,
        "job_id": job_id, "created_at": now(),
    }  # fmt: skip
    return insert_row(connection, comparison, values)


def by_id(connection: sa.Connection, comparison_id: int) -> ComparisonRow | None:
    """Return the comparison with that id, None where there is none."""
    return _one(connection, comparison.c.id == comparison_id)


def by_name(connection: sa.Connection, *, dataset_id: int, name: str) -> ComparisonRow | None:
    """Return the comparison of that name on a dataset, None where there is none."""
    return _one(connection, sa.and_(comparison.c.dataset_id == dataset_id, comparison.c.name == name))


def by_job(connection: sa.Connection, job_id: int) -> ComparisonRow | None:
    """Return the comparison that a job makes, None where there is none."""
    return _one(connection, comparison.c.job_id == job_id)


def _one(connection: sa.Connection, condition: sa.ColumnElement[bool]) -> ComparisonRow | None:
    found = connection.execute(sa.select(comparison).where(condition).order_by(comparison.c.id).limit(1)).one_or_none()
    return ComparisonRow(**found._mapping) if found else None


def all_rows(connection: sa.Connection, *, dataset_id: int | None = None) -> list[ComparisonRow]:
    """Return the comparisons, of one dataset where it is given, archived ones too, the newest first."""
    query = sa.select(comparison).order_by(comparison.c.id.desc())
    if dataset_id is not None:
        query = query.where(comparison.c.dataset_id == dataset_id)
    return [ComparisonRow(**each._mapping) for each in connection.execute(query)]


def take_up(connection: sa.Connection, comparison_id: int, *, spec: JsonObject) -> None:
    """Give a comparison that broke off what is asked for now; the job that broke off is no longer its own."""
    values = {"spec": spec, "job_id": None, "archived_at": None}
    connection.execute(comparison.update().where(comparison.c.id == comparison_id).values(values))


def set_job(connection: sa.Connection, comparison_id: int, job_id: int | None) -> None:
    """Note the job that makes a comparison."""
    connection.execute(comparison.update().where(comparison.c.id == comparison_id).values(job_id=job_id))


def set_finished(connection: sa.Connection, comparison_id: int, *, split_hash: str, labels_hash: str) -> None:
    """Note that the results are whole, and what they were computed from."""
    values = {"finished_at": now(), "split_hash": split_hash, "labels_hash": labels_hash}
    connection.execute(comparison.update().where(comparison.c.id == comparison_id).values(values))


def rename(connection: sa.Connection, comparison_id: int, name: str) -> None:
    """Give a comparison another name."""
    connection.execute(comparison.update().where(comparison.c.id == comparison_id).values(name=name))


def set_archived(connection: sa.Connection, comparison_id: int, *, archived: bool) -> None:
    """Hide a comparison from lists, or show it again."""
    values = {"archived_at": now() if archived else None}
    connection.execute(comparison.update().where(comparison.c.id == comparison_id).values(values))


def delete(connection: sa.Connection, comparison_id: int) -> None:
    """Delete a comparison's row; its folder is the caller's to remove."""
    connection.execute(comparison.delete().where(comparison.c.id == comparison_id))


def delete_of_dataset(connection: sa.Connection, dataset_id: int) -> list[int]:
    """Delete all comparisons on a dataset; return their ids, for their folders."""
    query = sa.select(comparison.c.id).where(comparison.c.dataset_id == dataset_id).order_by(comparison.c.id)
    ids = list(connection.execute(query).scalars())
    connection.execute(comparison.delete().where(comparison.c.dataset_id == dataset_id))
    return ids
