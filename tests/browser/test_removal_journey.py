"""A removal campaign in a real browser: started on its page, judged with the keyboard, reported, and used as labels."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Page, expect

from audit_core.workflow.campaigns import find_dataset
from audit_core.workflow.label_sources import labels_from
from tests.browser.conftest import AppServer
from tests.browser.journeys import Visitor
from tests.homes import another_home

SAMPLE = "assay-sample"


def test_a_removal_campaign_is_started_judged_by_keyboard_reported_and_gives_labels(
    app: AppServer, page: Page, tmp_path: Path
) -> None:
    app.run("prepare")
    app.start()
    visitor = Visitor(page, app).sign_in()
    page.goto(f"{app.address}/new-campaign")
    page.get_by_text("Keep or remove", exact=True).click()
    page.get_by_label("Name of the campaign").fill("cleaning")
    page.get_by_role("button", name="Start", exact=True).click()
    page.get_by_text("protocol removal").wait_for()

    visitor.open_campaign("cleaning").ready(1)
    assert visitor.images_are_decoded()
    visitor.press("r", "1", "5", "Enter").ready(2).press("k", "Enter").ready(3).press("Enter")
    expect(visitor.part("choose-first")).to_have_text("Choose first: K, R or X.")
    visitor.press("q", "4")
    page.reload()
    visitor.ready(3)
    expect(visitor.part("rate-clarity-0.75")).to_have_attribute("aria-pressed", "true")
    visitor.press("x", "a")
    page.keyboard.type("no page")
    visitor.press("Enter").ready(4).acknowledged()

    page.goto(f"{app.address}/report?campaign={visitor.campaign_id('cleaning')}")
    page.get_by_test_id("removal-table").wait_for()
    expect(page.get_by_text("1 of 2 decided entries is to be removed: 50.0 %", exact=False)).to_be_visible()
    assert "1 (1)" in page.get_by_test_id("criteria-table").inner_text()
    total = json.loads(app.run("report", "cleaning", "--json"))["total"]
    assert (total["keep"], total["remove"], total["cannot_judge"]) == (1, 1, 1)

    with another_home(app.home) as home:
        source, labels = labels_from(home, find_dataset(home, SAMPLE), "campaign:cleaning")
    assert source.queries == 3
    assert [(each.annotator, each.remove, each.criteria) for each in labels] == [
        ("Ada", True, {"clarity": 0.0, "correctness": 1.0}),
        ("Ada", False, {}),
        ("Ada", None, {}),
    ]
    app.run("export-bundle", SAMPLE, str(tmp_path / "out"))
    written = (tmp_path / "out" / "labels" / "cleaning.jsonl").read_text(encoding="utf-8").split("\n")
    assert [json.loads(line)["remove"] for line in written if line] == [True, False]
