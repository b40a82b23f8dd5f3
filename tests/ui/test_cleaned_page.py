"""The page of a cleaned revision: being made, done, deleted since; its tables, and every query that went."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit_core.sampling import ActivePart, Selection
from audit_core.storage.cleaning_tables import RunKind
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.cleanings import RunView, add_run, get_run, list_runs
from audit_core.workflow.deleting import delete_dataset, preview_dataset_deletion
from audit_core.workflow.mixed_campaigns import MixedRequest, start_mixed_campaign
from audit_core.workflow.workspace import Workspace
from tests.cleaning.applied_cleanings import applied
from tests.cleaning.rated_bundle import Rated
from tests.cleaning.ui.finished_scoring import FEW, finished_scoring, rated_dataset
from tests.ui.cleaning_pages import RUNNING, html, said, table, waiting_run
from tests.ui.conftest import run, shown

pytestmark = pytest.mark.usefixtures("ada", "started")


@pytest.fixture
def few(workspace: Workspace, tmp_path: Path) -> tuple[Rated, DatasetRow]:
    """48 queries, of which the graded strategy removes some."""
    return rated_dataset(workspace, tmp_path / "few", sizes=FEW)


@pytest.fixture
def done(workspace: Workspace, few: tuple[Rated, DatasetRow]) -> RunView:
    """A cleaning by what the model says: 10 of 48 queries are removed."""
    return applied(workspace, finished_scoring(workspace, few[1], few[0]), "llm_rating")


def test_without_a_number_the_page_says_where_cleaned_revisions_are() -> None:
    assert "the cleaning page lists them" in run("cleaned").info[0].value


def test_a_cleaning_that_is_being_made_shows_its_progress(workspace: Workspace, few: tuple[Rated, DatasetRow]) -> None:
    view = waiting_run(workspace, few[1], RunKind.APPLY, {"name": "slow"}, **{**RUNNING, "step": "importing"})
    page = run("cleaned", cleaned=str(view.row.id))
    (bar,) = page.get("progress")
    assert bar.proto.text.replace("\\", "") == "importing (40 %)"


def test_a_cleaning_that_broke_off_without_a_job_says_what_to_do(
    workspace: Workspace, few: tuple[Rated, DatasetRow]
) -> None:
    row = add_run(workspace, few[1], kind="apply", name="first", spec={})
    page = run("cleaned", cleaned=str(row.id))
    assert "no job that makes them" in said(page.info)
    assert ":gray-badge[no results]" in shown(run("cleaning"))


def test_what_went_and_what_stays_stands_in_a_sentence_and_in_three_tables(
    workspace: Workspace, few: tuple[Rated, DatasetRow], done: RunView
) -> None:
    page = run("cleaned", cleaned=str(done.row.id))
    words = shown(page)
    assert "10 of 48 queries go and 38 stay in rated revision 2-cleaned" in words
    assert "`campaign carry-over` takes judgments over" in words
    assert "export-bundle rated@2-cleaned FOLDER" in words
    sources = table(page, "changes-source")
    assert "Kept, %" in sources
    assert "<td>48</td><td>10</td><td>38</td><td>79.2</td>" in sources
    domains = table(page, "changes-domain")
    assert domains.index('<td class="text">even</td>') < domains.index('<td class="text">odd</td>')
    evidence = table(page, "changes-evidence")
    assert "Text + Headline" in evidence
    assert "<td>48</td><td>10</td><td>38</td>" in evidence
    (chart,) = page.get("plotly_chart")
    assert "Kinds of evidence before and after the cleaning, n = 48 queries" in chart.proto.spec


def test_every_removed_query_is_listed_with_why(
    workspace: Workspace, few: tuple[Rated, DatasetRow], done: RunView
) -> None:
    page = run("cleaned", cleaned=str(done.row.id))
    (heading,) = [each.value for each in page.subheader]
    assert heading == "Removed queries (10)"
    listed = html(page)
    assert listed.count("Llm Rating: score 1, threshold 0.5") == 10
    assert listed.count("names a table") == 10
    assert listed.count("<mark>") == 10
    assert not [each for each in page.number_input if "Page of" in each.label]
    assert [each.label for each in page.get("download_button") if "All of them" in each.label] == [
        "All of them (CSV)",
        "All of them (JSONL)",
    ]


def test_many_removed_queries_are_shown_a_page_at_a_time(workspace: Workspace, tmp_path: Path) -> None:
    rated, dataset = rated_dataset(workspace, tmp_path / "many")
    view = applied(workspace, finished_scoring(workspace, dataset, rated, only=("llm_rating",)), "llm_rating")
    page = run("cleaned", cleaned=str(view.row.id))
    assert page.number_input(key="removed-part").label == "Page of 4"
    assert html(page).count("threshold 0.5") == 20
    page.number_input(key="removed-part").set_value(4).run()
    assert not page.exception
    assert html(page).count("threshold 0.5") == 72 - 3 * 20


def test_a_query_that_waits_for_ones_own_judgment_is_not_among_those_removed(
    workspace: Workspace, few: tuple[Rated, DatasetRow], done: RunView
) -> None:
    removed = few[0].bad[1]
    part = ActivePart(Selection.DISAGREEMENT, 1, {removed: 1.0})
    request = MixedRequest(random=1, parts=(part,), seed=1, basis={}, leave_out=())
    start_mixed_campaign(workspace, few[1], request, name="next", protocol="removal")
    page = run("cleaned", cleaned=str(done.row.id))
    assert "wait for your own judgment in the campaign next" in shown(page)
    assert f"<small>{removed} ·" not in html(page)


def test_where_the_revision_was_deleted_the_account_of_it_stays(workspace: Workspace, done: RunView) -> None:
    made = done.made
    assert made is not None
    preview = preview_dataset_deletion(workspace, made)
    delete_dataset(workspace, made, preview=preview, confirmation="rated@2-cleaned")
    page = run("cleaned", cleaned=str(done.row.id))
    assert "was deleted since" in said(page.warning)
    assert "export-bundle" not in shown(page)
    assert "10 of 48 queries go" in shown(page)
    listed = shown(run("cleaning"))
    assert "rated revision 1 · 10 of 48 queries removed · 20" in listed


def test_where_the_original_was_deleted_the_account_stays_with_the_cleaned_revision(
    workspace: Workspace, few: tuple[Rated, DatasetRow], done: RunView
) -> None:
    delete_dataset(workspace, few[1], preview=preview_dataset_deletion(workspace, few[1]), confirmation="rated@1")
    page = run("cleaned", cleaned=str(done.row.id))
    assert "10 of 48 queries go and 38 stay in rated revision 2-cleaned" in shown(page)
    assert html(page).count("Llm Rating: score 1, threshold 0.5") == 10
    assert "It is the dataset rated revision 2-cleaned" in shown(page)
    assert "rated revision 1, which was deleted since · 10 of 48 queries removed" in shown(run("cleaning"))


def test_a_cleaning_is_listed_with_what_it_made_and_told_what_a_deletion_leaves(
    workspace: Workspace, done: RunView
) -> None:
    page = run("cleaning")
    number = done.row.id
    assert "rated revision 1 · 10 of 48 queries removed · made revision 2-cleaned · 20" in shown(page)
    page.text_input(key=f"name-apply-{number}").set_value("second")
    next(each for each in page.button if "rename-apply" in (each.key or "")).click().run()
    assert get_run(workspace, number).row.name == "second"
    page.button(key=f"archive-apply-{number}").click().run()
    assert list_runs(workspace, kind=RunKind.APPLY) == []
    page.button(key=f"restore-apply-{number}").click().run()
    page.button(key=f"delete-apply-{number}").click().run()
    assert "the cleaned revision stays" in shown(page)
