"""A workspace for each test, on SQLite or, where a test asks, on PostgreSQL as well."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from audit_core.workflow.workspace import Workspace, open_workspace
from tests.postgres import fresh_postgresql


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    """The workspace of the test's own home."""
    found = open_workspace()
    yield found
    found.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def either_workspace(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    """A workspace on each kind of database."""
    if request.param == "postgresql":
        monkeypatch.setenv("ASSAY_DATABASE_URL", fresh_postgresql(request, migrated=True))
    found = open_workspace()
    yield found
    found.close()
