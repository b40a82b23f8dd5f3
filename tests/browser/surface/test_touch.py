"""The judging surface under fingers: pinch, pan, scroll, swipe, tap and double tap, as a touch screen reports them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.surface.fake_server import box, entry, page
from tests.browser.surface.surface_window import Surface, rectangle

NewSurface = Callable[..., Surface]
Point = tuple[float, float]
TABLET = {"has_touch": True, "is_mobile": True, "device_scale_factor": 2}


class Fingers:
    """Fingers on the window, moved as a touch screen reports them."""

    def __init__(self, surface: Surface) -> None:
        self.session = surface.window.context.new_cdp_session(surface.window)

    def _send(self, kind: str, points: list[Point]) -> None:
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def move(self, *paths: tuple[Point, Point], steps: int = 8) -> None:
        """Put a finger down at the start of each path, move all to the ends, lift them."""
        self._send("touchStart", [start for start, _ in paths])
        for step in range(1, steps + 1):
            part = step / steps
            self._send("touchMove", [(a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part) for a, b in paths])
        self._send("touchEnd", [])

    def tap(self, *points: Point, tremble: float = 0) -> None:
        """Put fingers down together, tremble, lift them."""
        self._send("touchStart", list(points))
        if tremble:
            self._send("touchMove", [(x + tremble, y - tremble) for x, y in points])
            self._send("touchMove", list(points))
        self._send("touchEnd", [])

    def pinch(self, at: Point, factor: float) -> None:
        """A pinch as the browser itself makes it, through all that it does with touches."""
        gesture = {"x": at[0], "y": at[1], "scaleFactor": factor, "gestureSourceType": "touch", "relativeSpeed": 2000}
        self.session.send("Input.synthesizePinchGesture", gesture)


def image(surface: Surface) -> Any:
    return rectangle(surface.window.locator(".sheet img").first)


def sheet(surface: Surface) -> Any:
    return rectangle(surface.window.locator(".sheet").first)


def in_page(surface: Surface, x: float, y: float) -> Point:
    shown = image(surface)
    return shown["x"] + x * shown["width"], shown["y"] + y * shown["height"]


def document_zoom(surface: Surface) -> Any:
    return surface.stored("[visualViewport.scale, visualViewport.pageTop, visualViewport.pageLeft]")


def opened(new_surface: NewSurface, entries: list[dict[str, Any]] | None = None, **options: Any) -> Surface:
    surface = new_surface(entries, **(TABLET | options)).open()
    surface.ready(1)
    return surface


def test_a_pinch_zooms_to_its_middle(new_surface: NewSurface) -> None:
    surface = opened(new_surface)
    before = image(surface)
    x, y = before["x"] + 300, before["y"] + 250
    part = (x - before["x"]) / before["width"], (y - before["y"]) / before["height"]
    Fingers(surface).move(((x - 60, y), (x - 150, y)), ((x + 60, y), (x + 150, y)))
    after = image(surface)
    assert after["width"] / before["width"] == pytest.approx(2.5, rel=0.02)
    now = (x - after["x"]) / after["width"], (y - after["y"]) / after["height"]
    assert now == pytest.approx(part, abs=0.004)
    assert document_zoom(surface) == [1, 0, 0]


def test_the_browsers_own_pinch_zooms_the_page_about_the_fingers_and_the_document_nowhere(
    new_surface: NewSurface,
) -> None:
    surface = opened(new_surface)
    fingers = Fingers(surface)
    before = image(surface)
    x, y = before["x"] + 420, before["y"] + 300
    part = (x - before["x"]) / before["width"], (y - before["y"]) / before["height"]
    fingers.pinch((x, y), 2)
    after = image(surface)
    assert 1.6 < after["width"] / before["width"] < 3, "the browser begins closer to the fingers than it says"
    now = (x - after["x"]) / after["width"], (y - after["y"]) / after["height"]
    assert now == pytest.approx(part, abs=0.02)
    for name in ("query", "topbar", "toolbar", "code-E", "leaf-bar", "pane-head"):
        place = rectangle(surface.part(name).first)
        fingers.pinch((place["x"] + place["width"] / 2, place["y"] + place["height"] / 2), 2)
        assert document_zoom(surface) == [1, 0, 0], name
    fingers.pinch((x, y), 0.5)
    assert image(surface)["width"] < after["width"]
    assert document_zoom(surface) == [1, 0, 0]


def test_a_pinch_on_a_touch_pad_never_zooms_the_document_but_the_wheel_with_the_control_key_may(
    new_surface: NewSurface,
) -> None:
    surface = new_surface().open()
    surface.ready(1)
    wheel = """(node) => !node.dispatchEvent(
        new WheelEvent("wheel", { deltaY: -4, ctrlKey: true, bubbles: true, composed: true, cancelable: true }))"""
    for name in ("query", "topbar", "pane-head", "sheet"):
        assert surface.part(name).first.evaluate(wheel), name
    surface.window.keyboard.down("Control")
    assert not surface.part("query").evaluate(wheel)
    surface.window.keyboard.up("Control")
    assert surface.part("query").evaluate(wheel)


def test_two_fingers_that_move_together_carry_the_page(new_surface: NewSurface) -> None:
    surface = opened(new_surface)
    before = image(surface)
    x, y = before["x"] + 300, before["y"] + 400
    Fingers(surface).move(((x - 60, y), (x - 90, y - 70)), ((x + 60, y), (x + 30, y - 70)))
    after = image(surface)
    assert after["width"] == pytest.approx(before["width"], rel=0.01)
    assert (after["x"] - before["x"], after["y"] - before["y"]) == pytest.approx((-30, -70), abs=3)


def test_one_finger_pans_a_page_that_is_zoomed_and_selects_nothing(new_surface: NewSurface) -> None:
    surface = opened(new_surface)
    surface.press("+", "+")
    before = image(surface)
    place = sheet(surface)
    x, y = place["x"] + 400, place["y"] + 400
    Fingers(surface).move(((x, y), (x + 120, y - 90)), steps=20)
    after = image(surface)
    moved = after["x"] - before["x"], after["y"] - before["y"]
    assert moved == pytest.approx((120, -90), abs=14), "but for the first pixels, in which a finger only trembles"
    assert surface.stored("() => getSelection().toString()") == ""
    assert surface.part("not-listed").count() == 0, "a zoomed page is not turned by a swipe"


def test_one_finger_scrolls_a_page_of_full_width_to_its_ends_and_not_sideways(new_surface: NewSurface) -> None:
    surface = opened(new_surface)
    before = image(surface)
    place = sheet(surface)
    x, y = place["x"] + 400, place["y"] + 600
    fingers = Fingers(surface)
    fingers.move(((x, y), (x + 30, y - 200)))
    after = image(surface)
    assert after["x"] == before["x"]
    assert after["y"] - before["y"] == pytest.approx(-200, abs=26)
    for _ in range(12):
        fingers.move(((x, y), (x, y - 500)))
    end = image(surface)
    assert end["y"] + end["height"] == pytest.approx(place["y"] + place["height"] - 10, abs=1)
    for _ in range(12):
        fingers.move(((x, y - 500), (x, y)))
    assert image(surface)["y"] == pytest.approx(place["y"] + 10, abs=1)


def test_a_swipe_sideways_turns_to_the_neighbours_of_the_page(new_surface: NewSurface) -> None:
    surface = opened(new_surface, [entry(1, pages=[page("a", number=4)]), entry(2)])
    place = sheet(surface)
    x, y = place["x"] + 400, place["y"] + 400
    fingers = Fingers(surface)
    fingers.move(((x, y), (x - 180, y + 12)), steps=3)
    expect(surface.part("pane-head").first).to_contain_text("p. 5 of 15")
    fingers.move(((x, y), (x + 180, y + 12)), steps=3)
    expect(surface.part("pane-head").first).to_contain_text("p. 4 of 15")
    fingers.move(((x, y), (x + 150, y + 150)), steps=3)
    expect(surface.part("pane-head").first).to_contain_text("p. 4 of 15")
    fingers.move(((x, y), (x - 180, y)), ((x + 80, y), (x - 100, y)), steps=3)  # two fingers carry the page
    expect(surface.part("pane-head").first).to_contain_text("p. 4 of 15")


def test_a_tap_names_boxes_and_pages_also_with_a_trembling_finger(new_surface: NewSurface) -> None:
    boxes = [box(0.1, 0.1, 0.5, 0.3, element="x"), box(0.6, 0.1, 0.9, 0.3, element="y")]
    surface = opened(new_surface, [entry(1, pages=[page("a", boxes=boxes)]), entry(2)])
    fingers = Fingers(surface)
    surface.part("code-E").tap()
    assert surface.part("asking-hint").inner_text() == "tap the pages or boxes that are meant"
    before = image(surface)
    fingers.tap(in_page(surface, 0.3, 0.2), tremble=7)
    surface.window.locator(".box.meant[data-number='1']").wait_for()
    assert image(surface) == before, "and the page stays where it is"
    fingers.tap(in_page(surface, 0.2, 0.2), in_page(surface, 0.75, 0.2))  # two fingers at once name nothing
    fingers.tap(in_page(surface, 0.55, 0.4))
    expect(surface.part("mark-E").first).to_have_attribute("aria-pressed", "true")
    surface.part("save").tap()
    surface.ready(2)
    surface.saving(0)
    assert surface.server.campaign.posts[0]["targets"] == {"E": ["x", "page-a"]}


def test_a_tap_chooses_a_box_and_two_taps_come_close_and_go_back(new_surface: NewSurface) -> None:
    surface = opened(new_surface, [entry(1, pages=[page("a", boxes=[box(0.1, 0.1, 0.5, 0.3)])])])
    fingers = Fingers(surface)
    fingers.tap(in_page(surface, 0.3, 0.2))
    surface.window.locator(".box.selected").wait_for()
    before = image(surface)
    spot = in_page(surface, 0.4, 0.25)
    surface.window.wait_for_timeout(400)  # the tap above is no first half of a double tap
    fingers.tap(spot)
    fingers.tap(spot)
    after = image(surface)
    assert after["width"] > 1.9 * before["width"]
    part = (spot[0] - after["x"]) / after["width"], (spot[1] - after["y"]) / after["height"]
    assert part == pytest.approx((0.4, 0.25), abs=0.004)
    surface.window.wait_for_timeout(400)
    fingers.tap(spot)
    fingers.tap(spot)
    assert image(surface)["width"] == pytest.approx(before["width"], abs=1)
    assert document_zoom(surface) == [1, 0, 0]


def test_a_finger_draws_a_box_and_takes_hold_of_its_corner(new_surface: NewSurface) -> None:
    surface = opened(new_surface, [entry(1, pages=[page("a", boxes=[])]), entry(2)])
    fingers = Fingers(surface)
    surface.part("code-E").tap()
    surface.part("proposal").tap()
    surface.part("propose-draw").tap()
    fingers.move((in_page(surface, 0.2, 0.1), in_page(surface, 0.6, 0.2)), steps=20)
    surface.window.locator(".box.added").wait_for()
    frame = rectangle(surface.window.locator(".box .frame"))
    corner = frame["x"] + frame["width"] + 12, frame["y"] + frame["height"] + 12
    fingers.move((corner, (corner[0] + 60, corner[1] + 40)), steps=10)
    grown = rectangle(surface.window.locator(".box .frame"))
    assert (grown["width"] - frame["width"], grown["height"] - frame["height"]) == pytest.approx((60, 40), abs=3)
    surface.part("save").tap()
    surface.ready(2)
    surface.saving(0)
    (change,) = surface.server.campaign.posts[0]["correction"]["boxes"]
    assert change["to"][:2] == pytest.approx([0.2, 0.1], abs=0.004)


@pytest.mark.parametrize("size", [(1024, 768), (768, 1024), (1180, 820), (820, 1180)])
def test_on_a_tablet_every_control_is_in_sight_and_fields_are_large_enough_not_to_be_zoomed_to(
    new_surface: NewSurface, size: tuple[int, int]
) -> None:
    surface = opened(new_surface, viewport={"width": size[0], "height": size[1]})
    surface.press("c", "Enter")
    surface.ready(2)
    surface.saving(0)
    names = (
        "home", "save-mark", "place", "entry-back", "entry-on", "me", "ask-lead", "guidelines-toggle", "keys", "query", "code-F", "code-E",
        "code-U", "code-N", "code-C", "code-X", "note", "undo", "save", "fit-page", "fit-width", "one-to-one", "rotate",
        "copy-link", "boxes-toggle", "next-box", "leaf-on", "leaf-field",
    )  # fmt: skip
    for name in names:
        place = rectangle(surface.part(name).first)
        assert place["x"] >= 0, name
        assert place["x"] + place["width"] <= size[0], name
        assert place["y"] + place["height"] <= size[1], name
    assert surface.part("note").evaluate("(node) => parseFloat(getComputedStyle(node).fontSize)") >= 16
    assert surface.stored("document.scrollingElement.scrollWidth <= innerWidth")
