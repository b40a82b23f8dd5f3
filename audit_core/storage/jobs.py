"""Rows of jobs. Only who holds a job's token may write its progress and its end, so that two runners can never both do so.

Whether a runner still lives is not known here: callers decide that and name the token of the runner that they take for
dead, and nothing happens where another one has come meanwhile.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from audit_core.domain import JsonObject
from audit_core.storage.clock import now
from audit_core.storage.inserting import insert_row
from audit_core.storage.job_state import JobState
from audit_core.storage.schema import cleaning_run, comparison, job

#: States in which a job still has something before it.
ACTIVE = (JobState.QUEUED, JobState.RUNNING)
#: PostgreSQL's lock on the queue of jobs of one database (any number that nobody else uses).
_ADVISORY_KEY = 5_140_611_804
#: What is cleared when nobody runs a job or waits with it any more.
_NO_RUNNER = {"runner_pid": None, "runner_host": None, "runner_token": None}


@dataclass(frozen=True, slots=True)
class JobRow:
    """A job. `arguments` is None where what is stored cannot be read; `share` is in [0, 1].

    `share_before` is the share that this attempt told first; `attempt` counts from 1. The runner is the process that runs
    the job or, while it is queued, waits with it.
    """

    id: int
    kind: str
    title: str
    state: JobState
    step: str
    share: float
    share_before: float | None
    person_id: int | None
    created_at: str
    queued_at: str
    started_at: str | None
    heartbeat_at: str | None
    finished_at: str | None
    cancel_requested: bool
    attempt: int
    runner_pid: int | None
    runner_host: str | None
    runner_token: str | None
    error: str | None
    arguments: JsonObject | None
    result: JsonObject | None


# JSON is read as text: one row that somebody damaged by hand must not keep the others from being listed.
_AS_TEXT = ("arguments", "result")
_COLUMNS = [each for each in job.c if each.name not in _AS_TEXT]
_SELECT = sa.select(*_COLUMNS, *(sa.cast(job.c[name], sa.Text).label(name) for name in _AS_TEXT))


def _row(found: sa.Row[Any]) -> JobRow:
    values = dict(found._mapping)
    for name in _AS_TEXT:
        values[name] = _object(values[name])
    return JobRow(**{**values, "state": JobState(values["state"])})


def _object(text: str | None) -> JsonObject | None:
    try:
        value = json.loads(text) if text else None
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def add(connection: sa.Connection, *, kind: str, title: str, arguments: JsonObject, person_id: int | None) -> int:
    """Add a queued job and return its id."""
    moment = now()
    values = {
        "kind": kind, "title": title, "arguments": arguments, "state": JobState.QUEUED, "step": "", "share": 0.0,
        "person_id": person_id, "created_at": moment, "queued_at": moment, "cancel_requested": False, "attempt": 1,
    }  # fmt: skip
    return insert_row(connection, job, values)


def by_id(connection: sa.Connection, job_id: int) -> JobRow | None:
    """Return the job with that id, None where there is none."""
    found = connection.execute(_SELECT.where(job.c.id == job_id)).one_or_none()
    return _row(found) if found else None


def newest(connection: sa.Connection, *, limit: int) -> list[JobRow]:
    """Return the jobs that run, those that wait in their order, then the newest others; at most `limit` in all."""
    group = sa.case((job.c.state == JobState.RUNNING, 0), (job.c.state == JobState.QUEUED, 1), else_=2)
    turn = sa.case((job.c.state == JobState.QUEUED, job.c.queued_at), else_="")
    waiting_id = sa.case((job.c.state == JobState.QUEUED, job.c.id), else_=0)
    query = _SELECT.order_by(group, turn, waiting_id, job.c.id.desc()).limit(limit)
    return [_row(each) for each in connection.execute(query)]


def active(connection: sa.Connection) -> list[JobRow]:
    """Return the jobs that run or wait, in the order in which they were queued."""
    query = _SELECT.where(job.c.state.in_(ACTIVE)).order_by(job.c.queued_at, job.c.id)
    return [_row(each) for each in connection.execute(query)]


def ended_before(connection: sa.Connection, moment: str) -> list[int]:
    """Return the ids of the jobs that ended before a moment, as it is stored."""
    query = sa.select(job.c.id).where(job.c.state.not_in(ACTIVE), job.c.finished_at < moment).order_by(job.c.id)
    return list(connection.execute(query).scalars())


def lock_queue(connection: sa.Connection) -> None:
    """Keep every other process from deciding about the queue until this transaction ends.

    On SQLite a writing transaction does so already.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ADVISORY_KEY})


