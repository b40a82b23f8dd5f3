"""POST and DELETE /api/session: signing in and out."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from audit_core import config
from audit_core.errors import AssayError, SignInError
from audit_core.storage.people import Person
from audit_core.web.access import answer_to, is_same_origin, read_body, refusal
from audit_core.workflow import sign_in
from audit_core.workflow.workspace import open_workspace


def _enter(name: str) -> tuple[Person, str]:
    workspace = open_workspace()
    person = sign_in.sign_in(workspace, name)
    return person, sign_in.token_for(workspace, person)


async def open_session(request: Request) -> Response:
    """Sign in by name: answers with the person and sets the signed cookie."""
    if not is_same_origin(request):
        return refusal(403, "forbidden", "This request did not come from Assay's own pages.")
    try:
        name = (await read_body(request)).get("name")
        if not isinstance(name, str):
            raise SignInError("Type your name: it marks your judgments.")
        max_age, secure = config.session_seconds(), config.secure_cookie()
        person, token = await run_in_threadpool(_enter, name)
    except AssayError as error:
        return answer_to(error)
    response = JSONResponse({"id": person.id, "name": person.name})
    response.set_cookie(sign_in.COOKIE, token, max_age=max_age, httponly=True, samesite="lax", secure=secure, path="/")
    return response


async def close_session(request: Request) -> Response:
    """Sign out: removes the cookie."""
    if not is_same_origin(request):
        return refusal(403, "forbidden", "This request did not come from Assay's own pages.")
    response = JSONResponse({})
    response.delete_cookie(sign_in.COOKIE, path="/")
    return response
