"""The routes beside judging: pages of an entry's documents to leaf through, and questions to the lead."""

from __future__ import annotations

from starlette.responses import JSONResponse, Response

from audit_core.domain import Role
from audit_core.web.access import Signed
from audit_core.workflow import flags, judging
from audit_core.workflow.annotators import campaign_for
from audit_core.workflow.leafing import document_pages

_FRESH = {"Cache-Control": "no-store"}


def pages_of_document(asked: Signed) -> Response:
    """GET campaigns/{cid}/entries/{number}/documents/{document}/pages: some pages of one of the entry's documents.

    With `adjudication=1` it asks for the right to adjudicate and for no place in the campaign.
    """
    cid = asked.path_int("cid")
    if asked.request.query_params.get("adjudication") == "1":
        asked.require(Role.ADJUDICATOR)
        campaign, dataset = asked.workspace.campaign(cid)
    else:
        campaign, dataset = campaign_for(asked.workspace, asked.person, cid)
    mine = judging.entry_numbered(
        asked.workspace, asked.person, campaign_id=campaign.id, number=asked.path_int("number")
    )
    query = asked.request.query_params
    pages = document_pages(
        asked.workspace,
        dataset,
        mine.row,
        person_id=asked.person.id,
        document=asked.path_int("document"),
        first=asked.query_int("from", None),
        count=asked.query_int("count", 9) or 1,
        around=query.get("around"),
        find=query.get("find"),
    )
    return JSONResponse(pages, headers=_FRESH)


def post_flag(asked: Signed) -> Response:
    """POST entries/{id}/flags: ask the lead a question."""
    flag = flags.raise_flag(
        asked.workspace, asked.person, entry_id=asked.path_int("id"), question=asked.body.get("question")
    )
    return JSONResponse({"flag": flag.as_json()}, headers=_FRESH)
