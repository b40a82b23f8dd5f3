"""Which pages or boxes E and U mean, on the judging surface, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.browser.surface.fake_server import box, entry, page
from tests.browser.surface.surface_window import Surface, rectangle

NewSurface = Callable[..., Surface]


def entries() -> list[dict[str, Any]]:
    """Two pages: one with two elements, one with an element and a box that is none."""
    first = page(
        "a",
        number=4,
        boxes=[box(0.51, 0.335, 0.9, 0.53, "Table", element="t1"), box(0.1, 0.05, 0.4, 0.1, element="x1")],
    )
    second = page("b", number=6, boxes=[box(0.1, 0.3, 0.5, 0.4, element="x2"), box(0.6, 0.1, 0.9, 0.2)])
    return [entry(1, pages=[first, second]), entry(2)]


def targets(surface: Surface) -> Any:
    surface.press("Enter")
    surface.ready(2)
    surface.saving(0)
    return surface.server.campaign.posts[-1]["targets"]


def test_e_asks_and_number_keys_name_pages(new_surface: NewSurface) -> None:
    surface = new_surface(entries()).open()
    surface.ready(1)
    surface.press("e")
    assert surface.part("asking-hint").inner_text() == "1-2 mark pages · Tab, Space: a box · Esc: only look"
    assert surface.part("targets-U").is_hidden()
    surface.press("2")
    assert surface.window.locator(".pane.focused").get_by_test_id("mark-E").inner_text() == "E this page"
    assert targets(surface) == {"E": ["page-b"]}


def test_enter_skips_the_question(new_surface: NewSurface) -> None:
    surface = new_surface(entries()).open()
    surface.ready(1)
    surface.press("e", "u")
    assert targets(surface) == {}


def test_after_escape_numbers_show_pages_again_and_the_question_can_be_asked_again(new_surface: NewSurface) -> None:
    many = [page(str(number), number=number) for number in range(1, 5)]
    surface = new_surface([entry(1, pages=many), entry(2)]).open()
    surface.ready(1)
    surface.press("e", "Escape")
    assert surface.part("asking-hint").is_hidden()
    surface.press("4")
    assert "evidence 4 of 4" in surface.window.locator(".pane.focused").get_by_test_id("pane-head").inner_text()
    surface.part("evidence-page").nth(2).click()
    assert "evidence 3 of 4" in surface.window.locator(".pane.focused").get_by_test_id("pane-head").inner_text()
    surface.press("q")
    surface.part("asking-hint").wait_for()
    surface.part("thumbnail").nth(1).click()  # looking is not naming
    surface.press("4")
    assert targets(surface) == {"E": ["page-4"]}


def test_f_and_n_ask_nothing_and_numbers_then_show_pages(new_surface: NewSurface) -> None:
    surface = new_surface(entries()).open()
    surface.ready(1)
    surface.press("f", "n", "2", "1")
    assert surface.part("targets-E").is_hidden()
    assert surface.part("targets-U").is_hidden()
    assert surface.part("mark-E").count() == 0
    assert targets(surface) == {}


def test_the_code_chosen_last_asks_and_q_asks_for_the_next_one(new_surface: NewSurface) -> None:
    surface = new_surface(entries()).open()
    surface.ready(1)
    surface.press("e", "1", "u", "2", "q", "1", "q", "1", "2")
    assert surface.window.locator(".targets.asks").get_attribute("data-testid") == "targets-E"
    surface.press("q", "q", "1")
    assert surface.window.locator(".targets.asks").count() == 0
    assert targets(surface) == {"E": ["page-b"], "U": ["page-b"]}


def test_a_click_on_a_box_names_its_element_and_one_on_the_page_the_page(new_surface: NewSurface) -> None:
    surface = new_surface(entries()).open()
    surface.ready(1)
    table = rectangle(surface.window.locator(".box[data-number='1'] .frame"))
    plain = rectangle(surface.window.locator(".box[data-number='4'] .frame"))
    surface.press("e")
    surface.window.mouse.click(table["x"] + 20, table["y"] + 20)
    assert surface.window.locator(".box[data-number='1'] text").text_content() == "1 Table · E"
    assert surface.part("targets-E").get_by_text("1 Table").is_visible()
    surface.press("u")
    surface.window.mouse.click(plain["x"] + 10, plain["y"] + 10)  # a box without an element stands for its page
    page_a = rectangle(surface.window.locator(".sheet img").first)
    surface.window.mouse.click(page_a["x"] + 6, page_a["y"] + 200)
    assert targets(surface) == {"E": ["t1"], "U": ["page-b", "page-a"]}


def test_a_box_is_named_with_the_keyboard_alone(new_surface: NewSurface) -> None:
    surface = new_surface(entries()).open()
    surface.ready(1)
    surface.press("e", "Tab", "Tab", "Space", "Tab", "Space", "Space")
    assert targets(surface) == {"E": ["x1"]}


def test_a_click_that_moves_the_page_names_nothing_and_escape_stops_the_question(new_surface: NewSurface) -> None:
    surface = new_surface(entries()).open()
    surface.ready(1)
    surface.press("e")
    image = rectangle(surface.window.locator(".sheet img").first)
    surface.window.mouse.move(image["x"] + 50, image["y"] + 300)
    surface.window.mouse.down()
    surface.window.mouse.move(image["x"] + 50, image["y"] + 240, steps=3)
    surface.window.mouse.up()
    surface.press("Escape")
    surface.window.mouse.click(image["x"] + 50, image["y"] + 300)
    surface.press("2", "Space")
    assert surface.pressed() == "E"
    assert targets(surface) == {}


def test_what_was_named_is_shown_when_the_entry_is_opened_again_and_can_be_taken_back(new_surface: NewSurface) -> None:
    surface = new_surface(entries()).open()
    surface.ready(1)
    surface.press("e", "2", "Tab", "Space", "Enter")
    surface.ready(2)
    surface.saving(0)
    surface.press("p")
    surface.ready(1)
    assert surface.part("targets-E").locator("[aria-pressed=true]").all_inner_texts() == ["2", "1 Table"]
    assert surface.window.locator(".box[data-number='1'] text").text_content() == "1 Table · E"
    assert surface.part("mark-E").all_inner_texts() == ["E?", "E this page"]
    surface.part("mark-E").nth(1).click()
    surface.part("targets-E").get_by_text("1 Table").click()
    surface.press("z")
    assert targets(surface) == {"E": ["t1"]}


def test_undo_takes_back_a_target_and_taking_back_the_code_takes_its_targets(new_surface: NewSurface) -> None:
    surface = new_surface(entries()).open()
    surface.ready(1)
    surface.press("e", "1", "2", "z")
    assert surface.part("targets-E").locator("[aria-pressed=true]").all_inner_texts() == ["1"]
    surface.press("e", "e")
    assert targets(surface) == {}


def test_one_page_with_one_box_leaves_nothing_to_ask(new_surface: NewSurface) -> None:
    surface = new_surface([entry(1, pages=[page("a", boxes=[box(0.1, 0.1, 0.5, 0.2, element="x1")])]), entry(2)]).open()
    surface.ready(1)
    surface.press("e", "1", "Space")
    assert surface.part("targets-E").is_hidden()
    assert targets(surface) == {}


def test_one_page_with_two_boxes_asks_for_the_box(new_surface: NewSurface) -> None:
    surface = new_surface([entry(1, pages=entries()[0]["pages"][:1]), entry(2)]).open()
    surface.ready(1)
    surface.press("e", "Tab", "Space")
    assert targets(surface) == {"E": ["t1"]}
