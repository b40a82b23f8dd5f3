"""Folders that are built aside and renamed when whole, so that a reader sees all of a dataset or nothing."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from audit_core.errors import AssayError, StorageError

if TYPE_CHECKING:
    import polars as pl

PREFIX = ".building-"
LOCK_FILE = "building.lock"
#: A folder without a lock file is left alone for so long: its builder may be about to write it.
SECONDS_WITHOUT_LOCK = 60
_NO_SPACE = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EFBIG}


@contextmanager
def built_aside(target: Path, *, keep_existing: bool = False) -> Iterator[Path]:
    """Give a new folder beside `target`; on leaving it becomes `target`, and on any error it is gone.

    The folder is flushed to the disk before it is renamed. Where somebody else made `target` meanwhile, theirs stays
    with `keep_existing` (the content is the same by name).

    Raises:
        StorageError: the disk is full or cannot be written, or `target` was made meanwhile; says what to do.
    """
    with storage_errors(target.parent):
        target.parent.mkdir(parents=True, exist_ok=True)
        aside = target.parent / f"{PREFIX}{uuid.uuid4().hex}"
        try:
            aside.mkdir()
            (aside / LOCK_FILE).write_text(json.dumps(_process_mark(os.getpid())), encoding="utf-8")
            yield aside
            (aside / LOCK_FILE).unlink()
            _flush(aside)
            _rename(aside, target, keep_existing=keep_existing)
        finally:
            shutil.rmtree(aside, ignore_errors=True)


@contextmanager
def storage_errors(folder: Path) -> Iterator[None]:
    """Turn errors of the disk (and of SQLite on it) into StorageError with what to do."""
    try:
        yield
    except AssayError:
        raise
    except (OSError, sqlite3.Error) as error:
        raise StorageError(_advice(error, folder)) from error


def write_parquet(frame: pl.DataFrame, place: Path, *, compression: Literal["zstd", "lz4"] = "zstd") -> None:
    """Write a frame as a Parquet file; with `lz4` it takes half the time and half as much space again.

    Raises:
        OSError: it cannot be written; `errno` is ENOSPC where the disk is full, which polars says in words only.
    """
    import polars as pl

    try:
        frame.write_parquet(place, compression=compression)
    except pl.exceptions.PolarsError as error:
        is_full = "os error 28" in str(error) or "No space left" in str(error)
        raise OSError(errno.ENOSPC if is_full else errno.EIO, str(error), str(place)) from error


def _advice(error: OSError | sqlite3.Error, folder: Path) -> str:
    is_full = isinstance(error, OSError) and error.errno in _NO_SPACE
    # SQLite says it in words only.
    if is_full or "disk is full" in str(error):
        return (
            f"The disk that holds {folder} is full; nothing was kept. "
            "Free some space there, or choose a folder on another disk (ASSAY_HOME for datasets), and do it again."
        )
    return (
        f"{folder} cannot be written ({error}); nothing was kept. Check the disk and the permissions, and do it again."
    )


def _rename(aside: Path, target: Path, *, keep_existing: bool) -> None:
    try:
        os.rename(aside, target)
    except OSError:
        if not (keep_existing and target.is_dir() and any(target.iterdir())):
            raise
        return
    _flush_folder(target.parent)


def _flush(folder: Path) -> None:
    for parent, _, files in os.walk(folder):
        for name in files:
            with open(os.path.join(parent, name), "rb+") as stream:
                os.fsync(stream.fileno())
        _flush_folder(Path(parent))


def _flush_folder(folder: Path) -> None:
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sweep_unfinished(root: Path) -> list[Path]:
    """Remove what builders that died left aside in `root` and return those folders; those at work are left alone."""
    removed: list[Path] = []
    for aside in sorted(root.glob(f"{PREFIX}*")) if root.is_dir() else []:
        if aside.is_dir() and not _is_being_built(aside):
            shutil.rmtree(aside, ignore_errors=True)
            removed.append(aside)
    return removed


def _is_being_built(aside: Path) -> bool:
    try:
        mark = json.loads((aside / LOCK_FILE).read_text(encoding="utf-8"))
        pid = int(mark["pid"])
    except (OSError, ValueError, KeyError, TypeError):
        try:
            return time.time() - aside.stat().st_mtime < SECONDS_WITHOUT_LOCK
        except OSError:
            return False
    return _process_is_alive(pid) and _process_mark(pid) == mark


def _process_mark(pid: int) -> dict[str, int | str]:
    """Return the process id with what tells it from a later process of the same id, where the system says so."""
    started = ""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        started = f"{boot} {status.rpartition(')')[2].split()[19]}"
    except (OSError, IndexError):
        pass
    return {"pid": pid, "started": started}


def _process_is_alive(pid: int) -> bool:
    if sys.platform == "win32":
        import ctypes

        query_limited_information = 0x1000
        handle = ctypes.windll.kernel32.OpenProcess(query_limited_information, False, pid)
        if handle:
            ctypes.windll.kernel32.CloseHandle(handle)
        return bool(handle)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
