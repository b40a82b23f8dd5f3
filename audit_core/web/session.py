"""/api/session and /api/password: signing in and out, and choosing one's own password."""

from __future__ import annotations

from typing import Any

from anyio import CapacityLimiter, to_thread
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from audit_core import account_settings, config
from audit_core.account_settings import Mode
from audit_core.errors import AssayError, SignInError
from audit_core.storage.people import Person
from audit_core.web.access import address_of, answer_to, is_same_origin, read_body, refusal
from audit_core.workflow import password_sign_in, sessions, sign_in
from audit_core.workflow.workspace import open_workspace

#: Passwords take long to check: they wait for one another, and never take the threads on which judgments are saved.
_sign_ins = CapacityLimiter(4)

_ELSEWHERE = {
    Mode.OIDC: "Sign in at your organisation's provider: the sign-in page leads there.",
    Mode.PROXY: "You are signed in by the proxy before Assay: open the start page.",
}


def set_session_cookie(response: Response, token: str) -> None:
    """Give the browser the cookie of a sign-in, which no script reads and no other site sends with a change."""
    response.set_cookie(
        sign_in.COOKIE, token, max_age=config.session_seconds(), httponly=True, samesite="lax",
        secure=config.secure_cookie(), path="/",
    )  # fmt: skip


def _text(body: dict[str, Any], name: str, otherwise: str) -> str:
    given = body.get(name)
    if not isinstance(given, str):
        raise SignInError(otherwise)
    return given


def _enter(body: dict[str, Any], *, address: str, before: str | None) -> tuple[Person, str, bool]:
    """Return who signed in, the token of the cookie, and whether a password is to be chosen first."""
    mode = account_settings.mode()
    if mode in _ELSEWHERE:
        raise SignInError(_ELSEWHERE[mode])
    name = _text(body, "name", "Type your name: it marks your judgments.")
    # Read before anything is stored: a setting that cannot be used lets nobody in.
    config.session_seconds(), config.secure_cookie()
    workspace = open_workspace()
    if mode is Mode.LOCAL:
        password = _text(body, "password", "Type your password.")
        found = password_sign_in.sign_in_with_password(workspace, name, password, address=address, replaces=before)
        return found.person, found.token, found.must_change
    person = sign_in.sign_in(workspace, name)
    with workspace.database.write() as connection:
        return person, sessions.open_session(connection, person, replaces=before), False


async def open_session(request: Request) -> Response:
    """Sign in: answers with the person and sets the cookie of a sign-in that did not exist before."""
    if not is_same_origin(request):
        return refusal(403, "forbidden", "This request did not come from Assay's own pages.")
    try:
        body = await read_body(request)
        before = request.cookies.get(sign_in.COOKIE)
        person, token, must_change = await to_thread.run_sync(
            lambda: _enter(body, address=address_of(request), before=before), limiter=_sign_ins
        )
        response = JSONResponse({"id": person.id, "name": person.name, "must_change": must_change})
        set_session_cookie(response, token)
    except AssayError as error:
        return answer_to(error)
    return response


def _leave(token: str | None) -> None:
    sessions.end_session(open_workspace(), token)


async def close_session(request: Request) -> Response:
    """Sign out: ends the sign-in, so that no copy of the cookie opens anything, and removes the cookie."""
    if not is_same_origin(request):
        return refusal(403, "forbidden", "This request did not come from Assay's own pages.")
    try:
        await run_in_threadpool(_leave, request.cookies.get(sign_in.COOKIE))
    except AssayError as error:
        return answer_to(error)
    response = JSONResponse({})
    response.delete_cookie(sign_in.COOKIE, path="/")
    return response


def _change(body: dict[str, Any], *, address: str, token: str | None) -> password_sign_in.SignedIn | None:
    workspace = open_workspace()
    if sessions.visit_of(workspace, token) is None:
        return None
    new = _text(body, "new", "Type a new password.")
    current = _text({"current": "", **body}, "current", "Type the present password.")
    return password_sign_in.change_own_password(workspace, token, current=current, new=new, address=address)


async def change_password(request: Request) -> Response:
    """Choose a password of one's own: ends all sign-ins of the account and goes on with a new one."""
    if not is_same_origin(request):
        return refusal(403, "forbidden", "This request did not come from Assay's own pages.")
    try:
        body = await read_body(request)
        token = request.cookies.get(sign_in.COOKIE)
        found = await to_thread.run_sync(
            lambda: _change(body, address=address_of(request), token=token), limiter=_sign_ins
        )
        if found is None:
            return refusal(401, "signed_out", "You are signed out. Sign in again.")
        response = JSONResponse({"id": found.person.id, "name": found.person.name})
        set_session_cookie(response, found.token)
    except AssayError as error:
        return answer_to(error)
    return response
