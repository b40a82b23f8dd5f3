"""Cleaning with a language model in a real browser: score, choose with a guarantee, clean, look, and accept a rewording."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import AppServer
from tests.browser.journeys import Visitor
from tests.cleaning.rated_bundle import Rated, rated_bundle
from tests.importers.small_bundle import write_lines
from tests.inference.chat_answers import knowing
from tests.inference.chat_server import ChatServer, running

#: The bundle's queries, and those of them that the model rates 0 for layout references.
QUERIES, REMOVED = 320, 72
KEPT = QUERIES - REMOVED
#: What a job on a busy machine may take, in milliseconds.
JOB = 180_000


@pytest.fixture
def rated(tmp_path: Path) -> Rated:
    """The bundle of which everything is known, not yet imported."""
    return rated_bundle(tmp_path / "bundle")


@pytest.fixture
def model(rated: Rated) -> Iterator[ChatServer]:
    """A server whose model knows the truth of the bundle."""
    with running(otherwise=knowing(rated.truth)) as server:
        yield server


def open_tab(page: Page, name: str) -> None:
    """Open a tab of the page; its content stands."""
    tab = page.get_by_role("tab", name=name, exact=True)
    tab.click()
    expect(tab).to_have_attribute("aria-selected", "true")


def choose_box(page: Page, title: str) -> None:
    """Tick the box of a strategy."""
    box = page.get_by_role("checkbox", name=title, exact=True)
    if not box.is_checked():
        page.get_by_text(title, exact=True).first.click()
    expect(box).to_be_checked()


def choose_option(page: Page, label: str, option: str) -> None:
    """Choose in a list. It closes when the page scrolls, which is told a frame late: the page comes to rest first."""
    field = page.get_by_label(label, exact=True)
    field.scroll_into_view_if_needed()
    page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    field.click()
    page.get_by_role("option", name=option, exact=True).click()


def settled(page: Page) -> None:
    """Wait until the app is not at work: what is clicked next is not drawn anew under the hand."""
    page.wait_for_function(
        "() => document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'"
    )


def start_scoring(page: Page, server: ChatServer) -> None:
    """From the list to a running scoring: by a model and by rules, tried out and estimated before."""
    page.get_by_role("link", name="Cleaning", exact=True).click()
    open_tab(page, "Scorings")
    page.get_by_role("button", name="New scoring").click()
    page.wait_for_url("**/new-scoring")
    choose_box(page, "Rated by a language model")
    expect(page.get_by_role("checkbox", name="Rules", exact=True)).to_be_checked()
    expect(page.get_by_label("Server (OpenAI protocol)")).to_have_value(server.url)
    settled(page)
    page.get_by_role("button", name="Try it").click()
    expect(page.get_by_text("It keeps to a JSON schema.")).to_be_visible()
    tried = server.count
    assert tried >= 1
    settled(page)
    page.get_by_role("button", name="Estimate calls and cost").click()
    estimate = page.get_by_test_id("llm-estimate")
    expect(estimate).to_contain_text("Rated by a language model")
    cells = estimate.locator("tbody td, tr td").all_inner_texts()
    assert cells[2:5] == [str(QUERIES), "0", str(QUERIES)], cells
    assert server.count == tried
    settled(page)
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**/scoring?scoring=1")


def choose_with_guarantee(page: Page) -> None:
    """Choose the threshold on the random sample; the tab that cleans opens with it."""
    open_tab(page, "Threshold with a guarantee")
    expect(page.get_by_text("The bound takes at least 36")).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Choose", exact=True).click()
    promise = page.get_by_text("of what is kept is bad: Rated by a language model removes")
    expect(promise).to_contain_text(f"It keeps {KEPT} queries")
    expect(page.get_by_test_id("guarantee")).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Clean the dataset with this threshold").click()
    expect(page.get_by_role("tab", name="Clean the dataset")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_text(f"{REMOVED} of {QUERIES} queries go and {KEPT} stay")).to_be_visible()


def accept_one(page: Page) -> str:
    """Ask for rewordings of what goes, wait for them, and accept the first; return its query in the new words."""
    open_tab(page, "Reword")
    expect(page.get_by_label("Name of the rewordings")).to_have_value("rewordings 1")
    settled(page)
    choose_option(page, "Queries that are removed by", f"Rated by a language model ({REMOVED} queries)")
    settled(page)
    page.get_by_role("button", name="Ask for rewordings").click()
    page.wait_for_url("**/rewordings?rewordings=*")
    first = page.get_by_test_id("rewording").first
    first.wait_for(timeout=JOB)
    expect(page.get_by_text(f"{REMOVED} proposals for {REMOVED} queries.")).to_be_visible()
    after = first.locator("b").inner_text()
    assert after.startswith("Which figure is given for")
    settled(page)
    page.get_by_role("button", name="Accept").first.click()
    expect(
        page.get_by_role("radio", name="accepted (1)").or_(page.get_by_text("accepted (1)", exact=True)).first
    ).to_be_visible()
    expect(page.get_by_text(f"open ({REMOVED - 1})", exact=True).first).to_be_visible()
    return after


def test_a_model_scores_a_guarantee_chooses_and_a_cleaned_revision_comes_of_it(
    app: AppServer, page: Page, rated: Rated, model: ChatServer, tmp_path: Path
) -> None:
    sample = tmp_path / "sample.jsonl"
    write_lines(sample, rated.sample)
    app.run("import", str(rated.folder))
    app.run("clean", "import-labels", "rated", str(sample))
    app.start(ASSAY_LLM_URL=model.url, ASSAY_LLM_MODEL="stub", ASSAY_LLM_KEY="sk-nobody-sees-this")
    Visitor(page, app).sign_in()

    start_scoring(page, model)
    scores = page.get_by_test_id("scores")
    scores.wait_for(timeout=JOB)
    line = scores.locator("tr", has_text="Rated by a language model").inner_text().split()
    assert line[-4:] == [str(REMOVED), "22.5", str(KEPT), "0"], line
    settled(page)
    choose_option(page, "Strategy", "Rated by a language model")
    answers = page.get_by_test_id("model-answers").locator("tr", has_text="accepted")
    expect(answers).to_have_text(f"accepted{QUERIES}100.0")

    settled(page)
    after = accept_one(page)
    page.goto(f"{app.address}/scoring?scoring=1")
    scores.wait_for()

    settled(page)
    choose_with_guarantee(page)
    choose_option(page, "Accepted rewordings that go in", "rewordings 1")
    # The accepted query stays, in its new words.
    expect(page.get_by_text(f"{REMOVED - 1} of {QUERIES} queries go and {KEPT + 1} stay")).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Make the cleaned revision").click()
    page.wait_for_url("**/cleaned?cleaned=*")

    total = page.get_by_test_id("changes-source").locator("tr").last
    total.wait_for(timeout=JOB)
    assert total.inner_text().split()[:5] == ["all", "all", str(QUERIES), str(REMOVED - 1), str(KEPT + 1)]
    open_tab(page, "By kinds of evidence")
    chart = page.locator(".js-plotly-plot", has_text="Kinds of evidence before and after the cleaning")
    expect(chart).to_be_visible()
    expect(chart.locator(".barlayer .bars")).not_to_have_count(0)
    expect(page.get_by_role("heading", name=f"Removed queries ({REMOVED - 1})")).to_be_visible()

    page.get_by_role("link", name="Datasets", exact=True).click()
    expect(page.get_by_text("1-cleaned").first).to_be_visible()
    cleaned = tmp_path / "cleaned"
    app.run("export-bundle", "rated@1-cleaned", str(cleaned))
    texts = [json.loads(each)["text"] for each in (cleaned / "queries.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(texts) == KEPT + 1
    assert after in texts
    assert all(head.get("authorization") == "Bearer sk-nobody-sees-this" for head in model.headers)
    assert "sk-nobody-sees-this" not in app.log.read_text()
