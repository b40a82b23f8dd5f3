"""A window with the judging surface in it, as a test sees it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import FloatRect, Locator, Page

from tests.browser.surface.fake_server import FakeServer


def rectangle(part: Locator) -> FloatRect:
    """Where a part lies in the window, in pixels."""
    found = part.bounding_box()
    assert found, "it is not shown"
    return found


class Surface:
    """A window with the surface in it, and the server behind it."""

    def __init__(self, window: Page, server: FakeServer) -> None:
        self.window = window
        self.server = server
        self.faults: list[str] = []
        window.on("pageerror", lambda fault: self.faults.append(str(fault)))

    def open(self, query: str = "") -> Surface:
        self.window.goto(f"{self.server.url}/?campaign=1{query}")
        return self

    def part(self, name: str) -> Locator:
        return self.window.get_by_test_id(name)

    def ready(self, mark: int | str) -> None:
        """Waits until all images of the entry are decoded (or have failed)."""
        self.window.locator(f"#host[data-ready='{mark}']").wait_for(state="attached")

    def saving(self, number: int) -> None:
        """Waits until so many judgments are unacknowledged."""
        self.window.locator(f"#host[data-saving='{number}']").wait_for(state="attached")

    def send_now(self) -> None:
        """Clicks "Try now", if the page has not sent again by itself since it was offered."""
        self.window.evaluate("document.querySelector('[data-testid=banner-retry]')?.click()")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.window.keyboard.press(key)

    def pressed(self) -> str:
        """The choices that are pressed, as letters."""
        shown = self.window.locator(".choice[aria-pressed=true] .letter")
        return "".join(shown.all_inner_texts())

    def stored(self, script: str) -> Any:
        return self.window.evaluate(script)

    def until(self, script: str, argument: Any = None) -> None:
        self.window.wait_for_function(script, arg=argument)

    def eventually(self, holds: Callable[[], object], *, seconds: float = 10) -> None:
        """Waits until something holds that the window brings about by itself, such as a request that the server is to get.

        Raises:
            AssertionError: it did not within that time.
        """
        end = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < end, f"it did not come about within {seconds} s"
            self.window.wait_for_timeout(50)

    def numbers_saved(self) -> list[int]:
        """The entries whose judgments the server took, in their order."""
        return [post["number"] for post in self.server.campaign.posts]

    def records(self) -> list[dict[str, Any]]:
        """What the outbox in the browser holds, oldest first."""
        found = self.stored("""() => new Promise((resolve, reject) => {
            const opening = indexedDB.open("assay");
            opening.onerror = () => reject(opening.error);
            opening.onsuccess = () => {
                const asked = opening.result.transaction("outbox").objectStore("outbox").getAll();
                asked.onsuccess = () => { opening.result.close(); resolve(asked.result); };
            };
        })""")
        return sorted(found, key=lambda record: record["order"])
