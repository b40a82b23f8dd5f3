"""Importing: all or nothing, the same again is nothing new, other content is refused, and a way back by export."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from audit_core.domain import CampaignState
from audit_core.errors import AssayError, BundleError, RevisionClash, StorageError
from audit_core.storage import campaigns, datasets
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow import import_entering, judging
from audit_core.workflow.campaigns import find_campaign, list_campaigns
from audit_core.workflow.exporting import export_bundle
from audit_core.workflow.housekeeping import archive_dataset
from audit_core.workflow.importing import allowed_bundles, import_allowed, import_bundle, import_zip, list_datasets
from audit_core.workflow.reporting import audit_report
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.bundles import small_bundle, without_judgments
from tests.homes import another_home, content, listing, reopened, row_counts, state_of, with_campaign
from tests.importers.small_bundle import Rows


def _labels(workspace: Workspace, dataset: DatasetRow) -> list[Any]:
    with workspace.database.read() as connection:
        return [
            (each.name, each.source_hash, datasets.labels_of(connection, each.id))
            for each in datasets.label_sets(connection, dataset.id)
        ]


def test_an_import_makes_a_dataset_a_closed_campaign_and_a_label_set(workspace: Workspace, tmp_path: Path) -> None:
    steps: list[tuple[str, float]] = []
    result = import_bundle(
        workspace, small_bundle(tmp_path / "b"), progress=lambda step, share: steps.append((step, share))
    )
    assert result.is_new
    assert result.counts == {"documents": 2, "pages": 4, "elements": 2, "queries": 3, "evidence": 6}
    assert (result.campaigns, result.label_sets) == (["audit"], ["removal"])
    campaign = find_campaign(workspace, "audit")
    assert (campaign.state, campaign.origin, campaign.judgments_per_entry) == ("closed", "imported", 1)
    shares = [share for _, share in steps]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert _labels(workspace, result.dataset)[0][2][0]["correctness"] == 0.25


def test_the_same_bundle_again_changes_nothing(workspace: Workspace, tmp_path: Path) -> None:
    bundle = small_bundle(tmp_path / "b")
    import_bundle(workspace, bundle)
    before = state_of(workspace)
    again = import_bundle(workspace, bundle)
    assert not again.is_new
    assert (again.campaigns, again.campaigns_known) == ([], ["audit"])
    assert (again.label_sets, again.label_sets_known) == ([], ["removal"])
    assert "here already with the same content" in next(again.sentences())
    assert state_of(workspace) == before


def test_the_real_audit_again_changes_nothing(workspace: Workspace, real_data: Path) -> None:
    first = import_bundle(workspace, real_data / "pdf_audit")
    before = state_of(workspace)
    again = import_bundle(workspace, real_data / "pdf_audit")
    assert (first.is_new, again.is_new) == (True, False)
    assert again.campaigns_known == ["two_annotators"]
    assert state_of(workspace) == before


def test_parquet_tables_are_the_same_dataset_as_lines(workspace: Workspace, tmp_path: Path) -> None:
    import_bundle(workspace, small_bundle(tmp_path / "lines", without_judgments))
    again = import_bundle(workspace, small_bundle(tmp_path / "parquet", without_judgments, form="parquet"))
    assert not again.is_new


def _reworded(rows: Rows) -> None:
    rows["queries"][0]["text"] = "what else?"


def _other_judgment(rows: Rows) -> None:
    rows["judgments/audit"][0]["codes"] = ["N"]


def _other_label(rows: Rows) -> None:
    rows["labels/removal"][0]["remove"] = True


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_reworded, "A revision is never changed"),
        (_other_judgment, "Judgments are never overwritten"),
        (_other_label, "Labels are never overwritten"),
    ],
)
def test_other_content_under_the_same_name_is_refused_and_nothing_is_half_imported(
    workspace: Workspace, tmp_path: Path, change: Callable[[Rows], None], message: str
) -> None:
    import_bundle(workspace, small_bundle(tmp_path / "b"))
    before = state_of(workspace)
    with pytest.raises(RevisionClash, match=message):
        import_bundle(workspace, small_bundle(tmp_path / "other", change))
    assert state_of(workspace) == before


def test_another_sample_design_for_the_same_judgments_is_refused(workspace: Workspace, tmp_path: Path) -> None:
    import_bundle(workspace, small_bundle(tmp_path / "b"))
    other = small_bundle(tmp_path / "other")
    place = other / "judgments" / "audit.design.json"
    place.write_text(place.read_text().replace('"population": 1', '"population": 2', 1))
    with pytest.raises(RevisionClash, match="Judgments are never overwritten"):
        import_bundle(workspace, other)


def test_judgments_that_come_later_make_a_campaign_on_the_dataset_that_is_here(
    workspace: Workspace, tmp_path: Path
) -> None:
    import_bundle(workspace, small_bundle(tmp_path / "bare", without_judgments))
    result = import_bundle(workspace, small_bundle(tmp_path / "judged"))
    assert (result.is_new, result.campaigns, result.label_sets) == (False, ["audit"], ["removal"])
    assert len(list_datasets(workspace)) == 1


def test_a_refused_bundle_names_file_line_and_field_and_leaves_nothing(workspace: Workspace, tmp_path: Path) -> None:
    before = row_counts(workspace)

    def change(rows: Rows) -> None:
        rows["queries"][1]["evidence"][2]["page_id"] = "p99"

    with pytest.raises(BundleError) as caught:
        import_bundle(workspace, small_bundle(tmp_path / "b", change))
    (problem,) = caught.value.problems
    assert (problem.file, problem.line, problem.field) == ("queries.jsonl", 2, "evidence[2].page_id")
    assert row_counts(workspace) == before
    assert not any((workspace.home / "datasets").iterdir())


@pytest.mark.parametrize(
    ("field", "number"), [("seed", 2**63), ("seed", 10**40), ("population", 2**31), ("population", 10**30)]
)
def test_a_number_too_large_for_a_database_is_refused_by_name(
    workspace: Workspace, tmp_path: Path, field: str, number: int
) -> None:
    bundle = small_bundle(tmp_path / "b")
    place = bundle / "judgments" / "audit.design.json"
    design = json.loads(place.read_text())
    (design if field == "seed" else design["strata"][0])[field] = number
    place.write_text(json.dumps(design))
    with pytest.raises(BundleError, match=rf"audit\.design\.json, field {field}"):
        import_bundle(workspace, bundle)
    assert list_datasets(workspace) == []
    assert not any((workspace.home / "datasets").iterdir())


def test_the_largest_seed_and_population_come_back(workspace: Workspace, tmp_path: Path) -> None:
    bundle = small_bundle(tmp_path / "b")
    place = bundle / "judgments" / "audit.design.json"
    design = json.loads(place.read_text())
    design["seed"], design["strata"][0]["population"] = 2**63 - 1, 2**31 - 1
    place.write_text(json.dumps(design))
    dataset = import_bundle(workspace, bundle).dataset
    out = export_bundle(workspace, dataset, tmp_path / "out", form="jsonl", media="refer")
    assert json.loads((out / "judgments" / "audit.design.json").read_text()) == design


# --- there and back ------------------------------------------------------------------------------------------------


def _there_and_back(
    workspace: Workspace, dataset: DatasetRow, folder: Path, *, form: str = "jsonl"
) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Export, import into a fresh home, export again; return the files of both exports."""
    first = export_bundle(workspace, dataset, folder / "first", form=form, media="copy")
    with another_home(folder / "fresh") as fresh:
        result = import_bundle(fresh, first)
        assert result.dataset.content_hash == dataset.content_hash
        second = export_bundle(fresh, result.dataset, folder / "second", form=form, media="copy")
        assert _labels(fresh, result.dataset) == _labels(workspace, dataset)
        _same_reports(workspace, fresh)
    return content(first), content(second)


