"""When a run must stop: refused keys, caps, servers that fail for good, cancellation. What arrived stays, the key is nowhere."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from audit_core.errors import InferenceError
from audit_core.inference.asking_progress import AskingProgress
from audit_core.inference.budget import CapReached, Caps
from audit_core.inference.chat import Status
from audit_core.inference.chat_endpoint import ChatEndpoint
from audit_core.inference.chat_request import size_of
from tests.inference.asking_desk import Desk, asks, desk_in, until_stopped
from tests.inference.chat_answers import right, saying, slow, status, truncated, until


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A server, a store and a model."""
    with desk_in(tmp_path / "answers") as found:
        yield found


def test_when_every_call_answers_402_at_most_as_many_as_are_in_flight_are_made_and_nothing_is_decided(
    desk: Desk,
) -> None:
    desk.server.otherwise = status(402, "Insufficient credits")
    answers, error = until_stopped(desk.run(asks(100), in_flight=8, total=100))
    assert answers == []
    assert isinstance(error, InferenceError)
    assert str(error).endswith(
        "answered 402: Insufficient credits. Start again when the account has credit. 0 answers of 100 questions are kept: "
        "start again, and only the rest is asked."
    )
    assert 1 <= desk.server.count <= 8
    assert (desk.spent().calls, desk.spent().tokens) == (desk.server.count, 0)
    assert len(desk.store) == 0
    # Without knowledge of the server, the probe is the only call.
    desk.server.requests.clear()
    _, error = until_stopped(desk.run(asks(100), probe=None))
    assert "answered 402" in str(error)
    assert len(desk.server.requests) == 1


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (status(401, "no such key"), "answered 401: no such key. Look at ASSAY_LLM_URL, ASSAY_LLM_MODEL and ASSAY_LLM_KEY."),
        (status(403, "not yours"), "answered 403: not yours."),
        (status(404, "no such model"), "answered 404: no such model."),
        (status(429, "quota", kind="insufficient_quota"), "Start again when there is quota."),
    ],
)  # fmt: skip
def test_what_no_repetition_mends_stops_the_run_and_what_arrived_is_kept(answer: Any, says: str, desk: Desk) -> None:
    desk.server.answers.extend([right, right, answer])
    answers, error = until_stopped(desk.run(asks(10), in_flight=1))
    assert says in str(error)
    assert "2 answers are kept" in str(error)
    assert len(answers) == len(desk.store) == 2
    assert desk.server.count == 3
    assert len(list(desk.run(asks(10)))) == 10
    assert desk.server.count == 3 + 8


def test_what_is_under_way_when_the_run_stops_arrives_and_is_handed_on(desk: Desk) -> None:
    refused = threading.Event()

    def refuse(handler: Any, request: Any) -> None:
        status(402)(handler, request)
        handler.wfile.flush()
        refused.set()

    desk.server.answers.extend([until(refused), until(refused), refuse])
    answers, error = until_stopped(desk.run(asks(20), in_flight=3))
    assert {answer.status for answer in answers} == {Status.ACCEPTED}
    assert len(answers) == len(desk.store) == 2
    assert "2 answers are kept" in str(error)
    assert desk.server.count == 3


@pytest.mark.parametrize("in_flight", [1, 8])
def test_a_cap_on_calls_is_never_passed_and_failed_attempts_count(in_flight: int, desk: Desk) -> None:
    desk.server.answers.extend([status(500), right, status(503)])
    answers, error = until_stopped(desk.run(asks(50), Caps(calls=10), in_flight=in_flight, total=50))
    assert isinstance(error, CapReached)
    assert str(error) == (
        f"The cap of 10 calls is reached: 10 were made. {len(answers)} answers of 50 questions are kept: give a higher cap "
        "to go on; they are not asked again."
    )
    assert desk.server.count == desk.spent().calls == 10
    assert len(answers) == len(desk.store) <= 8
    # The same run has nothing left; with a higher cap it goes on where it stopped.
    _, error = until_stopped(desk.run(asks(50), Caps(calls=10)))
    assert isinstance(error, CapReached)
    assert desk.server.count == 10
    assert len(list(desk.run(asks(50), Caps(calls=10 + 50 - len(answers))))) == 50


def test_the_trial_of_the_server_and_second_tries_count_against_the_cap(desk: Desk) -> None:
    desk.server.answers.extend([right, truncated])
    answers, error = until_stopped(desk.run(asks(5), Caps(calls=2), in_flight=1, probe=None))
    assert isinstance(error, CapReached)
    assert answers == []
    assert desk.server.count == 2
    # The truncated reply is not lost: the second try is all that is asked for.
    desk.server.requests.clear()
    (answer,) = desk.run(asks(1), Caps(calls=3))
    assert [request["max_tokens"] for request in desk.server.requests] == [2048]
    assert (answer.status, answer.attempts) == (Status.ACCEPTED, 2)


