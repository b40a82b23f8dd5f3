"""Who is asking which question at this moment, so that two runs over the same questions pay for each once.

A claimant holds the lock of a file for as long as it lives: the system takes it back from a process that dies, however it
dies. Where it lives but gives no sign of life for two minutes, its claims end too: at worst a question is then asked twice.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

#: Without a sign of life for so long a claim ends, in seconds.
SILENT_SECONDS = 120.0
#: A claimant should give a sign of life this often, in seconds.
BEAT_SECONDS = 20.0

SCHEMA = (
    "CREATE TABLE IF NOT EXISTS claim (key BLOB PRIMARY KEY, claimant TEXT NOT NULL) WITHOUT ROWID",
    "CREATE INDEX IF NOT EXISTS claim_of ON claim (claimant)",
    "CREATE TABLE IF NOT EXISTS claimant (token TEXT PRIMARY KEY, until REAL NOT NULL) WITHOUT ROWID",
)


class Claimant:
    """One run that asks: a name of its own, and a lock that ends with its process."""

    def __init__(self, folder: Path) -> None:
        self.token = secrets.token_hex(16)
        self._folder = folder
        # An empty database: SQLite's own locks end with their process on every system.
        self._lock = _locked(_lock_file(folder, self.token))

    def close(self) -> None:
        """Give the lock back."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None
        _remove_lock(self._folder, self.token)

    def enter(self, connection: sqlite3.Connection) -> None:
        """Write the claimant down, and remove those that have died."""
        for (token,) in connection.execute("SELECT token FROM claimant").fetchall():
            _bury_if_dead(connection, self._folder, str(token))
        self.beat(connection)

    def beat(self, connection: sqlite3.Connection) -> None:
        """Give a sign of life."""
        connection.execute("INSERT OR REPLACE INTO claimant VALUES (?, ?)", (self.token, time.time() + SILENT_SECONDS))

    def leave(self, connection: sqlite3.Connection) -> None:
        """Give up every claim."""
        _bury(connection, self.token)

    def claim(self, connection: sqlite3.Connection, keys: Sequence[bytes]) -> set[bytes]:
        """Return those of the keys that are this claimant's from now on; a live one (itself too) has the others."""
        mine: set[bytes] = set()
        looked_at: set[str] = set()
        for key in keys:
            found = connection.execute("SELECT claimant FROM claim WHERE key = ?", (key,)).fetchone()
            if found is not None:
                if found[0] == self.token or found[0] in looked_at:
                    continue
                if not _bury_if_dead(connection, self._folder, str(found[0])):
                    looked_at.add(found[0])
                    continue
            connection.execute("INSERT INTO claim VALUES (?, ?)", (key, self.token))
            mine.add(key)
        return mine

    def release(self, connection: sqlite3.Connection, key: bytes) -> None:
        """Give up one claim: it is answered, or cannot be answered now."""
        connection.execute("DELETE FROM claim WHERE key = ? AND claimant = ?", (key, self.token))


def _bury_if_dead(connection: sqlite3.Connection, folder: Path, token: str) -> bool:
    """Return whether a claimant is dead; what it claimed is free then."""
    row = connection.execute("SELECT until FROM claimant WHERE token = ?", (token,)).fetchone()
    if row is not None and row[0] > time.time() and _is_locked(_lock_file(folder, token)):
        return False
    _bury(connection, token)
    _remove_lock(folder, token)
    return True


def _bury(connection: sqlite3.Connection, token: str) -> None:
    connection.execute("DELETE FROM claim WHERE claimant = ?", (token,))
    connection.execute("DELETE FROM claimant WHERE token = ?", (token,))


def _lock_file(folder: Path, token: str) -> Path:
    return folder / f"asking-{token}.lock"


def _remove_lock(folder: Path, token: str) -> None:
    # Where a file that is open cannot be removed, the next claimant does it.
    with suppress(OSError):
        os.unlink(_lock_file(folder, token))


def _locked(file: Path) -> sqlite3.Connection | None:
    """Return a connection that holds the lock of a file, None where somebody else holds it."""
    connection = sqlite3.connect(file, timeout=0, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        connection.close()
        return None
    except BaseException:
        connection.close()
        raise
    return connection


def _is_locked(file: Path) -> bool:
    if not file.exists():
        return False
    lock = _locked(file)
    if lock is not None:
        lock.close()
    return lock is None
