"""The page on agreement: the sentence, the chart, tables, the matrix, names by choice, downloads, what is undefined."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.people import Person
from audit_core.ui.agreement_chart import agreement_chart
from audit_core.workflow.agreement import campaign_agreement
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.bundles import without_judgments
from tests.homes import with_campaign
from tests.judged_campaigns import save
from tests.team_desk import TeamDesk, with_queries
from tests.ui.conftest import run, shown


@pytest.fixture
def campaign(workspace: Workspace, ada: Person, tmp_path: Path) -> CampaignRow:
    """Ada and Bea <b> judge six entries and differ on one of them."""
    made = with_campaign(workspace, tmp_path, with_queries(6), judgments_per_entry=2)
    bea = sign_in(workspace, "Bea <b>")
    for number in range(1, 7):
        save(workspace, made, ada, number, codes="F" if number == 6 else "")
        save(workspace, made, bea, number, codes="F" if number >= 5 else "")
    return made


def test_the_page_says_first_how_far_they_agree_and_shows_tables_and_downloads(campaign: CampaignRow) -> None:
    page = run("agreement", campaign=str(campaign.id))
    words = shown(page)
    assert page.title[0].value == "Agreement"
    assert "Correct or not: 83.3 % agreement of 2 annotators on 6 entries" in words
    for table in ("figures", "prevalence", "groups", "matrix", "annotators"):
        assert f"agreement-{table}" in words
    assert "agreement-pages" not in words, "nobody named a page"
    assert "1,000 draws, seed 1" in words
    assert {f"download-{form}" for form in ("csv", "json", "latex", "markdown", "text")} <= {
        each.key for each in page.get("download_button")
    }


def test_names_are_shown_only_where_somebody_asks_for_them_and_are_escaped(campaign: CampaignRow) -> None:
    page = run("agreement", campaign=str(campaign.id))
    assert "Bea" not in shown(page)
    assert "ann-" in shown(page)
    page.toggle(key="agreement-names").set_value(True).run()
    assert not page.exception
    assert "Bea &lt;b&gt;" in shown(page)
    assert "Bea <b>" not in shown(page)


def test_another_thing_can_be_looked_at_and_undefined_says_why(campaign: CampaignRow) -> None:
    page = run("agreement", campaign=str(campaign.id))
    page.selectbox(key="agreement-item").set_value("codes.N").run()
    assert not page.exception
    words = shown(page)
    assert "Code N: not answerable here: by source" in words
    assert "everyone said no: expected agreement is 1" in words


def test_the_page_changes_with_the_judgments(workspace: Workspace, ada: Person, campaign: CampaignRow) -> None:
    assert "83.3 % agreement" in shown(run("agreement", campaign=str(campaign.id)))
    save(workspace, campaign, ada, 5, codes="F")
    assert "100.0 % agreement" in shown(run("agreement", campaign=str(campaign.id)))


def test_what_waits_for_ones_own_judgment_is_left_out_of_the_page_and_counted(
    workspace: Workspace, ada: Person, tmp_path: Path
) -> None:
    campaign = with_campaign(workspace, tmp_path, with_queries(6), judgments_per_entry=3)
    bea, cy = sign_in(workspace, "Bea"), sign_in(workspace, "Cy")
    for number in (1, 2, 3):
        for person in (bea, cy):
            save(workspace, campaign, person, number, codes="F" if number > 1 else "")
    assert "on 3 entries" in shown(run("agreement", campaign=str(campaign.id))), "Ada judges nothing yet"
    save(workspace, campaign, ada, 1, codes="")
    words = shown(run("agreement", campaign=str(campaign.id)))
    assert "agreement of 3 annotators on 1 entry" in words
    assert "2 entries wait for your own judgment and are left out. Judge them first" in words
    save(workspace, campaign, ada, 2, codes="")
    words = shown(run("agreement", campaign=str(campaign.id)))
    assert "agreement of 3 annotators on 2 entries" in words
    assert "1 entry waits for your own judgment and is left out." in words


@pytest.mark.usefixtures("ada")
def test_a_campaign_without_two_answers_on_an_entry_says_what_is_missing(workspace: Workspace, tmp_path: Path) -> None:
    campaign = with_campaign(workspace, tmp_path, without_judgments)
    words = shown(run("agreement", campaign=str(campaign.id)))
    assert "agreement is undefined (nobody rated anything)" in words
    assert "No entry has answers of two annotators yet" in words


@pytest.mark.usefixtures("ada")
def test_the_pilot_is_a_choice_of_its_own(workspace: Workspace, tmp_path: Path) -> None:
    desk = TeamDesk(
        workspace, tmp_path, queries=6, names=("Bob", "Cy"), pilot_entries=2, pilot_judgments=2, judgments_per_entry=1
    )
    pilot = [each for each in desk.entries() if each.is_pilot]
    for person in desk.people:
        for each in pilot:
            desk.save_row(person, each.id, codes="", base_revision=0)
    page = run("agreement", campaign=str(desk.campaign.id))
    assert "agreement is undefined" in shown(page)
    page.button_group(key="agreement-part").set_value("the pilot").run()
    assert not page.exception
    assert "100.0 % agreement of 2 annotators on 2 entries" in shown(page)


@pytest.mark.usefixtures("ada")
def test_without_a_campaign_the_page_leads_to_the_campaigns() -> None:
    assert "There is no campaign yet" in shown(run("agreement"))


def test_the_chart_has_a_dot_for_every_defined_figure_with_its_interval(
    workspace: Workspace, campaign: CampaignRow
) -> None:
    report = campaign_agreement(workspace, campaign.id)
    chart = agreement_chart(report)
    traces = {each.name.partition(" ")[0]: each for each in chart.data}
    assert set(traces) == {"Percent", "Krippendorff's", "Gwet's"}
    # Alpha is undefined of E, U and N, which nobody gave; AC1 has no figure of sets.
    assert [len(traces[name].x) for name in ("Percent", "Krippendorff's", "Gwet's")] == [6, 3, 5]
    assert "1,000 draws, seed 1" in chart.layout.title.text
    assert "of sets MASI" in traces["Krippendorff's"].name
    assert not chart.layout.annotations, "no row is blank"
    decision = report.items[0].agreed.figure("alpha")
    assert decision is not None
    assert traces["Krippendorff's"].x[0] == decision.value


def test_a_row_of_the_chart_without_a_dot_says_why_and_sets_are_named_only_where_there_are_some(
    workspace: Workspace, ada: Person, tmp_path: Path
) -> None:
    campaign = with_campaign(workspace, tmp_path, with_queries(3), protocol="removal", judgments_per_entry=2)
    for person in (ada, sign_in(workspace, "Bea")):
        for number in (1, 2):
            save(workspace, campaign, person, number, fields={"remove": number == 1})
    report = campaign_agreement(workspace, campaign.id, bootstrap=None)
    chart = agreement_chart(report)
    assert {each.name for each in chart.data} == {
        "Percent agreement (as a part of 1)", "Krippendorff's alpha", "Gwet's AC1 or AC2 (quadratic)",
    }  # fmt: skip
    said = {each.y: each.text for each in chart.layout.annotations}
    assert said == dict.fromkeys(range(1, 5), "undefined: nobody rated anything"), (
        "of the four criteria that were left open"
    )
