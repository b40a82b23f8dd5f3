"""The client against a real server with a small real model. What it answers is worthless; how it speaks is what counts.

Runs where ASSAY_TEST_LLAMA_SERVER names a llama.cpp server and ASSAY_TEST_LLAMA_MODEL a GGUF file of a model for chat.
"""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

import pytest

from audit_core.inference.answer_store import AnswerStore
from audit_core.inference.asking import ask_all
from audit_core.inference.budget import Budget, Caps
from audit_core.inference.chat import Answer, Ask, ChatModel, SentImage, Status
from audit_core.inference.ledger import Ledger
from audit_core.inference.probe import kept_probe
from audit_core.inference.retrying import Patience

SERVER = os.environ.get("ASSAY_TEST_LLAMA_SERVER", "")
MODEL = os.environ.get("ASSAY_TEST_LLAMA_MODEL", "")
QUARTERS = [0, 0.25, 0.5, 0.75, 1]
SCHEMA = {
    "type": "object",
    "properties": {
        "clarity": {"type": "number", "enum": QUARTERS},
        "decision": {"type": "string", "enum": ["accept", "discard"]},
    },
    "required": ["clarity", "decision"],
    "additionalProperties": False,
}
#: One grey pixel.
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b550000000a49444154789c636800000082008177cd72b60000"
    "000049454e44ae426082"
)


@pytest.fixture
def url(request: pytest.FixtureRequest) -> str:
    """The base URL of the server; skips the test where no server and model are named."""
    if not (SERVER and MODEL):
        pytest.skip(f"{request.node.name} needs ASSAY_TEST_LLAMA_SERVER and ASSAY_TEST_LLAMA_MODEL")
    return str(request.getfixturevalue("running_model"))


@pytest.fixture(scope="module")
def running_model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The base URL of a server with the model, on a free port; 2,048 tokens a question."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["-m", MODEL, "-a", "small", "--host", "127.0.0.1", "--port", str(port), "-c", "4096", "-np", "2"]
    log = tmp_path_factory.mktemp("llama") / "server.log"
    with log.open("w") as out:
        program = [SERVER, *options, "-t", "2", "-ngl", "0", "--no-webui"]
        process = subprocess.Popen(program, stdout=out, stderr=subprocess.STDOUT)
        try:
            _wait_until_it_answers(f"http://127.0.0.1:{port}/health", process, log)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()
            process.wait(30)


def _wait_until_it_answers(health: str, process: subprocess.Popen[bytes], log: Path) -> None:
    """Return when the server answers; its log is the error where it ends, or has not after two minutes."""
    opener = build_opener(ProxyHandler({}))
    until = time.monotonic() + 120
    while process.poll() is None and time.monotonic() < until:
        try:
            # A server that is still loading its model answers 503, which is an URLError.
            with opener.open(health, timeout=5):
                return
        except (URLError, OSError):
            time.sleep(0.1)
    raise AssertionError(log.read_text()[-2000:])


def ask(number: int, user: str = "", *, images: tuple[SentImage, ...] = ()) -> Ask:
    user = user or f"Rate how clear this query is: What did port {number} charge for mooring in 1931? Reply with JSON."
    return Ask("real", "0" * 64, f"q{number}", "You rate queries.", user, SCHEMA, images)


def answers(url: str, folder: Path, asks: list[Ask], **model: Any) -> list[Answer]:
    """The answers in the order of the queries, out of a store in `folder` or asked for."""
    asked = ChatModel(**({"base_url": url, "model": "small", "max_tokens": 64, "seed": 1} | model))
    with AnswerStore(folder) as store:
        budget = Budget(Caps(calls=40), asked, Ledger(store, "run"))
        found = list(
            ask_all(asks, asked, store=store, budget=budget, in_flight=2, patience=Patience(attempts=2, first=0.1))
        )
        probe = kept_probe(store, asked)
        assert probe is not None
        assert probe.mode == "enforced", probe.says
    return sorted(found, key=lambda each: each.query_id)


def test_the_schema_is_enforced_every_answer_keeps_it_and_none_is_asked_twice(url: str, tmp_path: Path) -> None:
    asks = [ask(number) for number in range(6)]
    found = answers(url, tmp_path, asks)
    assert [each.status for each in found] == [Status.ACCEPTED] * 6, [each.says for each in found]
    for each in found:
        assert each.value is not None
        assert each.value["clarity"] in QUARTERS
        assert each.value["decision"] in ("accept", "discard")
        assert each.tokens_input > 10
        assert each.tokens_output > 5
        assert '"choices"' in each.raw
    again = answers(url, tmp_path, asks)
    assert all(each.was_kept for each in again)
    assert [each.value for each in again] == [each.value for each in found]


def test_a_prompt_that_is_too_long_fails_by_itself_and_the_others_are_answered(url: str, tmp_path: Path) -> None:
    found = answers(url, tmp_path, [ask(0), ask(1, "mooring " * 5000), ask(2)])
    assert [each.status for each in found] == [Status.ACCEPTED, Status.HTTP_FAILURE, Status.ACCEPTED]
    assert "answered 400" in found[1].says
    assert "exceeds the available context size" in found[1].says
    assert found[1].attempts == 1, "a refused question is not repeated"


def test_an_image_is_refused_by_a_model_without_eyes_and_the_others_are_answered(url: str, tmp_path: Path) -> None:
    image = SentImage("grey", "image/png", lambda: PNG, tokens=1)
    found = answers(url, tmp_path, [ask(0), ask(1, images=(image,)), ask(2)])
    assert [each.status for each in found] == [Status.ACCEPTED, Status.HTTP_FAILURE, Status.ACCEPTED]
    assert "image input is not supported" in found[1].says


def test_a_reply_that_is_cut_off_is_tried_once_more_and_is_no_answer(url: str, tmp_path: Path) -> None:
    asked = ChatModel(base_url=url, model="small", max_tokens=3, seed=1)
    with AnswerStore(tmp_path) as store:
        budget = Budget(Caps(calls=40), asked, Ledger(store, "run"))
        found = list(ask_all([ask(0)], asked, store=store, budget=budget))
    assert [(each.status, each.attempts) for each in found] == [(Status.TRUNCATED, 2)]
