"""What a server may not do to whoever asks it: fill memory and disk with a reply, or have questions sent to somebody else."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from audit_core.errors import InferenceError
from audit_core.inference import chat_endpoint, embedder_endpoint
from audit_core.inference.bounded_client import _ours
from audit_core.inference.chat import Status
from audit_core.inference.chat_endpoint import PassingFailure, QuestionRefused
from audit_core.inference.embedder_endpoint import Endpoint
from audit_core.inference.probe import probe
from tests.inference.asking_desk import QUICK, Desk, asks, desk_in
from tests.inference.chat_answers import completion, example, right, said, schema_of
from tests.inference.chat_server import ChatServer, running
from tests.inference.embeddings_server import EmbeddingsServer, right_body
from tests.inference.oversized import Endless, bomb, packed, sending, sends_on
from tests.inference.test_chat_endpoint import attempt, model_of

Make = Callable[..., Endpoint]
KEY = "sk-1234567890"
#: What sockets and the server's own buffers hold beyond what a client reads, at most.
_ON_THE_WAY = 20_000_000


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    """A server of language models."""
    with running() as found:
        yield found


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A server, a store and a model."""
    with desk_in(tmp_path / "answers") as found:
        yield found


@contextmanager
def at_most(size: int) -> Iterator[None]:
    """Assert that no more than so many bytes are ever held in Python's memory at once, beyond what was before."""
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
    assert peak <= size


def test_a_small_reply_that_unpacks_to_a_hundred_megabytes_is_given_up_at_the_bound(chat: ChatServer) -> None:
    chat.otherwise = sending(bomb(100), Content_Encoding="gzip")
    model = model_of(chat)
    with (
        at_most(8 * chat_endpoint.MOST_BYTES),
        pytest.raises(QuestionRefused, match="more than 4 MB, which is not read") as caught,
    ):
        attempt(model)
    assert caught.value.may_have_cost
    assert model.base_url in str(caught.value)


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_a_reply_as_large_as_the_bound_is_read_and_one_byte_more_is_not(
    encoding: str, chat: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat_endpoint, "MOST_BYTES", 100_000)

    def of_size(size: int) -> Any:
        content = b'{"choices": [], "more": "' + b"a" * (size - 27) + b'"}'
        return sending(packed(content) if encoding == "gzip" else content, Content_Encoding=encoding)

    chat.answers.extend([of_size(100_000), of_size(100_001)])
    assert len(attempt(model_of(chat)).raw) == 100_000
    with pytest.raises(QuestionRefused, match="sent a reply of more than"):
        attempt(model_of(chat))


def test_a_body_without_an_end_is_read_up_to_the_bound(chat: ChatServer) -> None:
    chat.otherwise = endless = Endless()
    with pytest.raises(QuestionRefused, match="more than 4 MB"):
        attempt(model_of(chat))
    assert endless.sent <= chat_endpoint.MOST_BYTES + _ON_THE_WAY


@pytest.mark.parametrize(("status", "kind"), [(500, PassingFailure), (400, QuestionRefused), (401, InferenceError)])
def test_of_an_error_without_an_end_the_beginning_is_read_and_it_means_what_it_means(
    status: int, kind: type[Exception], chat: ChatServer
) -> None:
    chat.otherwise = endless = Endless(status)
    with pytest.raises(kind, match=rf"answered {status}: \{{\"error\": \"down\", \"more\": \"a{{200,300}}…\."):
        attempt(model_of(chat))
    assert endless.sent <= _ON_THE_WAY


def test_what_is_packed_otherwise_than_asked_is_not_read_and_gzip_is(chat: ChatServer) -> None:
    def zipped(handler: Any, request: dict[str, Any]) -> None:
        content = json.dumps(completion(request, json.dumps(example(schema_of(request) or {}, said(request)))))
        sending(packed(content.encode()), Content_Encoding="gzip")(handler, request)

    chat.answers.extend([zipped, sending(b"\x0b\x02", Content_Encoding="br"), sending(b"no", Content_Encoding="gzip")])
    assert attempt(model_of(chat)).body is not None
    with pytest.raises(QuestionRefused, match="packed as 'br', though it was asked for one unpacked"):
        attempt(model_of(chat))
    with pytest.raises(PassingFailure, match="the reply cannot be unpacked"):
        attempt(model_of(chat))
    assert {each["accept-encoding"] for each in chat.headers} == {"identity"}


def test_a_reply_that_is_too_large_is_a_failure_that_costs_is_not_repeated_and_leaves_nothing_on_the_disk(
    desk: Desk,
) -> None:
    desk.server.answers.extend([sending(bomb(100), Content_Encoding="gzip")] * 3)
    answers = list(desk.run(asks(5), in_flight=1))
    failed = [each for each in answers if each.status is Status.HTTP_FAILURE]
    assert [(each.attempts, each.raw) for each in failed] == [(1, "")] * 3
    assert all("sent a reply of more than 4 MB" in each.says for each in failed)
    assert all(each.tokens_output == desk.model.max_tokens for each in failed), "the worst case: it says no tokens"
    assert [each.status for each in answers].count(Status.ACCEPTED) == 2
    assert desk.spent().calls == desk.server.count == 5
    desk.store.close()
    assert sum(each.stat().st_size for each in desk.store.folder.rglob("*")) < 2_000_000


