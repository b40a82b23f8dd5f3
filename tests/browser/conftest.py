"""The real app in a real browser: a server of its own for each test, and pages to drive."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.chromium import FLAGS, chromium_path

ROOT = Path(__file__).parents[2]
#: How long the server may take to answer at all; a busy machine is no failure.
START_SECONDS = 90
# What a busy machine does late is no failure.
expect.set_options(timeout=30_000)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class AppServer:
    """`streamlit run app.py` on a free port of 127.0.0.1, with a home of its own; can be killed and started again."""

    def __init__(self, home: Path, log: Path) -> None:
        self.home = home
        self.log = log
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}"

    def environment(self, **more: str) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("ASSAY_", "STREAMLIT_"))}
        return {**kept, "ASSAY_HOME": str(self.home), "ASSAY_ACCOUNTS": "single", **more}

    def start(self, **more: str) -> None:
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(self.port)]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=self.environment(**more), stdout=log, stderr=log, start_new_session=True
            )
        self._wait()

    def _wait(self) -> None:
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            assert self.process is not None
            assert self.process.poll() is None, self.log.read_text()
            try:
                with urllib.request.urlopen(f"{self.address}/_stcore/health", timeout=5):
                    return
            except OSError:
                time.sleep(0.1)
        raise AssertionError(f"the app did not start:\n{self.log.read_text()}")

    def kill(self) -> None:
        """kill -9, as a power cut would."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        if self.process is None or self.process.poll() is not None:
            return
        os.killpg(self.process.pid, signal.SIGTERM)
        try:
            self.process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            self.kill()

    def run(self, *arguments: str) -> str:
        """Run a command of the command line on this home and return its stdout."""
        command = [sys.executable, "-m", "audit_core", *arguments]
        done = subprocess.run(command, cwd=ROOT, env=self.environment(), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests of this folder last.

    While Playwright runs, its event loop keeps the main thread, and no test after it could start
    a loop of its own.
    """
    folder = Path(__file__).parent
    items.sort(key=lambda item: folder in item.path.parents)


@pytest.fixture
def app(tmp_path: Path) -> Iterator[AppServer]:
    """A server that the test starts itself, once its home holds what it needs."""
    server = AppServer(tmp_path / "app-home", tmp_path / "app.log")
    yield server
    server.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests."""
    path = chromium_path()
    assert path, "no Chromium or Chrome found: run `make browser`, or set CHROMIUM"
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh window, signed in nowhere; a script error on the page fails the test."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    opened = context.new_page()
    faults: list[str] = []
    opened.on("pageerror", lambda error: faults.append(str(error)))
    yield opened
    context.close()
    assert not faults, faults
