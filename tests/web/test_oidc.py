"""Signing in at an OpenID Connect provider, against a real one: what is asked, what is believed, what is taken once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
import sqlalchemy as sa

from audit_core.domain import Role
from audit_core.storage import people
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.clock import stamp
from audit_core.storage.schema import activity, metadata, oidc_request
from audit_core.workflow import oidc_provider, oidc_sign_in, sign_in
from audit_core.workflow.accounts import add_account, disable_account, list_accounts, set_role
from audit_core.workflow.workspace import Workspace
from tests.homes import row_counts
from tests.oidc_provider import (
    CLIENT_ID,
    CLIENT_SECRET,
    Provider,
    running_provider,
    signed_with_another_key,
    signed_with_our_secret,
    unsigned,
)
from tests.web.conftest import ORIGIN, Browser

OpenBrowser = Callable[..., Browser]


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    """The provider that the settings name."""
    oidc_provider.forget()
    with running_provider() as found:
        monkeypatch.setenv("ASSAY_ACCOUNTS", "oidc")
        monkeypatch.setenv("ASSAY_OIDC_ISSUER", found.issuer)
        monkeypatch.setenv("ASSAY_OIDC_CLIENT_ID", CLIENT_ID)
        monkeypatch.setenv("ASSAY_OIDC_CLIENT_SECRET", CLIENT_SECRET)
        yield found
    oidc_provider.forget()


def begin(browser: Browser, path: str = "/sign-in/start") -> str:
    """Begin a sign-in; return where the browser is sent."""
    answer = browser.get(path, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def agree(address: str) -> str:
    """Go to the provider, where the user agrees; return the address to which they are sent back, without the host."""
    with httpx2.Client(trust_env=False) as client:
        back = urlsplit(client.get(address, follow_redirects=False).headers["location"])
    assert f"{back.scheme}://{back.netloc}" == ORIGIN
    return f"{back.path}?{back.query}"


def enter(browser: Browser, path: str = "/sign-in/start") -> Any:
    return browser.get(agree(begin(browser, path)), follow_redirects=False)


def refused(answer: Any, words: str) -> None:
    assert answer.status_code == 403
    assert words in answer.text
    assert sign_in.COOKIE not in answer.headers.get("set-cookie", "")


def state_of(campaign: CampaignRow, browser: Browser) -> Any:
    return browser.get(f"/api/campaigns/{campaign.id}/state")


def test_whoever_the_provider_names_is_in_and_goes_on_to_where_they_wanted(
    provider: Provider, open_browser: OpenBrowser, workspace: Workspace, campaign: CampaignRow
) -> None:
    browser = open_browser()
    answer = enter(browser, "/sign-in/start?next=%2Fjudge%3Fcampaign%3D1%26entry%3D2")
    assert (answer.status_code, answer.headers["location"]) == (303, "/judge?campaign=1&entry=2")
    cookie = next(each for each in answer.headers.get_list("set-cookie") if each.startswith(sign_in.COOKIE)).lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert state_of(campaign, browser).json()["me"]["name"] == "Ada"
    (account,) = list_accounts(workspace)
    assert (account.person.role, account.subject, account.sign_ins) == (Role.ANNOTATOR, f"{provider.issuer}|user-7", 1)
    (asked,) = provider.authorizations
    assert (asked["response_type"], asked["client_id"], asked["code_challenge_method"]) == ("code", CLIENT_ID, "S256")
    assert asked["redirect_uri"] == f"{ORIGIN}/sign-in/answer"
    assert "openid" in asked["scope"].split()
    assert CLIENT_SECRET not in str(asked)
    assert provider.token_requests[0]["code_verifier"] not in str(asked)


def test_the_same_person_comes_back_under_any_name_and_another_never_gets_their_account(
    provider: Provider, open_browser: OpenBrowser, workspace: Workspace, campaign: CampaignRow
) -> None:
    first = open_browser()
    enter(first)
    ada = state_of(campaign, first).json()["me"]["id"]
    provider.user["preferred_username"] = "Ada King"
    again = open_browser()
    enter(again)
    assert state_of(campaign, again).json()["me"] == state_of(campaign, first).json()["me"]
    provider.user |= {"sub": "user-8", "preferred_username": "ADA"}
    other = open_browser()
    enter(other)
    me = state_of(campaign, other).json()["me"]
    assert me["id"] != ada
    assert me["name"] == "ADA (2)"


def test_an_account_of_somebody_with_a_password_is_not_taken_over_by_its_name(
    provider: Provider, open_browser: OpenBrowser, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_ACCOUNTS", "local")
    add_account(workspace, "Ada", Role.LEAD)
    monkeypatch.setenv("ASSAY_ACCOUNTS", "oidc")
    assert enter(open_browser()).status_code == 303
    assert {each.person.name: each.person.role for each in list_accounts(workspace)} == {
        "Ada": Role.LEAD,
        "Ada (2)": Role.ANNOTATOR,
    }


def test_where_nobody_new_is_taken_an_account_that_a_lead_added_is(
    provider: Provider, open_browser: OpenBrowser, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_NEW_ROLE", "none")
    refused(enter(open_browser()), "You have no account here. Ask a lead to add one for &#x27;user-7&#x27;.")
    assert list_accounts(workspace) == []
    add_account(workspace, "Countess", Role.ADJUDICATOR, subject="user-7")
    assert enter(open_browser()).status_code == 303
    (account,) = list_accounts(workspace)
    assert (account.person.name, account.person.role, account.sign_ins) == ("Countess", Role.ADJUDICATOR, 1)


def test_a_disabled_account_is_out_at_once_and_not_let_in_again_and_a_role_holds_at_once(
    provider: Provider, open_browser: OpenBrowser, workspace: Workspace, campaign: CampaignRow
) -> None:
    browser = open_browser()
    enter(browser)
    token = browser.client.cookies[sign_in.COOKIE]
    set_role(workspace, "Ada", Role.LEAD)
    add_account(workspace, "Grace", Role.LEAD, subject="user-1")
    person = sign_in.person_of(workspace, token)
    assert person is not None
    assert person.role is Role.LEAD
    disable_account(workspace, "Ada", disabled=True)
    assert state_of(campaign, browser).status_code == 401
    refused(enter(browser), "disabled")


def _set(**values: object) -> Callable[[dict[str, Any]], object]:
    return lambda claims: claims.update(values)


def _without(name: str) -> Callable[[dict[str, Any]], object]:
    return lambda claims: claims.pop(name)


LIES: list[tuple[str, Callable[[dict[str, Any]], object]]] = [
    ("another issuer", _set(iss="https://evil.example")),
    ("no issuer", _without("iss")),
    ("another audience", _set(aud="somebody else")),
    ("an audience without us", _set(aud=["a", "b"])),
    ("many audiences and no word whom of them it is for", _set(aud=[CLIENT_ID, "b"])),
    ("meant for another of its audiences", _set(aud=[CLIENT_ID, "b"], azp="b")),
    ("no audience", _without("aud")),
    ("expired", lambda claims: claims.update(exp=int(time.time()) - 61)),
    ("no expiry", _without("exp")),
    ("an expiry that is no number", _set(exp="tomorrow")),
    ("made in the future", lambda claims: claims.update(iat=int(time.time()) + 3_600)),
    ("no time", _without("iat")),
    ("not valid yet", lambda claims: claims.update(nbf=int(time.time()) + 3_600)),
    ("another nonce", _set(nonce="another")),
    ("no nonce", _without("nonce")),
    ("no subject", _without("sub")),
    ("an empty subject", _set(sub="")),
    ("a subject that is no text", _set(sub=7)),
    ("a subject that is too long", _set(sub="x" * 256)),
]


@pytest.mark.parametrize("lie", [each[1] for each in LIES], ids=[each[0] for each in LIES])
def test_an_id_token_that_is_not_to_be_believed_lets_nobody_in(
    provider: Provider, open_browser: OpenBrowser, workspace: Workspace, lie: Callable[[dict[str, Any]], object]
) -> None:
    provider.change = lie
    browser = open_browser()
    refused(enter(browser), "Sign in again.")
    counts = row_counts(workspace)
    assert (counts["account"], counts["session"], counts["person"]) == (0, 0, 0)


@pytest.mark.parametrize(
    "sign", [unsigned, signed_with_our_secret, signed_with_another_key, lambda claims: "", lambda claims: "a.b.c", lambda claims: None],
    ids=["none", "shared secret", "another key", "empty", "no token", "null"],
)  # fmt: skip
def test_an_id_token_that_the_provider_did_not_sign_lets_nobody_in(
    provider: Provider, open_browser: OpenBrowser, workspace: Workspace, sign: Callable[[dict[str, Any]], str]
) -> None:
    provider.sign = sign
    refused(enter(open_browser()), "Sign in again.")
    assert row_counts(workspace)["session"] == 0


def test_an_altered_id_token_lets_nobody_in(
    provider: Provider, open_browser: OpenBrowser, workspace: Workspace
) -> None:
    def altered(claims: dict[str, Any]) -> str:
        head, _, tail = provider.sign_rightly(claims).split(".")
        other = provider.sign_rightly({**claims, "sub": "user-1"}).split(".")[1]
        return f"{head}.{other}.{tail}"

    provider.sign = altered
    refused(enter(open_browser()), "not to be believed")


def test_an_answer_is_taken_once(provider: Provider, open_browser: OpenBrowser, workspace: Workspace) -> None:
    browser = open_browser()
    kept = begin(browser)
    cookie = browser.client.cookies[oidc_sign_in.COOKIE]
    back = agree(kept)
    assert browser.get(back, follow_redirects=False).status_code == 303
    assert oidc_sign_in.COOKIE not in browser.client.cookies
    thief = open_browser()
    for each in (browser, thief):  # also with the cookie of the browser that began
        each.client.cookies.set(oidc_sign_in.COOKIE, cookie, path="/sign-in/answer")
        refused(each.get(back, follow_redirects=False), "does not belong to a sign-in that began in this browser")
    assert len(provider.token_requests) == 1, "the code is not even sent again"
    assert row_counts(workspace)["session"] == 1


def test_an_id_token_from_an_earlier_sign_in_is_not_taken_again(
    provider: Provider, open_browser: OpenBrowser, workspace: Workspace
) -> None:
    tokens: list[str] = []

    def replayed(claims: dict[str, Any]) -> str:
        tokens.append(provider.sign_rightly(claims))
        return tokens[0]

    provider.sign = replayed
    assert enter(open_browser()).status_code == 303
    refused(enter(open_browser()), "not to be believed")


def test_an_answer_that_another_browser_began_signs_nobody_in(provider: Provider, open_browser: OpenBrowser) -> None:
    """Else somebody could have a victim work, and judge, in the attacker's account."""
    attacker, victim = open_browser(), open_browser()
    back = agree(begin(attacker))
    refused(victim.get(back, follow_redirects=False), "began in this browser")
    begin(victim)  # one of its own does not help either
    refused(victim.get(agree(begin(attacker)), follow_redirects=False), "began in this browser")
    assert sign_in.COOKIE not in victim.client.cookies


