"""Jobs: starting long work that goes on by itself, looking at it, cancelling and resuming it.

A job is a row of the database and a process of its own. Any process that opens the same home sees it, and none needs to
stay for it: the app may be stopped, killed and started again meanwhile.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from audit_core.domain import JsonObject
from audit_core.errors import JobError, NotFound
from audit_core.jobs.kinds import join
from audit_core.jobs.processes import has_live_runner, job_folder, log_file
from audit_core.jobs.queue import INTERRUPTED, attend, describe, no_such_job
from audit_core.storage import activity, jobs, people
from audit_core.storage.clock import stamp
from audit_core.storage.job_state import JobState
from audit_core.storage.jobs import JobRow
from audit_core.storage.people import Person
from audit_core.workflow.workspace import Workspace

#: Longest name of a kind and longest title of a job, in characters.
KIND_MAX = 60
TITLE_MAX = 200
#: How many jobs a list shows at most.
LISTED = 200
#: Time left is guessed after this much of the work and this many seconds, not earlier.
_GUESS_SHARE = 0.01
_GUESS_SECONDS = 3.0

join("audit_core.workflow.page_check")
join("audit_core.workflow.release_job")


@dataclass(frozen=True, slots=True)
class JobView:
    """A job as it is shown.

    `state` is that of the row, or `interrupted` for one whose runner died. `place` is its place in the queue from 1, None
    for one that does not wait. `seconds` is how long this attempt took so far, None before it began; `seconds_left` a
    guess from the share done, None where none can be made.
    """

    job: JobRow
    state: str
    person: str | None
    place: int | None
    seconds: float | None
    seconds_left: float | None

    @property
    def can_be_cancelled(self) -> bool:
        """Whether it waits, runs or was interrupted, and nobody has cancelled it yet."""
        return self.state in (JobState.QUEUED, INTERRUPTED) or (
            self.state == JobState.RUNNING and not self.job.cancel_requested
        )

    @property
    def can_be_resumed(self) -> bool:
        """Whether it ended, or was interrupted, before it was done."""
        return self.state in (INTERRUPTED, JobState.FAILED, JobState.CANCELLED)

    @property
    def is_active(self) -> bool:
        """Whether something about it will change by itself."""
        return self.state in (JobState.QUEUED, JobState.RUNNING)

    def as_json(self) -> JsonObject:
        """Return the job as one JSON document; times are UTC, durations in seconds."""
        row = self.job
        return {
            "id": row.id,
            "kind": row.kind,
            "title": row.title,
            "state": self.state,
            "cancel_requested": row.cancel_requested,
            "step": row.step,
            "share": row.share,
            "attempt": row.attempt,
            "place": self.place,
            "person": self.person,
            "created_at": row.created_at,
            "started_at": row.started_at,
            "finished_at": row.finished_at,
            "seconds": self.seconds,
            "seconds_left": self.seconds_left,
            "arguments": row.arguments,
            "error": row.error,
            "result": row.result,
        }


def start_job(
    workspace: Workspace, *, kind: str, title: str, arguments: Mapping[str, Any], person: Person | None = None
) -> JobRow:
    """Put a job into the queue, see that the queue goes on, and return the job. It runs in a process of its own.

    Raises:
        JobError: kind, title or arguments cannot be kept, or no process can be started (the job then stays queued).
    """
    cleaned = " ".join(title.split())
    if not 1 <= len(cleaned) <= TITLE_MAX or not cleaned.isprintable():
        raise JobError(f"A job needs a title of 1 to {TITLE_MAX} characters that can be shown.")
    if not 1 <= len(kind) <= KIND_MAX:
        raise JobError(f"{kind!r} is not the name of a kind of job: use 1 to {KIND_MAX} characters.")
    try:
        kept: JsonObject = json.loads(json.dumps(dict(arguments), allow_nan=False))
    except (TypeError, ValueError) as error:
        raise JobError(f"What job {cleaned!r} is to do cannot be written as JSON ({error}).") from None
    person_id = person.id if person else None
    with workspace.database.write() as connection:
        job_id = jobs.add(connection, kind=kind, title=cleaned, arguments=kept, person_id=person_id)
        activity.record(connection, "job-start", {"job": job_id, "kind": kind, "title": cleaned}, person_id=person_id)
        row = jobs.by_id(connection, job_id)
    assert row is not None
    tend_queue(workspace)
    return row


def tend_queue(workspace: Workspace) -> None:
    """See that the first job in the queue has a process. Call it whenever somebody looks: it costs one query.

    Raises:
        JobError: that process cannot be started.
    """
    attend(workspace.database, workspace.home)


def list_jobs(workspace: Workspace, *, limit: int = LISTED) -> list[JobView]:
    """Return the jobs that run or wait, then the newest others, at most `limit` in all."""
    with workspace.database.read() as connection:
        rows = jobs.newest(connection, limit=limit)
        queue = jobs.active(connection)
        names = people.names(connection)
    return [_view(each, queue, names) for each in rows]


def get_job(workspace: Workspace, job_id: int) -> JobView:
    """Return a job by its number.

    Raises:
        NotFound: there is no such job.
    """
    with workspace.database.read() as connection:
        row = jobs.by_id(connection, job_id)
        if row is None:
            raise no_such_job(job_id)
        return _view(row, jobs.active(connection), people.names(connection))


def _view(row: JobRow, queue: list[JobRow], names: dict[int, str]) -> JobView:
    waiting = [each.id for each in queue if each.state is JobState.QUEUED]
    seconds = left = None
    if row.started_at is not None:
        end = datetime.fromisoformat(row.finished_at) if row.finished_at else datetime.now(UTC)
        seconds = max(0.0, (end - datetime.fromisoformat(row.started_at)).total_seconds())
    state = describe(row)
    if state == JobState.RUNNING and seconds is not None:
        left = _seconds_left(row, seconds)
    return JobView(
        job=row,
        state=state,
        person=names.get(row.person_id) if row.person_id else None,
        place=waiting.index(row.id) + 1 if row.id in waiting else None,
        seconds=seconds,
        seconds_left=left,
    )


def _seconds_left(row: JobRow, seconds: float) -> float | None:
    """Return the time left if the rest goes as fast as what this attempt did; what it found done tells nothing."""
    done = row.share - (row.share_before or 0.0)
    if done < _GUESS_SHARE or seconds < _GUESS_SECONDS:
        return None
    return seconds * (1.0 - row.share) / done


def cancel_job(workspace: Workspace, job_id: int, *, person: Person | None = None) -> JobView:
    """Cancel a job and return it: one that waits, or whose runner died, at once; one that runs is asked to stop.

    What it kept in its folder stays, so that it can be resumed.

    Raises:
        NotFound: there is no such job.
        JobError: it has ended already.
    """
    with workspace.database.write() as connection:
        jobs.lock_queue(connection)
        row = jobs.by_id(connection, job_id)
        if row is None:
            raise no_such_job(job_id)
        if row.state is JobState.RUNNING and has_live_runner(row):
            done = jobs.request_cancel(connection, job_id, token=row.runner_token)
        else:
            done = jobs.finish(connection, job_id, token=row.runner_token, state=JobState.CANCELLED)
        if not done:
            raise JobError(f"Job {job_id} has ended already: there is nothing to cancel.")
        activity.record(connection, "job-cancel", {"job": job_id}, person_id=person.id if person else None)
    tend_queue(workspace)
    return get_job(workspace, job_id)


def resume_job(workspace: Workspace, job_id: int, *, person: Person | None = None) -> JobView:
    """Put a job that failed, was cancelled or was interrupted back into the queue and return it.

    It begins as its next attempt, and goes on from what it kept in its folder where its kind can do so.

    Raises:
        NotFound: there is no such job.
        JobError: it waits, runs, or is done.
    """
    with workspace.database.write() as connection:
        jobs.lock_queue(connection)
        row = jobs.by_id(connection, job_id)
        if row is None:
            raise no_such_job(job_id)
        states = {JobState.FAILED, JobState.CANCELLED}
        if describe(row) == INTERRUPTED:
            states.add(JobState.RUNNING)
        if not jobs.queue_again(connection, job_id, states=states, token=row.runner_token):
            raise JobError(_why_not_resumed(row))
        activity.record(connection, "job-resume", {"job": job_id}, person_id=person.id if person else None)
    tend_queue(workspace)
    return get_job(workspace, job_id)


def _why_not_resumed(row: JobRow) -> str:
    if row.state is JobState.DONE:
        return f"Job {row.id} is done: start another one to do it again."
    if row.cancel_requested:
        return f"Job {row.id} is still stopping: resume it when it is cancelled."
    return f"Job {row.id} is {row.state}: there is nothing to resume."


def delete_job(workspace: Workspace, job_id: int, *, person: Person | None = None) -> None:
    """Delete a job that ended, with its folder. What it made elsewhere stays.

    Raises:
        NotFound: there is no such job.
        JobError: it waits or runs, or its folder cannot be removed.
    """
    with workspace.database.write() as connection:
        jobs.lock_queue(connection)
        row = jobs.by_id(connection, job_id)
        if row is None:
            raise no_such_job(job_id)
        if not jobs.delete(connection, job_id):
            raise JobError(f"Job {job_id} is {describe(row)}: cancel it first, then delete it.")
        subject = {"job": job_id, "title": row.title}
        activity.record(connection, "job-delete", subject, person_id=person.id if person else None)
    folder = job_folder(workspace.home, job_id)
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        return
    except OSError as error:
        raise JobError(f"Job {job_id} is deleted, but its folder {folder} could not be removed ({error}).") from error


def delete_old_jobs(workspace: Workspace, *, days: int, person: Person | None = None) -> list[int]:
    """Delete the jobs that ended more than `days` days ago, with their folders; return their numbers.

    Raises:
        JobError: the number of days is not 0 or more, or a folder cannot be removed.
    """
    if not 0 <= days <= 36_500:
        raise JobError(f"{days} days: give a number from 0 to 36,500.")
    moment = stamp(datetime.now(UTC) - timedelta(days=days))
    with workspace.database.read() as connection:
        ids = jobs.ended_before(connection, moment)
    for each in ids:
        with suppress(NotFound):  # somebody else deletes them at this moment
            delete_job(workspace, each, person=person)
    return ids


def log_tail(workspace: Workspace, job_id: int, *, lines: int = 40) -> str:
    """Return the last lines of what a job printed; empty where it printed nothing, or its log is gone."""
    file = log_file(workspace.home, job_id)
    try:
        with file.open("rb") as stream:
            stream.seek(max(0, file.stat().st_size - 400 * lines))
            text = stream.read().decode("utf-8", "replace")
    except OSError:
        return ""
    return "\n".join(text.splitlines()[-lines:])


def folder_of(workspace: Workspace, job_id: int) -> Path:
    """Return the folder of a job; it may not be there yet."""
    return job_folder(workspace.home, job_id)
