"""The state of a home in plain words, and copies and upgrades of its database."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from audit_core.errors import StorageError
from audit_core.storage import people
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.maintenance import backup_database, check_home, upgrade_database
from audit_core.workflow.workspace import Workspace, open_workspace
from tests.bundles import small_bundle
from tests.homes import home


def test_a_sound_home_has_nothing_wrong(workspace: Workspace, tmp_path: Path) -> None:
    import_bundle(workspace, small_bundle(tmp_path / "b"))
    checks = check_home()
    assert [each.what for each in checks] == ["database", "schema", "content", "dataset small@1"]
    assert all(each.ok for each in checks)


def test_a_dataset_whose_folder_is_gone_is_named(workspace: Workspace, tmp_path: Path) -> None:
    result = import_bundle(workspace, small_bundle(tmp_path / "b"))
    shutil.rmtree(workspace.datasets_folder / result.dataset.content_hash)
    wrong = [each for each in check_home() if not each.ok]
    assert [each.what for each in wrong] == ["dataset small@1"]
    assert "import the bundle again" in wrong[0].message
    assert import_bundle(workspace, tmp_path / "b").is_new is False  # and that mends it
    assert all(each.ok for each in check_home())


def test_a_home_without_a_database_needs_an_upgrade() -> None:
    (check,) = check_home()
    assert not check.ok
    assert "db upgrade" in check.message
    assert upgrade_database()[1] is None
    assert all(each.ok for each in check_home())


def test_an_upgrade_makes_the_home_where_there_is_none() -> None:
    schema, copy = upgrade_database()
    assert (home() / "assay.db").is_file()
    assert (schema, copy) == (upgrade_database()[0], None)


@pytest.mark.parametrize("part", ["all", "inside"])
def test_damage_is_reported_and_never_raised(part: str) -> None:
    workspace = open_workspace()
    with workspace.database.write() as connection:
        for number in range(400):
            people.add(connection, f"{number} {'x' * 300}")
    workspace.close()
    file = home() / "assay.db"
    content = bytearray(file.read_bytes())
    start = 0 if part == "all" else len(content) // 2
    content[start:] = b"\xff" * (len(content) - start)
    file.write_bytes(content)
    wrong = [each for each in check_home() if not each.ok]
    assert wrong
    assert "damaged" in wrong[0].message


def test_a_copy_is_whole_and_made_while_the_database_is_in_use(workspace: Workspace) -> None:
    with workspace.database.write() as connection:
        people.add(connection, "Ada")
    with workspace.database.write() as connection:
        people.add(connection, "not committed")
        copy = backup_database()
    kept = sqlite3.connect(copy)
    assert kept.execute("SELECT name FROM person").fetchall() == [("Ada",)]
    assert kept.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    kept.close()


def test_postgresql_is_checked_too_and_copied_by_its_own_tool(
    either_workspace: Workspace, request: pytest.FixtureRequest
) -> None:
    assert all(each.ok for each in check_home())
    if not either_workspace.database.is_sqlite:
        with pytest.raises(StorageError, match="pg_dump"):
            backup_database()


def test_where_there_is_no_database_no_copy_and_no_file_is_made() -> None:
    with pytest.raises(StorageError, match="There is no database"):
        backup_database()
    assert not home().exists()
