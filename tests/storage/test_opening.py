"""Opening the main database, and what is said when that cannot be done."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import tempfile
import threading
from pathlib import Path

import pytest
import sqlalchemy as sa

from audit_core.errors import StorageError, WriteCollision
from audit_core.storage import database as database_module
from audit_core.storage import people, upgrade
from audit_core.storage.database import Database, connect, open_database, without_password
from audit_core.storage.refusals import plain_error
from tests.postgres import fresh_postgresql

#: The user without rights of Linux and macOS.
NOBODY = 65534


def _pragma(database: Database, name: str) -> object:
    with database.read() as connection:
        return connection.exec_driver_sql(f"PRAGMA {name}").scalar()


def _write(database: Database, *statements: str) -> None:
    with database.write() as connection:
        for each in statements:
            connection.exec_driver_sql(each)


def _read_names(url: str) -> dict[int, str]:
    database = open_database(url)
    try:
        with database.read() as connection:
            return people.names(connection)
    finally:
        database.close()


def _write_more_than_fits(database: Database) -> None:
    with database.write() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")  # SQLite's own "database or disk is full"
        for number in range(2_000):
            people.add(connection, f"{number} {'x' * 400}")


def test_sqlite_runs_with_a_write_ahead_log_foreign_keys_and_full_flushes(sqlite: Database) -> None:
    assert _pragma(sqlite, "journal_mode") == "wal"
    assert _pragma(sqlite, "foreign_keys") == 1
    assert _pragma(sqlite, "synchronous") == 2
    assert _pragma(sqlite, "busy_timeout") == database_module.BUSY_TIMEOUT_MS


def test_foreign_keys_hold_on_every_connection_after_a_migration_switched_them_off(sqlite: Database) -> None:
    states = []
    with sqlite.read() as one, sqlite.read() as two, sqlite.read() as three:
        for connection in (one, two, three):
            states.append(connection.exec_driver_sql("PRAGMA foreign_keys").scalar())
    assert states == [1, 1, 1]


def test_the_default_is_a_file_in_the_home_even_where_its_path_has_signs_of_urls(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    home = tmp_path / "a%20b ?c#d@é"
    monkeypatch.setenv("ASSAY_HOME", str(home))
    database = open_database()
    database.close()
    assert database.file == home / "assay.db"
    assert (home / "assay.db").is_file()


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///", "sqlite:///:memory:"])
def test_a_database_in_memory_is_refused(url: str) -> None:
    with pytest.raises(StorageError, match="would be lost: name a file"):
        open_database(url)


@pytest.mark.parametrize("url", ["sqlite:///file:x?mode=memory&uri=true", "sqlite:///file:x", "sqlite:///x?uri=true"])
def test_an_address_of_sqlites_own_kind_is_refused(url: str) -> None:
    with pytest.raises(StorageError, match="name a plain path instead"):
        open_database(url)


@pytest.mark.parametrize(
    "url", ["hello", "postgresql://u@h:port/x", "nosuch://u@h/x", "mysql://u:secret@h/x", "sqlite+pysqlcipher:///x"]
)
def test_what_is_no_usable_address_is_refused_by_the_name_of_its_setting(url: str) -> None:
    with pytest.raises(StorageError, match="ASSAY_DATABASE_URL") as caught:
        open_database(url)
    assert "secret" not in str(caught.value)


def test_a_password_is_never_shown() -> None:
    assert without_password("postgresql://ada:secret@h/x") == "postgresql://ada:***@h/x"
    assert "secret" not in without_password("ada:secret")
    with pytest.raises(StorageError) as caught:
        open_database("postgresql://ada:secret@127.0.0.1:1/x")
    assert "secret" not in str(caught.value)
    assert "cannot be reached" in str(caught.value)


def test_a_file_that_is_no_database_is_named(file: Path) -> None:
    file.parent.mkdir()
    file.write_bytes(b"Dear diary, this is not a database. " * 100)
    with pytest.raises(StorageError, match=r"assay.db is not a SQLite database, or is damaged. Put the newest copy"):
        open_database(f"sqlite:///{file}")
    assert file.read_bytes().startswith(b"Dear diary")


def test_a_damaged_database_is_said_to_be_damaged(file: Path) -> None:
    database = open_database(f"sqlite:///{file}")
    with database.write() as connection:
        for number in range(500):
            people.add(connection, f"{number} {'x' * 200}")
    database.close()
    content = bytearray(file.read_bytes())
    content[4096:-4096] = b"\xff" * (len(content) - 8192)
    file.write_bytes(content)
    with pytest.raises(StorageError, match="is damaged"):
        _read_names(f"sqlite:///{file}")


def test_rows_without_what_they_refer_to_are_found_by_the_full_check(sqlite: Database, file: Path) -> None:
    assert upgrade.integrity_problem(sqlite) is None
    careless = sqlite3.connect(file, isolation_level=None)  # another program, which leaves foreign keys off
    careless.execute("INSERT INTO draft VALUES (7, 8, 0, '{}', 'now')")
    careless.close()
    problem = upgrade.integrity_problem(sqlite)
    assert problem == "2 rows refer to rows that are gone, the first in table draft"


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "occupied").write_text("")
    with pytest.raises(StorageError, match=r"occupied.* cannot be made"):
        open_database(f"sqlite:///{tmp_path}/occupied/assay.db")


def test_a_path_that_is_a_folder_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot be opened"):
        open_database(f"sqlite:///{tmp_path}")


def test_a_database_that_may_only_be_read_is_said_to_be_read_only(
    sqlite: Database, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite itself refuses, as it does on a read-only file or folder; the tests may run as root, whom no file mode stops."""
    sqlite.close()
    real = sqlite3.connect

    def reads_only(_place: object, *rest: object, **options: object) -> sqlite3.Connection:
        return real(f"file:{file}?mode=ro", *rest, **{**options, "uri": True})  # type: ignore[no-any-return, call-overload]

    database = connect(f"sqlite:///{file}")
    monkeypatch.setattr(database.engine.dialect.loaded_dbapi, "connect", reads_only)
    message = r"assay.db is read-only: nothing was saved. Make the file and its folder writable for this user"
    with pytest.raises(StorageError, match=message), database.write() as connection:
        people.add(connection, "Ada")
    with pytest.raises(StorageError, match=message):
        open_database(f"sqlite:///{file}")
    with database.read() as connection:
        assert people.names(connection) == {}
    database.close()


@pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX's")
def test_a_file_without_the_right_to_write_is_said_to_be_read_only() -> None:
    folder = Path(tempfile.mkdtemp(prefix="assay-test-"))  # pytest's own folders are closed to anybody but their owner
    is_root = os.geteuid() == 0
    try:
        if is_root:
            os.chown(folder, NOBODY, NOBODY)
            os.seteuid(NOBODY)  # no file mode stops root
        open_database(f"sqlite:///{folder}/assay.db").close()
        (folder / "assay.db").chmod(stat.S_IRUSR)
        with pytest.raises(StorageError, match="is read-only: nothing was saved"):
            open_database(f"sqlite:///{folder}/assay.db")
        folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
        with pytest.raises(StorageError, match=r"is read-only|cannot be opened"):
            open_database(f"sqlite:///{folder}/assay.db")
    finally:
        if is_root:
            os.seteuid(0)
        folder.chmod(stat.S_IRWXU)
        shutil.rmtree(folder)


def test_a_full_disk_is_said_to_be_full_and_nothing_is_kept(sqlite: Database) -> None:
    with pytest.raises(StorageError, match=r"The disk of .*assay.db is full: nothing was saved"):
        _write_more_than_fits(sqlite)
    with sqlite.read() as connection:
        assert people.names(connection) == {}


def test_a_database_locked_by_another_writer_is_said_to_be_busy(
    sqlite: Database, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "BUSY_TIMEOUT_MS", 50)
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    mine = connect(f"sqlite:///{file}")
    with pytest.raises(StorageError, match="busy with another writer: nothing was saved"), mine.write() as connection:
        people.add(connection, "Ada")
    with pytest.raises(StorageError, match="busy with another writer"):
        open_database(f"sqlite:///{file}")
    other.execute("ROLLBACK")
    other.close()
    with mine.write() as connection:
        people.add(connection, "Ada")
    mine.close()


def test_twenty_threads_with_twenty_five_saves_each_lose_none(database: Database) -> None:
    def save(thread: int) -> None:
        for number in range(25):
            with database.write() as connection:
                before = len(
                    people.names(connection)
                )  # a read before the write, which a deferred transaction would lose by
                people.add(connection, f"{thread}-{number}-{before}")

    failures: list[BaseException] = []

    def guarded(thread: int) -> None:
        try:
            save(thread)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(number,)) for number in range(20)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert failures == []
    with database.read() as connection:
        names = people.names(connection)
    assert len(names) == 500
    if database.is_sqlite:
        # Each saw what all the others had written before it: no two writers were at work at once.
        assert sorted(int(name.rsplit("-", 1)[1]) for name in names.values()) == list(range(500))


def test_postgresql_says_in_plain_words_what_it_refuses(request: pytest.FixtureRequest) -> None:
    url = fresh_postgresql(request, migrated=True)
    database = open_database(url)
    with pytest.raises(StorageError, match="takes no changes now"):
        _write(database, "SET TRANSACTION READ ONLY", "UPDATE person SET name = 'x'")
    with database.write() as other:
        other.exec_driver_sql("LOCK TABLE person")
        with pytest.raises(StorageError, match="busy with another writer"):
            _write(database, "SET LOCAL lock_timeout = 20", "LOCK TABLE person")
    with pytest.raises(StorageError, match="is not there: make the database"):
        open_database(f"{url}x")
    with pytest.raises(sa.exc.ProgrammingError):
        _write(database, "SELECT nonsense")  # a fault of the program is not hidden as one of the storage
    database.close()


def test_a_fault_of_the_program_is_not_hidden_as_one_of_the_storage() -> None:
    assert plain_error(sqlite3.ProgrammingError("Cannot operate on a closed database."), place="x") is None
    assert isinstance(plain_error(sqlite3.IntegrityError("UNIQUE"), place="x"), WriteCollision)
    assert "refused: odd" in str(plain_error(sqlite3.OperationalError("odd"), place="x"))


def test_a_database_that_lost_its_content_is_not_begun_anew_while_there_are_copies(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/assay.db"
    database = open_database(url)
    copy = upgrade.copy_sqlite(database, label=upgrade.BY_HAND)
    database.close()
    for lose in (lambda file: file.write_bytes(b""), lambda file: file.unlink()):
        lose(tmp_path / "assay.db")
        with pytest.raises(StorageError, match="is empty or gone, but there are copies") as caught:
            open_database(url)
        assert str(copy) in str(caught.value)
