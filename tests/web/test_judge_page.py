"""GET /judge: the document of the judging surface."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
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


def test_a_link_to_a_page_box_and_zoom_reaches_the_surface_as_text(ada: Browser, campaign: CampaignRow) -> None:
    odd = "\"><script>alert(1)</script>' {campaign} é&#34;"
    asked = {"campaign": campaign.id, "entry": 2, "page": odd, "box": "3", "zoom": "1.40", "at": "0.5,-0.125"}
    answer = ada.get("/judge", params=asked)
    assert "<script>alert" not in answer.text
    host = re.search(r"<div id=\"host\"([^>]*)></div>", answer.text)
    assert host
    found = {name: unescape(value) for name, value in re.findall(r'data-([a-z]+)="([^"]*)"', host[1])}
    assert {name: found[name] for name in ("page", "box", "zoom", "at")} == {
        "page": odd, "box": "3", "zoom": "1.40", "at": "0.5,-0.125",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value"),
    [("box", "x"), ("box", "-1"), ("box", "1" * 6), ("zoom", "1e5"), ("zoom", "100"), ("zoom", "-1"), ("at", "0.5"),
     ("at", "0.5,x"), ("at", "NaN,0"), ("page", "x" * 1001), ("page", ""), ("page", "a\0b"), ("at", "10,0"), ("zoom", "٣")],
)  # fmt: skip
def test_what_a_link_cannot_mean_is_passed_over(ada: Browser, campaign: CampaignRow, name: str, value: str) -> None:
    answer = ada.get("/judge", params={"campaign": campaign.id, "entry": 2, name: value})
    assert answer.status_code == 200
    assert f"data-{name}=" not in answer.text


def test_the_whole_link_survives_the_sign_in(open_browser: Callable[..., Browser], campaign: CampaignRow) -> None:
    asked = {
        "campaign": str(campaign.id),
        "entry": "2",
        "page": "a/b?c=d&e#f é",
        "box": "3",
        "zoom": "1.4",
        "at": "0.5,0.5",
    }
    answer = open_browser().get("/judge", params=asked, follow_redirects=False)
    target = parse_qs(urlsplit(answer.headers["location"]).query)["next"][0]
    assert target.startswith("/judge?campaign=")
    assert target.isascii()
    assert {name: values[0] for name, values in parse_qs(urlsplit(target).query).items()} == asked
