"""Kinds of jobs that tests steer: by files in a folder that the job's arguments name."""

from __future__ import annotations

import os
import time
from pathlib import Path

from audit_core.domain import JsonObject
from audit_core.errors import AssayError
from audit_core.jobs.context import JobContext
from audit_core.jobs.kinds import job_kind


def _wait_for(file: Path, context: JobContext | None = None) -> None:
    while not file.exists():
        if context is not None:
            context.check_cancelled()
        time.sleep(0.01)


@job_kind("test.steps")
def steps(context: JobContext) -> JsonObject:
    """Do the numbers from 0 to `steps`, each once over all attempts; wait at `stop_at` for the file `go`."""
    folder = Path(str(context.arguments["folder"]))
    done = context.folder / "done.txt"
    begun = len(done.read_text().splitlines()) if done.exists() else 0
    total = int(context.arguments.get("steps", 10))
    for number in range(begun, total):
        context.report(f"step {number}", number / total)
        if number == context.arguments.get("stop_at"):
            (folder / f"stopped-{context.job_id}").write_text(str(os.getpid()))
            _wait_for(folder / "go", context)
        with done.open("a") as stream:
            stream.write(f"{number} {context.attempt}\n")
    with (folder / "order.txt").open("a") as stream:
        stream.write(f"{context.job_id}\n")
    return {"begun": begun, "attempt": context.attempt, "summary": f"{total} steps."}


@job_kind("test.silent")
def silent(context: JobContext) -> None:
    """Say nothing, and look at nothing, until the file `go` is there."""
    folder = Path(str(context.arguments["folder"]))
    (folder / f"stopped-{context.job_id}").write_text(str(os.getpid()))
    _wait_for(folder / "go")


@job_kind("test.fails")
def fails(context: JobContext) -> JsonObject:
    """Fail as the arguments say."""
    context.report("about to fail", 0.5)
    how = context.arguments.get("how")
    if how == "ours":
        raise AssayError("The labels have no query in common with the dataset: choose other labels.")
    if how == "exit":
        raise SystemExit(3)
    if how == "result":
        return {"value": float("nan")}
    return {"value": 1 // int(str(context.arguments["divisor"]))}
