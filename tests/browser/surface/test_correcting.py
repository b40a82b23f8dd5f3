"""Proposing a correction on the judging surface, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.browser.surface.fake_server import box, entry, page
from tests.browser.surface.surface_window import Surface, rectangle

NewSurface = Callable[..., Surface]
TABLE = [0.51, 0.335, 0.9, 0.53]
ELEMENTS = [
    {"element_id": "t1", "kind": "Table", "x0": 0.51, "y0": 0.335, "x1": 0.9, "y1": 0.53},
    {"element_id": "x9", "kind": "Text", "x0": 0.1, "y0": 0.1, "x1": 0.45, "y1": 0.2},
]


def entries() -> list[dict[str, Any]]:
    """One page with the box of an element; further pages of the document can be leafed to."""
    return [entry(1, pages=[page("a", number=4, boxes=[box(*TABLE, "Table", element="t1")])]), entry(2)]


@pytest.fixture
def desk(new_surface: NewSurface) -> Surface:
    """The surface with the form of a correction open, E chosen."""
    surface = new_surface(entries())
    surface.server.campaign.elements["page-a"] = ELEMENTS
    surface.server.campaign.elements["page-doc-Annual-5"] = ELEMENTS[1:]
    surface.open().ready(1)
    with surface.window.expect_response("**/pages?*") as elements:
        surface.press("0", "e", "k")
    elements.value.finished()
    surface.stored("() => new Promise((resolve) => setTimeout(resolve, 50))")
    surface.part("propose").wait_for()
    return surface


def proposed(surface: Surface) -> Any:
    surface.press("Enter")
    surface.ready(2)
    surface.saving(0)
    return surface.server.campaign.posts[-1]["correction"]


def point(surface: Surface, x: float, y: float) -> tuple[float, float]:
    image = rectangle(surface.window.locator(".sheet img").first)
    return image["x"] + x * image["width"], image["y"] + y * image["height"]


def drag(surface: Surface, start: tuple[float, float], end: tuple[float, float]) -> None:
    surface.window.mouse.move(*start)
    surface.window.mouse.down()
    surface.window.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    surface.window.mouse.move(*end)
    surface.window.mouse.up()


def draw(surface: Surface, x0: float, y0: float, x1: float, y1: float) -> None:
    surface.press("a")
    drag(surface, point(surface, x0, y0), point(surface, x1, y1))


def test_a_box_that_is_drawn_and_saved_before_the_elements_are_known_is_not_lost(new_surface: NewSurface) -> None:
    surface = new_surface(entries())
    surface.window.route("**/pages?*", lambda route: None)
    surface.open().ready(1)
    surface.press("0", "e", "k")
    draw(surface, 0.1, 0.7, 0.3, 0.8)
    (change,) = proposed(surface)["boxes"]
    assert (change["action"], change["element_id"]) == ("add", None)
    assert change["to"] == pytest.approx([0.1, 0.7, 0.3, 0.8], abs=0.006)


def test_a_box_snaps_when_the_elements_come_after_it(new_surface: NewSurface) -> None:
    surface = new_surface(entries())
    surface.server.campaign.elements["page-a"] = ELEMENTS
    held: list[Route] = []
    surface.window.route("**/pages?*", lambda route: held.append(route))
    surface.open().ready(1)
    surface.press("0", "e", "k")
    draw(surface, 0.11, 0.11, 0.44, 0.19)
    expect(surface.window.locator(".box.added")).to_have_count(1)
    surface.eventually(lambda: held)
    for route in held:
        route.continue_()
    expect(surface.part("propose-said")).to_contain_text("snapped to Text")
    (change,) = proposed(surface)["boxes"]
    assert (change["element_id"], change["to"]) == ("x9", [0.1, 0.1, 0.45, 0.2])


def test_without_a_proposal_nothing_is_sent(desk: Surface) -> None:
    assert proposed(desk) is None


def test_query_and_answer_are_reworded_with_the_keyboard_alone(desk: Surface) -> None:
    desk.press("s", "Control+a")
    desk.window.keyboard.type("Which station, FUN CEREAL?")
    desk.press("Tab", "Control+a", "Delete")
    desk.press("Escape", "k")
    assert "query reworded · no answer" in desk.part("proposal").inner_text()
    assert desk.pressed() == "E", "letters of the query choose nothing"
    assert proposed(desk) == {"query": "Which station, FUN CEREAL?", "answer": None}


def test_typing_the_old_words_again_proposes_nothing_and_undo_takes_back_a_text_at_once(desk: Surface) -> None:
    desk.press("s", "End")
    desk.window.keyboard.type("!!")
    desk.press("Backspace", "Backspace", "Escape")
    assert "propose a correction" in (desk.part("proposal").text_content() or "")
    desk.press("s", "End")
    desk.window.keyboard.type(" Really")
    desk.press("Escape", "z")
    assert desk.part("propose-query").input_value() == desk.server.campaign.entries[0]["query"]
    assert proposed(desk) is None


def test_a_listed_page_is_proposed_out_and_a_leafed_one_in(desk: Surface) -> None:
    desk.press("i")
    assert "proposed: out" in desk.part("pane-head").first.inner_text()
    desk.press(".")
    desk.part("not-listed").first.wait_for()
    desk.press("i")
    assert "proposed: in" in desk.part("pane-head").first.inner_text()
    desk.press("i")
    assert "proposed: in, as alternative" in desk.part("pane-head").first.inner_text()
    assert proposed(desk) == {
        "drop_pages": ["page-a"],
        "add_pages": [{"page_id": "page-doc-Annual-5", "set": "alternative"}],
    }


def test_a_page_in_is_taken_back_with_the_boxes_proposed_on_it(desk: Surface) -> None:
    desk.press(".")
    desk.part("not-listed").first.wait_for()
    draw(desk, 0.6, 0.6, 0.8, 0.7)
    expect(desk.part("page-proposal").first).to_have_text("proposed: in")
    desk.press("i", "i")
    expect(desk.part("page-proposal").first).to_be_hidden()
    assert desk.part("box").count() == 0
    assert proposed(desk) is None


def test_a_drawn_box_snaps_to_the_element_that_it_mostly_covers(desk: Surface) -> None:
    draw(desk, 0.11, 0.105, 0.46, 0.2)
    desk.window.locator(".box.added").wait_for()
    assert desk.window.locator(".box.added text").text_content() == "+ Text new"
    assert "snapped to Text" in desk.part("propose-said").inner_text()
    sent = proposed(desk)
    assert sent == {
        "boxes": [{"page_id": "page-a", "element_id": "x9", "action": "add", "from": None, "to": [0.1, 0.1, 0.45, 0.2]}]
    }


def test_alt_leaves_a_drawn_box_as_it_is_and_far_from_an_element_it_stays_too(desk: Surface) -> None:
    desk.window.keyboard.down("Alt")
    desk.press("a")  # with Alt no key means anything
    desk.window.keyboard.up("Alt")
    desk.press("a")
    desk.window.keyboard.down("Alt")
    drag(desk, point(desk, 0.11, 0.105), point(desk, 0.46, 0.2))
    desk.window.keyboard.up("Alt")
    desk.window.locator(".box.added").wait_for()
    draw(desk, 0.1, 0.7, 0.3, 0.8)
    expect(desk.window.locator(".box.added")).to_have_count(2)
    first, second = proposed(desk)["boxes"]
    assert (first["element_id"], second["element_id"]) == (None, None)
    assert first["to"] == pytest.approx([0.11, 0.105, 0.46, 0.2], abs=0.004)
    assert second["to"] == pytest.approx([0.1, 0.7, 0.3, 0.8], abs=0.004)


def test_a_box_is_moved_and_resized_by_hand_and_putting_it_back_proposes_nothing(desk: Surface) -> None:
    middle = point(desk, 0.7, 0.43)
    desk.press("Escape", "Escape")  # stops the question of E, closes the form
    desk.press("k")
    desk.window.mouse.click(*middle)
    drag(desk, middle, point(desk, 0.65, 0.6))
    expect(desk.window.locator(".box.moved")).to_have_count(1)
    corner = rectangle(desk.window.locator(".box .frame"))
    drag(desk, (corner["x"] + corner["width"], corner["y"] + corner["height"]), point(desk, 0.7, 0.65))
    assert desk.part("propose-boxes").inner_text().startswith("box 1 moved")
    desk.press("z", "z")
    expect(desk.window.locator(".box.moved")).to_have_count(0)
    drag(desk, middle, point(desk, 0.65, 0.6))
    (change,) = proposed(desk)["boxes"]
    assert (change["action"], change["element_id"], change["from"]) == ("move", None, TABLE), (
        "it is no longer the table"
    )
    assert change["to"] == pytest.approx([0.46, 0.505, 0.85, 0.7], abs=0.004)


def test_a_box_moved_onto_another_element_is_that_element_and_a_little_off_its_own_still_its_own(desk: Surface) -> None:
    desk.press("Tab", "0")
    drag(desk, point(desk, 0.7, 0.43), point(desk, 0.71, 0.44))
    expect(desk.window.locator(".box.moved")).to_have_count(1)
    assert desk.window.locator(".box text").text_content() == "1 Table moved"
    drag(desk, point(desk, 0.71, 0.44), point(desk, 0.28, 0.16))
    desk.window.locator(".box text", has_text="1 box moved").wait_for()
    frame = rectangle(desk.window.locator(".box .frame"))  # 0.08 to 0.47, 0.065 to 0.26
    drag(desk, (frame["x"] + frame["width"], frame["y"] + frame["height"]), point(desk, 0.45, 0.2))
    desk.window.locator(".box text", has_text="1 Text moved").wait_for()
    (change,) = proposed(desk)["boxes"]
    assert change == {
        "page_id": "page-a", "element_id": "x9", "action": "move", "from": TABLE, "to": [0.1, 0.1, 0.45, 0.2],
    }  # fmt: skip


def test_a_box_moved_onto_another_element_and_then_freed_from_it_names_none(desk: Surface) -> None:
    desk.press("Tab", "0")
    drag(desk, point(desk, 0.7, 0.43), point(desk, 0.28, 0.16))
    desk.window.locator(".box text", has_text="1 box moved").wait_for()
    frame = rectangle(desk.window.locator(".box .frame"))
    drag(desk, (frame["x"] + frame["width"], frame["y"] + frame["height"]), point(desk, 0.45, 0.2))
    desk.window.locator(".box text", has_text="1 Text moved").wait_for()
    drag(desk, point(desk, 0.28, 0.15), point(desk, 0.28, 0.8))
    desk.window.locator(".box text", has_text="1 box moved").wait_for()
    (change,) = proposed(desk)["boxes"]
    assert (change["action"], change["element_id"]) == ("move", None)


def test_a_box_is_taken_out_and_brought_back_and_a_step_undone_without_a_key(desk: Surface) -> None:
    expect(desk.part("propose-drop-box")).to_be_disabled()
    desk.press("Tab")
    desk.part("propose-drop-box").click()
    assert desk.window.locator(".box.dropped").count() == 1
    expect(desk.part("propose-drop-box")).to_contain_text("box back")
    desk.part("propose-drop-box").click()
    assert desk.window.locator(".box.dropped").count() == 0
    desk.part("undo").click()
    assert desk.window.locator(".box.dropped").count() == 1
    (change,) = proposed(desk)["boxes"]
    assert (change["action"], change["element_id"]) == ("drop", "t1")


def test_a_box_is_moved_and_resized_with_the_keyboard_alone_as_one_step(desk: Surface) -> None:
    desk.press("Tab", "w")
    width = rectangle(desk.window.locator(".sheet img").first)["width"]
    desk.press("ArrowLeft", "ArrowLeft", "Shift+ArrowRight", "ArrowDown", "ArrowUp")
    assert "1 Table moved" in (desk.window.locator(".box text").text_content() or "")
    step = 4 / width
    (change,) = proposed(desk)["boxes"]
    assert change["to"] == pytest.approx([TABLE[0] - 2 * step, TABLE[1], TABLE[2] - step, TABLE[3]], abs=1e-4)
    desk.press("p")
    desk.ready(1)
    assert desk.window.locator(".box.moved").count() == 1, "it is shown again with the entry"


def test_undo_takes_back_a_row_of_arrow_keys_at_once(desk: Surface) -> None:
    desk.press("Tab", "ArrowLeft", "ArrowLeft", "ArrowLeft", "z")
    assert desk.window.locator(".box.moved").count() == 0
    assert desk.pressed() == "E"


def test_delete_takes_a_box_out_and_brings_it_back(desk: Surface) -> None:
    desk.press("Tab", "Delete")
    assert desk.window.locator(".box.dropped").count() == 1
    desk.press("Delete")
    assert desk.window.locator(".box.dropped").count() == 0
    desk.press("Delete")
    assert proposed(desk) == {
        "boxes": [{"page_id": "page-a", "element_id": "t1", "action": "drop", "from": TABLE, "to": None}]
    }


def test_arrow_keys_go_from_entry_to_entry_where_no_box_is_chosen_and_the_form_closes(desk: Surface) -> None:
    desk.press("ArrowRight")
    desk.ready(2)
    assert desk.part("propose").is_hidden()
    assert desk.part("query").is_visible()


def test_a_box_drawn_on_a_turned_page_lies_where_it_was_drawn(desk: Surface) -> None:
    desk.press("t")
    image = rectangle(desk.window.locator(".sheet img").first)
    desk.press("a")
    start = image["x"] + 0.2 * image["width"], image["y"] + 0.1 * image["height"]
    end = image["x"] + 0.4 * image["width"], image["y"] + 0.5 * image["height"]
    drag(desk, start, end)
    frame = rectangle(desk.window.locator(".box.added .frame"))
    assert (frame["x"], frame["y"]) == pytest.approx(start, abs=3)
    (change,) = proposed(desk)["boxes"]
    assert change["to"] == pytest.approx([0.1, 0.6, 0.5, 0.8], abs=0.006)


def test_a_proposal_is_kept_as_a_draft_and_comes_back_with_the_entry(desk: Surface) -> None:
    draw(desk, 0.1, 0.7, 0.3, 0.8)
    desk.window.locator(".box.added").wait_for()
    desk.window.reload()
    desk.ready(1)
    expect(desk.window.locator(".box.added")).to_have_count(1)
    assert "1 box changed" in desk.part("proposal").inner_text()
    desk.press("k")
    desk.part("propose-discard").click()
    assert desk.window.locator(".box.added").count() == 0
    desk.press("z")
    assert desk.window.locator(".box.added").count() == 1
    assert len(proposed(desk)["boxes"]) == 1


def test_two_windows_that_propose_different_things_are_shown_side_by_side(
    desk: Surface, new_surface: NewSurface
) -> None:
    said = {
        "outcome": "judged",
        "codes": "E",
        "note": "",
        "reason": "",
        "targets": {},
        "correction": {"query": "Another?"},
    }
    desk.server.campaign.save(1001, said)
    desk.press("s", "Control+a")
    desk.window.keyboard.type("Mine?")
    desk.press("Escape", "Enter")
    desk.ready(2)
    conflict = desk.part("conflict")
    conflict.wait_for()
    cells = conflict.locator("[data-field=correction]").all_inner_texts()
    assert cells == ["query: Mine?", "query: Another?"]
    assert conflict.locator(".differs[data-field=correction]").count() == 2
    desk.part("keep-mine").click()
    desk.saving(0)
    assert desk.server.campaign.entries[0]["saved"]["correction"] == {"query": "Mine?"}


def test_a_question_of_e_goes_before_the_hand_of_the_form(desk: Surface) -> None:
    draw(desk, 0.1, 0.7, 0.3, 0.8)
    desk.window.locator(".box.added").wait_for()
    desk.press("e", "e")
    assert proposed(desk)["boxes"][0]["action"] == "add"


def test_at_most_fifty_changes_can_be_proposed(new_surface: NewSurface) -> None:
    boxes = [box(0.01 + 0.019 * at, 0.1, 0.02 + 0.019 * at, 0.12, element=f"e{at}") for at in range(51)]
    surface = new_surface([entry(1, pages=[page("a", boxes=boxes)])]).open()
    surface.ready(1)
    surface.press("k")
    for _ in range(51):
        surface.press("Tab", "Delete")
    assert "at most 50 changes" in surface.part("choose-first").inner_text()
    assert surface.window.locator(".box.dropped").count() == 50


def test_a_closed_campaign_shows_what_was_proposed_and_takes_nothing(new_surface: NewSurface) -> None:
    surface = new_surface(entries())
    surface.server.campaign.save(1001, {
        "outcome": "judged", "codes": "", "note": "", "reason": "", "targets": {}, "correction": {"query": "Better?"},
    })  # fmt: skip
    surface.server.campaign.state = "closed"
    surface.open("&entry=1").ready(1)
    surface.press("k", "i")
    assert surface.part("propose-query").input_value() == "Better?"
    assert surface.part("propose-query").is_disabled()
    assert surface.part("page-proposal").first.is_hidden()
