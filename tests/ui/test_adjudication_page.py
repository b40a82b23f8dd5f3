"""The page on which a campaign is adjudicated: counts, lists, unanimous entries accepted together."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit_core.domain import CampaignState
from audit_core.storage import decisions
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.people import Person
from audit_core.ui.adjudication_table import dispute_words
from audit_core.workflow.adjudicating import decide, entry_states
from audit_core.workflow.campaign_states import set_campaign_state
from audit_core.workflow.housekeeping import archive_campaign
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.bundles import without_judgments
from tests.homes import with_campaign
from tests.judged_campaigns import save
from tests.ui.conftest import run, shown


@pytest.fixture
def campaign(workspace: Workspace, ada: Person, tmp_path: Path) -> CampaignRow:
    """A closed campaign: Bea and Cy differ on entry 1 and agree on 2; entry 3 is Cy's alone."""
    made = with_campaign(workspace, tmp_path, without_judgments, judgments_per_entry=2)
    bea, cy = sign_in(workspace, "Bea <b>"), sign_in(workspace, "Cy")
    save(workspace, made, bea, 1, codes="F")
    save(workspace, made, cy, 1, codes="")
    save(workspace, made, bea, 2, codes="E")
    save(workspace, made, cy, 2, codes="E")
    save(workspace, made, cy, 3, codes="N")
    set_campaign_state(workspace, made, CampaignState.CLOSED, person=ada)
    return made


def decided(workspace: Workspace, campaign: CampaignRow) -> dict[int, str]:
    """The bases of the decisions that count, by entry number."""
    return {each.number: each.decision.basis for each in entry_states(workspace, campaign.id) if each.decision}


def test_counts_and_disputes_are_shown_with_what_differs_and_a_link_to_each(campaign: CampaignRow) -> None:
    words = shown(run("adjudication", campaign=str(campaign.id)))
    for count in ("Disputed", "Unanimous", "One judgment", "Decided"):
        assert count in words
    assert "0 of 1 disputed entries are decided." in words
    assert f"/adjudicate?campaign={campaign.id}&amp;entry=1" in words
    assert "F | correct" in words or "correct | F" in words
    assert "codes" in words
    assert "Bea" not in words, "names are not shown beside what is disputed"


def test_unanimous_entries_are_listed_and_accepted_together(workspace: Workspace, campaign: CampaignRow) -> None:
    page = run("adjudication", campaign=str(campaign.id))
    page.button_group[0].set_value("unanimous").run()
    assert not page.exception
    assert "Bea" not in shown(page), "names are shown where they are asked for"
    page.toggle[0].set_value(True).run()
    assert "Bea &lt;b&gt;, Cy" in shown(page)
    assert decided(workspace, campaign) == {}
    page.button("accept-unanimous").click().run()
    assert "1 unanimous entry was accepted." in shown(page)
    assert decided(workspace, campaign) == {2: "unanimous"}
    assert "No unanimous entry waits" in shown(page)


def test_what_was_decided_meanwhile_is_left_and_said(workspace: Workspace, ada: Person, campaign: CampaignRow) -> None:
    page = run("adjudication", campaign=str(campaign.id))
    page.button_group[0].set_value("unanimous").run()
    entry = entry_states(workspace, campaign.id)[1].entry_id
    body = {
        "nonce": "elsewhere",
        "base_revision": 0,
        "basis": "own",
        "outcome": "judged",
        "codes": "U",
        "reason": "one page",
    }
    decide(workspace, ada, entry_id=entry, body=body)
    page.button("accept-unanimous").click().run()
    assert not page.exception
    assert decided(workspace, campaign) == {2: "own"}


def test_decided_entries_tell_basis_by_whom_and_whether_they_judged_it_too(
    workspace: Workspace, ada: Person, campaign: CampaignRow
) -> None:
    states = entry_states(workspace, campaign.id)
    second = {
        "nonce": "second-reading",
        "base_revision": 0,
        "basis": "second_reading",
        "outcome": "judged",
        "codes": "",
    }
    decide(workspace, ada, entry_id=states[2].entry_id, body=second | {"reason": "the table answers it"})
    cy = sign_in(workspace, "Cy")
    taken = {"nonce": "taken-by-cy", "base_revision": 0, "basis": "taken", "outcome": "judged", "codes": "F"}
    decide(workspace, cy, entry_id=states[0].entry_id, body=taken)
    page = run("adjudication", campaign=str(campaign.id))
    words = shown(page)
    assert page.button_group[0].value == "unanimous", "the page begins where something waits"
    assert "Second reading: 1 of 1 lone judgments were overturned." in words
    assert "1 of 1 disputed entries are decided." in words
    page.button_group[0].set_value("decided").run()
    words = shown(page)
    assert "second reading" in words
    assert words.count("decided by one who judged it") == 1
    assert '<th class="text">by</th>' not in words
    page.toggle[0].set_value(True).run()
    assert '<th class="text">by</th>' in shown(page)
    assert '<td class="text said" dir="auto">Cy</td>' in shown(page)


