"""The queue: one job runs at a time, the next one's process waits beside it, and the rest have no process yet.

The waiting process looks by itself whether the running one still lives, so a runner that was killed blocks nobody. Each
decision is one transaction that no other process's decision can fall into.
"""

from __future__ import annotations

import uuid
from pathlib import Path

from audit_core.errors import JobError, NotFound
from audit_core.jobs.processes import has_live_runner, own_host, start_runner
from audit_core.storage import jobs
from audit_core.storage.database import Database
from audit_core.storage.job_state import JobState
from audit_core.storage.jobs import JobRow


def no_such_job(job_id: int) -> NotFound:
    """Return the error for the number of a job that is not there."""
    return NotFound(f"There is no job {job_id} here. `python -m audit_core jobs` lists them.")


def attend(database: Database, home: Path) -> int | None:
    """Start a process for the first job in the queue if it has none; return its id, None where nothing was to be done.

    Call it after everything that changes the queue, and whenever somebody looks at it: after a restart of the machine
    no process is left to go on by itself.

    Raises:
        JobError: the process cannot be started; the job stays in the queue.
    """
    first = _first_without_process(database)
    if first is None:
        return None
    try:
        pid = start_runner(home, database.url, first.id)
    except OSError as error:
        raise JobError(
            f"No process could be started for job {first.id} ({error}): it stays in the queue. "
            f"Run it by hand: `python -m audit_core job run {first.id}`."
        ) from error
    with database.write() as connection:
        jobs.note_process(connection, first.id, pid=pid, host=own_host(), instead_of=first.runner_token)
    return first.id


def _first_without_process(database: Database) -> JobRow | None:
    with database.read() as connection:
        waiting = [each for each in jobs.active(connection) if each.state is JobState.QUEUED]
    return waiting[0] if waiting and not has_live_runner(waiting[0]) else None


def take(database: Database, job_id: int, *, pid: int) -> str:
    """Give a queued job to this process and return the token that shows it. Nobody else can take it while we live.

    Raises:
        NotFound: there is no such job.
        JobError: it is not queued, or another process has it.
    """
    token = uuid.uuid4().hex
    with database.write() as connection:
        jobs.lock_queue(connection)
        row = jobs.by_id(connection, job_id)
        if row is None:
            raise no_such_job(job_id)
        if row.state is not JobState.QUEUED:
            raise JobError(f"Job {job_id} is {describe(row)}: only a queued job can be run. {_way_on(row)}")
        if row.runner_token is not None and has_live_runner(row):
            raise JobError(f"Another process (number {row.runner_pid}) waits with job {job_id} for its turn already.")
        jobs.hold(connection, job_id, token=token, pid=pid, host=own_host(), instead_of=row.runner_token)
    return token


def begin_if_it_is_our_turn(database: Database, job_id: int, *, token: str) -> bool:
    """Set the job running if no other one runs and none with a living process was queued before; return whether.

    Raises:
        JobError: the job was cancelled or taken away meanwhile.
    """
    with database.write() as connection:
        jobs.lock_queue(connection)
        rows = jobs.active(connection)
        own = next((each for each in rows if each.id == job_id), None)
        if own is None or own.state is not JobState.QUEUED or own.runner_token != token:
            raise JobError(f"Job {job_id} was cancelled or deleted, or another process has it.")
        earlier = rows[: rows.index(own)]
        others = [each for each in rows if each is not own and (each.state is JobState.RUNNING or each in earlier)]
        return not any(has_live_runner(each) for each in others) and jobs.begin(connection, job_id, token=token)


#: What a job is called that runs according to its row while its runner gives no sign of life.
INTERRUPTED = "interrupted"


def describe(row: JobRow) -> str:
    """Return the state of a job in a word, `interrupted` where its runner gives no sign of life."""
    if row.state is JobState.RUNNING and not has_live_runner(row):
        return INTERRUPTED
    return row.state.value


def _way_on(row: JobRow) -> str:
    if row.state is JobState.DONE:
        return "Start another one."
    if describe(row) == JobState.RUNNING:
        return f"Look at it: `python -m audit_core job show {row.id}`."
    return f"Resume it: `python -m audit_core job resume {row.id}`."
