"""Renaming, archiving, restoring and deleting campaigns and datasets."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from audit_core.errors import AssayError, NameTaken, NotFound
from audit_core.storage import jobs, upgrade
from audit_core.storage import making as storage_making
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.clock import now
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.job_state import JobState
from audit_core.storage.schema import activity, campaign, comparison, flag, job, metadata
from audit_core.workflow import deleting, judging
from audit_core.workflow.campaigns import find_campaign, find_dataset, list_campaigns, start_campaign
from audit_core.workflow.comparisons import add_comparison, comparison_folder, finish_comparison, list_comparisons
from audit_core.workflow.deleting import (
    delete_campaign,
    delete_dataset,
    preview_campaign_deletion,
    preview_dataset_deletion,
)
from audit_core.workflow.housekeeping import archive_campaign, archive_dataset, rename_campaign, rename_dataset
from audit_core.workflow.importing import import_bundle, import_zip, list_datasets
from audit_core.workflow.sample_request import SampleKind, SampleRequest
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.bundles import small_bundle, without_judgments
from tests.homes import row_counts, state_of
from tests.importers.small_bundle import Rows


def named(name: str, revision: str = "1") -> Callable[[Rows], None]:
    def change(rows: Rows) -> None:
        without_judgments(rows)
        rows["dataset"].update(name=name, revision=revision)

    return change


def filled(workspace: Workspace, folder: Path) -> CampaignRow:
    """A campaign with two revisions of a judgment, a draft and a flag, beside an imported one with labels."""
    dataset = import_bundle(workspace, small_bundle(folder)).dataset
    campaign = start_campaign(workspace, dataset=dataset, name="fresh")
    ada = sign_in(workspace, "Ada")
    entry = judging.entry_numbered(workspace, ada, campaign_id=campaign.id, number=1).row.id
    for base in (0, 1):
        body = {"nonce": f"nonce-{base:04}", "base_revision": base, "outcome": "judged", "codes": ""}
        judging.save_judgment(workspace, ada, entry_id=entry, body=body)
    judging.save_draft(workspace, ada, entry_id=entry, body={"base_revision": 2, "codes": "F"})
    question = {"question": "Which page?", "raised_at": "2026-01-01T00:00:00.000000Z"}
    with workspace.database.write() as connection:
        connection.execute(flag.insert().values(entry_id=entry, person_id=ada.id, **question))
    return campaign


def actions(workspace: Workspace) -> list[str]:
    with workspace.database.read() as connection:
        return list(connection.execute(sa.select(activity.c.action).order_by(activity.c.id)).scalars())


def test_a_campaign_is_renamed_once_a_dataset_and_keeps_everything_else(workspace: Workspace, tmp_path: Path) -> None:
    campaign = filled(workspace, tmp_path / "b")
    counts = row_counts(workspace)
    row = rename_campaign(workspace, campaign, "  spring   audit ")
    assert (row.id, row.name) == (campaign.id, "spring audit")
    assert row_counts(workspace) == counts | {"activity": counts["activity"] + 1}
    assert rename_campaign(workspace, row, "spring audit").name == "spring audit"
    with pytest.raises(NameTaken, match="choose another name"):
        rename_campaign(workspace, row, "audit")
    with pytest.raises(AssayError, match="name"):
        rename_campaign(workspace, row, "a/b")
    assert find_campaign(workspace, "spring audit").id == campaign.id


def test_a_dataset_gets_a_title_and_keeps_its_name(workspace: Workspace, tmp_path: Path) -> None:
    dataset = import_bundle(workspace, small_bundle(tmp_path / "a", named("a"))).dataset
    import_bundle(workspace, small_bundle(tmp_path / "b", named("b")))
    row = rename_dataset(workspace, dataset, " Reports  and papers ")
    assert (row.name, row.title, row.shown) == ("a", "Reports and papers", "Reports and papers")
    assert find_dataset(workspace, "Reports and papers").id == dataset.id
    assert find_dataset(workspace, "a@1").shown == "Reports and papers"
    with pytest.raises(NameTaken, match="b@1 is called 'b'"):
        rename_dataset(workspace, dataset, "b")
    for title in ("", "x" * 121, "a\x00b"):
        with pytest.raises(AssayError, match="Give a title"):
            rename_dataset(workspace, dataset, title)
    assert rename_dataset(workspace, dataset, "a").title is None


def test_an_archived_campaign_is_hidden_and_comes_back_with_everything(workspace: Workspace, tmp_path: Path) -> None:
    campaign = filled(workspace, tmp_path / "b")
    archive_campaign(workspace, campaign, archived=True)
    assert [each.campaign.name for each in list_campaigns(workspace)] == ["audit"]
    (hidden,) = list_campaigns(workspace, archived=True)
    assert (hidden.campaign.name, hidden.answered) == ("fresh", 1)
    assert find_campaign(workspace, "fresh").archived_at is not None
    archive_campaign(workspace, campaign, archived=False)
    assert [each.campaign.name for each in list_campaigns(workspace)] == ["fresh", "audit"]
    assert actions(workspace)[-2:] == ["campaign-archive", "campaign-restore"]


def test_an_archived_dataset_takes_its_campaigns_along_and_starts_no_new_one(
    workspace: Workspace, tmp_path: Path
) -> None:
    campaign = filled(workspace, tmp_path / "b")
    dataset = workspace.dataset(campaign.dataset_id)
    archive_dataset(workspace, dataset, archived=True)
    assert list_campaigns(workspace) == []
    assert len(list_campaigns(workspace, archived=None)) == 2
    with pytest.raises(AssayError, match="archived: restore it first"):
        start_campaign(workspace, dataset=find_dataset(workspace, "small"), name="another")
    archive_dataset(workspace, dataset, archived=False)
    assert len(list_campaigns(workspace)) == 2


def test_a_revision_in_use_goes_before_an_archived_one_of_the_same_name(workspace: Workspace, tmp_path: Path) -> None:
    import_bundle(workspace, small_bundle(tmp_path / "1", named("set", "1")))
    later = import_bundle(workspace, small_bundle(tmp_path / "2", named("set", "2"))).dataset
    archive_dataset(workspace, later, archived=True)
    assert find_dataset(workspace, "set").revision == "1"
    assert find_dataset(workspace, "set@2").revision == "2"
    assert find_dataset(workspace, "set", is_archived=True).revision == "2"


def test_a_preview_counts_what_goes_and_changes_nothing(workspace: Workspace, tmp_path: Path) -> None:
    campaign = filled(workspace, tmp_path / "b")
    before = state_of(workspace)
    preview = preview_campaign_deletion(workspace, campaign)
    assert preview.counts == {
        "entries": 3, "judgments": 2, "decisions": 0, "reveals": 0, "drafts": 1, "flags": 1, "comments": 0, "precedents": 0,
        "guidelines": 0,
    }  # fmt: skip
    assert (preview.name, preview.hindrances, preview.folder) == ("fresh", (), None)
    assert preview.sentences()[0] == "Deleted for good: 3 entries, 2 judgments, 1 draft, 1 flag."
    whole = preview_dataset_deletion(workspace, workspace.dataset(campaign.dataset_id))
    assert whole.counts == {
        "entries": 6, "judgments": 5, "decisions": 0, "reveals": 0, "drafts": 1, "flags": 1, "comments": 0, "precedents": 0,
        "guidelines": 0, "label_sets": 1, "labels": 2, "comparisons": 0, "cleaning_runs": 0, "rewrites": 0, "corrections": 0,
        "releases": 0,
    }  # fmt: skip
    assert whole.campaigns == ("fresh", "audit")
    assert whole.folder is not None
    assert whole.folder_bytes == sum(each.stat().st_size for each in whole.folder.rglob("*") if each.is_file())
    assert whole.page_files == tmp_path / "b"
    assert whole.as_json()["counts"]["judgments"] == 5
    assert state_of(workspace) == before


def test_a_deleted_campaign_takes_all_that_is_its_own_and_nothing_else(workspace: Workspace, tmp_path: Path) -> None:
    campaign = filled(workspace, tmp_path / "b")
    before = row_counts(workspace)
    preview = preview_campaign_deletion(workspace, campaign)
    done = delete_campaign(workspace, campaign, preview=preview, confirmation="fresh")
    gone = {
        "campaign": 1, "entry": 3, "judgment": 2, "draft": 1, "flag": 1, "stratum": 3, "entry_stratum": 3, "activity": -1,
    }  # fmt: skip
    assert row_counts(workspace) == {table: count - gone.get(table, 0) for table, count in before.items()}
    assert actions(workspace)[-1] == "campaign-delete"
    assert done.copy is not None
    assert done.copy.name.endswith("-deletion.db")
    assert [each.campaign.name for each in list_campaigns(workspace)] == ["audit"]
    assert upgrade.integrity_problem(workspace.database) is None


def test_the_copy_made_before_holds_what_was_deleted(workspace: Workspace, tmp_path: Path) -> None:
    from contextlib import closing
    from sqlite3 import connect

    campaign = filled(workspace, tmp_path / "b")
    preview = preview_campaign_deletion(workspace, campaign)
    copy = delete_campaign(workspace, campaign, preview=preview, confirmation="fresh").copy
    assert copy is not None
    with closing(connect(copy)) as database:
        assert database.execute("SELECT count(*) FROM judgment").fetchone() == (5,)


def test_a_deleted_dataset_takes_its_campaigns_labels_and_folder_and_can_be_imported_again(
    workspace: Workspace, tmp_path: Path
) -> None:
    campaign = filled(workspace, tmp_path / "b")
    dataset = workspace.dataset(campaign.dataset_id)
    other = import_bundle(workspace, small_bundle(tmp_path / "other", named("other"))).dataset
    workspace.revision(dataset).query("q1")
    preview = preview_dataset_deletion(workspace, dataset)
    assert delete_dataset(workspace, dataset, preview=preview, confirmation="small@1").folder_problem is None
    assert list_datasets(workspace) == [other]
    assert [each.name for each in workspace.datasets_folder.iterdir()] == [other.content_hash]
    rows = row_counts(workspace)
    assert {table for table, count in rows.items() if count} == {"person", "dataset", "activity"}
    assert (tmp_path / "b" / "images" / "p1.png").is_file()
    again = import_bundle(workspace, tmp_path / "b")
    assert again.is_new
    assert again.campaigns == ["audit"]
    assert workspace.revision(again.dataset).query("q1").text == "what is one?"


def test_page_files_that_the_dataset_keeps_itself_go_with_it(workspace: Workspace, tmp_path: Path) -> None:
    archive = shutil.make_archive(str(tmp_path / "b"), "zip", small_bundle(tmp_path / "b", named("small")))
    dataset = import_zip(workspace, Path(archive)).dataset
    preview = preview_dataset_deletion(workspace, dataset)
    assert preview.page_files is None
    delete_dataset(workspace, dataset, preview=preview, confirmation="small@1")
    assert list(workspace.datasets_folder.iterdir()) == []


def test_a_wrong_name_deletes_nothing_and_makes_no_copy(workspace: Workspace, tmp_path: Path) -> None:
    campaign = filled(workspace, tmp_path / "b")
    dataset = workspace.dataset(campaign.dataset_id)
    before = state_of(workspace)
    with pytest.raises(AssayError, match="type its name exactly: fresh"):
        delete_campaign(
            workspace, campaign, preview=preview_campaign_deletion(workspace, campaign), confirmation="Fresh"
        )
    with pytest.raises(AssayError, match="type its name exactly: small@1"):
        delete_dataset(workspace, dataset, preview=preview_dataset_deletion(workspace, dataset), confirmation="small")
    assert state_of(workspace) == before


def test_what_was_saved_since_the_preview_is_not_deleted_unseen(workspace: Workspace, tmp_path: Path) -> None:
    campaign = filled(workspace, tmp_path / "b")
    dataset = workspace.dataset(campaign.dataset_id)
    preview = preview_campaign_deletion(workspace, campaign)
    whole = preview_dataset_deletion(workspace, dataset)
    bob = sign_in(workspace, "Bob")
    entry = judging.entry_numbered(workspace, bob, campaign_id=campaign.id, number=2).row.id
    judging.save_judgment(workspace, bob, entry_id=entry, body={"nonce": "nonce-bob", "outcome": "judged"})
    before = row_counts(workspace)
    with pytest.raises(AssayError, match="judgments 2 -> 3"):
        delete_campaign(workspace, campaign, preview=preview, confirmation="fresh")
    with pytest.raises(AssayError, match="judgments 5 -> 6"):
        delete_dataset(workspace, dataset, preview=whole, confirmation="small@1")
    assert row_counts(workspace) == before


def test_a_campaign_on_which_another_draw_rests_is_kept(workspace: Workspace, tmp_path: Path) -> None:
    dataset = import_bundle(workspace, small_bundle(tmp_path / "b", named("small"))).dataset
    one = SampleRequest(SampleKind.IDS, query_ids=("q1",))
    first = start_campaign(workspace, dataset=dataset, name="first", sample=one)
    second = start_campaign(workspace, dataset=dataset, name="second", sample=SampleRequest(leave_out=(first.id,)))
    preview = preview_campaign_deletion(workspace, first)
    assert "Campaign second on small@1 rests on this: its draw left out the queries of first" in preview.hindrances[0]
    with pytest.raises(AssayError, match="Delete that one first, or archive this one"):
        delete_campaign(workspace, first, preview=preview, confirmation="first")
    # Between preview and deletion another may begin to rest on it.
    with pytest.raises(AssayError, match="rests on this"):
        delete_campaign(workspace, first, preview=replace(preview, hindrances=()), confirmation="first")
    assert preview_dataset_deletion(workspace, dataset).hindrances == ()
    delete_campaign(workspace, second, preview=preview_campaign_deletion(workspace, second), confirmation="second")
    delete_campaign(workspace, first, preview=preview_campaign_deletion(workspace, first), confirmation="first")
    assert list_campaigns(workspace, archived=None) == []


def test_a_folder_that_cannot_be_removed_is_told_and_the_dataset_is_gone(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = import_bundle(workspace, small_bundle(tmp_path / "b", named("small"))).dataset
    preview = preview_dataset_deletion(workspace, dataset)

    def refuse(*_: object) -> None:
        raise PermissionError("not yours")

    monkeypatch.setattr(deleting.shutil, "rmtree", refuse)
    done = delete_dataset(workspace, dataset, preview=preview, confirmation="small@1")
    assert done.folder_problem is not None
    assert "Remove it by hand" in done.folder_problem
    assert list_datasets(workspace) == []


def test_a_dataset_whose_folder_is_gone_can_be_deleted(workspace: Workspace, tmp_path: Path) -> None:
    dataset = import_bundle(workspace, small_bundle(tmp_path / "b", named("small"))).dataset
    shutil.rmtree(workspace.datasets_folder / dataset.content_hash)
    preview = preview_dataset_deletion(workspace, dataset)
    assert (preview.folder, preview.folder_bytes, preview.page_files) == (None, 0, None)
    assert delete_dataset(workspace, dataset, preview=preview, confirmation="small@1").folder_problem is None


def test_a_campaign_is_deleted_on_either_database(either_workspace: Workspace, tmp_path: Path) -> None:
    campaign = filled(either_workspace, tmp_path / "b")
    preview = preview_campaign_deletion(either_workspace, campaign)
    assert preview.makes_copy == either_workspace.database.is_sqlite
    done = delete_campaign(either_workspace, campaign, preview=preview, confirmation="fresh")
    assert (done.copy is None) != either_workspace.database.is_sqlite
    dataset: DatasetRow = either_workspace.dataset(campaign.dataset_id)
    whole = preview_dataset_deletion(either_workspace, dataset)
    delete_dataset(either_workspace, dataset, preview=whole, confirmation="small@1")
    assert row_counts(either_workspace)["entry"] == 0


def compared(workspace: Workspace, dataset: DatasetRow, name: str) -> Path:
    """Register a comparison with a folder of results; return the folder."""
    row = add_comparison(workspace, dataset, name=name, spec={"name": name})
    folder = comparison_folder(workspace, row.id)
    folder.mkdir(parents=True)
    (folder / "scores.npy").write_bytes(b"scores")
    return folder


def test_a_deleted_dataset_takes_its_own_comparisons_and_their_folders_along(
    workspace: Workspace, tmp_path: Path
) -> None:
    dataset = import_bundle(workspace, small_bundle(tmp_path / "b", named("small"))).dataset
    other = import_bundle(workspace, small_bundle(tmp_path / "other", named("other"))).dataset
    folders = [compared(workspace, dataset, "first"), compared(workspace, dataset, "second")]
    kept = compared(workspace, other, "first")
    preview = preview_dataset_deletion(workspace, dataset)
    assert preview.counts["comparisons"] == 2
    assert "2 comparisons" in " ".join(preview.sentences())
    assert delete_dataset(workspace, dataset, preview=preview, confirmation="small@1").folder_problem is None
    assert [each.exists() for each in folders] == [False, False]
    assert (kept / "scores.npy").is_file()
    assert [each.dataset.name for each in list_comparisons(workspace, archived=None)] == ["other"]


def test_a_comparison_started_since_the_preview_is_not_deleted_unseen(workspace: Workspace, tmp_path: Path) -> None:
    dataset = import_bundle(workspace, small_bundle(tmp_path / "b", named("small"))).dataset
    preview = preview_dataset_deletion(workspace, dataset)
    folder = compared(workspace, dataset, "late")
    with pytest.raises(AssayError, match="comparisons 0 -> 1"):
        delete_dataset(workspace, dataset, preview=preview, confirmation="small@1")
    assert folder.is_dir()


def test_a_dataset_is_kept_while_a_job_works_on_its_comparison(workspace: Workspace, tmp_path: Path) -> None:
    dataset = import_bundle(workspace, small_bundle(tmp_path / "b", named("small"))).dataset
    compared(workspace, dataset, "first")
    with workspace.database.write() as connection:
        number = jobs.add(connection, kind="cleaning.compare", title="Compare", arguments={}, person_id=None)
        connection.execute(comparison.update().values(job_id=number))
    preview = preview_dataset_deletion(workspace, dataset)
    assert preview.hindrances == (f"Job {number} works on its comparison first: cancel the job first.",)
    # The job may have been started after the preview.
    with pytest.raises(AssayError, match="cancel the job first"):
        delete_dataset(workspace, dataset, preview=replace(preview, hindrances=()), confirmation="small@1")
    assert list_datasets(workspace) == [dataset]
    with workspace.database.write() as connection:
        connection.execute(job.update().values(state=JobState.CANCELLED))
    preview = preview_dataset_deletion(workspace, dataset)
    delete_dataset(workspace, dataset, preview=preview, confirmation="small@1")
    assert list_datasets(workspace) == []


def test_results_of_a_comparison_that_was_deleted_meanwhile_are_not_kept(workspace: Workspace, tmp_path: Path) -> None:
    dataset = import_bundle(workspace, small_bundle(tmp_path / "b", named("small"))).dataset
    folder = compared(workspace, dataset, "first")
    number = int(folder.name)
    preview = preview_dataset_deletion(workspace, dataset)
    delete_dataset(workspace, dataset, preview=preview, confirmation="small@1")
    folder.mkdir(parents=True)
    with pytest.raises(NotFound, match="deleted while it was made"):
        finish_comparison(workspace, number, split_hash="a", labels_hash="b")
    assert not folder.exists()


def test_what_a_dead_maker_of_campaigns_left_goes_with_the_dataset(workspace: Workspace, tmp_path: Path) -> None:
    dataset = import_bundle(workspace, small_bundle(tmp_path / "b", named("small"))).dataset
    start_campaign(workspace, dataset=dataset, name="fresh")
    preview = preview_campaign_in_making(workspace, dataset)
    delete_dataset(workspace, dataset, preview=preview, confirmation="small@1")
    assert row_counts(workspace)["entry"] == 0
    assert list_datasets(workspace) == []


def test_a_dataset_is_kept_while_a_campaign_is_being_made_on_it(workspace: Workspace, tmp_path: Path) -> None:
    dataset = import_bundle(workspace, small_bundle(tmp_path / "b", named("small"))).dataset
    start_campaign(workspace, dataset=dataset, name="fresh")
    preview = preview_campaign_in_making(workspace, dataset)
    with storage_making.alone(workspace.database), pytest.raises(AssayError, match="being made on this dataset"):
        delete_dataset(workspace, dataset, preview=preview, confirmation="small@1")
    assert row_counts(workspace)["entry"] == 3


def preview_campaign_in_making(workspace: Workspace, dataset: DatasetRow) -> deleting.DeletionPreview:
    """Turn the dataset's campaign into one in the making, as a killed maker leaves it; return the preview after it."""
    with workspace.database.write() as connection:
        connection.execute(campaign.update().values(making_since=now(), name=storage_making.temporary_name()))
    return preview_dataset_deletion(workspace, dataset)


def test_every_table_that_hangs_on_a_dataset_is_deleted_with_it() -> None:
    """A table that is added later must be deleted too, else its foreign key stops the deletion."""
    hanging = {"dataset"}
    while True:
        more = {
            name
            for name, table in metadata.tables.items()
            # A cascade takes its own rows along.
            if any(key.column.table.name in hanging and key.ondelete != "CASCADE" for key in table.foreign_keys)
        }
        if more <= hanging:
            break
        hanging |= more
    assert hanging == {
        "dataset", "label_set", "removal_label", "campaign", "stratum", "entry", "judgment", "draft", "flag",
        "campaign_left_out", "carried_campaign", "carried_judgment", "comparison",
        "cleaning_run", "rewrite_proposal", "campaign_annotator", "claim", "guideline", "comment", "precedent",
        "decision", "reveal", "correction", "release",
    }, "delete the new table in audit_core/storage/deletion.py, and name it here"  # fmt: skip
