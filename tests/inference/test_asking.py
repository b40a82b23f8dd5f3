"""Asking many questions: what is sent, what is kept, what is asked again, and what each answer tells."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from audit_core.errors import InferenceError
from audit_core.inference.asking import ask_all
from audit_core.inference.asking_progress import AskingProgress
from audit_core.inference.chat import Ask, Status
from audit_core.inference.retrying import Patience
from tests.inference.asking_desk import Desk, asks, desk_in
from tests.inference.chat_answers import (
    cut_off,
    every_third,
    hangs_up,
    html,
    no_usage,
    right,
    saying,
    slow,
    status,
    truncated,
    until,
    wrong_type,
)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A server, a store and a model."""
    with desk_in(tmp_path / "answers") as found:
        yield found


def test_every_question_is_asked_once_and_its_answer_is_kept_with_what_it_used(desk: Desk) -> None:
    answers = list(desk.run(asks(20)))
    assert sorted(answer.query_id for answer in answers) == sorted(f"q{number}" for number in range(20))
    assert {answer.status for answer in answers} == {Status.ACCEPTED}
    assert all(answer.value is not None and answer.value["clarity"] in (0, 0.25, 0.5, 0.75, 1) for answer in answers)
    assert desk.server.count == 20
    usages = [json.loads(answer.raw)["usage"] for answer in answers]
    assert [answer.tokens_input for answer in answers] == [usage["prompt_tokens"] for usage in usages]
    assert [answer.tokens_output for answer in answers] == [usage["completion_tokens"] for usage in usages]
    assert {answer.attempts for answer in answers} == {1}
    again = list(desk.run(asks(20)))
    assert desk.server.count == 20, "nothing is asked twice"
    assert {answer.was_kept for answer in again} == {True}
    kept = {answer.key: replace(answer, was_kept=False) for answer in again}
    assert kept == {answer.key: answer for answer in answers}


def test_a_request_carries_prompt_model_parameters_and_schema_and_nothing_that_was_not_asked_for(desk: Desk) -> None:
    list(desk.run(asks(1)))
    request = desk.server.requests[0]
    assert request == {
        "model": "stub",
        "messages": [
            {"role": "system", "content": "Answer in JSON."}, {"role": "user", "content": "Rate query 0."},
        ],
        "max_tokens": 1024, "temperature": 0.0, "stream": False,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "llm_rating", "schema": dict(asks(1)[0].schema), "strict": True},
        },
    }  # fmt: skip
    other = desk.with_model(temperature=None, seed=7, max_tokens=9, extra={"top_k": 1, "stream": True})
    list(other.run(asks(1)))
    request = desk.server.requests[1]
    assert (request["seed"], request["max_tokens"], request["top_k"]) == (7, 9, 1)
    assert request["stream"] is False, "what extra says gives way"
    assert "temperature" not in request


def test_one_word_of_the_prompt_changed_makes_new_keys_and_the_old_answers_are_kept(desk: Desk) -> None:
    before = list(desk.run(asks(3)))
    after = list(desk.run(asks(3, user="Judge query {}.")))
    assert desk.server.count == 6
    assert not {answer.key for answer in before} & {answer.key for answer in after}
    assert len(desk.store) == 6
    assert desk.store.get_many([answer.key for answer in before]).keys() == {answer.key for answer in before}
    assert {answer.was_kept for answer in desk.run(asks(3))} == {True}
    assert desk.server.count == 6


def test_every_third_request_times_out_and_every_question_is_answered(desk: Desk) -> None:
    desk.server.otherwise = every_third(slow(60.0))
    short = desk.with_model(timeout_seconds=1.5)
    answers = list(short.run(asks(6), in_flight=2))
    assert {answer.status for answer in answers} == {Status.ACCEPTED}
    # Of 8 requests the 3rd and the 6th time out, and 6 are answered.
    assert desk.server.count == 8
    assert Counter(answer.attempts for answer in answers) in ({1: 4, 2: 2}, {1: 5, 3: 1})
    spent = desk.spent()
    assert spent.calls == 8
    assert spent.tokens_output == sum(answer.tokens_output for answer in answers)
    assert spent.tokens_output > 2 * 1024, "what timed out may have been used: it counts at its most"


def test_a_reply_that_dribbles_in_does_not_outlive_the_time_out(desk: Desk) -> None:
    def dribble(handler: object, request: object) -> None:
        handler.send_response(200)  # type: ignore[attr-defined]
        handler.send_header("Content-Length", "1000000")  # type: ignore[attr-defined]
        handler.end_headers()  # type: ignore[attr-defined]
        while not handler.server.closing.wait(0.05):  # type: ignore[attr-defined]
            handler.wfile.write(b" ")  # type: ignore[attr-defined]
            handler.wfile.flush()  # type: ignore[attr-defined]

    desk.server.answers.append(dribble)
    answers = list(desk.with_model(timeout_seconds=1.5).run(asks(1)))
    assert [(answer.status, answer.attempts) for answer in answers] == [(Status.ACCEPTED, 2)]