def test_a_server_whose_first_reply_is_too_large_is_named_with_the_settings_to_look_at(desk: Desk) -> None:
    desk.server.otherwise = sending(bomb(100), Content_Encoding="gzip")
    with pytest.raises(InferenceError, match=r"more than 4 MB, which is not read\. Look at ASSAY_LLM_URL"):
        probe(desk.model, store=desk.store, budget=desk.budget(), patience=QUICK)
    assert desk.server.count == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_question_is_sent_to_nobody_else_and_the_error_names_the_place(status: int, chat: ChatServer) -> None:
    with running() as other:
        place = f"localhost:{other.server_address[1]}/v1/chat/completions"
        chat.otherwise = sends_on(status, f"http://user:{KEY}@{place}?key={KEY}")
        with pytest.raises(InferenceError) as caught:
            attempt(model_of(chat, api_key=KEY))
        assert (chat.count, other.count) == (1, 0)
    said = str(caught.value)
    assert f"answered {status}: it sends on to http://{place}, and nothing was sent there" in said
    assert "ASSAY_LLM_URL" in said
    assert KEY not in said


def test_a_server_that_sends_on_to_itself_is_asked_once_and_the_run_stops(desk: Desk) -> None:
    desk.server.otherwise = sends_on(307, "/v1/chat/completions")
    with pytest.raises(InferenceError, match=f"it sends on to {desk.server.url}/chat/completions"):
        list(desk.run(asks(5), in_flight=1))
    assert desk.server.count == desk.spent().calls == 1
    desk.server.otherwise = sends_on(307, "http://a:b/")
    with pytest.raises(InferenceError, match="an address that cannot be read"):
        list(desk.run(asks(5), in_flight=1))
    desk.server.otherwise = sending(b"", status=304)
    with pytest.raises(InferenceError, match="answered 304: no reason given"):
        list(desk.run(asks(5), in_flight=1))


def test_texts_are_sent_to_nobody_else(endpoint: Make, server: EmbeddingsServer) -> None:
    with running() as other:
        server.otherwise = sends_on(307, f"{other.url}/embeddings?key=secret")
        with pytest.raises(
            InferenceError, match=f"it sends on to {other.url}/embeddings, and nothing was sent"
        ) as caught:
            endpoint().embed(["one"])
        assert (len(server.requests), other.embedding_requests) == (1, [])
    assert "ASSAY_EMBEDDINGS_URL" in str(caught.value)
    assert "secret" not in str(caught.value)


def test_vectors_beyond_the_bound_are_not_read(
    endpoint: Make, server: EmbeddingsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert embedder_endpoint.MOST_BYTES == 64_000_000
    monkeypatch.setattr(embedder_endpoint, "MOST_BYTES", 2_000_000)
    server.otherwise = sending(bomb(100), Content_Encoding="gzip")
    says = r"more than 2 MB, which is not read: it was asked for the vectors of 2 texts\. Take a smaller batch_size"
    with at_most(16_000_000), pytest.raises(InferenceError, match=says):
        endpoint().embed(["one", "two"])
    server.otherwise = endless = Endless()
    with pytest.raises(InferenceError, match="more than 2 MB"):
        endpoint().embed(["one"])
    assert endless.sent <= 2_000_000 + _ON_THE_WAY
    assert len(server.requests) == 2


def test_vectors_that_come_as_gzip_are_read(endpoint: Make, server: EmbeddingsServer) -> None:
    def zipped(handler: Any, request: dict[str, Any]) -> None:
        sending(packed(json.dumps(right_body(request)).encode()), Content_Encoding="gzip")(handler, request)

    server.otherwise = zipped
    assert not endpoint().embed(["one", "two"]).faults
    assert server.headers[0]["accept-encoding"] == "identity"


def test_each_header_is_sent_once_and_none_but_those_of_the_protocol() -> None:
    foreign = {"User-Agent": "sk-other", "Accept-Encoding": "br", "Authorization": "sk-other", "Cookie": "sk-other"}
    sent = _ours(httpx2.Request("POST", "http://a/b", headers=foreign, content=b"{}"), KEY).headers.multi_items()
    assert sorted(sent) == [
        ("accept-encoding", "identity"), ("authorization", f"Bearer {KEY}"), ("content-length", "2"), ("host", "a"),
        ("user-agent", "assay"),
    ]  # fmt: skip


def test_nothing_that_the_environment_says_of_another_server_is_sent(
    chat: ChatServer, endpoint: Make, server: EmbeddingsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    foreign = {
        "OPENAI_CUSTOM_HEADERS": "Authorization: Bearer sk-other-1\nX-Gateway: sk-other-2\nUser-Agent: sk-other-3",
        "OPENAI_API_KEY": "sk-other-4", "OPENAI_ORG_ID": "sk-other-5", "OPENAI_PROJECT_ID": "sk-other-6",
        "OPENAI_ADMIN_KEY": "sk-other-7", "OPENAI_BASE_URL": "http://127.0.0.1:9/sk-other-8",
    }  # fmt: skip
    for name, value in foreign.items():
        monkeypatch.setenv(name, value)
    for key, sent in ((KEY, f"Bearer {KEY}"), (None, "Bearer none")):
        attempt(model_of(chat, api_key=key))
        endpoint(key=key).embed(["one"])
        for headers in (chat.headers[-1], server.headers[-1]):
            assert headers["authorization"] == sent
            assert "sk-other" not in str(headers)
            assert not [name for name in headers if name.startswith(("x-", "openai"))]


def test_a_page_instead_of_an_answer_is_told_with_the_server_and_how_it_begins(desk: Desk) -> None:
    desk.server.otherwise = sending(b"<html><title>Sign in</title>", Content_Type="text/html")
    with pytest.raises(InferenceError) as caught:
        probe(desk.model, store=desk.store, budget=desk.budget(), patience=QUICK)
    said = str(caught.value)
    assert said.startswith(
        f"{desk.server.url}: The server sent no chat completion. What came begins '<html><title>Sign in"
    )
    assert said.endswith(
        "It was asked 4 times. Look at ASSAY_LLM_URL and ASSAY_LLM_MODEL, or at base_url and model of the strategy."
    )
    desk.server.otherwise = right
