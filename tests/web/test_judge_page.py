"""GET /judge: the document of the judging surface."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from audit_core.storage.campaigns import CampaignRow
from tests.web.conftest import Browser


def test_the_page_names_its_campaign_and_loads_nothing_from_elsewhere(ada: Browser, campaign: CampaignRow) -> None:
    answer = ada.get(f"/judge?campaign={campaign.id}&entry=2")
    assert answer.status_code == 200
    assert f'data-campaign="{campaign.id}" data-entry="2"' in answer.text
    assert "http" not in answer.text.replace("http-equiv", "")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["cache-control"] == "no-store"
    for address in re.findall(r'(?:src|href)="([^"]+)"', answer.text):
        assert ada.get(address).status_code == 200


@pytest.mark.parametrize(
    "query", ["", "?campaign=", "?campaign=x", "?campaign=-1", "?campaign=1e5", "?campaign=" + "9" * 10]
)
def test_without_a_campaign_it_leads_home(ada: Browser, query: str) -> None:
    answer = ada.get(f"/judge{query}", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")


@pytest.mark.parametrize("entry", ['"><script>', "1e5", "-1", "٣"])
def test_what_is_no_number_never_gets_into_the_page(ada: Browser, campaign: CampaignRow, entry: str) -> None:
    answer = ada.get("/judge", params={"campaign": campaign.id, "entry": entry})
    assert 'data-entry=""' in answer.text
    assert entry not in answer.text


def test_whoever_is_signed_out_is_sent_to_sign_in_and_back(
    open_browser: Callable[..., Browser], campaign: CampaignRow
) -> None:
    answer = open_browser().get(f"/judge?campaign={campaign.id}&entry=2", follow_redirects=False)
    assert answer.status_code == 303
    target = urlsplit(answer.headers["location"])
    assert (target.netloc, target.path) == ("", "/")
    assert parse_qs(target.query) == {"next": [f"/judge?campaign={campaign.id}&entry=2"]}


def test_a_home_that_cannot_be_used_is_said_in_words(
    open_browser: Callable[..., Browser], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "<b>").write_text("")
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "<b>" / "home"))
    answer = open_browser().get("/judge?campaign=1")
    assert answer.status_code == 503
    assert "ASSAY_HOME" in answer.text
    assert "<b>" not in answer.text
