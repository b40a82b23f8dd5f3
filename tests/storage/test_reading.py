"""Databases that may only be read: what SQLite can read soundly is read, what it cannot is refused with a way out."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from audit_core.errors import StorageError
from audit_core.storage import people
from audit_core.storage.database import connect, open_database
from audit_core.storage.reading import can_only_be_read, open_for_reading
from tests.nobody import as_nobody, open_folder

pytestmark = pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX's")


@pytest.fixture
def file() -> Iterator[Path]:
    """A database with Ada in it, in a folder that is to be closed against writing."""
    with open_folder() as folder:
        database = open_database(f"sqlite:///{folder}/assay.db")
        with database.write() as connection:
            people.add(connection, "Ada")
        database.close()
        yield folder / "assay.db"


@contextmanager
def closed(file: Path) -> Iterator[None]:
    """Nobody may write the file or its folder, and this process is nobody meanwhile."""
    file.parent.chmod(0o555)
    for each in file.parent.iterdir():
        each.chmod(0o444)
    with as_nobody():
        yield
    file.parent.chmod(0o755)


def test_a_writable_database_is_not_said_to_be_readable_alone(file: Path) -> None:
    assert not can_only_be_read(connect(f"sqlite:///{file}"))
    assert not can_only_be_read(connect(f"sqlite:///{file.parent}/none.db"))


def test_a_database_in_a_folder_that_cannot_be_written_is_read_and_refuses_to_save(file: Path) -> None:
    with closed(file):
        found = connect(f"sqlite:///{file}")
        assert can_only_be_read(found)
        opened = open_for_reading(found)
        with opened.read() as connection:
            assert list(people.names(connection).values()) == ["Ada"]
        with pytest.raises(StorageError, match="opened to be read alone: nothing was saved"), opened.write():
            pass
        opened.close()
    assert sorted(each.name for each in file.parent.iterdir()) == ["assay.db"]


def test_what_another_process_saved_and_did_not_move_into_the_file_yet_is_read_from_its_log(file: Path) -> None:
    writer = open_database(f"sqlite:///{file}")
    with writer.write() as connection:
        people.add(connection, "Ben")
    assert (file.parent / "assay.db-wal").stat().st_size
    with closed(file):
        opened = open_for_reading(connect(f"sqlite:///{file}"))
        with opened.read() as connection:
            assert sorted(people.names(connection).values()) == ["Ada", "Ben"]
        opened.close()
    for each in file.parent.iterdir():
        each.chmod(0o644)
    writer.close()


def test_a_log_that_cannot_be_read_is_refused_and_not_passed_over(file: Path) -> None:
    writer = open_database(f"sqlite:///{file}")
    with writer.write() as connection:
        people.add(connection, "Ben")
    aside = file.parent / "aside"
    aside.mkdir()
    for name in ("assay.db", "assay.db-wal"):
        shutil.copy(file.parent / name, aside / name)
    writer.close()
    with (
        closed(aside / "assay.db"),
        pytest.raises(StorageError, match=r"assay\.db-wal beside it holds what was saved last"),
    ):
        open_for_reading(connect(f"sqlite:///{aside}/assay.db"))


def test_a_change_by_somebody_else_while_it_is_read_is_told(file: Path) -> None:
    with closed(file):
        opened = open_for_reading(connect(f"sqlite:///{file}"))
    file.chmod(0o644)

    def read_while_somebody_saves() -> None:
        with opened.read() as connection:
            assert len(people.names(connection)) == 1
            with closing(sqlite3.connect(file)) as other, other:
                other.execute("UPDATE person SET name = 'Eve'")

    with pytest.raises(StorageError, match="was changed while it was read"):
        read_while_somebody_saves()
    opened.close()


def test_a_database_of_an_older_schema_is_not_read(file: Path) -> None:
    with closing(sqlite3.connect(file)) as raw, raw:
        raw.execute("UPDATE alembic_version SET version_num = '0001'")
    with closed(file), pytest.raises(StorageError, match="needs a migration"):
        open_for_reading(connect(f"sqlite:///{file}"))
