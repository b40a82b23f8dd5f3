"""What the judging surface shows of an entry and its pages, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browser.surface.fake_server import box, entry, page
from tests.browser.surface.surface_window import Surface, rectangle

NewSurface = Callable[..., Surface]
INSIDE = "document.getElementById('place').shadowRoot"


def test_markup_in_a_query_is_shown_as_text(new_surface: NewSurface) -> None:
    words = "<script>window.harmed = 1</script> & <img src=x onerror='window.harmed = 2'>"
    surface = new_surface([entry(1, query=words, answer=words, pages=[page("a", title=words)])]).open()
    surface.ready(1)
    assert surface.part("query").inner_text() == words
    assert surface.part("answer").inner_text() == words
    assert surface.stored("window.harmed") is None


def test_line_breaks_that_browsers_do_not_draw_are_shown_as_breaks(new_surface: NewSurface) -> None:
    surface = new_surface([entry(1, query="line\u2028separator", answer="next\u0085line")]).open()
    surface.ready(1)
    assert surface.part("query").inner_text() == "line\nseparator"
    assert surface.part("answer").inner_text() == "next\nline"


def test_an_arabic_query_runs_from_right_to_left_with_its_language(new_surface: NewSurface) -> None:
    surface = new_surface([entry(1, query="ما هي المحطة؟", answer="المحطة ٥", language="ar")]).open()
    surface.ready(1)
    query = surface.part("query")
    assert (query.get_attribute("dir"), query.get_attribute("lang")) == ("auto", "ar")
    assert query.evaluate("(node) => getComputedStyle(node).direction") == "rtl"


def test_a_long_answer_opens_on_request_and_scrolls_inside(new_surface: NewSurface) -> None:
    surface = new_surface([entry(1, answer="word " * 4000)]).open()
    surface.ready(1)
    assert len(surface.part("answer").inner_text()) < 1000
    assert "20,000 characters" in surface.part("show-all").inner_text()
    surface.part("show-all").click()
    answer = surface.part("answer")
    assert answer.evaluate("(node) => node.textContent.length") == 20_000
    assert answer.evaluate("(node) => node.scrollHeight > node.clientHeight && node.clientHeight < innerHeight")


def test_an_entry_without_answer_says_so(new_surface: NewSurface) -> None:
    surface = new_surface([entry(1, answer=None)]).open()
    surface.ready(1)
    assert surface.part("answer").inner_text() == "no answer given"


def test_alternatives_are_named_on_their_pages(new_surface: NewSurface) -> None:
    pages = [page("a", sets=["spoken"]), page("b", sets=["prepared"])]
    surface = new_surface([entry(1, pages=pages, sets=["spoken", "prepared"])]).open()
    surface.ready(1)
    heads = surface.part("pane-head").all_inner_texts()
    assert "alternative A: spoken" in heads[0]
    assert "alternative B: prepared" in heads[1]
    assert "2 alternatives" in surface.part("panel").inner_text()


def test_the_header_of_a_page_names_document_place_and_share_of_the_evidence(new_surface: NewSurface) -> None:
    surface = new_surface([entry(1, pages=[page("a", printed_label="103", warning="its size differs")])]).open()
    surface.ready(1)
    head = surface.part("pane-head").first.inner_text()
    for words in (
        "Annual record of the northern stations",
        'p. 4 of 15 ("103")',
        "evidence 1 of 1",
        "its size differs",
    ):
        assert words in head


def test_eight_pages_of_four_documents_are_reached_by_keys_and_boxes_by_tab(new_surface: NewSurface) -> None:
    pages = [page(f"m{index}", number=index + 1, title=f"Document {'ABCD'[index // 2]}") for index in range(8)]
    surface = new_surface([entry(1, structure="Cross-Doc", pages=pages)]).open()
    surface.ready(1)
    assert surface.part("thumbnail").count() == 8
    surface.press("6")
    assert "evidence 6 of 8" in surface.window.locator(".pane.focused").inner_text()
    surface.press("Tab", "Tab", "Tab")
    assert "evidence 3 of 8" in surface.window.locator(".pane.focused").inner_text()
    assert surface.window.locator(".box.selected").get_attribute("data-number") == "3"
    for image in surface.window.locator(".sheet img").all():
        assert image.evaluate("(node) => node.naturalWidth") > 0


def test_boxes_lie_on_the_image_to_the_pixel_and_are_not_filled(new_surface: NewSurface) -> None:
    surface = new_surface([entry(1, pages=[page("a", boxes=[box(0.25, 0.1, 0.5, 0.2)])])]).open()
    surface.ready(1)
    image = rectangle(surface.window.locator(".sheet img"))
    frame = surface.window.locator(".box .frame").evaluate(
        "(node) => { const r = node.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; }")  # fmt: skip
    wanted = [image["x"] + image["width"] * 0.25, image["y"] + image["height"] * 0.1,
              image["x"] + image["width"] * 0.5, image["y"] + image["height"] * 0.2]  # fmt: skip
    assert frame == pytest.approx(wanted, abs=0.5)
    assert surface.window.locator(".box .frame").get_attribute("fill") == "none"
    surface.press("b")
    assert surface.window.locator(".box .frame").is_hidden()


def test_a_page_without_box_says_that_the_whole_page_is_meant(new_surface: NewSurface) -> None:
    surface = new_surface([entry(1, pages=[page("a", boxes=[])])]).open()
    surface.ready(1)
    assert "whole page: no box" in surface.part("pane-head").first.inner_text()
    assert surface.part("box").count() == 0
    surface.press("Tab")


def test_a_page_that_cannot_be_shown_says_why_in_place_and_the_entry_can_be_judged(new_surface: NewSurface) -> None:
    lost = page("b", src=None, problem="pages/3.png is not in the dataset.")
    surface = new_surface([entry(1, pages=[page("gone"), lost]), entry(2)])
    surface.server.campaign.missing_images.add("gone")
    surface.open().ready(1)
    problems = surface.part("page-problem").all_inner_texts()
    assert "could not be loaded" in problems[0]
    assert "pages/3.png is not in the dataset." in problems[1]
    assert "You can still judge this entry." in problems[1]
    surface.server.campaign.missing_images.clear()
    surface.part("page-retry").click()
    surface.window.locator(".sheet img").wait_for()
    surface.press("c", "Enter")
    surface.ready(2)


def test_the_wheel_zooms_at_the_pointer(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    sheet = rectangle(surface.part("sheet").first)
    x, y = sheet["x"] + 300, sheet["y"] + 200

    def part_under_pointer() -> tuple[float, float]:
        image = rectangle(surface.window.locator(".sheet img"))
        return (x - image["x"]) / image["width"], (y - image["y"]) / image["height"]

    before, percent = part_under_pointer(), surface.part("zoom").inner_text()
    surface.window.mouse.move(x, y)
    surface.window.mouse.wheel(0, -240)
    surface.until(f"(was) => {INSIDE}.querySelector('[data-testid=zoom]').textContent !== was", percent)
    assert part_under_pointer() == pytest.approx(before, abs=0.001)


def test_a_double_click_shows_one_to_one_and_dragging_moves_the_page(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    sheet = rectangle(surface.part("sheet").first)
    surface.window.mouse.dblclick(sheet["x"] + 300, sheet["y"] + 300)
    surface.until(f"() => {INSIDE}.querySelector('[data-testid=zoom]').textContent === '100 %'")
    before = rectangle(surface.window.locator(".sheet img"))
    surface.window.mouse.move(sheet["x"] + 300, sheet["y"] + 300)
    surface.window.mouse.down()
    surface.window.mouse.move(sheet["x"] + 260, sheet["y"] + 230, steps=3)
    surface.window.mouse.up()
    after = rectangle(surface.window.locator(".sheet img"))
    assert (after["x"] - before["x"], after["y"] - before["y"]) == pytest.approx((-40, -70), abs=0.5)


def test_a_first_box_far_down_the_page_is_in_sight_at_once(new_surface: NewSurface) -> None:
    surface = new_surface([entry(1, pages=[page("a", boxes=[box(0.1, 0.9, 0.5, 0.95)])])]).open()
    surface.ready(1)
    frame = rectangle(surface.window.locator(".box .frame"))
    sheet = rectangle(surface.part("sheet").first)
    assert sheet["y"] <= frame["y"]
    assert frame["y"] + frame["height"] <= sheet["y"] + sheet["height"]


def test_the_overlay_of_keys_lists_every_key_of_the_table(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    table = surface.stored("""async () => {
        const { keyTable } = await import("/api/viewer/test/keys.js");
        const codes = [["F", "f"], ["E", "e"], ["U", "u"], ["N", "n"]];
        return keyTable(codes.map(([code, key]) => ({ code, key, meaning: code }))).map((line) => [line.keys.join(" "), line.shown]);
    }""")
    surface.press("?")
    rows = surface.part("help").locator("[data-keys]")
    listed = rows.evaluate_all(
        "(rows) => rows.map((row) => [row.dataset.keys, [...row.querySelectorAll('kbd')].map((k) => k.textContent).join('  ')])"
    )
    assert listed == table
    keys = [key for names, _ in table for key in names.split()]
    assert len(keys) == len(set(keys)), "no key means two things"
    surface.press("Escape")
    surface.part("help").wait_for(state="detached")


def test_the_readme_has_the_table_of_keys(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    rows = surface.stored("""async () => {
        const { keyTable } = await import("/api/viewer/test/keys.js");
        const { protocol } = await (await fetch("/api/campaigns/1/state")).json();
        return keyTable(protocol.codes).map((line) => `| ${line.group} | ${line.shown} | ${line.words} |`);
    }""")
    readme = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
    section = readme.partition("## Keys of the judging page")[2].partition("\n## ")[0]
    assert [line for line in section.split("\n") if line.startswith("| ")][1:] == rows
