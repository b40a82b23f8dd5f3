"""The judging surface of a relevance campaign: the query, a grade for every page, what answers, and the answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from audit_core.protocols import relevance
from audit_core.protocols.audit_corrections import CorrectionPlaces
from tests.browser.surface.fake_server import entry, page
from tests.browser.surface.surface_window import Surface, rectangle

NewSurface = Callable[..., Surface]
ENTRIES = [entry(n, pages=[page(f"{n}a"), page(f"{n}b", number=5)]) for n in range(1, 4)]
ADDED = "page-doc-Annual-6"
ELEMENTS = [{"element_id": "t1", "kind": "Table", "x0": 0.51, "y0": 0.335, "x1": 0.9, "y1": 0.53}]
POOR = {"query": "poor", "reasons": ["unclear", "unlikely"]}


@pytest.fixture
def grading(new_surface: NewSurface) -> Callable[..., Surface]:
    """Makes a surface whose campaign asks for relevance, with entry 1 in view."""

    def make(entries: list[dict[str, Any]] | None = None, **options: Any) -> Surface:
        surface = new_surface(entries or ENTRIES, **options)
        surface.server.campaign.protocol = relevance.description()
        surface.server.campaign.elements["page-1a"] = ELEMENTS
        surface.open()
        surface.ready(1)
        return surface

    return make


def marked(surface: Surface) -> str:
    """The row that digits answer, by its name in the tests."""
    rows = surface.window.locator(".criterion.marked")
    return (rows.get_attribute("data-testid") or "").removeprefix("criterion-") if rows.count() else ""


def rows(surface: Surface) -> list[str]:
    found = surface.window.locator(".criterion").evaluate_all("all => all.map(each => each.dataset.testid)")
    return [each.removeprefix("criterion-") for each in found]


def front(surface: Surface) -> str:
    return surface.window.locator(".evidence-page[aria-current=true] .number").inner_text()


def posted(surface: Surface) -> list[dict[str, Any]]:
    """What was sent, each as the server's protocol takes it."""
    surface.saving(0)
    for post in surface.server.campaign.posts:
        listed = [each["page_id"] for each in ENTRIES[post["number"] - 1]["pages"]]
        answer = relevance.parse(post, places=CorrectionPlaces(pages={*listed, ADDED}, listed=listed))
        assert answer.fields == post["fields"]
    return [post["fields"] for post in surface.server.campaign.posts]


def draw(surface: Surface, x0: float, y0: float, x1: float, y1: float) -> None:
    """Draw on the first page in view, in parts of it."""
    surface.press("a")
    image = rectangle(surface.window.locator(".pane:not([hidden]) .sheet img").first)

    def at(x: float, y: float) -> tuple[float, float]:
        return image["x"] + x * image["width"], image["y"] + y * image["height"]

    mouse = surface.window.mouse
    mouse.move(*at(x0, y0))
    mouse.down()
    mouse.move(*at((x0 + x1) / 2, (y0 + y1) / 2))
    mouse.move(*at(x1, y1))
    mouse.up()


def test_a_whole_entry_is_judged_with_the_keyboard_alone(grading: Callable[..., Surface]) -> None:
    surface = grading()
    assert marked(surface) == "query"
    surface.press("1")
    assert (marked(surface), front(surface)) == ("grades-1", "1")
    surface.press("2", "2", "1", "q")
    assert (marked(surface), front(surface)) == ("grades-2", "2")
    surface.press("0")
    assert marked(surface) == "answered"
    surface.press("1")
    expect(surface.part("field-answer_text")).to_be_focused()
    surface.window.keyboard.type("Station 1, 1987")
    surface.press("Enter")
    surface.ready(2)
    assert posted(surface) == [
        {
            "query": "good", "grades": {"page-1a": 2, "page-1b": 0}, "types": {"page-1a": ["text", "table"]},
            "answered": "answer", "answer_text": "Station 1, 1987",
        }
    ]  # fmt: skip


