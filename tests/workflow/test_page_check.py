"""The job that looks at every page file of a dataset."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from PIL import Image

from audit_core.domain import JsonObject
from audit_core.jobs.context import JobCancelled, JobContext
from audit_core.jobs.runner import run_job
from audit_core.storage import jobs
from audit_core.storage.job_state import JobState
from audit_core.storage.jobs import JobRow
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.page_check import KIND, check_pages
from audit_core.workflow.workspace import Workspace
from tests.bundles import PAGE_SIZE, small_bundle
from tests.importers.small_bundle import Rows


def checked(workspace: Workspace, **arguments: object) -> JobRow:
    with workspace.database.write() as connection:
        job = jobs.add(connection, kind=KIND, title="Check", arguments=dict(arguments), person_id=None)
    return run_job(workspace.database, workspace.home, job)


def result(row: JobRow) -> JsonObject:
    assert row.state is JobState.DONE, row.error
    assert row.result is not None
    return row.result


def test_a_dataset_whose_page_files_are_whole_is_told_so(workspace: Workspace, tmp_path: Path) -> None:
    dataset = import_bundle(workspace, small_bundle(tmp_path / "b")).dataset
    found = result(checked(workspace, dataset=dataset.id))
    assert (found["dataset"], found["pages"], found["problems"]) == ("small@1", 4, [])
    assert found["summary"] == "All 4 pages can be shown, and are what they were."


def test_files_that_are_gone_broken_changed_or_of_another_shape_are_found(workspace: Workspace, tmp_path: Path) -> None:
    bundle = small_bundle(tmp_path / "b")
    dataset = import_bundle(workspace, bundle).dataset
    result(checked(workspace, dataset=dataset.id))
    images = bundle / "images"
    (images / "p1.png").unlink()
    (images / "p2.png").write_bytes(b"no image")
    Image.new("RGB", PAGE_SIZE, (1, 2, 3)).save(images / "p3.png")
    Image.new("RGB", (300, 100)).save(images / "p4.png")
    found = result(checked(workspace, dataset=dataset.id))
    assert (found["unavailable"], found["doubtful"]) == (2, 2)
    assert found["summary"].startswith("Of 4 pages 2 cannot be shown, and 2 may not be")
    kinds = {each["image"]: (each["kind"], each["problem"]) for each in found["problems"]}
    assert [kinds[f"images/p{n}.png"][0] for n in range(1, 5)] == ["cannot be shown"] * 2 + ["doubtful"] * 2
    assert "changed since it was first shown" in kinds["images/p3.png"][1]
    assert "boxes may be off" in kinds["images/p4.png"][1]
    with Path(found["problems_file"]).open(encoding="utf-8", newline="") as stream:
        assert list(csv.DictReader(stream)) == found["problems"]


def test_names_that_a_spreadsheet_would_run_are_made_harmless_in_the_file(workspace: Workspace, tmp_path: Path) -> None:
    def change(rows: Rows) -> None:
        rows["pages"][0]["image"] = "=cmd.png"

    bundle = small_bundle(tmp_path / "b", change)
    dataset = import_bundle(workspace, bundle, lenient=True).dataset
    found = result(checked(workspace, dataset=dataset.id))
    with Path(found["problems_file"]).open(encoding="utf-8", newline="") as stream:
        (row,) = csv.DictReader(stream)
    assert row["image"] == "'=cmd.png"
    assert found["problems"][0]["image"] == "=cmd.png"


@pytest.mark.parametrize(("arguments", "words"), [({}, "names no dataset"), ({"dataset": 99}, "no such dataset")])
def test_a_check_of_no_dataset_fails_with_words(workspace: Workspace, arguments: dict[str, int], words: str) -> None:
    row = checked(workspace, **arguments)
    assert row.state is JobState.FAILED
    assert words in str(row.error)


def test_a_check_stops_at_the_next_page_when_it_is_cancelled(workspace: Workspace, tmp_path: Path) -> None:
    dataset = import_bundle(workspace, small_bundle(tmp_path / "b")).dataset
    told: list[str] = []

    def check() -> None:
        if len(told) == 2:
            raise JobCancelled

    context = JobContext(
        job_id=1, attempt=1, arguments={"dataset": dataset.id}, folder=tmp_path,
        tell=lambda step, _: told.append(step), check=check,
    )  # fmt: skip
    with pytest.raises(JobCancelled):
        check_pages(context)
    assert told == ["page 1 of 4", "page 2 of 4"]
