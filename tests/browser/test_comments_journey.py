"""Two people talk about an entry in the real app, and a decision becomes a rule that helps with the next one."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import AppServer
from tests.browser.journeys import HOST, Visitor

BOBS = "The caption names the harbour."
RULE = "A caption counts as evidence."


def _at(visitor: Visitor, entry: int) -> Visitor:
    campaign = visitor.campaign_id("try-it")
    visitor.page.goto(f"{visitor.app.address}/judge?campaign={campaign}&entry={entry}")
    return visitor.ready(entry)


def test_comments_are_sealed_until_one_has_judged_and_a_rule_is_found_while_judging(
    app: AppServer, page: Page, browser: Browser
) -> None:
    app.run("prepare")
    app.start()
    bob = Visitor(browser.new_context().new_page(), app).sign_in("Bob")
    _at(bob, 1).press(";")
    bob.page.keyboard.type(BOBS)
    bob.press("Control+Enter")
    expect(bob.part("comment-list")).to_contain_text(BOBS)
    bob.press("Escape", "f", "m")
    bob.page.keyboard.type("which harbour is meant?")
    bob.press("Control+Enter")
    bob.ready(2).acknowledged()

    ada = Visitor(page, app).sign_in("Ada")
    _at(ada, 2).press("c", "Enter")
    ada.ready(3).acknowledged()
    _at(ada, 1).press(";")
    ada.part("comments-sealed").wait_for()
    assert BOBS not in page.content()
    ada.press("Escape", ":")
    expect(ada.part("precedents").get_by_test_id("precedent")).to_have_count(1)
    ada.press("Escape", "Escape", "c", "Enter")
    ada.ready(3).acknowledged()
    _at(ada, 1)
    expect(ada.part("comments")).to_contain_text(BOBS)

    # Bob, who judged it too, makes his decision a rule; Ada finds it at the next entry.
    bob.page.goto(f"{app.address}/questions?campaign={bob.campaign_id('try-it')}")
    bob.page.get_by_text("Precedents", exact=True).click()
    bob.page.get_by_text("Make a decision a precedent").click()
    number = bob.page.get_by_label("Entry", exact=True)
    number.fill("1")
    number.press("Enter")
    bob.page.get_by_text("Bob, F: which harbour is meant?").click()
    rule = bob.page.get_by_label("Rule", exact=True)
    rule.fill(RULE)
    bob.page.get_by_role("button", name="Make it a precedent").click()
    expect(bob.page.get_by_role("button", name="Take back")).to_be_visible()
    bob.page.context.close()

    _at(ada, 3).press(":")
    page.keyboard.type("caption counts")
    found = ada.part("precedents").get_by_test_id("precedent")
    expect(found).to_have_count(1)
    expect(found).to_contain_text(RULE)
    expect(found).to_contain_text("which harbour is meant?")
    with page.context.expect_page() as opened:
        ada.press("Tab", "Enter")
    window = opened.value
    window.locator(f"{HOST}[data-ready='1']").wait_for(state="attached")
    expect(window.get_by_test_id("banner")).to_contain_text("nothing can be changed")
    expect(window.get_by_test_id("code-C")).to_be_disabled()
    assert window.get_by_test_id("code-C").get_attribute("aria-pressed") == "true", "her own answer, not Bob's"