def test_a_poor_query_ends_the_entry_with_its_reasons(grading: Callable[..., Surface]) -> None:
    surface = grading()
    surface.press("1", "2", "1", "q", "1", "3")
    surface.part("rate-query-poor").click()
    assert rows(surface) == ["query", "reasons"], "grades of a poor query are gone"
    surface.press("q", "3", "1", "Enter")
    surface.ready(2)
    assert posted(surface) == [POOR]


def test_undo_after_poor_brings_the_grades_back(grading: Callable[..., Surface]) -> None:
    surface = grading()
    surface.press("1", "2", "1", "Escape")
    surface.part("rate-query-poor").click()
    surface.press("z")
    assert "types-1" in rows(surface)
    expect(surface.part("rate-grades-1-2")).to_have_attribute("aria-pressed", "true")


def test_unanswerable_needs_no_words(grading: Callable[..., Surface]) -> None:
    surface = grading()
    surface.press("1", "0", "0", "2", "Enter")
    surface.ready(2)
    assert posted(surface) == [{"query": "good", "grades": {"page-1a": 0, "page-1b": 0}, "answered": "unanswerable"}]


def test_enter_says_what_is_still_asked_and_marks_it(grading: Callable[..., Surface]) -> None:
    surface = grading()
    surface.press("Enter")
    assert surface.part("choose-first").inner_text() == "Choose first: query, or X."
    for keys, words, row in [
        ("1", "Still asked: grade of page 1.", "grades-1"),
        ("2", "Still asked: answers by of page 1.", "types-1"),
        ("2", "Still asked: grade of page 2.", "grades-2"),
        ("0", "Still asked: answer.", "answered"),
        ("1", "Still asked: in words.", "answer_text"),
    ]:
        surface.press(keys)
        surface.press("Enter")
        assert (surface.part("choose-first").inner_text(), marked(surface)) == (words, row)
    surface.window.keyboard.type("1987")
    surface.press("Control+Enter")
    surface.ready(2)
    assert posted(surface)[0]["answer_text"] == "1987"


def test_a_grade_of_0_takes_types_and_boxes_of_the_page_along(grading: Callable[..., Surface]) -> None:
    surface = grading()
    surface.press("1", "2", "1")
    draw(surface, 0.1, 0.1, 0.3, 0.2)
    expect(surface.part("boxes-drawn")).to_have_text("1 box")
    surface.part("rate-grades-1-0").click()
    assert "types-1" not in rows(surface)
    expect(surface.part("boxes-drawn")).to_have_text("0 boxes")


def test_a_page_that_is_leafed_to_is_added_graded_and_taken_back(grading: Callable[..., Surface]) -> None:
    surface = grading()
    surface.press("1", "Escape", "2", ".")
    expect(surface.part("not-listed").first).to_be_visible()
    expect(surface.part("add-page")).to_have_text("Iadd this page")
    surface.press("i")
    row = f"grades-{ADDED}"
    assert marked(surface) == row
    expect(surface.part("page-proposal").filter(has_text="added by you")).to_be_visible()
    surface.press("1", "3", "q")
    assert marked(surface) == "answered"
    surface.part("criterion-grades-1").locator(".criterion-name").click()
    surface.press("0", "0", "Enter")
    assert surface.part("choose-first").inner_text() == "Still asked: answer."
    surface.press("2", "Enter")
    surface.ready(2)
    assert posted(surface) == [
        {
            "query": "good", "pages": [ADDED], "grades": {"page-1a": 0, "page-1b": 0, ADDED: 1},
            "types": {ADDED: ["chart"]}, "answered": "unanswerable",
        }
    ]  # fmt: skip
    surface.press("ArrowLeft")
    surface.ready(1)
    expect(surface.part(f"rate-{row}-1")).to_have_attribute("aria-pressed", "true")
    surface.part("unadd-page").click()
    assert row not in rows(surface)
    surface.press("Enter")
    surface.ready(2)
    assert posted(surface)[1] == {
        "query": "good", "grades": {"page-1a": 0, "page-1b": 0}, "answered": "unanswerable",
    }  # fmt: skip


