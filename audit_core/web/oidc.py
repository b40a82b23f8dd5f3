"""/sign-in/start and /sign-in/answer: to the OpenID Connect provider and back."""

from __future__ import annotations

from html import escape

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from audit_core import account_settings, config
from audit_core.account_settings import Mode
from audit_core.errors import AssayError
from audit_core.web.session import set_session_cookie
from audit_core.workflow import oidc_sign_in, sign_in
from audit_core.workflow.workspace import open_workspace

START, ANSWER = "/sign-in/start", "/sign-in/answer"

_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Sign-in - Assay</title>
<p role="alert">{message}</p><p><a href="/">Back to the sign-in</a></p></html>
"""


def _callback(request: Request) -> str:
    """Return our address as the provider knows it; the host is one of the settings' (`hosts.host_check`)."""
    scheme = "https" if config.secure_cookie() else request.url.scheme
    return f"{scheme}://{request.headers.get('host', '')}{ANSWER}"


def _refused(error: AssayError | None) -> Response:
    message = str(error) if error else "There is no sign-in at a provider here (ASSAY_ACCOUNTS is not oidc)."
    response = HTMLResponse(_PAGE.format(message=escape(message)), status_code=403 if error else 404)
    response.headers["Content-Security-Policy"] = "default-src 'none'; frame-ancestors 'none'"
    response.headers["Cache-Control"] = "no-store"
    response.delete_cookie(oidc_sign_in.COOKIE, path=ANSWER)
    return response


async def start(request: Request) -> Response:
    """Send the browser to the provider; `?next=` says where to go on to afterwards."""
    if account_settings.mode() is not Mode.OIDC:
        return _refused(None)
    try:
        secure = config.secure_cookie()
        callback, asked = _callback(request), sign_in.own_address(request.query_params.get("next"))
        begun = await run_in_threadpool(
            lambda: oidc_sign_in.begin(open_workspace(), callback=callback, next_address=asked)
        )
    except AssayError as error:
        return _refused(error)
    response = RedirectResponse(begun.address, status_code=303, headers={"Cache-Control": "no-store"})
    response.set_cookie(
        oidc_sign_in.COOKIE, begun.browser_token, max_age=int(oidc_sign_in.PATIENCE.total_seconds()), httponly=True,
        samesite="lax", secure=secure, path=ANSWER,
    )  # fmt: skip
    return response


async def answer(request: Request) -> Response:
    """Take the provider's answer: sets the cookie of a new sign-in and goes on to where the visitor wanted to go."""
    if account_settings.mode() is not Mode.OIDC:
        return _refused(None)
    query = dict(request.query_params)
    browser_token, before = request.cookies.get(oidc_sign_in.COOKIE), request.cookies.get(sign_in.COOKIE)
    try:
        callback = _callback(request)
        found = await run_in_threadpool(
            lambda: oidc_sign_in.finish(
                open_workspace(), query, browser_token=browser_token, callback=callback, replaces=before
            )
        )
        response = RedirectResponse(found.next_address or "/", status_code=303, headers={"Cache-Control": "no-store"})
        set_session_cookie(response, found.token)
    except AssayError as error:
        return _refused(error)
    response.delete_cookie(oidc_sign_in.COOKIE, path=ANSWER)
    return response
