"""Databases under test, each closed after its test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from audit_core.storage.database import Database, open_database
from tests.postgres import fresh_postgresql


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the SQLite file of a test lies."""
    return tmp_path / "store" / "assay.db"


@pytest.fixture
def sqlite(file: Path) -> Iterator[Database]:
    """An empty SQLite database with the newest schema."""
    database = open_database(f"sqlite:///{file}")
    yield database
    database.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, file: Path) -> str:
    """The address of a database that does not exist yet (SQLite) or is empty (PostgreSQL)."""
    return f"sqlite:///{file}" if request.param == "sqlite" else fresh_postgresql(request)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, file: Path) -> Iterator[Database]:
    """A database with the newest schema and no rows."""
    is_sqlite = request.param == "sqlite"
    found = open_database(f"sqlite:///{file}" if is_sqlite else fresh_postgresql(request, migrated=True))
    yield found
    found.close()
