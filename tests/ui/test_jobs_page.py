"""The jobs page: what it shows of jobs in each state, and what its buttons do."""

from __future__ import annotations

from typing import Any

import pytest

from audit_core.jobs import processes
from audit_core.storage import jobs
from audit_core.storage.clock import now
from audit_core.storage.people import Person
from audit_core.storage.schema import job as job_table
from audit_core.ui import jobs as jobs_ui
from audit_core.workflow.jobs import get_job
from audit_core.workflow.sample import add_sample
from audit_core.workflow.workspace import Workspace
from tests.ui.conftest import run, shown


@pytest.fixture(autouse=True)
def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The jobs for which a process would have been started; none is."""
    found: list[int] = []

    def note(_home: object, _url: str, job_id: int) -> int:
        found.append(job_id)
        return 1

    monkeypatch.setattr("audit_core.jobs.queue.start_runner", note)
    return found


def added(workspace: Workspace, *, title: str = "Compare", person: Person | None = None, **columns: Any) -> int:
    """Put a job with those columns into the database and return its id."""
    with workspace.database.write() as connection:
        person_id = person.id if person else None
        job = jobs.add(connection, kind="dataset.check-pages", title=title, arguments={}, person_id=person_id)
        if columns:
            connection.execute(job_table.update().where(job_table.c.id == job).values(columns))
    return job


def running(**more: Any) -> dict[str, Any]:
    """Columns of a job that runs on another machine and gives signs of life."""
    return {
        "state": "running", "runner_token": "t", "runner_pid": 5, "runner_host": "elsewhere", "started_at": now(),
        "heartbeat_at": "9999-01-01T00:00:00.000000Z", "share": 0.25, "step": "fold 2 of 8", **more,
    }  # fmt: skip


def ended(state: str, **more: Any) -> dict[str, Any]:
    return {"state": state, "started_at": now(), "finished_at": now(), **more}


@pytest.mark.usefixtures("ada")
def test_without_jobs_the_page_says_what_jobs_are() -> None:
    page = run("jobs")
    assert "No job yet. What takes long" in page.info[0].value
    assert not page.button


def test_a_running_job_shows_step_share_and_who_started_it_and_is_cancelled(workspace: Workspace, ada: Person) -> None:
    job = added(workspace, title="Compare *all*", person=ada, **running())
    page = run("jobs")
    words = shown(page)
    assert "**Compare *all***" in words
    assert ":blue-badge[running]" in words
    assert "started by Ada" in words
    (bar,) = page.get("progress")
    assert (bar.proto.value, bar.proto.text.replace("\\", "")) == (25, "fold 2 of 8 (25 %)")
    page = page.button(key=f"cancel-{job}").click().run()
    assert not page.exception
    assert "stops within seconds" in page.success[0].value
    words = shown(page)
    assert ":blue-badge[stopping]" in words
    assert [each.key for each in page.button] == []
    assert get_job(workspace, job).job.cancel_requested


@pytest.mark.usefixtures("ada")
def test_jobs_that_wait_show_their_place_and_are_looked_after(workspace: Workspace, started: list[int]) -> None:
    first, second = added(workspace), added(workspace)
    words = shown(run("jobs"))
    assert "place 1 in the queue" in words
    assert "place 2 in the queue" in words
    assert started == [first]
    page = run("jobs").button(key=f"cancel-{second}").click().run()
    assert ":orange-badge[cancelled]" in shown(page)


@pytest.mark.usefixtures("ada")
def test_a_failed_job_shows_its_sentence_and_the_end_of_its_log_and_is_resumed(
    workspace: Workspace, started: list[int]
) -> None:
    job = added(workspace, **ended("failed", error="The disk is full: free some space."))
    log = processes.log_file(workspace.home, job)
    log.parent.mkdir(parents=True)
    log.write_text("OSError: no space left on device\n")
    page = run("jobs")
    assert page.error[0].value.replace("\\", "") == "The disk is full: free some space."
    assert page.code[0].value == "OSError: no space left on device"
    page = page.button(key=f"resume-{job}").click().run()
    assert "is in the queue again" in page.success[0].value
    assert started == [job]
    assert "attempt 2" in shown(page)


@pytest.mark.usefixtures("ada")
def test_a_job_whose_runner_died_is_called_interrupted_and_offers_to_go_on(workspace: Workspace) -> None:
    job = added(workspace, **running(heartbeat_at="2026-01-01T00:00:00.000000Z"))
    page = run("jobs")
    assert ":orange-badge[interrupted]" in shown(page)
    assert "Its process ended at 25 % without a word" in page.warning[0].value.replace("\\", "")
    assert {each.key for each in page.button} == {f"resume-{job}", f"cancel-{job}"}


@pytest.mark.usefixtures("ada")
def test_a_job_that_is_done_tells_its_summary_and_problems_and_is_deleted(workspace: Workspace) -> None:
    problems = [{"page_id": "p1", "problem": "the file is gone"}]
    job = added(workspace, **ended("done", result={"summary": "1 page is gone.", "problems": problems}))
    page = run("jobs")
    assert "1 page is gone." in shown(page)
    assert page.dataframe[0].value["problem"].tolist() == ["the file is gone"]
    page = page.button(key=f"delete-{job}").click().run()
    assert "is deleted" in page.success[0].value
    assert "No job yet" in page.info[0].value


@pytest.mark.usefixtures("ada")
def test_a_result_with_a_page_of_its_own_is_opened_there(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = add_sample(workspace)
    monkeypatch.setattr(jobs_ui, "RESULT_PAGES", {"dataset.check-pages": ("report", "campaign", "made")})
    without, job = (added(workspace, **ended("done", result=each)) for each in ({}, {"made": campaign.id}))
    page = run("jobs")
    keys = {each.key for each in page.button}
    assert f"result-{job}" in keys
    assert f"result-{without}" not in keys
    page = page.button(key=f"result-{job}").click().run()
    assert not page.exception
    assert page.title[0].value == "Audit report"


@pytest.mark.usefixtures("ada")
def test_what_cannot_be_done_any_more_is_told_and_the_page_goes_on(workspace: Workspace) -> None:
    job = added(workspace, **running())
    page = run("jobs")
    with workspace.database.write() as connection:
        connection.execute(job_table.update().where(job_table.c.id == job).values(ended("done", runner_token=None)))
    page = page.button(key=f"cancel-{job}").click().run()
    assert not page.exception
    assert "done" in shown(page)


@pytest.mark.usefixtures("ada")
def test_a_queue_that_cannot_go_on_says_so(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    added(workspace)

    def refuse(*_: object) -> int:
        raise OSError("Resource temporarily unavailable")

    monkeypatch.setattr("audit_core.jobs.queue.start_runner", refuse)
    page = run("jobs")
    assert "stays in the queue" in page.error[0].value.replace("\\", "")
    assert "place 1 in the queue" in shown(page)


@pytest.mark.usefixtures("ada")
def test_a_check_of_page_files_is_started_on_the_page(workspace: Workspace, started: list[int]) -> None:
    add_sample(workspace)
    page = run("jobs")
    next(each for each in page.button if each.label == "Start").click().run()
    assert not page.exception
    assert "is started. It goes on by itself" in page.success[0].value
    assert started == [1]
    view = get_job(workspace, 1)
    assert (view.person, view.job.kind) == ("Ada", "dataset.check-pages")


@pytest.mark.usefixtures("ada")
def test_the_list_renews_itself_only_while_something_in_it_changes(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    clocks: list[float | None] = []
    real = jobs_ui.st.fragment

    def noting(*, run_every: float | None) -> Any:
        clocks.append(run_every)
        return real(run_every=run_every)

    monkeypatch.setattr(jobs_ui.st, "fragment", noting)
    added(workspace, **ended("done"))
    added(workspace, **running(heartbeat_at="2026-01-01T00:00:00.000000Z"))  # interrupted: it waits for a person
    run("jobs")
    added(workspace)
    run("jobs")
    assert clocks == [None, jobs_ui.RENEW_SECONDS]
