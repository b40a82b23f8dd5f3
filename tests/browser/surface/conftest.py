"""A fake server and a window with the judging surface for each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext

from tests.browser.surface.fake_server import FakeServer, entry
from tests.browser.surface.surface_window import Surface


@pytest.fixture
def new_surface(browser: Browser) -> Iterator[Callable[..., Surface]]:
    """Makes a surface over given entries; `beside` opens another window of the same browser profile."""
    servers: list[FakeServer] = []
    contexts: list[BrowserContext] = []
    surfaces: list[Surface] = []

    def make(entries: list[dict[str, Any]] | None = None, *, beside: Surface | None = None, **options: Any) -> Surface:
        if beside is None:
            servers.append(FakeServer(entries or [entry(number) for number in range(1, 13)]))
            contexts.append(browser.new_context(**({"viewport": {"width": 1440, "height": 900}} | options)))
            contexts[-1].set_default_timeout(15_000)
        server = beside.server if beside else servers[-1]
        context = beside.window.context if beside else contexts[-1]
        surfaces.append(Surface(context.new_page(), server))
        return surfaces[-1]

    yield make
    faults = [fault for surface in surfaces for fault in surface.faults]
    for context in contexts:
        context.close()
    for server in servers:
        server.stop()
    assert faults == []
