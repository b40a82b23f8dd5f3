"""What annotators get of a mixed draw: nothing of scores, chances and parts, before and after they judged."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import sqlalchemy as sa

from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.schema import campaign as campaign_table
from audit_core.storage.schema import entry
from audit_core.workflow.workspace import Workspace
from tests.mixed_bundle import entries_of, mixed_campaign
from tests.web.conftest import Browser

#: Stands in the campaign's plan, where thresholds and strategies are stored.
SECRETS = (b"0.61803", b"made_up", b"first-scores", b"disagree", b"threshold", b"selection", b"mixed", b"probability")
_STAMP = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")


@pytest.fixture(params=["removal", "audit"])
def mixed(request: pytest.FixtureRequest, workspace: Workspace, tmp_path: Path) -> CampaignRow:
    """A campaign of twenty entries: ten at random, ten that scores chose."""
    return mixed_campaign(workspace, tmp_path / "bundle", protocol=request.param, name="queue")


def everything_read(browser: Browser, workspace: Workspace, campaign: CampaignRow) -> dict[str, bytes]:
    """Return the bytes of every judging response that reads: state, entries one by one, lists, pages, images, the page."""
    here = f"/api/campaigns/{campaign.id}"
    paths = [
        f"{here}/state", f"{here}/state?entry=7&count=10", f"{here}/upcoming?after=3&count=10", f"{here}/overview",
        *(f"{here}/overview?state={each}" for each in ("open", "draft", "judged", "flagged")),
        *(f"{here}/entries/{each.number}" for each in entries_of(workspace, campaign)),
        f"{here}/entries/1/documents/0/pages", f"/judge?campaign={campaign.id}&entry=2",
    ]  # fmt: skip
    answers = {path: browser.get(path) for path in paths}
    assert {each.status_code for each in answers.values()} == {200}
    return {path: _STAMP.sub(b"", each.content) for path, each in answers.items()}


def everything_written(browser: Browser, workspace: Workspace, campaign: CampaignRow) -> dict[str, bytes]:
    """Draft, ask, judge and judge again on two entries; return the bytes of the answers."""
    said = {}
    answer = {"fields": {"remove": True}} if campaign.protocol == "removal" else {"codes": "F"}
    for number, each in enumerate(entries_of(workspace, campaign)[:2]):
        here = f"/api/entries/{each.id}"
        body = {"base_revision": 0, "outcome": "judged", **answer}
        for method, path, sent in (
            ("PUT", f"{here}/draft", body),
            ("POST", f"{here}/flags", {"question": "Which page?"}),
            ("POST", f"{here}/judgments", body | {"nonce": f"queue-{number:06}"}),
            ("POST", f"{here}/judgments", body | {"nonce": f"again-{number:06}", "base_revision": 1}),
            ("POST", f"{here}/judgments", body | {"nonce": f"stale-{number:06}"}),
        ):
            got = browser.send(method, path, sent)
            assert got.status_code == (409 if sent.get("nonce", "").startswith("stale") else 200), got.text
            said[f"{method} {path} {sent.get('nonce')}"] = _STAMP.sub(b"", got.content)
    return said


def test_no_judging_response_holds_a_score_a_chance_or_a_part(
    ada: Browser, workspace: Workspace, mixed: CampaignRow
) -> None:
    chances = {str(each.probability).encode() for each in entries_of(workspace, mixed) if each.probability != 1}
    assert len(chances) > 5
    before = everything_read(ada, workspace, mixed)
    written = everything_written(ada, workspace, mixed)
    after = everything_read(ada, workspace, mixed)
    for found in (before, written, after):
        for path, content in found.items():
            for secret in (*SECRETS, *chances):
                # The guidelines of a protocol are the same in every campaign, and their words are ordinary ones.
                assert secret not in _without_protocol(content).lower(), (path, secret)


def _without_protocol(content: bytes) -> bytes:
    start, end = content.find(b'"protocol":{'), content.find(b'"me":{')
    return content if -1 in (start, end) else content[:start] + content[end:]


def test_the_responses_are_the_same_byte_for_byte_whatever_part_an_entry_is_of(
    ada: Browser, workspace: Workspace, mixed: CampaignRow
) -> None:
    before = everything_read(ada, workspace, mixed)
    _forget_the_draw(workspace, mixed)
    assert everything_read(ada, workspace, mixed) == before


def test_what_is_saved_is_answered_the_same_whatever_part_an_entry_is_of(
    ada: Browser, workspace: Workspace, mixed: CampaignRow
) -> None:
    """The parts change places between two judgments: neither answers nor what is read afterwards shows it."""
    everything_written(ada, workspace, mixed)
    before = everything_read(ada, workspace, mixed)
    with workspace.database.write() as connection:
        turned = sa.case((entry.c.selection == "random", "disagreement"), else_="random")
        connection.execute(entry.update().where(entry.c.campaign_id == mixed.id).values(selection=turned))
    assert everything_read(ada, workspace, mixed) == before


def _forget_the_draw(workspace: Workspace, campaign: CampaignRow) -> None:
    with workspace.database.write() as connection:
        nothing = {"selection": None, "probability": None, "probability_combined": None, "place": None}
        connection.execute(entry.update().where(entry.c.campaign_id == campaign.id).values(nothing))
        none = {"plan": None, "sample_scheme": None, "sample_method": "list of ids", "sample_seed": None}
        connection.execute(campaign_table.update().where(campaign_table.c.id == campaign.id).values(none))
