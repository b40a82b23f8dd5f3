"""GET /judge: the judging page, a document of its own.

It is not one of Streamlit's pages: those cover themselves with a dialog that takes the keyboard as soon as the server is
away, in the middle of a note, and they open a second slower. Judgments need neither Streamlit's session nor its reruns.
"""

from __future__ import annotations

from html import escape
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from audit_core.errors import AssayError
from audit_core.web.viewer_files import file_address
from audit_core.workflow import sign_in
from audit_core.workflow.workspace import open_workspace

ADDRESS = "/judge"

_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)

_DOCUMENT = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Judge - Assay</title>
<link rel="icon" href="{icon}">
<script type="module" src="{script}"></script>
</head>
<body>
<div id="host" data-testid="judging-surface" data-campaign="{campaign}" data-entry="{entry}" data-home="/"></div>
<noscript>The judging page needs JavaScript.</noscript>
</body>
</html>
"""


def _is_signed_in(token: str | None) -> bool:
    return sign_in.person_of(open_workspace(), token) is not None


def _number(request: Request, name: str) -> str:
    raw = request.query_params.get(name, "")
    return raw if raw.isascii() and raw.isdigit() and len(raw) <= 9 else ""


async def judge_page(request: Request) -> Response:
    """Return the judging page of `?campaign=ID&entry=NUMBER`; whoever is signed out is sent to sign in, then back."""
    campaign, entry = _number(request, "campaign"), _number(request, "entry")
    if not campaign:
        return RedirectResponse("/", status_code=303)
    try:
        is_signed_in = await run_in_threadpool(_is_signed_in, request.cookies.get(sign_in.COOKIE))
    except AssayError as error:
        return HTMLResponse(f"<!doctype html><title>Assay</title><p>{escape(str(error))}</p>", status_code=503)
    if not is_signed_in:
        here = f"{ADDRESS}?campaign={campaign}" + (f"&entry={entry}" if entry else "")
        return RedirectResponse(f"/?next={quote(here, safe='')}", status_code=303)
    page = _DOCUMENT.format(
        icon=file_address("icon.svg"), script=file_address("page.js"), campaign=campaign, entry=entry
    )
    return HTMLResponse(page, headers={"Content-Security-Policy": _POLICY, "Cache-Control": "no-store"})
