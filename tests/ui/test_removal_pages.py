"""Pages on removal campaigns: starting one, the list, the report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from audit_core.storage.people import Person
from audit_core.workflow import judging
from audit_core.workflow.campaigns import find_campaign, start_campaign
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.workspace import Workspace
from tests.homes import with_campaign
from tests.strata_bundle import strata_bundle
from tests.ui.conftest import run, shown


def judge(workspace: Workspace, person: Person, campaign_id: int, number: int, **fields: Any) -> None:
    entry = judging.entry_numbered(workspace, person, campaign_id=campaign_id, number=number)
    body = {"nonce": f"nonce-{number:06}", "base_revision": 0, "outcome": "judged", "fields": fields}
    judging.save_judgment(workspace, person, entry_id=entry.row.id, body=body)


@pytest.mark.usefixtures("ada")
@pytest.mark.parametrize(("choice", "protocol"), [(None, "audit"), ("removal", "removal")])
def test_a_campaign_is_started_with_the_protocol_that_was_chosen(
    workspace: Workspace, tmp_path: Path, choice: str | None, protocol: str
) -> None:
    import_bundle(workspace, strata_bundle(tmp_path / "strata"))
    page = run("new_campaign")
    if choice is not None:
        page.radio(key="campaign-protocol").set_value(choice)
    page.text_input(key="campaign-name").set_value("made")
    page.button(key="campaign-start").click().run()
    assert not page.exception
    assert find_campaign(workspace, "made").protocol == protocol
    assert f"protocol {protocol}" in shown(run("campaigns"))


@pytest.mark.usefixtures("ada")
def test_guesses_are_offered_from_audits_only(workspace: Workspace, tmp_path: Path) -> None:
    dataset = import_bundle(workspace, strata_bundle(tmp_path / "strata")).dataset
    for protocol in ("audit", "removal"):
        start_campaign(workspace, dataset=dataset, name=f"earlier {protocol}", protocol=protocol)
    page = run("new_campaign", dataset=str(dataset.id))
    page.radio(key=f"sample-kind-{dataset.id}").set_value("stratified").run()
    offered = page.selectbox(key="sample-guess-from").options
    assert any("earlier audit" in each for each in offered)
    assert not any("earlier removal" in each for each in offered)


def test_the_report_shows_both_tables_and_the_downloads_and_nothing_of_an_audit(
    workspace: Workspace, ada: Person, tmp_path: Path
) -> None:
    campaign = with_campaign(workspace, tmp_path / "bundle", protocol="removal")
    judge(workspace, ada, campaign.id, 1, remove=True, clarity=0.25)
    judge(workspace, ada, campaign.id, 2, remove=False, clarity=1)
    page = run("report", campaign=str(campaign.id))
    words = shown(page)
    assert page.title[0].value == "Removal report"
    assert "1 of 2 decided entries is to be removed: 50.0 %" in words
    assert "1 to keep, 1 to remove, 0 disputed, 0 cannot be judged, 1 not judged" in words
    assert "removal-table" in words
    assert "criteria-table" in words
    assert "1 (1)" in words, "one judgment rates clarity 0.25, and says remove"
    for strange in ("correct /", "audit-table", "are correct"):
        assert strange not in words
    assert {f"download-{form}" for form in ("csv", "json", "latex", "markdown")} <= {
        each.key for each in page.get("download_button")
    }


@pytest.mark.usefixtures("ada")
def test_the_report_of_a_removal_campaign_without_judgments_is_undefined(workspace: Workspace, tmp_path: Path) -> None:
    campaign = with_campaign(workspace, tmp_path / "bundle", protocol="removal")
    assert "the share to remove is undefined" in shown(run("report", campaign=str(campaign.id)))
