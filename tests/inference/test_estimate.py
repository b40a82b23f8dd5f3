"""The estimate before a run: what is kept is not counted, and what is not known is said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from audit_core.inference.chat_request import size_of
from audit_core.inference.estimate import estimate
from tests.inference.asking_desk import asks, desk_in, image


def test_an_estimate_counts_what_is_not_kept_yet_and_sends_nothing(tmp_path: Path) -> None:
    with desk_in(tmp_path, price_input=2.0, price_output=8.0) as desk:
        list(desk.run(asks(4)))
        found = estimate([*asks(10), *asks(10)], desk.model, desk.store)
        assert (found.asks, found.kept, found.calls) == (10, 4, 6)
        assert found.tokens_input == sum(size_of(ask).guess for ask in asks(10)[4:])
        assert found.tokens_output_most == 6 * 1024
        assert found.spend == (found.tokens_input * 2.0 + found.tokens_output_most * 8.0) / 1e6
        assert "Tokens are guessed" in found.says
        assert desk.server.count == 4
        changed = estimate(asks(10), replace(desk.model, temperature=0.5), desk.store)
        assert (changed.kept, changed.calls) == (0, 10)
        done = estimate(asks(4), desk.model, desk.store)
        assert (done.calls, done.tokens_input, done.spend) == (0, 0, 0.0)
        assert done.says == "Everything is answered already; nothing would be sent."
        unknown = estimate(asks(2_000), replace(desk.model, price_input=None), None)
        assert (unknown.asks, unknown.kept, unknown.calls, unknown.spend) == (2_000, 0, 2_000, None)
        assert "The price of stub is not known" in unknown.says


def test_images_count_with_their_own_guess(tmp_path: Path) -> None:
    with desk_in(tmp_path) as desk:
        bare = estimate(asks(3), desk.model, desk.store)
        seen = estimate(asks(3, images=(image("a", b"", tokens=500),)), desk.model, desk.store)
    assert seen.tokens_input - bare.tokens_input == 1_500
