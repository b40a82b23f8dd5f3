"""What holds on the judging surface whatever a protocol asks: keys without clashes, help, guidelines, cannot judge."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from playwright.sync_api import expect

from audit_core import registry
from tests.browser.surface.surface_window import Surface

PROTOCOLS = registry.load_folder("audit_core.protocols")
#: What a French keyboard (AZERTY) gives without AltGr, beside letters; its digits stand under the signs, and are read by place.
FRENCH = set("0123456789&é\"'(-è_çà)=,;:!?./§%*+$£<>")


@pytest.fixture(params=PROTOCOLS.values(), ids=PROTOCOLS)
def surface(request: pytest.FixtureRequest, new_surface: Callable[..., Surface]) -> Surface:
    """The surface under one protocol, with entry 1 in view."""
    protocol: ModuleType = request.param
    made = new_surface()
    made.server.campaign.protocol = protocol.description()
    made.open().ready(1)
    return made


def table(surface: Surface) -> list[dict[str, Any]]:
    script = """async (protocol) => (await import("/api/viewer/test/keys.js")).keyTable(protocol)"""
    found: list[dict[str, Any]] = surface.window.evaluate(script, surface.server.campaign.protocol)
    return found


def test_no_key_means_two_things_and_every_key_is_on_a_french_keyboard_too(surface: Surface) -> None:
    rows = table(surface)
    keys = [key for row in rows for key in row["keys"]]
    assert len(set(keys)) == len(keys)
    for row in rows:
        signs = [key.split("+")[-1] or "+" for key in row["keys"]]
        assert any(len(sign) > 1 or sign.isalpha() or sign in FRENCH for sign in signs), row["shown"]


def test_the_overlay_lists_every_key_once_and_all_answers(surface: Surface) -> None:
    surface.press("?")
    listed = surface.part("help").locator("[data-keys]").evaluate_all("rows => rows.map(each => each.dataset.keys)")
    assert sorted(listed) == sorted(" ".join(row["keys"]) for row in table(surface))


def test_the_guidelines_open_and_close_with_h(surface: Surface) -> None:
    surface.press("h")
    titles = surface.part("guidelines").locator("section h3 span:last-child").all_inner_texts()
    assert titles == [each["title"] for each in surface.server.campaign.protocol["guidelines"]["sections"]]
    surface.press("h")
    expect(surface.part("guidelines")).to_be_hidden()


def test_enter_saves_nothing_before_something_is_said_and_cannot_judge_is_always_an_answer(surface: Surface) -> None:
    surface.press("Enter")
    expect(surface.part("choose-first")).to_be_visible()
    surface.press("x", "Enter")
    surface.ready(2)
    surface.saving(0)
    post = surface.server.campaign.posts[0]
    assert (post["outcome"], post["codes"], post["fields"]) == ("cannot_judge", "", {})
