"""The routes of adjudication, as their contract has them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from httpx2 import Response

from audit_core.domain import CampaignState, Role
from audit_core.storage import decisions
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.people import Person
from audit_core.workflow import sessions, sign_in
from audit_core.workflow.annotators import remove_annotator
from audit_core.workflow.campaign_states import set_campaign_state
from audit_core.workflow.comments import add_comment
from audit_core.workflow.housekeeping import archive_campaign
from audit_core.workflow.workspace import Workspace
from tests.accounts import cheap_hashes, with_account
from tests.bundles import without_judgments
from tests.homes import row_counts, with_campaign
from tests.judged_campaigns import save
from tests.web.conftest import OURS, Browser

_nonces = count(1)
ROLES = {"Ada": Role.ANNOTATOR, "Bob": Role.ANNOTATOR, "Cora": Role.ADJUDICATOR, "Lena": Role.LEAD}


class Desk:
    """A closed campaign that Ada and Bob judged: they differ on entry 1, agree on 2, and 3 is Ada's alone."""

    def __init__(self, workspace: Workspace, folder: Path, open_browser: Callable[..., Browser]) -> None:
        self.workspace = workspace
        with cheap_hashes():
            self.people = {name: with_account(workspace, name, role) for name, role in ROLES.items()}
        self.campaign: CampaignRow = with_campaign(workspace, folder, without_judgments, judgments_per_entry=2)
        ada, bob = self.people["Ada"], self.people["Bob"]
        save(workspace, self.campaign, ada, 1, codes="F", note="vague")
        save(workspace, self.campaign, bob, 1, codes="")
        save(workspace, self.campaign, ada, 2, codes="E", targets={"E": ["p3"]})
        save(workspace, self.campaign, bob, 2, codes="E", targets={"E": ["p3"]})
        save(workspace, self.campaign, ada, 3, codes="N")
        set_campaign_state(workspace, self.campaign, CampaignState.CLOSED)
        self.open_browser = open_browser

    def browser(self, name: str) -> Browser:
        browser = self.open_browser()
        browser.client.cookies.set(sign_in.COOKIE, sessions.token_for(self.workspace, self.people[name]))
        return browser

    def person(self, name: str) -> Person:
        return self.people[name]

    def state(self, browser: Browser, **query: object) -> dict[str, Any]:
        answer = browser.get(f"/api/campaigns/{self.campaign.id}/adjudication", params=query)
        assert answer.status_code == 200, answer.text
        assert answer.headers["cache-control"] == "no-store"
        said: dict[str, Any] = answer.json()
        return said

    def decide(self, browser: Browser, entry: int, **body: Any) -> Response:
        filled = {"nonce": f"decision-{next(_nonces):04}", "base_revision": 0, "outcome": "judged", "codes": "", **body}
        return browser.send("POST", f"/api/entries/{entry}/decisions", filled)

    def reveals(self) -> set[tuple[int, int]]:
        with self.workspace.database.read() as connection:
            return set(decisions.reveals_of_campaign(connection, self.campaign.id))


@pytest.fixture
def desk(
    workspace: Workspace, tmp_path: Path, open_browser: Callable[..., Browser], monkeypatch: pytest.MonkeyPatch
) -> Desk:
    monkeypatch.setenv("ASSAY_ACCOUNTS", "local")
    return Desk(workspace, tmp_path / "bundle", open_browser)


def test_the_first_disputed_entry_comes_with_all_judgments_and_no_names(desk: Desk) -> None:
    state = desk.state(desk.browser("Cora"))
    assert state["campaign"]["name"] == "fresh"
    assert (state["campaign"]["state"], state["campaign"]["entries"]) == ("closed", 3)
    assert state["counts"] == {"disputed": 1, "unanimous": 1, "single": 1, "decided": 0, "open": 0}
    assert (state["protocol"]["name"], state["me"]["name"]) == ("audit", "Cora")
    entry = state["entry"]
    assert (entry["number"], entry["state"], entry["disputes"], entry["decision"]) == (1, "disputed", ["codes"], None)
    assert entry["pages"][0]["boxes"]
    assert not {"saved", "draft"} & set(entry)
    assert sorted((each["codes"], each["note"]) for each in entry["judgments"]) == [("", ""), ("F", "vague")]
    assert [each["label"] for each in entry["judgments"]] == ["A", "B"]
    assert all(each["name"] is None and each["blind"] and not each["mine"] for each in entry["judgments"])
    assert state["next"] == []
    assert "Ada" not in str(state)
    assert "Bob" not in str(state)


