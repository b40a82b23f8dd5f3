"""The judging surface of a removal campaign: keep, remove, and criteria rated with digits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from audit_core.protocols import removal
from tests.browser.surface.fake_server import entry, page
from tests.browser.surface.surface_window import Surface, rectangle

NewSurface = Callable[..., Surface]
TWO_PAGES = [entry(number, pages=[page(f"{number}a"), page(f"{number}b", number=5)]) for number in range(1, 5)]
THEIRS = {"outcome": "judged", "codes": "", "note": "", "reason": "", "targets": {}}


@pytest.fixture
def removing(new_surface: NewSurface) -> Callable[..., Surface]:
    """Makes a surface whose campaign asks for keep or remove, with entry 1 in view."""

    def make(**options: Any) -> Surface:
        surface = new_surface(TWO_PAGES, **options)
        surface.server.campaign.protocol = removal.description()
        surface.open()
        surface.ready(1)
        return surface

    return make


def rated(surface: Surface) -> dict[str, str]:
    """The pressed value of each criterion that has one."""
    found = {}
    for name in removal.CRITERIA:
        pressed = surface.part(f"criterion-{name}").locator("[aria-pressed=true].step-value")
        if pressed.count():
            found[name] = pressed.inner_text()
    return found


def marked(surface: Surface) -> str:
    names = surface.window.locator(".criterion.marked .criterion-name")
    return names.inner_text() if names.count() else ""


def front(surface: Surface) -> str:
    return surface.window.locator(".evidence-page[aria-current=true] .number").inner_text()


def posted(surface: Surface) -> list[tuple[Any, ...]]:
    return [(post["number"], post["outcome"], post["fields"]) for post in surface.server.campaign.posts]


def test_keep_and_remove_exclude_one_another_and_enter_saves(removing: Callable[..., Surface]) -> None:
    surface = removing()
    surface.press("k")
    assert surface.pressed() == "K"
    surface.press("r")
    assert surface.pressed() == "R"
    surface.press("x")
    assert surface.pressed() == "X"
    surface.press("k", "Enter")
    surface.ready(2)
    surface.press("r", "Enter")
    surface.ready(3)
    surface.saving(0)
    assert posted(surface) == [(1, "judged", {"remove": False}), (2, "judged", {"remove": True})]


def test_after_the_choice_digits_rate_one_criterion_after_the_other(removing: Callable[..., Surface]) -> None:
    surface = removing()
    surface.press("r")
    assert marked(surface) == "Clarity"
    surface.press("2", "5", "1", "4")
    assert rated(surface) == {"clarity": "0.25", "correctness": "1", "closedness": "0", "no_layout_reference": "0.75"}
    assert marked(surface) == ""
    surface.press("Enter")
    surface.ready(2)
    surface.saving(0)
    fields = {"remove": True, "clarity": 0.25, "correctness": 1, "closedness": 0, "no_layout_reference": 0.75}
    assert posted(surface) == [(1, "judged", fields)]


def test_digits_mean_pages_while_no_criterion_is_marked(removing: Callable[..., Surface]) -> None:
    surface = removing()
    surface.press("2")
    assert (front(surface), rated(surface)) == ("2", {})
    surface.press("q", "1", "Escape", "1")
    assert (front(surface), rated(surface), marked(surface)) == ("1", {"clarity": "0"}, "")


def test_q_goes_from_criterion_to_criterion_and_after_the_last_marks_none(removing: Callable[..., Surface]) -> None:
    surface = removing()
    seen = []
    for _ in range(6):
        surface.press("q")
        seen.append(marked(surface))
    assert seen == ["Clarity", "Correctness", "Closedness", "No layout reference", "", "Clarity"]
    surface.window.locator(".criterion-name").nth(2).click()
    assert marked(surface) == "Closedness"
    surface.window.locator(".criterion-name").nth(2).click()
    assert marked(surface) == ""


def test_a_value_is_given_with_the_mouse_and_taken_back_by_the_same(removing: Callable[..., Surface]) -> None:
    surface = removing()
    surface.part("rate-closedness-0.5").click()
    assert (rated(surface), marked(surface)) == ({"closedness": "0.5"}, "")
    surface.part("rate-closedness-0.5").click()
    assert rated(surface) == {}
    surface.press("q", "3", "Shift+Q")
    surface.press("Escape", "q")
    assert marked(surface) == "Correctness", "the first one that is open"
    surface.window.locator(".criterion-name").first.click()
    surface.press("3")
    assert (rated(surface), marked(surface)) == ({}, "Clarity")


def test_enter_without_a_choice_asks_for_one_even_when_criteria_are_rated(removing: Callable[..., Surface]) -> None:
    surface = removing()
    surface.press("q", "1", "Enter")
    assert surface.part("choose-first").inner_text() == "Choose first: K, R or X."
    surface.press("r", "r", "Enter")
    assert surface.pressed() == ""
    expect(surface.part("choose-first")).to_be_visible()
    assert rated(surface) == {"clarity": "0"}, "taking the choice back leaves the ratings"
    assert posted(surface) == []


def test_undo_goes_back_step_by_step_and_marks_the_criterion_again(removing: Callable[..., Surface]) -> None:
    surface = removing()
    surface.press("k", "5", "4")
    surface.press("z")
    assert (rated(surface), marked(surface)) == ({"clarity": "1"}, "Correctness")
    surface.press("3")
    assert rated(surface) == {"clarity": "1", "correctness": "0.5"}
    surface.press("z", "z", "z")
    assert (surface.pressed(), rated(surface), marked(surface)) == ("", {}, "")


def test_cannot_judge_takes_everything_back_and_undo_brings_it_again(removing: Callable[..., Surface]) -> None:
    surface = removing()
    surface.press("r", "2", "x")
    assert (surface.pressed(), rated(surface), marked(surface)) == ("X", {}, "")
    surface.press("z")
    assert (surface.pressed(), rated(surface)) == ("R", {"clarity": "0.25"})
    surface.press("x", "a")
    surface.window.keyboard.type("white page")
    surface.press("Enter")
    surface.ready(2)
    surface.saving(0)
    assert posted(surface) == [(1, "cannot_judge", {})]
    assert surface.server.campaign.posts[0]["reason"] == "white page"


def test_a_draft_with_ratings_alone_comes_back_after_a_reload(removing: Callable[..., Surface]) -> None:
    surface = removing()
    surface.press("q", "4", "1")
    surface.window.reload()
    surface.ready(1)
    assert rated(surface) == {"clarity": "0.75", "correctness": "0"}
    assert surface.pressed() == ""
    expect(surface.part("standing")).to_contain_text("restored")


def test_a_saved_answer_is_shown_again_and_listed_by_its_letter(removing: Callable[..., Surface]) -> None:
    surface = removing()
    surface.press("r", "2", "Enter")
    surface.ready(2)
    surface.press("k", "Enter")
    surface.ready(3)
    surface.saving(0)
    surface.press("l")
    cells = surface.part("overview-cells").locator(".cell small")
    expect(cells.first).to_have_text("R")
    expect(cells.nth(1)).to_have_text("K")
    surface.press("Escape")
    surface.press("ArrowLeft", "ArrowLeft")
    surface.ready(1)
    assert (surface.pressed(), rated(surface)) == ("R", {"clarity": "0.25"})
    assert surface.part("standing").inner_text().startswith("saved")


def test_two_windows_that_differ_in_a_criterion_are_shown_side_by_side(removing: Callable[..., Surface]) -> None:
    surface = removing()
    surface.server.campaign.save(1001, {**THEIRS, "fields": {"remove": True, "clarity": 0.5, "correctness": 1}})
    surface.press("r", "1", "Enter")
    dialog = surface.part("conflict")
    dialog.wait_for()
    rows = {row.split("\t")[0].split("\n")[0]: row for row in dialog.locator("tbody tr").all_inner_texts()}
    assert list(rows) == ["Answer", "Clarity", "Correctness"]
    marks = dialog.locator("tbody td.differs").evaluate_all("cells => cells.map(each => each.dataset.field)")
    assert marks == ["clarity", "clarity", "correctness", "correctness"]
    assert dialog.locator("td[data-field=answer]").all_inner_texts() == ["remove", "remove"]
    surface.part("take-theirs").click()
    surface.saving(0)


def test_keep_against_remove_is_a_conflict_of_the_answer(removing: Callable[..., Surface]) -> None:
    surface = removing()
    surface.server.campaign.save(1001, {**THEIRS, "fields": {"remove": True}})
    surface.press("k", "Enter")
    dialog = surface.part("conflict")
    dialog.wait_for()
    assert dialog.locator("td.differs").all_inner_texts() == ["keep", "remove"]
    surface.part("keep-mine").click()
    surface.saving(0)
    assert posted(surface)[-1] == (1, "judged", {"remove": False})


def test_the_same_said_in_two_windows_is_no_conflict(removing: Callable[..., Surface]) -> None:
    surface = removing()
    surface.server.campaign.save(1001, {**THEIRS, "fields": {"clarity": 1, "remove": True}})
    surface.press("r", "5", "Enter")
    surface.ready(2)
    surface.saving(0)
    assert surface.part("conflict").count() == 0


def test_a_judgment_that_came_too_late_is_kept_and_told_in_words(removing: Callable[..., Surface]) -> None:
    surface = removing()
    surface.server.campaign.state = "closed"
    surface.press("r", "2", "Enter")
    surface.part("banner").get_by_role("button", name="Show").click()
    expect(surface.part("kept-item")).to_contain_text("Entry 1: remove")


def test_nothing_of_the_audit_is_on_the_page(removing: Callable[..., Surface]) -> None:
    surface = removing()
    for name in ("code-F", "code-E", "code-C", "proposal"):
        assert surface.part(name).count() == 0
    surface.press("c", "f", "e", "n")
    assert surface.pressed() == ""
    surface.press("?")
    words = surface.part("help").inner_text()
    assert "keep the query" in words
    for strange in ("E or U", "correction", "no issue"):
        assert strange not in words
    keys = (
        surface.part("help").locator("[data-keys]").evaluate_all("rows => rows.flatMap(e => e.dataset.keys.split(' '))")
    )
    assert len(keys) == len(set(keys)), "no key means two things"


def test_the_guidelines_open_at_the_choice_or_at_the_marked_criterion(removing: Callable[..., Surface]) -> None:
    surface = removing()
    surface.press("k", "Escape", "h")
    guide = surface.part("guidelines")
    assert guide.locator("section h3").all_inner_texts() == [
        "K\nKeep", "R\nRemove", "Clarity", "Correctness", "Closedness", "No layout reference", "X\nCannot judge",
    ]  # fmt: skip
    surface.press("h", "q", "q", "h")
    section = rectangle(guide.locator("[data-field=correctness]"))
    body = rectangle(guide.locator(".guide-body"))
    assert abs(section["y"] - body["y"]) < 60


def test_a_closed_campaign_takes_no_rating(removing: Callable[..., Surface]) -> None:
    surface = removing()
    surface.server.campaign.state = "closed"
    surface.window.reload()
    surface.ready(1)
    expect(surface.part("rate-clarity-0.5")).to_be_disabled()
    surface.press("k", "3")
    assert (surface.pressed(), rated(surface), marked(surface)) == ("", {}, "")


@pytest.mark.parametrize("viewport", [{"width": 1440, "height": 900}, {"width": 1024, "height": 720}])
def test_everything_that_is_asked_fits_without_scrolling(
    removing: Callable[..., Surface], viewport: dict[str, int]
) -> None:
    surface = removing(viewport=viewport)
    panel = rectangle(surface.part("panel"))
    for name in ("code-K", "code-X", *(f"rate-{each}-1" for each in removal.CRITERIA), "note", "save"):
        inside = rectangle(surface.part(name))
        assert inside["x"] + inside["width"] <= panel["x"] + panel["width"]
        assert inside["y"] + inside["height"] <= panel["y"] + panel["height"]
    reading = surface.window.locator(".reading").bounding_box()
    assert reading
    assert reading["height"] >= 120
