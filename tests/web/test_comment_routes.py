"""Comments and precedents over HTTP, and that nothing of others reaches an annotator who has yet to judge."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from audit_core.domain import Role
from audit_core.storage import campaigns
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.people import Person
from audit_core.web import routes
from audit_core.workflow import flags, precedent_marks, sign_in
from audit_core.workflow.campaigns import start_campaign
from audit_core.workflow.comments import COMMENT_MAX
from audit_core.workflow.workspace import Workspace
from tests.campaigns_in_order import in_dataset_order
from tests.web.conftest import OURS, Browser

OpenBrowser = Callable[..., Browser]
#: What Bob says; none of it may reach Ada before she has judged.
SECRETS = {
    "note": "ZEBRA-note", "reason": "ZEBRA-reason", "comment": "ZEBRA-comment", "question": "ZEBRA-question",
    "answer": "ZEBRA-answer", "rule": "ZEBRA-rule", "correction": "ZEBRA-correction", "draft": "ZEBRA-draft",
}  # fmt: skip
CODES = "EUN"


@pytest.fixture(autouse=True)
def _roles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Grace leads; all others annotate."""
    before = sign_in.person_of

    def person_of(*asked: Any) -> Person | None:
        found = before(*asked)
        role = Role.LEAD if found and found.name == "Grace" else Role.ANNOTATOR
        return replace(found, role=role) if found else None

    monkeypatch.setattr(sign_in, "person_of", person_of)


def _entry_id(workspace: Workspace, campaign: CampaignRow, number: int = 1) -> int:
    with workspace.database.read() as connection:
        row = campaigns.entry_by_number(connection, campaign.id, number)
    assert row is not None
    return row.id


def _said(browser: Browser, entry: int, text: str) -> int:
    answer = browser.send("POST", f"/api/entries/{entry}/comments", {"text": text})
    assert answer.status_code == 200, answer.text
    said: int = answer.json()["comment"]["id"]
    return said


def test_comments_are_written_read_after_ones_own_judgment_and_deleted(
    ada: Browser, open_browser: OpenBrowser, campaign: CampaignRow, workspace: Workspace
) -> None:
    bob, entry = open_browser("Bob"), _entry_id(workspace, campaign)
    path = f"/api/entries/{entry}/comments"
    first = _said(ada, entry, "of Ada")
    other = _said(bob, entry, "of Bob")
    answer = ada.get(path)
    assert answer.headers["cache-control"] == "no-store"
    (mine,) = answer.json()["comments"]
    assert answer.json()["sealed"] is True
    assert mine == {"id": first, "text": "of Ada", "created_at": mine["created_at"], "author": "Ada", "mine": True}
    assert ada.judge(entry, outcome="cannot_judge").status_code == 200
    seen = ada.get(path).json()
    assert seen["sealed"] is False
    assert [(each["author"], each["text"], each["mine"]) for each in seen["comments"]] == [
        ("Ada", "of Ada", True), ("Bob", "of Bob", False),
    ]  # fmt: skip
    assert ada.send("DELETE", f"/api/comments/{other}").status_code == 404
    assert ada.send("DELETE", f"/api/comments/{first}").json() == {}
    assert [each["author"] for each in ada.get(path).json()["comments"]] == ["Bob"]
    grace = open_browser("Grace")
    assert [each["author"] for each in grace.get(path).json()["comments"]] == ["Bob"]
    assert grace.send("DELETE", f"/api/comments/{other}").status_code == 403


@pytest.mark.parametrize("body", [{}, {"text": ""}, {"text": " "}, {"text": 5}, {"text": "x" * (COMMENT_MAX + 1)}])
def test_a_comment_without_words_or_too_long_is_refused(
    ada: Browser, campaign: CampaignRow, workspace: Workspace, body: dict[str, object]
) -> None:
    path = f"/api/entries/{_entry_id(workspace, campaign)}/comments"
    answer = ada.send("POST", path, body)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    assert ada.get(path).json()["comments"] == []


