"""A real HTTP server on 127.0.0.1 that speaks the embeddings protocol, and misbehaves as told."""

from __future__ import annotations

import base64
import hashlib
import json
import struct
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DIMENSIONS = 8
Answer = Callable[["Handler", dict[str, Any]], None]


def numbers_of(text: str) -> list[float]:
    """Return the server's vector of a text: 8 numbers from its hash, not of length 1."""
    digest = hashlib.sha256(text.encode()).digest()
    return [digest[place] / 64 - 2 for place in range(DIMENSIONS)]


def right_body(request: dict[str, Any]) -> dict[str, Any]:
    """Return the body of a right reply, in the encoding that the request asks for."""
    data: list[dict[str, Any]] = []
    for index, text in enumerate(request["input"]):
        numbers = numbers_of(text)
        packed = base64.b64encode(struct.pack(f"<{len(numbers)}f", *numbers)).decode()
        embedding = packed if request.get("encoding_format") == "base64" else numbers
        data.append({"object": "embedding", "index": index, "embedding": embedding})
    tokens = sum(len(text.split()) for text in request["input"])
    usage = {"prompt_tokens": tokens, "total_tokens": tokens}
    return {"object": "list", "data": data, "model": request["model"], "usage": usage}


class Handler(BaseHTTPRequestHandler):
    """Answers with what the test put into the server's queue, and rightly when the queue is empty."""

    server: EmbeddingsServer

    def do_POST(self) -> None:
        """Answer one request for vectors."""
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.guard:
            self.server.requests.append(request)
            self.server.headers.append({name.lower(): value for name, value in self.headers.items()})
            answer = self.server.answers.popleft() if self.server.answers else self.server.otherwise
        self.server.paths.append(self.path)
        answer(self, request)

    def send(self, status: int, body: Any, **headers: str) -> None:
        """Send a reply; a body that is not text is written as JSON (Python's, with NaN)."""
        content = (body if isinstance(body, str) else json.dumps(body)).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Write nothing to the terminal."""


class EmbeddingsServer(ThreadingHTTPServer):
    """The server with what it was asked so far, and what it is to answer."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.guard = threading.Lock()
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.answers: deque[Answer] = deque()
        self.otherwise: Answer = right

    @property
    def url(self) -> str:
        """The base URL."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    @property
    def texts(self) -> list[list[str]]:
        """The texts of each request."""
        return [each["input"] for each in self.requests]

    def handle_error(self, *_: object) -> None:
        """A client that went away is what some tests are about."""


def right(handler: Handler, request: dict[str, Any]) -> None:
    """Answer rightly."""
    handler.send(200, right_body(request))


def status(code: int, message: str = "no", *, kind: str | None = None, **headers: str) -> Answer:
    """Answer with an error."""
    return lambda handler, _: handler.send(code, {"error": {"message": message, "code": kind}}, **headers)


def changed(change: Callable[[dict[str, Any]], Any]) -> Answer:
    """Answer with what `change` makes of the right body: it alters it, or returns another."""

    def answer(handler: Handler, request: dict[str, Any]) -> None:
        body = right_body(request)
        handler.send(200, change(body) or body)

    return answer


def cut_off(handler: Handler, request: dict[str, Any]) -> None:
    """Promise the whole reply, send half of it, and hang up."""
    content = json.dumps(right_body(request)).encode()
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(content)))
    handler.end_headers()
    handler.wfile.write(content[: len(content) // 2])
    handler.wfile.flush()
    handler.close_connection = True


def until(event: threading.Event) -> Answer:
    """Answer only when `event` is set."""

    def answer(handler: Handler, request: dict[str, Any]) -> None:
        event.wait(60)
        right(handler, request)

    return answer


@contextmanager
def running() -> Iterator[EmbeddingsServer]:
    """A server on a free port."""
    with EmbeddingsServer() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
