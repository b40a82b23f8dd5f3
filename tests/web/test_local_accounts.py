"""Accounts with passwords over HTTP: what a browser gets, and what opens nothing any more."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from audit_core.domain import Role
from audit_core.storage.campaigns import CampaignRow
from audit_core.web.access import signed_in
from audit_core.workflow import sign_in, throttle
from audit_core.workflow.accounts import add_account, disable_account, reset_password, set_role
from audit_core.workflow.workspace import Workspace
from tests.accounts import PASSWORD, cheap_hashes, with_account
from tests.homes import row_counts
from tests.web.conftest import OURS, Browser

NEW = "another four words"


@pytest.fixture(autouse=True)
def _local(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("ASSAY_ACCOUNTS", "local")
    with cheap_hashes():
        yield


@pytest.fixture
def path(campaign: CampaignRow) -> str:
    """A page that answers those who are signed in."""
    return f"/api/campaigns/{campaign.id}/state"


@pytest.fixture
def ada(open_browser: Callable[..., Browser], workspace: Workspace) -> Browser:
    """A browser in which Ada is signed in."""
    with_account(workspace, "Ada")
    browser = open_browser()
    assert enter(browser).status_code == 200
    return browser


def enter(browser: Browser, name: str = "Ada", password: str = PASSWORD) -> object:
    return browser.send("POST", "/api/session", {"name": name, "password": password})


def test_a_name_alone_opens_nothing(open_browser: Callable[..., Browser], workspace: Workspace, path: str) -> None:
    with_account(workspace, "Ada")
    browser = open_browser()
    before = row_counts(workspace)
    for body in (
        {"name": "Ada"},
        {"name": "Ada", "password": None},
        {"name": "Ada", "password": 5},
        {"password": PASSWORD},
    ):
        answer = browser.send("POST", "/api/session", body)
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
        assert "set-cookie" not in answer.headers
    assert browser.get(path).status_code == 401
    assert row_counts(workspace) == before


def test_a_wrong_password_and_an_unknown_name_are_told_in_one_answer(
    open_browser: Callable[..., Browser], workspace: Workspace
) -> None:
    with_account(workspace, "Ada")
    browser = open_browser()
    answers = [enter(browser, "Ada", "wrong"), enter(browser, "Nobody", "wrong")]
    assert [each.status_code for each in answers] == [422, 422]
    assert answers[0].content == answers[1].content
    dated = ("date",)
    headers = [{k: v for k, v in each.headers.items() if k not in dated} for each in answers]
    assert headers[0] == headers[1]


def test_after_too_many_failures_the_answer_is_429_until_the_terminal_resets(
    open_browser: Callable[..., Browser], workspace: Workspace
) -> None:
    with_account(workspace, "Ada")
    browser = open_browser()
    for _ in range(throttle.PER_NAME):
        assert enter(browser, password="wrong").status_code == 422
    answer = enter(browser)
    assert (answer.status_code, answer.json()["code"]) == (429, "throttled")
    _, once = reset_password(workspace, "Ada")
    assert enter(browser, password=once).json()["must_change"] is True


def test_a_planted_cookie_never_becomes_a_sign_in(
    open_browser: Callable[..., Browser], workspace: Workspace, path: str
) -> None:
    with_account(workspace, "Ada")
    browser = open_browser()
    planted = "planted-by-somebody-who-waits-for-it-to-be-signed-in"
    browser.client.cookies.set(sign_in.COOKIE, planted)
    answer = enter(browser)
    given = answer.cookies[sign_in.COOKIE]
    assert given != planted
    thief = open_browser()
    thief.client.cookies.set(sign_in.COOKIE, planted)
    assert thief.get(path).status_code == 401


def test_signing_in_again_and_signing_out_kill_every_copy_of_the_cookie(
    ada: Browser, open_browser: Callable[..., Browser], path: str
) -> None:
    def copied() -> Browser:
        copy = open_browser()
        copy.client.cookies.set(sign_in.COOKIE, ada.client.cookies[sign_in.COOKIE])
        assert copy.get(path).status_code == 200
        return copy

    copy = copied()
    assert enter(ada).status_code == 200
    assert copy.get(path).status_code == 401
    copy = copied()
    assert ada.send("DELETE", "/api/session").status_code == 200
    assert copy.get(path).status_code == 401


def test_a_changed_password_signs_out_everywhere_else(
    ada: Browser, open_browser: Callable[..., Browser], path: str
) -> None:
    other = open_browser()
    enter(other)
    answer = ada.send("POST", "/api/password", {"current": PASSWORD, "new": NEW})
    assert answer.status_code == 200
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert (ada.get(path).status_code, other.get(path).status_code) == (200, 401)
    assert enter(other).status_code == 422
    assert enter(other, password=NEW).status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        {}, {"current": PASSWORD}, {"new": NEW}, {"current": "wrong", "new": NEW}, {"current": PASSWORD, "new": "short"},
        {"current": PASSWORD, "new": None}, {"current": [PASSWORD], "new": NEW}, {"current": PASSWORD, "new": PASSWORD},
    ],
)  # fmt: skip
def test_a_change_of_password_that_is_refused_changes_nothing(
    ada: Browser, open_browser: Callable[..., Browser], path: str, body: dict[str, object]
) -> None:
    answer = ada.send("POST", "/api/password", body)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    assert ada.get(path).status_code == 200
    assert enter(open_browser()).status_code == 200


def test_with_a_one_time_password_nothing_is_open_but_the_choice_of_another(
    open_browser: Callable[..., Browser], workspace: Workspace, path: str
) -> None:
    _, once = add_account(workspace, "Ada", Role.ANNOTATOR)
    assert once is not None
    browser = open_browser()
    assert enter(browser, password=once).json() == {"id": 1, "name": "Ada", "must_change": True} | {
        "id": enter_id(workspace)
    }
    assert browser.get(path).status_code == 401
    assert browser.get("/judge?campaign=1", follow_redirects=False).status_code == 303
    assert enter(open_browser(), password=once).status_code == 422, "it works once"
    assert browser.send("POST", "/api/password", {"new": NEW}).status_code == 200
    assert browser.get(path).status_code == 200


def enter_id(workspace: Workspace) -> int:
    from audit_core.storage import accounts

    with workspace.database.read() as connection:
        found = accounts.by_name(connection, "Ada")
    assert found is not None
    return found.person.id


def test_a_disabled_account_is_out_at_the_next_request(ada: Browser, workspace: Workspace, path: str) -> None:
    disable_account(workspace, "Ada", disabled=True)
    answer = ada.get(path)
    assert (answer.status_code, answer.json()["code"]) == (401, "signed_out")
    assert enter(ada).status_code == 422


def test_a_role_change_holds_at_the_next_request(ada: Browser, workspace: Workspace) -> None:
    from starlette.applications import Starlette
    from starlette.responses import JSONResponse
    from starlette.routing import Route
    from starlette.testclient import TestClient

    from audit_core.web.access import Signed

    def for_leads(signed: Signed) -> JSONResponse:
        signed.require(Role.LEAD)
        return JSONResponse({"role": signed.person.role})

    with TestClient(Starlette(routes=[Route("/leads", signed_in(for_leads))]), cookies=ada.client.cookies) as client:
        answer = client.get("/leads")
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
        assert answer.json()["error"].startswith("This is for a lead, and you are an annotator.")
        set_role(workspace, "Ada", Role.LEAD)
        assert client.get("/leads").json() == {"role": "lead"}
        with_account(workspace, "Grace", Role.LEAD)
        set_role(workspace, "Ada", Role.ADJUDICATOR)
        assert client.get("/leads").status_code == 403


@pytest.mark.parametrize(
    "headers", [{}, {"X-Assay": "1"}, {**OURS, "Origin": "http://evil.example"}, {"Origin": OURS["Origin"]}]
)
def test_no_password_is_changed_or_tried_from_another_place_than_our_own_pages(
    ada: Browser, workspace: Workspace, headers: dict[str, str]
) -> None:
    before = row_counts(workspace)
    for path in ("/api/password", "/api/session"):
        answer = ada.send(
            "POST", path, {"name": "Ada", "password": PASSWORD, "current": PASSWORD, "new": NEW}, headers=headers
        )
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    assert row_counts(workspace) == before


def test_an_annotator_of_the_mode_without_passwords_is_signed_out_once_they_are_asked_for(
    open_browser: Callable[..., Browser], monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setenv("ASSAY_ACCOUNTS", "single")
    browser = open_browser("Ada")
    assert browser.get(path).status_code == 200
    monkeypatch.setenv("ASSAY_ACCOUNTS", "local")
    assert browser.get(path).status_code == 401


@pytest.mark.parametrize("mode", ["oidc", "proxy"])
def test_where_somebody_else_vouches_no_name_and_no_password_signs_in(
    open_browser: Callable[..., Browser], workspace: Workspace, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    with_account(workspace, "Ada")
    monkeypatch.setenv("ASSAY_ACCOUNTS", mode)
    browser = open_browser()
    assert enter(browser).status_code == 422
    assert browser.send("POST", "/api/session", {"name": "Ada"}).status_code == 422
    assert browser.client.cookies.get(sign_in.COOKIE) is None
