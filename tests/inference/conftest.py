"""What the tests of inference share: a server, an endpoint that never really waits, and no proxy in between."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from audit_core.inference.embedder_endpoint import Endpoint
from audit_core.inference.retrying import Patience
from tests.inference.embeddings_server import EmbeddingsServer, running


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "OPENAI_API_KEY", "OPENAI_CUSTOM_HEADERS"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.fixture
def server() -> Iterator[EmbeddingsServer]:
    """A server on 127.0.0.1."""
    with running() as found:
        yield found


@pytest.fixture
def waits() -> list[float]:
    """The seconds that the endpoint wanted to wait, in order."""
    return []


@pytest.fixture
def endpoint(server: EmbeddingsServer, waits: list[float]) -> Callable[..., Endpoint]:
    """Makes an endpoint for the server; it waits for nothing and writes down how long it would have."""

    def make(**options: Any) -> Endpoint:
        given = {"base_url": server.url, "model": "m", "batch_size": 4, "timeout_seconds": 20.0} | options
        attempts = given.pop("attempts", 6)
        return Endpoint(**given, patience=Patience(attempts=attempts, pause=waits.append))

    return make


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """The folder of vector stores."""
    return tmp_path / "cache"