def _same_reports(one: Workspace, other: Workspace) -> None:
    """The judgments and designs of campaigns that came along say the same."""
    with other.database.read() as connection:
        names = [each.name for each in campaigns.all_rows(connection)]
    assert names
    for name in names:
        mine, theirs = (audit_report(each, find_campaign(each, name).id) for each in (one, other))
        assert theirs.design == mine.design
        if mine.total.entries == theirs.total.entries:  # a campaign made here exports the entries that were judged
            assert theirs.rows == mine.rows


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_an_export_imported_into_a_fresh_home_exports_the_same_bytes(
    workspace: Workspace, tmp_path: Path, form: str
) -> None:
    result = import_bundle(workspace, small_bundle(tmp_path / "b"))
    first, second = _there_and_back(workspace, result.dataset, tmp_path, form=form)
    assert f"judgments/audit.{form}" in first
    assert "judgments/audit.design.json" in first
    assert "images/p1.png" in first
    assert second == first


def test_the_real_audit_there_and_back_is_the_same(workspace: Workspace, real_data: Path, tmp_path: Path) -> None:
    dataset = import_bundle(workspace, real_data / "pdf_audit").dataset
    first = export_bundle(workspace, dataset, tmp_path / "first", form="jsonl", media="refer")
    with another_home(tmp_path / "fresh") as fresh:
        result = import_bundle(fresh, first)
        second = export_bundle(fresh, result.dataset, tmp_path / "second", form="jsonl", media="refer")
        assert result.dataset.content_hash == dataset.content_hash
        _same_reports(workspace, fresh)
    assert content(second) == content(first)


