"""Turning, sharper pictures and links on the judging surface, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.surface.fake_server import box, entry, page
from tests.browser.surface.surface_window import Surface, rectangle

NewSurface = Callable[..., Surface]
INSIDE = "document.getElementById('place').shadowRoot"
PDF = [200, 300, 400]


def image(surface: Surface) -> Any:
    return rectangle(surface.window.locator(".sheet img").first)


def test_turning_a_page_turns_its_boxes_along_and_four_turns_bring_it_back(new_surface: NewSurface) -> None:
    surface = new_surface([entry(1, pages=[page("a", boxes=[box(0.25, 0.1, 0.5, 0.3)])])]).open()
    surface.ready(1)
    sides = []
    for _ in range(4):
        surface.press("t")
        picture, frame = image(surface), rectangle(surface.window.locator(".box .frame"))
        sides.append([
            (frame["x"] - picture["x"]) / picture["width"], (frame["y"] - picture["y"]) / picture["height"],
            (frame["x"] + frame["width"] - picture["x"]) / picture["width"],
            (frame["y"] + frame["height"] - picture["y"]) / picture["height"],
        ])  # fmt: skip
        assert surface.window.locator(".box .tag").is_visible()
    assert sides[0] == pytest.approx([0.7, 0.25, 0.9, 0.5], abs=0.002)
    assert sides[1] == pytest.approx([0.5, 0.7, 0.75, 0.9], abs=0.002)
    assert sides[2] == pytest.approx([0.1, 0.5, 0.3, 0.75], abs=0.002)
    assert sides[3] == pytest.approx([0.25, 0.1, 0.5, 0.3], abs=0.002)


def test_a_click_finds_its_box_on_a_turned_page_and_the_next_entry_is_upright(new_surface: NewSurface) -> None:
    pages = [page("a", boxes=[box(0.25, 0.1, 0.5, 0.3, element="x"), box(0.6, 0.6, 0.8, 0.9, element="y")])]
    surface = new_surface([entry(1, pages=pages), entry(2)]).open()
    surface.ready(1)
    surface.press("t", "e")
    frame = rectangle(surface.window.locator(".box[data-number='1'] .frame"))
    surface.window.mouse.click(frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2)
    surface.press("Enter")
    surface.ready(2)
    surface.saving(0)
    assert surface.server.campaign.posts[0]["targets"] == {"E": ["x"]}
    picture = image(surface)
    assert picture["height"] > picture["width"]


def natural_width(surface: Surface) -> int:
    return int(surface.window.locator(".sheet img").first.evaluate("(node) => node.naturalWidth"))


def test_a_pdf_page_is_drawn_sharper_when_it_is_zoomed_and_the_view_does_not_move(new_surface: NewSurface) -> None:
    surface = new_surface([entry(1, pages=[page("a", resolutions=PDF)])]).open()
    surface.ready(1)
    assert natural_width(surface) == 1653
    surface.press("o")
    assert surface.part("zoom").inner_text() == "100 %"
    surface.press("+", "+")
    before = image(surface)
    surface.until(f"() => {INSIDE}.querySelector('.sheet img').naturalWidth === 3306")
    assert image(surface) == before
    assert surface.part("zoom").inner_text() == "156 %"
    assert surface.window.locator(".sheet img").count() == 1
    surface.press("+", "+", "+")
    surface.press("w")
    assert natural_width(surface) == 3306, "what is sharp stays"
    assert [each for each in surface.server.campaign.images if " " in each] == ["a 400"]


def test_no_frame_is_without_a_picture_while_a_sharper_one_comes(new_surface: NewSurface) -> None:
    surface = new_surface([entry(1, pages=[page("a", resolutions=PDF)])]).open()
    surface.ready(1)
    surface.stored(f"""() => {{
        window.empty = 0;
        const look = () => {{
            const shown = {INSIDE}.querySelector(".sheet img");
            if (!shown || !shown.complete || !shown.naturalWidth) window.empty += 1;
            requestAnimationFrame(look);
        }};
        look();
    }}""")
    surface.press("o", "+")
    surface.until(f"() => {INSIDE}.querySelector('.sheet img').naturalWidth === 2480")
    assert surface.stored("window.empty") == 0


def test_a_sharper_picture_that_comes_when_its_entry_is_gone_harms_nothing(new_surface: NewSurface) -> None:
    surface = new_surface([entry(1, pages=[page("a", resolutions=PDF)])]).open()
    surface.ready(1)
    waiting: list[Any] = []
    surface.window.route("**/*dpi=*", lambda route: waiting.append(route))
    with surface.window.expect_request("**/*dpi=*"):
        surface.press("o", "+", "+", "+")
    surface.press("c", "Enter")  # the last entry: no page is shown any more
    surface.ready("finished")
    with surface.window.expect_response("**/*dpi=*"):
        waiting[0].continue_()
    surface.part("review").click()
    surface.window.locator(".cell").first.click()
    surface.ready(1)
    assert natural_width(surface) == 1653


def test_a_page_whose_picture_is_on_its_way_says_so(new_surface: NewSurface) -> None:
    surface = new_surface([entry(1, pages=[page("a", number=4)])]).open()
    surface.ready(1)
    waiting: list[Any] = []
    surface.window.route("**/doc-Annual-5*", lambda route: waiting.append(route))
    surface.press(".")
    surface.window.locator(".sheet.loading").wait_for()
    words = surface.window.locator(".sheet").first.evaluate("(node) => getComputedStyle(node, '::before').content")
    assert words == '"loading the page"'
    waiting[0].continue_()
    expect(surface.window.locator(".sheet.loading")).to_have_count(0)
    assert natural_width(surface) == 1653


def test_an_image_file_and_a_small_zoom_ask_for_nothing_sharper(new_surface: NewSurface) -> None:
    surface = new_surface([entry(1, pages=[page("a", resolutions=PDF)]), entry(2)]).open()
    surface.ready(1)
    surface.press("+", "o", "c", "Enter")
    surface.ready(2)
    surface.press("o", "+", "+", "+", "c", "Enter")
    surface.ready("finished")
    surface.saving(0)
    assert [each for each in surface.server.campaign.images if " " in each] == []


def test_a_sharper_picture_that_fails_leaves_the_page_as_it_is(new_surface: NewSurface) -> None:
    surface = new_surface([entry(1, pages=[page("a", resolutions=PDF)])]).open()
    surface.ready(1)
    surface.window.route("**dpi=**", lambda route: route.abort())
    with surface.window.expect_event("requestfailed"):
        surface.press("o", "+", "+")
    assert natural_width(surface) == 1653
    assert surface.part("page-problem").count() == 0


def two_pages() -> list[dict[str, Any]]:
    first = page("a", number=4, boxes=[box(0.5, 0.3, 0.9, 0.5, "Table")])
    return [
        entry(1),
        entry(2, pages=[first, page("b", number=9, boxes=[box(0.1, 0.1, 0.3, 0.2), box(0.1, 0.8, 0.3, 0.9)])]),
    ]


def copied(surface: Surface) -> str:
    surface.window.context.grant_permissions(["clipboard-read", "clipboard-write"])
    surface.press("y")
    expect(surface.part("copy-link")).to_contain_text("link copied")
    return str(surface.stored("() => navigator.clipboard.readText()"))


def test_a_link_opens_the_same_page_box_and_zoom_again(new_surface: NewSurface) -> None:
    surface = new_surface(two_pages()).open("&entry=2")
    surface.ready(2)
    surface.press("Tab", "Tab", "Tab", "+")
    zoom = surface.part("zoom").inner_text()
    frame = rectangle(surface.window.locator(".box[data-number='3'] .frame"))
    asked = parse_qs(urlsplit(link := copied(surface)).query)
    assert (asked["entry"], asked["page"], asked["box"]) == (["2"], ["page-b"], ["3"])
    other = new_surface(beside=surface)
    other.window.goto(link)
    other.ready(2)
    assert other.window.locator(".box.selected").get_attribute("data-number") == "3"
    assert abs(int(other.part("zoom").inner_text().split()[0]) - int(zoom.split()[0])) <= 1
    again = rectangle(other.window.locator(".box[data-number='3'] .frame"))
    assert [again[side] for side in ("x", "y", "width", "height")] == pytest.approx(
        [frame[side] for side in ("x", "y", "width", "height")], abs=4
    )


def test_a_link_without_a_middle_shows_the_box_in_it(new_surface: NewSurface) -> None:
    surface = new_surface(two_pages()).open("&entry=2&page=page-b&box=3&zoom=1.4")
    surface.ready(2)
    assert surface.part("zoom").inner_text() == "140 %"
    frame = rectangle(surface.window.locator(".box[data-number='3'] .frame"))
    pane = rectangle(surface.window.locator(".pane.focused .sheet"))
    assert frame["x"] + frame["width"] / 2 == pytest.approx(pane["x"] + pane["width"] / 2, abs=1)
    assert frame["y"] + frame["height"] / 2 == pytest.approx(pane["y"] + pane["height"] / 2, abs=1)


def test_a_link_leads_to_a_page_that_is_not_listed(new_surface: NewSurface) -> None:
    surface = new_surface(two_pages()).open("&entry=2")
    surface.ready(2)
    surface.press(".", ".")
    surface.part("pane-head").get_by_text("p. 6 of 15").wait_for()
    link = copied(surface)
    other = new_surface(beside=surface)
    other.window.goto(link)
    other.ready(2)
    other.part("pane-head").get_by_text("p. 6 of 15").wait_for()
    assert other.part("not-listed").count() == 1
    other.press("Backspace")
    expect(other.part("pane-head").first).to_contain_text("evidence 1 of 2")


def test_the_address_follows_the_entry_and_forgets_the_view_of_an_earlier_one(new_surface: NewSurface) -> None:
    surface = new_surface(two_pages()).open("&entry=2&page=page-b&box=3&zoom=1.4")
    surface.ready(2)
    assert "page=page-b" in surface.window.url
    surface.press("p")
    surface.ready(1)
    assert surface.window.url.endswith("?campaign=1&entry=1")


def test_a_link_to_a_page_of_no_document_says_so_and_shows_the_entry(new_surface: NewSurface) -> None:
    surface = new_surface(two_pages()).open("&entry=2&page=nowhere&box=77&zoom=abc")
    surface.ready(2)
    surface.part("banner").get_by_text("not in the documents of this entry").wait_for()
    assert "evidence 1 of 2" in surface.part("pane-head").first.inner_text()


def test_without_a_clipboard_the_link_is_shown_to_be_copied(new_surface: NewSurface) -> None:
    surface = new_surface(two_pages()).open("&entry=2")
    surface.ready(2)
    surface.stored("() => Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    surface.press("y")
    assert "page=page-a" in surface.part("link-field").input_value()
    surface.press("Escape")
    surface.part("link-dialog").wait_for(state="detached")
    surface.press("f")
    assert surface.pressed() == "F"
