"""Adjudication: reloads, servers that go away, refusals and collisions: no decision is lost, doubled or overwritten."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.surface.fake_adjudication import FakeAdjudication
from tests.browser.surface.surface_window import Surface
from tests.browser.surface.test_adjudicating import NewDesk, decided

# The fixtures of the sibling module.
from tests.browser.surface.test_adjudicating import desk as desk
from tests.browser.surface.test_adjudicating import new_desk as new_desk


def elsewhere(surface: Surface, **said: object) -> None:
    """Another adjudicator decides entry 1."""
    decision = {
        "basis": "taken",
        "outcome": "judged",
        "targets": {},
        "fields": {},
        "correction": None,
        "confidence": "sure",
    }
    server = surface.server
    assert isinstance(server, FakeAdjudication)
    server.decide(1, decision | said)


def test_a_decision_begun_survives_a_reload(desk: Surface) -> None:
    desk.press("Shift+Digit1", "s", "s", "r")
    desk.window.keyboard.type("half of it")
    desk.window.reload()
    desk.ready(1)
    assert desk.pressed() == "FE"
    assert desk.part("decision-reason").input_value() == "half of it"
    expect(desk.part("confidence-fairly_sure")).to_have_attribute("aria-pressed", "true")
    assert re.search(r"draft of \d\d:\d\d restored", desk.part("standing").inner_text())
    desk.press("z")
    assert desk.server.campaign.posts == []


def test_decisions_made_while_the_server_is_away_arrive_when_it_is_back(desk: Surface) -> None:
    desk.window.route("**/decisions", lambda route: route.abort())
    desk.press("2", "s", "Enter")
    desk.ready(2)
    desk.saving(1)
    expect(desk.part("banner")).to_contain_text("1 unsaved decision is kept in this browser")
    desk.window.unroute("**/decisions")
    desk.send_now()
    desk.saving(0)
    expect(desk.part("banner")).to_be_hidden()
    assert [(post["number"], post["basis"]) for post in desk.server.campaign.posts] == [(1, "taken")]


def test_with_the_server_down_one_goes_on_as_far_as_entries_are_held_and_all_arrives_later(desk: Surface) -> None:
    desk.server.stop()
    for number in (1, 2, 3):
        desk.ready(number)
        desk.press("1", "s", "Enter")
    desk.ready("failed")
    expect(desk.part("screen")).to_contain_text("3 unsaved decisions kept in this browser")
    desk.server.start()
    desk.saving(0)
    desk.ready("finished")
    assert desk.numbers_saved() == [1, 2, 3]


def test_a_decision_left_in_the_browser_is_sent_when_it_opens_again_and_once(desk: Surface) -> None:
    desk.window.route("**/decisions", lambda route: route.abort())
    desk.press("2", "s", "Enter")
    desk.saving(1)
    desk.window.unroute("**/decisions")
    desk.window.goto(f"{desk.server.url}/?campaign=1")
    desk.ready(2)
    desk.saving(0)
    assert desk.numbers_saved() == [1]


def test_a_decision_that_is_refused_is_said_and_kept_on_the_desk(desk: Surface) -> None:
    desk.server.campaign.refuse_with = "reason is too long."
    desk.press("2", "s", "Enter")
    expect(desk.part("banner")).to_contain_text("Entry 1 was not saved: reason is too long.")
    desk.ready(1)
    expect(desk.window.locator(".choice[aria-pressed=true] .letter")).to_have_text("C")
    desk.server.campaign.refuse_with = None
    desk.press("m")
    desk.window.keyboard.type("again")
    desk.press("Escape")
    assert decided(desk)["codes"] == ""
    desk.saving(0)


def test_whoever_was_slower_sees_both_decisions_and_keeps_theirs(desk: Surface) -> None:
    elsewhere(desk, basis="own", codes="N", confidence="unsure", reason="none")
    desk.press("2", "s", "Enter")
    dialog = desk.part("conflict")
    dialog.wait_for()
    assert "Entry 1 was decided elsewhere meanwhile" in dialog.inner_text()
    shown = dialog.locator("td[data-field=answer], td[data-field=confidence]").all_inner_texts()
    assert shown == ["correct", "N", "sure", "unsure"]
    desk.part("keep-mine").click()
    desk.saving(0)
    assert [(post["base_revision"], post["codes"]) for post in desk.server.campaign.posts] == [(1, "")]


def test_whoever_was_slower_may_take_the_other_decision(desk: Surface) -> None:
    elsewhere(desk, codes="FE")
    desk.press("2", "s", "Enter")
    desk.part("take-theirs").click()
    desk.saving(0)
    assert desk.server.campaign.posts == []
    desk.window.goto(f"{desk.server.url}/?campaign=1&entry=1")
    desk.ready(1)
    assert desk.pressed() == "FE"


def test_an_older_draft_says_that_the_entry_was_decided_since(desk: Surface) -> None:
    desk.press("2")
    elsewhere(desk, codes="FE")
    desk.window.reload()
    desk.ready(1)
    expect(desk.part("banner")).to_contain_text("was decided anew after your draft")
    assert desk.pressed() == "C"
    expect(desk.part("decided")).to_contain_text("Decided: F E · taken")


def test_signed_out_says_so_and_keeps_the_decision(desk: Surface) -> None:
    desk.server.campaign.signed_in = False
    desk.press("2", "s", "Enter")
    expect(desk.part("banner")).to_contain_text("You are signed out: your 1 unsaved decision is kept in this browser.")
    desk.server.campaign.signed_in = True
    desk.window.evaluate("window.dispatchEvent(new Event('focus'))")
    desk.saving(0)
    assert desk.numbers_saved() == [1]


def test_a_judgment_kept_by_the_judging_page_is_never_sent_as_a_decision(new_desk: NewDesk) -> None:
    surface = new_desk().open()
    surface.ready(1)
    assert "assay-decisions" in surface.stored("async () => (await indexedDB.databases()).map((one) => one.name)")
    assert "assay" not in surface.stored("async () => (await indexedDB.databases()).map((one) => one.name)")