def using_all(handler: Any, request: Any) -> None:
    """Answer rightly, and say that a token was used for every byte of the prompt and all of `max_tokens`."""
    said = sum(len(message["content"].encode()) for message in request["messages"])
    usage = {"prompt_tokens": said, "completion_tokens": request["max_tokens"]}
    saying('{"clarity": 1}')(_With(handler, usage), request)


class _With:
    def __init__(self, handler: Any, usage: dict[str, int]) -> None:
        self._handler, self._usage = handler, usage

    def send(self, code: int, body: dict[str, Any]) -> None:
        self._handler.send(code, body | {"usage": self._usage})


@pytest.mark.parametrize("cap", [5_000, 12_345, 40_000])
def test_a_cap_on_tokens_is_never_passed_with_eight_in_flight_though_every_reply_uses_all_it_may(
    cap: int, desk: Desk
) -> None:
    desk.server.otherwise = using_all
    answers, error = until_stopped(desk.run(asks(200, user="Ж" * 100 + " {}"), Caps(tokens=cap)))
    assert isinstance(error, CapReached)
    used = sum(answer.tokens_input + answer.tokens_output for answer in answers)
    assert used == desk.spent().tokens <= cap
    one = size_of(asks(1, user="Ж" * 100 + " {}")[0]).bound + 1024
    assert cap - used < one + 100, "it stops no sooner than the next request could pass the cap"


def test_where_replies_use_less_than_they_may_a_cap_is_used_up_all_the_same(desk: Desk) -> None:
    # Eight at their most do not fit beside each other, one does: they wait for what is under way.
    answers, error = until_stopped(desk.run(asks(500), Caps(tokens=4_000)))
    assert isinstance(error, CapReached)
    assert 2_000 < desk.spent().tokens <= 4_000
    assert len(answers) == desk.server.count > 50


def test_a_cap_on_money_is_never_passed_and_without_a_price_it_is_refused(desk: Desk) -> None:
    priced = desk.with_model(price_input=10.0, price_output=50.0)
    desk.server.otherwise = using_all
    answers, error = until_stopped(priced.run(asks(100), Caps(spend=0.50)))
    assert isinstance(error, CapReached)
    assert "The cap of US $0.50 is reached" in str(error)
    spend = desk.spent().spend
    assert spend is not None
    assert 0.40 < spend <= 0.50
    assert len(answers) == desk.server.count
    for unpriced in (desk, desk.with_model(price_input=1.0)):
        with pytest.raises(InferenceError, match="money cannot be capped: cap calls or tokens instead"):
            unpriced.run(asks(1), Caps(spend=1.0))


def test_what_a_killed_run_had_under_way_counts_at_its_most_when_it_is_started_again(desk: Desk) -> None:
    desk.budget(run="killed").reserve(desk.budget().most(500, 1024)).result()
    assert (desk.spent("killed").calls, desk.spent("killed").tokens) == (1, 1524)
    answers, error = until_stopped(desk.run(asks(5), Caps(calls=3), run="killed", in_flight=1))
    assert isinstance(error, CapReached)
    assert len(answers) == desk.server.count == 2


def test_a_server_that_is_gone_stops_the_run_soon(desk: Desk) -> None:
    gone = desk.with_model(base_url="http://127.0.0.1:9/v1")
    answers, error = until_stopped(gone.run(asks(500), in_flight=4))
    assert "http://127.0.0.1:9/v1 cannot be reached, or broke off" in str(error)
    assert "The last 4 questions in a row failed" in str(error)
    assert {answer.status for answer in answers} == {Status.HTTP_FAILURE}
    assert gone.spent().calls <= 4 * 2 * 4
    assert gone.spent().tokens == 0, "nothing was sent"


def test_a_server_that_refuses_every_question_is_left_after_fifty(desk: Desk) -> None:
    desk.server.otherwise = status(400, "this model takes no images")
    answers, error = until_stopped(desk.run(asks(500), in_flight=1))
    assert "answered 400: this model takes no images. The last 50 questions in a row failed" in str(error)
    assert desk.server.count == 50
    assert len(answers) == 49


