"""The page of releases: what would be released, what is in its way, making one, its proof and its files."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit_core.domain import JsonObject
from audit_core.jobs.context import JobContext
from audit_core.jobs.kinds import work_of
from audit_core.storage.people import Person
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.jobs import get_job
from audit_core.workflow.release_list import list_releases
from audit_core.workflow.release_request import ReleaseRequest
from audit_core.workflow.releasing import make_release
from audit_core.workflow.workspace import Workspace
from tests.release.made_release import generated_bundle
from tests.ui.conftest import run, shown
from tests.workflow.released_corrections import Home, audited_home


@pytest.fixture
def home(workspace: Workspace, tmp_path: Path) -> Home:
    return audited_home(workspace, tmp_path / "old")


def done(workspace: Workspace, job_id: int, folder: Path) -> JsonObject | None:
    job = get_job(workspace, job_id).job
    context = JobContext(
        job_id=job.id, attempt=1, arguments=job.arguments, folder=folder, tell=lambda *_: None, check=lambda: None
    )
    return work_of(job.kind)(context)


def test_the_page_says_what_would_be_released_and_makes_it_as_a_job(
    workspace: Workspace, home: Home, ada: Person, started: list[int], tmp_path: Path
) -> None:
    page = run("release", dataset=home.dataset.id)
    words = shown(page)
    assert "accepted corrections: " in words
    assert "1 proposed correction is left out" in words
    assert "None yet." in words
    page.text_input[0].set_value("2")
    next(each for each in page.button if each.label == "Make the release").click().run()
    assert len(started) == 1
    assert "makes the release" in shown(page)
    assert "queued" in shown(page) or "waits" in shown(page) or page.get("progress")
    done(workspace, started[0], tmp_path)
    page = run("release", dataset=home.dataset.id)
    assert "Proved when it was made" in shown(page)
    assert not page.exception


def test_a_name_that_is_taken_is_refused_on_the_page(workspace: Workspace, home: Home, ada: Person) -> None:
    page = run("release", dataset=home.dataset.id)
    page.text_input[0].set_value("1")
    next(each for each in page.button if each.label == "Make the release").click().run()
    assert "has a revision 1 already" in shown(page)
    assert list_releases(workspace) == []


def test_a_release_is_verified_on_the_page_and_a_changed_byte_is_named(
    workspace: Workspace, home: Home, ada: Person
) -> None:
    view = make_release(workspace, home.dataset, ReleaseRequest("2"), person=home.lead)
    page = run("release", dataset=home.dataset.id)
    page.button(key=f"verify-{view.row.id}").click().run()
    assert "Proved: NEW is OLD" in shown(page)
    place = view.folder / "bundle" / "documents.jsonl"
    place.write_text(place.read_text().replace("Title 1", "Title one", 1))
    page.button(key=f"verify-{view.row.id}").click().run()
    assert "NOT proved: 1 difference" in shown(page)
    assert "documents.jsonl, row 2" in shown(page)


def test_a_release_is_deleted_only_where_its_revision_is_typed(workspace: Workspace, home: Home, ada: Person) -> None:
    view = make_release(workspace, home.dataset, ReleaseRequest("2"), person=home.lead)
    page = run("release", dataset=home.dataset.id)
    page.button(key=f"delete-{view.row.id}").click().run()
    assert len(list_releases(workspace)) == 1
    page.text_input(key=f"typed-{view.row.id}").set_value("2")
    page.button(key=f"delete-{view.row.id}").click().run()
    assert list_releases(workspace) == []


def test_nothing_to_release_says_what_to_do(workspace: Workspace, ada: Person, tmp_path: Path) -> None:
    dataset = import_bundle(workspace, generated_bundle(tmp_path / "b", 20)).dataset
    page = run("release", dataset=dataset.id)
    assert "so there is nothing to release" in shown(page)
    assert [each.label for each in page.button] == ["Review corrections"]
