"""The routes of what is said about entries: comments on one, and precedents that help to judge it."""

from __future__ import annotations

from starlette.responses import JSONResponse, Response

from audit_core.web.access import Signed
from audit_core.workflow import comments
from audit_core.workflow.adjudication_view import SOMEBODY, labels_of
from audit_core.workflow.precedents import found_json, search_precedents

_FRESH = {"Cache-Control": "no-store"}


def _entry_id(asked: Signed) -> int:
    """Return the entry of the path, where the person may open it."""
    entry_id = asked.path_int("id")
    comments.require_entry(asked.workspace, asked.person, entry_id)
    return entry_id


def get_comments(asked: Signed) -> Response:
    """GET entries/{id}/comments: one's own, and those of others once one has judged the entry.

    With `adjudication=1` authors stand under the letters of their judgments, unless `names=1` asks for names.
    """
    entry_id, given = _entry_id(asked), asked.request.query_params
    found = comments.conversation(asked.workspace, asked.person, entry_id)
    shown = [comments.comment_json(each, asked.person) for each in found.comments]
    if given.get("adjudication") == "1" and given.get("names") != "1":
        called = labels_of(asked.workspace, asked.person, entry_id)
        for told, each in zip(shown, found.comments, strict=True):
            if not told["mine"]:
                told["author"] = called.get(each.comment.person_id, SOMEBODY)
    return JSONResponse({"comments": shown, "sealed": found.is_sealed, "closed": found.is_closed}, headers=_FRESH)


def post_comment(asked: Signed) -> Response:
    """POST entries/{id}/comments: write one."""
    added = comments.add_comment(asked.workspace, asked.person, entry_id=_entry_id(asked), text=asked.body.get("text"))
    return JSONResponse({"comment": comments.comment_json(added, asked.person)}, headers=_FRESH)


def delete_comment(asked: Signed) -> Response:
    """DELETE comments/{id}: delete one's own."""
    comments.delete_comment(asked.workspace, asked.person, asked.path_int("id"))
    return JSONResponse({}, headers=_FRESH)


def get_precedents(asked: Signed) -> Response:
    """GET entries/{id}/precedents: decided cases that have all of `words`, or those most like the entry's query."""
    found = search_precedents(
        asked.workspace,
        asked.person,
        entry_id=_entry_id(asked),
        asked=asked.request.query_params.get("words", ""),
        count=asked.query_int("count", 20) or 20,
    )
    return JSONResponse(
        {
            "found": [found_json(each) for each in found.found],
            "complete": found.is_complete,
            "searched": found.is_search,
        },
        headers=_FRESH,
    )
