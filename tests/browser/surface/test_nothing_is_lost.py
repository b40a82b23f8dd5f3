"""Reloads, servers that go away, sign-outs, conflicts and closed campaigns: no judgment is lost or doubled."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.browser.surface.surface_window import Surface

NewSurface = Callable[..., Surface]


def test_judgments_made_while_the_server_is_down_arrive_in_order_when_it_is_back(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.server.stop()
    surface.press("f", "Enter")
    surface.ready(2)
    surface.press("c", "Enter")
    surface.ready(3)
    surface.saving(2)
    surface.part("banner").wait_for()
    words = surface.part("banner").inner_text()
    assert "Nothing is lost" in words
    assert "2 unsaved judgments" in words or "1 unsaved judgment" in words
    assert [record["number"] for record in surface.records()] == [1, 2]
    surface.server.start()
    surface.saving(0)  # tried again by itself
    assert surface.numbers_saved() == [1, 2]
    surface.part("banner").wait_for(state="hidden")


def test_judgments_left_in_the_browser_are_sent_when_it_opens_again(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.window.route("**/judgments", lambda route: route.abort())
    surface.press("f", "Enter")
    surface.ready(2)
    surface.saving(1)
    surface.part("banner").wait_for()
    surface.window.unroute("**/judgments")
    surface.window.reload()
    surface.ready(2)
    surface.saving(0)
    assert surface.numbers_saved() == [1]
    assert surface.records() == []


def test_two_windows_of_one_browser_save_a_judgment_once(new_surface: NewSurface) -> None:
    first = new_surface().open()
    first.ready(1)
    first.window.route("**/judgments", lambda route: route.abort())
    first.press("f", "Enter")
    first.part("banner").wait_for()
    second = new_surface(beside=first).open()
    second.ready(2)
    second.saving(0)
    first.window.unroute("**/judgments")
    first.send_now()
    first.saving(0)
    assert first.numbers_saved() == [1]
    assert first.records() == []


def test_a_note_half_written_survives_a_reload(new_surface: NewSurface) -> None:
    surface = new_surface().open("&entry=3")
    surface.ready(3)
    surface.press("e", "m")
    surface.window.keyboard.type("the table is on the next")
    surface.window.reload()
    surface.ready(3)
    assert surface.pressed() == "E"
    assert surface.part("note").input_value() == "the table is on the next"
    assert re.search(r"draft of \d\d:\d\d restored", surface.part("standing").inner_text())


def test_a_connection_cut_for_a_minute_in_mid_note_costs_not_a_letter(new_surface: NewSurface) -> None:
    surface = new_surface()
    surface.window.clock.install()
    surface.open().ready(1)
    surface.press("e", "m")
    surface.window.keyboard.type("the second half of ")
    surface.window.context.set_offline(True)
    surface.window.keyboard.type("the table is ")
    for _ in range(12):
        surface.window.clock.run_for(5_000)
    surface.window.keyboard.type("missing")
    assert surface.part("note").input_value() == "the second half of the table is missing"
    assert surface.part("note").evaluate("(node) => node === node.getRootNode().activeElement"), (
        "nothing took the keyboard"
    )
    surface.press("Control+Enter")
    surface.ready(2)
    surface.window.clock.run_for(5_000)
    surface.saving(1)
    surface.part("banner").wait_for()
    surface.window.context.set_offline(False)
    surface.window.clock.run_for(40_000)
    surface.saving(0)
    assert [(post["number"], post["note"]) for post in surface.server.campaign.posts] == [
        (1, "the second half of the table is missing")
    ]


def test_a_draft_comes_back_in_another_browser(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.press("u")
    surface.until("() => performance.getEntriesByType('resource').some((one) => one.name.endsWith('/draft'))")
    surface.press("j")
    surface.ready(2)
    surface.stored("() => localStorage.clear()")
    surface.window.goto(f"{surface.server.url}/?campaign=1&entry=1")
    surface.ready(1)
    assert surface.pressed() == "U"


def test_signed_out_says_so_and_keeps_the_judgments_until_the_same_person_is_back(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.server.campaign.signed_in = False
    surface.press("f", "Enter")
    surface.ready(2)
    surface.window.locator("[data-about='signed-out']").wait_for()
    assert "your 1 unsaved judgment is kept in this browser" in surface.part("banner").inner_text()
    surface.server.campaign.signed_in = True
    surface.stored("() => window.dispatchEvent(new Event('focus'))")
    surface.saving(0)
    assert surface.numbers_saved() == [1]


def test_judgments_are_never_sent_under_another_persons_name(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.server.campaign.signed_in = False
    surface.press("f", "Enter")
    surface.window.locator("[data-about='signed-out']").wait_for()
    surface.server.campaign.signed_in = True
    surface.server.campaign.me = {"id": 4, "name": "Grace"}
    surface.stored("() => window.dispatchEvent(new Event('focus'))")
    surface.window.locator("[data-about='other-person']").wait_for()
    assert "signed in as Grace" in surface.part("banner").inner_text()
    assert surface.numbers_saved() == []
    surface.window.goto(f"{surface.server.url}/?campaign=1")
    surface.ready(1)
    surface.window.locator("[data-about='strangers']").wait_for()
    assert "1 unsaved judgment of Ada" in surface.part("banner").inner_text()
    assert [record["person"] for record in surface.records()] == [3]


def conflicting(new_surface: NewSurface) -> Surface:
    surface = new_surface().open()
    surface.ready(1)
    elsewhere = {"outcome": "judged", "codes": "N", "note": "seen elsewhere", "reason": "", "targets": {}}
    surface.server.campaign.save(1001, elsewhere)
    surface.press("f", "Enter")
    surface.part("conflict").wait_for()
    return surface


def test_a_conflict_shows_both_versions_and_marks_what_differs(new_surface: NewSurface) -> None:
    surface = conflicting(new_surface)
    differing = surface.part("conflict").locator("td.differs")
    assert differing.all_inner_texts() == ["F", "N", "empty", "seen elsewhere"]
    surface.press("Enter", "f")
    assert surface.part("conflict").is_visible(), "keys pressed for the next entry decide nothing here"
    assert surface.pressed() == ""


def test_keep_mine_saves_a_revision_on_top_of_the_newest(new_surface: NewSurface) -> None:
    surface = conflicting(new_surface)
    surface.part("keep-mine").click()
    surface.saving(0)
    assert [(post["codes"], post["base_revision"]) for post in surface.server.campaign.posts] == [("F", 1)]
    assert surface.server.campaign.entries[0]["saved"]["revision"] == 2


def test_take_theirs_leaves_the_newest_as_it_is(new_surface: NewSurface) -> None:
    surface = conflicting(new_surface)
    surface.part("take-theirs").click()
    surface.saving(0)
    assert surface.numbers_saved() == []
    surface.press("p")
    surface.ready(1)
    assert surface.pressed() == "N"


def test_edit_opens_the_entry_with_mine_as_a_draft_on_the_newest(new_surface: NewSurface) -> None:
    surface = conflicting(new_surface)
    surface.part("edit-mine").click()
    surface.ready(1)
    assert surface.pressed() == "F"
    surface.press("e", "Enter")
    surface.saving(0)
    assert [(post["codes"], post["base_revision"]) for post in surface.server.campaign.posts] == [("FE", 1)]


def test_a_conflict_that_is_put_off_stays_and_other_entries_are_saved(new_surface: NewSurface) -> None:
    surface = conflicting(new_surface)
    surface.press("Escape")
    surface.press("c", "Enter")
    surface.ready(3)
    surface.saving(1)
    assert surface.numbers_saved() == [2]
    surface.part("banner-compare").click()
    surface.part("conflict").wait_for()


def test_a_refused_judgment_comes_back_with_its_message_and_can_be_mended(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.server.campaign.refuse_with = "The note is too long."
    surface.press("f", "Enter")
    surface.window.locator("[data-about='refused']").wait_for()
    surface.ready(1)
    assert "The note is too long." in surface.part("banner").inner_text()
    assert surface.pressed() == "F"
    surface.server.campaign.refuse_with = None
    surface.press("e", "Enter")
    surface.saving(0)
    assert [(post["number"], post["codes"]) for post in surface.server.campaign.posts] == [(1, "FE")]


def test_a_judgment_too_late_for_a_closed_campaign_is_kept_and_can_be_discarded(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.server.campaign.state = "closed"
    surface.press("f", "Enter")
    surface.window.locator("[data-about='closed-late']").wait_for()
    assert [record["status"] for record in surface.records()] == ["closed"]
    surface.part("banner-kept").click()
    assert "Entry 1: F" in surface.part("kept-item").inner_text()
    surface.part("kept-discard").click()
    surface.saving(0)
    surface.part("kept").wait_for(state="detached")


def test_a_campaign_that_is_opened_again_can_be_judged_on_without_a_reload(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.server.campaign.state = "closed"
    surface.press("f", "Enter")
    surface.window.locator("[data-about='closed-late']").wait_for()
    surface.server.campaign.state = "open"
    surface.part("banner-kept").click()
    surface.part("kept-again").click()
    surface.saving(0)
    surface.part("banner").wait_for(state="hidden")


def test_a_closed_campaign_can_be_read_but_not_judged(new_surface: NewSurface) -> None:
    surface = new_surface()
    surface.server.campaign.state = "closed"
    surface.open().ready(1)
    surface.window.locator("[data-about='closed']").wait_for()
    surface.press("f")
    assert surface.pressed() == ""
    assert surface.part("code-F").is_disabled()
    surface.press("j")
    surface.ready(2)
