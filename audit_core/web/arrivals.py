"""The door: notes where each request comes from, on pages and routes alike, and lets nobody in where that is not allowed."""

from __future__ import annotations

import ipaddress

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from audit_core import account_settings
from audit_core.account_settings import Mode
from audit_core.workflow.arrivals import HEADER, Arrival, marked

_FORWARDED = (b"x-forwarded-for", b"forwarded")
_REFUSED = "Assay asks for no password here (ASSAY_ACCOUNTS is single), so it answers this machine alone."


class ArrivalDoor:
    """Puts the signed header of `workflow.arrivals` on every request, and takes off what came in under its name."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        mode = account_settings.mode()
        if mode is Mode.SINGLE and not _is_from_here(scope):
            refuse = PlainTextResponse(_REFUSED, 403) if scope["type"] == "http" else WebSocketClose(1008, _REFUSED)
            await refuse(scope, receive, send)
            return
        user = _named_user(scope) if mode is Mode.PROXY else None
        own = HEADER.encode()
        headers = [each for each in scope["headers"] if each[0].lower() != own]
        headers.append((own, marked(Arrival(_address(scope), user)).encode()))
        await self.app({**scope, "headers": headers}, receive, send)


def _peer(scope: Scope) -> str | None:
    """Return the address at the other end of the connection, None where it is not known.

    The web server (uvicorn) puts the address that X-Forwarded-For names in place of a loopback one, and then 0 for the port,
    which no real connection has.
    """
    host, port = scope.get("client") or (None, None)
    if host is None:
        return None
    return "127.0.0.1" if port == 0 and _values(scope, _FORWARDED[0]) else str(host)


def _values(scope: Scope, *names: bytes) -> list[bytes]:
    return [value for name, value in scope["headers"] if name.lower() in names]


def _is_trusted(address: str | None) -> bool:
    return _plain(address) in account_settings.trusted_proxies()


def _plain(address: str | None) -> str:
    """Return an address in its shortest form; all of this machine's own are 127.0.0.1."""
    try:
        found = ipaddress.ip_address((address or "").partition("%")[0])
    except ValueError:
        return ""
    found = getattr(found, "ipv4_mapped", None) or found
    return "127.0.0.1" if found.is_loopback else str(found)


def _is_from_here(scope: Scope) -> bool:
    """Return whether somebody on this machine asks, and passes on nobody else's request."""
    return _plain(_peer(scope)) == "127.0.0.1" and not _values(scope, *_FORWARDED)


def _named_user(scope: Scope) -> str | None:
    """Return whom a trusted proxy names; None from anywhere else, or where the header stands there twice."""
    if not _is_trusted(_peer(scope)):
        return None
    values = _values(scope, account_settings.proxy_header().lower().encode())
    if len(values) != 1:
        return None
    try:
        return values[0].decode("utf-8").strip() or None
    except UnicodeDecodeError:
        return values[0].decode("latin-1").strip() or None


def _address(scope: Scope) -> str:
    """Return for whom attempts are counted: the address at the other end, or the one for which a trusted proxy asks."""
    peer = _peer(scope)
    if not _is_trusted(peer):
        return str(peer or "unknown")
    listed = b",".join(_values(scope, _FORWARDED[0])).decode("latin-1").split(",")
    for each in reversed([part.strip() for part in listed if part.strip()]):
        if not _is_trusted(each):
            return each
    return str(peer)
