"""Processes of jobs: whether the one that holds a job still lives, and starting one that outlives the app."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path

from audit_core.storage.jobs import JobRow

#: A runner writes a sign of life this often, in seconds.
BEAT_SECONDS = 2.0
#: Without one for so long a runner is taken for dead, in seconds.
SILENT_SECONDS = 30.0
#: As long as its process is seen to be there: it may be starved of time, or its number may be another process's now.
SILENT_BUT_SEEN_SECONDS = 300.0
#: How the process of a job is started, after the interpreter; the job's id follows.
COMMAND = ("-m", "audit_core", "job", "run")
#: Jobs give way to people who work at the same machine.
_NICENESS = 10


def has_live_runner(row: JobRow, *, at: datetime | None = None) -> bool:
    """Return whether the process that runs the job, or waits with it, is there and gives signs of life."""
    if row.heartbeat_at is None or row.runner_pid is None:
        return False
    silent = (at or datetime.now(UTC)) - datetime.fromisoformat(row.heartbeat_at)
    seen = _is_there(row.runner_pid) if row.runner_host == own_host() else None
    if seen is False:
        return False
    return silent < timedelta(seconds=SILENT_BUT_SEEN_SECONDS if seen else SILENT_SECONDS)


@lru_cache(maxsize=1)
def own_host() -> str:
    """Return what names this machine since its start: a process number means the same process only where it is equal."""
    parts = [socket.gethostname()]
    # Containers may share a host name and number their processes anew; so does a machine that was started again.
    with contextlib.suppress(OSError):
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()[:8])
        parts.append(os.readlink("/proc/self/ns/pid").strip("pid:[]"))
    return " ".join(parts)


def _is_there(pid: int) -> bool | None:
    """Return whether a process of this machine is there; None where that cannot be told."""
    if os.name != "posix":
        return None  # os.kill(pid, 0) would end it there
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True  # another user's
    except OverflowError:
        return False
    # One that ended and was not yet fetched by its parent is dead as well.
    with contextlib.suppress(OSError, IndexError):
        return (
            Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[0] != "Z"
        )
    return True


def job_folder(home: Path, job_id: int) -> Path:
    """Return the folder of a job (not created here)."""
    return home / "jobs" / str(job_id)


def log_file(home: Path, job_id: int) -> Path:
    """Return the file that takes what a job prints."""
    return job_folder(home, job_id) / "log.txt"


def start_runner(home: Path, database_url: str, job_id: int) -> int:
    """Start a process that runs the job when its turn comes, detached from this one, and return its process number.

    It belongs to no terminal and no service of ours: it goes on when the app ends or is killed.

    Raises:
        OSError: it cannot be started.
    """
    log = log_file(home, job_id)
    log.parent.mkdir(parents=True, exist_ok=True)
    root = str(Path(__file__).parents[2])
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {
        **os.environ,
        "ASSAY_HOME": str(home.absolute()),
        "ASSAY_DATABASE_URL": database_url,
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONUNBUFFERED": "1",
    }
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, *COMMAND, str(job_id)],
            stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=environment, start_new_session=True,
            creationflags=_WINDOWS_FLAGS,
        )  # fmt: skip
    if os.name == "posix":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process.pid, _NICENESS)
    # Somebody must fetch its end, or the dead process would stay in the list of processes as long as this one lives.
    threading.Thread(target=process.wait, name=f"job-{job_id}", daemon=True).start()
    return process.pid


#: Windows: a process group and console of its own, and the priority below the normal one.
_WINDOWS_FLAGS = (
    getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    | getattr(subprocess, "DETACHED_PROCESS", 0)
    | getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
)
