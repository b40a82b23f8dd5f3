"""The embeddings endpoint against a real server: order, retries, faults, resuming, and the key that nobody sees."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audit_core import config
from audit_core.errors import InferenceError, SettingError
from audit_core.inference.embedder import State, build_embedder
from audit_core.inference.embedder_endpoint import Endpoint
from audit_core.inference.embedding import embed_texts
from audit_core.inference.retrying import Patience
from tests.inference.embeddings_server import (
    DIMENSIONS,
    EmbeddingsServer,
    changed,
    cut_off,
    numbers_of,
    right,
    status,
    until,
)

Make = Callable[..., Endpoint]
TEXTS = ["one", "two words", "three words here", "vier Wörter, 日本語 dabei"]
ROOT = Path(__file__).parents[2]


def unit(text: str) -> np.ndarray:
    """The vector that Assay should have of a text: the server's, of length 1."""
    numbers = np.array(numbers_of(text))
    return numbers / np.linalg.norm(numbers)


def embedded(endpoint: Endpoint, texts: list[str], **options: Any) -> Any:
    return embed_texts(endpoint, texts, cache=None, **options)


@pytest.mark.parametrize("encoding", ["float", "base64"])
def test_vectors_come_in_the_order_of_the_texts_with_length_1_and_tokens_counted(
    encoding: str, endpoint: Make, server: EmbeddingsServer
) -> None:
    texts = [f"{text} {number}" for number in range(3) for text in TEXTS]
    result = embedded(endpoint(encoding=encoding), texts)
    assert result.values.dtype == np.float32
    np.testing.assert_allclose(result.values, [unit(text) for text in texts], atol=1e-6)
    assert result.tokens == sum(len(text.split()) for text in texts)
    assert (result.computed, result.from_cache, result.faults) == (12, 0, {})
    assert [len(each) for each in server.texts] == [4, 4, 4]
    assert {each["encoding_format"] for each in server.requests} == {encoding}
    assert "dimensions" not in server.requests[0], "what is not asked for is not sent"
    assert server.paths == ["/v1/embeddings"] * 3


def test_the_index_of_a_vector_counts_and_not_when_it_arrives(endpoint: Make, server: EmbeddingsServer) -> None:
    server.answers.append(changed(lambda body: body["data"].reverse()))
    result = embedded(endpoint(), TEXTS)
    np.testing.assert_allclose(result.values, [unit(text) for text in TEXTS], atol=1e-6)


def test_after_a_429_it_waits_as_long_as_the_server_says_and_asks_again(
    endpoint: Make, server: EmbeddingsServer, waits: list[float]
) -> None:
    server.answers.append(status(429, Retry_After="7"))
    result = embedded(endpoint(), TEXTS)
    assert result.faults == {}
    assert sum(waits) == pytest.approx(7.0)
    assert server.texts == [TEXTS, TEXTS]


def test_a_server_that_asks_for_an_hour_is_left_alone_and_a_quota_that_is_used_up_is_told_at_once(
    endpoint: Make, server: EmbeddingsServer, waits: list[float]
) -> None:
    server.answers.append(status(429, "slow down", Retry_After="3600"))
    with pytest.raises(InferenceError, match=r"429: slow down\. It asks to wait 3,600 seconds: start again after that"):
        embedded(endpoint(), TEXTS)
    server.answers.append(status(429, "You exceeded your current quota", kind="insufficient_quota"))
    with pytest.raises(InferenceError, match="start again when there is quota"):
        embedded(endpoint(), TEXTS)
    assert waits == []
    assert len(server.requests) == 2


def test_between_failures_it_waits_longer_each_time_and_never_the_same(
    endpoint: Make, server: EmbeddingsServer, waits: list[float]
) -> None:
    server.answers.extend([status(500), status(503), status(502), status(500)])
    assert embedded(endpoint(), TEXTS).faults == {}
    assert 0.5 + 1 + 2 + 4 <= sum(waits) <= 1 + 2 + 4 + 8
    assert len(server.requests) == 5


def test_a_server_that_keeps_failing_is_given_up_and_says_so(endpoint: Make, server: EmbeddingsServer) -> None:
    server.otherwise = status(500, "out of memory")
    with pytest.raises(
        InferenceError, match=r"answered 500: out of memory\. It was asked 3 times\. What arrived before"
    ):
        embedded(endpoint(attempts=3), TEXTS)
    assert len(server.requests) == 3


