"""Cleaning runs: starting, finding, naming, archiving and deleting them, and their place in the deletion of a dataset."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from audit_core.errors import AssayError, CleaningError, NameTaken, NotFound
from audit_core.storage import jobs
from audit_core.storage.cleaning_runs import Rewording
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.job_state import JobState
from audit_core.storage.schema import activity, cleaning_run, job
from audit_core.workflow.cleanings import (
    add_run,
    archive_run,
    asking_id,
    cleaning_folder,
    delete_run,
    find_run,
    finish_run,
    get_run,
    list_runs,
    rename_run,
    start_run,
)
from audit_core.workflow.deleting import delete_dataset, preview_dataset_deletion
from audit_core.workflow.importing import import_bundle, list_datasets
from audit_core.workflow.jobs import delete_job, get_job
from audit_core.workflow.rewrites import decide_rewrite, list_rewrites
from audit_core.workflow.run_lock import alone_on, is_locked
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.bundles import small_bundle, without_judgments
from tests.homes import row_counts
from tests.importers.small_bundle import Rows


def named(name: str) -> Callable[[Rows], None]:
    def change(rows: Rows) -> None:
        without_judgments(rows)
        rows["dataset"].update(name=name)

    return change


@pytest.fixture
def dataset(workspace: Workspace, tmp_path: Path) -> DatasetRow:
    return import_bundle(workspace, small_bundle(tmp_path / "b", named("small"))).dataset


def scored(workspace: Workspace, dataset: DatasetRow, name: str = "first") -> Path:
    """Register a scoring that is finished, with a folder of files; return the folder."""
    row = add_run(workspace, dataset, kind="score", name=name, spec={"name": name})
    folder = cleaning_folder(workspace, row.id)
    folder.mkdir(parents=True)
    (folder / "scores.npy").write_bytes(b"scores")
    finish_run(workspace, row.id, result={"queries": 3})
    return folder


def said(workspace: Workspace) -> list[tuple[str, object]]:
    with workspace.database.read() as connection:
        rows = connection.execute(sa.select(activity.c.action, activity.c.subject).order_by(activity.c.id))
        return [(each.action, each.subject) for each in rows if each.action not in ("import", "sign-in")]


def test_a_run_is_found_by_its_number_and_by_its_name_among_its_kind(workspace: Workspace, dataset: DatasetRow) -> None:
    row = add_run(workspace, dataset, kind="score", name="  all   of it ", spec={"seed": 1})
    apply = add_run(workspace, dataset, kind="apply", name="all of it", spec={})
    assert (row.name, row.kind, row.spec, row.result) == ("all of it", "score", {"seed": 1}, None)
    for name in ("all of it", str(row.id), row.id):
        assert find_run(workspace, name).row == row
    assert find_run(workspace, "all of it", kind="apply").row == apply
    with pytest.raises(NotFound, match=r"no scoring '2' here.*clean scores"):
        find_run(workspace, apply.id)
    with pytest.raises(NotFound, match="no rewording 'all of it'"):
        find_run(workspace, "all of it", kind="rewrite")
    assert [each.row.id for each in list_runs(workspace)] == [apply.id, row.id]
    assert [each.row.id for each in list_runs(workspace, kind="score", dataset=dataset)] == [row.id]
    assert find_run(workspace, row.id).state == "broken off"


def test_a_name_can_be_used_once_a_kind_and_must_be_one(workspace: Workspace, dataset: DatasetRow) -> None:
    scored(workspace, dataset)
    with pytest.raises(NameTaken, match="There is a scoring 'first' on this dataset"):
        add_run(workspace, dataset, kind="score", name="first", spec={})
    for name in ("", "x" * 121, "a\x00b"):
        with pytest.raises(CleaningError, match="name of 1 to 120"):
            add_run(workspace, dataset, kind="score", name=name, spec={})
    with pytest.raises(ValueError, match="polish"):
        add_run(workspace, dataset, kind="polish", name="first", spec={})
    assert row_counts(workspace)["cleaning_run"] == 1


def test_a_run_that_broke_off_is_taken_up_again_under_its_own_number(workspace: Workspace, dataset: DatasetRow) -> None:
    row = add_run(workspace, dataset, kind="score", name="first", spec={"max_calls": 5})
    again = add_run(workspace, dataset, kind="score", name="first", spec={"max_calls": 9})
    assert (again.id, again.spec) == (row.id, {"max_calls": 9})
    assert asking_id(again) == asking_id(row), "what it spent before counts"
    with alone_on(cleaning_folder(workspace, row.id), "first"):
        assert get_run(workspace, row.id).state == "running"
        with pytest.raises(NameTaken):
            add_run(workspace, dataset, kind="score", name="first", spec={})
        with pytest.raises(CleaningError, match="made by another process: stop"):
            delete_run(workspace, row.id)
        with (
            pytest.raises(CleaningError, match="first is being made by another process"),
            alone_on(cleaning_folder(workspace, row.id), "first"),
        ):
            pass
    delete_run(workspace, row.id)
    assert list((workspace.home / "cleanings").iterdir()) == []
    later = add_run(workspace, dataset, kind="score", name="first", spec={})
    assert asking_id(later) != asking_id(row), (
        "a number that is given anew is not charged with what the first one spent"
    )


def test_a_run_of_a_home_that_may_only_be_read_is_listed_as_broken_off(
    workspace: Workspace, dataset: DatasetRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = add_run(workspace, dataset, kind="score", name="first", spec={})
    with alone_on(cleaning_folder(workspace, row.id), "first"):
        pass

    def refused(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("unable to open database file")

    monkeypatch.setattr("audit_core.workflow.run_lock.sqlite3.connect", refused)
    assert not is_locked(cleaning_folder(workspace, row.id))
    with pytest.raises(CleaningError, match="cannot be written"), alone_on(cleaning_folder(workspace, row.id), "first"):
        pass


@pytest.mark.usefixtures("no_process")
def test_a_run_is_started_as_a_job_and_keeps_when_the_job_is_deleted(workspace: Workspace, dataset: DatasetRow) -> None:
    row, started = start_run(workspace, dataset, kind="score", name="first", spec={})
    assert (started.kind, started.arguments, started.title) == (
        "cleaning.score", {"run": row.id}, "Score all queries: first",
    )  # fmt: skip
    view = get_run(workspace, row.id)
    assert view.job is not None
    assert (view.job.job.id, view.state) == (started.id, "queued")
    with pytest.raises(NameTaken):
        start_run(workspace, dataset, kind="score", name="first", spec={})
    with pytest.raises(CleaningError, match=f"made by job {started.id}: cancel"):
        delete_run(workspace, row.id)
    with workspace.database.write() as connection:
        connection.execute(job.update().values(state=JobState.FAILED))
    assert get_run(workspace, row.id).state == "failed"
    delete_job(workspace, started.id)
    assert get_run(workspace, row.id).job is None
    with pytest.raises(NotFound):
        get_job(workspace, started.id)


def test_a_run_is_renamed_archived_and_deleted_with_its_files(workspace: Workspace, dataset: DatasetRow) -> None:
    folder, other = scored(workspace, dataset), scored(workspace, dataset, "second")
    run = int(folder.name)
    rename_run(workspace, run, " whole  set ")
    rename_run(workspace, run, "whole set")
    with pytest.raises(NameTaken):
        rename_run(workspace, run, "second")
    archive_run(workspace, run, archived=True)
    assert [each.row.name for each in list_runs(workspace)] == ["second"]
    assert [each.row.name for each in list_runs(workspace, archived=True)] == ["whole set"]
    assert find_run(workspace, "whole set").row.archived_at is not None
    archive_run(workspace, run, archived=False)
    assert len(list_runs(workspace)) == 2
    delete_run(workspace, run)
    assert (folder.exists(), other.exists()) == (False, True)
    with pytest.raises(NotFound):
        get_run(workspace, run)
    assert said(workspace) == [
        ("cleaning-run-add", {"run": 1, "kind": "score", "name": "first"}),
        ("cleaning-run-add", {"run": 2, "kind": "score", "name": "second"}),
        ("cleaning-run-rename", {"run": 1, "name": "whole set"}),
        ("cleaning-run-archive", {"run": 1}),
        ("cleaning-run-restore", {"run": 1}),
        ("cleaning-run-delete", {"run": 1, "kind": "score", "name": "whole set"}),
    ]


def test_a_finished_run_says_what_came_of_it_and_which_revision_it_made(
    workspace: Workspace, dataset: DatasetRow, tmp_path: Path
) -> None:
    row = add_run(workspace, dataset, kind="apply", name="first", spec={})
    made = import_bundle(workspace, small_bundle(tmp_path / "c", named("cleaned"))).dataset
    finish_run(workspace, row.id, result={"removed": 2}, made=made)
    view = get_run(workspace, row.id)
    assert (view.is_finished, view.state, view.row.result, view.made) == (True, "finished", {"removed": 2}, made)
    preview = preview_dataset_deletion(workspace, made)
    assert preview.counts["cleaning_runs"] == 0
    delete_dataset(workspace, made, preview=preview, confirmation="cleaned@1")
    kept = get_run(workspace, row.id)
    assert (kept.made, kept.row.result) == (None, {"removed": 2})


def test_a_deleted_dataset_takes_its_runs_their_files_and_proposals_along(
    workspace: Workspace, dataset: DatasetRow, tmp_path: Path
) -> None:
    other = import_bundle(workspace, small_bundle(tmp_path / "other", named("other"))).dataset
    folder, kept = scored(workspace, dataset), scored(workspace, other)
    row = add_run(workspace, dataset, kind="rewrite", name="first", spec={})
    finish_run(workspace, row.id, result={}, rewordings=[Rewording("q1", "a", "b", "c")])
    preview = preview_dataset_deletion(workspace, dataset)
    assert (preview.counts["cleaning_runs"], preview.counts["rewrites"]) == (2, 1)
    assert "2 cleaning runs, 1 proposed rewording" in " ".join(preview.sentences())
    late = scored(workspace, dataset, "late")
    with pytest.raises(AssayError, match="cleaning runs 2 -> 3"):
        delete_dataset(workspace, dataset, preview=preview, confirmation="small@1")
    delete_run(workspace, int(late.name))
    assert delete_dataset(workspace, dataset, preview=preview, confirmation="small@1").folder_problem is None
    assert (folder.exists(), kept.is_dir()) == (False, True)
    assert row_counts(workspace)["rewrite_proposal"] == 0
    assert [each.dataset.name for each in list_runs(workspace, archived=None)] == ["other"]


def test_a_dataset_is_kept_while_somebody_works_on_its_run(workspace: Workspace, dataset: DatasetRow) -> None:
    row = add_run(workspace, dataset, kind="score", name="first", spec={})
    with alone_on(cleaning_folder(workspace, row.id), "first"):
        preview = preview_dataset_deletion(workspace, dataset)
        assert preview.hindrances == ("A process makes its scoring first: stop it first.",)
        with pytest.raises(AssayError, match="stop it first"):
            delete_dataset(workspace, dataset, preview=replace(preview, hindrances=()), confirmation="small@1")
    with workspace.database.write() as connection:
        number = jobs.add(connection, kind="cleaning.score", title="Score", arguments={}, person_id=None)
        connection.execute(cleaning_run.update().values(job_id=number))
    preview = preview_dataset_deletion(workspace, dataset)
    assert preview.hindrances == (f"Job {number} works on its scoring first: cancel the job first.",)
    assert list_datasets(workspace) == [dataset]


def test_files_of_a_run_that_was_deleted_meanwhile_are_not_kept(workspace: Workspace, dataset: DatasetRow) -> None:
    folder = scored(workspace, dataset)
    delete_run(workspace, int(folder.name))
    folder.mkdir(parents=True)
    with pytest.raises(NotFound, match="deleted while it was made"):
        finish_run(workspace, int(folder.name), result={})
    assert not folder.exists()


def test_a_named_person_decides_on_a_rewording_and_the_last_decision_counts(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    ada, grace = sign_in(workspace, "Ada"), sign_in(workspace, "Grace")
    row = add_run(workspace, dataset, kind="rewrite", name="first", spec={})
    proposals = [Rewording("q2", "Which?", "Which page?", "vague"), Rewording("q1", "Who?", "Who signed?", "vague")]
    finish_run(workspace, row.id, result={}, rewordings=proposals)
    assert [(each.query_id, each.state) for each in list_rewrites(workspace, row.id)] == [
        ("q1", "proposed"), ("q2", "proposed"),
    ]  # fmt: skip
    assert decide_rewrite(workspace, row.id, "q1", accept=True, person=ada).state == "accepted"
    decided = decide_rewrite(workspace, row.id, "q1", accept=False, person=grace)
    assert (decided.state, decided.decided_by) == ("rejected", "Grace")
    decide_rewrite(workspace, row.id, "q1", accept=True, person=ada)
    (accepted,) = list_rewrites(workspace, row.id, state="accepted")
    assert (accepted.query_id, accepted.after, accepted.decided_by) == ("q1", "Who signed?", "Ada")
    assert accepted.decided_at is not None
    with workspace.database.read() as connection:
        found = connection.execute(
            sa.select(activity.c.action, activity.c.person_id).where(activity.c.action.like("rewrite%")).order_by("id")
        ).all()
    assert [tuple(each) for each in found] == [
        ("rewrite-accept", ada.id), ("rewrite-reject", grace.id), ("rewrite-accept", ada.id),
    ]  # fmt: skip
    with pytest.raises(NotFound, match="proposes nothing for the query 'q9'"):
        decide_rewrite(workspace, row.id, "q9", accept=True, person=ada)
    score = add_run(workspace, dataset, kind="score", name="first", spec={})
    with pytest.raises(NotFound, match="is no rewording"):
        list_rewrites(workspace, score.id)
