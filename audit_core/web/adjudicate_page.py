"""GET /adjudicate: the adjudication page, a document of its own like the judging page."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from audit_core.web.judge_page import document, number_in, sent_elsewhere, view_in

ADDRESS = "/adjudicate"
#: What the entries to go through may be narrowed to.
FILTERS = ("disputed", "second", "decided", "all")


def _filter(request: Request) -> dict[str, str]:
    asked = request.query_params.get("filter", "")
    return {"filter": asked} if asked in FILTERS else {}


async def adjudicate_page(request: Request) -> Response:
    """Return the adjudication page; whoever is signed out is sent to sign in, then back.

    The address is `?campaign=ID&entry=NUMBER&filter=disputed` and what a link says of the view, all but the campaign optional.
    Who may adjudicate is checked by the routes that it asks: the document itself holds nothing.
    """
    campaign, entry = number_in(request, "campaign"), number_in(request, "entry")
    if not campaign:
        return RedirectResponse("/", status_code=303)
    view = {name: value for name, value in view_in(request).items() if name != "look"} | _filter(request)
    asked = {"campaign": campaign, **({"entry": entry} if entry else {}), **view}
    if (instead := await sent_elsewhere(request, ADDRESS, asked)) is not None:
        return instead
    home = f"/adjudication?campaign={campaign}"
    return document("Adjudicate", "adjudicate.js", campaign=campaign, entry=entry, home=home, view=view)
