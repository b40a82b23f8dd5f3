"""The main job in a real browser: sign in, judge with the keyboard, lose nothing, read the report."""

from __future__ import annotations

import http.client
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import AppServer
from tests.browser.journeys import HOST, Visitor, judgments

SAMPLE = "assay-sample"


@pytest.fixture
def sample_app(app: AppServer) -> AppServer:
    """The app as `make run` starts it: the sample imported, the campaign `try-it` open."""
    app.run("prepare")
    app.start()
    return app


def saved(app: AppServer, tmp_path: Path, name: str = "export") -> list[dict[str, Any]]:
    return judgments(app, "try-it", SAMPLE, tmp_path / name)


def test_five_entries_are_judged_by_keyboard_alone_and_the_report_counts_them(
    sample_app: AppServer, page: Page, tmp_path: Path
) -> None:
    visitor = Visitor(page, sample_app).sign_in()
    page.get_by_role("link", name="Judge", exact=True).click()
    visitor.ready(1)
    assert visitor.images_are_decoded()
    visitor.press("c", "Enter").ready(2).press("f", "Enter").ready(3).press("e", "u", "Enter").ready(4)
    visitor.press("x", "Enter").ready(5).press("m")
    page.keyboard.type("fun CEREAL")
    visitor.press("Escape", "n", "Enter").ready(6).acknowledged()
    rows = saved(sample_app, tmp_path)
    assert [(row["entry"], "".join(row["codes"]), row["outcome"]) for row in rows] == [
        (1, "", "judged"),
        (2, "F", "judged"),
        (3, "EU", "judged"),
        (4, "", "cannot_judge"),
        (5, "N", "judged"),
    ]
    assert rows[4]["note"] == "fun CEREAL"
    assert all(row["annotator"] == "Ada" and row["seconds"] >= 0 for row in rows)

    page.goto(f"{sample_app.address}/report?campaign={visitor.campaign_id('try-it')}")
    table = page.get_by_test_id("audit-table")
    table.wait_for()
    expect(page.get_by_text("1 of 4 audited entries is correct: 25.0 %, 95 % Wilson 4.6-69.9 %.")).to_be_visible()
    total = table.locator("tr.total td").all_inner_texts()
    assert "1 / 4" in total
    report = json.loads(sample_app.run("report", "try-it", "--json"))
    assert report["total"]["cannot_judge"] == 1


def test_enter_twice_fast_saves_one_entry_and_leaves_the_next_one_open(
    sample_app: AppServer, page: Page, tmp_path: Path
) -> None:
    visitor = Visitor(page, sample_app).sign_in().open_campaign("try-it").ready(1)
    visitor.press("c", "Enter", "Enter").ready(2).acknowledged()
    expect(visitor.part("choose-first")).to_be_visible()
    assert [row["entry"] for row in saved(sample_app, tmp_path)] == [1]


def test_five_entries_in_five_seconds_are_all_kept(sample_app: AppServer, page: Page, tmp_path: Path) -> None:
    visitor = Visitor(page, sample_app).sign_in().open_campaign("try-it").ready(1)
    for key in "cfecn":
        visitor.press(key, "Enter")
    visitor.ready(6).acknowledged()
    rows = saved(sample_app, tmp_path)
    assert ["".join(row["codes"]) for row in rows] == ["", "F", "E", "", "N"]
    assert [row["entry"] for row in rows] == [1, 2, 3, 4, 5]


def test_a_reload_in_mid_note_brings_the_note_and_the_codes_back(sample_app: AppServer, page: Page) -> None:
    visitor = Visitor(page, sample_app).sign_in().open_campaign("try-it").ready(1)
    visitor.press("u", "m")
    page.keyboard.type("the second page only repeats the fir")
    page.reload()
    visitor.ready(1)
    expect(visitor.part("note")).to_have_value("the second page only repeats the fir")
    expect(visitor.part("code-U")).to_have_attribute("aria-pressed", "true")


def test_a_draft_survives_the_death_of_the_server_and_of_the_browser(
    sample_app: AppServer, page: Page, browser: Browser
) -> None:
    visitor = Visitor(page, sample_app).sign_in().open_campaign("try-it").ready(1)
    with page.expect_response(lambda answer: answer.url.endswith("/draft") and answer.ok) as _:
        visitor.press("f", "m")
        page.keyboard.type("which report?")
        visitor.press("Escape")
    page.context.close()
    sample_app.kill()
    sample_app.start()
    fresh = browser.new_context()
    second = Visitor(fresh.new_page(), sample_app).sign_in().open_campaign("try-it").ready(1)
    expect(second.part("code-F")).to_have_attribute("aria-pressed", "true")
    fresh.close()


def test_a_second_tab_that_saved_first_shows_both_versions(sample_app: AppServer, page: Page, tmp_path: Path) -> None:
    first = Visitor(page, sample_app).sign_in().open_campaign("try-it").ready(1)
    other_page = page.context.new_page()
    other = Visitor(other_page, sample_app).open_campaign("try-it").ready(1)
    other.press("f", "Enter").ready(2).acknowledged()
    page.bring_to_front()
    first.press("n", "Enter")
    dialog = first.part("conflict")
    dialog.wait_for()
    text = dialog.inner_text()
    assert "F" in text
    assert "N" in text
    first.part("keep-mine").click()
    first.acknowledged()
    rows = [row for row in saved(sample_app, tmp_path) if row["entry"] == 1]
    assert [("".join(row["codes"]), row["revision"]) for row in rows] == [("F", 1), ("N", 2)]


