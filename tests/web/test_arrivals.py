"""Where requests come from: a trusted proxy's word, everybody else's, and the mode that answers this machine alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from starlette.types import Message, Scope
from starlette.websockets import WebSocketDisconnect
from uvicorn import Config
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from audit_core.domain import Role
from audit_core.errors import SettingError
from audit_core.storage import people
from audit_core.storage.campaigns import CampaignRow
from audit_core.web import host_check, routes
from audit_core.web.arrivals import ArrivalDoor
from audit_core.web.starting import check_start
from audit_core.workflow.accounts import add_account, disable_account
from audit_core.workflow.arrivals import HEADER, Arrival, arrival_of, marked
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.homes import row_counts
from tests.web.conftest import OURS

PROXY = ("10.0.0.5", 40_000)
ELSEWHERE = ("203.0.113.9", 40_000)
LOOPBACK = ("127.0.0.1", 40_000)
Open = Callable[..., TestClient]


@pytest.fixture
def open_client(monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """A function that opens the app as it is served, with the address at the other end."""
    monkeypatch.setenv("ASSAY_ALLOWED_HOSTS", "testserver")
    opened: list[TestClient] = []

    def make(client: tuple[str, int], **headers: str) -> TestClient:
        app = Starlette(routes=routes, middleware=host_check())
        found = TestClient(app, client=client, headers={name.replace("_", "-"): each for name, each in headers.items()})
        opened.append(found)
        return found

    yield make
    for each in opened:
        each.close()


@pytest.fixture
def behind_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_ACCOUNTS", "proxy")
    monkeypatch.setenv("ASSAY_TRUSTED_PROXIES", PROXY[0])


@pytest.fixture
def path(campaign: CampaignRow) -> str:
    return f"/api/campaigns/{campaign.id}/state"


# --- a proxy that names people ---------------------------------------------------------------------------------------


@pytest.mark.usefixtures("behind_proxy")
def test_a_trusted_proxy_names_who_asks_and_somebody_new_becomes_an_annotator(
    open_client: Open, workspace: Workspace, path: str
) -> None:
    answer = open_client(PROXY, X_Forwarded_User="Ada").get(path)
    assert answer.json()["me"]["name"] == "Ada"
    with workspace.database.read() as connection:
        ada = people.by_name(connection, "Ada")
    assert ada is not None
    assert ada.role is Role.ANNOTATOR
    before = row_counts(workspace)
    assert open_client(PROXY, X_Forwarded_User="ADA").get(path).json()["me"]["id"] == ada.id
    assert row_counts(workspace) == before


@pytest.mark.usefixtures("behind_proxy")
@pytest.mark.parametrize("client", [ELSEWHERE, LOOPBACK, ("testclient", 1), ("::1", 1), ("10.0.0.50", 1)])
def test_the_header_is_believed_from_nowhere_else(
    open_client: Open, workspace: Workspace, path: str, client: tuple[str, int]
) -> None:
    add_account(workspace, "Ada", Role.LEAD)
    before = row_counts(workspace)
    assert open_client(client, X_Forwarded_User="Ada").get(path).status_code == 401
    # Nor where somebody else claims to pass on what the proxy sent, or to be the door itself.
    for more in (
        {"X_Forwarded_For": PROXY[0]},
        {"Forwarded": f"for={PROXY[0]}"},
        {"X_Assay_Arrival": marked(Arrival(PROXY[0], "Ada"))},
        {"x_assay_arrival": '["10.0.0.5","Ada"].AAAA'},
    ):
        assert open_client(client, X_Forwarded_User="Ada", **more).get(path).status_code == 401, more
    assert row_counts(workspace) == before


@pytest.mark.usefixtures("behind_proxy")
def test_a_cookie_opens_nothing_behind_a_proxy(
    open_client: Open, workspace: Workspace, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from audit_core.workflow.sessions import token_for
    from audit_core.workflow.sign_in import COOKIE

    monkeypatch.setenv("ASSAY_ACCOUNTS", "single")
    token = token_for(workspace, sign_in(workspace, "Ada"))
    monkeypatch.setenv("ASSAY_ACCOUNTS", "proxy")
    assert open_client(PROXY, Cookie=f"{COOKIE}={token}").get(path).status_code == 401


@pytest.mark.usefixtures("behind_proxy")
def test_a_header_that_stands_there_twice_is_nobodys(open_client: Open, path: str) -> None:
    client = open_client(PROXY)
    twice = [("X-Forwarded-User", "Ada"), ("X-Forwarded-User", "lead")]
    assert client.get(path, headers=twice).status_code == 401
    assert client.get(path, headers=twice[:1]).status_code == 200


@pytest.mark.usefixtures("behind_proxy")
@pytest.mark.parametrize("name", ["", " ", "x" * 81, "a\x07b"])
def test_a_name_that_cannot_be_used_is_nobodys(open_client: Open, path: str, name: str) -> None:
    assert open_client(PROXY, X_Forwarded_User=name).get(path).status_code == 401


@pytest.mark.usefixtures("behind_proxy")
def test_a_name_beyond_ascii_is_read_as_utf_8(open_client: Open, path: str) -> None:
    client = open_client(PROXY)
    answer = client.get(path, headers=[(b"X-Forwarded-User", "Zoë Ångström".encode())])
    assert answer.json()["me"]["name"] == "Zoë Ångström"


@pytest.mark.usefixtures("behind_proxy")
def test_a_disabled_account_or_an_unknown_name_where_none_is_made_is_refused(
    open_client: Open, workspace: Workspace, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_NEW_ROLE", "none")
    client = open_client(PROXY, X_Forwarded_User="Ada")
    assert client.get(path).status_code == 401
    add_account(workspace, "Ada", Role.ANNOTATOR)
    assert client.get(path).status_code == 200
    disable_account(workspace, "Ada", disabled=True)
    assert client.get(path).status_code == 401


@pytest.mark.usefixtures("behind_proxy")
def test_changes_still_have_to_come_from_our_own_pages(open_client: Open, campaign: CampaignRow, path: str) -> None:
    client = open_client(PROXY, X_Forwarded_User="Ada")
    entry = client.get(path).json()["entry"]["id"]
    body = {"nonce": "nonce-0001", "base_revision": 0, "outcome": "judged", "codes": ""}
    assert client.post(f"/api/entries/{entry}/judgments", json=body).status_code == 403


def test_another_header_can_be_named(open_client: Open, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_ACCOUNTS", "proxy")
    monkeypatch.setenv("ASSAY_PROXY_HEADER", "Remote-User")
    assert open_client(LOOPBACK, Remote_User="Ada").get(path).status_code == 200
    assert open_client(LOOPBACK, X_Forwarded_User="Ada").get(path).status_code == 401


def test_a_proxy_on_this_machine_is_known_though_the_server_puts_the_visitors_address_in_its_place(
    open_client: Open, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """uvicorn: the client becomes (the last address in X-Forwarded-For, 0) for connections from this machine."""
    monkeypatch.setenv("ASSAY_ACCOUNTS", "proxy")
    named = {"X_Forwarded_User": "Ada", "X_Forwarded_For": "203.0.113.9"}
    assert open_client(("203.0.113.9", 0), **named).get(path).status_code == 200
    # From outside the port is a real one, whatever the headers say.
    assert open_client(ELSEWHERE, **named).get(path).status_code == 401
    assert open_client(("203.0.113.9", 0), X_Forwarded_User="Ada").get(path).status_code == 401


@pytest.mark.parametrize("mode", ["local", "single", "oidc"])
def test_the_header_means_nothing_in_another_mode(
    open_client: Open, path: str, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    monkeypatch.setenv("ASSAY_ACCOUNTS", mode)
    if mode == "single":
        monkeypatch.setenv("ASSAY_ALLOWED_HOSTS", "testserver")
    assert open_client(LOOPBACK, X_Forwarded_User="lead").get(path).status_code == 401


# --- the mode without passwords --------------------------------------------------------------------------------------


@pytest.mark.parametrize("client", [LOOPBACK, ("::1", 9), ("::ffff:127.0.0.1", 9), ("127.8.8.8", 9)])
def test_the_mode_without_passwords_answers_this_machine(open_client: Open, client: tuple[str, int]) -> None:
    assert (
        open_client(client, **{"X-Assay": "1", "Origin": OURS["Origin"]})
        .post("/api/session", json={"name": "Ada"})
        .status_code
        == 200
    )


@pytest.mark.parametrize(
    ("client", "headers"),
    [
        (ELSEWHERE, {}),
        (("::ffff:203.0.113.9", 9), {}),
        (("2001:db8::1", 9), {}),
        (("unknown", 9), {}),
        (LOOPBACK, {"X_Forwarded_For": "203.0.113.9"}),
        (LOOPBACK, {"X_Forwarded_For": "127.0.0.1"}),
        (LOOPBACK, {"Forwarded": "for=203.0.113.9"}),
        (("127.0.0.1", 0), {"X_Forwarded_For": "127.0.0.1"}),
        (("203.0.113.9", 0), {"X_Forwarded_For": "203.0.113.9"}),
    ],
)
def test_the_mode_without_passwords_refuses_every_other_machine_and_whatever_is_passed_on(
    open_client: Open, workspace: Workspace, client: tuple[str, int], headers: dict[str, str]
) -> None:
    before = row_counts(workspace)
    browser = open_client(client, **headers)
    for path in ("/", "/judge?campaign=1", "/api/viewer/x/icon.svg"):
        assert browser.get(path).status_code == 403
    answer = browser.post("/api/session", json={"name": "Ada"}, headers=OURS)
    assert answer.status_code == 403
    assert "this machine alone" in answer.text
    with pytest.raises(WebSocketDisconnect), browser.websocket_connect("/_stcore/stream"):
        pass
    assert row_counts(workspace) == before


@pytest.mark.parametrize("address", ["127.0.0.1", "localhost", "::1", "127.0.0.2"])
def test_the_mode_without_passwords_starts_on_this_machine(address: str) -> None:
    check_start(address)


@pytest.mark.parametrize("address", [None, "", "0.0.0.0", "::", "192.168.1.4", "assay.example.org"])
def test_the_mode_without_passwords_does_not_start_anywhere_else(
    address: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(
        SettingError, match=r"ASSAY_ACCOUNTS is single.*Set server.address to 127.0.0.1, or ASSAY_ACCOUNTS"
    ):
        check_start(address)
    monkeypatch.setenv("ASSAY_ACCOUNTS", "local")
    check_start(address)


def test_the_mode_without_passwords_does_not_start_under_another_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_ALLOWED_HOSTS", "localhost assay.example.org")
    with pytest.raises(SettingError, match=r"single, and ASSAY_ALLOWED_HOSTS names 'assay.example.org'"):
        check_start("127.0.0.1")


def test_the_app_does_not_start_where_the_server_would_believe_forwarded_addresses_from_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    with pytest.raises(SettingError, match="FORWARDED_ALLOW_IPS is set"):
        check_start("127.0.0.1")


# --- the door --------------------------------------------------------------------------------------------------------


async def _noted(
    client: tuple[str, int] | None, *headers: tuple[bytes, bytes], behind_uvicorn: bool = False
) -> Arrival | None:
    seen: list[Scope] = []

    async def inside(scope: Scope, receive: object, send: object) -> None:
        seen.append(scope)

    async def nothing() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        raise AssertionError(message)

    scope = {"type": "http", "client": client, "headers": list(headers)}
    door: Any = ArrivalDoor(inside)
    if behind_uvicorn:
        door = ProxyHeadersMiddleware(door, trusted_hosts=Config(door).forwarded_allow_ips)
    await door(scope, nothing, send)
    (found,) = seen
    marks = [value for name, value in found["headers"] if name == HEADER.encode()]
    assert len(marks) == 1
    return arrival_of(marks[0].decode())


@pytest.mark.parametrize(
    ("client", "forwarded", "address"),
    [
        (ELSEWHERE, None, "203.0.113.9"),
        (ELSEWHERE, b"198.51.100.1", "203.0.113.9"),  # from outside nobody is believed
        (PROXY, b"198.51.100.1", "198.51.100.1"),
        (PROXY, b"6.6.6.6, 198.51.100.1", "198.51.100.1"),  # what the visitor wrote stands before what the proxy added
        (PROXY, b"6.6.6.6, 198.51.100.1, 10.0.0.5", "198.51.100.1"),
        (PROXY, None, "10.0.0.5"),
        (("198.51.100.1", 0), b"198.51.100.1", "198.51.100.1"),
        (None, None, "unknown"),
    ],
)
def test_attempts_are_counted_for_the_visitor_and_not_for_the_proxy(
    monkeypatch: pytest.MonkeyPatch, client: tuple[str, int] | None, forwarded: bytes | None, address: str
) -> None:
    import anyio

    monkeypatch.setenv("ASSAY_ACCOUNTS", "local")
    monkeypatch.setenv("ASSAY_TRUSTED_PROXIES", "10.0.0.5 127.0.0.1")
    headers = [(b"x-forwarded-for", forwarded)] if forwarded else []
    noted = anyio.run(_noted, client, *headers)
    assert noted == Arrival(address, None)


@pytest.mark.parametrize(
    ("client", "headers", "arrival"),
    [
        (LOOPBACK, {b"x-forwarded-for": b"203.0.113.9"}, Arrival("203.0.113.9", "Ada")),
        (LOOPBACK, {b"x-forwarded-for": b"6.6.6.6, 203.0.113.9"}, Arrival("203.0.113.9", "Ada")),
        (LOOPBACK, {}, Arrival("127.0.0.1", "Ada")),
        (("::1", 9), {b"x-forwarded-for": b"203.0.113.9"}, Arrival("203.0.113.9", "Ada")),
        (ELSEWHERE, {b"x-forwarded-for": b"127.0.0.1"}, Arrival("203.0.113.9", None)),
        (ELSEWHERE, {b"x-forwarded-for": b"127.0.0.1:0"}, Arrival("203.0.113.9", None)),
        (ELSEWHERE, {}, Arrival("203.0.113.9", None)),
    ],
)
def test_the_servers_own_handling_of_forwarded_addresses_is_seen_through(
    monkeypatch: pytest.MonkeyPatch, client: tuple[str, int], headers: dict[bytes, bytes], arrival: Arrival
) -> None:
    """With uvicorn's own middleware before the door, as it puts it there unless it is told otherwise."""
    import anyio

    monkeypatch.setenv("ASSAY_ACCOUNTS", "proxy")
    sent = [*headers.items(), (b"x-forwarded-user", b"Ada")]
    assert anyio.run(partial(_noted, client, *sent, behind_uvicorn=True)) == arrival


