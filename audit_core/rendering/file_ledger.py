"""Which content a file has (SHA-256) and with which content it was first shown, kept over restarts.

A content hash is computed once for a (path, size, modification time, inode) and taken from the ledger afterwards, so
that a restart does not read a gigabyte of PDFs again. The ledger is a small SQLite file in the cache folder: deleting
that folder forgets when files were first shown.
"""

from __future__ import annotations

import hashlib
import logging
import os
import sqlite3
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from audit_core.errors import PageUnavailable, StorageError
from audit_core.rendering.turns import OnePerKey

_LOG = logging.getLogger(__name__)

#: A file written this recently may be written again without a change of its modification time (file systems count in
#: ticks), so its hash is not kept.
_SETTLED_NS = 2_000_000_000

_SCHEMA = """
CREATE TABLE IF NOT EXISTS content (
    path BLOB PRIMARY KEY, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, inode TEXT NOT NULL, sha256 TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS first_shown (
    media_root BLOB, file BLOB, sha256 TEXT NOT NULL, day TEXT NOT NULL, PRIMARY KEY (media_root, file)
) WITHOUT ROWID;
"""

FileState = tuple[int, int, str]


def file_state(path: Path) -> FileState:
    """Return (size in bytes, modification time in ns, inode as text): what changes when a file is replaced.

    Raises:
        PageUnavailable: the file went away or cannot be looked at.
    """
    try:
        found = os.stat(path)
    except OSError as error:
        raise PageUnavailable(f"the file cannot be read ({error.strerror})") from None
    return found.st_size, found.st_mtime_ns, str(found.st_ino)


class FileLedger:
    """The content hashes and first-shown records of one cache folder. Safe under threads and several processes."""

    def __init__(self, file: Path) -> None:
        """Open or create the ledger.

        Raises:
            StorageError: the file is there, but is no ledger, or cannot be created.
        """
        self._hashing = OnePerKey()
        self._guard = threading.Lock()
        self._content: dict[Path, tuple[FileState, str]] = {}
        self._first: dict[tuple[Path, Path], tuple[str, str]] = {}
        try:
            self._database = sqlite3.connect(file, check_same_thread=False, timeout=10, isolation_level=None)
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = NORMAL")
            self._database.executescript(_SCHEMA)
        except sqlite3.Error as error:
            raise StorageError(
                f"The list of files {file} cannot be used ({error}): delete it and start again."
            ) from error

    def close(self) -> None:
        """Close the ledger's file."""
        with self._guard:
            self._database.close()

    def content_hash(self, path: Path) -> str:
        """Return the SHA-256 of the file's bytes, 64 hex digits. Threads that ask for the same file read it once.

        Raises:
            PageUnavailable: the file cannot be read, or is being written at this moment.
        """
        state = file_state(path)
        known = self._content.get(path)
        if known is not None and known[0] == state:
            return known[1]
        with self._hashing.holding(path):
            return self._looked_up(path, state) or self._computed(path)

    def _looked_up(self, path: Path, state: FileState) -> str | None:
        known = self._content.get(path)
        if known is None:
            rows = self._run("SELECT size, mtime_ns, inode, sha256 FROM content WHERE path = ?", (os.fsencode(path),))
            if not rows:
                return None
            size, mtime_ns, inode, sha256 = rows[0]
            known = self._content[path] = ((size, mtime_ns, inode), sha256)
        return known[1] if known[0] == state else None

    def _computed(self, path: Path) -> str:
        for _ in range(2):
            before = file_state(path)
            try:
                with path.open("rb") as file:
                    sha256 = hashlib.file_digest(file, "sha256").hexdigest()
            except OSError as error:
                raise PageUnavailable(f"the file cannot be read ({error.strerror})") from None
            if file_state(path) == before:
                self._keep(path, before, sha256)
                return sha256
        raise PageUnavailable("the file is being written at this moment: try again when it is whole")

    def _keep(self, path: Path, state: FileState, sha256: str) -> None:
        if abs(time.time_ns() - state[1]) < _SETTLED_NS:
            return
        self._content[path] = (state, sha256)
        self._run("INSERT OR REPLACE INTO content VALUES (?, ?, ?, ?, ?)", (os.fsencode(path), *state, sha256))

    def first_shown(self, media_root: Path, path: Path, sha256: str) -> tuple[str, str]:
        """Return (SHA-256, day in UTC) of when the file was first shown; the first call records `sha256` and today."""
        place = (media_root, path)
        known = self._first.get(place)
        if known is None:
            names = (os.fsencode(media_root), os.fsencode(path.relative_to(media_root)))
            today = datetime.now(UTC).date().isoformat()
            self._run("INSERT OR IGNORE INTO first_shown VALUES (?, ?, ?, ?)", (*names, sha256, today))
            rows = self._run("SELECT sha256, day FROM first_shown WHERE media_root = ? AND file = ?", names)
            known = self._first[place] = (str(rows[0][0]), str(rows[0][1])) if rows else (sha256, today)
        return known

    def _run(self, statement: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        """Return the rows of one statement; none when the ledger's file fails, as pages can be shown without it."""
        try:
            with self._guard:
                return self._database.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            _LOG.warning("the list of page image files could not be used: %s", error)
            return []
