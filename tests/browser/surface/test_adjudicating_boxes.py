"""Adjudication: everyone's boxes on the pages, told apart by letter, line and colour, and shown as one likes."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.surface.fake_adjudication import case, judgment
from tests.browser.surface.surface_window import Surface
from tests.browser.surface.test_adjudicating import MOVED, PAGES, NewDesk, decided, three

# The fixtures of the sibling module.
from tests.browser.surface.test_adjudicating import desk as desk
from tests.browser.surface.test_adjudicating import new_desk as new_desk


def others(surface: Surface) -> list[str]:
    """Who marked a box on the pages in view, and what it is, in order."""
    return sorted(
        surface.part("other-box").evaluate_all("all => all.map(each => each.dataset.by + ' ' + each.dataset.state)")
    )


def tags(surface: Surface) -> list[str]:
    return sorted(surface.part("other-tags").locator("text").all_text_contents())


def test_the_boxes_of_all_annotators_are_drawn_at_once_with_their_letters(desk: Surface) -> None:
    assert others(desk) == ["A meant", "A new", "C meant"]
    assert tags(desk) == ["A E", "A moved", "C E"]
    assert desk.part("box").count() == 3, "the evidence's own boxes stand as ever"
    expect(desk.part("page-said")).to_have_text("C U, out")


def test_lines_of_annotators_differ_in_colour_and_in_dashes(desk: Surface) -> None:
    lines = desk.window.locator("[data-testid=other-box][data-state=meant] .frame")
    found = lines.evaluate_all("all => all.map(each => [each.getAttribute('stroke'), each.style.strokeDasharray])")
    colours, dashes = zip(*found, strict=True)
    assert len(set(colours)) == len(set(dashes)) == 2
    lies = lines.evaluate_all("all => all.map(each => each.getBoundingClientRect().width)")
    assert lies[0] != lies[1], "two marks on one box do not cover one another"


def test_an_eye_hides_the_boxes_of_one_and_a_key_shows_all_none_or_one_after_the_other(desk: Surface) -> None:
    desk.part("eye").first.click()
    expect(desk.part("other-box")).to_have_count(1)
    assert others(desk) == ["C meant"]
    desk.part("eye").first.click()
    expect(desk.part("other-box")).to_have_count(3)
    shown = []
    for _ in range(5):
        desk.press(">")
        shown.append(others(desk))
    assert shown == [[], ["A meant", "A new"], [], ["C meant"], ["A meant", "A new", "C meant"]]


def test_boxes_of_others_are_stepped_to_but_neither_taken_hold_of_nor_meant(desk: Surface) -> None:
    desk.press("e", "Tab", "Tab", "Tab")
    expect(desk.window.locator("[data-testid=other-box].selected")).to_have_count(1)
    desk.press("Space", "Escape")
    desk.press("s", "r")
    desk.window.keyboard.type("the whole page")
    posted = decided(desk)
    assert posted["targets"] == {"E": ["page-a"]}, "with no box of the evidence chosen the page is meant"


def test_a_box_that_somebody_moved_is_taken_into_ones_own_correction_and_drawn_as_such(desk: Surface) -> None:
    desk.part("card").first.get_by_text("box on page 1 moved").click()
    expect(desk.window.locator(".box.moved")).to_have_count(1)
    desk.press("f", "r")
    desk.window.keyboard.type("only the box")
    desk.press("Escape", "s")
    assert decided(desk)["correction"] == {"boxes": [MOVED]}


def test_a_page_that_somebody_would_add_is_looked_at_from_the_card_with_its_boxes(new_desk: NewDesk) -> None:
    added = {
        "add_pages": [{"page_id": "page-doc-Annual-5", "set": "required"}],
        "boxes": [{"page_id": "page-doc-Annual-5", "element_id": None, "action": "add", "from": None, "to": [0.1, 0.5, 0.4, 0.6]}],
    }  # fmt: skip
    surface = new_desk(case(1, judgment("E", correction=added), judgment(""), pages=PAGES)).open()
    surface.ready(1)
    assert others(surface) == []
    surface.part("card").first.locator(".look").first.click()
    surface.part("not-listed").first.wait_for()
    expect(surface.part("other-box")).to_have_count(1)
    assert tags(surface) == ["A new"]
    expect(surface.part("page-said").first).to_have_text("A in")


def test_boxes_follow_the_page_when_it_is_turned_and_go_with_the_entry(desk: Surface) -> None:
    desk.press("t")
    assert others(desk) == ["A meant", "A new", "C meant"]
    desk.press("ArrowRight")
    desk.ready(2)
    assert others(desk) == []


def test_pages_are_gone_through_with_p(new_desk: NewDesk) -> None:
    surface = new_desk(three()).open()
    surface.ready(1)
    front = surface.window.locator(".pane.focused .number").first
    expect(front).to_have_text("1")
    surface.press("p")
    expect(front).to_have_text("2")
    surface.press("p")
    expect(front).to_have_text("1")