def test_marking_the_row_of_an_added_page_shows_it_also_after_a_reload(grading: Callable[..., Surface]) -> None:
    surface = grading()
    surface.press("1", "Escape", "2", ".")
    expect(surface.part("not-listed").first).to_be_visible()
    surface.press("i", "1", "1")
    surface.window.reload()
    surface.ready(1)
    number = surface.part(f"criterion-grades-{ADDED}").locator(".number")
    expect(number).to_have_text("+6")
    surface.part(f"criterion-grades-{ADDED}").locator(".criterion-name").click()
    expect(surface.part("not-listed").first).to_be_visible()


def test_a_listed_page_is_not_added(grading: Callable[..., Surface]) -> None:
    surface = grading()
    surface.press("1", "Escape", "i")
    assert surface.part("choose-first").inner_text() == "This page is listed: grade it."
    assert marked(surface) == "grades-1"


def test_boxes_are_drawn_moved_by_keys_and_taken_out_and_the_evidence_stays(grading: Callable[..., Surface]) -> None:
    surface = grading()
    surface.press("1", "a")
    assert surface.part("choose-first").inner_text() == "Grade this page 1 or 2 first: boxes show what answers."
    surface.press("2", "2")
    draw(surface, 0.1, 0.1, 0.3, 0.2)
    expect(surface.part("boxes-drawn")).to_have_text("1 box")
    drawn = surface.window.locator("[data-testid=box][data-state=added]")
    expect(drawn).to_have_count(1)
    surface.press("ArrowRight", "Shift+ArrowDown")
    surface.press("q", "0", "2", "Enter")
    surface.ready(2)
    (box,) = posted(surface)[0]["boxes"]
    assert box["page_id"] == "page-1a"
    assert box["box"][0] > 0.1005
    assert box["box"][2] - box["box"][0] == pytest.approx(0.2, abs=0.01)
    assert box["box"][3] > 0.2005
    surface.press("ArrowLeft")
    surface.ready(1)
    surface.press("Tab", "Delete", "ArrowRight")
    surface.ready(2)
    surface.press("ArrowLeft")
    surface.ready(1)
    expect(surface.part("boxes-drawn")).to_have_text("1 box")
    surface.press("Tab", "Tab", "Delete")
    expect(surface.part("boxes-drawn")).to_have_text("0 boxes")


def test_a_drawn_box_snaps_to_an_element_and_escape_stops_drawing(grading: Callable[..., Surface]) -> None:
    surface = grading()
    with surface.window.expect_response("**/pages?*") as elements:
        surface.press("1", "2", "2", "a")
    elements.value.finished()
    expect(surface.part("draw-box")).to_have_attribute("aria-pressed", "true")
    surface.press("Escape")
    expect(surface.part("draw-box")).to_have_attribute("aria-pressed", "false")
    assert marked(surface) == "types-1"
    draw(surface, 0.52, 0.34, 0.89, 0.52)
    expect(surface.part("boxes-drawn")).to_have_text("1 box")
    surface.press("q", "0", "2", "Enter")
    surface.ready(2)
    assert posted(surface)[0]["boxes"] == [{"page_id": "page-1a", "box": [0.51, 0.335, 0.9, 0.53]}]


def test_an_unfinished_entry_comes_back_after_a_reload_and_goes_on_where_it_stopped(
    grading: Callable[..., Surface],
) -> None:
    surface = grading()
    surface.press("1", "2", "1")
    surface.window.reload()
    surface.ready(1)
    expect(surface.part("rate-types-1-text")).to_have_attribute("aria-pressed", "true")
    assert marked(surface) == "grades-2"
    expect(surface.part("standing")).to_be_hidden()


