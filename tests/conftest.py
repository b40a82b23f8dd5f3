"""What all tests share: where the collected real data lies, and a home of their own for each test."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command_line import Run, close_homes, run_command

ROOT = Path(__file__).parents[1]
#: Real data that is not part of the repository; tests that need it are skipped by name where it is not there.
REAL_DATA = Path(os.environ.get("ASSAY_TEST_REAL_DATA", ROOT.parent / "shared" / "real"))


@pytest.fixture
def real_data(request: pytest.FixtureRequest) -> Path:
    """The folder of real data; skips the test where it is not."""
    if not REAL_DATA.is_dir():
        pytest.skip(f"{request.node.name} needs the collected real data")
    return REAL_DATA


@pytest.fixture(autouse=True)
def _own_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No setting of the machine reaches a test, and no test writes into the checkout's own home."""
    for name in list(os.environ):
        if name.startswith("ASSAY_") and not name.startswith("ASSAY_TEST_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    # Most tests sign in by a name alone; those of the other modes set theirs.
    monkeypatch.setenv("ASSAY_ACCOUNTS", "single")


@pytest.fixture
def run() -> Iterator[Run]:
    """A function that runs a command; an error that is not turned into words fails the test."""
    yield run_command
    close_homes()


@pytest.fixture
def no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """No process is started for a job: the test runs it."""
    monkeypatch.setattr("audit_core.jobs.queue.start_runner", lambda *_: 1)
