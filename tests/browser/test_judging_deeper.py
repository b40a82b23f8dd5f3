"""Looking closer in the real app: leafing, sharper pages, links, named boxes, questions and proposed corrections."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import AppServer
from tests.browser.journeys import Visitor, judgments

SAMPLE = "assay-sample"


@pytest.fixture
def sample_app(app: AppServer) -> AppServer:
    """The app as `make run` starts it: the sample imported, the campaign `try-it` open."""
    app.run("prepare")
    app.start()
    return app


def entries(visitor: Visitor, campaign: str = "try-it") -> list[dict[str, Any]]:
    """All entries of a campaign, as the surface gets them."""
    script = """async (campaign) => {
        const { entries } = await (await fetch(`/api/campaigns/${campaign}/overview`)).json();
        return Promise.all(entries.map(async ({ number }) =>
            (await (await fetch(`/api/campaigns/${campaign}/entries/${number}`)).json()).entry));
    }"""
    found: list[dict[str, Any]] = visitor.page.evaluate(script, visitor.campaign_id(campaign))
    return found


def opened(visitor: Visitor, entry: dict[str, Any], campaign: str = "try-it") -> Visitor:
    visitor.page.goto(f"{visitor.app.address}/judge?campaign={visitor.campaign_id(campaign)}&entry={entry['number']}")
    return visitor.ready(entry["number"])


def test_a_missing_page_is_found_by_leafing_and_proposed_with_a_box_then_saved(
    sample_app: AppServer, page: Page, tmp_path: Path
) -> None:
    visitor = Visitor(page, sample_app).sign_in()
    entry = next(
        each for each in entries(visitor)
        if len(each["pages"]) == 1 and 1 < each["pages"][0]["page_number"] < each["pages"][0]["page_count"]
    )  # fmt: skip
    opened(visitor, entry).press("0", ".")
    visitor.part("not-listed").first.wait_for()
    visitor.press("0", "k", "a")
    image = page.locator(".pane.leafed .sheet img").bounding_box()
    assert image
    page.mouse.move(image["x"] + 0.3 * image["width"], image["y"] + 0.02 * image["height"])
    page.mouse.down()
    page.mouse.move(image["x"] + 0.5 * image["width"], image["y"] + 0.03 * image["height"])
    page.mouse.move(image["x"] + 0.6 * image["width"], image["y"] + 0.06 * image["height"])
    page.mouse.up()
    page.locator(".box.added").wait_for()
    expect(visitor.part("page-proposal").first).to_have_text("proposed: in")
    visitor.press("s", "Control+a")
    page.keyboard.type("A better question?")
    with page.expect_response(lambda answer: answer.url.endswith("/draft") and answer.ok):
        visitor.press("Escape")
    page.reload()
    visitor.ready(entry["number"])
    expect(visitor.part("proposal")).to_contain_text("query reworded · 1 page in · 1 box changed")
    with page.expect_response(lambda answer: answer.url.endswith("/judgments")) as saved:
        visitor.press("e", "Enter")
    assert saved.value.ok, saved.value.text()
    correction = next(each for each in entries(visitor) if each["id"] == entry["id"])["saved"]["correction"]
    assert correction["query"] == "A better question?"
    assert [each["set"] for each in correction["add_pages"]] == ["required"]
    assert [(each["page_id"], each["action"]) for each in correction["boxes"]] == [
        (correction["add_pages"][0]["page_id"], "add")
    ]
    (row,) = judgments(sample_app, "try-it", SAMPLE, tmp_path / "out")
    assert (row["codes"], "correction" in row) == (["E"], False)


def test_a_box_named_by_e_is_saved_by_its_element_and_shown_when_the_entry_is_opened_again(
    sample_app: AppServer, page: Page, tmp_path: Path
) -> None:
    visitor = Visitor(page, sample_app).sign_in()
    entry = next(
        each for each in entries(visitor)
        if len(each["pages"]) > 1 and each["pages"][0]["boxes"] and each["pages"][0]["boxes"][0]["element_id"]
    )  # fmt: skip
    element = entry["pages"][0]["boxes"][0]["element_id"]
    opened(visitor, entry).press("e", "Tab", "Space", "2")
    visitor.press("Enter").acknowledged()
    (row,) = judgments(sample_app, "try-it", SAMPLE, tmp_path / "out")
    assert row["targets"] == {"E": sorted([element, entry["pages"][1]["page_id"]])}
    opened(visitor, entry)
    expect(page.locator(".box[data-number='1'] text")).to_contain_text("· E")
    expect(visitor.part("mark-E").nth(1)).to_have_text("E this page")


def test_a_pdf_page_gets_sharper_and_a_link_opens_it_as_it_was(sample_app: AppServer, page: Page) -> None:
    visitor = Visitor(page, sample_app).sign_in()
    entry = next(each for each in entries(visitor) if each["pages"][0]["resolutions"])
    opened(visitor, entry).press("1", "Tab", "o", "+", "+")
    page.wait_for_function(
        "(width) => document.querySelector('.pane.focused .sheet img, .sheet img').naturalWidth > 1.9 * width",
        arg=entry["pages"][0]["width"],
    )
    zoom = visitor.part("zoom").inner_text()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visitor.press("y")
    expect(visitor.part("copy-link")).to_contain_text("link copied")
    link = page.evaluate("navigator.clipboard.readText()")
    assert parse_qs(urlsplit(link).query)["page"] == [entry["pages"][0]["page_id"]]
    page.context.clear_cookies()
    page.goto(link)
    page.locator("input[name=name]").fill("Grace")
    page.keyboard.press("Enter")
    visitor.ready(entry["number"])
    expect(visitor.part("zoom")).to_have_text(zoom)
    expect(page.locator(".box.selected")).to_have_attribute("data-number", "1")


def test_the_guidelines_of_the_protocol_are_read_and_the_lead_is_asked(sample_app: AppServer, page: Page) -> None:
    visitor = Visitor(page, sample_app).sign_in().open_campaign("try-it").ready(1)
    visitor.press("h")
    sections = visitor.part("guidelines").locator("section")
    assert [each[0] for each in sections.locator("h3").all_inner_texts()] == list("FEUNCX")
    visitor.press("h", "!")
    page.keyboard.type("Which report is meant?")
    visitor.press("Control+Enter")
    expect(visitor.part("flags")).to_contain_text("Which report is meant?")
    page.reload()
    visitor.ready(1)
    expect(visitor.part("flags")).to_contain_text("not answered yet")
    assert json.dumps(entries(visitor)[0]["flags"]).count("Which report is meant?") == 1


def test_a_manual_of_468_pages_is_leafed_without_waiting(app: AppServer, page: Page, real_data: Path) -> None:
    app.run("import", str(real_data / "pdf_audit"))
    app.run("campaign", "start", "audit", "--dataset", "pdf_audit")
    app.start()
    visitor = Visitor(page, app).sign_in()
    entry = next(each for each in entries(visitor, "audit") if any(one["page_count"] == 468 for one in each["pages"]))
    index = next(at for at, one in enumerate(entry["pages"], start=1) if one["page_count"] == 468)
    opened(visitor, entry, "audit").press(str(index))
    first = next(one for one in entry["pages"] if one["page_count"] == 468)["page_number"]
    for step in range(1, 8):
        visitor.press(".")
        page.get_by_text(f"p. {first + step} of 468").first.wait_for()
    visitor.press("#")
    page.keyboard.type("300")
    visitor.press("Enter")
    page.get_by_text("p. 300 of 468").first.wait_for()
    page.wait_for_function("() => document.querySelector('.pane.leafed .sheet img')?.naturalWidth > 1000")
    visitor.press("Backspace")
    expect(page.locator(".pane.leafed")).to_have_count(0)
