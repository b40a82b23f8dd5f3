"""The routes of a campaign that is handed to some, entry by entry: places, refusals, and nothing for anybody else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from audit_core.workflow.annotators import remove_annotator
from audit_core.workflow.campaign_states import pause_campaign, resume_campaign
from audit_core.workflow.workspace import Workspace
from tests.team_desk import TeamDesk, right
from tests.web.conftest import Browser

Open = Callable[..., Browser]


@pytest.fixture
def desk(workspace: Workspace, tmp_path: Path) -> TeamDesk:
    return TeamDesk(workspace, tmp_path / "bundle", queries=4, names=("Ada", "Bob"), gold=(right("q001", "FE"),))


def _state(browser: Browser, desk: TeamDesk, **query: object) -> dict[str, Any]:
    answer = browser.get(f"/api/campaigns/{desk.campaign.id}/state", params=query)
    assert answer.status_code == 200, answer.text
    said: dict[str, Any] = answer.json()
    return said


def _numbers(state: dict[str, Any]) -> set[int]:
    return {each["number"] for each in [state["entry"], *state["next"]] if each}


def test_two_who_begin_at_once_are_handed_different_entries_and_the_same_gold_one(
    desk: TeamDesk, open_browser: Open
) -> None:
    ada, bob = open_browser("Ada"), open_browser("Bob")
    gold = {each.number for each in desk.entries() if each.gold is not None}
    first, second = _state(ada, desk, count=1), _state(bob, desk, count=9)
    assert first["campaign"]["hand_out"] == "exact"
    assert (_numbers(first) & _numbers(second)) <= gold
    assert _numbers(first) | _numbers(second) >= set(range(1, 6)) - gold
    assert "FE" not in str(second)


def test_to_ask_for_no_entries_takes_no_place(desk: TeamDesk, open_browser: Open) -> None:
    ada = open_browser("Ada")
    assert _state(ada, desk, count=0)["entry"] is None
    assert _state(ada, desk, count=0, entry=1)["entry"]["number"] == 1
    assert desk.claims() == set()


def test_who_comes_too_late_gets_409_taken_and_the_claims_say_so(desk: TeamDesk, open_browser: Open) -> None:
    ada = open_browser("Ada")
    state = _state(ada, desk, count=9)
    plain = next(each for each in desk.entries() if each.gold is None)
    desk.let_claims_run_out()
    desk.save(desk.people[1], plain.number)
    numbers = sorted(_numbers(state))
    answer = ada.send("POST", f"/api/campaigns/{desk.campaign.id}/claims", {"numbers": numbers})
    assert answer.json() == {
        "held": [each for each in numbers if each != plain.number], "lost": [plain.number], "state": "open",
        "stage": None,
    }  # fmt: skip
    late = ada.judge(plain.id)
    assert (late.status_code, late.json()["code"]) == (409, "taken")
    assert "newest" not in late.json()
    entry = ada.get(f"/api/campaigns/{desk.campaign.id}/entries/{plain.number}").json()["entry"]
    assert (entry["place"], entry["saved"]) == ("taken", None)


def test_a_paused_campaign_answers_410_paused_and_takes_drafts(desk: TeamDesk, open_browser: Open) -> None:
    ada = open_browser("Ada")
    entry = _state(ada, desk)["entry"]
    pause_campaign(desk.workspace, desk.campaign)
    refused = ada.judge(entry["id"])
    assert (refused.status_code, refused.json()["code"]) == (410, "paused")
    assert ada.send("PUT", f"/api/entries/{entry['id']}/draft", {"codes": "F"}).status_code == 200
    state = _state(ada, desk, entry=entry["number"])
    assert (state["campaign"]["state"], state["entry"]["draft"]["codes"]) == ("paused", "F")
    resume_campaign(desk.workspace, desk.campaign)
    assert ada.judge(entry["id"]).status_code == 200


def test_every_route_of_a_campaign_is_404_for_who_was_not_handed_it_or_was_taken_out(
    desk: TeamDesk, open_browser: Open
) -> None:
    eve, bob = open_browser("Eve"), open_browser("Bob")
    entry = desk.entries()[0].id
    root = f"/api/campaigns/{desk.campaign.id}"
    remove_annotator(desk.workspace, desk.campaign, desk.people[1].id)
    for browser in (eve, bob):
        for path in ("state", "upcoming", "overview", "entries/1", "entries/1/documents/0/pages"):
            assert browser.get(f"{root}/{path}").status_code == 404, path
        assert browser.send("POST", f"{root}/claims", {"numbers": [1]}).status_code == 404
        assert browser.judge(entry).status_code == 404
        assert browser.send("PUT", f"/api/entries/{entry}/draft", {"codes": "F"}).status_code == 404
    assert desk.claims() == set()


@pytest.mark.parametrize("numbers", [None, "1", [True], [0], ["1"], [1.5], [2**31]])
def test_claims_that_are_no_numbers_are_refused(desk: TeamDesk, open_browser: Open, numbers: object) -> None:
    answer = open_browser("Ada").send("POST", f"/api/campaigns/{desk.campaign.id}/claims", {"numbers": numbers})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")


def test_what_is_in_hand_is_kept_when_more_is_asked_for(desk: TeamDesk, open_browser: Open) -> None:
    ada, bob = open_browser("Ada"), open_browser("Bob")
    first = _state(ada, desk, count=1)
    held = sorted(_numbers(first))
    desk.let_claims_run_out()
    more = ada.get(f"/api/campaigns/{desk.campaign.id}/upcoming", params={"after": 0, "skip": ",".join(map(str, held))})
    assert more.status_code == 200
    gold = {each.number for each in desk.entries() if each.gold is not None}
    assert _numbers(_state(bob, desk, count=9)).isdisjoint(set(held) - gold)


def test_nothing_that_is_said_of_a_gold_entry_tells_it_from_the_others(desk: TeamDesk, open_browser: Open) -> None:
    ada = open_browser("Ada")
    gold = {each.number for each in desk.entries() if each.gold is not None}
    state = _state(ada, desk, count=9)
    shown = {each["number"]: each for each in [state["entry"], *state["next"]]}
    assert gold <= set(shown), "the gold entry is among those that are handed out"
    assert {each["place"] for each in shown.values()} == {"mine"}
    assert len({frozenset(each) for each in shown.values()}) == 1
    for number in shown:
        opened = ada.get(f"/api/campaigns/{desk.campaign.id}/entries/{number}").json()["entry"]
        assert opened["place"] == "mine"


def test_claims_at_entries_that_were_never_handed_out_are_lost_and_take_nothing(
    desk: TeamDesk, open_browser: Open
) -> None:
    answer = open_browser("Ada").send("POST", f"/api/campaigns/{desk.campaign.id}/claims", {"numbers": [1, 2, 3, 4, 5]})
    assert (answer.json()["held"], answer.json()["lost"]) == ([], [1, 2, 3, 4, 5])
    assert desk.claims() == set()
