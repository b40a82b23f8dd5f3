"""Opening the main database: address, pragmas, start-up checks, transactions.

`open_database()` is the way in. A `Database` gives two kinds of transaction and no other: `read()` and `write()`. On SQLite a
write starts with BEGIN IMMEDIATE, so that a read followed by a write can never fail half-way with "database is locked".
"""

from __future__ import annotations

import glob
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event

from audit_core import config
from audit_core.errors import StorageError
from audit_core.storage.refusals import plain_error

#: A transaction of the main database, for those who hand it on.
Connection = sa.Connection
#: How long a writer waits for another one, in milliseconds.
BUSY_TIMEOUT_MS = 15_000


class Database:
    """The main database, opened and checked. Threads may share it."""

    #: Whether it was opened for reading alone (`storage.reading`).
    is_read_only = False

    def __init__(self, engine: sa.Engine, *, url: str) -> None:
        self.engine = engine
        self.url = url
        self._turns = threading.Lock()

    @property
    def is_sqlite(self) -> bool:
        """Whether the database is a SQLite file."""
        return self.engine.dialect.name == "sqlite"

    @property
    def file(self) -> Path | None:
        """The SQLite file, None for another database."""
        name = self.engine.url.database
        return Path(name) if self.is_sqlite and name else None

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """A transaction that only reads; always rolled back."""
        with self._plain_errors(), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[sa.Connection]:
        """A transaction that writes: committed when the block ends, rolled back when it raises."""
        with self._turn(), self._plain_errors(), self.engine.connect() as connection:
            connection = connection.execution_options(assay_writes=True)
            with connection.begin():
                yield connection

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Wait for the other threads of this process that write to a SQLite file.

        SQLite has one writer, and those who wait for it try again after longer and longer sleeps: of twenty threads some
        would wait for seconds. Other processes are waited for by SQLite's own means.
        """
        if not self.is_sqlite:
            yield
            return
        if not self._turns.acquire(timeout=BUSY_TIMEOUT_MS / 1000):
            raise StorageError(f"{self.place} is busy with another writer: nothing was saved. Try again in a moment.")
        try:
            yield
        finally:
            self._turns.release()

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    @contextmanager
    def _plain_errors(self) -> Iterator[None]:
        try:
            yield
        except (sa.exc.DBAPIError, sqlite3.Error) as error:
            refused = plain_error(error, place=self.place)
            if refused is None:
                raise
            raise refused from error
        except sa.exc.TimeoutError as error:
            raise StorageError(
                f"{self.place} has no connection free: nothing was saved. Try again in a moment."
            ) from error

    @property
    def place(self) -> str:
        """The database's address without a password."""
        return str(self.file or self.engine.url.render_as_string(hide_password=True))


def configure_sqlite(engine: sa.Engine) -> None:
    """Set the pragmas and transactions of every connection to a SQLite file."""

    @event.listens_for(engine, "connect")
    def _on_connect(connection: sqlite3.Connection, _record: Any) -> None:
        connection.isolation_level = None  # the driver must not start transactions of its own
        for pragma in (
            f"busy_timeout = {BUSY_TIMEOUT_MS}",
            "foreign_keys = ON",
            "synchronous = FULL",  # a save that was acknowledged survives a power cut as well
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _on_begin(connection: sa.Connection) -> None:
        writes = connection.get_execution_options().get("assay_writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def connect(url: str) -> Database:
    """Return the database at `url` without checking or migrating it.

    Raises:
        StorageError: the URL is not one that SQLAlchemy understands, or its driver is not installed.
    """
    try:
        parsed = sa.make_url(url)
        if parsed.drivername in ("postgresql", "postgres"):
            parsed = parsed.set(drivername="postgresql+pg8000")
        if parsed.get_backend_name() not in ("sqlite", "postgresql"):
            raise StorageError(
                f"ASSAY_DATABASE_URL names {parsed.get_backend_name()!r}: use a sqlite or postgresql URL."
            )
        if parsed.get_backend_name() == "sqlite":
            _refuse_no_file(parsed)
        engine = sa.create_engine(parsed, pool_pre_ping=parsed.get_backend_name() != "sqlite")
    except (sa.exc.ArgumentError, sa.exc.NoSuchModuleError, ImportError, ValueError) as error:
        raise StorageError(f"ASSAY_DATABASE_URL cannot be used: {error}") from error
    if engine.dialect.name == "sqlite":
        configure_sqlite(engine)
    return Database(engine, url=url)


def _refuse_no_file(url: sa.URL) -> None:
    if url.database in (None, "", ":memory:"):
        raise StorageError("ASSAY_DATABASE_URL names a database in memory, which would be lost: name a file.")
    if "uri" in url.query or str(url.database).startswith("file:"):
        raise StorageError(
            "ASSAY_DATABASE_URL holds SQLite's own kind of address (file:...): name a plain path instead."
        )


def without_password(url: str) -> str:
    """Return a database URL as it may be shown: its password replaced; what is not a URL is not shown at all."""
    try:
        return sa.make_url(url).render_as_string(hide_password=True)
    except (sa.exc.ArgumentError, ValueError):
        return "(not a database URL)"


def _refuse_emptied(file: Path) -> None:
    """Refuse a database file that lost its content: beginning anew would hide that."""
    copies = sorted(file.parent.glob(f"backups/{glob.escape(file.stem)}-*.db"))
    if copies and (not file.exists() or file.stat().st_size == 0):
        raise StorageError(
            f"{file} is empty or gone, but there are copies of it. Put the newest one, {copies[-1]}, in its place; "
            "to begin anew, move the backups folder away."
        )


def prepare_place(database: Database) -> None:
    """Make a SQLite file's folder, switch on the write-ahead log and prove that the file can be written.

    Raises:
        StorageError: it cannot be made or written; says what to do.
    """
    file = database.file
    if file is None:
        return
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"The folder {file.parent} cannot be made ({error.strerror}). Set ASSAY_HOME to a writable folder."
        ) from error
    _refuse_emptied(file)
    if sqlite3.sqlite_version_info < (3, 35):
        raise StorageError(
            f"SQLite {sqlite3.sqlite_version} is too old: Assay needs 3.35 or newer (a newer Python brings it)."
        )
    with database._plain_errors():
        raw = database.engine.raw_connection()
        try:
            cursor = raw.cursor()
            mode = cursor.execute("PRAGMA journal_mode = WAL").fetchone()[0]
            cursor.execute("BEGIN IMMEDIATE")
            # On a file that may only be read SQLite begins without a word; a write into the file's head finds out.
            cursor.execute("PRAGMA user_version = 0")
            cursor.execute("ROLLBACK")
        finally:
            raw.close()
    if mode != "wal":
        raise StorageError(
            f"{file} lies where SQLite cannot keep a write-ahead log (a network folder?). Set ASSAY_HOME to a local folder."
        )


def open_database(url: str | None = None, *, migrate: bool = True) -> Database:
    """Return the main database, checked and brought to the newest schema.

    `url` defaults to the setting. An existing SQLite file is copied to `backups/` beside it before a migration. With
    `migrate`, what a campaign left that was never made whole is removed.

    Raises:
        StorageError: it cannot be opened or written, or is newer than this version of Assay; says what to do.
        MigrationError: a migration failed; nothing was changed, and the copy is named.
    """
    from audit_core.storage import making, upgrade

    database = connect(url or config.database_url())
    try:
        prepare_place(database)
        if migrate:
            upgrade.bring_up_to_date(database)
            making.sweep_unfinished(database)
        else:
            upgrade.require_current(database)
    except BaseException:
        database.close()
        raise
    return database
