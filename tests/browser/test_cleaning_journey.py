"""Comparing strategies in a real browser: start, leave, come back, move a slider, look at a query, take a table along."""

from __future__ import annotations

import csv
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import AppServer
from tests.browser.journeys import Visitor

#: The sample's labels: 36 of 177 say remove.
QUERIES, POSITIVES = 177, 36
#: What takes seconds to train, and is not needed to see the pages work.
SLOW = (
    "Nearest neighbours",
    "Logistic regression",
    "Logistic regression with wording",
    "XGBoost",
    "Length of the query",
)


def counts(page: Page) -> list[int]:
    """The four counts of the point in view: removed bad and right, kept bad and right."""
    cells = page.get_by_test_id("confusion").locator("b").all_inner_texts()
    return [int(each.replace(",", "")) for each in cells]


def choose_strategy(page: Page, title: str) -> None:
    """Choose in the list of strategies. It closes when the page scrolls, which is told a frame late: the page comes to rest first."""
    field = page.get_by_label("Strategy", exact=True)
    field.scroll_into_view_if_needed()
    page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    field.click()
    page.get_by_role("option", name=title, exact=True).click()


def test_strategies_are_compared_from_the_form_to_a_downloaded_table(
    app: AppServer, page: Page, tmp_path: Path
) -> None:
    app.run("prepare")
    app.start()
    Visitor(page, app).sign_in()
    page.get_by_role("link", name="Cleaning", exact=True).click()
    page.get_by_role("button", name="New comparison").click()
    page.get_by_test_id("look-ahead-folds").wait_for()
    expect(page.get_by_text("To remove (20.3 %)")).to_be_visible()
    for title in SLOW:
        box = page.get_by_role("checkbox", name=title, exact=True)
        if box.is_checked():
            page.get_by_text(title, exact=True).first.click()
            expect(box).not_to_be_checked()
    expect(page.get_by_text("none of the chosen strategies needs any")).to_be_visible()
    page.get_by_role("button", name="Start", exact=True).click()

    page.wait_for_url("**/comparison?comparison=1")

    # Leave at once; the list shows when it is done.
    page.get_by_role("link", name="Cleaning", exact=True).first.click()
    page.get_by_text("done", exact=True).wait_for()
    page.get_by_role("button", name="Open", exact=True).click()
    page.get_by_test_id("summary").wait_for()
    keep_all = page.get_by_test_id("summary").locator("tr", has_text="Keep all").inner_text()
    assert f"{POSITIVES}/{QUERIES}" in keep_all
    assert f"{QUERIES}/{QUERIES}" in keep_all

    # The last section stands: the page is whole.
    page.get_by_text("Likely wrong labels are told from").wait_for()
    choose_strategy(page, "Random removal")
    slider = page.get_by_role("slider").first
    expect(page.get_by_test_id("confusion")).to_be_visible()
    page.wait_for_function("() => document.querySelectorAll('[data-testid=confusion] b')[1]?.textContent !== '0'")
    before = counts(page)
    assert sum(before) == QUERIES
    slider.focus()
    for _ in range(5):
        slider.press("ArrowLeft")
    page.wait_for_function(
        "removed => { const b = document.querySelectorAll('[data-testid=confusion] b');"
        " return Number(b[0].textContent) + Number(b[1].textContent) === removed + 5 }",
        arg=before[0] + before[1],
    )
    after = counts(page)
    assert sum(after) == QUERIES
    assert after[0] + after[2] == POSITIVES

    matrix = page.get_by_test_id("pair-matrix")
    cell = matrix.locator("tbody tr", has_text="Rules").first.locator("button").last
    cell.click()
    expect(page.get_by_test_id("pair-figures").locator("caption")).to_contain_text("Rules minus")
    page.get_by_role("button", name="Look", exact=True).first.click()
    page.get_by_test_id("look").wait_for()
    page.wait_for_function(
        "() => { const images = [...document.querySelectorAll('.look-page img')];"
        " return images.length > 0 && images.every(each => each.complete && each.naturalWidth > 0) }"
    )
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("look")).to_have_count(0)

    page.get_by_role("button", name="Download").first.click()
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV", exact=True).click()
    file = tmp_path / "strategies.csv"
    download.value.save_as(file)
    with file.open(newline="", encoding="utf-8") as stream:
        rows = {row["strategy"]: row for row in csv.DictReader(stream)}
    assert (rows["Keep all"]["fn"], rows["Keep all"]["tn"]) == (str(POSITIVES), str(QUERIES - POSITIVES))
    assert float(rows["Keep all"]["false_omission"]) == POSITIVES / QUERIES