def test_an_export_imported_into_the_same_home_is_known_entirely(workspace: Workspace, tmp_path: Path) -> None:
    result = import_bundle(workspace, small_bundle(tmp_path / "b"))
    out = export_bundle(workspace, result.dataset, tmp_path / "out", form="parquet", media="refer")
    before = row_counts(workspace)
    again = import_bundle(workspace, out)
    assert (again.is_new, again.campaigns_known, again.label_sets_known) == (False, ["audit"], ["removal"])
    assert row_counts(workspace) == before


def test_judgments_made_here_go_there_and_back_beside_the_imported_ones(workspace: Workspace, tmp_path: Path) -> None:
    result = import_bundle(workspace, small_bundle(tmp_path / "b"))
    campaign = reopened(workspace, "audit")
    # Somebody signs in with the very name of an imported annotator: not the same person.
    for name, number, codes in (("ann", 1, "N"), ("Ada", 1, "F"), ("Ada", 2, "")):
        entry = judging.entry_numbered(workspace, sign_in(workspace, name), campaign_id=campaign.id, number=number)
        for revision in (0, 1):
            body = {
                "nonce": f"nonce {name} {number} {revision}", "base_revision": revision, "outcome": "judged",
                "codes": codes, "note": "line\u2028two", "active_ms": 1234,
            }  # fmt: skip
            judging.save_judgment(workspace, sign_in(workspace, name), entry_id=entry.row.id, body=body)
    first, second = _there_and_back(workspace, result.dataset, tmp_path)
    assert second == first
    rows = [json.loads(line) for line in first["judgments/audit.jsonl"].split(b"\n")[:-1]]
    assert len(rows) == 3 + 6
    assert {row["annotator"] for row in rows} == {"ann", "bob", "ann (2)", "Ada"}
    assert {row["note"] for row in rows if row["annotator"] == "Ada"} == {"line\u2028two"}
    again = import_bundle(workspace, tmp_path / "first")
    assert again.campaigns_known == ["audit"]


