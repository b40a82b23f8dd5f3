"""Entries that others complete, campaigns that pause or close under an open window: nothing that was written is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.browser.surface.fake_server import entry
from tests.browser.surface.surface_window import Surface

NewSurface = Callable[..., Surface]
#: Longer than the pause between two renewals, in milliseconds.
FIVE_MINUTES = 300_500


def exact(new_surface: NewSurface, entries: int = 12) -> Surface:
    surface = new_surface([entry(number) for number in range(1, entries + 1)])
    surface.server.campaign.hand_out = "exact"
    return surface


def test_a_judgment_that_comes_too_late_is_kept_and_the_next_entry_is_there(
    new_surface: NewSurface, tmp_path: Path
) -> None:
    surface = exact(new_surface).open()
    surface.ready(1)
    surface.press("f", "m")
    surface.window.keyboard.type("the year is missing")
    surface.server.campaign.full.add(1)
    surface.press("Control+Enter")
    surface.ready(2)
    surface.part("banner").wait_for()
    words = surface.part("banner").inner_text()
    assert "Entry 1: This entry was completed by others meanwhile" in words
    assert "kept in this browser" in words
    surface.press("c", "Enter")
    surface.ready(3)
    surface.saving(1)
    assert surface.numbers_saved() == [2]
    (record,) = surface.records()
    assert (record["number"], record["status"], record["body"]["note"]) == (1, "taken", "the year is missing")
    surface.part("banner-kept").click()
    with surface.window.expect_download() as waiting:
        surface.part("kept-download").click()
    file = tmp_path / "kept.txt"
    waiting.value.save_as(file)
    assert waiting.value.suggested_filename == "entry-1.txt"
    assert "the year is missing" in file.read_text()
    assert "entry 1" in file.read_text()
    surface.part("kept-discard").click()
    surface.saving(0)
    surface.part("banner").wait_for(state="hidden")


def test_an_answer_that_was_too_late_is_still_there_after_a_reload(new_surface: NewSurface) -> None:
    surface = exact(new_surface).open()
    surface.ready(1)
    surface.server.campaign.full.add(1)
    surface.press("f", "Enter")
    surface.ready(2)
    surface.part("banner").wait_for()
    surface.window.reload()
    surface.ready(2)
    assert "Entry 1: This entry was completed by others meanwhile" in surface.part("banner").inner_text()
    surface.server.campaign.full.clear()
    surface.part("banner-kept").click()
    surface.part("kept-again").click()
    surface.saving(0)
    assert surface.numbers_saved() == [1]


def test_places_are_renewed_while_somebody_is_there_and_given_up_when_nobody_is(new_surface: NewSurface) -> None:
    surface = exact(new_surface)
    surface.window.clock.install()
    surface.open().ready(1)
    asked = surface.server.campaign.claims
    with surface.window.expect_response("**/claims"):
        surface.window.clock.fast_forward(FIVE_MINUTES)
    assert asked == [[1, 2, 3, 4, 5, 6, 7]]
    for _ in range(4):
        with surface.window.expect_response("**/claims"):
            surface.window.clock.fast_forward(FIVE_MINUTES)
    # For half an hour nothing was pressed: no more are asked for.
    for _ in range(3):
        surface.window.clock.fast_forward(FIVE_MINUTES)
    assert len(asked) == 5
    surface.press("f")
    with surface.window.expect_response("**/claims"):
        surface.window.clock.fast_forward(FIVE_MINUTES)
    assert len(asked) == 6


def test_entries_that_others_completed_meanwhile_are_dropped_and_the_open_one_says_so(new_surface: NewSurface) -> None:
    surface = exact(new_surface)
    surface.window.clock.install()
    surface.open().ready(1)
    surface.press("e")
    surface.server.campaign.full |= {1, 2, 3}
    surface.window.clock.fast_forward(FIVE_MINUTES)
    surface.part("banner").wait_for()
    assert "Others completed this entry" in surface.part("banner").inner_text()
    assert surface.pressed() == "E"
    surface.part("banner-goOn").click()
    surface.ready(4)
    assert surface.server.campaign.posts == []


def test_an_entry_without_a_place_can_be_looked_at(new_surface: NewSurface) -> None:
    surface = exact(new_surface)
    surface.server.campaign.full.add(9)
    surface.open().ready(1)
    surface.press("l")
    surface.part("go-to").fill("9")
    surface.part("go-to").press("Enter")
    surface.ready(9)
    assert "Others completed this entry" in surface.part("banner").inner_text()


def test_a_campaign_that_pauses_keeps_what_was_said_and_sends_it_when_it_goes_on(new_surface: NewSurface) -> None:
    surface = exact(new_surface).open()
    surface.ready(1)
    surface.server.campaign.state = "paused"
    surface.press("f", "Enter")
    surface.ready(2)
    surface.part("banner").wait_for()
    assert "This campaign is paused" in surface.part("banner").inner_text()
    surface.press("e")
    assert surface.pressed() == ""
    surface.server.campaign.state = "open"
    surface.part("banner-lookAgain").click()
    surface.saving(0)
    assert surface.numbers_saved() == [1]
    surface.part("banner").wait_for(state="hidden")
    surface.press("e", "Enter")
    surface.ready(3)
    surface.saving(0)
    assert surface.numbers_saved() == [1, 2]


def test_a_draft_is_shown_while_the_campaign_is_paused(new_surface: NewSurface) -> None:
    surface = exact(new_surface).open()
    surface.ready(1)
    surface.press("f", "m")
    surface.window.keyboard.type("half a thought")
    surface.until("() => performance.getEntriesByType('resource').some((one) => one.name.endsWith('/draft'))")
    surface.server.campaign.state = "paused"
    surface.window.reload()
    surface.ready(1)
    assert "Your drafts are kept" in surface.part("banner").inner_text()
    assert (surface.pressed(), surface.part("note").input_value()) == ("F", "half a thought")


def test_who_has_nothing_left_is_told_that_others_are_at_work_and_can_look_again(new_surface: NewSurface) -> None:
    surface = exact(new_surface, entries=3)
    surface.server.campaign.full |= {2, 3}
    surface.open().ready(1)
    assert "left" not in surface.part("progress-numbers").inner_text()
    surface.press("c", "Enter")
    surface.ready("finished")
    assert "somebody is at work on them" in surface.part("nothing-more").inner_text()
    with surface.window.expect_response("**/upcoming*"):
        surface.part("look-again").click()
    surface.ready("finished")
    surface.server.campaign.full.discard(3)
    surface.part("look-again").click()
    surface.ready(3)


def test_the_end_of_the_pilot_is_waited_for(new_surface: NewSurface) -> None:
    surface = exact(new_surface, entries=2)
    surface.server.campaign.stage = "pilot"
    surface.server.campaign.full.add(2)
    surface.open().ready(1)
    surface.press("c", "Enter")
    surface.ready("finished")
    assert "ends the pilot" in surface.part("nothing-more").inner_text()
    surface.server.campaign.stage = "production"
    surface.part("look-again").click()
    surface.part("nothing-more").get_by_text("somebody is at work on them").wait_for()
