"""Who gets a job: two runners never both have one, and never do two jobs run at once."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from audit_core.errors import AssayError, JobError, NotFound
from audit_core.jobs import processes
from audit_core.jobs.context import JobLost
from audit_core.jobs.keeper import Keeper
from audit_core.jobs.queue import INTERRUPTED, begin_if_it_is_our_turn, describe, take
from audit_core.jobs.runner import run_job
from audit_core.storage import jobs
from audit_core.storage.clock import stamp
from audit_core.storage.job_state import JobState
from audit_core.storage.schema import job as job_table
from audit_core.workflow.jobs import cancel_job, get_job, resume_job
from tests.jobs.conftest import Home, wait_until

MANY = 8


def set_columns(home: Home, job_id: int, **values: object) -> None:
    with home.workspace.database.write() as connection:
        connection.execute(job_table.update().where(job_table.c.id == job_id).values(values))


def silent_for(seconds: float) -> str:
    return stamp(datetime.now(UTC) - timedelta(seconds=seconds))


def test_of_many_threads_that_take_one_job_at_once_one_gets_it(home: Home) -> None:
    job, start = home.add(), threading.Barrier(MANY)

    def attempt(_: int) -> str:
        start.wait()
        try:
            return take(home.workspace.database, job, pid=os.getpid())
        except JobError:
            return ""

    with ThreadPoolExecutor(MANY) as pool:
        tokens = [each for each in pool.map(attempt, range(MANY)) if each]
    assert tokens == [home.row(job).runner_token]


def test_of_many_processes_that_run_one_job_at_once_one_does_it(home: Home) -> None:
    job = home.add(steps=5)
    command = [sys.executable, *processes.COMMAND, str(job)]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(4)]
    results = [(each.communicate()[1].decode(), each.returncode) for each in started]
    assert sorted(code for _, code in results) == [0, 1, 1, 1], results
    assert all("Error: " in words for words, code in results if code)
    assert home.file(job, "done.txt") == "".join(f"{number} 1\n" for number in range(5))
    assert (home.folder / "order.txt").read_text() == f"{job}\n"


def test_of_many_threads_whose_jobs_begin_at_once_one_runs(home: Home) -> None:
    numbers = [home.add() for _ in range(MANY)]
    tokens = {each: take(home.workspace.database, each, pid=os.getpid()) for each in numbers}
    start = threading.Barrier(MANY)

    def attempt(number: int) -> bool:
        start.wait()
        return begin_if_it_is_our_turn(home.workspace.database, number, token=tokens[number])

    with ThreadPoolExecutor(MANY) as pool:
        begun = list(pool.map(attempt, numbers))
    assert begun == [True] + [False] * (MANY - 1)
    states = [home.row(each).state for each in numbers]
    assert states == [JobState.RUNNING] + [JobState.QUEUED] * (MANY - 1)


def test_a_job_that_waits_without_a_process_holds_up_nobody_behind_it(home: Home) -> None:
    home.add()
    later = home.add()
    token = take(home.workspace.database, later, pid=os.getpid())
    assert begin_if_it_is_our_turn(home.workspace.database, later, token=token)


@pytest.mark.parametrize(
    ("pid", "host", "silent", "lives"),
    [
        (os.getpid(), "own", 1, True),
        (os.getpid(), "own", processes.SILENT_SECONDS + 5, True),  # seen to be there, so it gets more time
        (os.getpid(), "own", processes.SILENT_BUT_SEEN_SECONDS + 5, False),
        (2**22 + 5, "own", 1, False),  # no process can have that number
        (2**22 + 5, "another", 1, True),
        (2**22 + 5, "another", processes.SILENT_SECONDS + 5, False),
    ],
)
def test_a_runner_lives_as_long_as_it_is_heard_or_seen(
    home: Home, pid: int, host: str, silent: float, lives: bool
) -> None:
    job = home.add()
    token = take(home.workspace.database, job, pid=os.getpid())
    assert begin_if_it_is_our_turn(home.workspace.database, job, token=token)
    where = processes.own_host() if host == "own" else host
    set_columns(home, job, runner_pid=pid, runner_host=where, heartbeat_at=silent_for(silent))
    row = home.row(job)
    assert processes.has_live_runner(row) == lives
    assert describe(row) == ("running" if lives else INTERRUPTED)


def test_a_process_that_ended_but_was_not_fetched_by_its_parent_is_dead(home: Home) -> None:
    job = home.add()
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    set_columns(home, job, runner_pid=child.pid, runner_host=processes.own_host(), heartbeat_at=silent_for(0))
    assert processes.has_live_runner(home.row(job))
    assert child.stdin is not None
    child.stdin.close()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # it has ended, and stays in the list of processes
    assert not processes.has_live_runner(home.row(job))
    child.wait()


def test_a_runner_taken_for_dead_writes_nothing_of_the_job_that_another_one_has(home: Home) -> None:
    database, job = home.workspace.database, home.add()
    old = take(database, job, pid=os.getpid())
    assert begin_if_it_is_our_turn(database, job, token=old)
    set_columns(home, job, heartbeat_at=silent_for(1_000))
    with database.write() as connection:
        assert jobs.queue_again(connection, job, states=[JobState.RUNNING], token=old)
    new = take(database, job, pid=os.getpid())
    assert begin_if_it_is_our_turn(database, job, token=new)
    before = home.row(job)
    with database.write() as connection:
        assert jobs.beat(connection, job, token=old, step="late", share=0.9, share_before=None) is None
        assert not jobs.finish(connection, job, token=old, state=JobState.DONE, result={"late": True})
    assert home.row(job) == before
    lost: list[int] = []
    with Keeper(database, job, token=old, on_lost=lambda: lost.append(job)) as keeper:
        wait_until(lambda: lost, "the old runner hears of it")
    with pytest.raises(JobLost):
        keeper.check()
    assert home.row(job) == before


def test_what_does_not_wait_cannot_be_run_and_the_way_on_is_named(home: Home) -> None:
    database = home.workspace.database
    with pytest.raises(NotFound, match="There is no job 99"):
        run_job(database, home.workspace.home, 99)
    job = home.add(steps=1)
    assert run_job(database, home.workspace.home, job).state is JobState.DONE
    with pytest.raises(JobError, match=r"is done: only a queued job can be run\. Start another one"):
        run_job(database, home.workspace.home, job)
    failed = home.add("test.fails", divisor=0)
    run_job(database, home.workspace.home, failed)
    with pytest.raises(JobError, match=f"job resume {failed}"):
        run_job(database, home.workspace.home, failed)


def test_a_runner_whose_job_is_cancelled_while_it_waits_goes_away(home: Home) -> None:
    database = home.workspace.database
    running, waiting = home.add(), home.add()
    token = take(database, running, pid=os.getpid())
    assert begin_if_it_is_our_turn(database, running, token=token)
    waits = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(run_job, database, home.workspace.home, waiting, on_wait=waits.set)
        assert waits.wait(60)
        assert cancel_job(home.workspace, waiting).state == JobState.CANCELLED
        with pytest.raises(AssayError, match="was cancelled or deleted"):
            future.result(60)
    assert home.row(waiting).state is JobState.CANCELLED


def test_resuming_twice_at_once_queues_it_once(home: Home) -> None:
    job = home.add("test.fails", divisor=0)
    run_job(home.workspace.database, home.workspace.home, job)
    start = threading.Barrier(2)

    def attempt(_: int) -> str:
        start.wait()
        try:
            resume_job(home.workspace, job)
        except JobError:
            return "refused"
        return "queued"

    with ThreadPoolExecutor(2) as pool:
        results = sorted(pool.map(attempt, range(2)))
    row = home.wait_for_state(job, JobState.FAILED)
    # The second may also come so late that it resumes the second attempt, which failed like the first.
    assert (results, row.attempt) in ((["queued", "refused"], 2), (["queued", "queued"], 3))
    assert get_job(home.workspace, job).can_be_resumed