def _changed(connection: sa.Connection, condition: sa.ColumnElement[bool], values: dict[str, Any]) -> bool:
    return connection.execute(job.update().where(condition).values(values)).rowcount == 1


def _held(job_id: int, token: str | None) -> sa.ColumnElement[bool]:
    return sa.and_(job.c.id == job_id, job.c.runner_token.is_not_distinct_from(token))


def note_process(connection: sa.Connection, job_id: int, *, pid: int, host: str, instead_of: str | None) -> bool:
    """Note the process that was started for a queued job and has yet to take it."""
    values = {"runner_pid": pid, "runner_host": host, "runner_token": None, "heartbeat_at": now()}
    return _changed(connection, _held(job_id, instead_of) & (job.c.state == JobState.QUEUED), values)


def hold(connection: sa.Connection, job_id: int, *, token: str, pid: int, host: str, instead_of: str | None) -> bool:
    """Give a queued job to the runner with that token; False where it is not queued any more, or held by another one."""
    values = {"runner_pid": pid, "runner_host": host, "runner_token": token, "heartbeat_at": now()}
    return _changed(connection, _held(job_id, instead_of) & (job.c.state == JobState.QUEUED), values)


def begin(connection: sa.Connection, job_id: int, *, token: str) -> bool:
    """Set a queued job running; False where its runner does not hold it any more."""
    moment = now()
    values = {"state": JobState.RUNNING, "started_at": moment, "heartbeat_at": moment}
    return _changed(connection, _held(job_id, token) & (job.c.state == JobState.QUEUED), values)


def beat(
    connection: sa.Connection, job_id: int, *, token: str, step: str, share: float, share_before: float | None
) -> bool | None:
    """Store a sign of life and the progress; return whether to cancel, None where the runner does not hold the job."""
    values = {"heartbeat_at": now(), "step": step, "share": share, "share_before": share_before}
    if not _changed(connection, _held(job_id, token) & job.c.state.in_(ACTIVE), values):
        return None
    return bool(connection.execute(sa.select(job.c.cancel_requested).where(job.c.id == job_id)).scalar_one())


def finish(
    connection: sa.Connection,
    job_id: int,
    *,
    token: str | None,
    state: JobState,
    error: str | None = None,
    result: JsonObject | None = None,
) -> bool:
    """End a job that waits or runs; False where the runner with that token does not hold it (any more)."""
    values: dict[str, Any] = {"state": state, "finished_at": now(), "error": error, "result": result, **_NO_RUNNER}
    if state is JobState.DONE:
        values |= {"share": 1.0, "cancel_requested": False}
    return _changed(connection, _held(job_id, token) & job.c.state.in_(ACTIVE), values)


def request_cancel(connection: sa.Connection, job_id: int, *, token: str | None) -> bool:
    """Ask the runner of a running job to stop; False where it does not run under that token any more."""
    return _changed(connection, _held(job_id, token) & (job.c.state == JobState.RUNNING), {"cancel_requested": True})


def queue_again(connection: sa.Connection, job_id: int, *, states: Collection[JobState], token: str | None) -> bool:
    """Put a job that is in one of `states` back into the queue as its next attempt; False where it is not."""
    values = {
        "state": JobState.QUEUED, "queued_at": now(), "attempt": job.c.attempt + 1, "step": "", "share": 0.0,
        "share_before": None, "started_at": None, "heartbeat_at": None, "finished_at": None, "cancel_requested": False,
        "error": None, "result": None, **_NO_RUNNER,
    }  # fmt: skip
    return _changed(connection, _held(job_id, token) & job.c.state.in_(list(states)), values)


def delete(connection: sa.Connection, job_id: int) -> bool:
    """Delete a job that ended; what it made stays, without it. False where it still waits or runs."""
    ended = sa.select(job.c.id).where(job.c.id == job_id, job.c.state.not_in(ACTIVE))
    for table in (comparison, cleaning_run):
        connection.execute(table.update().where(table.c.job_id.in_(ended)).values(job_id=None))
    return connection.execute(job.delete().where(job.c.id.in_(ended))).rowcount == 1
