"""How work ends, and what is kept of it: results, sentences, logs, progress, deletions."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import sqlalchemy as sa

from audit_core.errors import JobError, NotFound
from audit_core.jobs import kinds, processes
from audit_core.jobs.context import JobContext
from audit_core.jobs.keeper import storable
from audit_core.jobs.runner import run_job
from audit_core.storage import comparisons, datasets, jobs
from audit_core.storage.job_state import JobState
from audit_core.storage.jobs import JobRow
from audit_core.storage.schema import job as job_table
from audit_core.workflow import sign_in
from audit_core.workflow.job_words import about, duration, what_came_of_it
from audit_core.workflow.jobs import (
    cancel_job,
    delete_job,
    delete_old_jobs,
    get_job,
    list_jobs,
    log_tail,
    resume_job,
    start_job,
)  # fmt: skip
from tests.jobs.conftest import Home


def run(home: Home, kind: str = "test.steps", **arguments: object) -> JobRow:
    return run_job(home.workspace.database, home.workspace.home, home.add(kind, **arguments))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"how": "ours"}, "The labels have no query in common with the dataset: choose other labels."),
        ({"how": "exit"}, "An error in the program stopped it: SystemExit: 3. The log has the details."),
        ({"how": "result"}, "An error in the program stopped it: ValueError: Out of range float values"),
        ({"divisor": "x"}, "An error in the program stopped it: ValueError: invalid literal for int"),
        ({}, "An error in the program stopped it: KeyError: 'divisor'. The log has the details."),
    ],
)
def test_whatever_the_work_raises_is_one_sentence_in_the_row(
    home: Home, arguments: dict[str, str], sentence: str
) -> None:
    row = run(home, "test.fails", **arguments)
    assert row.state is JobState.FAILED
    assert str(row.error).startswith(sentence)
    assert "\n" not in str(row.error)
    assert "Traceback" in home.log(row.id)
    assert (row.runner_token, row.runner_pid, row.result) == (None, None, None)


def test_a_kind_that_nobody_knows_fails_and_lists_the_known_ones(home: Home) -> None:
    row = run(home, "nobody.knows")
    assert row.state is JobState.FAILED
    assert "knows no job of the kind 'nobody.knows'. It knows: " in str(row.error)
    assert "dataset.check-pages" in str(row.error)


def test_a_job_whose_arguments_cannot_be_read_is_listed_and_fails_with_words(home: Home) -> None:
    job, other = home.add(), home.add(steps=1)
    text = "'{broken'" if home.workspace.database.is_sqlite else "'[1]'"  # PostgreSQL keeps no broken JSON
    with home.workspace.database.write() as connection:
        connection.execute(sa.text(f"UPDATE job SET arguments = {text} WHERE id = {job}"))
    assert {each.job.id for each in list_jobs(home.workspace)} == {job, other}
    row = run_job(home.workspace.database, home.workspace.home, job)
    assert (row.state, row.arguments) == (JobState.FAILED, None)
    assert "cannot be read from the database" in str(row.error)
    home.wait_for_state(other, JobState.DONE)  # the queue went on


def test_two_functions_cannot_do_one_kind() -> None:
    with pytest.raises(ValueError, match=r"both register the job kind 'test\.steps'"):
        kinds.job_kind("test.steps")(lambda _: None)


@pytest.mark.parametrize("share", [math.nan, math.inf])
def test_a_share_that_is_no_number_is_a_fault_of_the_work(tmp_path: Path, share: float) -> None:
    told: list[tuple[str, float]] = []
    context = JobContext(
        job_id=1, attempt=1, arguments={}, folder=tmp_path, tell=lambda *each: told.append(each), check=lambda: None
    )
    with pytest.raises(ValueError, match="report a number from 0 to 1"):
        context.report("step", share)
    context.report("below", -0.5)
    context.report("above", 7)
    assert told == [("below", 0.0), ("above", 1.0)]


def test_text_that_no_database_keeps_is_made_fit_for_it() -> None:
    assert storable(" a\x00b \udc80 ", limit=50) == "ab \\udc80"
    assert storable("x" * 300, limit=200) == "x" * 199 + "…"


def test_the_last_progress_is_kept_however_fast_the_work_was(home: Home) -> None:
    row = run(home)
    assert (row.step, row.share_before) == ("step 9", 0.0)


def test_a_job_is_started_by_a_person_with_what_json_can_hold(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = sign_in.sign_in(home.workspace, "Ada")
    for title, kind, arguments in (
        ("", "test.steps", {}),
        ("x" * 201, "test.steps", {}),
        ("a\x00b", "test.steps", {}),
        ("right", "", {}),
        ("right", "k" * 61, {}),
        ("right", "test.steps", {"path": Path()}),
        ("right", "test.steps", {"share": math.nan}),
    ):
        with pytest.raises(JobError):
            start_job(home.workspace, kind=kind, title=title, arguments=arguments)
    assert list_jobs(home.workspace) == []
    row = start_job(
        home.workspace, kind="test.steps", title=" Count  up ", arguments={"folder": str(home.folder)}, person=ada
    )
    assert (row.title, row.attempt, row.state) == ("Count up", 1, JobState.QUEUED)
    assert get_job(home.workspace, row.id).person == "Ada"
    home.wait_for_state(row.id, JobState.DONE)
    assert "started by Ada" in about(get_job(home.workspace, row.id))
    with pytest.raises(JobError, match="is done: start another one"):
        resume_job(home.workspace, row.id)
    monkeypatch.setattr("audit_core.jobs.queue.start_runner", _no_process)
    with pytest.raises(JobError, match=r"stays in the queue\. Run it by hand: `python -m audit_core job run"):
        home.start()
    assert list_jobs(home.workspace)[0].place == 1


def _no_process(*_: object) -> int:
    raise BlockingIOError("Resource temporarily unavailable")


def test_time_left_is_guessed_from_what_this_attempt_did(home: Home) -> None:
    job = home.add()
    values = {
        "state": "running", "runner_token": "t", "runner_pid": 1, "runner_host": "elsewhere", "share": 0.75,
        "share_before": 0.5, "started_at": "2026-01-01T00:00:00.000000Z", "heartbeat_at": "9999-01-01T00:00:00.000000Z",
    }  # fmt: skip
    with home.workspace.database.write() as connection:
        connection.execute(job_table.update().where(job_table.c.id == job).values(values))
    view = get_job(home.workspace, job)
    # A quarter took all the time so far, and a quarter is left.
    assert view.seconds is not None
    assert view.seconds_left == pytest.approx(view.seconds)
    assert "left" in about(view)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.4, "0 s"), (59.4, "59 s"), (60, "1 min 0 s"), (3599.4, "59 min 59 s"), (7325, "2 h 2 min")],
)
def test_durations_are_told_in_two_units(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_a_job_that_ended_is_deleted_with_its_folder_and_what_it_made_stays(home: Home) -> None:
    row = run(home)
    with home.workspace.database.write() as connection:
        dataset = datasets.add(
            connection, name="small", revision="1", content_hash="a" * 64, origin="here", is_lenient=False
        )
        made = comparisons.add(
            connection, dataset_id=dataset, name="first", split_hash="b", labels_hash="c", spec={}, job_id=row.id
        )
        assert getattr(comparisons.by_job(connection, row.id), "id", None) == made
    folder = processes.job_folder(home.workspace.home, row.id)
    assert folder.is_dir()
    delete_job(home.workspace, row.id)
    assert not folder.exists()
    with home.workspace.database.read() as connection:
        kept = comparisons.by_id(connection, made)
    assert kept is not None
    assert kept.job_id is None
    with pytest.raises(NotFound):
        delete_job(home.workspace, row.id)


def test_a_job_that_waits_cannot_be_deleted(home: Home) -> None:
    job = home.add()
    with pytest.raises(JobError, match="is queued: cancel it first"):
        delete_job(home.workspace, job)
    cancel_job(home.workspace, job)
    delete_job(home.workspace, job)
    assert list_jobs(home.workspace) == []


def test_old_jobs_are_deleted_by_the_time_of_their_end(home: Home) -> None:
    old, new = run(home), run(home)
    with home.workspace.database.write() as connection:
        values = {"finished_at": "2020-01-01T00:00:00.000000Z"}
        connection.execute(job_table.update().where(job_table.c.id == old.id).values(values))
    assert delete_old_jobs(home.workspace, days=30) == [old.id]
    assert [each.job.id for each in list_jobs(home.workspace)] == [new.id]
    with pytest.raises(JobError, match="from 0 to 36,500"):
        delete_old_jobs(home.workspace, days=-1)


def test_the_tail_of_a_log_is_its_last_lines(home: Home) -> None:
    row = run(home)
    with processes.log_file(home.workspace.home, row.id).open("ab") as stream:
        stream.write(b"\xff broken\n" + b"".join(b"line %d\n" % each for each in range(2_000)))
    assert log_tail(home.workspace, row.id, lines=3) == "line 1997\nline 1998\nline 1999"
    assert log_tail(home.workspace, 999) == ""


def test_a_result_is_told_by_its_summary(home: Home) -> None:
    assert what_came_of_it(get_job(home.workspace, run(home).id)) == "10 steps."


def test_a_list_shows_what_runs_then_what_waits_in_its_order_then_the_newest(home: Home) -> None:
    ended = [run(home).id, run(home).id]
    numbers = [home.add() for _ in range(3)]
    for job in numbers[:2]:
        cancel_job(home.workspace, job)
    again = home.add()
    with home.workspace.database.write() as connection:
        values = {"state": "running", "runner_token": "t", "runner_pid": 1, "runner_host": "elsewhere"}
        connection.execute(job_table.update().where(job_table.c.id == again).values(values))
        for job in numbers[:2]:  # each is put at the end of the queue
            assert jobs.queue_again(connection, job, states=[JobState.CANCELLED], token=None)
    listed = [each.job.id for each in list_jobs(home.workspace)]
    assert listed == [again, numbers[2], *numbers[:2], *reversed(ended)]
    assert [each.job.id for each in list_jobs(home.workspace, limit=2)] == listed[:2]
