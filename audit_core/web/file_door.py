"""The doors of files that Streamlit takes and gives: by itself it asks nobody who they are."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from audit_core.domain import Role
from audit_core.errors import AssayError
from audit_core.web.access import answer_to, person_asking, refusal
from audit_core.workflow.roles import require_role

#: Where Streamlit takes files and where it gives them, below whatever path the app is served under.
_UPLOADS, _MEDIA = "/_stcore/upload_file/", "/media/"
#: The page's icon comes from there as well, for the sign-in too; no page of a dataset ever does.
_ICONS = (".png", ".ico", ".svg")


class FileDoor:
    """Lets a file through that a lead sends or takes back, and a download that somebody asks for who may see all judgments.

    Every form that asks for a file stands on a page for leads, and every download on one for adjudicators or leads. The
    address of a download is a hash of its content: whoever has it from elsewhere needs a sign-in all the same.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it before its body is read."""
        role = _role_for(scope)
        if role is None:
            await self.app(scope, receive, send)
            return
        try:
            person = await run_in_threadpool(person_asking, Request(scope))
            if person is None:
                answer = refusal(401, "signed_out", "You are signed out. Sign in again for this file.")
                await answer(scope, receive, send)
                return
            require_role(person, role)
        except AssayError as error:
            await answer_to(error)(scope, receive, send)
            return
        await self.app(scope, receive, send)


def _role_for(scope: Scope) -> Role | None:
    """Return the least role that a request needs here, None where it is for neither door."""
    if scope["type"] != "http" or scope["method"] == "OPTIONS":
        return None
    path = scope["path"]
    if _UPLOADS in path:
        return Role.LEAD
    return Role.ADJUDICATOR if _MEDIA in path and not path.endswith(_ICONS) and not path.startswith("/api/") else None