@pytest.mark.parametrize(
    "failure", [status(500), status(503), status(408), status(409), status(429), cut_off, hangs_up, html]
)
def test_a_failure_that_may_pass_is_asked_again(failure: object, desk: Desk) -> None:
    desk.server.answers.append(failure)  # type: ignore[arg-type]
    answers = list(desk.run(asks(1)))
    assert [(answer.status, answer.attempts) for answer in answers] == [(Status.ACCEPTED, 2)]
    assert desk.server.count == desk.spent().calls == 2


def test_a_reply_with_a_wrong_content_type_is_read_all_the_same(desk: Desk) -> None:
    desk.server.answers.append(wrong_type)
    assert [answer.status for answer in desk.run(asks(1))] == [Status.ACCEPTED]
    assert desk.server.count == 1


def test_after_a_429_nobody_asks_before_the_time_that_the_server_names(desk: Desk) -> None:
    times: list[float] = []

    def timed(handler: object, request: object) -> None:
        times.append(time.monotonic())
        right(handler, request)  # type: ignore[arg-type]

    def first(handler: object, request: object) -> None:
        times.append(time.monotonic())
        status(429, Retry_After="1")(handler, request)  # type: ignore[arg-type]

    desk.server.answers.append(first)
    desk.server.otherwise = timed
    answers = list(desk.run(asks(4), in_flight=1))
    assert {answer.status for answer in answers} == {Status.ACCEPTED}
    assert times[1] - times[0] >= 1.0
    assert len(times) == 5
    # Another question that is ready meanwhile waits as well.
    times.clear()
    answered = threading.Event()

    def second(handler: object, request: object) -> None:
        first(handler, request)
        answered.set()

    desk.server.answers.extend([second, until(answered, timed)])
    list(desk.run(asks(4, start=10), in_flight=2))
    assert all(each - times[0] >= 0.99 for each in times[2:]), "the second was on its way already"


def test_a_server_that_asks_for_an_hour_stops_the_run(desk: Desk) -> None:
    desk.server.otherwise = status(429, "slow down", Retry_After="3600")
    with pytest.raises(InferenceError, match=r"429: slow down\. It asks to wait 3,600 seconds"):
        list(desk.run(asks(5), in_flight=1))
    assert desk.server.count == 1


def test_a_question_that_keeps_failing_is_a_failure_of_its_own_and_asked_again_by_the_next_run(desk: Desk) -> None:
    def fails(handler: object, request: dict[str, object]) -> None:
        bad = "query 2." in json.dumps(request["messages"])
        (status(500, "cannot do this one") if bad else right)(handler, request)  # type: ignore[operator]

    desk.server.otherwise = fails  # type: ignore[assignment]
    answers = {answer.query_id: answer for answer in desk.run(asks(6), in_flight=1)}
    failed = answers.pop("q2")
    assert failed.status is Status.HTTP_FAILURE
    assert failed.attempts == 4
    assert "answered 500: cannot do this one." in failed.says
    assert {answer.status for answer in answers.values()} == {Status.ACCEPTED}
    assert desk.store.get(failed.key) is None
    desk.server.otherwise = right
    desk.server.requests.clear()
    assert {answer.status for answer in desk.run(asks(6))} == {Status.ACCEPTED}
    assert len(desk.server.requests) == 1


@pytest.mark.parametrize("code", [400, 413, 422])
def test_a_question_that_the_server_refuses_is_not_repeated_and_the_others_are_answered(code: int, desk: Desk) -> None:
    desk.server.answers.append(status(code, "too long"))
    answers = list(desk.run(asks(3), in_flight=1))
    assert [answer.status for answer in answers] == [Status.HTTP_FAILURE, Status.ACCEPTED, Status.ACCEPTED]
    assert f"answered {code}: too long." in answers[0].says
    assert desk.server.count == 3


def test_a_truncated_reply_is_asked_for_once_more_with_twice_the_tokens_and_both_count(desk: Desk) -> None:
    desk.server.answers.append(truncated)
    (answer,) = desk.run(asks(1))
    assert (answer.status, answer.attempts) == (Status.ACCEPTED, 2)
    assert [request["max_tokens"] for request in desk.server.requests] == [1024, 2048]
    assert answer.tokens_input == 2 * json.loads(answer.raw)["usage"]["prompt_tokens"]
    assert (desk.spent().calls, desk.spent().tokens) == (2, answer.tokens_input + answer.tokens_output)
    desk.server.answers.extend([truncated, truncated])
    (answer,) = desk.run(asks(1, start=5))
    assert (answer.status, answer.value, answer.attempts) == (Status.TRUNCATED, None, 2)
    desk.server.requests.clear()
    (again,) = desk.run(asks(1, start=5))
    assert (again.status, again.was_kept) == (Status.TRUNCATED, True)
    assert desk.server.requests == [], "a second try is the last"


