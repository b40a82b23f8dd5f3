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


def test_an_archived_campaign_can_be_looked_at_alone(workspace: Workspace, ada: Person, campaign: CampaignRow) -> None:
    archive_campaign(workspace, campaign, archived=True, person=ada)
    page = run("adjudication", campaign=str(campaign.id))
    assert "This campaign is archived" in shown(page)
    page.button_group[0].set_value("unanimous").run()
    assert "accept-unanimous" not in {each.key for each in page.button}
    with workspace.database.read() as connection:
        assert decisions.newest_of_campaign(connection, campaign.id) == {}


@pytest.mark.usefixtures("ada")
def test_without_a_campaign_the_page_says_what_to_do() -> None:
    assert "Choose a campaign first" in shown(run("adjudication"))


def test_disputes_are_told_in_the_words_of_the_protocol() -> None:
    assert (
        dispute_words(["codes", "targets", "correction", "boxes"], "audit") == "codes, places meant, corrections, boxes"
    )
    assert dispute_words(["fields.naturalness"], "query-review") == "naturalness"
