"""Processes that a benchmark starts: another module of the benchmarks, and an annotator who saves all the time."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.measuring import quantile, read_json


def run_module(name: str, *arguments: object, home: Path | None = None) -> None:
    """Run a module of the benchmarks in a process of its own, with that home; end where it fails."""
    process = _start(name, arguments, home)
    if process.wait():
        sys.exit(f"benchmarks.{name} failed with exit code {process.returncode}.")


def _start(name: str, arguments: tuple[object, ...], home: Path | None) -> subprocess.Popen[bytes]:
    environment = {**os.environ, **({"ASSAY_HOME": str(home)} if home else {})}
    environment.pop("ASSAY_DATABASE_URL", None)
    return subprocess.Popen([sys.executable, "-m", f"benchmarks.{name}", *map(str, arguments)], env=environment)


@contextmanager
def saves_beside(home: Path, work: Path, *, pause_ms: float) -> Iterator[Path]:
    """Have a process save judgments into the home meanwhile; give the file that holds their latencies afterwards."""
    stop, ready, latencies = work / "stop", work / "ready", work / "saves.json"
    for old in (stop, ready, latencies):
        old.unlink(missing_ok=True)
    options = ("--stop", stop, "--ready", ready, "--json", latencies, "--pause-ms", pause_ms)
    process = _start("saving_beside", options, home)
    try:
        while not ready.exists() and process.poll() is None:
            time.sleep(0.05)
        yield latencies
    finally:
        stop.touch()
        process.wait()
    if process.returncode:
        sys.exit(f"benchmarks.saving_beside failed with exit code {process.returncode}.")


def latencies_of(file: Path, began: float, ended: float) -> dict[str, dict[str, float]]:
    """Return number, median, 99th percentile and maximum of the saves before and between two times of day, in seconds."""
    saves: list[list[float]] = read_json(file)["saves"]
    parts = {
        "before": [took for at, took in saves if at + took < began],
        "during": [took for at, took in saves if at + took >= began and at <= ended],
    }
    return {
        name: {
            "saves": len(values), "median": quantile(values, 0.5), "p99": quantile(values, 0.99),
            "max": max(values, default=0.0),
        }
        for name, values in parts.items()
    }  # fmt: skip
