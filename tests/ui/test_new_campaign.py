"""The page that starts a campaign: its choices, the plan that follows from them, and the campaign that comes of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from audit_core.storage import campaigns
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.campaigns import campaigns_on, start_campaign
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.sample_request import SampleKind, SampleRequest
from audit_core.workflow.workspace import Workspace
from tests.strata_bundle import strata_bundle
from tests.ui.conftest import run, shown

pytestmark = pytest.mark.usefixtures("ada")
BY_NUMBER = "a number of entries"
BY_HAND = "sizes by hand"


@pytest.fixture
def dataset(workspace: Workspace, tmp_path: Path) -> DatasetRow:
    """30 queries in four strata."""
    return import_bundle(workspace, strata_bundle(tmp_path / "strata")).dataset


def opened(dataset: DatasetRow, kind: SampleKind) -> AppTest:
    page = run("new_campaign", dataset=str(dataset.id))
    page.radio(key=f"sample-kind-{dataset.id}").set_value(kind).run()
    assert not page.exception
    return page


def started(page: AppTest, name: str) -> AppTest:
    page.text_input(key="campaign-name").set_value(name)
    page.button(key="campaign-start").click().run()
    assert not page.exception
    return page


def numbers(page: AppTest) -> dict[str, str]:
    return {each.label: each.value for each in page.metric}


def test_without_a_dataset_the_page_shows_the_way() -> None:
    assert "There is no dataset to draw from" in shown(run("new_campaign"))


def test_a_small_dataset_is_offered_whole_and_started_by_its_name_alone(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    page = run("new_campaign")
    assert numbers(page) == {
        "Entries": "30", "Expected half-width, whole benchmark": "exact", "Strata with entries": "4 of 4",
    }  # fmt: skip
    assert "plan-table" in shown(page)
    after = started(page, "second look")
    assert after.title[0].value == "Campaigns"
    assert "second look" in shown(after)
    (campaign,) = campaigns_on(workspace, dataset)
    assert (campaign.sample_method, campaign.judgments_per_entry) == ("all queries", 1)


def test_the_plan_follows_the_choices_and_what_is_shown_is_what_is_drawn(
    workspace: Workspace, dataset: DatasetRow
) -> None:
    page = opened(dataset, SampleKind.STRATIFIED)
    page.slider(key="sample-width").set_value(10.0).run()
    wide = numbers(page)
    page.slider(key="sample-guess").set_value(80.0).run()
    assert int(numbers(page)["Entries"]) > int(wide["Entries"])
    page.segmented_control(key="sample-how").set_value(BY_NUMBER).run()
    page.number_input(key="sample-total").set_value(12).run()
    page.number_input(key="sample-seed").set_value(77).run()
    assert numbers(page)["Entries"] == "12"
    assert "12 of 30 queries from 4 strata" in shown(page)
    page.multiselect(key=f"filter-source-{dataset.id}").set_value(["wiki"]).run()
    assert "12 of 20 queries from 2 strata" in shown(page)
    assert "source is wiki" in shown(page)
    started(page, "drawn")
    (campaign,) = campaigns_on(workspace, dataset)
    assert (campaign.sample_seed, campaign.frame_condition) == (77, "source is wiki")
    with workspace.database.read() as connection:
        assert campaigns.count_entries(connection, campaign.id) == 12


def test_the_entries_of_each_stratum_are_set_by_hand(workspace: Workspace, dataset: DatasetRow) -> None:
    page = opened(dataset, SampleKind.STRATIFIED)
    page.segmented_control(key="sample-how").set_value(BY_HAND).run()
    assert not page.exception
    assert "30 of 30 queries from 4 strata" in shown(page)
    page.multiselect(key=f"filter-source-{dataset.id}").set_value(["wiki"]).run()
    assert "20 of 20 queries from 2 strata, divided as set by hand." in shown(page)
    started(page, "by hand")
    (campaign,) = campaigns_on(workspace, dataset)
    assert campaign.allocation == "by hand"
    page = opened(dataset, SampleKind.SIMPLE)
    assert BY_HAND not in page.segmented_control(key="sample-how-simple").options


def test_what_cannot_be_drawn_is_told_and_cannot_be_started(dataset: DatasetRow) -> None:
    page = opened(dataset, SampleKind.STRATIFIED)
    page.segmented_control(key="sample-how").set_value(BY_NUMBER).run()
    page.number_input(key="sample-total").set_value(31).run()
    assert "too large" in page.error[0].value
    assert "Start" not in [each.label for each in page.button]


def test_a_name_in_use_is_refused_and_the_choices_stay(workspace: Workspace, dataset: DatasetRow) -> None:
    start_campaign(workspace, dataset=dataset, name="taken")
    page = started(opened(dataset, SampleKind.SIMPLE), "taken")
    assert "choose another name" in page.error[0].value
    assert page.radio(key=f"sample-kind-{dataset.id}").value is SampleKind.SIMPLE


def test_earlier_campaigns_are_left_out_and_guessed_from(workspace: Workspace, dataset: DatasetRow) -> None:
    request = SampleRequest(SampleKind.STRATIFIED, seed=1, total=9)
    first = start_campaign(workspace, dataset=dataset, name="first", sample=request)
    page = opened(dataset, SampleKind.STRATIFIED)
    page.multiselect(key=f"leave-out-{dataset.id}").set_value([first.id]).run()
    assert "9 queries of earlier campaigns are left out. They were drawn at random" in shown(page)
    page.selectbox(key="sample-guess-from").set_value(first.id).run()
    assert "no decided entry to guess from" in page.error[0].value


def test_named_queries_are_checked_as_they_are_typed(workspace: Workspace, dataset: DatasetRow) -> None:
    page = opened(dataset, SampleKind.IDS)
    assert "Paste the ids" in shown(page)
    page.text_area(key="sample-ids").set_value("nothing").run()
    assert "No query of the frame has the id nothing" in page.error[0].value
    page.text_area(key="sample-ids").set_value("law-Doc-Near-0\nwiki-Cross-Doc-2").run()
    assert "No probability sample" in shown(page)
    started(page, "listed")
    (campaign,) = campaigns_on(workspace, dataset)
    assert campaign.sample_method == "list of ids"


def test_another_seed_is_made_up_by_a_button(dataset: DatasetRow) -> None:
    page = opened(dataset, SampleKind.SIMPLE)
    before = page.number_input(key="sample-seed").value
    page.button(key="sample-another-seed").click().run()
    assert page.number_input(key="sample-seed").value != before


def test_a_bar_stands_for_each_expected_half_width_and_says_when_it_is_too_wide() -> None:
    from audit_core.sampling import Allocation, StratumGuess, Wanted, plan_by_hand
    from audit_core.ui.plan_table import plan_table

    guesses = [StratumGuess("b<i>", "Doc-Far", 100, 0.9), StratumGuess("a", "Page-Single", 50, 0.9)]
    plan = plan_by_hand(guesses, {("b<i>", "Doc-Far"): 10, ("a", "Page-Single"): 50}, wanted=Wanted(stratum=0.05))
    assert plan.allocation is Allocation.BY_HAND
    html = plan_table(plan, sources=["b<i>", "a"])
    assert "b&lt;i&gt;" in html
    assert "b<i>" not in html
    assert html.count("wider than the wanted 5.00 points") == 1
    assert ">exact<" in html
    assert html.rindex("b&lt;i&gt;") < html.rindex(">a<")