def test_a_campaign_made_here_is_exported_with_its_design_once_it_has_judgments(
    workspace: Workspace, tmp_path: Path
) -> None:
    campaign = with_campaign(workspace, tmp_path / "b", without_judgments)
    dataset = workspace.dataset(campaign.dataset_id)
    empty = export_bundle(workspace, dataset, tmp_path / "empty", form="jsonl", media="refer")
    assert not (empty / "judgments").exists()
    ada = sign_in(workspace, "Ada")
    entry = judging.entry_numbered(workspace, ada, campaign_id=campaign.id, number=2)
    judging.save_judgment(workspace, ada, entry_id=entry.row.id, body={"nonce": "nonce-nonce", "outcome": "judged"})
    first, second = _there_and_back(workspace, dataset, tmp_path)
    assert second == first
    assert json.loads(first["judgments/fresh.design.json"])["method"] == "all queries"


def test_an_export_into_a_folder_with_something_in_it_is_refused(workspace: Workspace, tmp_path: Path) -> None:
    dataset = import_bundle(workspace, small_bundle(tmp_path / "b")).dataset
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    with pytest.raises(AssayError, match="not an empty folder"):
        export_bundle(workspace, dataset, tmp_path / "out", form="jsonl", media="refer")
    assert content(tmp_path / "out") == {"mine.txt": b"mine"}


# --- what goes wrong halfway ---------------------------------------------------------------------------------------


