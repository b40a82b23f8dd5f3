"""A browser's side of the routes: clients that are signed in, and a campaign to judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from httpx2 import Response
from starlette.applications import Starlette
from starlette.testclient import TestClient

from audit_core.storage.campaigns import CampaignRow
from audit_core.web import routes
from audit_core.workflow.workspace import Workspace, open_workspace
from tests.homes import with_campaign

ORIGIN = "http://testserver"
#: What our own pages send with every request that changes something.
OURS = {"X-Assay": "1", "Origin": ORIGIN}


@dataclass
class Browser:
    """A client with a cookie of its own; every request carries our pages' headers."""

    client: TestClient

    def get(self, path: str, **options: Any) -> Response:
        return self.client.get(path, **options)

    def send(self, method: str, path: str, body: Any = None, **options: Any) -> Response:
        options.setdefault("headers", OURS)
        return self.client.request(method, path, json=body, **options)

    def judge(self, entry: int, **body: Any) -> Response:
        filled = {"nonce": "nonce-0001", "base_revision": 0, "outcome": "judged", "codes": "", **body}
        return self.send("POST", f"/api/entries/{entry}/judgments", filled)


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    """The workspace that the routes open too."""
    found = open_workspace()
    yield found
    found.close()


@pytest.fixture
def campaign(workspace: Workspace, tmp_path: Path) -> CampaignRow:
    """A campaign over three entries."""
    return with_campaign(workspace, tmp_path / "bundle")


@pytest.fixture
def open_browser(workspace: Workspace) -> Iterator[Callable[..., Browser]]:
    """A function that opens a browser, signed in as `name` where one is given."""
    opened: list[TestClient] = []

    def make(name: str | None = None) -> Browser:
        client = TestClient(Starlette(routes=routes), base_url=ORIGIN)
        opened.append(client)
        browser = Browser(client)
        if name is not None:
            assert browser.send("POST", "/api/session", {"name": name}).status_code == 200
        return browser

    yield make
    for client in opened:
        client.close()


@pytest.fixture
def ada(open_browser: Callable[..., Browser]) -> Browser:
    """A browser in which Ada is signed in."""
    return open_browser("Ada")
