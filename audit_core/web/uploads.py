"""The door of uploads: Streamlit takes files, and keeps them in memory, from whoever opened a page; here from leads alone."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from audit_core.domain import Role
from audit_core.errors import AssayError
from audit_core.web.access import answer_to, person_asking, refusal
from audit_core.workflow.roles import require_role

#: Where Streamlit takes files, below whatever path the app is served under.
_UPLOADS = "/_stcore/upload_file/"


class UploadDoor:
    """Lets a file through that a lead sends, or takes back; every form that asks for one stands on a page for leads."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it before its body is read."""
        if scope["type"] != "http" or _UPLOADS not in scope["path"] or scope["method"] == "OPTIONS":
            await self.app(scope, receive, send)
            return
        try:
            person = await run_in_threadpool(person_asking, Request(scope))
            if person is None:
                answer = refusal(401, "signed_out", "You are signed out. Sign in again to send a file.")
                await answer(scope, receive, send)
                return
            require_role(person, Role.LEAD)
        except AssayError as error:
            await answer_to(error)(scope, receive, send)
            return
        await self.app(scope, receive, send)
