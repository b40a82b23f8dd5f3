"""Adjudication on windows of several heights: the judgments are seen, and nothing that tells where one is is cut."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.surface.fake_adjudication import case, judgment
from tests.browser.surface.surface_window import Surface, rectangle
from tests.browser.surface.test_adjudicating import PAGES, NewDesk, decided

# The fixtures of the sibling module.
from tests.browser.surface.test_adjudicating import desk as desk
from tests.browser.surface.test_adjudicating import new_desk as new_desk
from tests.browser.surface.test_adjudicating_merging import boxes

LOW = {"width": 1100, "height": 700}
SIZES = [LOW, {"width": 1440, "height": 900}, {"width": 1920, "height": 1080}]


def is_cut(surface: Surface, name: str) -> bool:
    """Whether the words of a part end in dots."""
    return bool(surface.part(name).evaluate("part => part.scrollWidth > part.clientWidth"))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size['width']}x{size['height']}")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_three_cards_are_seen_whole_above_the_decision(new_desk: NewDesk, size: dict[str, int], scheme: str) -> None:
    surface = new_desk(boxes(), viewport=size, color_scheme=scheme).open()
    surface.ready(1)
    surface.press("e")
    top = rectangle(surface.window.locator(".judging"))["y"]
    assert top > 40 + 0.55 * (size["height"] - 40), "the judgments have more than half of the panel"
    for card in surface.part("card").all():
        chip = rectangle(card.locator("[data-part^='change box']"))
        assert chip["y"] + chip["height"] <= top, "what is disputed is seen"


def test_codes_stand_in_one_row_on_a_low_window_and_reason_and_note_in_one_line_until_one_is_written(
    new_desk: NewDesk,
) -> None:
    surface = new_desk(boxes(), viewport=LOW).open()
    surface.ready(1)
    tops = {rectangle(chip)["y"] for chip in surface.window.locator(".choice").all()}
    assert len(tops) == 1
    reason, note = surface.part("decision-reason"), surface.part("note")
    assert abs(rectangle(reason)["y"] - rectangle(note)["y"]) < 2
    surface.press("r")
    surface.window.keyboard.type("one line\rand another".replace("\r", " "))
    assert rectangle(note)["y"] > rectangle(reason)["y"] + 20
    surface.press("Escape")
    assert abs(rectangle(reason)["y"] - rectangle(note)["y"]) < 2


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size['width']}x{size['height']}")
def test_campaign_and_person_are_told_in_full_also_after_saving(new_desk: NewDesk, size: dict[str, int]) -> None:
    surface = new_desk(boxes(), case(2, judgment("F"), judgment(""), pages=PAGES), viewport=size)
    surface.server.campaign.me["name"] = "Lena Marlow"
    surface.open().ready(1)
    surface.press("1", "s")
    decided(surface)
    surface.ready(2)
    expect(surface.part("save-mark")).to_have_attribute("data-state", "saved")
    assert not is_cut(surface, "campaign")
    assert not is_cut(surface, "me")
    assert (surface.part("save-mark").get_attribute("title") or "").startswith("saved ")


def test_the_state_of_an_entry_is_its_own_and_the_list_is_told_as_a_list(desk: Surface) -> None:
    state, through = desk.part("entry-state"), desk.part("through")
    expect(desk.part("place")).to_have_text("entry 1 ▾")
    expect(state).to_have_text("disputed")
    expect(through).to_have_text("list: disputed")
    desk.press("1", "s")
    decided(desk)
    desk.ready(2)
    expect(state).to_have_text("disputed")
    desk.press("l")
    desk.part("go-to").fill("1")
    desk.part("go-to").press("Enter")
    desk.ready(1)
    expect(state).to_have_text("decided")
    expect(through).to_have_text("list: disputed")
    desk.press("Delete")
    desk.part("reopen-now").click()
    expect(state).to_have_text("disputed")
