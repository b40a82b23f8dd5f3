"""Steps of a journey through the app, in the words of a user."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page

from tests.browser.conftest import AppServer

HOST = "[data-testid='judging-surface']"


class Visitor:
    """Somebody with a browser window on the app."""

    def __init__(self, page: Page, app: AppServer) -> None:
        self.page = page
        self.app = app

    def sign_in(self, name: str = "Ada") -> Visitor:
        self.page.goto(self.app.address)
        field = self.page.locator("input[name=name]")
        field.fill(name)
        field.press("Enter")
        self.page.get_by_test_id("who").get_by_text(name).wait_for()
        return self

    def open_campaign(self, name: str) -> Visitor:
        """Open the judging page of a campaign at the first entry that is not judged."""
        self.page.goto(f"{self.app.address}/judge?campaign={self.campaign_id(name)}")
        return self

    def campaign_id(self, name: str) -> int:
        rows = json.loads(self.app.run("campaigns", "--json"))
        return next(int(row["id"]) for row in rows if row["name"] == name)

    def ready(self, entry: int | str) -> Visitor:
        """Wait until the entry's page images are decoded, or have failed."""
        self.page.locator(f"{HOST}[data-ready='{entry}']").wait_for(state="attached")
        return self

    def acknowledged(self) -> Visitor:
        """Wait until no judgment is on its way."""
        self.page.locator(f"{HOST}[data-saving='0']").wait_for(state="attached")
        return self

    def press(self, *keys: str) -> Visitor:
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def part(self, name: str) -> Any:
        return self.page.get_by_test_id(name)

    def images_are_decoded(self) -> bool:
        """Whether every page image in view has pixels."""
        script = "images => images.length > 0 && images.every(each => each.complete && each.naturalWidth > 0)"
        return bool(self.page.locator(f"{HOST} [data-testid=pane] img").evaluate_all(script))


def judgments(app: AppServer, campaign: str, dataset: str, folder: Any) -> list[dict[str, Any]]:
    """The saved judgments of a campaign, as an export writes them."""
    app.run("export-bundle", dataset, str(folder))
    file = folder / "judgments" / f"{campaign}.jsonl"
    if not file.is_file():
        return []
    return [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n") if line]
