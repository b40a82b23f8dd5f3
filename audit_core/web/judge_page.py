"""GET /judge: the judging page, a document of its own.

It is not one of Streamlit's pages: those cover themselves with a dialog that takes the keyboard as soon as the server is
away, in the middle of a note, and they open a second slower. Judgments need neither Streamlit's session nor its reruns.
"""

from __future__ import annotations

import re
from html import escape
from urllib.parse import quote, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from audit_core.errors import AssayError
from audit_core.web.access import person_asking
from audit_core.web.viewer_files import file_address

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

#: Both documents: that of judging, and that of adjudication (`adjudicate_page`).
_DOCUMENT = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title} - Assay</title>
<link rel="icon" href="{icon}">
<script type="module" src="{script}"></script>
</head>
<body>
<div id="host" data-testid="judging-surface" data-campaign="{campaign}" data-entry="{entry}"{view} data-home="{home}"></div>
<noscript>This page needs JavaScript.</noscript>
</body>
</html>
"""


#: What a link may say of the view, beside the page: to look only, the number of a box, the zoom, the middle of the view.
_VIEW = {
    "look": re.compile(r"1"),
    "box": re.compile(r"[0-9]{1,5}"),
    "zoom": re.compile(r"[0-9]{1,2}(\.[0-9]{1,4})?"),
    "at": re.compile(r"-?[0-9](\.[0-9]{1,6})?,-?[0-9](\.[0-9]{1,6})?"),
}
#: Longest page id that a link may name, in characters.
_PAGE_ID_MAX = 1_000


def _is_signed_in(request: Request) -> bool:
    return person_asking(request) is not None


def number_in(request: Request, name: str) -> str:
    """Return a whole number of the address as its digits, empty where it is absent or something else."""
    raw = request.query_params.get(name, "")
    return raw if raw.isascii() and raw.isdigit() and len(raw) <= 9 else ""


def view_in(request: Request) -> dict[str, str]:
    """Return what the address says of the view, in the order page, box, zoom, at; what is malformed is passed over."""
    given = request.query_params
    page = given.get("page", "")
    view = {"page": page} if page and len(page) <= _PAGE_ID_MAX and "\0" not in page else {}
    return view | {name: given[name] for name, form in _VIEW.items() if form.fullmatch(given.get(name, ""))}


async def judge_page(request: Request) -> Response:
    """Return the judging page; whoever is signed out is sent to sign in, then back.

    The address is `?campaign=ID&entry=NUMBER&page=PAGE_ID&box=NUMBER&zoom=1.4&at=0.5,0.3`, all but the campaign optional.
    """
    campaign, entry = number_in(request, "campaign"), number_in(request, "entry")
    if not campaign:
        return RedirectResponse("/", status_code=303)
    asked = {"campaign": campaign, **({"entry": entry} if entry else {}), **view_in(request)}
    if (instead := await sent_elsewhere(request, ADDRESS, asked)) is not None:
        return instead
    return document("Judge", "page.js", campaign=campaign, entry=entry, home="/", view=view_in(request))


async def sent_elsewhere(request: Request, address: str, asked: dict[str, str]) -> Response | None:
    """Return the way to the sign-in and back to `address` for whoever is signed out; None for whoever is signed in."""
    try:
        is_signed_in = await run_in_threadpool(_is_signed_in, request)
    except AssayError as error:
        return HTMLResponse(f"<!doctype html><title>Assay</title><p>{escape(str(error))}</p>", status_code=503)
    if is_signed_in:
        return None
    here = f"{address}?{urlencode(asked, quote_via=quote, safe='')}"
    return RedirectResponse(f"/?next={quote(here, safe='')}", status_code=303)


def document(title: str, script: str, *, campaign: str, entry: str, home: str, view: dict[str, str]) -> Response:
    """Return a document that mounts a surface: `script` is the module that starts it, `view` what its element says besides."""
    said = "".join(f' data-{name}="{escape(value)}"' for name, value in view.items())
    page = _DOCUMENT.format(
        title=title,
        icon=file_address("icon.svg"),
        script=file_address(script),
        campaign=campaign,
        entry=entry,
        home=escape(home),
        view=said,
    )
    return HTMLResponse(page, headers={"Content-Security-Policy": _POLICY, "Cache-Control": "no-store"})