def test_names_come_when_they_are_asked_for(desk: Desk) -> None:
    cora = desk.browser("Cora")
    shown = desk.state(cora, names=1)["entry"]["judgments"]
    assert {each["name"]: each["codes"] for each in shown} == {"Ada": "F", "Bob": ""}
    desk.decide(cora, desk.state(cora)["entry"]["id"], basis="own", codes="U", reason="the second page")
    assert desk.state(cora, entry=1)["entry"]["decision"]["by"] is None
    assert desk.state(cora, entry=1, names=1)["entry"]["decision"]["by"] == "Cora"


def test_the_order_is_the_same_each_time_and_differs_between_entries_and_people(desk: Desk) -> None:
    orders = set()
    for name in ("Cora", "Lena"):
        browser = desk.browser(name)
        for number in (1, 2):
            shown = [
                [each["name"] for each in desk.state(browser, entry=number, names=1)["entry"]["judgments"]]
                for _ in range(3)
            ]
            assert shown[0] == shown[1] == shown[2]
            orders.add(tuple(shown[0]))
    assert orders == {("Ada", "Bob"), ("Bob", "Ada")}


@pytest.mark.parametrize(
    ("state", "numbers"),
    [("disputed", [1]), ("second", [3]), ("unanimous", [2]), ("decided", []), ("all", [1, 2, 3])],
)
def test_entries_are_narrowed_by_their_state(desk: Desk, state: str, numbers: list[int]) -> None:
    cora = desk.browser("Cora")
    found = desk.state(cora, state=state)
    assert [each["number"] for each in [found["entry"], *found["next"]] if each] == numbers
    rows = cora.get(f"/api/campaigns/{desk.campaign.id}/adjudication/overview", params={"state": state}).json()["rows"]
    assert [each["number"] for each in rows] == numbers


def test_after_an_entry_come_the_later_ones_and_then_the_earlier(desk: Desk) -> None:
    found = desk.state(desk.browser("Cora"), state="all", entry=2)
    assert (found["entry"]["number"], [each["number"] for each in found["next"]]) == (2, [3, 1])
    assert [each["number"] for each in desk.state(desk.browser("Cora"), state="all", entry=2, count=1)["next"]] == [3]


def test_an_unknown_state_and_an_entry_of_nowhere_are_not_found(desk: Desk) -> None:
    cora, base = desk.browser("Cora"), f"/api/campaigns/{desk.campaign.id}/adjudication"
    for path in (f"{base}?state=strange", f"{base}?entry=4", f"{base}?entry=1e5", f"{base}/overview?state=strange"):
        answer = cora.get(path)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), path
    assert cora.get("/api/campaigns/999/adjudication").status_code == 404
    assert desk.decide(cora, 999_999, basis="own", reason="x").status_code == 404


def test_a_decision_is_acknowledged_once_for_its_nonce(desk: Desk) -> None:
    cora = desk.browser("Cora")
    entry = desk.state(cora)["entry"]
    taken = next(each for each in entry["judgments"] if each["codes"] == "F")
    body = {"nonce": "decision-once", "basis": "taken", "codes": "F", "taken_from": [taken["id"]]}
    body |= {"confidence": "sure", "note": "clear"}
    first = desk.decide(cora, entry["id"], **body)
    answer = first.json()
    assert (first.status_code, answer["nonce"], answer["revision"], answer["repeated"]) == (
        200,
        "decision-once",
        1,
        False,
    )
    assert answer["counts"] == {"disputed": 0, "unanimous": 1, "single": 1, "decided": 1, "open": 0}
    again = desk.decide(cora, entry["id"], **body)
    assert (again.status_code, again.json()) == (200, {**answer, "repeated": True})
    shown = desk.state(cora, entry=1)["entry"]
    assert (shown["state"], shown["agreed"], shown["decision_revision"]) == ("decided", "disputed", 1)
    assert shown["decision"] == {
        "revision": 1, "basis": "taken", "outcome": "judged", "codes": "F", "targets": {}, "fields": {}, "correction": None,
        "confidence": "sure", "note": "clear", "reason": "", "taken_from": [taken["id"]],
        "decided_at": answer["decided_at"], "by": None, "own_judgment": False, "outdated": False,
    }  # fmt: skip


