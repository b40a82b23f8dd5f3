"""Renaming, archiving, restoring and deleting in the browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.campaigns import list_campaigns, start_campaign
from audit_core.workflow.housekeeping import archive_campaign, archive_dataset
from audit_core.workflow.importing import import_bundle, list_datasets
from audit_core.workflow.sample_request import SampleKind, SampleRequest
from audit_core.workflow.workspace import Workspace
from tests.bundles import small_bundle, without_judgments
from tests.importers.small_bundle import Rows
from tests.ui.conftest import run, shown

DELETE = "FormSubmitter:deletion-Delete for good"
pytestmark = pytest.mark.usefixtures("ada")


@pytest.fixture
def dataset(workspace: Workspace, tmp_path: Path) -> DatasetRow:
    return import_bundle(workspace, small_bundle(tmp_path / "b", without_judgments)).dataset


def test_a_campaign_is_renamed_archived_and_restored(workspace: Workspace, dataset: DatasetRow) -> None:
    start_campaign(workspace, dataset=dataset, name="first")
    page = run("campaigns")
    page.text_input(key="name-campaign-1").set_value("second")
    page.button(key="FormSubmitter:rename-campaign-1-Rename").click().run()
    assert "Renamed: first is now second" in shown(page)
    page.button(key="archive-campaign-1").click().run()
    assert not page.exception
    assert "No campaign yet" in shown(page)
    assert page.expander[0].label == "Archived (1)"
    page.button(key="restore-campaign-1").click().run()
    assert "Campaign second is back" in shown(page)
    assert [each.campaign.name for each in list_campaigns(workspace)] == ["second"]


def test_a_name_that_cannot_be_used_is_refused(workspace: Workspace, dataset: DatasetRow) -> None:
    start_campaign(workspace, dataset=dataset, name="first")
    page = run("campaigns")
    page.text_input(key="name-campaign-1").set_value("a/b")
    page.button(key="FormSubmitter:rename-campaign-1-Rename").click().run()
    assert "may not begin with a dot" in page.error[0].value


def _form(kind: str) -> None:
    """The inside of the dialog, which a headless run cannot keep open from one run to the next."""
    from audit_core.ui.housekeeping import deletion_form, draw_notice
    from audit_core.workflow import deleting
    from audit_core.workflow.campaigns import list_campaigns
    from audit_core.workflow.importing import list_datasets
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace()
    draw_notice()
    if kind == "campaign" and (summaries := list_campaigns(workspace)):
        campaign = summaries[-1].campaign
        preview = deleting.preview_campaign_deletion(workspace, campaign)
        deletion_form(
            preview, lambda typed: deleting.delete_campaign(workspace, campaign, preview=preview, confirmation=typed)
        )
    elif kind == "dataset" and (rows := list_datasets(workspace)):
        whole = deleting.preview_dataset_deletion(workspace, rows[0])
        deletion_form(
            whole, lambda typed: deleting.delete_dataset(workspace, rows[0], preview=whole, confirmation=typed)
        )


def test_a_deletion_shows_what_goes_in_a_dialog(workspace: Workspace, dataset: DatasetRow) -> None:
    start_campaign(workspace, dataset=dataset, name="first")
    page = run("campaigns").button(key="delete-campaign-1").click().run()
    assert "Deleted for good: 3 entries" in shown(page)
    page = run("datasets").button(key="delete-dataset-1").click().run()
    assert "The dataset's campaign goes too: first." in shown(page)


@pytest.mark.parametrize(("kind", "name"), [("campaign", "first"), ("dataset", "small@1")])
def test_nothing_is_deleted_before_its_name_is_typed(
    workspace: Workspace, dataset: DatasetRow, kind: str, name: str
) -> None:
    start_campaign(workspace, dataset=dataset, name="first")
    page = AppTest.from_function(_form, args=(kind,), default_timeout=60).run()
    page.text_input(key="typed-name").set_value(name[:-1])
    page.button(key=DELETE).click().run()
    assert f"type its name exactly: {name}" in page.error[0].value
    assert len(list_campaigns(workspace)) == len(list_datasets(workspace)) == 1
    page.text_input(key="typed-name").set_value(name)
    page.button(key=DELETE).click().run()
    assert not page.exception
    assert f"{kind.capitalize()} {name} is deleted. The copy made before is" in shown(page)
    assert list_campaigns(workspace, archived=None) == []
    assert len(list_datasets(workspace)) == (1 if kind == "campaign" else 0)


def test_what_another_campaign_rests_on_cannot_be_deleted(workspace: Workspace, dataset: DatasetRow) -> None:
    one = SampleRequest(SampleKind.IDS, query_ids=("q1",))
    first = start_campaign(workspace, dataset=dataset, name="first", sample=one)
    start_campaign(workspace, dataset=dataset, name="second", sample=SampleRequest(leave_out=(first.id,)))
    page = AppTest.from_function(_form, args=("campaign",), default_timeout=60).run()
    assert "Campaign second on small@1 rests on this" in shown(page)
    assert not [each for each in page.button if each.key == DELETE]


def test_a_dataset_is_renamed_archived_and_restored(workspace: Workspace, dataset: DatasetRow) -> None:
    page = run("datasets")
    page.text_input(key="name-dataset-1").set_value("My reports")
    page.button(key="FormSubmitter:rename-dataset-1-Rename").click().run()
    assert "**My reports** revision 1 · small" in shown(page)
    page.button(key="archive-dataset-1").click().run()
    assert "Look at the queries" not in [each.label for each in page.expander]
    page.button(key="restore-dataset-1").click().run()
    assert "Look at the queries" in [each.label for each in page.expander]


def test_archived_things_are_offered_nowhere_else(workspace: Workspace, dataset: DatasetRow) -> None:
    campaign = start_campaign(workspace, dataset=dataset, name="first")
    archive_campaign(workspace, campaign, archived=True)
    assert "There is no campaign to report on yet" in shown(run("report"))
    assert "first" in shown(run("report", campaign=str(campaign.id)))
    archive_dataset(workspace, dataset, archived=True)
    assert "There is no dataset to draw from" in shown(run("new_campaign"))


def _carry_over(target_id: int) -> None:
    """The inside of the dialog, which a headless run cannot keep open from one run to the next."""
    from audit_core.ui.carry_over import carry_over_form
    from audit_core.workflow.campaigns import list_campaigns
    from audit_core.workflow.sign_in import sign_in
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace()
    campaign = list_campaigns(workspace)[-1].campaign
    carry_over_form(workspace, sign_in(workspace, "Ada"), campaign, [workspace.dataset(target_id)])


def test_a_campaign_is_carried_over_once_the_changes_are_seen(
    workspace: Workspace, dataset: DatasetRow, tmp_path: Path
) -> None:
    start_campaign(workspace, dataset=dataset, name="first")
    assert not [each for each in run("campaigns").button if each.key == "carry-over-1"]

    def change(rows: Rows) -> None:
        without_judgments(rows)
        rows["dataset"]["revision"] = "2"
        rows["queries"][1]["text"] = "what are two?"

    later = import_bundle(workspace, small_bundle(tmp_path / "later", change)).dataset
    page = run("campaigns").button(key="carry-over-1").click().run()
    assert "2 of 3 entries are the same in small@2" in shown(page)
    page = AppTest.from_function(_carry_over, args=(later.id,), default_timeout=60).run()
    assert {each.label: each.value for each in page.metric} == {
        "Unchanged": "2", "Query changed": "1", "Evidence changed": "0", "Gone": "0",
    }  # fmt: skip
    assert page.dataframe[0].value["query id"].to_list() == ["q2"]
    page.text_input(key="carry-over-name").set_value("a/b")
    page.button(key="FormSubmitter:carry-over-Carry over").click().run()
    assert "may not begin with a dot" in page.error[0].value
    page.text_input(key="carry-over-name").set_value("second")
    page.button(key="FormSubmitter:carry-over-Carry over").click().run()
    assert not page.exception
    assert [(each.campaign.name, each.dataset.revision) for each in list_campaigns(workspace)] == [
        ("second", "2"), ("first", "1"),
    ]  # fmt: skip
    assert "carried over from first on revision 1" in shown(run("campaigns"))