def test_cancelled_it_sends_nothing_more_keeps_what_arrived_and_ends(desk: Desk) -> None:
    silence = threading.Event()
    desk.server.answers.extend([right] * 3)
    desk.server.otherwise = until(silence)
    cancelled = threading.Event()
    started = time.monotonic()
    found = []
    for answer in desk.run(asks(100), in_flight=3, cancelled=cancelled.is_set):
        found.append(answer)
        if len(found) == 3:
            desk.server.wait_until(lambda server: server.at_once == 3)
            cancelled.set()
    assert time.monotonic() - started < 10, "what is under way is given up"
    assert len(found) == len(desk.store) == 3
    assert desk.server.count == 6
    assert desk.spent().calls == 6
    assert desk.spent().tokens > 3 * 1024, "what was given up may have been used"
    names = {thread.name for thread in threading.enumerate()}
    assert "assay-asking" not in names
    silence.set()


def test_an_error_of_the_report_ends_the_run_though_the_server_is_silent(desk: Desk) -> None:
    class Enough(Exception):
        pass

    def report(progress: AskingProgress) -> None:
        if progress.done == 2 and desk.server.at_once == 2:
            raise Enough

    silence = threading.Event()
    desk.server.answers.extend([right, right])
    desk.server.otherwise = until(silence)
    with pytest.raises(Enough):
        list(desk.run(asks(50), in_flight=2, report=report))
    silence.set()
    assert len(desk.store) == 2
    assert "assay-asking" not in {thread.name for thread in threading.enumerate()}


def test_a_run_that_is_left_early_keeps_what_arrived_and_may_be_taken_up_at_once(desk: Desk) -> None:
    run = desk.run(asks(30), in_flight=2)
    first = next(run)
    run.close()  # type: ignore[attr-defined]
    assert desk.store.get(first.key) is not None
    asked = desk.server.count
    assert len(list(desk.run(asks(30)))) == 30
    assert desk.server.count <= 30 + 2
    assert asked <= 30


def test_while_it_waits_for_a_retry_a_cancellation_is_seen(desk: Desk) -> None:
    desk.server.otherwise = status(429, Retry_After="200")
    started = time.monotonic()
    assert list(desk.run(asks(5), cancelled=lambda: desk.server.count >= 1)) == []
    assert time.monotonic() - started < 5


def test_the_key_is_sent_and_stands_in_no_message_repr_log_or_file(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    # With signs that JSON writes in another way.
    key = 'sk-very"secret\\12345'
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-server")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-another-server")
    caplog.set_level(logging.DEBUG)
    with desk_in(tmp_path / "answers", api_key=key) as desk:
        desk.server.answers.extend([right, saying(f'{{"clarity": 1}} {key}'), status(400, f"bad {key}")])
        answers = list(desk.run(asks(3), in_flight=1))
        desk.server.otherwise = status(401, f"Incorrect API key {key}")
        _, error = until_stopped(desk.run(asks(4)))
        assert {headers["authorization"] for headers in desk.server.headers} == {f"Bearer {key}"}
        assert "another-server" not in str(desk.server.headers)
        desk.server.otherwise = right
        list(desk.with_model(api_key=None).run(asks(4)))
        assert desk.server.headers[-1]["authorization"] == "Bearer none"
        assert "Incorrect API key ***" in str(error)
        shown = repr(desk.model) + repr(answers) + repr(error) + repr(ChatEndpoint(desk.model)) + caplog.text
        files = [file.read_bytes() for file in desk.store.folder.rglob("*") if file.is_file()]
    assert "***" in answers[1].raw
    assert files
    for part in ("sk-very", "12345"):
        assert part not in shown
        assert not any(part.encode() in content for content in files)


def test_a_key_that_is_a_plain_word_is_not_cut_out_of_replies(desk: Desk) -> None:
    desk.server.answers.append(saying('EMPTY {"clarity": 1}'))
    (answer,) = desk.with_model(api_key="EMPTY").run(asks(1))
    assert "EMPTY" in answer.raw


def test_a_disk_that_cannot_be_written_stops_the_run(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    from audit_core.errors import StorageError
    from audit_core.inference import answer_rows

    def full(*_: Any, **__: Any) -> None:
        import sqlite3

        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(answer_rows, "insert", full)
    answers, error = until_stopped(desk.run(asks(20), in_flight=2))
    assert answers == []
    assert isinstance(error, StorageError)
    assert "disk is full" in str(error)
    assert desk.server.count <= 4


def test_slowness_alone_is_no_failure(desk: Desk) -> None:
    desk.server.otherwise = slow(0.3)
    assert {answer.attempts for answer in desk.run(asks(8))} == {1}