def test_nothing_is_lost_when_the_server_is_killed_between_two_saves(
    sample_app: AppServer, page: Page, tmp_path: Path
) -> None:
    visitor = Visitor(page, sample_app).sign_in().open_campaign("try-it").ready(1)
    visitor.press("c", "Enter").ready(2).acknowledged()
    sample_app.kill()
    visitor.press("f", "m")
    page.keyboard.type("typed while the server is away")
    visitor.press("Escape", "Enter").ready(3).press("e", "Enter")
    page.locator(f"{HOST}[data-saving='2']").wait_for(state="attached")
    expect(visitor.part("banner")).to_contain_text("Not saved yet")
    sample_app.start()
    visitor.acknowledged()
    expect(visitor.part("page-problem")).to_have_count(0)
    page.wait_for_function(
        """() => [...document.querySelectorAll("[data-testid=pane] img")].every(each => each.naturalWidth > 0)"""
    )
    rows = saved(sample_app, tmp_path)
    assert [(row["entry"], "".join(row["codes"]), row["revision"]) for row in rows] == [
        (1, "", 1),
        (2, "F", 1),
        (3, "E", 1),
    ]
    assert rows[1]["note"] == "typed while the server is away"


def test_signed_out_every_page_shows_nothing_but_the_sign_in(sample_app: AppServer, page: Page) -> None:
    campaign = Visitor(page, sample_app).campaign_id("try-it")
    for path in ("", "report", f"report?campaign={campaign}", "datasets", f"judge?campaign={campaign}", "campaigns"):
        page.goto(f"{sample_app.address}/{path}")
        page.get_by_test_id("sign-in").wait_for()
        for words in ("try-it", SAMPLE, "Audit report", "Datasets"):
            expect(page.get_by_text(words)).to_have_count(0)


def test_a_deep_link_opens_its_entry_after_the_sign_in(sample_app: AppServer, page: Page) -> None:
    campaign = Visitor(page, sample_app).campaign_id("try-it")
    page.goto(f"{sample_app.address}/judge?campaign={campaign}&entry=7")
    page.locator("input[name=name]").fill("Grace")
    page.keyboard.press("Enter")
    Visitor(page, sample_app).ready(7)


def test_signing_out_ends_the_session(sample_app: AppServer, page: Page) -> None:
    Visitor(page, sample_app).sign_in()
    page.get_by_test_id("sign-out").click()
    page.get_by_test_id("sign-in").wait_for()
    status = page.evaluate("fetch('/api/campaigns/1/state').then(answer => answer.status)")
    assert status == 401


def test_a_zip_is_uploaded_in_the_browser_and_its_queries_are_judged(
    app: AppServer, page: Page, tmp_path: Path
) -> None:
    root = Path(__file__).parents[2] / "data" / "sample"
    shutil.make_archive(str(tmp_path / "bundle"), "zip", root)
    app.run("prepare", "--no-sample")
    app.start()
    visitor = Visitor(page, app).sign_in()
    page.goto(f"{app.address}/datasets")
    page.get_by_text("Import a dataset").click()
    page.locator("input[type=file]").set_input_files(tmp_path / "bundle.zip")
    page.get_by_role("button", name="Import the zip").click()
    page.get_by_text("imported:").wait_for()
    (tmp_path / "bundle.zip").unlink()
    app.run("campaign", "start", "mine", "--dataset", SAMPLE)
    visitor.open_campaign("mine").ready(1)
    assert visitor.images_are_decoded()


def test_a_broken_zip_is_refused_with_its_file_line_and_field(app: AppServer, page: Page, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(Path(__file__).parents[2] / "data" / "sample", broken, ignore=shutil.ignore_patterns("build"))
    lines = (broken / "queries.jsonl").read_text(encoding="utf-8").split("\n")
    row = json.loads(lines[2])
    row["evidence_structure"] = "Doc-Sideways"
    lines[2] = json.dumps(row, ensure_ascii=False)
    (broken / "queries.jsonl").write_text("\n".join(lines), encoding="utf-8")
    shutil.make_archive(str(tmp_path / "bundle"), "zip", broken)
    app.run("prepare", "--no-sample")
    app.start()
    Visitor(page, app).sign_in()
    page.goto(f"{app.address}/datasets")
    page.get_by_text("Import a dataset").click()
    page.locator("input[type=file]").set_input_files(tmp_path / "bundle.zip")
    page.get_by_role("button", name="Import the zip").click()
    page.get_by_text("was refused and nothing was imported").wait_for()
    expect(page.get_by_text("No dataset yet")).to_be_visible()
    assert json.loads(app.run("datasets", "--json")) == []


def test_real_pdf_pages_are_judged_with_their_boxes_in_place(
    app: AppServer, page: Page, real_data: Path, tmp_path: Path
) -> None:
    app.run("import", str(real_data / "pdf_audit"))
    app.run("campaign", "start", "audit", "--dataset", "pdf_audit")
    app.start()
    visitor = Visitor(page, app).sign_in().open_campaign("audit").ready(1)
    assert visitor.images_are_decoded()
    for number in range(2, 8):
        visitor.press("c", "Enter").ready(number)
        assert visitor.images_are_decoded()
    visitor.acknowledged()
    assert len(judgments(app, "audit", "pdf_audit", tmp_path / "out")) == 6


def test_a_page_of_another_name_that_points_here_is_turned_away(sample_app: AppServer) -> None:
    for host, status in ((f"localhost:{sample_app.port}", 200), ("evil.example", 400), ("", 400)):
        connection = http.client.HTTPConnection("127.0.0.1", sample_app.port, timeout=30)
        connection.putrequest("GET", "/", skip_host=True)
        connection.putheader("Host", host)
        connection.endheaders()
        assert connection.getresponse().status == status, host
        connection.close()
