"""Running one job in this process, from waiting for its turn to its end."""

from __future__ import annotations

import json
import logging
import os
import threading
import traceback
from collections.abc import Callable
from pathlib import Path

from audit_core.domain import JsonObject
from audit_core.errors import AssayError, JobError, StorageError
from audit_core.jobs.context import JobCancelled, JobContext, JobLost
from audit_core.jobs.keeper import Keeper, storable
from audit_core.jobs.kinds import work_of
from audit_core.jobs.processes import job_folder, log_file
from audit_core.jobs.queue import attend, begin_if_it_is_our_turn, no_such_job, take
from audit_core.storage import jobs
from audit_core.storage.clock import now
from audit_core.storage.database import Database
from audit_core.storage.job_state import JobState
from audit_core.storage.jobs import JobRow

_LOG = logging.getLogger(__name__)
#: A waiting runner looks this often whether it is its turn, in seconds.
_LOOK_SECONDS = 1.0
#: Longest sentence about a failure that is kept, in characters.
_ERROR_MAX = 1_000
#: How often the end of a job is written before it is given up; each try waits for a busy database by itself.
_TRIES = 5

#: How a piece of work ended: the state, the sentence about a failure, the result.
_End = tuple[JobState, str | None, JsonObject | None]


def run_job(
    database: Database,
    home: Path,
    job_id: int,
    *,
    on_wait: Callable[[], None] = lambda: None,
    on_lost: Callable[[], None] = lambda: None,
) -> JobRow:
    """Run a queued job in this process when its turn comes, and return it as it ended.

    `on_wait` is called once if another job runs; `on_lost` if this process was silent for so long that another runner
    took the job over (then the row is returned as that one left it). A failure of the work is kept in the row as a
    sentence, with the traceback in the job's log, and is not raised.

    Raises:
        NotFound: there is no such job.
        JobError: it is not queued, another process has it, or it was cancelled while it waited.
    """
    token = take(database, job_id, pid=os.getpid())
    runs = threading.Event()
    keeper = Keeper(database, job_id, token=token, on_lost=lambda: on_lost() if runs.is_set() else None)
    try:
        with keeper:
            _wait_for_our_turn(database, job_id, token=token, on_wait=on_wait)
            runs.set()
            _bring_up_the_next(database, home)
            end = _work(_row(database, job_id), home, keeper)
        _end(database, job_id, token=token, end=end)
    except KeyboardInterrupt:
        _end(database, job_id, token=token, end=(JobState.CANCELLED, None, None))
        raise
    finally:
        _bring_up_the_next(database, home)
    return _row(database, job_id)


def _bring_up_the_next(database: Database, home: Path) -> None:
    """See that the next job has a process that waits; if that fails, this job is none the worse for it."""
    try:
        attend(database, home)
    except AssayError as error:
        _LOG.warning("the next job in the queue could not be looked after: %s", error)


def _row(database: Database, job_id: int) -> JobRow:
    with database.read() as connection:
        row = jobs.by_id(connection, job_id)
    if row is None:
        raise no_such_job(job_id)
    return row


def _wait_for_our_turn(database: Database, job_id: int, *, token: str, on_wait: Callable[[], None]) -> None:
    pause, told = threading.Event(), False
    while not begin_if_it_is_our_turn(database, job_id, token=token):
        if not told:
            on_wait()
            told = True
        pause.wait(_LOOK_SECONDS)


def _work(row: JobRow, home: Path, keeper: Keeper) -> _End:
    """Do the work and return how it ended; its log gets a line at both ends, and the traceback of a failure."""
    log = log_file(home, row.id)
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        _append(log, f"{row.title} ({row.kind}), attempt {row.attempt}, process {os.getpid()}")
        if row.arguments is None:
            raise JobError("What this job was to do cannot be read from the database: delete it and start another one.")
        context = JobContext(
            job_id=row.id,
            attempt=row.attempt,
            arguments=row.arguments,
            folder=job_folder(home, row.id),
            tell=keeper.tell,
            check=keeper.check,
        )
        keeper.check()
        result = _checked(work_of(row.kind)(context))
    except JobCancelled:
        _append(log, "cancelled")
        return JobState.CANCELLED, None, None
    except JobLost:
        _append(log, "stopped: another process has the job")
        return JobState.FAILED, "Another process has the job.", None
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever the work raises, the row must tell it
        _append(log, "failed\n" + traceback.format_exc())
        return JobState.FAILED, storable(_sentence(error), limit=_ERROR_MAX), None
    _append(log, "done")
    return JobState.DONE, None, result


def _append(log: Path, line: str) -> None:
    """Add a line to the log; a full disk must not turn a job that is done into one that failed."""
    try:
        with log.open("a", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(f"{now()[:19]}Z  {line}\n")
    except OSError:
        return


def _checked(result: JsonObject | None) -> JsonObject | None:
    """Return the result as JSON reads it again."""
    if result is None:
        return None
    if not isinstance(result, dict):
        raise TypeError(f"the work returned {type(result).__name__}; a result is a JSON object or None")
    read: JsonObject = json.loads(json.dumps(result, allow_nan=False))
    return read


def _sentence(error: BaseException) -> str:
    """Return what went wrong for somebody who does not read tracebacks."""
    if isinstance(error, AssayError):
        return str(error)
    if isinstance(error, MemoryError):
        return "There was not enough memory. Close other programs, or do it in smaller parts, then resume the job."
    if isinstance(error, OSError) and error.strerror:
        place = f" ({error.filename})" if error.filename else ""
        return f"The system refused something: {error.strerror}{place}. Mend that, then resume the job."
    first = (str(error).strip().splitlines() or [""])[0]
    return f"An error in the program stopped it: {type(error).__name__}{': ' if first else ''}{first}. The log has the details."


def _end(database: Database, job_id: int, *, token: str, end: _End) -> None:
    """Write how the job ended, if it is still ours."""
    state, error, result = end
    for left in reversed(range(_TRIES)):
        try:
            with database.write() as connection:
                jobs.finish(connection, job_id, token=token, state=state, error=error, result=result)
            return
        except StorageError:
            if not left:
                raise