@pytest.mark.parametrize(("code", "says"), [(401, "bad key"), (403, "not yours"), (404, "no such model")])
def test_a_refused_key_or_model_is_told_at_once(code: int, says: str, endpoint: Make, server: EmbeddingsServer) -> None:
    server.otherwise = status(code, says)
    with pytest.raises(InferenceError, match=f"answered {code}: {says}. Look at ASSAY_EMBEDDINGS_URL"):
        embedded(endpoint(), TEXTS)
    assert len(server.requests) == 1


def test_a_text_that_the_endpoint_refuses_is_found_and_the_others_have_their_vectors(
    endpoint: Make, server: EmbeddingsServer
) -> None:
    def too_long(handler: Any, request: dict[str, Any]) -> None:
        (status(400, "too long") if "much too long" in request["input"] else right)(handler, request)

    server.otherwise = too_long
    texts = [*TEXTS[:2], "much too long", TEXTS[3]]
    result = embedded(endpoint(), texts)
    assert {row: fault.state for row, fault in result.faults.items()} == {2: State.REFUSED}
    assert "answered 400: too long" in result.faults[2].says
    np.testing.assert_allclose(result.values[[0, 1, 3]], [unit(texts[row]) for row in (0, 1, 3)], atol=1e-6)
    assert np.isnan(result.values[2]).all()


def test_an_endpoint_that_refuses_every_text_is_left_after_three_batches(
    endpoint: Make, server: EmbeddingsServer
) -> None:
    server.otherwise = status(400, "no embeddings here")
    with pytest.raises(InferenceError, match=r"no vector for 3 batches of texts in a row.*no embeddings here"):
        embedded(endpoint(batch_size=2), [f"text {number}" for number in range(100)])
    assert len(server.requests) == 3 * 3, "a batch of two, and each of the two"


def _lose_last(body: dict[str, Any]) -> None:
    body["data"].pop()


def _same_index(body: dict[str, Any]) -> None:
    body["data"][1]["index"] = 0


def _no_index(body: dict[str, Any]) -> None:
    for each in body["data"]:
        del each["index"]


@pytest.mark.parametrize(
    ("change", "state", "says"),
    [
        (_lose_last, State.WRONG_COUNT, "3 vectors for 4 texts"),
        (_same_index, State.WRONG_COUNT, "indexes are not 0 to 3, each once"),
        (_no_index, State.WRONG_COUNT, "indexes are not 0 to 3, each once"),
        (lambda body: "<html>", State.UNREADABLE, "no JSON"),
        (lambda body: [1], State.UNREADABLE, "no list `data`"),
        (lambda body: {"data": "x"}, State.UNREADABLE, "no list `data`"),
        (lambda body: {"data": [1, 2, 3, 4]}, State.WRONG_COUNT, "indexes are not"),
    ],
)
def test_a_reply_that_makes_no_sense_is_asked_for_again_and_then_a_fault_of_its_texts(
    change: Any, state: State, says: str, endpoint: Make, server: EmbeddingsServer
) -> None:
    server.answers.append(changed(change))
    assert embedded(endpoint(attempts=2), TEXTS).faults == {}, "the second reply is right"
    server.answers.extend([changed(change)] * 2)
    faults = embedded(endpoint(attempts=2), TEXTS).faults
    assert [fault.state for fault in faults.values()] == [state] * 4
    assert says in faults[0].says


@pytest.mark.parametrize("embedding", [{"a": 1}, "not base64!", [[1.0]], ["x"] * DIMENSIONS, "AAAA", None])
def test_a_vector_that_is_none_makes_the_reply_unreadable(
    embedding: Any, endpoint: Make, server: EmbeddingsServer
) -> None:
    server.answers.append(changed(lambda body: body["data"][1].update(embedding=embedding)))
    faults = embedded(endpoint(attempts=1), TEXTS).faults
    assert {fault.state for fault in faults.values()} == {State.UNREADABLE}


@pytest.mark.parametrize("odd", [float("nan"), float("inf"), None, 10**400])
def test_a_vector_with_numbers_that_are_none_is_a_fault_of_its_row_alone(
    odd: float | None, endpoint: Make, server: EmbeddingsServer
) -> None:
    server.answers.append(changed(lambda body: body["data"][1]["embedding"].__setitem__(3, odd)))
    result = embedded(endpoint(attempts=1), TEXTS)
    if odd == 10**400:
        assert {fault.state for fault in result.faults.values()} == {State.UNREADABLE}, "no number of the protocol"
        return
    assert {row: fault.state for row, fault in result.faults.items()} == {1: State.NOT_FINITE}
    assert np.isnan(result.values[1]).all()
    assert np.isfinite(result.values[[0, 2, 3]]).all()