@pytest.mark.parametrize(
    "query",
    [
        "",
        "?code=x",
        "?state=x",
        "?code=x&state=x",
        "?error=access_denied&state=x",
        "?code=&state=",
        "?state=%00&code=%00",
    ],
)
def test_an_answer_with_a_state_that_was_never_given_out_is_refused(
    provider: Provider, open_browser: OpenBrowser, query: str
) -> None:
    browser = open_browser()
    begin(browser)
    refused(browser.get(f"/sign-in/answer{query}", follow_redirects=False), "began in this browser")
    assert provider.token_requests == []


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"iss": "https://evil.example"}, "Another provider answered"),
        ({"error": "access_denied"}, "did not sign you in"),
        ({"code": ""}, "did not sign you in"),
        ({"code": "made up"}, "refused (HTTP 400)"),
    ],
)
def test_an_answer_of_another_kind_is_refused_in_words(
    provider: Provider, open_browser: OpenBrowser, more: dict[str, str], words: str
) -> None:
    browser = open_browser()
    query = {name: values[0] for name, values in parse_qs(urlsplit(agree(begin(browser))).query).items()} | more
    refused(browser.get("/sign-in/answer", params=query, follow_redirects=False), words)


def test_a_sign_in_that_took_too_long_is_begun_again(
    provider: Provider, open_browser: OpenBrowser, workspace: Workspace
) -> None:
    browser = open_browser()
    back = agree(begin(browser))
    with workspace.database.write() as connection:
        connection.execute(oidc_request.update().values(created_at=stamp(datetime.now(UTC) - timedelta(minutes=11))))
    refused(browser.get(back, follow_redirects=False), "took too long")
    begin(browser)
    with workspace.database.write() as connection:
        connection.execute(oidc_request.update().values(created_at=stamp(datetime.now(UTC) - timedelta(minutes=11))))
    begin(browser)
    assert row_counts(workspace)["oidc_request"] == 1, "what nobody finished is removed"


