"""Replies that are too large, packed otherwise than asked, or sent on to somewhere else; for servers of chat and of vectors."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from http.server import BaseHTTPRequestHandler
from typing import Any

Answer = Callable[[Any, dict[str, Any]], None]
_PART = 1_000_000


def packed(content: bytes) -> bytes:
    """Return bytes as gzip."""
    packing = zlib.compressobj(wbits=31)
    return packing.compress(content) + packing.flush()


@cache
def bomb(megabytes: int) -> bytes:
    """Return gzip of about a thousandth of the size of the JSON object in it, which has one long text more."""
    packing = zlib.compressobj(wbits=31)
    parts = [packing.compress(b'{"choices": [], "more": "')]
    parts += [packing.compress(b"a" * _PART) for _ in range(megabytes)]
    return b"".join([*parts, packing.compress(b'"}'), packing.flush()])


def sending(content: bytes, *, status: int = 200, **headers: str) -> Answer:
    """Answer with these bytes as they are; `Content_Encoding="gzip"` is sent as the header Content-Encoding."""

    def answer(handler: BaseHTTPRequestHandler, _: dict[str, Any]) -> None:
        handler.send_response(status)
        for name, value in (
            {"Content_Type": "application/json", "Content_Length": str(len(content))} | headers
        ).items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        with suppress(OSError):
            handler.wfile.write(content)

    return answer


class Endless:
    """Answers with a body that has no end; `sent` counts the bytes that went out before the client hung up."""

    def __init__(self, status: int = 200) -> None:
        self.status = status
        self.sent = 0

    def __call__(self, handler: BaseHTTPRequestHandler, _: dict[str, Any]) -> None:
        """Send until nobody takes it any more."""
        handler.send_response(self.status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.close_connection = True
        with suppress(OSError):
            handler.wfile.write(b'{"error": "down", "more": "')
            while True:
                handler.wfile.write(b"a" * _PART)
                self.sent += _PART


def sends_on(status: int, to: str) -> Answer:
    """Answer that the question is to be sent to another place."""
    return sending(json.dumps({"moved": True}).encode(), status=status, Location=to)