def test_where_the_server_refuses_twice_the_tokens_the_truncated_reply_stands(desk: Desk) -> None:
    desk.server.answers.extend([truncated, status(400, "max_tokens is too large")])
    (answer,) = desk.run(asks(1))
    assert (answer.status, answer.attempts) == (Status.TRUNCATED, 2)
    assert "A second try with twice the tokens failed" in answer.says
    assert "max_tokens is too large" in answer.says
    assert answer.raw
    assert [answer.was_kept for answer in desk.run(asks(1))] == [True]


def test_a_reply_that_is_no_answer_is_kept_raw_and_not_asked_again(desk: Desk) -> None:
    desk.server.answers.append(saying('{"clarity": 0.8}'))
    (answer,) = desk.run(asks(1))
    assert (answer.status, answer.value) == (Status.OFF_SCALE, None)
    assert '{\\"clarity\\": 0.8}' in answer.raw
    assert [(kept.status, kept.raw) for kept in desk.run(asks(1))] == [(Status.OFF_SCALE, answer.raw)]
    assert desk.server.count == 1


def test_without_figures_of_the_server_the_most_is_counted(desk: Desk) -> None:
    desk.server.otherwise = no_usage
    (answer,) = desk.run(asks(1))
    assert answer.status is Status.ACCEPTED
    assert answer.tokens_output == 1024
    assert answer.tokens_input >= len("Answer in JSON.Rate query 0.")
    assert desk.spent().tokens == answer.tokens_input + 1024


def test_questions_are_read_only_a_little_ahead_and_in_the_caller_s_thread(desk: Desk) -> None:
    read = 0
    threads = set()

    def endless() -> Iterator[Ask]:
        nonlocal read
        while True:
            threads.add(threading.current_thread())
            read += 1
            yield asks(1, start=read)[0]

    run = desk.run(endless(), in_flight=3)
    for _ in range(50):
        next(run)
        assert read <= 50 + 4 * 3
    run.close()  # type: ignore[attr-defined]
    assert threads == {threading.current_thread()}
    assert desk.server.most_at_once <= 3


def test_as_many_are_asked_at_once_as_was_said(desk: Desk) -> None:
    together = threading.Event()
    desk.server.otherwise = until(together)
    found: list[Status] = []
    run = threading.Thread(target=lambda: found.extend(each.status for each in desk.run(asks(12), in_flight=5)))
    run.start()
    desk.server.wait_until(lambda server: server.at_once == 5)
    together.set()
    run.join()
    assert (len(found), desk.server.most_at_once) == (12, 5)


def test_a_question_that_comes_twice_is_asked_once_and_answered_twice(desk: Desk) -> None:
    answers = list(desk.run([*asks(2), *asks(2)]))
    assert Counter(answer.query_id for answer in answers) == {"q0": 2, "q1": 2}
    assert desk.server.count == 2


def test_progress_tells_counts_cost_rate_and_time_left(desk: Desk) -> None:
    priced = desk.with_model(price_input=2.0, price_output=10.0)
    list(priced.run(asks(5)))
    told: list[AskingProgress] = []
    desk.server.otherwise = slow(0.02)
    answers = list(priced.run(asks(40), report=told.append, in_flight=2))
    last = told[-1]
    assert (last.done, last.kept, last.statuses) == (40, 5, {Status.ACCEPTED: 40})
    assert last.calls == 40
    assert last.tokens == sum(answer.tokens_input + answer.tokens_output for answer in answers)
    cost = sum(2 * answer.tokens_input + 10 * answer.tokens_output for answer in answers) / 1e6
    assert last.spend == pytest.approx(cost)
    assert priced.spent().spend == pytest.approx(cost)
    assert 1 < last.rate <= 2 / 0.02
    assert last.seconds_left(40) == 0.0
    assert last.seconds_left(140) == pytest.approx(100 / last.rate)
    assert [each.done for each in told] == sorted(each.done for each in told)
    assert AskingProgress(0, 0, {}, 0, 0, None, 0.0).seconds_left(5) is None


def test_wrong_arguments_are_told_at_once(desk: Desk) -> None:
    with pytest.raises(InferenceError, match="give 1 to 256"):
        desk.run(asks(1), in_flight=0)
    with pytest.raises(InferenceError, match="The budget is that of the model stub, not of other"):
        ask_all(asks(1), replace(desk.model, model="other"), store=desk.store, budget=desk.budget())
    assert list(desk.run([])) == []
    assert desk.server.count == 0


def test_no_thread_is_left_behind(desk: Desk) -> None:
    before = set(threading.enumerate())
    list(desk.run(asks(10)))
    left = {thread.name for thread in set(threading.enumerate()) - before if "process_request" not in thread.name}
    assert left == {"assay-answers"}, "the store's own, which ends with the store"
    desk.store.close()
    assert "assay-answers" not in {thread.name for thread in threading.enumerate()}


def test_the_waits_between_attempts_are_those_of_the_patience(desk: Desk) -> None:
    desk.server.answers.extend([status(500), status(500)])
    started = time.monotonic()
    list(desk.run(asks(1), patience=Patience(attempts=3, first=0.4, longest=0.6)))
    assert time.monotonic() - started >= 0.2 + 0.3