def test_a_decision_on_an_older_one_is_a_conflict_that_brings_the_newest(desk: Desk) -> None:
    cora, lena = desk.browser("Cora"), desk.browser("Lena")
    entry = desk.state(cora)["entry"]["id"]
    assert desk.decide(cora, entry, basis="own", codes="U", reason="one page is enough").status_code == 200
    answer = desk.decide(lena, entry, basis="own", codes="N", reason="no page answers")
    body = answer.json()
    assert (answer.status_code, body["code"]) == (409, "conflict")
    assert (body["newest"]["revision"], body["newest"]["codes"], body["newest"]["basis"]) == (1, "U", "own")
    second = desk.decide(lena, entry, base_revision=1, basis="own", codes="N", reason="no page answers")
    assert second.json()["revision"] == 2
    assert desk.state(cora, entry=1)["entry"]["decision"]["codes"] == "N"


def test_a_decision_that_was_taken_back_is_none(desk: Desk) -> None:
    cora = desk.browser("Cora")
    entry = desk.state(cora)["entry"]["id"]
    desk.decide(cora, entry, basis="own", codes="U", reason="one page is enough")
    reopened = desk.decide(cora, entry, base_revision=1, basis="reopened", reason="look again")
    assert (reopened.status_code, reopened.json()["revision"]) == (200, 2)
    shown = desk.state(cora)["entry"]
    assert (shown["number"], shown["decision"], shown["state"], shown["decision_revision"]) == (1, None, "disputed", 2)
    late = desk.decide(cora, entry, base_revision=1, basis="own", codes="N", reason="none")
    assert (late.status_code, late.json()["newest"]["basis"], late.json()["newest"]["revision"]) == (409, "reopened", 2)
    again = desk.decide(cora, entry, base_revision=0, basis="own", codes="N", reason="none")
    assert (again.status_code, again.json()["revision"]) == (200, 3), (
        "where no decision counts, there was none to be shown"
    )
    desk.decide(cora, entry, base_revision=3, basis="reopened")
    assert desk.decide(cora, entry, base_revision=4, basis="own", codes="N", reason="none").json()["revision"] == 5
    twice = desk.decide(cora, entry, base_revision=5, basis="reopened"), desk.decide(cora, entry, basis="reopened")
    assert [each.status_code for each in twice] == [200, 422]


def test_unanimous_entries_are_accepted_together_and_the_others_left_with_a_reason(desk: Desk) -> None:
    cora, path = desk.browser("Cora"), f"/api/campaigns/{desk.campaign.id}/decisions/unanimous"
    answer = cora.send("POST", path, {"numbers": [1, 2, 3, 9]})
    assert answer.json() == {
        "accepted": 1,
        "left": [
            {"number": 1, "reason": "the judgments differ in codes"},
            {"number": 3, "reason": "it has one judgment alone: read it a second time"},
            {"number": 9, "reason": "the campaign has no entry of that number"},
        ],
    }
    again = cora.send("POST", path, {"numbers": [2]}).json()
    assert again == {"accepted": 0, "left": [{"number": 2, "reason": "it is decided already"}]}
    shown = desk.state(cora, entry=2)["entry"]
    assert (shown["decision"]["basis"], shown["decision"]["codes"], shown["decision"]["targets"]) == (
        "unanimous",
        "E",
        {"E": ["p3"]},
    )
    assert sorted(shown["decision"]["taken_from"]) == sorted(each["id"] for each in shown["judgments"])
    for wrong in (None, "2", [0], [True], [2**31], ["2"]):
        assert cora.send("POST", path, {"numbers": wrong}).status_code == 422, wrong


