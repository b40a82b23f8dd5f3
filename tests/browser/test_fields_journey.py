"""A relevance campaign and a query review in a real browser: started, judged with the keyboard, reported, exported, taken as labels."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Page, expect

from audit_core.workflow.campaigns import find_dataset
from audit_core.workflow.label_sources import labels_from
from tests.browser.conftest import AppServer
from tests.browser.journeys import Visitor, judgments
from tests.homes import another_home

SAMPLE = "assay-sample"


def start(page: Page, app: AppServer, title: str, name: str) -> None:
    page.goto(f"{app.address}/new-campaign")
    page.get_by_text(title, exact=True).click()
    field = page.get_by_label("Name of the campaign")
    field.fill(name)
    field.press("Tab")
    page.get_by_role("button", name="Start", exact=True).click()
    page.get_by_text(f"Campaign {name}").first.wait_for()


def test_pages_are_graded_by_keyboard_reported_and_exported(app: AppServer, page: Page, tmp_path: Path) -> None:
    app.run("prepare")
    app.start()
    visitor = Visitor(page, app).sign_in()
    start(page, app, "Relevance: grade every page", "grades")

    visitor.open_campaign("grades").ready(1)
    assert visitor.images_are_decoded()
    listed = page.locator(".evidence-page").count()
    visitor.press("1")
    for _ in range(listed):
        visitor.press("2", "1", "q")
    visitor.press("1")
    page.keyboard.type("as the page says")
    visitor.press("Enter").ready(2).press("2", "1", "Enter").ready(3).press("1")
    page.reload()
    visitor.ready(3)
    expect(visitor.part("rate-query-good")).to_have_attribute("aria-pressed", "true")
    visitor.press("x", "Enter").ready(4).acknowledged()

    page.goto(f"{app.address}/report?campaign={visitor.campaign_id('grades')}")
    page.get_by_test_id("field-table-grades").wait_for()
    expect(page.get_by_text("1 of 2 decided entries is poor: 50.0 %", exact=False)).to_be_visible()
    rows = judgments(app, "grades", SAMPLE, tmp_path / "out")
    assert [row["outcome"] for row in rows] == ["judged", "judged", "cannot_judge"]
    first, second = rows[0]["fields"], rows[1]["fields"]
    assert (set(first["grades"].values()), len(first["grades"]), first["answer_text"]) == (
        {2},
        listed,
        "as the page says",
    )
    assert second == {"query": "poor", "reasons": ["unclear"]}
    with another_home(app.home) as home:
        _, labels = labels_from(home, find_dataset(home, SAMPLE), "campaign:grades")
    assert [each.remove for each in labels] == [False, True, None]


def test_queries_are_reviewed_by_keyboard_and_what_is_discarded_is_a_label(app: AppServer, page: Page) -> None:
    app.run("prepare")
    app.start()
    visitor = Visitor(page, app).sign_in()
    start(page, app, "Query review: keep, rewrite or discard", "review")

    visitor.open_campaign("review").ready(1).press("1", "1", "1", "1", "8", "Enter").ready(2)
    visitor.press("2", "1", "q", "1", "1", "1", "5", "q")
    page.keyboard.type("In better words?")
    visitor.press("Enter").ready(3).press("1", "1", "3", "1", "q", "2", "Enter").ready(4).acknowledged()

    document = json.loads(app.run("report", "review", "--json"))
    outcome = next(each for each in document["fields"] if each["name"] == "outcome")["rows"][-1]
    assert [share["interval"]["count"] for share in outcome["shares"]] == [1, 1, 1]
    page.goto(f"{app.address}/report?campaign={visitor.campaign_id('review')}")
    expect(page.get_by_text("1 of 3 decided entries is to be discarded: 33.3 %", exact=False)).to_be_visible()
    with another_home(app.home) as home:
        source, labels = labels_from(home, find_dataset(home, SAMPLE), "campaign:review")
    assert source.kind == "query-review campaign"
    assert [each.remove for each in labels] == [False, False, True]
