"""Looking after a home: checks in plain words, upgrades and copies of the main database."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from audit_core import config
from audit_core.errors import AssayError, StorageError
from audit_core.storage import datasets, upgrade
from audit_core.storage.database import Database, connect, open_database, prepare_place
from audit_core.storage.reading import can_only_be_read, open_for_reading


@dataclass(frozen=True, slots=True)
class HomeCheck:
    """One thing that was checked, and what was found."""

    what: str
    ok: bool
    message: str


def check_home() -> list[HomeCheck]:
    """Return the state of the database, its schema and the dataset folders; never raises for what it finds."""
    try:
        database, first = _opened()
    except AssayError as error:
        return [HomeCheck("database", False, str(error))]
    try:
        checks = [first]
        checks.append(HomeCheck("schema", True, f"newest ({upgrade.current_revision(database)})"))
        if database.is_sqlite:
            checks.append(_sqlite_content(database))
        with database.read() as connection:
            rows = datasets.all_rows(connection)
    except StorageError as error:
        return [HomeCheck("content", False, str(error))]
    finally:
        database.close()
    for row in rows:
        folder = config.home() / "datasets" / row.content_hash
        what = f"dataset {row.name}@{row.revision}"
        if (folder / "manifest.json").is_file():
            checks.append(HomeCheck(what, True, str(folder)))
        else:
            checks.append(
                HomeCheck(what, False, f"its folder {folder} is gone: import the bundle again, or put a copy back")
            )
    return checks


def _opened() -> tuple[Database, HomeCheck]:
    """Return the database, for reading alone where it cannot be written, and what that is called."""
    database = connect(config.database_url())
    try:
        if can_only_be_read(database):
            words = f"{database.place} can be read, but not written: nothing can be saved. Make the file and its folder writable"
            return open_for_reading(database), HomeCheck("database", False, words)
    finally:
        database.close()
    database = open_database(migrate=False)
    return database, HomeCheck("database", True, f"{database.place} can be read and written")


def _sqlite_content(database: Database) -> HomeCheck:
    problem = upgrade.integrity_problem(database)
    return HomeCheck("content", problem is None, problem or "no damage found")


def upgrade_database(*, copied_by_hand: bool = False) -> tuple[str, Path | None]:
    """Bring the main database to the newest schema; return its schema and the copy made before (None where none was).

    Raises:
        StorageError: it cannot be upgraded; says what to do.
    """
    database = connect(config.database_url())
    try:
        prepare_place(database)
        copy = upgrade.bring_up_to_date(database, copied_by_hand=copied_by_hand)
        return upgrade.current_revision(database) or "", copy
    finally:
        database.close()


def backup_database() -> Path:
    """Return a fresh copy of the SQLite database, made while it is in use.

    Raises:
        StorageError: it is not a SQLite file, or the copy cannot be written.
    """
    database = connect(config.database_url())
    try:
        if database.file is not None and not database.file.is_file():
            raise StorageError(
                f"There is no database at {database.file} yet: `python -m audit_core prepare` makes one."
            )
        return upgrade.copy_sqlite(database, label=upgrade.BY_HAND)
    finally:
        database.close()