def test_requests_from_elsewhere_signed_out_or_on_no_entry_are_refused(
    ada: Browser, open_browser: OpenBrowser, campaign: CampaignRow, workspace: Workspace
) -> None:
    entry = _entry_id(workspace, campaign)
    said = _said(ada, entry, "of Ada")
    stranger = open_browser()
    for method, path in (
        ("GET", f"/api/entries/{entry}/comments"), ("GET", f"/api/entries/{entry}/precedents"),
        ("POST", f"/api/entries/{entry}/comments"), ("DELETE", f"/api/comments/{said}"),
    ):  # fmt: skip
        assert stranger.send(method, path, {"text": "x"}).status_code == 401
        if method != "GET":
            for headers in ({}, {"X-Assay": "1", "Origin": "http://elsewhere"}, {"Origin": OURS["Origin"]}):
                assert ada.send(method, path, {"text": "x"}, headers=headers).status_code == 403
        if "entries" in path:
            nowhere = path.replace(str(entry), "999")
            assert ada.send(method, nowhere, {"text": "x"}).status_code == 404
    assert len(ada.get(f"/api/entries/{entry}/comments").json()["comments"]) == 1


def test_precedents_are_found_by_words_and_say_what_was_decided(
    ada: Browser, campaign: CampaignRow, workspace: Workspace
) -> None:
    ada.judge(_entry_id(workspace, campaign, 1), codes="F", note="which one?")
    path = f"/api/entries/{_entry_id(workspace, campaign, 2)}/precedents"
    answer = ada.get(path, params={"words": "which one"})
    assert answer.headers["cache-control"] == "no-store"
    said = answer.json()
    assert (said["complete"], said["searched"]) == (True, True)
    (hit,) = said["found"]
    assert (hit["query"], hit["decision"], hit["note"], hit["number"], hit["can_open"]) == (
        "what is one?", "F", "which one?", 1, True,
    )  # fmt: skip
    assert ada.get(path).json()["searched"] is False
    assert ada.get(path, params={"words": "which two"}).json()["found"] == []
    for strange in ("%", '"', "' OR 1=1 --", "\U0001f600", "x" * 5_000, "a " * 500):
        assert ada.get(path, params={"words": strange}).status_code == 200
    assert len(ada.get(path, params={"count": "1"}).json()["found"]) == 1
    assert ada.get(path, params={"count": "many"}).status_code == 404


def test_an_address_may_ask_to_look_only(ada: Browser, open_browser: OpenBrowser, campaign: CampaignRow) -> None:
    address = f"/judge?campaign={campaign.id}&entry=2&look=1"
    assert ' data-look="1"' in ada.get(address).text
    for other in ("", "&look=0", "&look=11", '&look="><script>'):
        assert "data-look" not in ada.get(f"/judge?campaign={campaign.id}&entry=2{other}").text
    sent = open_browser().get(address, follow_redirects=False)
    assert parse_qs(urlsplit(sent.headers["location"]).query)["next"] == [address]


def _bob_says_everything(bob: Browser, entry: int, nonce: str) -> None:
    correction = {"query": SECRETS["correction"]}
    said = {"codes": CODES, "note": SECRETS["note"], "correction": correction, "nonce": f"{nonce}-1"}
    assert bob.judge(entry, **said).status_code == 200
    cannot = {"outcome": "cannot_judge", "reason": SECRETS["reason"], "nonce": f"{nonce}-2", "base_revision": 1}
    assert bob.judge(entry, **cannot).status_code == 200
    assert bob.judge(entry, **said | {"nonce": f"{nonce}-3", "base_revision": 2}).status_code == 200
    draft = {"base_revision": 3, "outcome": "judged", "codes": CODES, "note": SECRETS["draft"]}
    assert bob.send("PUT", f"/api/entries/{entry}/draft", draft).status_code == 200
    _said(bob, entry, SECRETS["comment"])
    asked = bob.send("POST", f"/api/entries/{entry}/flags", {"question": SECRETS["question"]})
    assert asked.status_code == 200


