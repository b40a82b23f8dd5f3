"""The judging surface of a query review: three verdicts with reasons, evidence, quality, the outcome, new words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from audit_core.protocols import query_review
from tests.browser.surface.fake_server import entry, page
from tests.browser.surface.surface_window import Surface, rectangle

NewSurface = Callable[..., Surface]
ENTRIES = [entry(n, pages=[page(f"{n}a"), page(f"{n}b", number=5)]) for n in range(1, 4)]
KEPT = {"naturalness": "ok", "ambiguity": "ok", "answerability": "ok", "evidence": "yes", "outcome": "keep"}


@pytest.fixture
def reviewing(new_surface: NewSurface) -> Callable[..., Surface]:
    """Makes a surface whose campaign asks for a review of the query, with entry 1 in view."""

    def make(**options: Any) -> Surface:
        surface = new_surface(ENTRIES, **options)
        surface.server.campaign.protocol = query_review.description()
        surface.open()
        surface.ready(1)
        return surface

    return make


def marked(surface: Surface) -> str:
    rows = surface.window.locator(".criterion.marked")
    return (rows.get_attribute("data-testid") or "").removeprefix("criterion-") if rows.count() else ""


def rows(surface: Surface) -> list[str]:
    found = surface.window.locator(".criterion").evaluate_all("all => all.map(each => each.dataset.testid)")
    return [each.removeprefix("criterion-") for each in found]


def outcome(surface: Surface) -> str:
    pressed = surface.part("criterion-outcome").locator("[aria-pressed=true].step-value")
    return pressed.inner_text() if pressed.count() else ""


def posted(surface: Surface) -> list[dict[str, Any]]:
    """What was sent, each as the server's protocol takes it."""
    surface.saving(0)
    for post in surface.server.campaign.posts:
        assert query_review.parse(post).fields == post["fields"]
    return [post["fields"] for post in surface.server.campaign.posts]


def test_a_good_query_takes_six_keys(reviewing: Callable[..., Surface]) -> None:
    surface = reviewing()
    assert marked(surface) == "naturalness"
    surface.press("1", "1", "1", "1", "9", "Enter")
    surface.ready(2)
    assert posted(surface) == [{**KEPT, "quality": 9}]


def test_the_outcome_follows_from_the_three_until_it_is_set_stricter(reviewing: Callable[..., Surface]) -> None:
    surface = reviewing()
    surface.press("1", "1")
    assert outcome(surface) == "", "the third may still change it"
    surface.press("1")
    assert outcome(surface) == "keep"
    surface.part("rate-naturalness-rewrite").click()
    assert outcome(surface) == "rewrite"
    surface.part("rate-answerability-remove").click()
    assert outcome(surface) == "discard"
    surface.part("rate-answerability-ok").click()
    assert outcome(surface) == "rewrite"
    surface.part("rate-outcome-discard").click()
    surface.part("rate-naturalness-ok").click()
    assert outcome(surface) == "discard", "set by hand, and stricter than what follows"
    surface.part("rate-outcome-keep").click()
    surface.part("rate-ambiguity-remove").click()
    assert outcome(surface) == "discard"


def test_one_remove_proposes_to_discard_at_once(reviewing: Callable[..., Surface]) -> None:
    surface = reviewing()
    surface.press("3")
    assert (outcome(surface), marked(surface)) == ("discard", "naturalness_reasons")


def test_what_is_not_ok_asks_why_and_a_rewrite_for_new_words(reviewing: Callable[..., Surface]) -> None:
    surface = reviewing()
    surface.press("2")
    assert marked(surface) == "naturalness_reasons"
    surface.press("1", "3", "q", "1", "1", "1", "0")
    assert (marked(surface), outcome(surface)) == ("outcome", "rewrite")
    surface.press("Enter")
    assert surface.part("choose-first").inner_text() == "Still asked: rewritten query."
    expect(surface.part("field-rewritten")).to_be_focused()
    surface.window.keyboard.type("Which station, 1 2 3 x z q?")
    surface.press("Shift+Enter")
    surface.window.keyboard.type("In which year?")
    surface.press("Enter")
    surface.ready(2)
    assert posted(surface) == [
        {
            **KEPT, "naturalness": "rewrite", "naturalness_reasons": ["stiff", "layout"], "quality": 10,
            "outcome": "rewrite", "rewritten": "Which station, 1 2 3 x z q?\nIn which year?",
        }
    ]  # fmt: skip


def test_too_mild_an_outcome_is_told_and_not_sent(reviewing: Callable[..., Surface]) -> None:
    surface = reviewing()
    surface.press("3", "1", "q", "1", "1", "1", "q")
    assert marked(surface) == "outcome"
    surface.press("1")
    assert outcome(surface) == "discard", "a remove leaves nothing milder"
    expect(surface.part("choose-first")).to_contain_text("discard")
    surface.press("Enter")
    surface.ready(2)
    assert posted(surface)[0]["outcome"] == "discard"


def test_quality_may_be_left_open(reviewing: Callable[..., Surface]) -> None:
    surface = reviewing()
    surface.press("1", "1", "1", "1", "Enter")
    surface.ready(2)
    assert posted(surface) == [KEPT]


def test_writing_is_one_step_back_and_comes_back_after_a_reload(reviewing: Callable[..., Surface]) -> None:
    surface = reviewing()
    surface.press("2", "1", "q", "1", "1", "1", "q")
    surface.press("q")
    expect(surface.part("field-rewritten")).to_be_focused()
    surface.window.keyboard.type("Better words")
    surface.press("Escape")
    assert marked(surface) == ""
    surface.window.reload()
    surface.ready(1)
    expect(surface.part("field-rewritten")).to_have_value("Better words")
    surface.part("field-rewritten").click()
    surface.window.keyboard.type(" still")
    surface.press("Escape", "z")
    expect(surface.part("field-rewritten")).to_have_value("Better words")


def test_digits_mean_pages_after_escape_and_lines_after_q(reviewing: Callable[..., Surface]) -> None:
    surface = reviewing()
    surface.press("Escape", "2")
    assert surface.window.locator(".evidence-page[aria-current=true] .number").inner_text() == "2"
    surface.press("q", "2")
    assert marked(surface) == "naturalness_reasons"
    surface.press("8")
    assert rows(surface)[:2] == ["naturalness", "naturalness_reasons"]


def test_entries_are_listed_by_the_letter_of_their_outcome(reviewing: Callable[..., Surface]) -> None:
    surface = reviewing()
    surface.press("1", "1", "1", "1", "Enter")
    surface.ready(2)
    surface.press("3", "1", "q", "1", "1", "2", "Enter")
    surface.ready(3)
    surface.saving(0)
    surface.press("l")
    cells = surface.part("overview-cells").locator(".cell small")
    expect(cells.first).to_have_text("K")
    expect(cells.nth(1)).to_have_text("D")


def test_a_conflict_tells_fields_in_words(reviewing: Callable[..., Surface]) -> None:
    surface = reviewing()
    theirs = {**KEPT, "quality": 3}
    said = {"outcome": "judged", "codes": "", "note": "", "reason": "", "targets": {}, "fields": theirs}
    surface.server.campaign.save(1001, said)
    surface.press("1", "1", "1", "1", "9", "Enter")
    dialog = surface.part("conflict")
    dialog.wait_for()
    assert dialog.locator("td.differs").all_inner_texts() == ["9", "3"]
    assert dialog.locator("td[data-field=answer]").all_inner_texts() == ["keep", "keep"]
    surface.part("keep-mine").click()
    surface.saving(0)


def test_a_french_keyboard_gives_6_where_6_is_asked_and_zooms_where_it_is_not(
    reviewing: Callable[..., Surface],
) -> None:
    surface = reviewing()

    def french(key: str, code: str) -> None:
        surface.window.evaluate(
            """([key, code]) => window.dispatchEvent(new KeyboardEvent("keydown", { key, code, bubbles: true }))""",
            [key, code],
        )

    percent = surface.window.locator(".percent")
    before = percent.inner_text()
    french("-", "Digit6")
    assert percent.inner_text() != before, "three answers: the sixth key is the minus"
    for key, code in (("&", "Digit1"), ("&", "Digit1"), ("&", "Digit1"), ("é", "Digit2")):
        french(key, code)
    assert marked(surface) == "quality"
    before = percent.inner_text()
    french("-", "Digit6")
    assert percent.inner_text() == before
    expect(surface.part("rate-quality-6")).to_have_attribute("aria-pressed", "true")
    surface.press("Enter")
    surface.ready(2)
    assert posted(surface) == [{**KEPT, "evidence": "no", "quality": 6}]


@pytest.mark.parametrize("viewport", [{"width": 1440, "height": 900}, {"width": 1024, "height": 720}])
def test_everything_that_is_asked_is_reached(reviewing: Callable[..., Surface], viewport: dict[str, int]) -> None:
    surface = reviewing(viewport=viewport)
    surface.press("2", "1", "q", "2", "1", "q", "2", "1", "q", "1", "5", "2")
    panel = rectangle(surface.part("panel"))
    holder = rectangle(surface.window.locator(".criteria-rows"))
    row = rectangle(surface.window.locator(".criterion.marked"))
    assert row["y"] + row["height"] <= holder["y"] + holder["height"] + 1
    for name in ("note", "save", "code-X"):
        inside = rectangle(surface.part(name))
        assert inside["x"] + inside["width"] <= panel["x"] + panel["width"]
        assert inside["y"] + inside["height"] <= panel["y"] + panel["height"]
    assert rectangle(surface.window.locator(".reading"))["height"] >= 120
    for button in surface.window.locator(".step-value").all():
        assert button.evaluate("each => each.scrollWidth <= each.clientWidth + 1"), button.inner_text()
