"""A lock on one cleaning run, so that two processes never make the same one; the system takes it back from one that dies."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from audit_core.errors import CleaningError


@contextmanager
def alone_on(folder: Path, name: str) -> Iterator[None]:
    """Hold the lock of the run whose files go into `folder`; `name` is how people call it.

    Raises:
        CleaningError: another process or thread holds it, or the disk cannot be written.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        # SQLite's own locks end with their process on every system.
        lock = sqlite3.connect(_place(folder), timeout=0, isolation_level=None)
    except (OSError, sqlite3.Error) as error:
        raise CleaningError(f"{folder.parent} cannot be written ({error}). Free some space there.") from error
    with closing(lock):
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise CleaningError(f"{folder.parent} cannot be written ({error}). Free some space there.") from error
            raise CleaningError(
                f"{name} is being made by another process. Wait until it is done, or stop that one."
            ) from error
        yield


def is_locked(folder: Path) -> bool:
    """Return whether somebody holds the lock of the run whose files go into `folder`."""
    if not _place(folder).exists():
        return False
    try:
        with alone_on(folder, ""):
            return False
    except CleaningError:
        return True


def _place(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.lock")


def forget_lock(folder: Path) -> None:
    """Remove the lock's file of a run that is deleted."""
    try:
        _place(folder).unlink(missing_ok=True)
    except OSError:  # Windows, while somebody looks at it: an empty file stays
        return