def _answers_to(browser: Browser, campaign: CampaignRow, entries: list[int], page: str) -> Iterator[tuple[str, str]]:
    """Yield (address, body) of every GET route of the table, with every value that its path can take here."""
    values = {
        "cid": [str(campaign.id)], "number": ["1", "2", "3"], "document": ["0"], "id": [str(each) for each in entries],
        "dataset": ["x"], "hash": ["x"], "name": ["main.js"],
    }  # fmt: skip
    words = ["", *SECRETS.values(), CODES, "E", "zebra", "what is", "correct"]
    asked = {
        "state": [f"?entry={number}" for number in ("1", "2", "3")] + [""], "upcoming": ["?after=0&count=10"],
        "overview": ["", "?state=judged", "?state=flagged", "?state=draft", "?state=open", "?numbers=1,2,3"],
        "precedents": [f"?words={each}&count=50" for each in words], "judge": [f"?campaign={campaign.id}&entry=1"],
    }  # fmt: skip
    for route in routes:
        if "GET" not in (route.methods or ()):
            continue
        names = re.findall(r"{(\w+)(?::\w+)?}", route.path)
        assert set(names) <= set(values), f"{route.path}: say here what its path can hold"
        for chosen in product(*(values[name] for name in names)):
            path = re.sub(r"{(\w+)(?::\w+)?}", "{}", route.path).format(*chosen)
            for query in asked.get(route.path.rpartition("/")[2], [""]):
                yield path + query, browser.get(path + query).content.decode("utf-8", "replace")
    yield page, browser.get(page).content.decode("utf-8", "replace")


def test_no_byte_of_what_others_said_reaches_an_annotator_who_has_yet_to_judge(
    ada: Browser, open_browser: OpenBrowser, campaign: CampaignRow, workspace: Workspace, tmp_path: Path
) -> None:
    bob, grace = open_browser("Bob"), sign_in.sign_in(workspace, "Grace")
    dataset = workspace.dataset(campaign.dataset_id)
    earlier = in_dataset_order(workspace, start_campaign(workspace, dataset=dataset, name="earlier"))
    here = [_entry_id(workspace, campaign, number) for number in (1, 2, 3)]
    there = [_entry_id(workspace, earlier, number) for number in (1, 2, 3)]
    # Ada has judged everything in the earlier campaign: of those queries, too, she hears nothing while they wait here.
    for at, entry in enumerate(there):
        assert ada.judge(entry, nonce=f"ada-nonce-{at}").status_code == 200
    for at, entry in enumerate([*here, *there]):
        _bob_says_everything(bob, entry, f"bob-nonce-{at}")
    with workspace.database.read() as connection:
        asked = [each.flag for row in (campaign, earlier) for each in flags.flags.of_campaign(connection, row.id)]
    for flag in asked:
        flags.answer_flag(workspace, grace, flag_id=flag.id, answer=SECRETS["answer"])
        precedent_marks.mark_question(workspace, grace, flag_id=flag.id, text=SECRETS["rule"])
    for row, number in product((campaign, earlier), (1, 2, 3)):
        bobs = precedent_marks.decisions_on(workspace, grace, campaign_id=row.id, number=number)[-1]
        precedent_marks.mark_decision(workspace, grace, judgment_id=bobs.case.judgment_id, text=SECRETS["rule"])
    page = f"/judge?campaign={campaign.id}"

    def leaks(browser: Browser, *, ids: list[int]) -> set[str]:
        told = list(_answers_to(browser, campaign, ids, page))
        assert len(told) > 60
        spoken = {**SECRETS, "codes": f'"{CODES}"', "decision": " ".join(CODES), "name": "Bob"}
        return {what for what, secret in spoken.items() for _, body in told if secret in body}

    assert leaks(ada, ids=[*here, *there]) == set()
    # What she sends is answered without a word of Bob's too.
    for entry in here:
        sent = [
            ada.send("PUT", f"/api/entries/{entry}/draft", {"base_revision": 0, "outcome": None, "codes": ""}),
            ada.send("POST", f"/api/entries/{entry}/comments", {"text": "of Ada"}),
            ada.send("POST", f"/api/entries/{entry}/flags", {"question": "of Ada"}),
            ada.judge(entry, nonce="ada-conflict", base_revision=7),
            ada.send("DELETE", f"/api/entries/{entry}/draft"),
        ]
        assert not [each.text for each in sent if any(secret in each.text for secret in SECRETS.values())]
    assert leaks(ada, ids=[*here, *there]) == set()
    # The same walk does find all of it where it may be found, or it would prove nothing: Bob's own, and Ada's afterwards.
    assert leaks(bob, ids=here) >= {"note", "comment", "question", "answer", "correction", "draft", "codes", "name"}
    for at, entry in enumerate(here):
        assert ada.judge(entry, nonce=f"ada-late-{at}").status_code == 200
    assert leaks(ada, ids=[*here, *there]) == {"note", "comment", "question", "answer", "rule", "decision", "name"}
