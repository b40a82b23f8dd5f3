"""GET /adjudicate: the document of the adjudication surface."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest

from audit_core.storage.campaigns import CampaignRow
from audit_core.workflow.sign_in import own_address
from tests.web.conftest import Browser


def test_the_page_names_its_campaign_and_loads_nothing_from_elsewhere(ada: Browser, campaign: CampaignRow) -> None:
    answer = ada.get(f"/adjudicate?campaign={campaign.id}&entry=2&filter=second&page=p1&look=1")
    assert answer.status_code == 200
    host = re.search(r'<div id="host"([^>]*)></div>', answer.text)
    assert host
    said = dict(re.findall(r'data-([a-z]+)="([^"]*)"', host[1]))
    assert said == {
        "testid": "judging-surface", "campaign": str(campaign.id), "entry": "2", "page": "p1", "filter": "second",
        "home": f"/adjudication?campaign={campaign.id}",
    }  # fmt: skip
    assert "unsafe" not in answer.headers["content-security-policy"]
    for address in re.findall(r'(?:src|href)="([^"]+)"', answer.text):
        assert ada.get(address).status_code == 200


@pytest.mark.parametrize("query", ["", "?campaign=", "?campaign=x", "?campaign=-1"])
def test_without_a_campaign_it_leads_home(ada: Browser, query: str) -> None:
    answer = ada.get(f"/adjudicate{query}", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")


@pytest.mark.parametrize("asked", ['"><script>', "everything", "open", ""])
def test_a_filter_that_is_none_never_gets_into_the_page(ada: Browser, campaign: CampaignRow, asked: str) -> None:
    answer = ada.get("/adjudicate", params={"campaign": campaign.id, "filter": asked})
    assert "data-filter" not in answer.text
    assert "<script>" not in answer.text.replace('<script type="module"', "")


def test_whoever_is_signed_out_is_sent_to_sign_in_and_back(
    open_browser: Callable[..., Browser], campaign: CampaignRow
) -> None:
    here = f"/adjudicate?campaign={campaign.id}&entry=2&filter=decided"
    answer = open_browser().get(here, follow_redirects=False)
    target = urlsplit(answer.headers["location"])
    assert (answer.status_code, target.netloc, target.path) == (303, "", "/")
    assert parse_qs(target.query) == {"next": [here]}
    assert own_address(here) == here
