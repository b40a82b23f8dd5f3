"""The servers that a benchmark drives: the app with a bundle imported, and a plain Streamlit page to compare with."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Self

ROOT = Path(__file__).parents[1]


def free_port() -> int:
    """Return a port of 127.0.0.1 that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def resident_mb(pid: int) -> float:
    """Return the resident memory of a process, in megabytes (Linux)."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return round(int(line.split()[1]) / 1000, 1)
    raise RuntimeError(f"no VmRSS for process {pid}")


class Server:
    """A Streamlit server on 127.0.0.1; stopped when the block ends."""

    def __init__(self, script: Path, *, folder: Path, environment: dict[str, str]) -> None:
        self.script = script
        self.folder = folder
        self.environment = environment
        self.port = free_port()

    @property
    def address(self) -> str:
        """Where it answers."""
        return f"http://localhost:{self.port}"

    def __enter__(self) -> Self:
        options = ["--server.port", str(self.port), "--server.address", "127.0.0.1", "--server.headless", "true"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", str(self.script), *options],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        end = time.monotonic() + 90
        while True:
            try:
                with urllib.request.urlopen(f"{self.address}/_stcore/health", timeout=5):
                    return self
            except OSError:
                if time.monotonic() > end or self.process.poll() is not None:
                    raise RuntimeError(f"{self.script} did not start") from None
                time.sleep(0.1)

    def __exit__(self, *_: object) -> None:
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait(timeout=30)


class App(Server):
    """Assay with one bundle imported and a campaign over it open."""

    def __init__(self, home: Path, bundle: Path) -> None:
        environment = {**os.environ, "ASSAY_HOME": str(home), "ASSAY_ACCOUNTS": "single"}
        super().__init__(ROOT / "app.py", folder=ROOT, environment=environment)
        self.command("import", str(bundle))
        name = json.loads((bundle / "dataset.json").read_text())["name"]
        started = self.command("campaign", "start", "bench", "--dataset", name, "--json")
        self.campaign = int(json.loads(started)["id"])

    def command(self, *arguments: str) -> str:
        """Run a command of the command line on this home; return its stdout."""
        command = [sys.executable, "-m", "audit_core", *arguments]
        done = subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True, check=True)
        return done.stdout


_PLAIN = """
import streamlit as st
from pathlib import Path

st.set_page_config(layout="wide")
number = st.session_state.setdefault("number", 0)
if st.button("next"):
    number = st.session_state["number"] = number + 1
left, right = st.columns(2)
left.image(str(Path({images!r}) / f"page-{{2 * number:04d}}.jpg"))
right.image(str(Path({images!r}) / f"page-{{2 * number + 1:04d}}.jpg"))
st.write(f"entry {{number}} shown")
"""


class PlainPage(Server):
    """A page as one would write it first: two columns with st.image and a button."""

    #: Clicks the button and returns the milliseconds until both images of the next entry are decoded.
    CLICK_AND_WAIT = """
    async (number) => {
      const images = () => [...document.querySelectorAll("[data-testid=stImage] img, [data-testid=stImageContainer] img")];
      const before = new Set(images().map((image) => image.src));
      const start = performance.now();
      [...document.querySelectorAll("button")].find((each) => each.textContent.trim() === "next").click();
      for (;;) {
        const now = [...new Set(images())].filter((image) => image.src && !before.has(image.src));
        const said = document.body.textContent.includes(`entry ${number} shown`);
        if (said && now.length >= 2) {
          await Promise.all(now.map((image) => image.decode()));
          await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
          return performance.now() - start;
        }
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
    """

    def __init__(self, folder: Path, bundle: Path, entries: int) -> None:
        script = folder / "plain_page.py"
        script.write_text(_PLAIN.format(images=str(bundle / "images"), entries=entries))
        super().__init__(script, folder=folder, environment=dict(os.environ))
