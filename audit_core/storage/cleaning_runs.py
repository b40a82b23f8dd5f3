"""Rows of cleaning runs and of the rewordings that they propose. Their files lie in a folder named by the row's id."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import sqlalchemy as sa

from audit_core.domain import JsonObject
from audit_core.storage.cleaning_tables import ProposalState, RunKind, cleaning_run, rewrite_proposal
from audit_core.storage.clock import now
from audit_core.storage.inserting import insert_row, insert_rows
from audit_core.storage.schema import person


@dataclass(frozen=True, slots=True)
class CleaningRunRow:
    """A cleaning run on a dataset. `spec` is what was asked for; `finished_at` is None until its files are whole.

    `result` is what came of it in short, None until then; `result_dataset_id` the cleaned revision that it made, if one is
    there.
    """

    id: int
    dataset_id: int
    kind: RunKind
    name: str
    spec: JsonObject
    job_id: int | None
    created_at: str
    finished_at: str | None
    archived_at: str | None
    result: JsonObject | None
    result_dataset_id: int | None


@dataclass(frozen=True, slots=True)
class Rewording:
    """A reworded query that a model proposes, and why."""

    query_id: str
    before: str
    after: str
    reason: str


@dataclass(frozen=True, slots=True)
class ProposalRow:
    """A proposed rewording with what a person made of it; `decided_by` is that person's name."""

    run_id: int
    query_id: str
    before: str
    after: str
    reason: str
    state: ProposalState
    decided_by: str | None
    decided_at: str | None


def add(
    connection: sa.Connection, *, dataset_id: int, kind: str, name: str, spec: JsonObject, job_id: int | None = None
) -> int:
    """Add a run and return its id. The caller has made sure that the name is free on that dataset, among its kind."""
    values = {
        "dataset_id": dataset_id, "kind": str(kind), "name": name, "spec": spec, "job_id": job_id, "created_at": now(),
    }  # fmt: skip
    return insert_row(connection, cleaning_run, values)


def by_id(connection: sa.Connection, run_id: int) -> CleaningRunRow | None:
    """Return the run with that id, None where there is none."""
    return _one(connection, cleaning_run.c.id == run_id)


def by_name(connection: sa.Connection, *, dataset_id: int, kind: str, name: str) -> CleaningRunRow | None:
    """Return the run of that kind and name on a dataset, None where there is none."""
    columns = cleaning_run.c
    return _one(connection, sa.and_(columns.dataset_id == dataset_id, columns.kind == str(kind), columns.name == name))


def _one(connection: sa.Connection, condition: sa.ColumnElement[bool]) -> CleaningRunRow | None:
    found = connection.execute(sa.select(cleaning_run).where(condition)).one_or_none()
    return _row(found) if found else None


def _row(found: sa.Row[tuple[object, ...]]) -> CleaningRunRow:
    values = dict(found._mapping)
    return CleaningRunRow(**{**values, "kind": RunKind(values["kind"])})


def all_rows(
    connection: sa.Connection, *, dataset_id: int | None = None, kind: str | None = None
) -> list[CleaningRunRow]:
    """Return the runs, of one dataset and of one kind where these are given, archived ones too, the newest first."""
    query = sa.select(cleaning_run).order_by(cleaning_run.c.id.desc())
    if dataset_id is not None:
        query = query.where(cleaning_run.c.dataset_id == dataset_id)
    if kind is not None:
        query = query.where(cleaning_run.c.kind == str(kind))
    return [_row(each) for each in connection.execute(query)]


def take_up(connection: sa.Connection, run_id: int, *, spec: JsonObject) -> None:
    """Give a run that broke off what is asked for now; the job that broke off is no longer its own."""
    values = {"spec": spec, "job_id": None, "archived_at": None}
    connection.execute(cleaning_run.update().where(cleaning_run.c.id == run_id).values(values))


def set_job(connection: sa.Connection, run_id: int, job_id: int | None) -> None:
    """Note the job that does a run."""
    connection.execute(cleaning_run.update().where(cleaning_run.c.id == run_id).values(job_id=job_id))


def set_finished(
    connection: sa.Connection, run_id: int, *, result: JsonObject, result_dataset_id: int | None = None
) -> None:
    """Note that a run's files are whole, and what came of it."""
    values = {"finished_at": now(), "result": result, "result_dataset_id": result_dataset_id}
    connection.execute(cleaning_run.update().where(cleaning_run.c.id == run_id).values(values))


def rename(connection: sa.Connection, run_id: int, name: str) -> None:
    """Give a run another name."""
    connection.execute(cleaning_run.update().where(cleaning_run.c.id == run_id).values(name=name))


