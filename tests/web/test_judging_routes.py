"""The routes of the judging surface, as its contract has them."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from audit_core.domain import CampaignState
from audit_core.storage import database as database_module
from audit_core.storage.campaigns import CampaignRow
from audit_core.workflow.campaigns import set_campaign_state
from audit_core.workflow.workspace import Workspace
from tests.homes import row_counts, with_campaign
from tests.web.conftest import Browser

STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")


def _state(browser: Browser, campaign: CampaignRow, **query: object) -> dict[str, Any]:
    answer = browser.get(f"/api/campaigns/{campaign.id}/state", params=query)
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    said: dict[str, Any] = answer.json()
    return said


def test_the_state_has_all_that_the_surface_needs(ada: Browser, campaign: CampaignRow) -> None:
    state = _state(ada, campaign)
    assert state["campaign"] == {
        "id": campaign.id, "name": "fresh", "dataset": "small", "revision": "1", "protocol": "audit", "state": "open",
        "entries": 3, "hand_out": "all", "stage": None, "guidelines": None,
    }  # fmt: skip
    assert state["me"]["name"] == "Ada"
    assert [each["code"] for each in state["protocol"]["codes"]] == list("FEUN")
    assert state["progress"] == {"entries": 3, "judged": 0, "cannot_judge": 0, "drafts": 0, "left": 3, "today": 0}
    assert state["entry"]["number"] == 1
    assert [each["number"] for each in state["next"]] == [2, 3]


def test_the_asked_entry_comes_first_and_the_next_ones_wrap(ada: Browser, campaign: CampaignRow) -> None:
    state = _state(ada, campaign, entry=2, count=1)
    assert (state["entry"]["number"], [each["number"] for each in state["next"]]) == (2, [3])
    assert [each["number"] for each in _state(ada, campaign, entry=3)["next"]] == [1, 2]
    assert len(_state(ada, campaign, count=999_999_999)["next"]) == 2


def test_when_all_is_judged_the_state_has_no_entry(ada: Browser, campaign: CampaignRow) -> None:
    for number in (1, 2, 3):
        entry = _state(ada, campaign, entry=number)["entry"]
        assert ada.judge(entry["id"], nonce=f"nonce-{number:04}").status_code == 200
    state = _state(ada, campaign)
    assert (state["entry"], state["next"], state["progress"]["left"]) == (None, [], 0)
    assert _state(ada, campaign, entry=2)["entry"]["saved"]["revision"] == 1


def test_a_judgment_is_acknowledged_with_nonce_revision_time_and_progress(ada: Browser, campaign: CampaignRow) -> None:
    entry = _state(ada, campaign)["entry"]["id"]
    first = ada.judge(entry, codes="FE", note="n", active_ms=5321)
    answer = first.json()
    assert (answer["nonce"], answer["revision"], answer["repeated"]) == ("nonce-0001", 1, False)
    assert STAMP.fullmatch(answer["saved_at"])
    assert answer["progress"]["judged"] == 1
    again = ada.judge(entry, codes="FE", note="n", active_ms=5321)
    assert (again.status_code, again.json()) == (200, {**answer, "repeated": True})
    saved = ada.get(f"/api/campaigns/{campaign.id}/entries/1").json()["entry"]["saved"]
    assert saved == {
        "revision": 1, "outcome": "judged", "codes": "FE", "note": "n", "reason": "", "targets": {}, "correction": None,
        "fields": {}, "saved_at": answer["saved_at"],
    }  # fmt: skip


def test_a_conflict_brings_ones_own_newest_answer(ada: Browser, campaign: CampaignRow) -> None:
    entry = _state(ada, campaign)["entry"]["id"]
    ada.judge(entry, codes="F")
    answer = ada.judge(entry, nonce="nonce-0002", codes="N")
    body = answer.json()
    assert (answer.status_code, body["code"]) == (409, "conflict")
    assert set(body) == {"code", "error", "newest"}
    assert set(body["newest"]) == {
        "revision",
        "outcome",
        "codes",
        "note",
        "reason",
        "targets",
        "fields",
        "correction",
        "saved_at",
    }
    assert (body["newest"]["revision"], body["newest"]["codes"]) == (1, "F")


def test_a_closed_campaign_answers_410_and_still_shows_its_entries(
    ada: Browser, campaign: CampaignRow, workspace: Workspace
) -> None:
    entry = _state(ada, campaign)["entry"]["id"]
    set_campaign_state(workspace, campaign, CampaignState.CLOSED)
    answer = ada.judge(entry)
    assert (answer.status_code, answer.json()["code"]) == (410, "closed")
    assert _state(ada, campaign)["campaign"]["state"] == "closed"


def test_a_draft_is_kept_shown_and_thrown_away(ada: Browser, campaign: CampaignRow) -> None:
    entry = _state(ada, campaign)["entry"]["id"]
    draft: dict[str, Any] = {
        "base_revision": 0,
        "outcome": None,
        "codes": "F",
        "note": "",
        "reason": "",
        "targets": {},
        "correction": None,
        "active_ms": 1234,
    }
    saved = ada.send("PUT", f"/api/entries/{entry}/draft", draft).json()
    assert STAMP.fullmatch(saved["saved_at"])
    state = _state(ada, campaign)
    assert state["entry"]["draft"] == {**draft, **saved}
    assert state["progress"]["drafts"] == 1
    overview = ada.get(f"/api/campaigns/{campaign.id}/overview").json()["entries"]
    assert overview[0] == {
        "number": 1,
        "state": "draft",
        "codes": "",
        "fields": {},
        "flag": None,
        "source": "wiki",
        "structure": "Page-Single",
    }
    assert ada.send("DELETE", f"/api/entries/{entry}/draft").json() == {}
    assert _state(ada, campaign)["entry"]["draft"] is None


def test_a_draft_with_half_a_character_in_it_never_makes_its_entry_unreadable(
    ada: Browser, campaign: CampaignRow
) -> None:
    entry = _state(ada, campaign)["entry"]["id"]
    content = b'{"codes": "E", "targets": {"E": ["\\ud800"]}}'
    headers = {"X-Assay": "1", "Origin": "http://testserver"}
    answer = ada.client.put(f"/api/entries/{entry}/draft", content=content, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    assert _state(ada, campaign)["entry"]["draft"] is None


def test_another_person_s_draft_and_judgment_are_out_of_reach(
    ada: Browser, open_browser: Callable[..., Browser], campaign: CampaignRow
) -> None:
    bob = open_browser("Bob")
    entry = _state(ada, campaign)["entry"]["id"]
    ada.judge(entry, codes="F", note="secret judgment")
    ada.send("PUT", f"/api/entries/{entry}/draft", {"base_revision": 1, "codes": "FE", "note": "secret draft"})
    assert bob.send("DELETE", f"/api/entries/{entry}/draft").status_code == 200
    for path in ("state", "upcoming", "overview", "entries/1"):
        answer = bob.get(f"/api/campaigns/{campaign.id}/{path}")
        assert answer.status_code == 200
        assert "secret" not in answer.text
        assert "Ada" not in answer.text
    refused = bob.judge(entry, nonce="nonce-0001", codes="N")  # Ada's nonce
    assert refused.status_code == 422
    assert "secret" not in refused.text
    assert _state(ada, campaign, entry=1)["entry"]["draft"]["note"] == "secret draft"


def test_upcoming_leaves_out_what_is_under_way(ada: Browser, campaign: CampaignRow) -> None:
    answer = ada.get(f"/api/campaigns/{campaign.id}/upcoming", params={"after": 1, "skip": "2, ,x,-1,3" + "9" * 30})
    assert [each["number"] for each in answer.json()["next"]] == [3, 1]
    huge = ",".join(["9" * 5_000, "9" * 19, "2147483648", "٣"])
    answer = ada.get(f"/api/campaigns/{campaign.id}/upcoming", params={"skip": huge})
    assert [each["number"] for each in answer.json()["next"]] == [1, 2, 3]
    many = ada.get(f"/api/campaigns/{campaign.id}/upcoming", params={"skip": ",".join(map(str, range(4, 3_000)))})
    assert len(many.json()["next"]) == 3


NO_NUMBERS = ["1e5", "-1", "0x1", "1.0", "٣", "%201", "9" * 10, "9" * 400, "NaN", "", "1%00", "None", "+1", "1_0"]


def test_what_is_no_whole_number_in_a_path_is_not_found(ada: Browser, campaign: CampaignRow) -> None:
    for number in NO_NUMBERS:
        for path in (f"/api/campaigns/{number}/state", f"/api/campaigns/{campaign.id}/entries/{number}"):
            assert ada.get(path).status_code == 404, path
        assert ada.judge(number).status_code == 404, number  # type: ignore[arg-type]
        assert ada.send("PUT", f"/api/entries/{number}/draft", {}).status_code == 404, number


@pytest.mark.parametrize("number", ["0", "999999999", "4"])
def test_a_number_of_nothing_is_not_found(ada: Browser, campaign: CampaignRow, number: str) -> None:
    answer = ada.get(f"/api/campaigns/{campaign.id}/entries/{number}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert ada.get(f"/api/campaigns/{int(number) + 100}/state").status_code == 404
    assert ada.judge(int(number) + 100).status_code == 404


@pytest.mark.parametrize(
    "query", [{"entry": "1e5"}, {"entry": "-1"}, {"count": "many"}, {"count": "-1"}, {"entry": "9" * 5000}]
)
def test_what_is_no_whole_number_in_a_query_is_refused(
    ada: Browser, campaign: CampaignRow, query: dict[str, str]
) -> None:
    answer = ada.get(f"/api/campaigns/{campaign.id}/state", params=query)
    assert answer.status_code == 404
    assert "whole number" in answer.json()["error"]


# --- when the database cannot take it --------------------------------------------------------------------------------


def test_a_locked_database_answers_503_and_the_same_judgment_is_taken_later(
    ada: Browser, campaign: CampaignRow, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = _state(ada, campaign)["entry"]["id"]
    workspace.database.close()  # connections made from now on wait a shorter time
    monkeypatch.setattr(database_module, "BUSY_TIMEOUT_MS", 50)
    assert workspace.database.file is not None
    other = sqlite3.connect(workspace.database.file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    answer = ada.judge(entry, codes="F")
    assert (answer.status_code, answer.json()["code"]) == (503, "storage")
    assert "nothing was saved" in answer.json()["error"]
    assert _state(ada, campaign)["progress"]["judged"] == 0  # reading goes on
    other.execute("ROLLBACK")
    other.close()
    assert ada.judge(entry, codes="F").json()["repeated"] is False


def test_a_read_only_database_answers_503(
    ada: Browser, campaign: CampaignRow, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = _state(ada, campaign)["entry"]["id"]
    before = row_counts(workspace)
    workspace.database.close()
    file, real = workspace.database.file, sqlite3.connect
    monkeypatch.setattr(
        workspace.database.engine.dialect.loaded_dbapi,
        "connect",
        lambda _place, *rest, **options: real(f"file:{file}?mode=ro", *rest, **{**options, "uri": True}),
    )
    for answer in (
        ada.judge(entry),
        ada.send("PUT", f"/api/entries/{entry}/draft", {}),
        ada.send("POST", "/api/session", {"name": "Bob"}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (503, "storage")
        assert "read-only" in answer.json()["error"]
    assert row_counts(workspace) == before


def test_a_campaign_whose_dataset_folder_is_gone_says_which_to_put_back(
    ada: Browser, campaign: CampaignRow, workspace: Workspace
) -> None:
    (folder,) = workspace.datasets_folder.iterdir()
    folder.rename(folder.with_name("elsewhere"))
    answer = ada.get(f"/api/campaigns/{campaign.id}/state")
    assert answer.status_code == 404
    assert "Put it back from a copy" in answer.json()["error"]


def test_every_answer_is_json_without_nan(ada: Browser, campaign: CampaignRow) -> None:
    for path in ("state", "upcoming", "overview", "entries/2"):
        answer = ada.get(f"/api/campaigns/{campaign.id}/{path}")
        json.loads(answer.content, parse_constant=lambda constant: pytest.fail(constant))


def test_a_removal_campaign_is_described_judged_and_drafted_by_its_fields(
    ada: Browser, workspace: Workspace, tmp_path: Path
) -> None:
    campaign = with_campaign(workspace, tmp_path / "removal", protocol="removal")
    state = _state(ada, campaign)
    assert (state["campaign"]["protocol"], state["protocol"]["name"]) == ("removal", "removal")
    assert [field["name"] for field in state["protocol"]["fields"]][:2] == ["remove", "clarity"]
    assert (state["protocol"]["codes"], state["protocol"]["correction"]) == ([], None)
    entry = state["entry"]["id"]
    assert ada.send("PUT", f"/api/entries/{entry}/draft", {"fields": {"clarity": 0.5}}).status_code == 200
    assert _state(ada, campaign)["entry"]["draft"]["fields"] == {"clarity": 0.5}
    refused = ada.judge(entry, fields={"remove": True, "clarity": 0.3})
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid")
    assert "clarity must be one of 0, 0.25" in refused.json()["error"]
    assert ada.judge(entry, fields={"remove": True, "clarity": 0.25}).status_code == 200
    conflict = ada.judge(entry, nonce="nonce-0002", fields={"remove": False})
    assert conflict.status_code == 409
    assert conflict.json()["newest"]["fields"] == {"remove": True, "clarity": 0.25}
    (row,) = [each for each in ada.get(f"/api/campaigns/{campaign.id}/overview").json()["entries"] if each["fields"]]
    assert (row["state"], row["codes"], row["fields"]) == ("judged", "", {"remove": True, "clarity": 0.25})
