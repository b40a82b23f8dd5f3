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
        lock = _taken(folder)
    except (OSError, sqlite3.Error) as error:
        if _means_held(error):
            raise CleaningError(
                f"{name} is being made by another process. Wait until it is done, or stop that one."
            ) from error
        raise CleaningError(f"{folder.parent} cannot be written ({error}). Free some space there.") from error
    with closing(lock):
        yield


def is_locked(folder: Path) -> bool:
    """Return whether somebody holds the lock of the run whose files go into `folder`; False where that cannot be told."""
    if not _place(folder).exists():
        return False
    try:
        _taken(folder).close()
    except sqlite3.Error as error:
        return _means_held(error)
    return False


def _taken(folder: Path) -> sqlite3.Connection:
    """Return the connection that holds the lock until it is closed."""
    # SQLite's own locks end with their process on every system.
    lock = sqlite3.connect(_place(folder), timeout=0, isolation_level=None)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error:
        lock.close()
        raise
    return lock


def _means_held(error: Exception) -> bool:
    return isinstance(error, sqlite3.OperationalError) and "locked" in str(error)


def _place(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.lock")


def forget_lock(folder: Path) -> None:
    """Remove the lock's file of a run that is deleted."""
    try:
        _place(folder).unlink(missing_ok=True)
    except OSError:  # Windows, while somebody looks at it: an empty file stays
        return
