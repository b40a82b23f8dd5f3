"""Comments on an entry, precedents beside the pages, and the window that only looks, in a real browser."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.surface.fake_server import comment, entry, now, precedent
from tests.browser.surface.surface_window import Surface

NewSurface = Callable[..., Surface]
MARKUP = "<img src=x onerror=\"document.title='hit'\"> <b>bold</b>"


def test_a_comment_is_written_and_deleted_without_a_mouse_and_chooses_nothing(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.press(";")
    surface.part("comments-sealed").wait_for()
    surface.window.keyboard.type("Fun: CEREAL on page 4?")
    surface.press("Control+Enter")
    expect(surface.part("comment-list")).to_contain_text("Fun: CEREAL on page 4?")
    expect(surface.part("comment-text")).to_have_value("")
    surface.press("Escape")
    surface.part("comment-dialog").wait_for(state="detached")
    expect(surface.part("comments")).to_contain_text("Fun: CEREAL on page 4?")
    assert surface.pressed() == "", "letters of the comment choose nothing"
    surface.press(";")
    surface.part("comment-delete").wait_for()
    surface.part("comment-text").press("Shift+Tab")
    assert surface.part("comment-delete").evaluate("(node) => node.getRootNode().activeElement === node")
    surface.press("Enter")
    surface.part("comment-dialog").get_by_test_id("comment").wait_for(state="detached")
    surface.press("Escape")
    expect(surface.part("comments").get_by_test_id("comment")).to_have_count(0)
    assert surface.server.campaign.comments[1001] == []


def test_comments_of_others_appear_after_ones_own_judgment_alone(new_surface: NewSurface) -> None:
    surface = new_surface()
    surface.server.campaign.comments[1001] = [comment("Bob was here")]
    surface.open().ready(1)
    surface.press(";")
    surface.part("comments-sealed").wait_for()
    assert "Bob" not in surface.part("comment-dialog").inner_text()
    surface.press("Escape", "c", "Enter")
    surface.ready(2)
    surface.saving(0)
    surface.press("ArrowLeft")
    surface.ready(1)
    expect(surface.part("comments")).to_contain_text("Bob was here")
    expect(surface.part("comments")).to_contain_text("Bob ·")
    surface.press(";")
    surface.part("comment-list").get_by_text("Bob was here").wait_for()
    expect(surface.part("comments-sealed")).to_be_hidden()
    assert surface.part("comment-delete").count() == 0, "of others nothing is deleted"
    surface.press("Escape", "ArrowRight")
    surface.ready(2)
    expect(surface.part("comments").get_by_test_id("comment")).to_have_count(0)


def test_a_comment_is_text_in_its_own_direction_and_never_markup(new_surface: NewSurface) -> None:
    surface = new_surface([entry(1, saved={"revision": 1, "outcome": "judged", "codes": "", "note": "", "reason": "",
                                           "targets": {}, "fields": {}, "correction": None, "saved_at": now()})])  # fmt: skip
    surface.server.campaign.comments[1001] = [comment(MARKUP, author=MARKUP), comment("السؤال غير واضح")]
    surface.open("&entry=1").ready(1)
    surface.press(";")
    shown = surface.part("comment-list")
    shown.get_by_text("<b>bold</b>").first.wait_for()
    assert shown.locator("img, b").count() == 0
    assert surface.window.title() == "fake host"
    directions = shown.locator("p").evaluate_all("(nodes) => nodes.map((node) => getComputedStyle(node).direction)")
    assert directions == ["ltr", "rtl"]


def test_a_comment_that_the_server_did_not_take_stays_in_the_dialog(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.press(";")
    surface.part("comments-sealed").wait_for()
    surface.server.stop()
    surface.window.keyboard.type("Which station?")
    surface.press("Control+Enter")
    surface.part("comment-problem").get_by_text("your comment stays here").wait_for()
    surface.press("Escape")
    surface.part("comment-dialog").wait_for(state="detached")
    surface.server.start()
    surface.press(";")
    expect(surface.part("comment-text")).to_have_value("Which station?")
    surface.press("Control+Enter")
    expect(surface.part("comment-list")).to_contain_text("Which station?")
    assert len(surface.server.campaign.comments[1001]) == 1


def test_an_empty_comment_is_not_sent_and_a_closed_campaign_takes_none(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.press(";", "Control+Enter")
    surface.part("comment-problem").get_by_text("Write a comment first.").wait_for()
    surface.press("Escape")
    surface.server.campaign.state = "closed"
    surface.press(";")
    surface.part("comments-closed").wait_for()
    expect(surface.part("comment-send")).to_be_hidden()
    assert surface.server.campaign.comments[1001] == []


def test_precedents_are_searched_beside_the_pages_and_judging_goes_on(new_surface: NewSurface) -> None:
    surface = new_surface()
    rule = {"text": "Name the basin.", "by": "Grace", "created_at": now()}
    asked = [{"question": "Which basin?", "answer": "The north one."}]
    surface.server.campaign.precedents = [
        precedent(1, kind="rule", decision=None, can_open=False, rule=rule, questions=asked, saved_at=None),
        precedent(2, note="too shallow"), precedent(3, decision="cannot judge", reason="unreadable"),
    ]  # fmt: skip
    surface.open().ready(1)
    surface.press(":")
    cards = surface.part("precedents").get_by_test_id("precedent")
    expect(cards).to_have_count(3)
    expect(surface.part("precedents-said")).to_contain_text("most like this query")
    expect(cards.nth(0)).to_contain_text("Name the basin.")
    expect(cards.nth(0)).to_contain_text("The north one.")
    assert cards.nth(0).get_by_test_id("precedent-link").count() == 0
    expect(cards.nth(1)).to_contain_text("F E")
    surface.window.keyboard.type("shallow CEREAL")
    expect(cards).to_have_count(0)
    expect(surface.part("precedents-said")).to_contain_text("Nothing has all these words")
    for _ in "CEREAL ":
        surface.press("Backspace")
    expect(cards).to_have_count(1)
    assert surface.pressed() == "", "letters of the search choose nothing"
    surface.press("Enter", "n", "Enter")
    surface.ready(2)
    surface.saving(0)
    assert surface.server.campaign.posts[0]["codes"] == "N"
    expect(surface.part("precedents")).to_be_visible()
    expect(cards).to_have_count(1)
    surface.press(":")
    expect(surface.part("precedents")).to_be_hidden()
    surface.eventually(lambda: surface.server.campaign.precedents_asked[-1] == {"entry": "1002", "words": "shallow"})


def test_escape_leaves_the_search_first_and_then_closes_the_precedents(new_surface: NewSurface) -> None:
    surface = new_surface()
    surface.server.campaign.precedents = [precedent(2)]
    surface.open().ready(1)
    surface.press(":", "Escape", "u")
    expect(surface.part("precedents")).to_be_visible()
    assert surface.pressed() == "U"
    surface.press("h")
    expect(surface.part("precedents")).to_be_hidden()
    expect(surface.part("guidelines")).to_be_visible()
    surface.press(":")
    expect(surface.part("guidelines")).to_be_hidden()
    surface.press("Escape", "Escape")
    expect(surface.part("precedents")).to_be_hidden()


def test_a_precedent_is_text_and_never_markup(new_surface: NewSurface) -> None:
    surface = new_surface()
    rule = {"text": MARKUP, "by": MARKUP, "created_at": now()}
    surface.server.campaign.precedents = [
        precedent(1, query=MARKUP, note=MARKUP, reason=MARKUP, source=MARKUP, rule=rule, decision=MARKUP,
                  campaign_name=MARKUP, questions=[{"question": MARKUP, "answer": MARKUP}]),
        precedent(2, query="ما عمق الحوض؟", note="غير واضح"),
    ]  # fmt: skip
    surface.open().ready(1)
    surface.press(":")
    cards = surface.part("precedents").get_by_test_id("precedent")
    expect(cards).to_have_count(2)
    assert cards.locator("img, b").count() == 0
    assert surface.window.title() == "fake host"
    query = cards.nth(1).locator(".precedent-query")
    assert query.evaluate("(node) => getComputedStyle(node).direction") == "rtl"


def test_earlier_decisions_that_the_server_still_reads_are_asked_for_until_all_are_there(
    new_surface: NewSurface,
) -> None:
    surface = new_surface()
    surface.server.campaign.precedents = [precedent(2)]
    surface.server.campaign.earlier_unread = 4
    surface.open().ready(1)
    surface.press(":")
    expect(surface.part("precedents").get_by_test_id("precedent")).to_have_count(1)
    expect(surface.part("precedents-said")).not_to_contain_text("still being read")
    assert surface.server.campaign.earlier_unread == 0
    assert len(surface.server.campaign.precedents_asked) == 4


def test_an_unreachable_server_is_told_in_the_precedents_and_judging_goes_on(new_surface: NewSurface) -> None:
    surface = new_surface().open()
    surface.ready(1)
    surface.server.stop()
    surface.press(":")
    expect(surface.part("precedents-said")).to_contain_text("does not answer")
    surface.press("Enter", "c", "Enter")
    surface.ready(2)
    surface.server.start()
    surface.saving(0)


def test_a_case_of_ones_own_opens_in_a_window_in_which_nothing_can_be_changed(new_surface: NewSurface) -> None:
    surface = new_surface()
    surface.server.campaign.precedents = [precedent(3, campaign=1)]
    surface.server.campaign.save(
        1003, {"outcome": "judged", "codes": "FE", "note": "mine", "reason": "", "targets": {}}
    )
    surface.open().ready(1)
    surface.press("c", ":")
    surface.part("precedent-link").wait_for()
    before = surface.server.campaign.upcoming_asked
    with surface.window.context.expect_page() as opened:
        surface.press("Tab", "Enter")
    window = Surface(opened.value, surface.server)
    window.ready(3)
    assert window.window.url.endswith("/judge?campaign=1&entry=3&look=1")
    expect(window.part("banner")).to_contain_text("nothing can be changed")
    assert window.pressed() == "FE"
    for key in ("c", "u", "Enter", "x", "z", "k", "!", "m"):
        window.press(key)
    assert window.pressed() == "FE"
    expect(window.part("choose-first")).to_contain_text("looking only")
    expect(window.part("note")).to_be_disabled()
    window.press("ArrowRight", "j", "g", "l")
    assert window.part("overview").count() == 0
    window.ready(3)
    assert window.part("code-C").is_disabled()
    assert surface.numbers_saved() == []
    counts = [asked["count"] for asked in surface.server.campaign.states if asked.get("entry") == "3"]
    assert counts == ["0"], "no places are taken at other entries"
    assert surface.server.campaign.upcoming_asked == before
    assert window.faults == []
    surface.press("Escape", "Enter")
    surface.ready(2)
    surface.saving(0)
    assert surface.numbers_saved() == [1], "the window that judges goes on"


def test_a_window_that_looks_at_no_entry_says_so_and_opens_none(new_surface: NewSurface) -> None:
    surface = new_surface().open("&entry=99&look=1")
    surface.ready("failed")
    expect(surface.window.locator("#host")).to_contain_text("no such entry")
    assert [asked.get("entry") for asked in surface.server.campaign.states] == ["99"]
