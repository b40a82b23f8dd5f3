"""Two annotators at one campaign in the real app: no entry twice, and what comes too late is kept."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from audit_core.domain import HandOut
from audit_core.storage.campaigns import CampaignRow
from audit_core.workflow.campaign_states import pause_campaign, resume_campaign
from audit_core.workflow.campaigns import find_campaign, find_dataset
from audit_core.workflow.sample_request import SampleKind, SampleRequest
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.team_campaigns import TeamRequest, start_team_campaign
from audit_core.workflow.workspace import Workspace
from tests.browser.conftest import AppServer
from tests.browser.journeys import HOST, Visitor, judgments
from tests.homes import another_home

SAMPLE = "assay-sample"


@pytest.fixture
def team_app(app: AppServer) -> AppServer:
    """The app with a campaign `team` of six entries, one judgment each, that is handed to Ada and Bob."""
    app.run("prepare")
    with another_home(app.home) as workspace:
        people = tuple(sign_in(workspace, name).id for name in ("Ada", "Bob"))
        start_team_campaign(
            workspace, dataset=find_dataset(workspace, SAMPLE), name="team",
            sample=SampleRequest(SampleKind.SIMPLE, seed=3, total=6),
            team=TeamRequest(hand_out=HandOut.EXACT, annotators=people, own_order=True, order_seed=5),
        )  # fmt: skip
    app.start()
    return app


@contextmanager
def meanwhile(app: AppServer) -> Iterator[tuple[Workspace, CampaignRow]]:
    """The running app's home and its campaign, for what a lead does meanwhile."""
    with another_home(app.home) as workspace:
        yield workspace, find_campaign(workspace, "team")


@pytest.fixture
def second_page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    yield context.new_page()
    context.close()


def _number(visitor: Visitor) -> int | None:
    """The entry on the desk, None when there is nothing more."""
    visitor.page.wait_for_function(
        "(host) => /^(\\d+|finished)$/.test(document.querySelector(host)?.dataset.ready ?? '')", arg=HOST
    )
    mark = visitor.page.locator(HOST).get_attribute("data-ready") or ""
    return int(mark) if re.fullmatch(r"\d+", mark) else None


def test_two_annotators_share_six_entries_and_each_gets_one_judgment(
    team_app: AppServer, page: Page, second_page: Page, tmp_path: Path
) -> None:
    ada = Visitor(page, team_app).sign_in("Ada").open_campaign("team")
    first = _number(ada)
    bob = Visitor(second_page, team_app).sign_in("Bob").open_campaign("team")
    # Ada's window holds all six: nothing is left for Bob.
    assert first is not None
    assert _number(bob) is None
    expect(bob.part("nothing-more")).to_contain_text("somebody is at work on them")
    ada.press("x", "Enter")
    second = _number(ada.acknowledged())
    assert second not in (None, first)
    bob.part("look-again").click()
    bob.ready(first)
    with meanwhile(team_app) as campaign:
        pause_campaign(*campaign)
    bob.press("c", "Enter")
    expect(bob.part("banner")).to_contain_text("This campaign is paused")
    with meanwhile(team_app) as campaign:
        resume_campaign(*campaign)
    bob.part("banner-lookAgain").click()
    bob.acknowledged()
    done = 1
    while (number := _number(ada)) is not None:
        ada.press("f", "Enter")
        page.wait_for_function(
            "([host, was]) => document.querySelector(host).dataset.ready !== undefined "
            "&& document.querySelector(host).dataset.ready !== was",
            arg=[HOST, str(number)],
        )
        done += 1
    ada.acknowledged()
    assert done == 6
    rows = judgments(team_app, "team", SAMPLE, tmp_path / "out")
    assert Counter(row["outcome"] for row in rows) == {"judged": 6, "cannot_judge": 1}
    assert len({row["entry"] for row in rows if row["outcome"] == "judged"}) == 6