def test_numbers_beyond_float32_are_scaled_before_they_overflow(endpoint: Make, server: EmbeddingsServer) -> None:
    huge = [1e300, 0.0, 0.0, 1e300, 0.0, 0.0, 0.0, 0.0]
    server.answers.append(changed(lambda body: body["data"][0].update(embedding=huge)))
    result = embedded(endpoint(), TEXTS)
    np.testing.assert_allclose(result.values[0, [0, 3]], 0.5**0.5, atol=1e-6)


def test_a_vector_of_other_dimensions_is_a_fault_whether_it_is_one_of_a_reply_or_the_whole_reply(
    endpoint: Make, server: EmbeddingsServer, cache: Path
) -> None:
    server.answers.append(changed(lambda body: body["data"][2].update(embedding=[1.0, 2.0])))
    result = embed_texts(endpoint(), TEXTS, cache=cache)
    assert {row: fault.says for row, fault in result.faults.items()} == {
        2: "the endpoint sent a vector of 2 dimensions instead of 8"
    }
    server.answers.append(changed(lambda body: [each.update(embedding=[1.0, 2.0]) for each in body["data"]] and None))
    again = embed_texts(endpoint(), TEXTS, cache=cache)
    assert {row: fault.says for row, fault in again.faults.items()} == {
        2: "the vector has 2 dimensions, and those before it 8"
    }
    assert (again.from_cache, again.computed) == (3, 0)
    assert embed_texts(endpoint(), TEXTS, cache=cache).faults == {}, "a fault is not kept: it is asked for again"


def test_dimensions_that_were_asked_for_are_sent_and_demanded(endpoint: Make, server: EmbeddingsServer) -> None:
    faults = embedded(endpoint(dimensions=16), TEXTS).faults
    assert server.requests[0]["dimensions"] == 16
    assert {fault.says for fault in faults.values()} == {"the endpoint sent a vector of 8 dimensions instead of 16"}


def test_a_reply_that_breaks_off_is_asked_for_again(endpoint: Make, server: EmbeddingsServer) -> None:
    server.answers.append(cut_off)
    assert embedded(endpoint(), TEXTS).faults == {}
    assert len(server.requests) == 2


def test_an_endpoint_that_does_not_answer_in_time_is_given_up(endpoint: Make, server: EmbeddingsServer) -> None:
    silence = threading.Event()
    server.otherwise = until(silence)
    try:
        with pytest.raises(InferenceError, match=r"did not answer within 0\.2 seconds\. It was asked 2 times"):
            embedded(endpoint(timeout_seconds=0.2, attempts=2), TEXTS)
    finally:
        silence.set()


