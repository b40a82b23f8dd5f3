"""Files that Streamlit gives and takes: nothing for somebody who is signed out, and for a role only what its pages have."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from audit_core.domain import Role
from audit_core.web.file_door import FileDoor
from audit_core.workflow.sessions import token_for
from audit_core.workflow.sign_in import COOKIE
from audit_core.workflow.workspace import Workspace
from tests.accounts import cheap_hashes, with_account

DOWNLOAD, UPLOAD, ICON = "/media/0a1b2c.csv", "/_stcore/upload_file/one/two", "/media/0a1b2c.png"


@pytest.fixture(autouse=True)
def _local(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("ASSAY_ACCOUNTS", "local")
    with cheap_hashes():
        yield


def _given(_: Request) -> Response:
    return PlainTextResponse("judgments")


def client(workspace: Workspace, role: Role | None) -> TestClient:
    """A browser of somebody of that role, None for nobody, before the door and what lies behind it."""
    routes = [Route("/{path:path}", _given, methods=["GET", "PUT", "DELETE", "OPTIONS"])]
    browser = TestClient(FileDoor(Starlette(routes=routes)), base_url="http://localhost")
    if role is not None:
        browser.cookies.set(COOKIE, token_for(workspace, with_account(workspace, role.value, role)))
    return browser


@pytest.mark.parametrize(
    ("role", "download", "upload"),
    [(None, 401, 401), (Role.ANNOTATOR, 403, 403), (Role.ADJUDICATOR, 200, 403), (Role.LEAD, 200, 200)],
)
def test_a_download_is_for_those_who_may_see_all_judgments_and_an_upload_for_leads(
    workspace: Workspace, role: Role | None, download: int, upload: int
) -> None:
    browser = client(workspace, role)
    answer = browser.get(DOWNLOAD)
    assert answer.status_code == download
    assert ("judgments" in answer.text) is (download == 200)
    assert browser.get(f"/below{DOWNLOAD}").status_code == download
    assert browser.put(UPLOAD).status_code == upload


def test_the_icon_and_everything_else_need_no_role(workspace: Workspace) -> None:
    nobody = client(workspace, None)
    assert {nobody.get(path).status_code for path in (ICON, "/", "/judge", "/_stcore/health")} == {200}
