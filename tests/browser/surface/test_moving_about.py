"""From entry to entry on the judging surface, to the end of a campaign."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Route

from tests.browser.surface.fake_server import entry
from tests.browser.surface.surface_window import Surface

NewSurface = Callable[..., Surface]


def test_next_and_previous_leave_a_draft_and_save_nothing(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.press("f", "ArrowRight")
    surface.ready(2)
    surface.press("ArrowRight")
    surface.ready(3)
    surface.press("p")
    surface.ready(2)
    surface.press("p")
    surface.ready(1)
    assert surface.pressed() == "F"
    assert surface.numbers_saved() == []
    surface.press("g")
    surface.ready(2)


def test_entries_left_open_come_again_and_then_all_is_finished(new_surface: NewSurface) -> None:
    surface = new_surface([entry(number) for number in range(1, 5)]).open()
    surface.ready(1)
    surface.press("j")
    surface.ready(2)
    for number, after in ((2, 3), (3, 4), (4, 1)):
        surface.press("x" if number == 3 else "c", "Enter")
        surface.ready(after)
    surface.press("c", "Enter")
    surface.ready("finished")
    surface.saving(0)
    screen = surface.part("screen")
    screen.get_by_text("1 could not be judged").wait_for()
    assert "All 4 entries are judged." in screen.inner_text()
    assert screen.locator("a").get_attribute("href") == "/home"
    surface.part("to-cannot-judge").click()
    surface.window.locator(".cell[data-state=cannot_judge]").click()
    surface.ready(3)
    assert surface.pressed() == "X"


def test_the_overview_shows_states_and_goes_to_a_number_among_a_thousand(new_surface: NewSurface) -> None:
    surface = new_surface([entry(number) for number in range(1, 1001)]).open("&entry=2")
    surface.ready(2)
    surface.press("f", "Enter")
    surface.ready(3)
    surface.saving(0)
    surface.part("place").click()
    surface.window.locator(".cell[data-state=judged]").wait_for()
    assert surface.window.locator(".cell").count() <= 300
    surface.part("go-to").fill("777")
    surface.press("Enter")
    surface.ready(777)
    surface.press("c", "Enter")
    surface.ready(778)


def test_the_overview_is_turned_and_filtered_a_page_at_a_time(new_surface: NewSurface) -> None:
    surface = new_surface([entry(number) for number in range(1, 1001)]).open("&entry=650")
    surface.ready(650)
    surface.press("f", "Enter")
    surface.ready(651)
    surface.saving(0)
    surface.press("l")
    place, cells = surface.part("overview-place"), surface.window.locator(".cell")
    place.get_by_text("601 to 900 of 1,000 entries").wait_for()
    assert cells.count() == 300
    assert surface.window.locator(".cell[aria-current=true]").inner_text() == "651"
    surface.part("overview-later").focus()
    surface.press("Enter")
    place.get_by_text("901 to 1000 of 1,000 entries").wait_for()
    assert cells.count() == 100
    surface.press("Enter")  # the focus is still on the button, and there is no later page
    surface.part("overview-earlier").click()
    place.get_by_text("601 to 900 of 1,000 entries").wait_for()
    surface.part("overview").get_by_text("not judged 999").click()
    place.get_by_text("1 to 300 of 999 entries").wait_for()
    surface.part("overview").get_by_text("judged 1", exact=True).click()
    surface.window.locator(".cell[data-state=judged]").wait_for()
    assert cells.count() == 1
    assert len(surface.server.campaign.overviews) == 5, "a page is asked for once, and none beyond the last"
    cells.first.click()
    surface.ready(650)


def test_the_overview_shows_what_waits_in_the_outbox_as_saved(new_surface: NewSurface) -> None:
    surface = new_surface([entry(number) for number in range(1, 401)]).open()
    surface.ready(1)
    surface.window.route(re.compile("judgments"), lambda route: route.abort())
    surface.press("f", "Enter")
    surface.ready(2)
    surface.saving(1)
    surface.press("l")
    surface.part("overview").get_by_text("judged 1", exact=True).wait_for()
    surface.part("overview").get_by_text("not judged 399").click()
    surface.part("overview-place").get_by_text("2 to 300 of 399 entries").wait_for()
    surface.part("overview").get_by_text("judged 1", exact=True).click()
    surface.window.locator(".cell[data-state=judged]").wait_for()
    assert surface.window.locator(".cell").all_inner_texts()[0].split() == ["1", "F"]


def test_the_next_entry_waits_for_a_server_that_is_away_and_comes_when_it_is_back(new_surface: NewSurface) -> None:
    surface = new_surface([entry(number) for number in range(1, 10)]).open()
    surface.ready(1)
    surface.window.route(re.compile("upcoming"), lambda route: route.abort())
    for number in range(1, 7):  # as many as the surface holds
        surface.press("c", "Enter")
        surface.ready(number + 1)
    surface.press("c", "Enter")
    surface.ready("failed")
    assert "The next entry cannot be shown" in surface.part("screen").inner_text()
    surface.window.unroute(re.compile("upcoming"))
    surface.ready(8)  # tried again by itself
    surface.saving(0)
    assert surface.numbers_saved() == [1, 2, 3, 4, 5, 6, 7]


def test_mounting_again_leaves_no_listener_of_the_earlier_surface(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.stored("() => window.mountAgain({ campaign: '1', entry: 5, home: '/home' })")
    surface.ready(5)
    assert surface.part("surface").count() == 1
    surface.press("f")
    assert surface.pressed() == "F"
    surface.stored("() => window.unmount()")
    assert surface.part("surface").count() == 0
    surface.press("c")
    assert surface.stored("window.leaked") == ["c"]


def test_active_time_is_sent_and_carried_by_the_draft(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.press("f", "j")
    surface.ready(2)
    first = surface.stored("() => JSON.parse(localStorage.getItem('assay.draft.3.1001')).active_ms")
    surface.press("p")
    surface.ready(1)
    surface.press("Enter")
    surface.saving(0)
    post = surface.server.campaign.posts[0]
    assert 0 < first <= post["active_ms"] < 60_000


def test_keys_pressed_while_an_entry_is_fetched_choose_nothing(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    held: list[Route] = []
    surface.window.route("**/entries/9", lambda route: held.append(route))
    surface.press("l")
    surface.part("go-to").fill("9")
    surface.press("Enter")
    surface.part("screen").wait_for()
    surface.press("f", "Enter")
    held[0].continue_()
    surface.ready(9)
    assert surface.pressed() == ""
    surface.saving(0)
    assert surface.numbers_saved() == []
