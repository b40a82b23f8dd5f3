"""Choosing, writing, undoing and saving on the judging surface, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.surface.fake_server import entry, page
from tests.browser.surface.surface_window import Surface

NewSurface = Callable[..., Surface]
HOST = "document.getElementById('place').shadowRoot.getElementById('host')"


def test_a_code_and_enter_save_the_entry_and_show_the_next_one(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.press("f", "e", "Enter")
    surface.ready(2)
    surface.saving(0)
    saved = surface.server.campaign.posts
    assert [(post["number"], post["outcome"], post["codes"], post["base_revision"]) for post in saved] == [
        (1, "judged", "FE", 0)
    ]
    assert surface.part("place").inner_text().startswith("entry 2 of 12")
    assert re.fullmatch(r"saved \d\d:\d\d:\d\d", surface.part("save-mark").inner_text())
    assert "entry=2" in surface.window.url


def test_codes_correct_and_cannot_judge_exclude_one_another(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.press("n", "f")
    assert surface.pressed() == "FN"
    surface.press("c")
    assert surface.pressed() == "C"
    surface.press("u")
    assert surface.pressed() == "U"
    surface.press("x")
    assert surface.pressed() == "X"
    surface.press("e")
    assert surface.pressed() == "E"
    surface.press("e")
    assert surface.pressed() == "", "taking back the last code does not mean correct"


def test_a_code_on_off_and_on_again_then_correct_saves_correct_alone(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.press("f", "f", "f")
    assert surface.pressed() == "F"
    surface.press("c", "Enter")
    surface.ready(2)
    surface.saving(0)
    assert [(post["outcome"], post["codes"]) for post in surface.server.campaign.posts] == [("judged", "")]


def test_enter_twice_fast_saves_once_and_asks_for_a_choice(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.stored(f"""() => {{
        for (const [key, code] of [["c", "KeyC"], ["Enter", "Enter"], ["Enter", "Enter"]]) {{
            {HOST}.dispatchEvent(new KeyboardEvent("keydown", {{ key, code, bubbles: true, composed: true }}));
        }}
    }}""")
    surface.ready(2)
    surface.saving(0)
    assert "Choose first" in surface.part("choose-first").inner_text()
    assert surface.numbers_saved() == [1]


def test_five_entries_judged_at_once_are_saved_in_order(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    for number in range(1, 6):
        surface.press("c" if number % 2 else "f", "Enter")
        surface.ready(number + 1)
    surface.saving(0)
    assert surface.numbers_saved() == [1, 2, 3, 4, 5]
    assert [post["codes"] for post in surface.server.campaign.posts] == ["", "F", "", "F", ""]


def test_five_entries_judged_without_a_pause_are_all_saved(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    for key in "cfecn":
        surface.press(key, "Enter")
    surface.ready(6)
    surface.saving(0)
    assert [(post["number"], post["codes"]) for post in surface.server.campaign.posts] == [
        (1, ""), (2, "F"), (3, "E"), (4, ""), (5, "N"),
    ]  # fmt: skip


def test_keys_held_down_or_pressed_with_control_choose_nothing(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.window.keyboard.down("f")
    surface.window.keyboard.down("f")  # the second one is a repeat
    surface.window.keyboard.up("f")
    assert surface.pressed() == "F"
    surface.press("Control+e", "Alt+u", "Meta+n")
    assert surface.pressed() == "F"


def test_keys_of_a_keyboard_without_latin_letters_are_read_by_their_place(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.stored(f"""() => {HOST}.dispatchEvent(
        new KeyboardEvent("keydown", {{ key: "а", code: "KeyF", bubbles: true, composed: true }}))""")
    assert surface.pressed() == "F"


#: What a French keyboard sends: key, code, shift. Letters are where they are printed, digits under signs.
FRENCH = {
    "e": ("e", "KeyE", False), "1": ("&", "Digit1", False), "2": ("é", "Digit2", False), "shift 1": ("1", "Digit1", True),
    "a": ("a", "KeyQ", False), "q": ("q", "KeyA", False), "w": ("w", "KeyZ", False), "z": ("z", "KeyW", False),
    "m": ("m", "Semicolon", False), ",": (",", "KeyM", False), "0": ("à", "Digit0", False), "-": ("-", "Digit6", False),
    "?": ("?", "KeyM", True), "!": ("!", "Slash", False), "k": ("k", "KeyK", False), ".": (".", "Comma", True),
}  # fmt: skip


def french(surface: Surface, *names: str) -> None:
    for name in names:
        key, code, shift = FRENCH[name]
        surface.stored(f"""() => {HOST}.dispatchEvent(new KeyboardEvent("keydown",
            {{ key: {key!r}, code: {code!r}, shiftKey: {str(shift).lower()}, bubbles: true, composed: true }}))""")


def test_a_french_keyboard_means_what_is_printed_on_it_and_its_digits_need_no_shift(new_surface: NewSurface) -> None:
    pages = [page("a", number=4), page("b", number=9)]
    surface = new_surface([entry(1, pages=pages), entry(2)]).open()
    surface.ready(1)
    french(surface, "e", "2")
    assert surface.window.locator(".pane.focused").get_by_test_id("mark-E").inner_text() == "E this page"
    french(surface, "shift 1")
    assert surface.window.locator(".pane.focused").get_by_test_id("mark-E").inner_text() == "E this page"
    french(surface, "q")  # the question is over
    assert surface.part("asking-hint").is_hidden()
    french(surface, "z")
    expect(surface.part("mark-E").first).to_have_text("E?")
    french(surface, "k", "a")
    expect(surface.part("propose-draw")).to_have_attribute("aria-pressed", "true")
    french(surface, "k", ".")
    expect(surface.window.locator(".pane.focused").get_by_test_id("pane-head")).to_contain_text("p. 5 of 15")
    french(surface, ",")
    expect(surface.window.locator(".pane.focused").get_by_test_id("pane-head")).to_contain_text("p. 4 of 15")
    zoom = surface.part("zoom").inner_text()
    french(surface, "-")
    assert surface.part("zoom").inner_text() != zoom
    french(surface, "0")
    expect(surface.part("fit-page")).to_have_attribute("aria-pressed", "true")
    french(surface, "w")
    expect(surface.part("fit-width")).to_have_attribute("aria-pressed", "true")
    french(surface, "?")
    surface.part("help").wait_for()
    surface.press("Escape")
    french(surface, "m")
    surface.window.keyboard.type("écrit à la main")
    surface.press("Control+Enter")
    surface.ready(2)
    surface.saving(0)
    post = surface.server.campaign.posts[0]
    assert (post["codes"], post["targets"], post["note"]) == ("E", {"E": ["page-b"]}, "écrit à la main")


def test_three_hundred_entries_are_judged_in_one_sitting_without_growing(new_surface: NewSurface) -> None:
    surface = new_surface([entry(number, pages=[page(f"s{number % 6}")]) for number in range(1, 302)]).open()
    surface.ready(1)
    size = "() => document.getElementById('place').shadowRoot.querySelectorAll('*').length"
    sizes = []
    for number in range(1, 301):
        surface.press("f" if number % 3 else "c", "Enter")
        surface.ready(number + 1)
        if number % 25 == 0:
            surface.saving(0)
        if number in (50, 300):
            sizes.append(surface.stored(size))
    assert surface.numbers_saved() == list(range(1, 301))
    assert surface.part("progress-numbers").inner_text() == "300 judged · 1 left"
    assert surface.records() == []
    assert sizes[1] <= sizes[0] + 20


def test_keys_do_not_reach_the_page_around_the_surface(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.press("c", "r", "f", "?", "Escape", "Tab")
    assert surface.stored("window.leaked") == []


def test_a_note_holds_letters_that_are_keys_elsewhere_and_control_enter_saves_it(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.press("m")
    surface.window.keyboard.type("fun CEREAL")
    surface.press("Enter")
    surface.window.keyboard.type("x")
    assert surface.pressed() == ""
    surface.press("Escape", "e", "/", "End", "Control+Enter")
    surface.ready(2)
    surface.saving(0)
    post = surface.server.campaign.posts[0]
    assert (post["codes"], post["note"]) == ("E", "fun CEREAL\nx")


def test_cannot_judge_takes_a_reason(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.press("x", "r")
    surface.window.keyboard.type("too faint to read")
    surface.press("Enter")
    surface.ready(2)
    surface.saving(0)
    post = surface.server.campaign.posts[0]
    assert (post["outcome"], post["codes"], post["reason"]) == ("cannot_judge", "", "too faint to read")


def test_a_code_can_name_the_page_that_it_means(new_surface: NewSurface) -> None:
    surface = new_surface([entry(1, pages=[page("a"), page("b")]), entry(2)]).open()
    surface.ready(1)
    surface.press("e", "2", "Enter")
    surface.ready(2)
    surface.saving(0)
    assert surface.server.campaign.posts[0]["targets"] == {"E": ["page-b"]}


def test_undo_takes_back_changes_and_then_returns_to_the_entry_saved_last(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.press("f", "n", "z")
    assert surface.pressed() == "F"
    surface.press("Enter")
    surface.ready(2)
    surface.press("z")
    surface.ready(1)
    assert surface.pressed() == "F"
    surface.saving(0)
    surface.press("u", "Enter")
    surface.ready(2)
    surface.saving(0)
    assert [(post["number"], post["codes"], post["base_revision"]) for post in surface.server.campaign.posts] == [
        (1, "F", 0),
        (1, "FU", 1),
    ]


def test_a_revision_made_while_the_first_save_is_under_way_rests_on_it(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.server.stop()
    surface.press("f", "Enter")
    surface.ready(2)
    surface.press("z")
    surface.ready(1)
    surface.press("e", "Enter")
    surface.ready(2)
    surface.saving(2)
    surface.server.start()
    surface.send_now()
    surface.saving(0)
    assert [(post["codes"], post["base_revision"]) for post in surface.server.campaign.posts] == [("F", 0), ("FE", 1)]


def test_a_saved_entry_left_without_change_is_not_saved_again(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.press("f", "Enter")
    surface.ready(2)
    surface.saving(0)
    surface.press("p")
    surface.ready(1)
    assert re.search(r"saved \d\d:\d\d \(revision 1\)", surface.part("standing").inner_text())
    surface.window.locator("#host[data-revision='1']").wait_for(state="attached")
    surface.press("Enter")
    surface.ready(2)
    assert surface.numbers_saved() == [1]
    assert surface.server.campaign.draft_puts == [] or all(
        put["entry"] == 1 for put in surface.server.campaign.draft_puts
    )
    assert surface.server.campaign.entries[0]["draft"] is None
