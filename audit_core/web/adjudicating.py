"""The routes of adjudication: an entry with all judgments, the list of entries, decisions, unanimous ones together."""

from __future__ import annotations

from starlette.responses import JSONResponse, Response

from audit_core.domain import JsonObject, Role
from audit_core.errors import JudgmentInvalid
from audit_core.web.access import Signed
from audit_core.web.judging import campaign_json
from audit_core.workflow import adjudicating
from audit_core.workflow.adjudication_list import adjudication_page
from audit_core.workflow.adjudication_states import tally
from audit_core.workflow.adjudication_view import open_adjudication
from audit_core.workflow.answer_check import protocol_of

_FRESH = {"Cache-Control": "no-store"}


def _json(content: JsonObject) -> Response:
    return JSONResponse(content, headers=_FRESH)


def adjudication(asked: Signed) -> Response:
    """GET campaigns/{cid}/adjudication: the campaign, its counts, the entry to decide with all judgments, and the next ones.

    `state` is the filter, `entry` a number, `count` how many next ones; `names=1` names annotators.
    """
    asked.require(Role.ADJUDICATOR)
    given = asked.request.query_params
    opened = open_adjudication(
        asked.workspace,
        asked.person,
        asked.path_int("cid"),
        number=asked.query_int("entry", None),
        only=given.get("state") or "disputed",
        count=asked.query_int("count", 3) or 0,
        names=given.get("names") == "1",
    )
    found = tally(asked.workspace, opened.campaign, asked.person)
    return _json(
        {
            "campaign": campaign_json(
                asked.workspace, opened.campaign, opened.dataset, entries=sum(found.counts.values())
            ),
            "protocol": protocol_of(opened.campaign).description(),
            "me": {"id": asked.person.id, "name": asked.person.name},
            "counts": found.counts,
            "disputed_decided": found.disputed_decided,
            "entry": opened.entry,
            "next": opened.ahead,
        }
    )


def overview(asked: Signed) -> Response:
    """GET campaigns/{cid}/adjudication/overview: a page of entries in short, from a number or before one, by a filter."""
    asked.require(Role.ADJUDICATOR)
    page = adjudication_page(
        asked.workspace,
        asked.person,
        asked.path_int("cid"),
        only=asked.request.query_params.get("state") or "all",
        first=asked.query_int("from", 1) or 1,
        before=asked.query_int("before", None),
    )
    return _json(page.as_json())


def post_decision(asked: Signed) -> Response:
    """POST entries/{id}/decisions: decide an entry, once for the nonce; the basis `reopened` takes the decision back."""
    asked.require(Role.ADJUDICATOR)
    saved = adjudicating.save_decision(asked.workspace, asked.person, entry_id=asked.path_int("id"), body=asked.body)
    found = tally(asked.workspace, saved.campaign, asked.person)
    return _json(
        {
            "nonce": saved.decision.nonce,
            "revision": saved.decision.revision,
            "decided_at": saved.decision.decided_at,
            "repeated": saved.repeated,
            "counts": found.counts,
            "disputed_decided": found.disputed_decided,
        }
    )


def post_unanimous(asked: Signed) -> Response:
    """POST campaigns/{cid}/decisions/unanimous: accept the unanimous ones among `numbers` together."""
    asked.require(Role.ADJUDICATOR)
    numbers = asked.body.get("numbers")
    if not isinstance(numbers, list) or not all(type(each) is int and 0 < each < 2**31 for each in numbers):
        raise JudgmentInvalid("numbers must be a list of entry numbers.")
    accepted = adjudicating.accept_unanimous(asked.workspace, asked.person, asked.path_int("cid"), numbers)
    return _json(accepted.as_json())