@pytest.mark.parametrize(
    "wanted",
    [
        "https://evil.example",
        "//evil.example",
        "/judge?campaign=1\r\nX: y",
        "/datasets",
        "javascript:alert(1)",
        "/judge?campaign=é",
    ],
)
def test_nobody_is_sent_elsewhere_afterwards(provider: Provider, open_browser: OpenBrowser, wanted: str) -> None:
    from urllib.parse import quote

    answer = enter(open_browser(), f"/sign-in/start?next={quote(wanted)}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_set(issuer="https://evil.example"), "calls itself otherwise"),
        (_set(token_endpoint="http://evil.example/token"), "token_endpoint is no protected address"),
        (_set(jwks_uri="file:///etc/passwd"), "jwks_uri is no protected address"),
        (_without("authorization_endpoint"), "authorization_endpoint is no protected address"),
    ],
)
def test_a_provider_that_describes_itself_wrongly_is_not_used(
    provider: Provider, open_browser: OpenBrowser, change: Callable[[dict[str, Any]], object], words: str
) -> None:
    provider.describe = change
    refused(open_browser().get("/sign-in/start", follow_redirects=False), words)


def test_a_provider_that_is_away_is_told_in_words_without_the_secret(
    provider: Provider, open_browser: OpenBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_OIDC_ISSUER", "http://127.0.0.1:9")
    answer = open_browser().get("/sign-in/start", follow_redirects=False)
    refused(answer, "The provider cannot be reached")
    assert CLIENT_SECRET not in answer.text


def test_a_provider_that_wants_the_secret_in_the_form_gets_it_there(
    provider: Provider, open_browser: OpenBrowser
) -> None:
    provider.describe = _set(token_endpoint_auth_methods_supported=["client_secret_post"])
    assert enter(open_browser()).status_code == 303
    assert provider.token_auth == [None]
    assert provider.token_requests[0]["client_secret"] == CLIENT_SECRET


def test_no_secret_token_or_code_is_stored_or_logged(
    provider: Provider, open_browser: OpenBrowser, workspace: Workspace, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", logger="assay")
    browser = open_browser()
    back = agree(begin(browser))
    browser.get(back, follow_redirects=False)
    with workspace.database.read() as connection:
        stored = str([row for table in metadata.tables.values() for row in connection.execute(sa.select(table))])
        assert connection.execute(sa.select(activity.c.action)).scalars().all()[-1] == "sign-in"
    ours = "\n".join(each.getMessage() for each in caplog.records if each.name.startswith("assay"))
    for secret in (CLIENT_SECRET, browser.client.cookies[sign_in.COOKIE], provider.token_requests[0]["code"]):
        assert secret not in stored
        assert secret not in ours


def test_a_new_sign_in_ends_the_one_that_the_browser_held(
    provider: Provider, open_browser: OpenBrowser, campaign: CampaignRow
) -> None:
    browser, copy = open_browser(), open_browser()
    enter(browser)
    copy.client.cookies.set(sign_in.COOKIE, browser.client.cookies[sign_in.COOKIE])
    assert state_of(campaign, copy).status_code == 200
    enter(browser)
    assert state_of(campaign, copy).status_code == 401


@pytest.mark.parametrize("mode", ["local", "single", "proxy"])
def test_in_other_modes_there_is_no_provider(
    provider: Provider, open_browser: OpenBrowser, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    monkeypatch.setenv("ASSAY_ACCOUNTS", mode)
    for path in ("/sign-in/start", "/sign-in/answer?code=x&state=y"):
        assert open_browser().get(path, follow_redirects=False).status_code == 404


def test_a_name_that_cannot_be_kept_is_made_one_that_can(
    provider: Provider, open_browser: OpenBrowser, workspace: Workspace
) -> None:
    for number, name in enumerate(("\u202eevil", "x" * 500, "\x07", ["a", "list"], "")):
        provider.user |= {"sub": f"user-{number}", "preferred_username": name}
        assert enter(open_browser()).status_code == 303, name
    with workspace.database.read() as connection:
        found = sorted(each for each in people.names(connection).values())
    assert found == sorted(["evil", "x" * 80, "annotator", "user-3", "user-4"])