def set_archived(connection: sa.Connection, run_id: int, *, archived: bool) -> None:
    """Hide a run from lists, or show it again."""
    values = {"archived_at": now() if archived else None}
    connection.execute(cleaning_run.update().where(cleaning_run.c.id == run_id).values(values))


def delete(connection: sa.Connection, run_id: int) -> None:
    """Delete a run's row and its proposals; its folder is the caller's to remove."""
    connection.execute(rewrite_proposal.delete().where(rewrite_proposal.c.run_id == run_id))
    connection.execute(cleaning_run.delete().where(cleaning_run.c.id == run_id))


def outliving(connection: sa.Connection, dataset_id: int) -> list[CleaningRunRow]:
    """Return the finished cleanings of a dataset whose revision is there: what they removed and why is of that one as well."""
    return [
        each
        for each in all_rows(connection, dataset_id=dataset_id, kind=RunKind.APPLY)
        if each.finished_at is not None and each.result_dataset_id not in (None, dataset_id)
    ]


def _move_to_revision(connection: sa.Connection, row: CleaningRunRow, original: JsonObject) -> None:
    """Let a cleaning hang on the revision that it made, with `original` (name, revision) as what it was of."""
    assert row.result_dataset_id is not None
    name, number = row.name, 1
    while by_name(connection, dataset_id=row.result_dataset_id, kind=row.kind, name=name) is not None:
        number += 1
        name = f"{row.name} ({number})"
    result = {**(row.result or {}), "original": original}
    values = {"dataset_id": row.result_dataset_id, "name": name, "result": result}
    connection.execute(cleaning_run.update().where(cleaning_run.c.id == row.id).values(values))


def delete_of_dataset(connection: sa.Connection, dataset_id: int, *, original: JsonObject | None = None) -> list[int]:
    """Delete all runs on a dataset with their proposals; return their ids, for their folders.

    Runs on other datasets that made this one stay, and know of it no more. So do cleanings of this one whose revision lives
    on (`outliving`): they hang on that from now on, and keep `original` (name and revision of this one).
    """
    for each in outliving(connection, dataset_id):
        _move_to_revision(connection, each, original or {})
    on_it = cleaning_run.c.dataset_id == dataset_id
    ids = list(connection.execute(sa.select(cleaning_run.c.id).where(on_it).order_by(cleaning_run.c.id)).scalars())
    of_runs = sa.select(cleaning_run.c.id).where(on_it)
    connection.execute(rewrite_proposal.delete().where(rewrite_proposal.c.run_id.in_(of_runs)))
    connection.execute(cleaning_run.delete().where(on_it))
    made = cleaning_run.c.result_dataset_id == dataset_id
    connection.execute(cleaning_run.update().where(made).values(result_dataset_id=None))
    return ids


def add_proposals(connection: sa.Connection, run_id: int, rewordings: Sequence[Rewording]) -> None:
    """Add proposed rewordings to a run; nobody has decided on them."""
    state = ProposalState.PROPOSED.value
    insert_rows(
        connection,
        rewrite_proposal,
        [{"run_id": run_id, **asdict(each), "state": state} for each in rewordings],
    )


def clear_proposals(connection: sa.Connection, run_id: int) -> None:
    """Delete the proposals of a run that broke off; its next attempt adds them anew."""
    connection.execute(rewrite_proposal.delete().where(rewrite_proposal.c.run_id == run_id))


def proposals(
    connection: sa.Connection, run_id: int, *, state: str | None = None, query_id: str | None = None
) -> list[ProposalRow]:
    """Return the proposals of a run by query id, those of one state or one query where these are given."""
    columns = rewrite_proposal.c
    query = (
        sa.select(rewrite_proposal, person.c.name.label("decider"))
        .outerjoin(person, person.c.id == columns.decided_by)
        .where(columns.run_id == run_id)
        .order_by(columns.query_id)
    )
    if state is not None:
        query = query.where(columns.state == str(state))
    if query_id is not None:
        query = query.where(columns.query_id == query_id)
    return [_proposal(each) for each in connection.execute(query)]


def _proposal(found: sa.Row[tuple[object, ...]]) -> ProposalRow:
    values = dict(found._mapping)
    name = values.pop("decider")
    return ProposalRow(**{**values, "state": ProposalState(values["state"]), "decided_by": name})


def decide(connection: sa.Connection, run_id: int, query_id: str, *, state: str, person_id: int) -> None:
    """Note what a person made of a proposal, in place of what was decided before."""
    columns = rewrite_proposal.c
    chosen = sa.and_(columns.run_id == run_id, columns.query_id == query_id)
    values = {"state": str(state), "decided_by": person_id, "decided_at": now()}
    connection.execute(rewrite_proposal.update().where(chosen).values(values))
