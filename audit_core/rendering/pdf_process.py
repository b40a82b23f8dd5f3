"""The server's side of the drawing process (`pdf_worker`): starts it, asks it, and starts it again when it fails."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, NoReturn

import audit_core
from audit_core.errors import PageUnavailable
from audit_core.rendering.turns import Turns

#: How long the process may take to start, in seconds (a cold disk, a busy machine).
_START_SECONDS = 60.0
#: How many page sizes are remembered; all are forgotten when there are more.
_SIZES_KEPT = 200_000
_ATTEMPTS = 2

_CRASHED = "the drawing process crashed twice on it: the file is damaged or needs too much memory"


@dataclass(frozen=True, slots=True)
class PdfPageSize:
    """Width and height of a PDF page in points, as shown (crop box and rotation applied), and the document's pages."""

    width: float
    height: float
    pages: int


@dataclass(slots=True)
class _Child:
    process: subprocess.Popen[bytes]
    answers: queue.SimpleQueue[bytes | None] = field(default_factory=queue.SimpleQueue)


class DrawingProcess:
    """One child process that draws, started at the first question. Safe under threads: it is asked one thing at a time.

    A question of size waits for at most one drawing. A file on which the process crashed twice or took too long is not
    tried again until the server restarts. `watch`, where given, is called with the child's process id and the kind of
    question (`size`, `draw`, `upright`) as soon as the question was handed over.
    """

    def __init__(self, *, timeout_seconds: float, watch: Callable[[int, str], None] | None = None) -> None:
        self._timeout = timeout_seconds
        self._watch = watch
        self._turns = Turns()
        self._child: _Child | None = None
        self._closed = False
        self._sizes: dict[tuple[str, int], PdfPageSize] = {}
        self._given_up: dict[tuple[str, int | None], str] = {}

    @property
    def pid(self) -> int | None:
        """The process id of the running child; None before the first question and after `close`."""
        child = self._child
        return child.process.pid if child else None

    def page_size(self, path: Path, file_hash: str, page: int) -> PdfPageSize:
        """Return the size of page `page` (from 1), remembered by the file's hash; nothing is drawn.

        Raises:
            PageUnavailable: the PDF is broken or encrypted, has no such page, or the process failed on it.
        """
        known = self._sizes.get((file_hash, page))
        if known is not None:
            return known
        request = {"ask": "size", "path": str(path), "hash": file_hash, "page": page}
        answer = self._ask((file_hash, page), request, urgent=True)
        size = PdfPageSize(width=answer["width"], height=answer["height"], pages=answer["pages"])
        if len(self._sizes) >= _SIZES_KEPT:
            self._sizes.clear()
        self._sizes[file_hash, page] = size
        return size

    def draw_page(self, path: Path, file_hash: str, page: int, *, width: int, height: int, target: Path) -> None:
        """Draw page `page` (from 1) in `width` x `height` pixels into `target`, a new WebP file.

        Raises:
            PageUnavailable: as `page_size`; the drawing took too long; `target` cannot be written.
        """
        request = {"ask": "draw", "path": str(path), "hash": file_hash, "page": page}
        request |= {"width": width, "height": height, "target": str(target)}
        self._ask((file_hash, page), request, urgent=False)

    def make_upright(
        self, path: Path, file_hash: str, *, kind: str, orientation: int, lossless: bool, target: Path
    ) -> None:
        """Write the image turned by its EXIF `orientation` into `target`, a new file of the format `kind`.

        Raises:
            PageUnavailable: the image cannot be decoded, it took too long, or `target` cannot be written.
        """
        request = {"ask": "upright", "path": str(path), "kind": kind, "orientation": orientation}
        request |= {"lossless": lossless, "target": str(target)}
        self._ask((file_hash, None), request, urgent=False)

    def close(self) -> None:
        """End the child; later questions are refused."""
        self._closed = True
        child = self._child
        if child is not None:
            _end(child)
            self._child = None

    def _ask(self, subject: tuple[str, int | None], request: dict[str, Any], *, urgent: bool) -> dict[str, Any]:
        """Return the child's answer; `subject` (file hash, page) is given up after two crashes or one overlong wait."""
        with self._turns.turn(urgent=urgent):
            if subject in self._given_up:
                raise PageUnavailable(self._given_up[subject])
            for _ in range(_ATTEMPTS):
                answer = self._exchange(subject, json.dumps(request).encode() + b"\n", str(request["ask"]))
                if answer is not None:
                    break
            else:
                self._give_up(subject, _CRASHED)
        if "fault" in answer:
            raise PageUnavailable(str(answer["fault"]))
        return answer

    def _exchange(self, subject: tuple[str, int | None], line: bytes, kind: str) -> dict[str, Any] | None:
        """Return one answer; None when the child crashed before it gave one."""
        child = self._running()
        stdin = child.process.stdin
        assert stdin is not None
        try:
            stdin.write(line)
            stdin.flush()
        except (OSError, ValueError):  # it has ended; ValueError: `close` has closed the pipe
            _end(child)
            return None
        if self._watch is not None:
            self._watch(child.process.pid, kind)
        try:
            reply = child.answers.get(timeout=self._timeout)
        except queue.Empty:
            _end(child)
            self._give_up(
                subject,
                f"drawing it takes longer than {self._timeout:g} seconds: simplify the page, "
                "or raise ASSAY_PDF_TIMEOUT_SECONDS and start the server again",
            )
        if reply is None:
            _end(child)
            return None
        answer: dict[str, Any] = json.loads(reply)
        return answer

    def _give_up(self, subject: tuple[str, int | None], reason: str) -> NoReturn:
        self._given_up[subject] = reason
        raise PageUnavailable(reason)

    def _running(self) -> _Child:
        if self._closed:
            raise PageUnavailable("the server is stopping: try again when it is back")
        if self._child is None or self._child.process.poll() is not None:
            if self._child is not None:
                _end(self._child)
            self._child = None  # a start that fails leaves none
            self._child = child = _started()
            if self._closed:  # `close` came while it started and did not see it
                _end(child)
            return child
        return self._child


def _started() -> _Child:
    """Return a child that has said that it is ready.

    Raises:
        PageUnavailable: it did not start; its own words are in the server's log.
    """
    package_folder = str(Path(audit_core.__file__).resolve().parent.parent)
    search = os.pathsep.join(filter(None, (package_folder, os.environ.get("PYTHONPATH"))))
    try:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "audit_core.rendering.pdf_worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            close_fds=True,  # no socket or file of the server is inherited
            start_new_session=True,  # Ctrl-C in the server's terminal is not for the child: it ends with its stdin
            env={**os.environ, "PYTHONPATH": search},
        )
    except OSError as error:
        raise PageUnavailable(f"the drawing process does not start ({error.strerror}): see the server's log") from None
    child = _Child(process)
    assert process.stdout is not None
    threading.Thread(target=_collect, args=(process.stdout, child.answers), daemon=True).start()
    try:
        ready = child.answers.get(timeout=_START_SECONDS)
    except queue.Empty:
        ready = None
    if ready is None:
        _end(child)
        raise PageUnavailable("the drawing process does not start: see the server's log")
    return child


def _collect(stream: IO[bytes], answers: queue.SimpleQueue[bytes | None]) -> None:
    with stream:
        for line in stream:
            answers.put(line)
    answers.put(None)


def _end(child: _Child) -> None:
    child.process.kill()  # does nothing when it has ended; never hits another process that got its id
    child.process.wait()
    if child.process.stdin is not None and not child.process.stdin.closed:
        with contextlib.suppress(OSError):  # what was left to write has no reader any more
            child.process.stdin.close()
