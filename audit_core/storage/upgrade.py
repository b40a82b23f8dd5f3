"""Bringing the main database to the newest schema, with a copy made first.

The migrations are Alembic's, kept inside the package and run from code, each run as a whole in one transaction.
"""

from __future__ import annotations

import contextlib
import glob
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa

from audit_core.errors import MigrationError, StorageError

if TYPE_CHECKING:
    from alembic.config import Config

    from audit_core.storage.database import Database

#: How many copies are kept of each occasion: before migrations, before deletions, and on demand.
COPIES_KEPT = 5
#: The labels of copies that somebody asked for, and of those made before something is deleted; others name a migration.
BY_HAND = "backup"
DELETION = "deletion"
#: PostgreSQL's lock on migrations of one database (any number that nobody else uses).
_ADVISORY_KEY = 5_140_611_803


def _alembic_config() -> Config:
    from alembic.config import Config

    alembic = Config()
    alembic.set_main_option("script_location", str(Path(__file__).with_name("migrations")).replace("%", "%%"))
    return alembic


def known_revisions() -> list[str]:
    """Return the ids of all migrations, oldest first."""
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory.from_config(_alembic_config())
    return [each.revision for each in reversed(list(scripts.walk_revisions()))]


def current_revision(database: Database) -> str | None:
    """Return the id of the newest migration that was applied, None for an empty database."""
    return _state(database)[0]


def _state(database: Database) -> tuple[str | None, list[str]]:
    """Return the newest migration that was applied and the tables, of one moment: another process may be at work."""
    with database.read() as connection:
        tables = sorted(sa.inspect(connection).get_table_names())
        if "alembic_version" not in tables:
            return None, tables
        return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar(), tables


def _current_or_refuse(database: Database) -> str | None:
    """Return the newest migration that was applied; refuse a database of a newer version, or of somebody else."""
    known = known_revisions()
    current, tables = _state(database)
    if current is not None and current not in known:
        raise StorageError(
            f"{database.place} was made by a newer version of Assay (schema {current}; this version knows up to {known[-1]}). "
            "Start the newer version, or set ASSAY_HOME to another folder."
        )
    if current is None and tables:
        raise StorageError(
            f"{database.place} holds tables that are not Assay's ({', '.join(tables[:5])}). "
            "Set ASSAY_DATABASE_URL to an empty database."
        )
    return current


def require_current(database: Database) -> None:
    """Refuse a database whose schema is not the newest.

    Raises:
        StorageError: names the command that brings it up to date.
    """
    current = _current_or_refuse(database)
    if current != known_revisions()[-1]:
        raise StorageError(f"{database.place} needs a migration: run `python -m audit_core db upgrade`.")


def bring_up_to_date(database: Database, *, copied_by_hand: bool = False) -> Path | None:
    """Apply the migrations that are missing; return the copy made before, None where none was needed.

    A PostgreSQL database that holds data is not copied from here: `copied_by_hand` says that its owner did.

    Raises:
        StorageError: the database is not Assay's, is newer, or needs a copy by its owner first.
        MigrationError: a migration failed; the transaction was rolled back.
    """
    current = _current_or_refuse(database)
    if current == known_revisions()[-1]:
        return None
    copy = None
    if current is not None:
        if database.is_sqlite:
            copy = copy_sqlite(database, label=current)
        elif not copied_by_hand:
            raise StorageError(
                f"{database.place} needs a migration. Copy it with pg_dump, then run `python -m audit_core db upgrade --copied`."
            )
    try:
        _upgrade(database)
    except Exception as error:
        kept = f" The copy made before is {copy}." if copy else ""
        raise MigrationError(f"A migration of {database.place} failed and was rolled back: {error}.{kept}") from error
    return copy


def _upgrade(database: Database) -> None:
    from alembic import command

    alembic = _alembic_config()
    with database.engine.connect() as connection:
        connection = connection.execution_options(assay_writes=True)
        if database.is_sqlite:
            # A table rebuilt in a migration must not empty its children; the switch works outside a transaction only.
            _switch_foreign_keys(connection, on=False)
        try:
            with connection.begin():
                if not database.is_sqlite:
                    # Of two processes that start at once the second finds the first one's work done.
                    connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ADVISORY_KEY})
                alembic.attributes["connection"] = connection
                command.upgrade(alembic, "head")
                if database.is_sqlite:
                    _refuse_orphans(connection)
        finally:
            if database.is_sqlite:
                _switch_foreign_keys(connection, on=True)


def _switch_foreign_keys(connection: sa.Connection, *, on: bool) -> None:
    driver = connection.connection.dbapi_connection
    assert driver is not None
    driver.cursor().execute(f"PRAGMA foreign_keys = {'ON' if on else 'OFF'}")


def _refuse_orphans(connection: sa.Connection) -> None:
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
    if broken:
        raise MigrationError(f"{len(broken)} rows lost the row they refer to, the first in table {broken[0][0]}")


def _occasion(label: str) -> str:
    """Return what a copy was made for; each occasion keeps its own five, so that none pushes another's out."""
    return label if label in (BY_HAND, DELETION) else "migration"


def copy_sqlite(database: Database, *, label: str) -> Path:
    """Return a consistent copy of a SQLite database, made while it is in use; the oldest beyond five are removed.

    A copy of a damaged database is not kept, and pushes no earlier one out.

    Raises:
        StorageError: the copy cannot be written, or the database is damaged.
    """
    file = database.file
    if file is None:
        raise StorageError(f"{database.place} is not a SQLite file: copy it with your database's own tool (pg_dump).")
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
    folder = file.parent / "backups"
    target = folder / f"{file.stem}-{stamp}-{label}.db"
    try:
        folder.mkdir(exist_ok=True)
        with contextlib.closing(sqlite3.connect(file)) as source, contextlib.closing(sqlite3.connect(target)) as copy:
            source.backup(copy)
            found = [row[0] for row in copy.execute("PRAGMA integrity_check(1)").fetchall()]
            if found != ["ok"]:
                raise sqlite3.DatabaseError(f"the database is damaged: {found[0]}")
    except (OSError, sqlite3.Error) as error:
        with contextlib.suppress(OSError):
            target.unlink()
        raise StorageError(
            f"No copy of {file} could be made in {folder} ({error}); nothing was changed. "
            "Free some space there; of a damaged database, put the newest of those copies in its place."
        ) from error
    own = f"{glob.escape(file.stem)}-{'[0-9]' * 8}T*Z-*.db"  # not those of `<stem>-other.db` in the same folder
    kept = [each for each in sorted(folder.glob(own)) if _occasion(each.stem.rpartition("-")[2]) == _occasion(label)]
    for old in kept[:-COPIES_KEPT]:
        with contextlib.suppress(OSError):
            old.unlink()
    return target


def integrity_problem(database: Database) -> str | None:
    """Return what SQLite's own full check finds wrong with the file, None where nothing is."""
    with database.read() as connection:
        lines = [row[0] for row in connection.exec_driver_sql("PRAGMA integrity_check").fetchall()]
        orphans = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
    if lines != ["ok"]:
        return f"the file is damaged ({lines[0]}): put the newest copy from the backups folder in its place"
    if orphans:
        return f"{len(orphans)} rows refer to rows that are gone, the first in table {orphans[0][0]}"
    return None
