"""Pages on relevance campaigns and query reviews: starting one, the report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from audit_core.storage.people import Person
from audit_core.workflow import judging
from audit_core.workflow.campaigns import find_campaign
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.workspace import Workspace
from tests.homes import with_campaign
from tests.strata_bundle import strata_bundle
from tests.ui.conftest import run, shown

KEEP = {
    "naturalness": "ok",
    "ambiguity": "ok",
    "answerability": "ok",
    "evidence": "yes",
    "quality": 9,
    "outcome": "keep",
}
DISCARD = {**KEEP, "answerability": "remove", "answerability_reasons": ["absent"], "outcome": "discard"}


def judge(workspace: Workspace, person: Person, campaign_id: int, number: int, fields: dict[str, Any]) -> None:
    entry = judging.entry_numbered(workspace, person, campaign_id=campaign_id, number=number)
    body = {"nonce": f"nonce-{number:06}", "base_revision": 0, "outcome": "judged", "fields": fields}
    judging.save_judgment(workspace, person, entry_id=entry.row.id, body=body)


@pytest.mark.usefixtures("ada")
@pytest.mark.parametrize("protocol", ["relevance", "query-review"])
def test_all_four_protocols_are_offered_and_the_chosen_one_is_started(
    workspace: Workspace, tmp_path: Path, protocol: str
) -> None:
    import_bundle(workspace, strata_bundle(tmp_path / "strata"))
    page = run("new_campaign")
    assert page.radio(key="campaign-protocol").options == [
        "Audit: correct, or what is wrong",
        "Keep or remove",
        "Relevance: grade every page",
        "Query review: keep, rewrite or discard",
    ]
    page.radio(key="campaign-protocol").set_value(protocol).run()
    page.text_input(key="campaign-name").set_value("made")
    page.button(key="campaign-start").click().run()
    assert not page.exception
    assert find_campaign(workspace, "made").protocol == protocol


def test_the_report_of_a_review_shows_the_verdict_and_a_table_for_each_field(
    workspace: Workspace, ada: Person, tmp_path: Path
) -> None:
    campaign = with_campaign(workspace, tmp_path / "bundle", protocol="query-review")
    judge(workspace, ada, campaign.id, 1, KEEP)
    judge(workspace, ada, campaign.id, 2, DISCARD)
    page = run("report", campaign=str(campaign.id))
    words = shown(page)
    assert page.title[0].value == "Query review report"
    assert "1 of 2 decided entries is to be discarded: 50.0 %" in words
    for name in ("fields-table", "field-table-naturalness", "field-table-quality", "field-table-outcome"):
        assert name in words
    assert "1 of 2<br><small>50.0 % (9.5-90.5)</small>" in words
    for strange in ("audit-table", "removal-table", "are correct"):
        assert strange not in words
    assert {f"download-{form}" for form in ("csv", "json", "latex", "markdown")} <= {
        each.key for each in page.get("download_button")
    }


def test_the_report_of_a_relevance_campaign_counts_pages_by_grade(
    workspace: Workspace, ada: Person, tmp_path: Path
) -> None:
    campaign = with_campaign(workspace, tmp_path / "bundle", protocol="relevance")
    judge(workspace, ada, campaign.id, 1, {"query": "poor", "reasons": ["unclear"]})
    page = run("report", campaign=str(campaign.id))
    words = shown(page)
    assert page.title[0].value == "Relevance report"
    assert "1 of 1 decided entry is poor: 100.0 %" in words
    assert "Grade (counts of pages)" in words
    assert "undefined<br><small>0 of 0</small>" in words, "no page was graded"
