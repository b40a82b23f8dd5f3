"""A thread that sends questions, so many at once, while the caller does something else.

One event loop in one thread holds all connections: a run that is cancelled can so give up what is under way at once.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from types import TracebackType
from typing import Self

from audit_core.inference.answer_store import AnswerStore
from audit_core.inference.budget import Budget
from audit_core.inference.chat import Answer
from audit_core.inference.chat_endpoint import ChatEndpoint
from audit_core.inference.claims import BEAT_SECONDS, Claimant
from audit_core.inference.line import Line, Stopped, done
from audit_core.inference.probe import Probe, kept_probe, try_out
from audit_core.inference.question import Question, answer
from audit_core.inference.retrying import Patience

#: What is under way when a run is cancelled has so long to arrive, in seconds: a reply may be on the wire already.
_GRACE_SECONDS = 0.5


class Sending:
    """Sends what is submitted. `outcomes` gets an answer for each question, or None where the run stopped before it.

    `failure` is why nothing more is sent, None while all is well; `probe` what is known of the server. Use it in `with`.
    """

    def __init__(
        self, *, store: AnswerStore, budget: Budget, in_flight: int, patience: Patience, claimant: Claimant,
        probe: Probe | None,
    ) -> None:  # fmt: skip
        self.outcomes: queue.SimpleQueue[Answer | None] = queue.SimpleQueue()
        self.failure: BaseException | None = None
        self.probe = probe
        self._store, self._budget, self._in_flight = store, budget, in_flight
        self._patience, self._claimant = patience, claimant
        self._thread: threading.Thread | None = None
        self._is_ready = threading.Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def submit(self, question: Question) -> None:
        """Let a question be sent when it is its turn; the thread begins with the first one.

        Raises:
            InferenceError: the client cannot be made for this address.
        """
        if self._thread is None:
            endpoint = ChatEndpoint(self._budget.model)
            self._thread = threading.Thread(
                target=lambda: asyncio.run(self._main(endpoint)), name="assay-asking", daemon=True
            )
            self._thread.start()
            self._is_ready.wait()
        self._loop.call_soon_threadsafe(self._questions.put_nowait, question)

    def close(self) -> None:
        """Send nothing more, give up what does not arrive at once, and end the thread."""
        if self._thread is not None:
            self._loop.call_soon_threadsafe(self._closing.set)
            self._thread.join()
            self._thread = None

    async def _main(self, endpoint: ChatEndpoint) -> None:
        self._loop = asyncio.get_running_loop()
        self._questions: asyncio.Queue[Question | None] = asyncio.Queue()
        self._closing = asyncio.Event()
        self._is_ready.set()
        line = Line(endpoint, self._budget, self._store, self._patience, self._claimant, self._in_flight)
        opening = asyncio.create_task(self._open(line))
        beating = asyncio.create_task(self._beat())
        workers = [asyncio.create_task(self._work(line, opening)) for _ in range(self._in_flight)]
        try:
            await self._closing.wait()
            await line.stop()
            for _ in workers:
                self._questions.put_nowait(None)
            await asyncio.wait(workers, timeout=_GRACE_SECONDS)
        finally:
            tasks: list[asyncio.Task[None]] = [opening, beating, *workers]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            line.images.close()
            await endpoint.close()

    async def _open(self, line: Line) -> None:
        """Find out what the server does with a schema, unless that is known."""
        self.probe = self.probe or kept_probe(self._store, self._budget.model) or await try_out(line)
        line.mode, line.limit_name = self.probe.mode, self.probe.limit_name

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            await done(self._store.write(self._claimant.beat))

    async def _work(self, line: Line, opening: asyncio.Task[None]) -> None:
        while (question := await self._questions.get()) is not None:
            self.outcomes.put(await self._outcome(line, opening, question))

    async def _outcome(self, line: Line, opening: asyncio.Task[None], question: Question) -> Answer | None:
        if line.stopping.is_set():
            return None
        try:
            # One worker that is cancelled must not take the others' server from them.
            await asyncio.shield(opening)
            return await answer(line, question)
        except Stopped:
            return None
        except Exception as error:  # noqa: BLE001 - the caller's thread raises it
            self.failure = self.failure or error
            await line.stop()
            return None
