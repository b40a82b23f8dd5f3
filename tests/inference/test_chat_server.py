"""The server that tests and benchmarks speak to: it answers by the protocol, and knows what it is told."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, Request, build_opener

import jsonschema
import openai
import pytest

from audit_core.inference.chat import Status
from audit_core.inference.chat_reply import read_reply
from tests.inference import chat_answers
from tests.inference.chat_answers import (
    PROSE,
    by_text,
    every_third,
    example,
    knowing,
    rating,
    saying,
    slow,
    status,
    until,
)
from tests.inference.chat_server import ChatServer, running

ROOT = Path(__file__).parents[2]
SCHEMA = {
    "type": "object",
    "properties": {
        "clarity": {"type": "number", "enum": [0, 0.25, 0.5, 0.75, 1]},
        "valid": {"type": "boolean"},
        "modes": {"type": "array", "items": {"$ref": "#/$defs/mode"}},
        "reason": {"type": "string"},
    },
    "required": ["clarity", "valid", "modes", "reason"],
    "additionalProperties": False,
    "$defs": {"mode": {"type": "string", "enum": ["a", "b", "c"]}},
}


def client(url: str) -> openai.OpenAI:
    return openai.OpenAI(base_url=url, api_key="none", max_retries=0, timeout=30)


def asked(url: str, text: str = "Rate it.", *, with_schema: bool = True) -> dict[str, Any]:
    """The body of the reply to a question."""
    request: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": text}]}
    if with_schema:
        form = {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": SCHEMA}}
        request["response_format"] = form
    with client(url) as open_client:
        return json.loads(open_client.chat.completions.with_raw_response.create(**request).http_response.content)


def test_it_answers_by_the_schema_of_the_request_and_with_prose_without_one() -> None:
    with running() as server:
        values = []
        for number in range(20):
            reading = read_reply(asked(server.url, f"query {number}"), SCHEMA)
            assert reading.status == Status.ACCEPTED, reading
            values.append(reading.value)
        assert len({value["clarity"] for value in values if value}) > 2, "answers differ from query to query"
        assert asked(server.url, with_schema=False)["choices"][0]["message"]["content"] == PROSE
        assert server.count == len(server.requests) == 21
    jsonschema.validate(example(SCHEMA, "seed"), SCHEMA)


def test_embeddings_and_models_are_served_beside_it() -> None:
    with running() as server, client(server.url) as found:
        vectors = found.embeddings.create(model="m", input=["one", "two"], encoding_format="float").data
        assert [each.index for each in vectors] == [0, 1]
        assert [each.id for each in found.models.list().data] == ["stub"]
        assert (server.count, len(server.embedding_requests)) == (0, 1)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("right", Status.ACCEPTED), ("truncated", Status.TRUNCATED), ("empty", Status.EMPTY),
        ("refused", Status.REFUSED), ("filtered", Status.FILTERED), ("null_with_reasoning", Status.EMPTY),
        ("ignores_schema", Status.MISMATCH), ("no_usage", Status.ACCEPTED), ("wrong_type", Status.ACCEPTED),
    ],
)  # fmt: skip
def test_each_way_to_answer_has_the_status_that_it_is_there_for(answer: str, expected: Status) -> None:
    with running(otherwise=getattr(chat_answers, answer)) as server:
        body = asked(server.url)
        assert read_reply(body, SCHEMA).status == expected
        assert ("usage" in body) == (answer != "no_usage")


def test_a_server_that_ignores_schemas_writes_json_where_the_prompt_says_so() -> None:
    with running(otherwise=chat_answers.ignores_schema) as server:
        assert read_reply(asked(server.url, "Reply with one JSON object."), SCHEMA).status == Status.ACCEPTED


@pytest.mark.parametrize(
    "answer", [chat_answers.cut_off, chat_answers.hangs_up, chat_answers.html, status(503), status(400)]
)
def test_failures_of_the_server_reach_a_client_as_failures(answer: chat_answers.Answer) -> None:
    with running(otherwise=answer) as server:
        # A page in place of JSON comes with 200; the others are errors to the client.
        with pytest.raises((openai.OpenAIError, json.JSONDecodeError)):
            asked(server.url)


def test_an_error_carries_the_headers_that_it_is_given() -> None:
    with running() as server:
        server.answers.append(status(429, "slow down", Retry_After="7"))
        with pytest.raises(openai.RateLimitError, match="slow down") as caught:
            asked(server.url)
        assert caught.value.response.headers["Retry-After"] == "7"
        asked(server.url)


def test_a_schema_is_refused_where_that_is_wanted_and_the_rest_is_answered() -> None:
    with running(otherwise=chat_answers.refuses_response_format(saying("fine"))) as server:
        with pytest.raises(openai.BadRequestError):
            asked(server.url)
        assert asked(server.url, with_schema=False)["choices"][0]["message"]["content"] == "fine"


def test_a_truth_is_found_by_the_query_however_the_prompt_quotes_it() -> None:
    query = 'Who said "no" to <Estby> \\ and when?'
    truth = {query: {"clarity": 0.25, "valid": False, "modes": [], "reason": "r", "other": 1}, "Who": {"clarity": 1}}
    quoted = json.dumps({"query": query}).replace("<", "\\u003c")
    with running(otherwise=knowing(truth | {"as it is": "prose"})) as server:
        for text in (f"Rate <data>{quoted}</data>", f"Rate: {query}", f'He says "go: {json.dumps(query)}'):
            value = read_reply(asked(server.url, text), SCHEMA).value
            assert value == {"clarity": 0.25, "valid": False, "modes": [], "reason": "r"}
        assert asked(server.url, 'Rate "as it is".')["choices"][0]["message"]["content"] == "prose"
        assert read_reply(asked(server.url, "Rate something else."), SCHEMA).status == Status.ACCEPTED


def test_answers_go_by_text_by_turn_and_by_event() -> None:
    event = threading.Event()
    with running(otherwise=by_text({"bad": rating(clarity=5)}, saying("else"))) as server:
        assert asked(server.url, "a bad one")["choices"][0]["message"]["content"] == '{"clarity": 5}'
        assert asked(server.url, "a good one")["choices"][0]["message"]["content"] == "else"
        server.otherwise = every_third(saying("third"), saying("other"))
        found = [asked(server.url)["choices"][0]["message"]["content"] for _ in range(6)]
        assert found == ["other", "other", "third"] * 2
        server.otherwise = until(event)
        with ThreadPoolExecutor(4) as threads:
            replies = [threads.submit(asked, server.url) for _ in range(4)]
            server.wait_until(lambda found: found.at_once == 4)
            event.set()
            assert all(each.result()["choices"] for each in replies)
        assert server.most_at_once == 4


def test_whoever_waits_for_a_slow_answer_is_let_go_when_the_server_ends() -> None:
    with ThreadPoolExecutor(1) as threads:
        with running(otherwise=slow(3600)) as server:
            waiting = threads.submit(asked, server.url)
            server.wait_until(lambda found: found.count == 1)
        # It may still get its answer, or be hung up on.
        assert waiting.exception(timeout=30) is None or isinstance(waiting.exception(), openai.OpenAIError)


def test_it_keeps_nothing_of_the_requests_where_that_would_fill_the_memory() -> None:
    with running(keeps=False) as server:
        asked(server.url)
        assert (server.count, server.requests, server.headers) == (1, [], [])
        with pytest.raises(TimeoutError, match="1 requests, 0 at once"):
            server.wait_until(lambda found: found.count == 2, seconds=0.01)


def test_as_a_program_it_writes_its_port_down_and_knows_a_truth(tmp_path: Path) -> None:
    truth = tmp_path / "truth.json"
    truth.write_text(json.dumps({"Who?": {"clarity": 0, "valid": True, "modes": ["c"], "reason": "told"}}))
    arguments = ["--port-file", str(tmp_path / "port"), "--truth", str(truth), "--latency", "0.01"]
    program = [sys.executable, "-m", "tests.inference.chat_server", *arguments]
    with subprocess.Popen(program, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            assert url == f"http://127.0.0.1:{(tmp_path / 'port').read_text()}/v1"
            value = read_reply(asked(url, 'Rate "Who?".'), SCHEMA).value
            assert value == {"clarity": 0, "valid": True, "modes": ["c"], "reason": "told"}
            with build_opener(ProxyHandler({})).open(Request(url.removesuffix("/v1") + "/counts")) as reply:
                assert json.load(reply) == {"requests": 1, "most_at_once": 1}
        finally:
            process.kill()


def test_two_servers_have_ports_of_their_own() -> None:
    with running() as one, running() as other:
        assert isinstance(one, ChatServer)
        assert one.url != other.url
