"""What a slow machine does late costs nothing that was typed or judged."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route

from tests.browser.surface.surface_window import Surface

NewSurface = Callable[..., Surface]

#: Presses M the moment that the dialog is closed: before the next frame, which a busy machine draws late.
PRESS_M_ONCE_CLOSED = """(dialog) => {
    const root = dialog.getRootNode(), host = root.getElementById("host");
    const press = (_, watch) => {
        watch.disconnect();
        const m = new KeyboardEvent("keydown", { key: "m", code: "KeyM", bubbles: true, composed: true, cancelable: true });
        (root.activeElement ?? host).dispatchEvent(m);
    };
    new MutationObserver(press).observe(dialog, { attributeFilter: ["open"] });
}"""
TWO_FRAMES = "() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))"

#: Keeps the store of unsaved judgments busy, as a slow disk does, until `held` is false.
HOLD_THE_STORE = """() => new Promise((resolve, reject) => {
    const opening = indexedDB.open("assay");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
        const store = opening.result.transaction("outbox", "readwrite").objectStore("outbox");
        const again = () => { if (window.held) store.count().onsuccess = again; };
        window.held = true;
        again();
        resolve();
    };
})"""


@pytest.mark.parametrize(("key", "dialog"), [("?", "help"), ("!", "flag-dialog")])
@pytest.mark.parametrize("how", ["Escape", "button"])
def test_a_note_begun_before_the_frame_after_a_dialog_keeps_the_keyboard(
    new_surface: NewSurface, key: str, dialog: str, how: str
) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.press("e", key)
    surface.part(dialog).evaluate(PRESS_M_ONCE_CLOSED)
    if how == "Escape":
        surface.press("Escape")
    else:
        surface.part(dialog).get_by_role("button", name="close").click()
    surface.stored(TWO_FRAMES)
    surface.window.keyboard.type("rit à la main")
    assert surface.part("note").input_value() == "rit à la main"
    assert surface.part(dialog).count() == 0


def held_store(surface: Surface) -> Page:
    """Another window of the same browser that keeps the store busy."""
    other = surface.window.context.new_page()
    other.goto(f"{surface.server.url}/api/viewer/test/viewer.css")
    other.evaluate(HOLD_THE_STORE)
    return other


def test_a_judgment_that_the_store_has_not_written_yet_survives_a_reload(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.window.route("**/judgments", lambda route: route.abort())
    other = held_store(surface)
    surface.press("f", "Enter")
    surface.ready(2)
    surface.saving(1)
    surface.window.unroute("**/judgments")
    surface.window.reload()
    other.evaluate("() => { window.held = false; }")
    surface.ready(2)
    surface.saving(0)
    assert surface.numbers_saved() == [1]
    assert surface.records() == []
    assert surface.stored("() => Object.keys(localStorage).filter((key) => key.startsWith('assay.outbox.'))") == []


def test_a_judgment_is_sent_while_the_store_is_still_writing_it(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    other = held_store(surface)
    with surface.window.expect_response("**/judgments"):
        surface.press("f", "Enter")
    assert surface.numbers_saved() == [1]
    other.evaluate("() => { window.held = false; }")
    surface.saving(0)
    assert surface.records() == []


def write_while_the_answer_is_late(surface: Surface) -> None:
    """Judges entry 1; the server's answer arrives in the middle of a note on entry 2."""
    late: list[Route] = []
    surface.window.route("**/judgments", lambda route: late.append(route))
    with surface.window.expect_request("**/judgments"):
        surface.press("f", "Enter")
    surface.ready(2)
    surface.press("n", "m")
    surface.window.keyboard.type("half ")
    late[0].continue_()
    surface.part("banner").wait_for()
    surface.window.keyboard.type("a note")
    assert surface.part("note").input_value() == "half a note"
    assert surface.part("place").inner_text().startswith("entry 2 of 12")
    surface.window.unroute("**/judgments")


def test_a_refusal_that_comes_late_does_not_take_the_note_away(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.server.campaign.refuse_with = "The answer is too long."
    write_while_the_answer_is_late(surface)
    surface.server.campaign.refuse_with = None
    surface.part("banner-toRefused").click()
    surface.ready(1)
    assert (surface.pressed(), surface.part("note").input_value()) == ("F", "")


def test_a_conflict_that_comes_late_does_not_take_the_keyboard_away(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    elsewhere = {"outcome": "judged", "codes": "N", "note": "seen elsewhere", "reason": "", "targets": {}}
    surface.server.campaign.save(1001, elsewhere)
    write_while_the_answer_is_late(surface)
    surface.part("banner-compare").click()
    surface.part("keep-mine").click()
    surface.saving(0)
    assert [(post["number"], post["codes"]) for post in surface.server.campaign.posts] == [(1, "F")]
