"""What the judging surface shows of an entry and its pages, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

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


def test_the_tag_of_a_box_names_its_alternative_and_tags_of_one_place_lie_beside_one_another(
    new_surface: NewSurface,
) -> None:
    same = [box(0.2, 0.3, 0.6, 0.4, "Table", "spoken"), box(0.2, 0.3, 0.6, 0.4, "Table", "printed")]
    alone = page("b", boxes=[box(0.1, 0.1, 0.3, 0.2, None, "printed")], sets=["printed"])
    pages = [page("a", boxes=same, sets=["spoken", "printed"]), alone]
    surface = new_surface([entry(1, pages=pages, sets=["spoken", "printed"]), entry(2)]).open()
    surface.ready(1)
    tags = surface.window.locator(".box .tag")
    assert tags.all_text_contents() == ["1 Table · alt. A", "2 Table · alt. B", "3 box · alt. B"]
    one, other = rectangle(tags.nth(0)), rectangle(tags.nth(1))
    assert (
        one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
        or one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
    )  # fmt: skip
    surface.press("c", "Enter")
    surface.ready(2)
    assert tags.all_text_contents() == ["1 Table"], "where there is one set only, nothing is named"


def test_the_bar_says_who_is_signed_in(new_surface: NewSurface) -> None:
    surface = new_surface()
    surface.server.campaign.me = {"id": 3, "name": "Ada <b>Lovelace</b> of a very long family name"}
    surface.open().ready(1)
    expect(surface.part("me")).to_have_text("Ada <b>Lovelace</b> of a very long family name")
    assert rectangle(surface.part("me"))["width"] < 180
    assert surface.part("me").get_attribute("title") == "signed in as Ada <b>Lovelace</b> of a very long family name"


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


@pytest.mark.parametrize("ratio", [1, 1.25, 2])
@pytest.mark.parametrize("keys", [(), ("+", "+"), ("0",), ("o",)], ids=["width", "larger", "page", "1:1"])
def test_the_corners_of_a_box_lie_within_half_a_pixel_of_the_picture_at_every_zoom_and_pixel_ratio(
    new_surface: NewSurface, ratio: float, keys: tuple[str, ...]
) -> None:
    """125 % zoom of the browser is a pixel ratio of 1.25 with a window that much smaller."""
    window = {"width": round(1440 / ratio) if ratio < 2 else 1440, "height": round(900 / ratio) if ratio < 2 else 900}
    left, top, right, bottom = 413, 234, 826, 701  # pixels of the picture, 1653 x 2339
    placed = box(left / 1653, top / 2339, right / 1653, bottom / 2339)
    surface = new_surface([entry(1, pages=[page("a", boxes=[placed])])], viewport=window, device_scale_factor=ratio)
    surface.open().ready(1)
    surface.press(*keys)
    assert surface.stored("devicePixelRatio") == ratio
    measure = "(node) => { const r = node.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; }"
    picture = surface.window.locator(".sheet img").evaluate(measure)
    frame = surface.window.locator(".box .frame").evaluate(measure)
    k = (picture[2] - picture[0]) / 1653
    found = [(frame[at] - picture[at % 2]) / k for at in range(4)]
    assert found == pytest.approx([left, top, right, bottom], abs=0.5)


def test_boxes_without_size_off_the_page_and_over_all_of_it_are_shown_and_warned_about(new_surface: NewSurface) -> None:
    odd = [
        box(0.3, 0.1, 0.3, 0.1, element="none"),
        box(1.1, 0.1, 1.3, 0.2, element="off"),
        box(0.8, 0.3, 1.2, 0.4),
        box(0, 0, 1, 1),
    ]
    surface = new_surface([entry(1, pages=[page("a", boxes=odd)]), entry(2)]).open()
    surface.ready(1)
    assert surface.part("box-warning").all_inner_texts() == [
        "⚠ box 1 has no size", "⚠ box 2 lies outside the page", "⚠ box 3 leaves the page", "⚠ box 4 covers the whole page",
    ]  # fmt: skip
    assert surface.part("box").count() == 4
    tag = surface.window.locator(".box[data-number='1'] .tag")
    frame = rectangle(surface.window.locator(".box[data-number='1'] .frame"))
    assert tag.is_visible()
    surface.press("e")
    surface.window.mouse.click(frame["x"] + 2, frame["y"] + 2)
    surface.press("Escape", "Tab", "Tab")  # the second box is brought into view
    shown = rectangle(surface.window.locator(".box[data-number='2'] .frame"))
    place = rectangle(surface.part("sheet").first)
    assert place["x"] <= shown["x"] < shown["x"] + shown["width"] <= place["x"] + place["width"]
    surface.press("Enter")
    surface.ready(2)
    surface.saving(0)
    assert surface.server.campaign.posts[0]["targets"] == {"E": ["none"]}


def test_a_page_with_sound_boxes_is_not_warned_about(new_surface: NewSurface) -> None:
    sound = [box(0, 0, 0.5, 1), box(0.0001, 0.5, 1.0002, 0.6)]
    surface = new_surface([entry(1, pages=[page("a", boxes=sound)])]).open()
    surface.ready(1)
    assert surface.part("box-warning").count() == 0


def luminance(colour: str) -> float:
    """Relative luminance of `rgb(...)`, as WCAG 2 defines it."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_can_be_read_in_the_light_and_in_the_dark(new_surface: NewSurface, scheme: str) -> None:
    surface = new_surface(color_scheme=scheme).open()
    surface.ready(1)
    surface.press("f", "k", "Enter")
    surface.ready(2)
    surface.saving(0)
    ground = "(n) => { while (n && /, 0\\)|transparent/.test(getComputedStyle(n).backgroundColor)) n = n.parentNode.host ?? n.parentNode; return getComputedStyle(n).backgroundColor; }"  # noqa: E501
    for name in (
        "query",
        "answer",
        "facts",
        "place",
        "me",
        "save-mark",
        "code-F",
        "save",
        "fit-page",
        "undo",
        "pane-head",
        "leaf-words",
    ):
        part = surface.part(name).first
        words, behind = part.evaluate("(n) => getComputedStyle(n).color"), part.evaluate(ground)
        high, low = sorted([luminance(words), luminance(behind)], reverse=True)
        assert (high + 0.05) / (low + 0.05) >= 4.5, f"{name}: {words} on {behind}"
    paper = luminance(surface.part("panel").evaluate("(n) => getComputedStyle(n).backgroundColor"))
    assert paper < 0.1 if scheme == "dark" else paper > 0.9


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
        const protocol = { codes: codes.map(([code, key]) => ({ code, key, meaning: code })), correction: {} };
        return keyTable(protocol).map((line) => [line.keys.join(" "), line.shown]);
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
        return keyTable(protocol).map((line) => `| ${line.group} | ${line.shown} | ${line.words} |`);
    }""")
    readme = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
    section = readme.partition("## Keys of the judging page")[2].partition("\n## ")[0]
    assert [line for line in section.split("\n") if line.startswith("| ")][1:] == rows
