"""Homes in which jobs of the tests' own kinds run, on both databases; no process outlives its test."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from audit_core.jobs import processes
from audit_core.jobs.kinds import join
from audit_core.storage import jobs
from audit_core.storage.job_state import JobState
from audit_core.storage.jobs import JobRow
from audit_core.workflow.jobs import start_job
from audit_core.workflow.workspace import Workspace, open_workspace
from tests.jobs.entry import COMMAND
from tests.postgres import fresh_postgresql

join("tests.jobs.made_kinds")
#: A busy machine is no failure.
PATIENCE = 90.0


def wait_until(condition: Callable[[], Any], what: str) -> Any:
    """Return what the condition gives as soon as that is true."""
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < end, f"waited {PATIENCE:.0f} s in vain: {what}"
        time.sleep(0.02)
    return found


class Home:
    """A workspace with the folder by which the jobs of a test are steered."""

    def __init__(self, workspace: Workspace, folder: Path) -> None:
        self.workspace = workspace
        self.folder = folder

    def add(self, kind: str = "test.steps", **arguments: Any) -> int:
        """Put a job into the queue without a process, and return its id."""
        with self.workspace.database.write() as connection:
            values = {"folder": str(self.folder), **arguments}
            return jobs.add(connection, kind=kind, title=f"A job of {kind}", arguments=values, person_id=None)

    def start(self, kind: str = "test.steps", **arguments: Any) -> int:
        """Start a job in a process of its own, and return its id."""
        values = {"folder": str(self.folder), **arguments}
        return start_job(self.workspace, kind=kind, title=f"A job of {kind}", arguments=values).id

    def row(self, job_id: int) -> JobRow:
        with self.workspace.database.read() as connection:
            found = jobs.by_id(connection, job_id)
        assert found is not None
        return found

    def wait_for_state(self, job_id: int, state: JobState) -> JobRow:
        def reached() -> JobRow | None:
            row = self.row(job_id)
            return row if row.state is state else None

        row: JobRow = wait_until(reached, f"job {job_id} {state} (it is {self.row(job_id)}):\n{self.log(job_id)}")
        return row

    def wait_until_stopped_at_its_file(self, job_id: int) -> int:
        """Return the process in which the job works, once it does."""
        file = self.folder / f"stopped-{job_id}"
        wait_until(lambda: file.exists() and file.read_text(), f"job {job_id} at work: {self.log(job_id)}")
        return int(file.read_text())

    def go(self) -> None:
        """Let every job that waits for it go on."""
        (self.folder / "go").touch()

    def log(self, job_id: int) -> str:
        file = processes.log_file(self.workspace.home, job_id)
        return file.read_text() if file.exists() else ""

    def file(self, job_id: int, name: str) -> str:
        return (processes.job_folder(self.workspace.home, job_id) / name).read_text()


@pytest.fixture(params=["sqlite", "postgresql"])
def home(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Home]:
    """A home on each kind of database; processes that a test left are ended by their numbers."""
    monkeypatch.setattr(processes, "COMMAND", COMMAND)
    if request.param == "postgresql":
        monkeypatch.setenv("ASSAY_DATABASE_URL", fresh_postgresql(request, migrated=True))
    started: list[int] = []
    start_runner = processes.start_runner

    def noting(*arguments: Any) -> int:
        started.append(start_runner(*arguments))
        return started[-1]

    monkeypatch.setattr("audit_core.jobs.queue.start_runner", noting)
    workspace = open_workspace()
    folder = tmp_path / "steering"
    folder.mkdir()
    found = Home(workspace, folder)
    yield found
    with workspace.database.read() as connection:
        left = [each.runner_pid for each in jobs.active(connection) if each.runner_pid]
    for pid in {*started, *left} - {os.getpid()}:
        with suppress(ProcessLookupError, FileNotFoundError):
            if b"tests.jobs.entry" in Path(f"/proc/{pid}/cmdline").read_bytes():
                os.kill(pid, signal.SIGKILL)
    workspace.close()