def test_nobody_else_writes_the_doors_header() -> None:
    mark = marked(Arrival("10.0.0.5", "Ada"))
    assert arrival_of(mark) == Arrival("10.0.0.5", "Ada")
    for forged in (None, "", 5, "x", mark[:-1], mark + "x", mark.replace("A", "B"), '["10.0.0.5", "Ada"]'):
        assert arrival_of(forged) is None


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("ASSAY_ACCOUNTS", "open", "local, single, oidc or proxy"),
        ("ASSAY_ACCOUNTS", "oidc", "ASSAY_OIDC_ISSUER is not set"),
        ("ASSAY_NEW_ROLE", "lead", "annotator or none"),
        ("ASSAY_PROXY_HEADER", "X User", "name of a header"),
        ("ASSAY_PROXY_HEADER", "Host", "name of a header"),
        ("ASSAY_TRUSTED_PROXIES", "*", "list IP addresses"),
        ("ASSAY_TRUSTED_PROXIES", "proxy.example.org", "list IP addresses"),
        ("ASSAY_OIDC_ISSUER", "http://login.example.org", "does not begin with https://"),
        ("ASSAY_OIDC_ISSUER", "http://localhost.evil.example", "does not begin with https://"),
        ("ASSAY_OIDC_ISSUER", "login.example.org", "http"),
        ("ASSAY_OIDC_CLIENT_SECRET", "two words", "holds blanks or signs"),
    ],
)
def test_a_setting_of_accounts_that_cannot_be_used_is_told_at_the_start(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, words: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingError, match=words) as caught:
        check_start("127.0.0.1")
    assert name in str(caught.value) or "ASSAY_OIDC" in str(caught.value)
