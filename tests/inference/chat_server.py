"""A real HTTP server on 127.0.0.1 that speaks the OpenAI protocol (chat, embeddings, models), and misbehaves as told.

In a test: `with running() as server:`; what it can be told to answer stands in `chat_answers.py`. As a program:
`python -m tests.inference.chat_server --latency 0.5 --port-file FILE` answers until it is ended.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.inference import embeddings_server
from tests.inference.chat_answers import Answer, Request, knowing, right, slow


class Handler(BaseHTTPRequestHandler):
    """Answers with what the test put into the server's queue, and with `otherwise` when the queue is empty."""

    server: ChatServer
    protocol_version = "HTTP/1.1"
    #: Head and body go out together, and at once.
    wbufsize = -1
    disable_nagle_algorithm = True

    def setup(self) -> None:
        """Let the server know the connection, so that it can end it."""
        super().setup()
        with self.server.changed:
            self.server.connections.add(self.connection)

    def finish(self) -> None:
        """Forget the connection."""
        with self.server.changed:
            self.server.connections.discard(self.connection)
        super().finish()

    def do_GET(self) -> None:
        """List the model; `/counts` tells a benchmark how many requests came and how many at once."""
        if self.path == "/v1/models":
            self.send(200, {"object": "list", "data": [{"id": self.server.model, "object": "model"}]})
        elif self.path == "/counts":
            with self.server.changed:
                counts = {"requests": self.server.count, "most_at_once": self.server.most_at_once}
            self.send(200, counts)
        else:
            self.send(404, {"error": {"message": f"no {self.path} here"}})

    def do_POST(self) -> None:
        """Answer one question, or give the vectors of texts."""
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/v1/embeddings":
            self.server.embedding_requests.append(request)
            self.send(200, embeddings_server.right_body(request))
        elif self.path == "/v1/chat/completions":
            answer = self.server.came(request, {name.lower(): value for name, value in self.headers.items()})
            try:
                answer(self, request)
                self.wfile.flush()
            finally:
                self.server.went()
        else:
            self.send(404, {"error": {"message": f"no {self.path} here"}})

    def send(self, status: int, body: Any, *, kind: str = "application/json", **headers: str) -> None:
        """Send a reply; a body that is not text is written as JSON (Python's, with NaN)."""
        content = (body if isinstance(body, str) else json.dumps(body)).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Write nothing to the terminal."""


class ChatServer(ThreadingHTTPServer):
    """The server with what it was asked so far, and what it is to answer.

    `answers` are taken first, one a chat request, then `otherwise` goes on for ever. `requests`, `headers` and
    `embedding_requests` hold what came in order of arrival (chat requests and heads only where `keeps`); `count` and
    `most_at_once` are of chat requests.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, *, port: int = 0, otherwise: Answer = right, keeps: bool = True, model: str = "stub") -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.changed = threading.Condition()
        self.closing = threading.Event()
        self.connections: set[socket.socket] = set()
        self.requests: list[Request] = []
        self.headers: list[dict[str, str]] = []
        self.embedding_requests: list[Request] = []
        self.answers: deque[Answer] = deque()
        self.otherwise = otherwise
        self.keeps = keeps
        self.model = model
        self.count = 0
        self.at_once = 0
        self.most_at_once = 0

    @property
    def url(self) -> str:
        """The base URL."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def came(self, request: Request, headers: dict[str, str]) -> Answer:
        """Count a request in and return what it is to be answered."""
        with self.changed:
            self.count += 1
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
            if self.keeps:
                self.requests.append(request)
                self.headers.append(headers)
            self.changed.notify_all()
            return self.answers.popleft() if self.answers else self.otherwise

    def went(self) -> None:
        """Count a request out."""
        with self.changed:
            self.at_once -= 1
            self.changed.notify_all()

    def wait_until(self, holds: Callable[[ChatServer], bool], seconds: float = 60.0) -> None:
        """Wait until something holds of the server, such as `lambda server: server.count == 3`.

        Raises:
            TimeoutError: it did not come to hold.
        """
        with self.changed:
            if not self.changed.wait_for(lambda: holds(self), seconds):
                raise TimeoutError(f"after {seconds:g} seconds: {self.count} requests, {self.at_once} at once")

    def hang_up(self) -> None:
        """End what is being answered, and every connection."""
        self.closing.set()
        with self.changed:
            open_now = list(self.connections)
        for connection in open_now:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, *_: object) -> None:
        """A client that went away is what some tests are about."""


@contextmanager
def running(*, port: int = 0, otherwise: Answer = right, keeps: bool = True) -> Iterator[ChatServer]:
    """A server on a free port, or on `port`; when left it hangs up on whoever is still connected."""
    with ChatServer(port=port, otherwise=otherwise, keeps=keeps) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            server.hang_up()
            thread.join()


def main() -> None:
    """Answer until the process is ended; the port stands in the file, and in what is printed."""
    parser = argparse.ArgumentParser(prog="python -m tests.inference.chat_server", description=main.__doc__)
    parser.add_argument("--port", type=int, default=0, help="port; a free one when left out")
    parser.add_argument("--port-file", type=Path, help="file that the port is written to once it answers")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before a question is answered")
    parser.add_argument("--truth", type=Path, help="JSON file: text of a query -> object that is answered")
    parser.add_argument("--model", default="stub", help="name of the model that is listed")
    given = parser.parse_args()
    answer = knowing(json.loads(given.truth.read_text(encoding="utf-8"))) if given.truth else right
    if given.latency:
        answer = slow(given.latency, answer)
    with ChatServer(port=given.port, otherwise=answer, keeps=False, model=given.model) as server:
        if given.port_file:
            beside = given.port_file.with_name(given.port_file.name + ".part")
            beside.write_text(str(server.server_address[1]), encoding="utf-8")
            os.replace(beside, given.port_file)
        print(server.url, flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