def test_a_dead_server_is_told_by_its_address(waits: list[float]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    dead = Endpoint(base_url=url, model="m", patience=Patience(attempts=3, pause=waits.append))
    with pytest.raises(InferenceError, match=f"{url} cannot be reached, or broke off .*It was asked 3 times"):
        embedded(dead, TEXTS)
    assert waits


def test_a_cancellation_is_seen_while_it_waits_for_the_server(endpoint: Make, server: EmbeddingsServer) -> None:
    server.answers.extend([right, status(429, Retry_After="200")])
    result = embedded(endpoint(batch_size=1), TEXTS, cancelled=lambda: len(server.requests) >= 2)
    assert {row: fault.state for row, fault in result.faults.items()} == dict.fromkeys((1, 2, 3), State.CANCELLED)
    assert len(server.requests) == 2


CHILD = """
import sys
from pathlib import Path
from audit_core.inference.embedder_endpoint import Endpoint
from audit_core.inference.embedding import embed_texts
embed_texts(Endpoint(base_url=sys.argv[1], model="m", batch_size=4), [f"text {n}" for n in range(40)], cache=Path(sys.argv[2]))
"""


def test_after_kill_9_only_the_texts_that_did_not_arrive_are_asked_for(
    endpoint: Make, server: EmbeddingsServer, cache: Path
) -> None:
    silence, reached = threading.Event(), threading.Event()

    def fourth(handler: Any, request: dict[str, Any]) -> None:
        reached.set()
        silence.wait(60)

    server.answers.extend([right, right, right, fourth])
    child = subprocess.Popen([sys.executable, "-c", CHILD, server.url, str(cache)], cwd=ROOT)
    try:
        assert reached.wait(60)
    finally:
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        silence.set()
    server.requests.clear()
    texts = [f"text {number}" for number in range(40)]
    result = embed_texts(endpoint(), texts, cache=cache)
    assert [text for batch in server.texts for text in batch] == texts[12:]
    assert (result.from_cache, result.computed, result.requested) == (12, 28, 28)
    np.testing.assert_allclose(result.values, [unit(text) for text in texts], atol=1e-6)


def test_the_key_is_sent_and_stands_in_no_message_no_repr_and_no_file(
    endpoint: Make, server: EmbeddingsServer, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-server")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-another-server")
    key = "sk-very-secret"
    embed_texts(endpoint(key=key), TEXTS, cache=cache)
    embed_texts(endpoint(key=None), ["more"], cache=cache)
    assert [each["authorization"] for each in server.headers] == [f"Bearer {key}", "Bearer none"]
    assert "another-server" not in str(server.headers)
    server.otherwise = status(401, f"Incorrect API key {key}")
    with pytest.raises(InferenceError, match=r"Incorrect API key \*\*\*") as caught:
        embedded(endpoint(key=key), TEXTS)
    assert caught.value.__cause__ is None
    assert key not in repr(endpoint(key=key)) + repr(endpoint(key=key).identity)
    for file in cache.rglob("*"):
        assert not file.is_file() or key.encode() not in file.read_bytes()


def test_an_endpoint_is_built_from_the_settings_and_options_are_checked(
    monkeypatch: pytest.MonkeyPatch, server: EmbeddingsServer
) -> None:
    with pytest.raises(InferenceError, match="set ASSAY_EMBEDDINGS_URL and ASSAY_EMBEDDINGS_MODEL"):
        build_embedder("openai-endpoint")
    monkeypatch.setenv("ASSAY_EMBEDDINGS_URL", server.url)
    monkeypatch.setenv("ASSAY_EMBEDDINGS_MODEL", "small")
    monkeypatch.setenv("ASSAY_EMBEDDINGS_KEY", "secret")
    built = build_embedder("openai-endpoint", {"dimensions": 8, "batch_size": 2})
    assert isinstance(built, Endpoint)
    assert embedded(built, TEXTS).faults == {}
    assert (server.requests[0]["model"], server.headers[0]["authorization"]) == ("small", "Bearer secret")
    monkeypatch.setenv("ASSAY_EMBEDDINGS_URL", "http://127.0.0.1:9/v1")
    elsewhere = build_embedder("openai-endpoint", {"dimensions": 8, "base_url": server.url})
    assert embedded(elsewhere, ["a text for another server"]).faults == {}
    assert server.headers[-1]["authorization"] != "Bearer secret", "the key is for the server of the settings alone"
    for wrong in (
        {"key": "x"}, {"encoding": "hex"}, {"batch_size": 0}, {"batch_size": True}, {"timeout_seconds": 1.5},
        {"dimensions": -1}, {"base_url": "ftp://h"}, {"base_url": "http://a:b@h"}, {"base_url": 3}, {"model": 3},
    ):  # fmt: skip
        with pytest.raises(InferenceError):
            build_embedder("openai-endpoint", wrong)


@pytest.mark.parametrize("url", ["h/v1", "http://", "http://ada:pw12@h/v1", "http://h/v1?key=pw12", "http://h:port"])
def test_a_url_that_is_none_or_would_give_a_password_away_is_refused_and_not_repeated(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_EMBEDDINGS_URL", url)
    with pytest.raises(SettingError, match="ASSAY_EMBEDDINGS_URL") as caught:
        config.check()
    assert "pw12" not in str(caught.value)


@pytest.mark.parametrize("key", ["sk-pw12 and more", "sk-pw12\nX: y", "sk-pw12-é"])
def test_a_key_that_cannot_be_sent_is_told_at_the_start_and_not_repeated(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_EMBEDDINGS_KEY", key)
    with pytest.raises(SettingError, match="ASSAY_EMBEDDINGS_KEY holds blanks or signs") as caught:
        config.check()
    assert "pw12" not in str(caught.value)
    monkeypatch.setenv("ASSAY_EMBEDDINGS_KEY", " sk-right\n")
    assert config.embeddings_key() == "sk-right"


def test_keys_are_the_settings_that_are_secret() -> None:
    assert [each.name for each in config.SETTINGS if each.is_secret] == [
        "ASSAY_OIDC_CLIENT_SECRET", "ASSAY_EMBEDDINGS_KEY", "ASSAY_LLM_KEY",
    ]  # fmt: skip
