"""Migrations: the schema that they make, and a populated database that goes through one, or through one that fails."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext

from audit_core.errors import MigrationError, StorageError
from audit_core.storage import upgrade
from audit_core.storage.database import Database, connect, open_database
from audit_core.storage.schema import metadata
from tests.postgres import fresh_postgresql
from tests.storage.full_database import fill, row_counts

AddMigration = Callable[..., None]
#: A migration that rebuilds a table with children (which a cascade would empty), as batch migrations on SQLite do.
REBUILD = """
import sqlalchemy as sa
from alembic import op

revision = "9001"
down_revision = {below!r}


def upgrade() -> None:
    with op.batch_alter_table("campaign", recreate="auto") as batch:
        batch.add_column(sa.Column("colour", sa.Text()))
        batch.alter_column("name", existing_type=sa.Text(), type_=sa.String(500), existing_nullable=False)
    {then}
"""


@pytest.fixture
def next_migration(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AddMigration:
    """A function that adds a migration to a copy of the real ones, which counts from then on."""
    folder = tmp_path / "migrations"
    shutil.copytree(
        Path(upgrade.__file__).with_name("migrations"), folder, ignore=shutil.ignore_patterns("__pycache__")
    )

    def config() -> Config:
        alembic = Config()
        alembic.set_main_option("script_location", str(folder))
        return alembic

    def add(then: str = "pass") -> None:
        below = upgrade.known_revisions()[-1]
        (folder / "versions" / "9001_rebuild.py").write_text(REBUILD.format(below=below, then=then))
        monkeypatch.setattr(upgrade, "_alembic_config", config)

    return add


def test_the_migrations_make_exactly_the_schema(database: Database) -> None:
    with database.read() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, metadata) == []
        names = {
            each["name"] for table in metadata.tables for each in sa.inspect(connection).get_check_constraints(table)
        }
    declared = {
        str(each.name)
        for table in metadata.tables.values()
        for each in table.constraints
        if isinstance(each, sa.CheckConstraint)
    }
    assert names == declared


def test_a_populated_database_keeps_the_rows_of_every_table_over_a_migration(
    url: str, next_migration: AddMigration
) -> None:
    database = open_database(url)
    fill(database)
    before = row_counts(database)
    assert min(before.values()) > 0, "every table must hold a row, or the test proves nothing of it"
    next_migration()
    copy = upgrade.bring_up_to_date(database, copied_by_hand=not database.is_sqlite)
    assert upgrade.current_revision(database) == "9001"
    assert row_counts(database) == before
    assert (copy is not None) == database.is_sqlite
    with pytest.raises(StorageError), database.write() as connection:
        connection.exec_driver_sql("DELETE FROM campaign")  # foreign keys hold again
    database.close()


@pytest.mark.parametrize("then", ["raise RuntimeError('halfway')", "op.execute('INSERT INTO nowhere VALUES (1)')"])
def test_a_migration_that_fails_halfway_is_rolled_back_and_the_database_stays_usable(
    url: str, next_migration: AddMigration, then: str
) -> None:
    database = open_database(url)
    fill(database)
    before, schema = row_counts(database), upgrade.current_revision(database)
    next_migration(then)
    with pytest.raises(MigrationError, match="was rolled back") as caught:
        upgrade.bring_up_to_date(database, copied_by_hand=True)
    assert upgrade.current_revision(database) == schema
    assert row_counts(database) == before
    with database.read() as connection:
        assert "colour" not in {each["name"] for each in sa.inspect(connection).get_columns("campaign")}
    with database.write() as connection:
        connection.exec_driver_sql("UPDATE campaign SET name = 'again' WHERE name = 'audit'")
    if database.file is not None:
        (copy,) = (database.file.parent / "backups").iterdir()
        assert str(copy) in str(caught.value)
        with sqlite3.connect(copy) as kept:
            assert kept.execute("SELECT count(*) FROM judgment").fetchone() == (before["judgment"],)
        kept.close()
    database.close()


def test_a_migration_that_orphans_rows_is_rolled_back(sqlite: Database, next_migration: AddMigration) -> None:
    fill(sqlite)
    next_migration("op.execute('DELETE FROM entry')")
    with pytest.raises(MigrationError, match="lost the row they refer to"):
        upgrade.bring_up_to_date(sqlite)
    assert row_counts(sqlite)["entry"] == 2


def test_opening_migrates_and_keeps_a_copy_of_the_state_before(file: Path, next_migration: AddMigration) -> None:
    database = open_database(f"sqlite:///{file}")
    fill(database)
    database.close()
    next_migration()
    with pytest.raises(StorageError, match="db upgrade"):
        open_database(f"sqlite:///{file}", migrate=False)
    database = open_database(f"sqlite:///{file}")
    database.close()
    (copy,) = (file.parent / "backups").iterdir()
    with sqlite3.connect(copy) as kept:
        assert kept.execute("SELECT version_num FROM alembic_version").fetchone() == (upgrade.known_revisions()[-2],)
        assert kept.execute("SELECT count(*) FROM draft").fetchone() == (1,)
    kept.close()


def test_at_most_five_copies_are_kept_and_those_of_another_database_are_left_alone(
    sqlite: Database, file: Path
) -> None:
    other = file.parent / "backups" / "assay-other-20200101T000000000000Z-0001.db"
    other.parent.mkdir()
    other.touch()
    copies = [upgrade.copy_sqlite(sqlite, label="backup") for _ in range(7)]
    left = sorted(other.parent.iterdir())
    assert left == sorted([*copies[-5:], other])


def test_a_copy_that_cannot_be_written_stops_the_migration(
    file: Path, next_migration: AddMigration, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_database(f"sqlite:///{file}").close()
    next_migration()
    (file.parent / "backups").write_text("a file where the folder should be")
    with pytest.raises(StorageError, match=r"No copy of .*nothing was changed"):
        open_database(f"sqlite:///{file}")
    monkeypatch.undo()
    open_database(f"sqlite:///{file}", migrate=False).close()  # still the old schema, and whole


def test_postgresql_with_data_is_not_migrated_before_its_owner_copied_it(
    request: pytest.FixtureRequest, next_migration: AddMigration
) -> None:
    url = fresh_postgresql(request)
    open_database(url).close()
    next_migration()
    with pytest.raises(StorageError, match=r"pg_dump.*--copied"):
        open_database(url)


def test_a_database_of_a_newer_version_is_refused(sqlite: Database, file: Path) -> None:
    with sqlite.write() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = 'f00d'")
    with pytest.raises(StorageError, match=r"made by a newer version of Assay \(schema f00d"):
        open_database(f"sqlite:///{file}")


def test_a_database_with_tables_of_somebody_else_is_refused_and_left_alone(url: str) -> None:
    database = connect(url)
    if database.file:
        database.file.parent.mkdir()
    with database.write() as connection:
        connection.exec_driver_sql("CREATE TABLE recipes (id INTEGER)")
    with pytest.raises(StorageError, match=r"holds tables that are not Assay's \(recipes\)"):
        open_database(url)
    with database.read() as connection:
        assert sa.inspect(connection).get_table_names() == ["recipes"]
    database.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork, to start many processes in little time")
def test_processes_that_start_at_once_on_an_empty_database_all_succeed(url: str) -> None:
    children = []
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", DeprecationWarning
        )  # a child that only opens a database needs no thread of ours
        for _ in range(6):
            child = os.fork()
            if child == 0:
                status = 1
                try:
                    open_database(url).close()
                    status = 0
                finally:
                    os._exit(status)
            children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 6
    database = open_database(url, migrate=False)
    assert row_counts(database)["person"] == 0
    database.close()


def test_a_damaged_database_is_not_copied_and_pushes_no_good_copy_out(sqlite: Database) -> None:
    fill(sqlite)
    good = upgrade.copy_sqlite(sqlite, label=upgrade.BY_HAND)
    assert sqlite.file is not None
    sqlite.close()
    with contextlib.closing(sqlite3.connect(sqlite.file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(sqlite.file.read_bytes())
    for page in range(2, len(content) // 4096):
        content[page * 4096 : page * 4096 + 60] = b"\xff" * 60
    sqlite.file.write_bytes(content)
    for each in (sqlite.file.with_name(sqlite.file.name + end) for end in ("-wal", "-shm")):
        each.unlink(missing_ok=True)
    with pytest.raises(StorageError, match="damaged"):
        upgrade.copy_sqlite(sqlite, label=upgrade.BY_HAND)
    assert list(good.parent.iterdir()) == [good]
