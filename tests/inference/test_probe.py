"""Trying a server out: whether it keeps to a schema, ignores or refuses it, and how it calls the bound on tokens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from audit_core.errors import InferenceError
from audit_core.inference.budget import CapReached, Caps
from audit_core.inference.chat import Status
from audit_core.inference.probe import Probe, forget_probe, kept_probe, probe
from tests.inference.asking_desk import QUICK, Desk, asks, desk_in
from tests.inference.chat_answers import (
    PROSE,
    Answer,
    ignores_schema,
    no_usage,
    refuses_response_format,
    right,
    saying,
    status,
    truncated,
)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A server, a store and a model."""
    with desk_in(tmp_path / "answers") as found:
        yield found


def tried(desk: Desk, caps: Caps | None = None, **options: Any) -> Probe:
    return probe(desk.model, store=desk.store, budget=desk.budget(caps), patience=QUICK, **options)


def test_a_server_that_sends_json_though_prose_is_asked_for_enforces_the_schema(desk: Desk) -> None:
    found = tried(desk)
    assert (found.mode, found.limit_name) == ("enforced", "max_tokens")
    assert desk.server.count == desk.spent().calls == 1
    assert desk.spent().tokens > 0


def test_what_was_found_out_is_kept_and_not_asked_for_again(desk: Desk) -> None:
    found = tried(desk)
    assert tried(desk) == kept_probe(desk.store, desk.model) == found
    assert Probe.from_json(found.as_json()) == found
    assert desk.server.count == 1
    list(desk.run(asks(2), probe=None))
    assert desk.server.count == 3
    assert kept_probe(desk.store, desk.with_model(model="other").model) is None
    tried(desk, anew=True)
    assert desk.server.count == 4
    forget_probe(desk.store, desk.model)
    tried(desk)
    assert desk.server.count == 5
    with pytest.raises(InferenceError, match="no record of a probe"):
        Probe.from_json({"mode": "perhaps"})


@pytest.mark.parametrize("answer", [saying(PROSE), saying('{"weather": "wet"}'), saying(""), truncated])
def test_a_server_that_sends_anything_else_ignores_it_and_replies_are_validated_all_the_same(
    answer: Answer, desk: Desk
) -> None:
    desk.server.answers.append(answer)
    desk.server.otherwise = ignores_schema
    answers = list(desk.run(asks(3), probe=None))
    kept = kept_probe(desk.store, desk.model)
    assert kept is not None
    assert kept.mode == "ignored"
    assert all("response_format" in request for request in desk.server.requests)
    assert {each.status for each in answers} == {Status.ACCEPTED}
    desk.server.otherwise = saying('{"clarity": 0.8}')
    assert {each.status for each in desk.run(asks(2, start=9), probe=None)} == {Status.OFF_SCALE}


def test_a_server_that_refuses_a_schema_is_sent_none(desk: Desk) -> None:
    desk.server.otherwise = refuses_response_format(saying('{"clarity": 0.25}'))
    answers = list(desk.run(asks(3), probe=None))
    assert {each.status for each in answers} == {Status.ACCEPTED}
    assert ["response_format" in request for request in desk.server.requests] == [True, False, False, False, False]
    kept = kept_probe(desk.store, desk.model)
    assert kept is not None
    assert kept.mode == "refused"
    assert desk.spent().calls == 5


def test_a_server_that_knows_the_bound_under_its_newer_name_gets_that(desk: Desk) -> None:
    def newer(handler: Any, request: dict[str, Any]) -> None:
        told = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
        (status(400, told) if "max_tokens" in request else right)(handler, request)

    desk.server.otherwise = newer
    found = tried(desk)
    assert (found.mode, found.limit_name) == ("enforced", "max_completion_tokens")
    assert [each.status for each in desk.run(asks(1), probe=None)] == [Status.ACCEPTED]
    assert desk.server.requests[-1]["max_completion_tokens"] == 1024
    assert "max_tokens" not in desk.server.requests[-1]


def test_a_server_that_refuses_a_plain_question_is_told_with_what_to_look_at(desk: Desk) -> None:
    desk.server.otherwise = status(400, "temperature must be 1")
    with pytest.raises(InferenceError, match=r"400: temperature must be 1\. It refuses a plain question.*temperature"):
        tried(desk)
    assert desk.server.count == 2
    assert kept_probe(desk.store, desk.model) is None


def test_the_trial_is_repeated_and_counted_like_any_request(desk: Desk) -> None:
    desk.server.answers.extend([status(500), status(429, Retry_After="0"), no_usage])
    assert tried(desk).mode == "enforced"
    assert desk.server.count == desk.spent().calls == 3
    assert desk.spent().tokens_output == 1024
    desk.server.otherwise = status(500, "down")
    with pytest.raises(InferenceError, match=r"answered 500: down\. It was asked 4 times"):
        tried(desk, anew=True)
    with pytest.raises(CapReached):
        tried(desk, Caps(calls=3), anew=True)
