"""Who may ask what: every route refuses whoever is signed out, or comes from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.routing import Route

from audit_core.storage import judgments
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.schema import session
from audit_core.web import access, routes
from audit_core.workflow import sign_in
from audit_core.workflow.workspace import Workspace
from tests.homes import row_counts
from tests.web.conftest import ORIGIN, OURS, Browser

#: Routes that answer anybody, and why.
FOR_ANYBODY = {
    ("GET", "/judge"): "sends whoever is signed out to the sign-in: tests/web/test_judge_page.py",
    ("HEAD", "/judge"): "as GET",
    ("GET", "/adjudicate"): "sends whoever is signed out to the sign-in: tests/web/test_adjudicate_page.py",
    ("HEAD", "/adjudicate"): "as GET",
    ("POST", "/api/session"): "this is how one signs in",
    ("DELETE", "/api/session"): "signing out twice does no harm",
    ("GET", "/sign-in/start"): "leads to the provider: tests/web/test_oidc.py",
    ("HEAD", "/sign-in/start"): "as GET",
    ("GET", "/sign-in/answer"): "takes the provider's answer: tests/web/test_oidc.py",
    ("HEAD", "/sign-in/answer"): "as GET",
    ("GET", "/api/viewer/{hash}/{name}"): "program files hold no data",
    ("HEAD", "/api/viewer/{hash}/{name}"): "program files hold no data",
}
ALL = [(method, route.path) for route in routes for method in sorted(route.methods or ())]
GUARDED = [each for each in ALL if each not in FOR_ANYBODY]
CHANGING = [each for each in ALL if each[0] not in ("GET", "HEAD")]


def _filled(path: str) -> str:
    return re.sub(r"\{(\w+)\}", lambda match: "a" * 64 if match[1] == "dataset" else "1", path)


def test_the_table_of_routes_is_what_these_tests_go_over() -> None:
    assert all(isinstance(route, Route) for route in routes), "a mount would hide routes from these tests"
    assert set(FOR_ANYBODY) <= set(ALL)
    assert len(GUARDED) >= 9


@pytest.mark.parametrize(("method", "path"), GUARDED)
def test_every_route_refuses_whoever_is_signed_out(
    open_browser: Callable[..., Browser], workspace: Workspace, campaign: CampaignRow, method: str, path: str
) -> None:
    before = row_counts(workspace)
    for cookie in (None, "forged", "eyJwZXJzb24iOjF9.aAAAAA.AAAA"):
        browser = open_browser()
        if cookie:
            browser.client.cookies.set(sign_in.COOKIE, cookie)
        answer = browser.send(method, _filled(path), {"outcome": "judged"})
        assert answer.status_code == 401
        if method != "HEAD":
            assert answer.json()["code"] == "signed_out"
    assert row_counts(workspace) == before


#: Headers that our own pages never send.
STRANGE_HEADERS = [
    {},
    {"Origin": ORIGIN},
    {"X-Assay": "1"},
    {"X-Assay": "0", "Origin": ORIGIN},
    {"X-Assay": "1", "Origin": "http://evil.example"},
    {"X-Assay": "1", "Origin": "http://testserver.evil.example"},
    {"X-Assay": "1", "Origin": "http://testserver:81"},
    {"X-Assay": "1", "Origin": "null"},
    {"X-Assay": "1", "Origin": "testserver"},
    {"X-Assay": "1", "Origin": "http://[half-an-address"},
    {"X-Assay": "1", "Origin": "ftp://testserver"},
    {"X-Assay": "1", "Origin": "null", "Host": ""},
    {"X-Assay": "1", "Origin": "http://", "Host": ""},
]


@pytest.mark.parametrize(("method", "path"), CHANGING)
def test_no_change_is_taken_from_another_place_than_our_own_pages(
    ada: Browser, workspace: Workspace, campaign: CampaignRow, method: str, path: str
) -> None:
    before = row_counts(workspace)
    body = {"name": "Mallory", "outcome": "judged", "nonce": "x" * 9}
    for headers in STRANGE_HEADERS:
        answer = ada.send(method, _filled(path), body, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden"), headers
    assert row_counts(workspace) == before


def test_signing_in_sets_a_cookie_that_no_script_and_no_other_site_gets(open_browser: Callable[..., Browser]) -> None:
    browser = open_browser()
    answer = browser.send("POST", "/api/session", {"name": "  Ada  "})
    assert answer.json() == {"id": 1, "name": "Ada", "must_change": False}
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert "path=/" in cookie
    assert f"max-age={30 * 86_400}" in cookie
    assert "secure" not in cookie


def test_behind_tls_the_cookie_is_for_tls_only(
    open_browser: Callable[..., Browser], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_SECURE_COOKIE", "1")
    answer = open_browser().send("POST", "/api/session", {"name": "Ada"})
    assert "secure" in answer.headers["set-cookie"].lower()


def test_signing_out_takes_the_cookie_away(ada: Browser, campaign: CampaignRow) -> None:
    path = f"/api/campaigns/{campaign.id}/state"
    assert ada.get(path).status_code == 200
    assert ada.send("DELETE", "/api/session").status_code == 200
    assert ada.get(path).status_code == 401


@pytest.mark.parametrize(
    "body", [{}, {"name": None}, {"name": 5}, {"name": ""}, {"name": " "}, {"name": "x" * 81}, {"name": "a\x00b"}]
)
def test_a_name_that_cannot_be_used_is_refused_in_words(
    open_browser: Callable[..., Browser], body: dict[str, object]
) -> None:
    answer = open_browser().send("POST", "/api/session", body)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    assert "set-cookie" not in answer.headers


def test_the_cookie_of_a_sign_in_that_is_no_longer_stored_is_nobodys(
    open_browser: Callable[..., Browser], workspace: Workspace, campaign: CampaignRow
) -> None:
    browser = open_browser()
    ghost = sign_in.sign_in(workspace, "Ghost")
    browser.client.cookies.set(sign_in.COOKIE, sign_in.token_for(workspace, ghost))
    assert browser.get(f"/api/campaigns/{campaign.id}/state").status_code == 200
    with workspace.database.write() as connection:
        connection.execute(session.delete())
    assert browser.get(f"/api/campaigns/{campaign.id}/state").status_code == 401


def test_a_window_of_one_person_does_not_write_or_read_as_another_who_signed_in_meanwhile(
    ada: Browser, workspace: Workspace, campaign: CampaignRow
) -> None:
    entry = ada.get(f"/api/campaigns/{campaign.id}/state").json()["entry"]["id"]
    me = ada.get(f"/api/campaigns/{campaign.id}/state").json()["me"]["id"]
    ada.send("POST", "/api/session", {"name": "Bob"})  # in another tab of the same browser
    mine = {**OURS, "X-Assay-Person": str(me)}
    body = {"nonce": "nonce-0001", "outcome": "judged", "codes": "F"}
    for method, path in (("POST", "judgments"), ("PUT", "draft"), ("DELETE", "draft")):
        answer = ada.send(method, f"/api/entries/{entry}/{path}", body, headers=mine)
        assert (answer.status_code, answer.json()["code"]) == (401, "signed_out")
    assert ada.get(f"/api/campaigns/{campaign.id}/overview", headers=mine).status_code == 401
    with workspace.database.read() as connection:
        assert judgments.of_campaign(connection, campaign.id) == []
    ada.send("POST", "/api/session", {"name": "Ada"})
    assert ada.send("POST", f"/api/entries/{entry}/judgments", body, headers=mine).status_code == 200


# --- bodies --------------------------------------------------------------------------------------------------------


BAD_BODIES = [
    (b"x" * (access.BODY_MAX + 1), 413, "too_large"),
    (b'{"note": "' + b"x" * access.BODY_MAX + b'"}', 413, "too_large"),
    (b"", 422, "invalid"),
    (b"not json", 422, "invalid"),
    (b"[1]", 422, "invalid"),
    (b"null", 422, "invalid"),
    (b'"text"', 422, "invalid"),
    (b"\xff\xfe\x00", 422, "invalid"),
    (b"[" * 100_000, 422, "invalid"),
    (b'{"a": ' + b"9" * 5_000 + b"}", 422, "invalid"),
    (b'{"nonce": "nonce-0001", "outcome": "judged", "active_ms": NaN}', 422, "invalid"),
    (b'{"nonce": "nonce-0001", "outcome": "judged", "active_ms": 1e999}', 422, "invalid"),
    (b'{"nonce": "nonce-0001", "outcome": "judged", "note": "\\u0000"}', 422, "invalid"),
    (b'{"nonce": "nonce-0001", "outcome": "judged", "note": "\\ud800"}', 422, "invalid"),
    (b'{"nonce": "nonce-0001", "outcome": "judged", "codes": "\\ud800"}', 422, "invalid"),
    (b'{"nonce": "nonce-0001", "outcome": "\\ud800"}', 422, "invalid"),
]


@pytest.mark.parametrize(("method", "path"), [("POST", "judgments"), ("PUT", "draft")])
def test_a_body_that_is_no_judgment_is_refused_in_words(
    ada: Browser, campaign: CampaignRow, method: str, path: str
) -> None:
    entry = ada.get(f"/api/campaigns/{campaign.id}/state").json()["entry"]["id"]
    for content, status, code in BAD_BODIES:
        answer = ada.client.request(method, f"/api/entries/{entry}/{path}", content=content, headers=OURS)
        if method == "PUT" and content == b"":
            assert answer.status_code == 200  # a draft in which nothing is said yet
            continue
        assert (answer.status_code, answer.json()["code"]) == (status, code), content[:80]
        assert answer.json()["error"]
        assert answer.headers["cache-control"] == "no-store"


def test_the_session_route_has_the_same_limit(open_browser: Callable[..., Browser]) -> None:
    content = b'{"name": "' + b"x" * access.BODY_MAX + b'"}'
    answer = open_browser().client.post("/api/session", content=content, headers=OURS)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_a_fault_of_the_program_is_answered_in_words_and_logged(
    ada: Browser, campaign: CampaignRow, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_arguments: object, **_options: object) -> None:
        raise ZeroDivisionError("secret detail")

    monkeypatch.setattr("audit_core.workflow.judging.progress", broken)
    answer = ada.get(f"/api/campaigns/{campaign.id}/state")
    assert (answer.status_code, answer.json()["code"]) == (500, "error")
    assert "secret detail" not in answer.text
    assert "secret detail" in caplog.text


def test_a_home_that_cannot_be_used_is_said_in_words(
    open_browser: Callable[..., Browser], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "occupied").write_text("")
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "occupied" / "home"))
    answer = open_browser().send("POST", "/api/session", {"name": "Ada"})
    assert (answer.status_code, answer.json()["code"]) == (503, "storage")
    assert "ASSAY_HOME" in answer.json()["error"]


@pytest.mark.parametrize(("name", "value"), [("ASSAY_SECURE_COOKIE", "yes"), ("ASSAY_SESSION_DAYS", "many")])
def test_a_setting_that_cannot_be_used_is_said_in_words_and_nobody_is_entered(
    open_browser: Callable[..., Browser], workspace: Workspace, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    answer = open_browser().send("POST", "/api/session", {"name": "Ada"})
    assert answer.status_code == 500
    assert name in answer.json()["error"]
    assert row_counts(workspace)["person"] == 0
