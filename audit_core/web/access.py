"""Who asks, and from where: the checks before every route, and what a refusal looks like."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from audit_core import errors
from audit_core.domain import Role
from audit_core.storage.people import Person
from audit_core.workflow import arrivals, sign_in
from audit_core.workflow.roles import require_role
from audit_core.workflow.workspace import Workspace, open_workspace

log = logging.getLogger("assay.web")

#: Largest request body, in bytes.
BODY_MAX = 262_144


class _TooLarge(errors.JudgmentInvalid):
    """The body is larger than any judgment can be."""


#: Error class -> (HTTP status, code word), the most special first.
_ANSWERS: tuple[tuple[type[errors.AssayError], int, str], ...] = (
    (errors.CampaignPaused, 410, "paused"),
    (errors.CampaignClosed, 410, "closed"),
    (errors.EntryTaken, 409, "taken"),
    (errors.JudgmentConflict, 409, "conflict"),
    (_TooLarge, 413, "too_large"),
    (errors.JudgmentInvalid, 422, "invalid"),
    (errors.TooManyAttempts, 429, "throttled"),
    (errors.SignInError, 422, "invalid"),
    (errors.NotAllowed, 403, "forbidden"),
    (errors.AccountError, 422, "invalid"),
    (errors.NotFound, 404, "not_found"),
    (errors.PageUnavailable, 404, "not_found"),
    (errors.StorageError, 503, "storage"),
)


def refusal(status: int, code: str, message: str, **more: object) -> JSONResponse:
    """Return an error as the judging surface reads it."""
    return JSONResponse(
        {"error": message, "code": code, **more}, status_code=status, headers={"Cache-Control": "no-store"}
    )


def answer_to(error: errors.AssayError) -> JSONResponse:
    """Return the HTTP answer for an error of ours."""
    for kind, status, code in _ANSWERS:
        if isinstance(error, kind):
            more = {"newest": error.newest} if isinstance(error, errors.JudgmentConflict) else {}
            return refusal(status, code, str(error), **more)
    return refusal(500, "error", str(error))


def is_same_origin(request: Request) -> bool:
    """Return whether a changing request comes from our own pages: the custom header, and Origin naming this host."""
    if request.headers.get("x-assay") != "1":
        return False
    try:
        origin = urlsplit(request.headers.get("origin", ""))
    except ValueError:
        return False
    return origin.scheme in ("http", "https") and origin.netloc != "" and origin.netloc == request.headers.get("host")


def person_asking(request: Request) -> Person | None:
    """Return who asks, by cookie or through a trusted proxy; None for nobody. It reads the database."""
    mark = request.headers.get(arrivals.HEADER)
    return sign_in.person_of(open_workspace(), request.cookies.get(sign_in.COOKIE), mark)


def address_of(request: Request) -> str:
    """Return the address that asks, as the door noted it, else as the server sees it."""
    arrival = arrivals.arrival_of(request.headers.get(arrivals.HEADER))
    if arrival is not None:
        return arrival.address
    return request.client.host if request.client else "unknown"


class Signed:
    """A request of somebody who is signed in: who, where, and the body's JSON object."""

    def __init__(self, request: Request, workspace: Workspace, person: Person, body: dict[str, Any]) -> None:
        self.request = request
        self.workspace = workspace
        self.person = person
        self.body = body

    def require(self, role: Role) -> None:
        """Go on where the person may do what `role` may.

        Raises:
            NotAllowed: the person may not.
        """
        require_role(self.person, role)

    def path_int(self, name: str) -> int:
        """Return a whole number of the path, or say that there is no such thing."""
        return _whole(self.request.path_params[name], name)

    def query_ints(self, name: str) -> list[int]:
        """Return the whole numbers of a list such as `3,7` in the query string; what is none is passed over."""
        parts = self.request.query_params.get(name, "").split(",")
        return [int(each) for each in parts if _is_whole(each)]

    def query_int(self, name: str, default: int | None) -> int | None:
        """Return a whole number of the query string, `default` where it is absent."""
        raw = self.request.query_params.get(name)
        return default if raw in (None, "") else _whole(str(raw), name)


def _is_whole(raw: str) -> bool:
    return raw.isascii() and raw.isdigit() and len(raw) <= 9


def _whole(raw: str, name: str) -> int:
    if not _is_whole(raw):
        raise errors.NotFound(f"{name} is {raw[:40]!r}: it must be a whole number.")
    return int(raw)


async def read_body(request: Request) -> dict[str, Any]:
    """Return the body's JSON object.

    Raises:
        JudgmentInvalid: it is too large or not a JSON object.
    """
    raw = b""
    async for part in request.stream():
        raw += part
        if len(raw) > BODY_MAX:
            raise _TooLarge(f"The request is larger than {BODY_MAX:,} bytes: shorten the note.")
    try:
        body = json.loads(raw or b"{}")
    except (ValueError, RecursionError) as error:
        raise errors.JudgmentInvalid(f"The request is not JSON: {error}.") from None
    if not isinstance(body, dict):
        raise errors.JudgmentInvalid("The request must be a JSON object.")
    return body


def signed_in(work: Callable[[Signed], Response]) -> Callable[[Request], Any]:
    """Return the endpoint that checks who asks and from where, then does `work` on a thread of the pool."""

    async def endpoint(request: Request) -> Response:
        changes = request.method not in ("GET", "HEAD")
        if changes and not is_same_origin(request):
            return refusal(403, "forbidden", "This request did not come from Assay's own pages.")
        try:
            body = await read_body(request) if changes else {}
            return await run_in_threadpool(_answer, work, request, body)
        except errors.AssayError as error:
            return answer_to(error)

    return endpoint


def _answer(work: Callable[[Signed], Response], request: Request, body: dict[str, Any]) -> Response:
    try:
        workspace = open_workspace()
        person = person_asking(request)
        if person is None:
            return refusal(401, "signed_out", "You are signed out. Sign in again; nothing that you saved is lost.")
        if request.headers.get("x-assay-person", str(person.id)) != str(person.id):
            # Somebody else signed in in another tab: the window that asks must not write (or read) in their name.
            return refusal(
                401, "signed_out", f"{person.name} is signed in in this browser now. Sign in again as yourself."
            )
        return work(Signed(request, workspace, person, body))
    except errors.AssayError as error:
        return answer_to(error)
    except Exception:
        log.exception("%s %s failed", request.method, request.url.path)
        return refusal(
            500, "error", "Assay met a fault of its own; the terminal it runs in tells more. Nothing is lost."
        )