def test_an_archived_campaign_can_be_looked_at_alone(workspace: Workspace, ada: Person, campaign: CampaignRow) -> None:
    archive_campaign(workspace, campaign, archived=True, person=ada)
    page = run("adjudication", campaign=str(campaign.id))
    assert "This campaign is archived" in shown(page)
    page.button_group[0].set_value("unanimous").run()
    assert "accept-unanimous" not in {each.key for each in page.button}
    with workspace.database.read() as connection:
        assert decisions.newest_of_campaign(connection, campaign.id) == {}


def test_what_accepting_would_decide_is_told_in_full_before_it_is_accepted(
    workspace: Workspace, ada: Person, tmp_path: Path
) -> None:
    made = with_campaign(workspace, tmp_path, without_judgments, judgments_per_entry=2)
    box = {"page_id": "p1", "element_id": None, "action": "add", "from": None}
    for name, right in (("Bea", 0.4), ("Cy", 0.42)):
        correction = {"query": "What is <one>?", "boxes": [{**box, "to": [0.1, 0.1, right, 0.5]}]}
        save(
            workspace, made, sign_in(workspace, name), 1, codes="E", targets={"E": ["p1", "e1"]}, correction=correction
        )
        save(workspace, made, sign_in(workspace, name), 2, codes="")
    set_campaign_state(workspace, made, CampaignState.CLOSED, person=ada)
    page = run("adjudication", campaign=str(made.id))
    assert page.button_group[0].value == "unanimous"
    words = shown(page)
    assert "E: p1, e1" in words or "E: e1, p1" in words
    assert "reword the query: What is &lt;one&gt;?" in words
    assert "add a box on page p1: 10 to 40 % across, 10 to 50 % down" in words, "the first judgment is taken"
    assert words.count("The boxes differ a little: those of") == 1
    page.toggle[0].set_value(True).run()
    assert "those of Bea are taken" in shown(page)
    page.button("accept-unanimous").click().run()
    taken = entry_states(workspace, made.id)[0].decision
    assert taken is not None
    assert taken.correction is not None
    assert taken.correction["boxes"][0]["to"] == [0.1, 0.1, 0.4, 0.5]


def test_a_lead_who_judges_too_sees_entries_that_wait_for_them_as_open(
    workspace: Workspace, ada: Person, tmp_path: Path
) -> None:
    made = with_campaign(workspace, tmp_path, without_judgments, judgments_per_entry=2)
    bea, cy = sign_in(workspace, "Bea"), sign_in(workspace, "Cy")
    save(workspace, made, bea, 1, codes="F")
    save(workspace, made, cy, 1, codes="")
    save(workspace, made, ada, 3, codes="N")
    page = run("adjudication", campaign=str(made.id))
    assert {each.label: each.value for each in page.metric} == {
        "Disputed": "0", "Unanimous": "0", "One judgment": "0", "Decided": "0", "Open": "3",
    }  # fmt: skip
    assert "0 of 0 disputed entries are decided." in shown(page)
    assert "No disputed entry is left to decide." in shown(page)


@pytest.mark.usefixtures("ada")
def test_a_campaign_that_there_is_not_is_said_with_the_way_to_the_others() -> None:
    page = run("adjudication", campaign="999")
    assert not page.exception
    assert "There is no campaign 999 (any more)" in shown(page)
    assert "python -m" not in shown(page)


@pytest.mark.usefixtures("ada")
def test_without_a_campaign_the_page_says_what_to_do() -> None:
    assert "Choose a campaign first" in shown(run("adjudication"))


def test_disputes_are_told_in_the_words_of_the_protocol() -> None:
    assert (
        dispute_words(["codes", "targets", "correction", "boxes"], "audit") == "codes, places meant, corrections, boxes"
    )
    assert dispute_words(["fields.naturalness"], "query-review") == "naturalness"
