"""Jobs in processes of their own: to the end, killed, cancelled, resumed, and three in a queue."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
from datetime import datetime

import pytest

from audit_core.errors import JobError
from audit_core.jobs import processes
from audit_core.jobs.queue import INTERRUPTED
from audit_core.storage.job_state import JobState
from audit_core.workflow.jobs import cancel_job, get_job, list_jobs, log_tail, resume_job, tend_queue
from tests.jobs.conftest import Home, wait_until


def test_a_started_job_runs_in_another_process_that_gives_way_to_others(home: Home) -> None:
    job = home.start(stop_at=5)
    pid = home.wait_until_stopped_at_its_file(job)
    assert pid != os.getpid()
    assert os.getsid(pid) == pid  # no terminal and no session of ours ends it
    assert os.getpriority(os.PRIO_PROCESS, pid) == 10
    view = wait_until(lambda: (v := get_job(home.workspace, job)).job.share and v, "progress in the row")
    assert (view.state, view.job.step, view.job.share) == (JobState.RUNNING, "step 5", 0.5)
    assert view.job.runner_pid == pid
    home.go()
    row = home.wait_for_state(job, JobState.DONE)
    assert (row.result, row.share, row.runner_pid) == ({"begun": 0, "attempt": 1, "summary": "10 steps."}, 1.0, None)
    assert "A job of test.steps (test.steps), attempt 1" in home.log(job)


def test_a_runner_that_is_killed_is_seen_at_once_and_its_job_goes_on_from_what_it_kept(home: Home) -> None:
    job = home.start(stop_at=5)
    pid = home.wait_until_stopped_at_its_file(job)
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: get_job(home.workspace, job).state == INTERRUPTED, "interrupted")
    assert home.row(job).state is JobState.RUNNING  # nobody was there to write anything else
    home.go()
    assert resume_job(home.workspace, job).job.attempt == 2
    row = home.wait_for_state(job, JobState.DONE)
    assert row.result == {"begun": 5, "attempt": 2, "summary": "10 steps."}
    assert home.file(job, "done.txt").split() == [
        word for number in range(10) for word in (str(number), "1" if number < 5 else "2")
    ]


def test_three_jobs_run_one_after_the_other_in_their_order(home: Home) -> None:
    jobs = [home.start(stop_at=5) for _ in range(3)]
    home.wait_until_stopped_at_its_file(jobs[0])
    views = {each.job.id: each for each in list_jobs(home.workspace)}
    assert [views[each].state for each in jobs] == ["running", "queued", "queued"]
    assert [views[each].place for each in jobs] == [None, 1, 2]
    home.go()
    rows = [home.wait_for_state(each, JobState.DONE) for each in jobs]
    assert (home.folder / "order.txt").read_text().split() == [str(each) for each in jobs]
    for before, after in itertools.pairwise(rows):
        assert str(before.finished_at) <= str(after.started_at)


def test_the_next_job_starts_by_itself_when_the_running_one_is_killed(home: Home) -> None:
    first, second = home.start(stop_at=5), home.start(steps=3)
    pid = home.wait_until_stopped_at_its_file(first)
    wait_until(lambda: home.row(second).runner_token, "a process that waits with the second")
    os.kill(pid, signal.SIGKILL)
    home.wait_for_state(second, JobState.DONE)
    assert get_job(home.workspace, first).state == INTERRUPTED


def test_a_look_gets_a_queue_going_whose_processes_were_all_killed(home: Home) -> None:
    first, second = home.start(stop_at=5), home.start(steps=3)
    pids = [home.wait_until_stopped_at_its_file(first)]
    pids.append(int(str(wait_until(lambda: home.row(second).runner_token and home.row(second).runner_pid, "waiting"))))
    for pid in reversed(pids):
        os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not processes.has_live_runner(home.row(second)), "the waiting process gone")
    assert home.row(second).state is JobState.QUEUED
    tend_queue(home.workspace)
    home.wait_for_state(second, JobState.DONE)


def test_a_running_job_that_is_cancelled_stops_and_can_be_resumed(home: Home) -> None:
    job = home.start(stop_at=5)
    home.wait_until_stopped_at_its_file(job)
    view = cancel_job(home.workspace, job)
    assert view.job.cancel_requested or view.state == JobState.CANCELLED
    row = home.wait_for_state(job, JobState.CANCELLED)
    assert (row.error, row.runner_token) == (None, None)
    assert home.log(job).rstrip().count("cancelled") >= 1
    home.go()
    resume_job(home.workspace, job)
    assert home.wait_for_state(job, JobState.DONE).result == {"begun": 5, "attempt": 2, "summary": "10 steps."}


def test_a_job_that_is_still_stopping_cannot_be_resumed_yet(home: Home) -> None:
    job = home.start("test.silent")
    home.wait_until_stopped_at_its_file(job)
    cancel_job(home.workspace, job)
    with pytest.raises(JobError, match="still stopping"):
        resume_job(home.workspace, job)
    assert not get_job(home.workspace, job).can_be_cancelled
    home.go()
    home.wait_for_state(job, JobState.DONE)  # it ended before it looked


def test_a_waiting_job_is_cancelled_at_once_and_the_next_one_moves_up(home: Home) -> None:
    first, second, third = home.start(stop_at=5), home.start(steps=3), home.start(steps=3)
    home.wait_until_stopped_at_its_file(first)
    assert cancel_job(home.workspace, second).state == JobState.CANCELLED
    assert get_job(home.workspace, third).place == 1
    home.go()
    home.wait_for_state(third, JobState.DONE)
    assert home.row(second).state is JobState.CANCELLED
    assert (home.folder / "order.txt").read_text().split() == [str(first), str(third)]


def test_a_job_whose_runner_died_is_cancelled_at_once(home: Home) -> None:
    job = home.start(stop_at=5)
    os.kill(home.wait_until_stopped_at_its_file(job), signal.SIGKILL)
    wait_until(lambda: get_job(home.workspace, job).state == INTERRUPTED, "interrupted")
    assert cancel_job(home.workspace, job).state == JobState.CANCELLED
    with pytest.raises(JobError, match="has ended already"):
        cancel_job(home.workspace, job)


def test_work_that_says_nothing_gives_signs_of_life_all_the_same(home: Home) -> None:
    job = home.start("test.silent")
    home.wait_until_stopped_at_its_file(job)
    first = home.row(job).heartbeat_at

    def later() -> bool:
        now = home.row(job).heartbeat_at
        seconds = (datetime.fromisoformat(str(now)) - datetime.fromisoformat(str(first))).total_seconds()
        return seconds >= 2 * processes.BEAT_SECONDS

    wait_until(later, "two more signs of life")
    assert get_job(home.workspace, job).state == JobState.RUNNING
    home.go()
    home.wait_for_state(job, JobState.DONE)


def test_a_failure_leaves_one_sentence_in_the_row_and_the_traceback_in_the_log(home: Home) -> None:
    job = home.start("test.fails", divisor=0)
    row = home.wait_for_state(job, JobState.FAILED)
    assert row.error == (
        "An error in the program stopped it: ZeroDivisionError: integer division or modulo by zero. "
        "The log has the details."
    )
    assert (row.step, row.share) == ("about to fail", 0.5)
    tail = log_tail(home.workspace, job)
    assert "Traceback (most recent call last)" in tail
    assert "ZeroDivisionError" in tail


def test_the_app_that_started_a_job_may_be_killed_meanwhile(home: Home) -> None:
    job = home.add(stop_at=5)
    program = (
        "from audit_core.jobs import processes; from tests.jobs.entry import COMMAND; processes.COMMAND = COMMAND\n"
        "from audit_core.workflow.jobs import tend_queue; from audit_core.workflow.workspace import open_workspace\n"
        "tend_queue(open_workspace()); print('started', flush=True); input()"
    )
    app = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    )
    assert app.stdin is not None
    assert app.stdout is not None
    assert app.stdout.readline() == b"started\n"
    pid = home.wait_until_stopped_at_its_file(job)
    os.killpg(app.pid, signal.SIGKILL)
    assert app.wait() == -signal.SIGKILL
    app.stdin.close()
    app.stdout.close()
    assert get_job(home.workspace, job).state == JobState.RUNNING
    home.go()
    assert home.wait_for_state(job, JobState.DONE).result is not None
    assert pid != app.pid
