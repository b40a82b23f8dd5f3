"""Leafing through the documents of an entry on the judging surface, in a real browser."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Route, expect

from tests.browser.surface.fake_server import box, entry, page
from tests.browser.surface.surface_window import Surface

NewSurface = Callable[..., Surface]
INSIDE = "document.getElementById('place').shadowRoot"


def shown(surface: Surface) -> str:
    """The header of the page in front, which is the only one of a pane without a second one."""
    return surface.part("pane-head").first.inner_text().replace("\n", " ")


def bar(surface: Surface) -> str:
    return surface.part("leaf-bar").first.inner_text().replace("\n", " ")


def test_keys_leaf_to_the_neighbours_which_are_marked_as_not_listed(new_surface: NewSurface) -> None:
    surface = new_surface([entry(1, pages=[page("a", number=4, printed_label="104")])]).open()
    surface.ready(1)
    assert surface.server.campaign.leafed == [], "nothing is fetched before somebody leafs"
    surface.press(".")
    surface.part("not-listed").wait_for()
    assert 'p. 5 of 15 ("105")' in shown(surface)
    assert "not listed as evidence" in shown(surface)
    assert (
        surface.window.locator(".pane.leafed .sheet").evaluate(
            "(node) => getComputedStyle(node, '::after').borderStyle"
        )
        == "dashed"
    )
    assert surface.part("box").count() == 0
    assert surface.window.locator(".leaf[aria-current]").inner_text() == "5"
    assert surface.window.locator(".leaf[data-listed]").inner_text() == "4"
    surface.press(",", ",")
    surface.part("pane-head").get_by_text("p. 3 of 15").wait_for()
    surface.press("Backspace")
    assert "evidence 1 of 1" in shown(surface)
    assert surface.part("box").count() == 1
    surface.press("Backspace")
    assert "evidence 1 of 1" in shown(surface)


def test_steps_made_faster_than_the_server_answers_are_all_taken(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    held: list[Route] = []
    surface.window.route("**/documents/**", lambda route: held.append(route))
    surface.press(".", ".", ".", ",", ".")
    assert "evidence 1 of 1" in shown(surface), "the page in view stays until the other one is there"
    surface.window.unroute("**/documents/**")  # lets go what was held
    surface.part("pane-head").get_by_text("p. 4 of 15").wait_for()


def test_leafing_over_a_listed_page_shows_it_with_its_boxes_and_number(new_surface: NewSurface) -> None:
    pages = [page("a", number=4), page("b", number=6), page("c", number=9)]
    surface = new_surface([entry(1, pages=pages)]).open()
    surface.ready(1)
    surface.press("v", "1", ".", ".")
    surface.part("pane-head").get_by_text("evidence 2 of 3").wait_for()
    assert surface.part("box").get_attribute("data-number") == "2"
    surface.press(".")
    surface.part("not-listed").first.wait_for()
    surface.press("Backspace")
    assert "evidence 2 of 3" in shown(surface)
    assert surface.window.locator(".evidence-page[aria-current=true]").inner_text().startswith("2")


def test_the_same_page_can_stand_in_both_panes_with_a_view_of_its_own(new_surface: NewSurface) -> None:
    surface = new_surface([entry(1, pages=[page("a", number=4), page("b", number=5)])]).open()
    surface.ready(1)
    surface.press("1", ".")
    expect(surface.part("pane-head").first).to_contain_text("evidence 2 of 2")
    before = surface.window.locator(".sheet img").nth(1).bounding_box()
    surface.press("+", "+")
    assert surface.window.locator(".sheet img").nth(1).bounding_box() == before
    surface.press("1")
    expect(surface.part("pane-head").first).to_contain_text("evidence 1 of 2")


def test_a_number_or_a_printed_label_leads_to_its_page(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.press("#")
    surface.window.keyboard.type("12")
    surface.press("Enter")
    surface.part("pane-head").get_by_text('p. 12 of 15 ("112")').wait_for()
    surface.press("d")
    surface.window.keyboard.type("107")
    surface.press("Enter")
    surface.part("pane-head").get_by_text('p. 7 of 15 ("107")').wait_for()
    surface.press("f")
    assert surface.pressed() == "F", "the field gives the keyboard back"
    surface.press("d")
    surface.window.keyboard.type("fence 999")
    surface.press("Enter")
    surface.part("leaf-words").first.get_by_text("No page of this document").wait_for()
    assert "p. 7 of 15" in shown(surface)
    assert surface.pressed() == "F"
    surface.press("d", "Escape", "n")
    assert surface.pressed() == "FN"


def test_the_first_and_the_last_page_are_ends(new_surface: NewSurface) -> None:
    surface = new_surface([entry(1, pages=[page("a", number=1)])]).open()
    surface.ready(1)
    surface.press(",")
    assert "this is the first page" in bar(surface)
    surface.press("#")
    surface.window.keyboard.type("15")
    surface.press("Enter")
    surface.part("pane-head").get_by_text("p. 15 of 15").wait_for()
    surface.press(".")
    surface.part("leaf-words").first.get_by_text("this is the last page").wait_for()


def test_neighbours_are_fetched_ahead_only_once_somebody_leafs(new_surface: NewSurface) -> None:
    surface = new_surface([entry(1, pages=[page("a", number=4)])]).open()
    surface.ready(1)
    assert surface.server.campaign.images == ["a"]
    surface.press(".")
    surface.part("not-listed").wait_for()
    surface.until(
        "() => performance.getEntriesByType('resource').filter((one) => one.name.includes('-6?')).length === 1"
    )
    assert set(surface.server.campaign.images) == {"a", "doc-Annual-5", "doc-Annual-6"}
    asked = len(surface.server.campaign.leafed)
    surface.press(".")
    surface.part("pane-head").get_by_text("p. 6 of 15").wait_for()
    assert len(surface.server.campaign.leafed) == asked, "what is known is not asked again"


def test_a_server_that_is_away_says_so_in_the_bar_and_the_page_stays(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.server.stop()
    surface.press(".")
    surface.part("leaf-words").get_by_text("The server does not answer.").wait_for()
    assert "evidence 1 of 1" in shown(surface)
    surface.server.start()
    surface.press(".")
    surface.part("not-listed").wait_for()
    assert "p. 2 of 15" in shown(surface)


def test_the_next_entry_starts_on_its_listed_pages(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.press(".")
    surface.part("not-listed").wait_for()
    surface.press("c", "Enter")
    surface.ready(2)
    assert surface.part("not-listed").count() == 0
    assert "p. 2 of 15" in shown(surface)
    assert "evidence 1 of 1" in shown(surface)
    surface.press("Backspace")
    assert "evidence 1 of 1" in shown(surface)


def test_a_document_of_one_page_has_no_bar_and_a_page_that_is_nowhere_cannot_be_leafed(new_surface: NewSurface) -> None:
    lost = page("x", number=None, document_id="", title="lost", src=None, problem="nowhere", page_count=None)
    surface = new_surface([entry(1, pages=[page("a", number=1, page_count=1), lost], documents=["doc-Annual"])]).open()
    surface.ready(1)
    assert surface.window.locator(".leaf-bar:not(.none)").count() == 0
    surface.press("2", ".", "d", "f")
    assert surface.pressed() == "F"
    assert surface.server.campaign.leafed == []


def test_a_click_on_a_number_leafs_and_gives_the_pane_the_focus(new_surface: NewSurface) -> None:
    surface = new_surface(
        [entry(1, pages=[page("a", number=4), page("b", number=10, boxes=[box(0.1, 0.1, 0.2, 0.2)])])]
    ).open()
    surface.ready(1)
    surface.part("leaf-bar").nth(1).get_by_text("12").click()
    expect(surface.part("pane-head").nth(1)).to_contain_text("p. 12 of 15")
    surface.press(".")
    expect(surface.part("pane-head").nth(1)).to_contain_text("p. 13 of 15")
    expect(surface.part("pane-head").nth(0)).to_contain_text("evidence 1 of 2")
    surface.part("leaf-home").nth(1).click()
    expect(surface.part("pane-head").nth(1)).to_contain_text("evidence 2 of 2")
