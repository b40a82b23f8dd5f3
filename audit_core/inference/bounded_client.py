"""HTTP clients for model servers that read so much of a reply and no more, and follow no redirect."""

from __future__ import annotations

import zlib
from typing import Any

import httpx2
import openai

from audit_core.errors import InferenceError

#: Of an error so much is read: its message stands at the beginning.
_ERROR_BYTES = 64 * 1024
#: All that goes along with a question, besides the key: what the package reads from the environment for OpenAI's own server,
#: such as OPENAI_CUSTOM_HEADERS, is not meant for the server that was named.
_HEADERS = ("host", "connection", "accept", "content-type", "content-length", "transfer-encoding")
#: 32 more than the largest window: the head tells gzip from zlib.
_EITHER = 32 + zlib.MAX_WBITS


class ReplyNotRead(InferenceError):
    """A reply was given up: larger than the bound, or packed in a way that nobody asked for. Whoever calls says of whom."""


class BoundedAsyncClient(openai.DefaultAsyncHttpxClient):
    """The client of the protocol with a bound of `most` bytes on a reply, counted as it is unpacked.

    A reply is asked for unpacked; one that comes as gzip all the same is unpacked up to the bound. Questions hold texts and
    pages that were meant for one server: where it sends on to another, that reply is an error like others. Of headers only
    those of the protocol are sent, with `key` as the only secret.
    """

    def __init__(self, *, most: int, key: str) -> None:
        super().__init__(follow_redirects=False)
        self._most, self._key = most, key

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Return a reply that was read whole, or the beginning of an error.

        Raises:
            ReplyNotRead: it is larger than the bound, or packed otherwise.
            httpx2.RequestError: no connection, one that broke off, or a reply that cannot be unpacked.
        """
        reply = await super().send(_ours(request, self._key), **options | {"stream": True, "follow_redirects": False})
        try:
            intake = _Intake(reply, self._most)
            async for part in reply.aiter_raw():
                if intake.is_full_with(part):
                    break
        finally:
            await reply.aclose()
        return intake.reply(request)


class BoundedClient(openai.DefaultHttpxClient):
    """The same for one request after another."""

    def __init__(self, *, most: int, key: str) -> None:
        super().__init__(follow_redirects=False)
        self._most, self._key = most, key

    def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Return a reply that was read whole, or the beginning of an error (see `BoundedAsyncClient.send`)."""
        reply = super().send(_ours(request, self._key), **options | {"stream": True, "follow_redirects": False})
        try:
            intake = _Intake(reply, self._most)
            for part in reply.iter_raw():
                if intake.is_full_with(part):
                    break
        finally:
            reply.close()
        return intake.reply(request)


def _ours(request: httpx2.Request, key: str) -> httpx2.Request:
    """Return a request with no header but those of the protocol."""
    headers = [(name, value) for name, value in request.headers.multi_items() if name in _HEADERS]
    headers = [*headers, ("Accept-Encoding", "identity"), ("Authorization", f"Bearer {key}"), ("User-Agent", "assay")]
    return httpx2.Request(
        request.method, request.url, headers=headers, stream=request.stream, extensions=request.extensions
    )


class _Intake:
    """What was taken in of one reply, unpacked."""

    def __init__(self, reply: httpx2.Response, most: int) -> None:
        self._head, self._content = reply, bytearray()
        self._is_error = not reply.is_success
        self._most = min(_ERROR_BYTES, most) if self._is_error else most
        packed = reply.headers.get("Content-Encoding", "identity").strip().lower()
        if packed not in ("identity", "", "gzip", "x-gzip", "deflate"):
            if not self._is_error:
                raise ReplyNotRead(f"sent a reply packed as {packed[:40]!r}, though it was asked for one unpacked")
            self._most = 0
        self._unpacking = None if packed in ("identity", "") else zlib.decompressobj(_EITHER)

    def is_full_with(self, part: bytes) -> bool:
        """Take a part in; return whether no more is wanted, of an error.

        Raises:
            ReplyNotRead: a reply that is none exceeds the bound.
            httpx2.DecodingError: it is not packed as it says.
        """
        left = self._most - len(self._content)
        # One more than there is room for tells that there is more, however far it would unpack.
        self._content += part[: left + 1] if self._unpacking is None else self._unpacked(part, left + 1)
        if len(self._content) <= self._most:
            return False
        if not self._is_error:
            raise ReplyNotRead(f"sent a reply of more than {size_words(self._most)}, which is not read")
        del self._content[self._most :]
        return True

    def _unpacked(self, part: bytes, most: int) -> bytes:
        assert self._unpacking is not None
        try:
            return self._unpacking.decompress(part, most)
        except zlib.error as error:
            raise httpx2.DecodingError(f"the reply cannot be unpacked: {error}", request=self._head.request) from None

    def reply(self, request: httpx2.Request) -> httpx2.Response:
        """Return the reply as if it had come unpacked, to the request as it was made."""
        head = self._head
        headers = [
            (name, value)
            for name, value in head.headers.multi_items()
            if name not in ("content-encoding", "content-length", "transfer-encoding")
        ]
        return httpx2.Response(head.status_code, headers=headers, content=bytes(self._content), request=request)


def size_words(size: int) -> str:
    """Return a number of bytes in whole megabytes."""
    return f"{size // 1_000_000:,} MB"


def place_sent_to(reply: httpx2.Response) -> str | None:
    """Return where a redirect sends to, without what may be secret (user, query); None where it is none or does not say."""
    if not 300 <= reply.status_code < 400 or "location" not in reply.headers:
        return None
    try:
        to = reply.request.url.join(reply.headers["location"])
        port = f":{to.port}" if to.port is not None else ""
        return f"{to.scheme}://{to.host}{port}{to.path}"[:300]
    except (httpx2.InvalidURL, ValueError):
        return "an address that cannot be read"
