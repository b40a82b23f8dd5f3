"""A populated database of the schema before cleaning runs comes to the newest one with every row; what its new columns take."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa

from audit_core.errors import StorageError
from audit_core.storage import cleaning_runs, upgrade
from audit_core.storage.database import Database
from audit_core.storage.schema import cleaning_run, entry, metadata, rewrite_proposal
from tests.storage.earlier_database import earlier_database, given_since, rows_of
from tests.storage.full_database import HASH, fill, row_counts


def test_every_row_is_kept_and_entries_gain_an_empty_selection(url: str, tmp_path: Path) -> None:
    database = earlier_database(url, tmp_path, "0005")
    before = rows_of(database)
    new = set(metadata.tables) - set(before)
    assert new >= {"cleaning_run", "rewrite_proposal"}
    copy = upgrade.bring_up_to_date(database, copied_by_hand=not database.is_sqlite)
    assert (copy is not None) == database.is_sqlite
    assert row_counts(database) == {name: len(rows) for name, rows in before.items()} | dict.fromkeys(new, 0)
    after = rows_of(database)
    for table, rows in before.items():
        assert [row | given_since("0005", table) for row in rows] == after[table], table
    with database.write() as connection:
        cleaning_runs.add(connection, dataset_id=1, kind="score", name="first", spec={})
    with pytest.raises(StorageError), database.write() as connection:
        connection.execute(sa.text("UPDATE entry SET selection = 'by hand'"))
    database.close()


@pytest.mark.parametrize("why", ["random", "disagreement", "near_threshold", None])
def test_an_entry_is_selected_for_one_of_three_reasons_or_none(database: Database, why: str | None) -> None:
    fill(database)
    with database.write() as connection:
        connection.execute(entry.update().where(entry.c.number == 1).values(selection=why))
    with database.read() as connection:
        assert connection.execute(sa.select(entry.c.selection).where(entry.c.number == 1)).scalar_one() == why


def test_a_run_is_of_a_known_kind_and_its_name_is_free_among_its_kind(database: Database) -> None:
    ids = fill(database)
    with pytest.raises(StorageError), database.write() as connection:
        cleaning_runs.add(connection, dataset_id=ids["dataset"], kind="polish", name="second", spec={})
    with pytest.raises(StorageError), database.write() as connection:
        cleaning_runs.add(connection, dataset_id=ids["dataset"], kind="rewrite", name="first", spec={})
    with database.write() as connection:
        run = cleaning_runs.add(connection, dataset_id=ids["dataset"], kind="score", name="first", spec={"seed": 1})
    with database.read() as connection:
        found = cleaning_runs.by_name(connection, dataset_id=ids["dataset"], kind="score", name="first")
        assert [each.kind for each in cleaning_runs.all_rows(connection)] == ["score", "rewrite"]
        assert [each.id for each in cleaning_runs.all_rows(connection, kind="score")] == [run]
    assert found is not None
    assert (found.id, found.spec, found.result) == (run, {"seed": 1}, None)


def test_a_decision_without_a_person_or_a_time_is_refused(database: Database) -> None:
    ids = fill(database)
    for values in (
        {"state": "accepted"},
        {"state": "accepted", "decided_by": ids["person"]},
        {"decided_by": ids["person"]},
        {"state": "perhaps", "decided_by": ids["person"], "decided_at": "2026-01-01T00:00:00.000000Z"},
    ):
        with pytest.raises(StorageError), database.write() as connection:
            connection.execute(rewrite_proposal.update().values(values))
    with database.write() as connection:
        cleaning_runs.decide(connection, 1, "q1", state="accepted", person_id=ids["person"])
    with database.read() as connection:
        (found,) = cleaning_runs.proposals(connection, 1, state="accepted")
    assert (found.decided_by, found.before, found.after) == ("Ada", "Which?", "Which page?")


def test_a_dataset_takes_its_runs_along_and_the_run_that_made_it_stays(database: Database) -> None:
    from audit_core.storage import datasets

    ids = fill(database)
    with database.write() as connection:
        made = datasets.add(
            connection,
            name="small",
            revision="2",
            content_hash=HASH[::-1].replace("a", "b"),
            origin="here",
            is_lenient=False,
        )
        run = cleaning_runs.add(connection, dataset_id=ids["dataset"], kind="apply", name="first", spec={})
        cleaning_runs.set_finished(connection, run, result={"removed": 1}, result_dataset_id=made)
        gone = cleaning_runs.add(connection, dataset_id=made, kind="rewrite", name="first", spec={})
        cleaning_runs.add_proposals(connection, gone, [cleaning_runs.Rewording("q2", "a", "b", "c")])
        assert cleaning_runs.delete_of_dataset(connection, made) == [gone]
        row = cleaning_runs.by_id(connection, run)
        assert row is not None
        assert (row.result_dataset_id, row.result) == (None, {"removed": 1})
        assert cleaning_runs.delete_of_dataset(connection, ids["dataset"]) == [1, run]
        for table in (cleaning_run, rewrite_proposal):
            assert connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one() == 0
