"""jobs, the job commands and dataset check-pages on the command line."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from audit_core.storage import jobs
from audit_core.workflow.workspace import open_workspace
from tests.bundles import small_bundle
from tests.command_line import Run

PATIENCE = 90.0


@pytest.fixture
def imported(run: Run, tmp_path: Path) -> None:
    assert run("import", small_bundle(tmp_path / "b")).exit_code == 0


def queued(dataset: int = 1) -> int:
    """Put a check into the queue that no process was started for, and that looks as if one waited with it."""
    with open_workspace().database.write() as connection:
        job = jobs.add(
            connection, kind="dataset.check-pages", title="Check", arguments={"dataset": dataset}, person_id=None
        )
        jobs.note_process(connection, job, pid=1, host="elsewhere", instead_of=None)
    return job


def document(run: Run, *words: object) -> Any:
    result = run(*words, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


@pytest.mark.usefixtures("imported")
def test_a_check_of_pages_is_started_goes_on_by_itself_and_is_shown(run: Run) -> None:
    assert "There is no job yet" in run("jobs").stderr
    assert document(run, "jobs") == []
    started = document(run, "dataset", "check-pages", "small")
    assert (started["id"], started["kind"], started["title"]) == (
        1,
        "dataset.check-pages",
        "Check the pages of small 1",
    )
    end = time.monotonic() + PATIENCE
    while document(run, "job", "show", 1)["state"] in ("queued", "running"):
        assert time.monotonic() < end
    shown = document(run, "job", "show", 1)
    assert (shown["state"], shown["share"], shown["error"]) == ("done", 1.0, None)
    assert shown["result"]["pages"] == 4
    assert (Path(shown["folder"]) / "log.txt").is_file()
    words = run("job", "show", 1).stdout
    assert "Job 1: Check the pages of small 1" in words
    assert "done · started by a command" in words
    assert "All 4 pages can be shown" in words
    listed = run("jobs").stdout.splitlines()
    assert listed[0].split() == ["id", "title", "state", "done", "step", "started", "by", "queued", "at"]
    assert "100 %" in listed[1]


@pytest.mark.usefixtures("imported")
def test_a_job_is_run_in_the_foreground(run: Run) -> None:
    done, failing = queued(), queued(dataset=99)
    result = run("job", "run", done)
    assert result.exit_code == 0
    assert "All 4 pages can be shown" in result.stdout
    result = run("job", "run", failing, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["state"] == "failed"
    assert "no such dataset" in json.loads(result.stdout)["error"]
    result = run("job", "run", done)
    assert (result.exit_code, "only a queued job can be run" in result.stderr) == (1, True)


@pytest.mark.usefixtures("imported")
def test_a_job_is_cancelled_resumed_and_deleted(run: Run) -> None:
    job = queued()
    assert run("job", "cancel", job).stdout == f"Job {job} is cancelled.\n"
    result = run("job", "cancel", job)
    assert (result.exit_code, "has ended already" in result.stderr) == (1, True)
    other = queued()  # it is seen to have a process, so that what is resumed waits behind it
    assert run("job", "resume", job).stdout == f"Job {job} is in the queue again, as attempt 2.\n"
    result = run("job", "delete", job)
    assert (result.exit_code, "cancel it first" in result.stderr) == (1, True)
    for each in (job, other):
        assert document(run, "job", "cancel", each)["state"] == "cancelled"
    assert run("job", "delete", job).stdout == "1 job deleted.\n"
    assert document(run, "job", "delete", "--older-than", 1) == {"deleted": []}
    assert document(run, "job", "delete", "--older-than", 0) == {"deleted": [other]}
    for words in (("job", "delete"), ("job", "delete", 1, "--older-than", 1), ("job", "show", 0)):
        assert run(*words).exit_code == 2


@pytest.mark.parametrize("command", ["show", "run", "cancel", "resume", "delete"])
def test_a_job_that_is_not_there_is_refused_with_the_way_to_the_others(run: Run, command: str) -> None:
    result = run("job", command, 7)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "There is no job 7 here. `python -m audit_core jobs` lists them." in result.stderr


def test_the_command_line_starts_where_the_package_of_cleaning_strategies_is_not_installed(tmp_path: Path) -> None:
    program = (
        "import importlib.util as util, sys; real = util.find_spec\n"
        "util.find_spec = lambda name, *more: None if name.split('.')[0] == 'cleaning' else real(name, *more)\n"
        "sys.argv = ['assay', 'jobs', '--json']\n"
        "from audit_core.__main__ import run; run()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr
