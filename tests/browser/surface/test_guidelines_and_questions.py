"""Guidelines beside the pages and questions to the lead, on the judging surface, in a real browser."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.surface.fake_server import entry, now
from tests.browser.surface.surface_window import Surface

NewSurface = Callable[..., Surface]


def test_the_guidelines_open_at_the_chosen_code_and_judging_goes_on_beside_them(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.press("u", "h")
    guide = surface.part("guidelines")
    guide.wait_for()
    section = guide.locator("section[data-code=U] h3")
    frame = section.bounding_box()
    assert frame
    assert 0 < frame["y"] < 200
    assert "<b>a clear case</b>" in guide.inner_text(), "words are shown, never read as markup"
    surface.press("n", "Enter")
    surface.ready(2)
    assert guide.is_visible()
    surface.press("h")
    assert guide.is_hidden()
    surface.press("h", "Escape")
    assert guide.is_hidden()
    surface.saving(0)
    assert surface.server.campaign.posts[0]["codes"] == "UN"


def test_a_question_is_sent_and_shown_with_the_entry_and_in_the_overview(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.press("!")
    surface.window.keyboard.type("Which station, fun CEREAL?")
    surface.press("Control+Enter")
    surface.part("flag-dialog").wait_for(state="detached")
    assert surface.server.campaign.entries[0]["flags"][0]["question"] == "Which station, fun CEREAL?"
    assert "Which station, fun CEREAL?" in surface.part("flags").inner_text()
    assert "not answered yet" in surface.part("flags").inner_text()
    assert surface.pressed() == "", "letters of the question choose nothing"
    surface.press("c", "Enter")
    surface.ready(2)
    assert surface.part("flags").is_hidden()
    surface.press("l")
    surface.window.locator(".flag-mark[data-flag=open]").wait_for()
    surface.part("overview").get_by_text("asked the lead 1").click()
    expect(surface.window.locator(".cell")).to_have_count(1)
    assert surface.window.locator(".cell").inner_text().startswith("1")


def test_a_question_that_the_server_did_not_take_stays_in_the_dialog(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.server.stop()
    surface.press("!")
    surface.window.keyboard.type("Which station?")
    surface.part("flag-send").click()
    surface.part("flag-problem").get_by_text("your question stays here").wait_for()
    surface.press("Escape")
    surface.part("flag-dialog").wait_for(state="detached")
    surface.server.start()
    surface.press("!")
    assert surface.part("flag-question").input_value() == "Which station?"
    surface.press("Control+Enter")
    surface.part("flag-dialog").wait_for(state="detached")
    assert len(surface.server.campaign.entries[0]["flags"]) == 1


def test_an_empty_question_is_not_sent(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.press("!", "Control+Enter")
    surface.part("flag-problem").get_by_text("Write a question first.").wait_for()
    assert surface.server.campaign.entries[0]["flags"] == []


def test_the_answer_of_the_lead_is_shown_as_text(new_surface: NewSurface) -> None:
    asked = {
        "id": 1, "question": "<i>Which?</i>", "raised_at": now(), "answer": "<b>That of 1987.</b>", "answered_at": now(),
    }  # fmt: skip
    surface = new_surface([entry(1, flags=[asked])]).open()
    surface.ready(1)
    words = surface.part("flags").inner_text()
    assert "<i>Which?</i>" in words
    assert "<b>That of 1987.</b>" in words


def test_a_closed_campaign_takes_no_question(new_surface: NewSurface) -> None:
    surface = new_surface()
    surface.server.campaign.state = "closed"
    surface.open().ready(1)
    surface.press("!")
    assert "takes no questions" in surface.part("flag-dialog").inner_text()
    assert surface.part("flag-send").count() == 0