def test_the_overview_says_what_each_said_and_what_was_decided(desk: Desk) -> None:
    cora = desk.browser("Cora")
    desk.decide(cora, desk.state(cora)["entry"]["id"], basis="own", codes="U", reason="one page is enough")
    page = cora.get(f"/api/campaigns/{desk.campaign.id}/adjudication/overview").json()
    assert (page["earlier"], page["later"]) == (False, False)
    assert page["counts"]["decided"] == 1
    first, second, third = page["rows"]
    assert (first["state"], sorted(first["codes"]), first["disputes"], first["basis"]) == (
        "decided",
        ["", "F"],
        ["codes"],
        "own",
    )
    assert first["decision"] == {"outcome": "judged", "codes": "U", "fields": {}}
    assert first["query"] == "what is one?"
    assert (second["state"], second["codes"], second["basis"]) == ("unanimous", ["E", "E"], None)
    assert (third["state"], third["codes"]) == ("single", ["N"])
    later = cora.get(f"/api/campaigns/{desk.campaign.id}/adjudication/overview", params={"from": 3}).json()
    assert ([each["number"] for each in later["rows"]], later["earlier"]) == ([3], True)


@pytest.mark.parametrize("name", ["Ada", "Bob"])
def test_annotators_are_refused_whatever_the_campaign(desk: Desk, name: str) -> None:
    browser, before = desk.browser(name), row_counts(desk.workspace)
    refusals = {
        (answer.status_code, answer.text)
        for campaign in (desk.campaign.id, 999)
        for answer in (
            browser.get(f"/api/campaigns/{campaign}/adjudication"),
            browser.get(f"/api/campaigns/{campaign}/adjudication/overview"),
            browser.send("POST", f"/api/campaigns/{campaign}/decisions/unanimous", {"numbers": [2]}),
            desk.decide(browser, campaign, basis="own", reason="mine"),
        )
    }
    assert len(refusals) == 1
    assert refusals.pop()[0] == 403
    after = row_counts(desk.workspace)
    assert {each for each in after if after[each] != before[each]} <= {"session"}


