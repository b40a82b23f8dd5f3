"""Corrections in the real app: a box before and after on its page, accepted by a click, and one that is stale then."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Page, expect

from audit_core.workflow.campaigns import find_dataset
from audit_core.workflow.correction_ground import contents_of
from tests.browser.conftest import AppServer
from tests.browser.journeys import Visitor
from tests.homes import another_home

QUERY = "sample-002"


def proposed(app: AppServer, folder: Path) -> float:
    """Propose two moves of the box of a query of the sample; return its width, in parts of its page's."""
    with another_home(app.home) as workspace:
        revision = workspace.revision(find_dataset(workspace, "assay-sample"))
        (piece,) = contents_of(revision, [QUERY])[QUERY].evidence
        width_of_page = revision.page(piece["page_id"]).width
    for number, width in enumerate((300.0, 400.0)):
        box = [*piece["box"][:2], piece["box"][0] + width, piece["box"][3]]
        key = {"page_id": piece["page_id"]}
        row = {"query_id": QUERY, "action": "move-box", "key": key, "before": piece, "after": {**piece, "box": box}}
        file = folder / f"{number}.jsonl"
        file.write_text(json.dumps(row) + "\n")
        app.run("corrections", "propose", "assay-sample", "--from", str(file), "--person", "Bob")
    return float((piece["box"][2] - piece["box"][0]) / width_of_page)


def test_a_box_is_seen_before_and_after_accepted_and_the_other_one_rebased(
    app: AppServer, page: Page, tmp_path: Path
) -> None:
    app.run("prepare")
    share = proposed(app, tmp_path)
    app.start()
    Visitor(page, app).sign_in("Ada")
    page.goto(f"{app.address}/corrections?dataset=1")
    figure = page.get_by_test_id("page-figure")
    image = figure.locator("img")
    expect(image).to_be_visible()
    page.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=image.element_handle())
    sheet, old = image.bounding_box(), figure.locator(".old").bounding_box()
    assert sheet is not None
    assert old is not None
    assert abs(old["width"] / sheet["width"] - share) < 0.01
    expect(figure.locator(".new")).to_have_count(2)
    expect(page.get_by_text("Only one of this and correction 1 can be accepted as it is.")).to_be_visible()
    page.get_by_role("button", name="Choose all 2").click()
    page.get_by_role("button", name="Accept 2").click()
    expect(page.get_by_text("1 correction accepted. 1 left as they are")).to_be_visible()
    expect(page.get_by_text("stale: rebase")).to_be_visible()
    page.get_by_role("button", name="Choose these").click()
    page.get_by_role("button", name="Rebase 1").click()
    expect(page.get_by_text("1 proposed · 1 accepted · 0 rejected · 1 superseded")).to_be_visible()
    rows = json.loads(app.run("corrections", "list", "assay-sample", "--json"))
    assert [(each["state"], each["author"], each["reviewer"]) for each in rows] == [
        ("accepted", "Bob", "Ada"),
        ("proposed", "Bob", None),
    ]
    assert rows[1]["before"] == rows[0]["after"]


def test_a_box_is_revised_by_numbers_and_drawn_on_its_page_as_they_change(
    app: AppServer, page: Page, tmp_path: Path
) -> None:
    app.run("prepare")
    proposed(app, tmp_path)
    app.start()
    Visitor(page, app).sign_in("Ada")
    page.set_viewport_size({"width": 1100, "height": 700})
    page.goto(f"{app.address}/corrections?dataset=1")
    page.get_by_role("button", name="Revise").first.click()
    draft = page.get_by_test_id("draft-box")
    expect(draft).to_be_visible()
    left = page.get_by_label("left", exact=True)
    right = page.get_by_label("right", exact=True)
    old = page.get_by_test_id("page-figure").locator(".old")
    expect(old).to_have_count(1)
    before = draft.get_attribute("style") or ""
    right.fill(str(float(left.input_value()) + 200))
    right.press("Enter")
    expect(draft).not_to_have_attribute("style", before)
    page.get_by_role("button", name="Propose this revision").click()
    expect(page.get_by_text("Revision 2 of correction 1 is proposed, as 3.")).to_be_visible()
    expect(draft).to_have_count(0)
    rows = json.loads(app.run("corrections", "list", "assay-sample", "--state", "proposed", "--json"))
    newest = rows[-1]["after"]["box"]
    assert abs(newest[2] - newest[0] - 200) < 0.1