def _full_disk(*_arguments: object, **_options: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_disk_that_fills_up_while_the_dataset_is_written_leaves_nothing(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = row_counts(workspace)
    monkeypatch.setattr(os, "fsync", _full_disk)
    with pytest.raises(StorageError, match="is full; nothing was kept"):
        import_bundle(workspace, small_bundle(tmp_path / "b"))
    monkeypatch.undo()
    assert row_counts(workspace) == before
    assert not any((workspace.home / "datasets").iterdir())
    assert import_bundle(workspace, tmp_path / "b").is_new


def test_a_database_that_fills_up_takes_the_dataset_back(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_arguments: object, **_options: object) -> None:
        raise StorageError("The disk is full: nothing was saved.")

    before = row_counts(workspace)
    monkeypatch.setattr(import_entering, "finish_label_set", full)
    with pytest.raises(StorageError, match="disk is full"):
        import_bundle(workspace, small_bundle(tmp_path / "b"))
    monkeypatch.undo()
    assert row_counts(workspace) == before
    assert not any((workspace.home / "datasets").iterdir())
    assert import_bundle(workspace, tmp_path / "b").is_new


def test_a_dataset_that_was_here_before_a_failing_import_is_not_taken_back(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_bundle(workspace, small_bundle(tmp_path / "b"))
    before = state_of(workspace)
    monkeypatch.setattr(import_entering.datasets, "by_hash", _full_disk)
    with pytest.raises(OSError, match="No space"):
        import_bundle(workspace, tmp_path / "b")
    assert state_of(workspace) == before


#: A process that imports and stops, to be killed, when the tables are written and the index is begun.
IMPORTS_AND_HANGS = """
import sys, time
from pathlib import Path
from audit_core.workflow.importing import {work}
from audit_core.workflow.workspace import open_workspace

def progress(step, share):
    if step == "writing the index":
        print("in the middle", flush=True)
        time.sleep(600)

{work}(open_workspace(), Path(sys.argv[1]), progress=progress)
"""


def _killed_in_the_middle(work: str, bundle: Path) -> None:
    command = [sys.executable, "-c", IMPORTS_AND_HANGS.format(work=work), str(bundle)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert process.stdout is not None
    with process.stdout:
        assert process.stdout.readline() == b"in the middle\n"
        process.send_signal(signal.SIGKILL)
    process.wait(timeout=60)


def test_an_import_after_one_that_was_killed_works_and_leaves_no_rubbish(workspace: Workspace, tmp_path: Path) -> None:
    bundle = small_bundle(tmp_path / "b")
    _killed_in_the_middle("import_bundle", bundle)
    (left,) = (workspace.home / "datasets").iterdir()
    assert left.name.startswith(".building-")
    assert list_datasets(workspace) == []
    result = import_bundle(workspace, bundle)
    assert result.is_new
    assert [each.name for each in (workspace.home / "datasets").iterdir()] == [result.dataset.content_hash]


def test_what_a_killed_import_of_a_zip_unpacked_is_swept_by_a_later_one(workspace: Workspace, tmp_path: Path) -> None:
    archive = Path(shutil.make_archive(str(tmp_path / "b"), "zip", small_bundle(tmp_path / "b")))
    uploads = workspace.home / "uploads"
    left, at_work = uploads / "upload-left", uploads / "upload-at-work"
    for each in (left, at_work):
        (each / "bundle").mkdir(parents=True)
        (each / "bundle" / "dataset.json").write_text("{}")
    old = time.time() - 90_000
    os.utime(left, (old, old))
    assert import_zip(workspace, archive).is_new
    assert list(uploads.iterdir()) == [at_work]


def test_a_zip_is_imported_with_its_page_files_and_may_go_afterwards(workspace: Workspace, tmp_path: Path) -> None:
    archive = Path(shutil.make_archive(str(tmp_path / "b"), "zip", small_bundle(tmp_path / "b")))
    result = import_zip(workspace, archive, origin="upload of b.zip")
    shutil.rmtree(tmp_path / "b")
    archive.unlink()
    revision = workspace.revision(result.dataset)
    image = workspace.page_images.describe(revision.media_root, revision.page("p1").image)
    assert (image.width, image.height) == (100, 200)
    assert result.dataset.origin == "upload of b.zip"
    assert not any((workspace.home / "uploads").iterdir())


def test_a_refused_zip_leaves_nothing(workspace: Workspace, tmp_path: Path) -> None:
    archive = tmp_path / "b.zip"
    with zipfile.ZipFile(archive, "w") as written:
        written.writestr("../outside.txt", "x")
    with pytest.raises(BundleError):
        import_zip(workspace, archive)
    assert [each for each in listing(workspace) if each.startswith("uploads/")] == []


# --- what the server allows ----------------------------------------------------------------------------------------


def test_only_bundles_in_allowed_folders_can_be_imported_from_the_browser(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    allowed = tmp_path / "allowed"
    inside, outside = small_bundle(allowed / "b"), small_bundle(tmp_path / "outside")
    monkeypatch.setenv("ASSAY_IMPORT_FOLDERS", str(allowed))
    assert allowed_bundles() == [inside]
    for folder in (outside, allowed / ".." / "outside", allowed / "nothing"):
        with pytest.raises(BundleError, match="ASSAY_IMPORT_FOLDERS"):
            import_allowed(workspace, folder)
    assert import_allowed(workspace, inside).is_new


def test_a_media_root_outside_of_the_allowed_folder_is_refused_from_the_browser(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    allowed = tmp_path / "allowed"

    def change(rows: Rows) -> None:
        without_judgments(rows)
        rows["dataset"]["media_root"] = "../.."

    bundle = small_bundle(allowed / "b", change)
    monkeypatch.setenv("ASSAY_IMPORT_FOLDERS", str(allowed))
    with pytest.raises(BundleError, match="sets media_root"):
        import_allowed(workspace, bundle)
    assert list_datasets(workspace) == []
    assert not any((workspace.home / "datasets").iterdir())
    assert import_bundle(workspace, bundle).is_new


def test_an_imported_campaign_keeps_the_state_in_which_it_was_left(workspace: Workspace, tmp_path: Path) -> None:
    import_bundle(workspace, small_bundle(tmp_path / "b"))
    reopened(workspace, "audit")
    import_bundle(workspace, tmp_path / "b")
    assert find_campaign(workspace, "audit").state == CampaignState.OPEN


@pytest.mark.parametrize("name", ["audit:1", "what?", 'a"b', "a\\b", "a\x07b"])
@pytest.mark.parametrize("folder", ["judgments", "labels"])
def test_a_judgments_or_labels_file_that_could_not_be_exported_again_is_refused(
    workspace: Workspace, tmp_path: Path, folder: str, name: str
) -> None:
    bundle = small_bundle(tmp_path / "b", design=False)
    (file,) = (bundle / folder).iterdir()
    file.rename(file.with_name(f"{name}.jsonl"))
    with pytest.raises(BundleError, match="expected a name without"):
        import_bundle(workspace, bundle)
    assert list_datasets(workspace) == []
    assert not any((workspace.home / "datasets").iterdir())


def test_a_judgments_file_without_a_row_is_a_campaign_without_an_entry(workspace: Workspace, tmp_path: Path) -> None:
    def change(rows: Rows) -> None:
        rows["judgments/audit"] = []

    bundle = small_bundle(tmp_path / "b", change, design=False)
    assert import_bundle(workspace, bundle).campaigns == ["audit"]
    assert import_bundle(workspace, bundle).campaigns_known == ["audit"]
    report = audit_report(workspace, find_campaign(workspace, "audit").id)
    assert (report.total.entries, report.total.interval.estimate) == (0, None)


@pytest.mark.parametrize("same", [True, False])
def test_two_imports_at_once_leave_one_whole_dataset(workspace: Workspace, tmp_path: Path, same: bool) -> None:
    bundles = [small_bundle(tmp_path / "a"), small_bundle(tmp_path / "b", None if same else _reworded)]
    gate = threading.Barrier(2)
    outcomes: list[object] = []

    def work(bundle: Path) -> None:
        gate.wait(timeout=30)
        try:
            outcomes.append(import_bundle(workspace, bundle).is_new)
        except RevisionClash:
            outcomes.append("clash")

    threads = [threading.Thread(target=work, args=(each,)) for each in bundles]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(map(str, outcomes)) == (["False", "True"] if same else ["True", "clash"])
    (dataset,) = list_datasets(workspace)
    assert [each.name for each in (workspace.home / "datasets").iterdir()] == [dataset.content_hash]
    assert workspace.revision(dataset).query("q1").answer == "1"


def test_to_import_an_archived_dataset_again_brings_it_back_and_says_so(workspace: Workspace, tmp_path: Path) -> None:
    bundle = small_bundle(tmp_path / "b")
    first = import_bundle(workspace, bundle)
    assert not first.is_restored
    archive_dataset(workspace, first.dataset, archived=True)
    again = import_bundle(workspace, bundle)
    assert (again.is_new, again.is_restored, again.as_json()["is_restored"]) == (False, True, True)
    assert again.dataset.archived_at is None
    assert next(again.sentences()).endswith("in the lists again, and its campaigns with it.")
    assert [each.campaign.name for each in list_campaigns(workspace)] == ["audit"]
    third = import_bundle(workspace, bundle)
    assert not third.is_restored
    assert "left as it is" in next(third.sentences())


def test_a_refused_import_leaves_an_archived_dataset_archived(workspace: Workspace, tmp_path: Path) -> None:
    first = import_bundle(workspace, small_bundle(tmp_path / "b"))
    archive_dataset(workspace, first.dataset, archived=True)

    def reword(rows: Rows) -> None:
        rows["queries"][0]["text"] = "Another?"

    with pytest.raises(RevisionClash):
        import_bundle(workspace, small_bundle(tmp_path / "c", reword))
    assert workspace.dataset(first.dataset.id).archived_at is not None


def test_page_files_outside_of_the_bundle_are_warned_of(workspace: Workspace, tmp_path: Path) -> None:
    assert import_bundle(workspace, small_bundle(tmp_path / "b")).warnings == []

    def elsewhere(rows: Rows) -> None:
        rows["dataset"]["media_root"] = ".."
        rows["dataset"]["revision"] = "2"
        without_judgments(rows)

    (warning,) = import_bundle(workspace, small_bundle(tmp_path / "c", elsewhere)).warnings
    assert f"sets media_root to {tmp_path.resolve()}, outside of the bundle" in warning