def test_a_request_from_elsewhere_decides_nothing(desk: Desk) -> None:
    cora = desk.browser("Cora")
    entry = desk.state(cora)["entry"]["id"]
    before = row_counts(desk.workspace)
    for headers in ({}, {**OURS, "Origin": "http://evil.example"}, {"Origin": OURS["Origin"]}):
        for path, body in (
            (f"/api/entries/{entry}/decisions", {"nonce": "forged-decision", "basis": "own", "reason": "x"}),
            (f"/api/campaigns/{desk.campaign.id}/decisions/unanimous", {"numbers": [2]}),
        ):
            answer = cora.send("POST", path, body, headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    assert row_counts(desk.workspace) == before


def test_an_archived_campaign_is_shown_and_not_decided(desk: Desk) -> None:
    cora = desk.browser("Cora")
    entry = desk.state(cora)["entry"]["id"]
    archive_campaign(desk.workspace, desk.campaign, archived=True)
    answer = desk.decide(cora, entry, basis="own", codes="U", reason="x")
    assert (answer.status_code, answer.json()["code"]) == (410, "closed")
    assert "archive" in answer.json()["error"]
    path = f"/api/campaigns/{desk.campaign.id}/decisions/unanimous"
    assert cora.send("POST", path, {"numbers": [2]}).status_code == 410
    assert desk.state(cora)["entry"]["number"] == 1


def test_an_adjudicator_without_a_place_leafs_through_the_documents_of_an_entry(desk: Desk) -> None:
    path = f"/api/campaigns/{desk.campaign.id}/entries/1/documents/0/pages"
    remove_annotator(desk.workspace, desk.campaign, desk.person("Cora").id)
    cora = desk.browser("Cora")
    assert cora.get(path).status_code == 404
    leafed = cora.get(path, params={"adjudication": 1})
    assert [each["page_id"] for each in leafed.json()["pages"]] == ["p1", "p2"]
    assert desk.browser("Ada").get(path, params={"adjudication": 1}).status_code == 403
    assert cora.get(path.replace("entries/1", "entries/9"), params={"adjudication": 1}).status_code == 404


# --- blindness -----------------------------------------------------------------------------------------------------


def test_an_entry_that_waits_for_ones_own_judgment_is_sealed(desk: Desk) -> None:
    set_campaign_state(desk.workspace, desk.campaign, CampaignState.OPEN)
    cora, base = desk.browser("Cora"), f"/api/campaigns/{desk.campaign.id}"
    save(desk.workspace, desk.campaign, desk.person("Cora"), 3, codes="N")  # so she is one of its annotators
    found = desk.state(cora)
    assert (found["entry"], found["next"]) == (None, [])
    for number in (1, 2):
        answer = cora.get(f"{base}/adjudication", params={"entry": number})
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
        assert "vague" not in answer.text
    entry = cora.get(f"{base}/entries/1").json()["entry"]["id"]
    assert desk.decide(cora, entry, basis="own", codes="U", reason="x").status_code == 403
    rows = cora.get(f"{base}/adjudication/overview").json()["rows"]
    assert [(each["sealed"], each["codes"], each["state"], each["disputes"]) for each in rows[:2]] == [
        (True, [], "open", [])
    ] * 2
    assert [each["number"] for each in cora.get(f"{base}/adjudication/overview?state=disputed").json()["rows"]] == []
    left = cora.send("POST", f"{base}/decisions/unanimous", {"numbers": [2]}).json()
    assert left["accepted"] == 0
    assert "your own judgment" in left["left"][0]["reason"]
    save(desk.workspace, desk.campaign, desk.person("Cora"), 1, codes="F")
    shown = desk.state(cora, entry=1)["entry"]
    assert [each["mine"] for each in shown["judgments"]].count(True) == 1
    decided = desk.decide(cora, entry, basis="own", codes="U", reason="x")
    assert decided.status_code == 200
    assert desk.state(cora, entry=1)["entry"]["decision"]["own_judgment"] is True


def test_opening_is_noted_once_and_what_is_said_afterwards_is_not_blind(desk: Desk) -> None:
    set_campaign_state(desk.workspace, desk.campaign, CampaignState.OPEN)
    cora, person = desk.browser("Cora"), desk.person("Cora")
    save(desk.workspace, desk.campaign, person, 1, codes="N")
    first = desk.state(cora, entry=1)["entry"]
    assert desk.reveals() == {(first["id"], person.id)}
    assert next(each for each in first["judgments"] if each["mine"])["blind"] is True
    save(desk.workspace, desk.campaign, person, 1, codes="F")
    again = desk.state(cora, entry=1)["entry"]
    assert next(each for each in again["judgments"] if each["mine"])["blind"] is False
    assert desk.reveals() == {(first["id"], person.id)}


def test_comments_have_the_letters_of_the_cards_unless_names_are_asked_for(desk: Desk) -> None:
    cora = desk.browser("Cora")
    entry = desk.state(cora)["entry"]
    for name, text in (("Bob", "of Bob"), ("Lena", "of Lena"), ("Cora", "of Cora")):
        add_comment(desk.workspace, replace(desk.person(name), role=Role.LEAD), entry_id=entry["id"], text=text)
    by_code = {each["codes"]: each["label"] for each in entry["judgments"]}
    path = f"/api/entries/{entry['id']}/comments"
    shown = cora.get(path, params={"adjudication": 1}).json()["comments"]
    assert {each["text"]: each["author"] for each in shown} == {
        "of Bob": by_code[""], "of Lena": "somebody", "of Cora": "Cora",
    }  # fmt: skip
    named = cora.get(path, params={"adjudication": 1, "names": 1}).json()["comments"]
    assert [each["author"] for each in named] == ["Bob", "Lena", "Cora"]
    assert [each["author"] for each in cora.get(path).json()["comments"]] == ["Bob", "Lena", "Cora"]


def test_counts_of_a_dispute_that_waits_for_ones_own_judgment_say_open(desk: Desk) -> None:
    set_campaign_state(desk.workspace, desk.campaign, CampaignState.OPEN)
    cora, base = desk.browser("Cora"), f"/api/campaigns/{desk.campaign.id}"
    save(desk.workspace, desk.campaign, desk.person("Cora"), 3, codes="N")
    found = desk.state(cora)
    assert (found["counts"]["disputed"], found["counts"]["open"], found["disputed_decided"]) == (0, 2, 0)
    counts = cora.get(f"{base}/adjudication/overview").json()["counts"]
    assert counts == found["counts"]
    assert desk.state(desk.browser("Lena"))["counts"]["disputed"] == 1
