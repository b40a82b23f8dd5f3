"""Reading a SQLite database that may not be written: a home on a read-only disk, or one of somebody else.

SQLite reads a database with a write-ahead log through a second small file, which it makes where it is missing. Where it
cannot, the file is read as one that nobody changes, and that is sound only while its log is empty: then everything that
was saved is in the file itself. Both are checked, the second again after each transaction.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

import sqlalchemy as sa

from audit_core.errors import StorageError
from audit_core.storage.database import Database, configure_sqlite
from audit_core.storage.refusals import plain_words


class ReadingDatabase(Database):
    """A SQLite database opened for reading alone; `write()` refuses."""

    is_read_only = True

    def __init__(self, engine: sa.Engine, *, url: str, file: Path, is_still: bool) -> None:
        super().__init__(engine, url=url)
        self._still = _stamp(file) if is_still else None

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """A transaction that only reads.

        Raises:
            StorageError: somebody changed the file meanwhile, which was read as one that nobody changes.
        """
        with super().read() as connection:
            yield connection
        if self._still is not None and self.file is not None and _stamp(self.file) != self._still:
            raise StorageError(f"{self.place} was changed while it was read: what was read may be wrong. Try again.")

    @contextmanager
    def write(self) -> Iterator[sa.Connection]:
        """Refuse.

        Raises:
            StorageError: always.
        """
        raise StorageError(
            f"{self.place} was opened to be read alone: nothing was saved. Make the file and its folder writable."
        )
        yield


def can_only_be_read(database: Database) -> bool:
    """Return whether a database is a SQLite file that is there, and that this user may read and not write."""
    file = database.file
    if file is None or not file.is_file():
        return False
    as_asked = os.access in os.supports_effective_ids
    may = [os.access(each, os.W_OK, effective_ids=as_asked) for each in (file, file.parent)]
    return not all(may) and os.access(file, os.R_OK, effective_ids=as_asked)


def open_for_reading(database: Database) -> ReadingDatabase:
    """Return the database that `can_only_be_read`, opened for that and checked to have the newest schema.

    Raises:
        StorageError: its write-ahead log holds what cannot be read without writing, or it needs a migration; says what
            to do.
    """
    from audit_core.storage import upgrade

    file = database.file
    assert file is not None
    address, is_still = _address(file)
    engine = sa.create_engine(
        f"sqlite:///{file}", creator=lambda: sqlite3.connect(address, uri=True, check_same_thread=False)
    )
    configure_sqlite(engine)
    opened = ReadingDatabase(engine, url=database.url, file=file, is_still=is_still)
    try:
        upgrade.require_current(opened)
    except BaseException:
        opened.close()
        raise
    return opened


def _address(file: Path) -> tuple[str, bool]:
    """Return SQLite's address of a file, and whether it is read as one that nobody changes."""
    address = f"file:{quote(str(file))}?mode=ro"
    problem = _problem(address)
    if problem is None:
        return address, False
    logs = [each for each in _logs(file) if each.is_file() and each.stat().st_size]
    if logs:
        raise StorageError(
            f"{file} can only be read here, and {logs[0].name} beside it holds what was saved last, which SQLite cannot read "
            "without writing. Copy the whole folder to a place that can be written, and set ASSAY_HOME to that."
        )
    still = f"{address}&immutable=1"
    problem = _problem(still)
    if problem is not None:
        raise StorageError(plain_words(problem, place=str(file))) from problem
    return still, True


def _problem(address: str) -> sqlite3.Error | None:
    try:
        with closing(sqlite3.connect(address, uri=True)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error as error:
        return error
    return None


def _logs(file: Path) -> list[Path]:
    """Return where a SQLite file keeps what is not in it yet."""
    return [file.with_name(file.name + ending) for ending in ("-wal", "-journal")]


def _stamp(file: Path) -> tuple[int, int, int]:
    """Return what differs once somebody wrote: time and size of the file, size of its logs."""
    found = file.stat()
    return found.st_mtime_ns, found.st_size, sum(each.stat().st_size for each in _logs(file) if each.is_file())
