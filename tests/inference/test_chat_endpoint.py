"""One request to a server, and what its failure means."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from audit_core.errors import InferenceError
from audit_core.inference.chat import ChatModel
from audit_core.inference.chat_endpoint import ChatEndpoint, PassingFailure, QuestionRefused, Reply
from audit_core.inference.chat_request import request_content
from tests.inference.asking_desk import asks
from tests.inference.chat_answers import cut_off, hangs_up, html, right, saying, slow, stalling, status
from tests.inference.chat_server import ChatServer, running


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    """A server of language models."""
    with running() as found:
        yield found


def attempt(model: ChatModel) -> Reply:
    """Return the reply to one question."""

    async def run() -> Reply:
        endpoint = ChatEndpoint(model)
        content = request_content(asks(1)[0], model, mode="enforced", limit_name="max_tokens", max_tokens=50, images=[])
        try:
            return await endpoint.attempt(content)
        finally:
            await endpoint.close()

    return asyncio.run(run())


def model_of(chat: ChatServer, **options: Any) -> ChatModel:
    return ChatModel(chat.url, "stub", **({"timeout_seconds": 20.0} | options))


def test_a_reply_is_its_body_as_it_came_and_the_tokens_that_it_names(chat: ChatServer) -> None:
    reply = attempt(model_of(chat))
    assert reply.body == json.loads(reply.raw)
    usage = json.loads(reply.raw)["usage"]
    assert reply.usage == (usage["prompt_tokens"], usage["completion_tokens"])
    assert chat.headers[0]["content-type"] == "application/json"
    assert chat.headers[0]["authorization"] == "Bearer none"


@pytest.mark.parametrize(
    "usage",
    [None, 3, {}, {"prompt_tokens": 1}, {"prompt_tokens": 1, "completion_tokens": -1},
     {"prompt_tokens": True, "completion_tokens": 1}, {"prompt_tokens": "1", "completion_tokens": 1},
     {"prompt_tokens": 10**30, "completion_tokens": 1}, {"prompt_tokens": 1.5, "completion_tokens": 1}],
)  # fmt: skip
def test_figures_that_cannot_be_are_none(usage: Any, chat: ChatServer) -> None:
    chat.otherwise = lambda handler, _: handler.send(200, {"choices": [], "usage": usage})
    assert attempt(model_of(chat)).usage is None


@pytest.mark.parametrize(
    ("answer", "after", "may_have_cost", "seconds"),
    [
        (status(429, Retry_After="3"), 3.0, False, 20), (status(429), None, False, 20),
        (status(408), None, False, 20), (status(409), None, False, 20), (status(500), None, False, 20),
        (status(529), None, False, 20), (status(503, Retry_After="0"), 0.0, False, 20), (cut_off, None, True, 20),
        (hangs_up, None, True, 20), (slow(60), None, True, 1), (stalling(60), None, True, 1),
    ],
)  # fmt: skip
def test_what_may_pass_says_how_long_to_wait_and_whether_it_may_have_cost(
    answer: Any, after: float | None, may_have_cost: bool, seconds: float, chat: ChatServer
) -> None:
    chat.otherwise = answer
    with pytest.raises(PassingFailure) as caught:
        attempt(model_of(chat, timeout_seconds=seconds))
    assert (caught.value.after, caught.value.may_have_cost) == (after, may_have_cost)
    assert chat.url in str(caught.value)
    assert chat.count == 1, "the client repeats nothing by itself"


def test_where_nobody_listens_nothing_was_sent() -> None:
    with pytest.raises(PassingFailure, match="cannot be reached, or broke off") as caught:
        attempt(ChatModel("http://127.0.0.1:9/v1", "stub"))
    assert not caught.value.may_have_cost


@pytest.mark.parametrize("code", [400, 413, 422])
def test_a_question_at_fault_is_refused_alone(code: int, chat: ChatServer) -> None:
    chat.otherwise = status(code, "no " + "x" * 1000)
    with pytest.raises(QuestionRefused, match=rf"answered {code}: no x{{297}}…\.$"):
        attempt(model_of(chat))


@pytest.mark.parametrize("code", [401, 402, 403, 404, 405, 451])
def test_what_no_question_can_pass_stops_the_run(code: int, chat: ChatServer) -> None:
    chat.otherwise = status(code, "no")
    with pytest.raises(InferenceError, match=f"answered {code}: no"):
        attempt(model_of(chat))


@pytest.mark.parametrize(
    ("body", "says"),
    [("plain text", "plain text."), ({"detail": "Not Found"}, "Not Found."), ({"error": "gone"}, "gone."),
     ({}, "no reason given."), ("", "no reason given.")],
)  # fmt: skip
def test_a_message_is_found_wherever_servers_put_it(body: Any, says: str, chat: ChatServer) -> None:
    chat.otherwise = lambda handler, _: handler.send(404, body)
    with pytest.raises(InferenceError, match=f"answered 404: {says}"):
        attempt(model_of(chat))


def test_a_failure_that_is_wrapped_in_200_means_the_same(chat: ChatServer) -> None:
    def wrapped(code: int) -> Any:
        return lambda handler, _: handler.send(200, {"error": {"code": code, "message": "behind it"}})

    chat.answers.extend([wrapped(402), wrapped(502), wrapped(400)])
    for kind in (InferenceError, PassingFailure, QuestionRefused):
        with pytest.raises(kind, match="behind it"):
            attempt(model_of(chat))


def test_a_mark_of_the_byte_order_before_the_body_does_no_harm(chat: ChatServer) -> None:
    chat.otherwise = lambda handler, _: handler.send(200, "\ufeff" + json.dumps({"choices": []}))
    assert attempt(model_of(chat)).body == {"choices": []}


def test_a_page_instead_of_json_is_no_body(chat: ChatServer) -> None:
    chat.otherwise = html
    reply = attempt(model_of(chat))
    assert (reply.body, reply.usage) == (None, None)
    assert "Sign in" in reply.raw


def test_a_key_in_a_reply_is_starred_out(chat: ChatServer) -> None:
    chat.answers.append(saying("the key is sk-1234567890"))
    reply = attempt(model_of(chat, api_key="sk-1234567890"))
    assert reply.body is not None
    assert reply.body["choices"][0]["message"]["content"] == "the key is ***"
    assert "sk-1234567890" not in reply.raw
    assert chat.headers[0]["authorization"] == "Bearer sk-1234567890"


def test_what_cannot_be_json_is_told_before_anything_is_sent(chat: ChatServer) -> None:
    with pytest.raises(InferenceError, match="cannot be written as JSON"):
        attempt(model_of(chat, extra={"set": {1, 2}}))
    with pytest.raises(InferenceError, match="cannot be written as JSON"):
        attempt(replace(model_of(chat), temperature=float("nan")))
    assert chat.count == 0
    chat.otherwise = right
    assert attempt(model_of(chat)).body is not None


def test_texts_of_any_signs_arrive_as_they_are(chat: ChatServer) -> None:
    model = model_of(chat)
    text = 'quotes " and \\ and \n and 日本語 and \u2028 and </data> and \ud83d half'
    (ask,) = asks(1, user=text.replace("{", "").replace("}", ""))
    content = request_content(ask, model, mode="refused", limit_name="max_tokens", max_tokens=1, images=[])
    assert json.loads(content)["messages"][1]["content"] == text
