"""Roles in a real browser: an annotator's pages and images, and windows that stay open while a role or a sign-in ends."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from audit_core.domain import Role
from audit_core.storage import campaigns, people
from audit_core.storage.database import open_database
from audit_core.workflow import sessions, sign_in
from audit_core.workflow.accounts import set_role
from audit_core.workflow.importing import list_datasets
from audit_core.workflow.sample import add_sample
from audit_core.workflow.team_campaigns import TeamRequest, start_team_campaign
from audit_core.workflow.workspace import Workspace
from tests.accounts import cheap_hashes, with_account
from tests.browser.conftest import AppServer

ROLES = {"Ada": Role.ANNOTATOR, "Bob": Role.ANNOTATOR, "Cora": Role.ADJUDICATOR, "Lena": Role.LEAD, "Grace": Role.LEAD}


@pytest.fixture
def home(app: AppServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    """A home with the sample, campaigns for Ada and for Bob, and people of each role; the app is started on it."""
    monkeypatch.setenv("ASSAY_ACCOUNTS", "local")
    app.home.mkdir()
    workspace = Workspace(app.home, open_database(f"sqlite:///{app.home / 'assay.db'}"))
    add_sample(workspace)
    (dataset,) = list_datasets(workspace)
    with cheap_hashes():
        made = {name: with_account(workspace, name, role) for name, role in ROLES.items()}
    for name in ("Ada", "Bob"):
        team = TeamRequest(annotators=(made[name].id,))
        start_team_campaign(workspace, dataset=dataset, name=f"for {name}", team=team)
    app.start(ASSAY_ACCOUNTS="local")
    yield workspace
    workspace.close()


def campaign_numbers(home: Workspace) -> dict[str, int]:
    """The campaigns by name."""
    with home.database.read() as connection:
        return {each.name: each.id for each in campaigns.all_rows(connection)}


def as_person(page: Page, app: AppServer, home: Workspace, name: str, path: str = "/") -> None:
    """Open a page as somebody who signed in before."""
    with home.database.read() as connection:
        person = people.by_name(connection, name)
    assert person is not None
    token = sessions.token_for(home, person)
    page.context.add_cookies([{"name": sign_in.COOKIE, "value": token, "url": app.address}])
    page.goto(f"{app.address}{path}")


def test_an_annotator_judges_what_is_theirs_and_sees_the_way_to_nothing_else(
    app: AppServer, home: Workspace, page: Page, browser: Browser
) -> None:
    as_person(page, app, home, "Ada")
    expect(page.get_by_text("for Ada", exact=True)).to_be_visible()
    expect(page.get_by_text("for Bob")).to_have_count(0)
    for name in ("Report", "Progress", "Datasets", "Cleaning", "Jobs", "Accounts", "Start a campaign"):
        expect(page.get_by_role("link", name=name).or_(page.get_by_role("button", name=name))).to_have_count(0)
    page.goto(f"{app.address}/cleaning")
    expect(page.get_by_text("This is for a lead, and you are an annotator.")).to_be_visible()
    numbers = campaign_numbers(home)
    page.goto(f"{app.address}/judge?campaign={numbers['for Ada']}")
    shown = page.locator("img").first
    expect(shown).to_be_visible()
    page.wait_for_function("() => [...document.querySelectorAll('img')].some(each => each.naturalWidth > 0)")
    src = shown.get_attribute("src")
    assert src is not None
    assert "&for=" in src
    assert page.request.get(f"{app.address}{src}").status == 200
    other = browser.new_context()
    try:
        window = other.new_page()
        as_person(window, app, home, "Bob")
        assert window.request.get(f"{app.address}{src}").status == 404, "an address opens to its own person alone"
        assert window.request.get(f"{app.address}/api/campaigns/{numbers['for Ada']}/state").status == 404
    finally:
        other.close()


def test_a_dialog_that_stands_open_while_the_role_is_taken_does_nothing(
    app: AppServer, home: Workspace, page: Page
) -> None:
    """Streamlit draws a dialog again without the page around it."""
    as_person(page, app, home, "Lena")
    number = campaign_numbers(home)["for Bob"]
    page.locator(f".st-key-report-{number}").locator("xpath=..").get_by_test_id("stPopover").get_by_role(
        "button"
    ).click()
    page.locator(f".st-key-delete-campaign-{number} button").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("Type the name to delete it")).to_be_visible()
    set_role(home, "Lena", Role.ANNOTATOR)
    dialog.get_by_role("textbox").fill("for Bob")
    dialog.get_by_role("button", name="Delete for good").click()
    expect(page.get_by_text("This is for a lead, and you are an annotator.")).to_be_visible()
    assert "for Bob" in campaign_numbers(home)