def test_a_saved_entry_is_shown_again_and_listed_by_its_letter(grading: Callable[..., Surface]) -> None:
    surface = grading()
    surface.press("2", "1", "3", "Enter")
    surface.ready(2)
    surface.press("1", "0", "0", "2", "Enter")
    surface.ready(3)
    surface.saving(0)
    surface.press("l")
    cells = surface.part("overview-cells").locator(".cell small")
    expect(cells.first).to_have_text("P")
    expect(cells.nth(1)).to_have_text("G")
    surface.press("Escape", "ArrowLeft")
    surface.ready(2)
    assert marked(surface) == ""
    assert surface.part("standing").inner_text().startswith("saved")


def test_two_windows_that_differ_are_shown_side_by_side_in_words(grading: Callable[..., Surface]) -> None:
    surface = grading()
    theirs = {"query": "good", "grades": {"page-1a": 1, "page-1b": 0}, "types": {"page-1a": ["text"]},
              "answered": "unanswerable"}  # fmt: skip
    said = {"outcome": "judged", "codes": "", "note": "", "reason": "", "targets": {}, "fields": theirs}
    surface.server.campaign.save(1001, said)
    surface.press("1", "2", "2", "q", "0", "2", "Enter")
    dialog = surface.part("conflict")
    dialog.wait_for()
    differing = dialog.locator("td.differs").all_inner_texts()
    assert differing == [
        "page 1: 2\npage 2: 0", "page 1: 1\npage 2: 0", "page 1: table", "page 1: text",
    ]  # fmt: skip
    surface.part("take-theirs").click()
    surface.saving(0)


def test_cannot_judge_takes_all_answers_back(grading: Callable[..., Surface]) -> None:
    surface = grading()
    surface.press("1", "2", "x")
    assert (surface.pressed(), marked(surface), rows(surface)) == ("X", "", ["query"])
    surface.press("r")
    surface.window.keyboard.type("white page")
    surface.press("Enter")
    surface.ready(2)
    surface.saving(0)
    post = surface.server.campaign.posts[0]
    assert (post["outcome"], post["fields"], post["reason"]) == ("cannot_judge", {}, "white page")


def test_a_closed_campaign_takes_nothing(grading: Callable[..., Surface]) -> None:
    surface = grading()
    surface.server.campaign.state = "closed"
    surface.window.reload()
    surface.ready(1)
    surface.press("1", "q", "1", "a", "i")
    expect(surface.part("rate-query-good")).to_be_disabled()
    assert (rows(surface), marked(surface)) == (["query"], "")


def test_the_guidelines_open_at_what_is_marked(grading: Callable[..., Surface]) -> None:
    surface = grading()
    surface.press("1", "h")
    section = rectangle(surface.part("guidelines").locator("[data-field=grades]"))
    body = rectangle(surface.part("guidelines").locator(".guide-body"))
    assert abs(section["y"] - body["y"]) < 60


@pytest.mark.parametrize("viewport", [{"width": 1440, "height": 900}, {"width": 1024, "height": 720}])
def test_many_pages_leave_room_to_read_and_the_marked_row_is_in_sight(
    grading: Callable[..., Surface], viewport: dict[str, int]
) -> None:
    pages = [page(f"1{letter}", number=number) for number, letter in enumerate("abcdefgh", start=1)]
    surface = grading([entry(1, pages=pages), *ENTRIES[1:]], viewport=viewport)
    surface.press("1")
    for number in range(1, 9):
        assert marked(surface) == f"grades-{number}"
        row = rectangle(surface.window.locator(".criterion.marked"))
        holder = rectangle(surface.window.locator(".criteria-rows"))
        assert holder["y"] - 1 <= row["y"]
        assert row["y"] + row["height"] <= holder["y"] + holder["height"] + 1
        surface.press("2", "1", "q")
    panel = rectangle(surface.part("panel"))
    for name in ("note", "save", "code-X", "draw-box"):
        inside = rectangle(surface.part(name))
        assert inside["x"] + inside["width"] <= panel["x"] + panel["width"]
        assert inside["y"] + inside["height"] <= panel["y"] + panel["height"]
    assert rectangle(surface.window.locator(".reading"))["height"] >= 120
