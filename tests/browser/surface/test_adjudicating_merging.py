"""Adjudication: what a merge adds and leaves out, who counts as its source, and single parts taken with the keyboard."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from audit_core import registry
from tests.browser.surface.fake_adjudication import case, judgment
from tests.browser.surface.surface_window import Surface
from tests.browser.surface.test_adjudicating import MOVED, PAGES, NewDesk, decided, ids

# The fixtures of the sibling module.
from tests.browser.surface.test_adjudicating import desk as desk
from tests.browser.surface.test_adjudicating import new_desk as new_desk


def new_box(*to: float) -> dict[str, Any]:
    return {"page_id": "page-a", "element_id": None, "action": "add", "from": None, "to": list(to)}


#: A and C mean one place, B another.
LEFT, RIGHT, LEFT_LOWER = new_box(0.1, 0.6, 0.4, 0.7), new_box(0.6, 0.6, 0.9, 0.7), new_box(0.1, 0.62, 0.4, 0.74)


def boxes() -> dict[str, Any]:
    """Entry 1: three say E, and each would add a box; C rewords the query too."""
    return case(
        1,
        judgment("E", correction={"boxes": [LEFT]}),
        judgment("E", correction={"boxes": [RIGHT]}),
        judgment("E", correction={"query": "Which one?", "boxes": [LEFT_LOWER]}),
        pages=PAGES,
    )


def at(new_desk: NewDesk, *cases: dict[str, Any], **options: Any) -> Surface:
    surface = new_desk(*cases, **options).open()
    surface.ready(1)
    return surface


def test_a_merge_by_key_adds_the_boxes_in_dispute_and_names_only_who_was_pressed(new_desk: NewDesk) -> None:
    surface = at(new_desk, boxes())
    surface.press("Shift+Digit1", "Shift+Digit2", "s")
    expect(surface.part("basis")).to_have_text("merged from A and B")
    expect(surface.part("left-out")).to_be_empty()
    posted = decided(surface)
    assert (posted["basis"], posted["codes"], posted["correction"]) == ("merged", "E", {"boxes": [LEFT, RIGHT]})
    assert posted["taken_from"] == ids(surface)[:2]


def test_where_two_change_the_same_thing_the_one_pressed_last_stands_and_it_is_said(new_desk: NewDesk) -> None:
    surface = at(new_desk, boxes())
    surface.press("Shift+Digit1", "Shift+Digit2", "Shift+Digit3", "s")
    left = surface.part("left-out").locator("li")
    expect(left).to_have_text(["without A's new box on page 1 (C's in its place): Shift 1 brings it back"])
    surface.press("Shift+Digit1")
    expect(left).to_have_text(["without C's new box on page 1 (A's in its place): Shift 3 brings it back"])
    expect(surface.part("basis")).to_have_text("merged from A, B and C")
    assert decided(surface)["correction"] == {"query": "Which one?", "boxes": [RIGHT, LEFT]}


def test_of_two_rewordings_and_two_places_of_one_box_the_one_pressed_last_stands(new_desk: NewDesk) -> None:
    further = MOVED | {"to": [0.55, 0.4, 0.8, 0.5]}
    first = judgment("E", correction={"query": "One?", "boxes": [MOVED]})
    second = judgment("FE", correction={"query": "Two?", "answer": None, "boxes": [further]})
    surface = at(new_desk, case(1, first, second, pages=PAGES))
    surface.press("Shift+Digit2", "Shift+Digit1", "s")
    expect(surface.part("left-out")).to_have_text(
        "without B's query: Two? (A's in its place) and moved box on page 1 (A's in its place): Shift 2 brings them back"
    )
    posted = decided(surface)
    assert (posted["basis"], posted["codes"]) == ("merged", "FE")
    assert posted["correction"] == {"query": "One?", "answer": None, "boxes": [MOVED]}


def test_a_judgment_that_proposes_no_answer_is_shown_and_merged(new_desk: NewDesk) -> None:
    surface = at(new_desk, case(1, judgment("N", correction={"answer": None}), judgment(""), pages=PAGES))
    expect(surface.part("card").first).to_contain_text("no answer")
    surface.press("Shift+Digit1", "s")
    assert decided(surface)["correction"] == {"answer": None}


def test_a_box_moved_on_a_page_that_another_takes_out_does_not_stay_beside_it(new_desk: NewDesk) -> None:
    dropping = judgment("U", correction={"drop_pages": ["page-a"]})
    surface = at(new_desk, case(1, judgment("E", correction={"boxes": [MOVED]}), dropping, pages=PAGES))
    surface.press("Shift+Digit1", "Shift+Digit2", "s")
    expect(surface.part("left-out")).to_contain_text("without A's moved box on page 1 (B's in its place)")
    assert decided(surface)["correction"] == {"drop_pages": ["page-a"]}


def test_an_answer_typed_as_all_gave_it_is_no_merge_and_says_that_their_corrections_are_left_out(
    new_desk: NewDesk,
) -> None:
    surface = at(new_desk, boxes())
    surface.press("e", "Escape", "s")
    expect(surface.part("basis")).to_have_text("your own")
    expect(surface.part("left-out").locator("li")).to_have_text(
        ["without what A, B and C propose to change: Shift 1, 2 or 3 adds it"]
    )
    surface.press("Enter")
    expect(surface.part("choose-first")).to_contain_text("write a reason")


def test_a_card_of_which_a_part_was_clicked_says_what_is_left_out_until_it_is_merged(new_desk: NewDesk) -> None:
    surface = at(new_desk, boxes())
    surface.part("card").nth(1).locator("[data-part='code E']").click()
    left = surface.part("left-out")
    expect(left).to_have_text("without B's new box on page 1: Shift 2 adds it")
    surface.press("Shift+Digit2")
    expect(left).to_be_empty()
    expect(surface.part("basis")).to_have_text("taken: just what B says")


def test_correct_is_no_part_of_a_merge_with_codes_and_that_is_said(desk: Surface) -> None:
    desk.press("Shift+Digit2")
    assert desk.pressed() == "C"
    desk.press("Shift+Digit1")
    assert desk.pressed() == "FE"
    expect(desk.part("left-out")).to_have_text("without B's correct")


def test_a_field_answered_otherwise_takes_the_place_of_what_was_there(new_desk: NewDesk) -> None:
    protocol = registry.look_up("audit_core.protocols", "removal").description()
    choice = next(field for field in protocol["fields"] if field["kind"] == "choice" and not field.get("title"))
    first, second = (option["value"] for option in choice["options"][:2])
    surface = new_desk(case(1, judgment(fields={choice["name"]: first}), judgment(fields={choice["name"]: second})))
    surface.server.campaign.protocol = protocol
    surface.open().ready(1)
    surface.press("Shift+Digit1", "Shift+Digit2", "s")
    expect(surface.part("left-out")).to_contain_text("without A's")
    expect(surface.part("left-out")).to_contain_text("(B's in its place): Shift 1 brings it back")
    assert decided(surface)["fields"][choice["name"]] == second


def test_who_was_pressed_is_known_after_a_reload_and_after_a_step_back(new_desk: NewDesk) -> None:
    surface = at(new_desk, boxes())
    surface.press("Shift+Digit1", "Shift+Digit2", "s")
    surface.window.reload()
    surface.ready(1)
    expect(surface.part("basis")).to_have_text("merged from A and B")
    surface.press("Shift+Digit3", "z")
    expect(surface.part("basis")).to_have_text("merged from A and B")
    assert decided(surface)["taken_from"] == ids(surface)[:2]


def test_more_changes_than_a_correction_may_make_are_not_merged(new_desk: NewDesk) -> None:
    def many(column: float) -> list[dict[str, Any]]:
        return [new_box(column, row / 40, column + 0.02, row / 40 + 0.01) for row in range(30)]

    surface = at(
        new_desk, case(1, *(judgment("E", correction={"boxes": many(left)}) for left in (0.1, 0.5)), pages=PAGES)
    )
    surface.press("Shift+Digit1", "Shift+Digit2")
    expect(surface.part("choose-first")).to_contain_text("at most 50 changes")
    surface.press("s")
    assert len(decided(surface)["correction"]["boxes"]) == 30


def focused(surface: Surface) -> str:
    """The part that has the focus, after the label of its card; "none" where none has it."""
    script = """() => {
        const part = document.querySelector("#place").shadowRoot.activeElement?.closest(".part");
        return part ? `${part.closest(".card").dataset.label} ${part.dataset.part}` : "none";
    }"""
    return str(surface.window.evaluate(script))


def test_single_parts_are_taken_and_taken_out_with_the_keyboard_alone(desk: Surface) -> None:
    desk.press("Space")
    assert focused(desk) == "A code F"
    desk.press("Space", "ArrowDown", "ArrowDown")
    assert focused(desk) == "A target E e2"
    desk.press("ArrowRight", "ArrowRight")
    assert focused(desk).startswith("C "), "the cards beside it"
    desk.press("ArrowLeft", "ArrowLeft", "ArrowUp", "ArrowUp", "ArrowUp")
    assert focused(desk) == "A code F", "above the first part there is none"
    expect(desk.window.locator("[data-part='code F']")).to_have_attribute("aria-pressed", "true")
    desk.press("ArrowDown", "Enter", "ArrowRight", "ArrowRight")
    assert focused(desk) == "C code E", "the part that says the same"
    desk.press("ArrowDown", "Space", "Escape")
    assert desk.pressed() == "FEU"
    desk.press("s")
    posted = decided(desk)
    assert (posted["basis"], posted["codes"]) == ("merged", "FEU")
    assert posted["taken_from"] == [ids(desk)[0], ids(desk)[2]]


def test_escape_gives_the_arrows_back_to_entries_and_pages(desk: Surface) -> None:
    desk.press("Space", "ArrowRight", "Escape", "ArrowRight")
    desk.ready(2)
    assert desk.pressed() == ""


def test_while_a_code_asks_space_means_places_and_reaches_the_cards_after_it(desk: Surface) -> None:
    desk.press("e", "Space")
    assert focused(desk) == "none"
    desk.press("Escape", "Space")
    assert focused(desk) == "A code F"


def test_a_page_that_a_part_speaks_of_is_shown_with_the_keyboard(desk: Surface) -> None:
    desk.window.locator("[data-testid=card][data-label=C] [data-part='target U page-b']").focus()
    desk.press("ArrowDown", "Space")
    expect(desk.window.locator(".pane.focused .number").first).to_have_text("2")
