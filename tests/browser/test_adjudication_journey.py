"""Adjudication in the real app: a dispute decided beside its pages, a lone judgment read again, unanimous ones accepted together."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, expect

from audit_core.domain import CampaignState, HandOut
from audit_core.storage.campaigns import CampaignRow
from audit_core.workflow.adjudicating import EntryStanding, entry_states
from audit_core.workflow.campaign_states import set_campaign_state
from audit_core.workflow.campaigns import find_campaign, find_dataset
from audit_core.workflow.sample_request import SampleKind, SampleRequest
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.team_campaigns import TeamRequest, start_team_campaign
from audit_core.workflow.workspace import Workspace
from tests.browser.conftest import AppServer
from tests.browser.journeys import HOST, Visitor
from tests.homes import another_home
from tests.judged_campaigns import save

SAMPLE = "assay-sample"


@contextmanager
def looking(app: AppServer) -> Iterator[tuple[Workspace, CampaignRow]]:
    with another_home(app.home) as workspace:
        yield workspace, find_campaign(workspace, "team")


def standings(app: AppServer) -> dict[int, EntryStanding]:
    with looking(app) as (workspace, campaign):
        return {each.number: each for each in entry_states(workspace, campaign.id)}


@pytest.fixture
def judged_app(app: AppServer) -> AppServer:
    """The app with a closed campaign: Ada and Bob differ on entry 1 and agree on 2 and 3; entry 4 is Bob's alone."""
    app.run("prepare")
    with another_home(app.home) as workspace:
        ada, bob = (sign_in(workspace, name) for name in ("Ada", "Bob"))
        start_team_campaign(
            workspace, dataset=find_dataset(workspace, SAMPLE), name="team",
            sample=SampleRequest(SampleKind.SIMPLE, seed=3, total=4),
            team=TeamRequest(hand_out=HandOut.EXACT, annotators=(ada.id, bob.id), judgments_per_entry=2),
        )  # fmt: skip
        campaign = find_campaign(workspace, "team")
        save(
            workspace,
            campaign,
            ada,
            1,
            codes="F",
            note="two tables fit",
            correction={"query": "Which one, of the two?"},
        )
        save(workspace, campaign, bob, 1, codes="")
        for number in (2, 3):
            for person in (ada, bob):
                save(workspace, campaign, person, number, codes="E" if number == 2 else "")
        save(workspace, campaign, bob, 4, codes="N")
        set_campaign_state(workspace, campaign, CampaignState.CLOSED)
    app.start()
    return app


def test_a_campaign_is_adjudicated_from_its_page_to_the_last_entry(judged_app: AppServer, page: Page) -> None:
    cora = Visitor(page, judged_app).sign_in("Cora")
    page.goto(f"{judged_app.address}/adjudication?campaign={cora.campaign_id('team')}")
    page.get_by_role("link", name="Decide the disputed entries").click()
    cora.ready(1)
    expect(cora.part("card")).to_have_count(2)
    expect(cora.part("disputes")).to_contain_text("codes")
    expect(cora.part("card-block")).not_to_contain_text("Ada")
    assert cora.images_are_decoded()
    taken = cora.part("card").filter(has_text="two tables fit").get_attribute("data-label")
    cora.press("1" if taken == "A" else "2", "s", "Enter").acknowledged()
    cora.ready("finished")
    decision = standings(judged_app)[1].decision
    assert decision is not None
    assert (decision.basis, decision.codes, decision.confidence) == ("taken", "F", "sure")
    assert decision.correction == {"query": "Which one, of the two?"}
    cora.part("to-second").click()
    cora.ready(4)
    cora.press("c", "s", "r")
    page.keyboard.type("page 2 answers it")
    cora.press("Enter").acknowledged()
    cora.ready("finished")
    page.get_by_role("link", name="Back to the adjudication page").click()
    expect(page.get_by_text("Second reading: 1 of 1 lone judgments were overturned.")).to_be_visible()
    page.get_by_text("Unanimous", exact=True).last.click()
    page.get_by_role("button", name="Accept these 2 together").click()
    page.get_by_role("button", name="Accept 2", exact=True).click()
    expect(page.get_by_text("2 unanimous entries were accepted.")).to_be_visible()
    bases = {number: each.decision.basis for number, each in standings(judged_app).items() if each.decision}
    assert bases == {1: "taken", 2: "unanimous", 3: "unanimous", 4: "second_reading"}


def test_a_decision_is_reopened_and_decided_anew_in_the_real_app(judged_app: AppServer, page: Page) -> None:
    cora = Visitor(page, judged_app).sign_in("Cora")
    address = f"{judged_app.address}/adjudicate?campaign={cora.campaign_id('team')}&entry=1"
    page.goto(address)
    cora.ready(1).press("1", "s", "Enter").acknowledged()
    cora.ready("finished")
    page.goto(address)
    cora.ready(1).press("Delete")
    cora.part("reopen-now").click()
    expect(cora.part("decided")).to_contain_text("Reopened")
    assert standings(judged_app)[1].decision is None
    cora.press("n", "r")
    page.keyboard.type("nothing answers it")
    cora.press("Escape", "s", "Enter").acknowledged()
    cora.ready("finished")
    decision = standings(judged_app)[1].decision
    assert decision is not None
    assert (decision.revision, decision.basis, decision.codes, decision.reason) == (3, "own", "N", "nothing answers it")
    expect(page.locator(HOST)).to_have_attribute("data-saving", "0")
