"""The course of one question: a reply, a second try where it was truncated, and the answer on the disk."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from sqlite3 import Connection

from audit_core.domain import JsonObject
from audit_core.errors import PageUnavailable
from audit_core.inference.chat import Answer, Ask, Status
from audit_core.inference.chat_endpoint import QuestionRefused
from audit_core.inference.chat_request import request_content
from audit_core.inference.line import Came, Line, Tally, Unanswered, done


@dataclass(frozen=True, slots=True)
class Question:
    """A question to be sent. `begun` is its first, truncated reply, where only the second try is missing."""

    ask: Ask
    key: str
    begun: Answer | None = None


async def answer(line: Line, question: Question) -> Answer:
    """Return what became of a question, on the disk already (a failure too, as a failure).

    Raises:
        Stopped: the run stopped before there was an answer.
        CapReached: a cap leaves no room for the next request.
        InferenceError: the run must stop (see `ChatEndpoint.attempt` and `Line.look_at`).
        StorageError: an answer cannot be written.
    """
    return await _Course(line, question).run()


class _Course:
    """One question on its way."""

    def __init__(self, line: Line, question: Question) -> None:
        self._line = line
        self._ask, self._key, self._begun = question.ask, question.key, question.begun
        self._model = line.budget.model
        self._started = time.monotonic()
        self._asked_at = datetime.now(UTC).isoformat(timespec="milliseconds")
        self._tally = Tally()
        if self._begun is not None:
            self._tally = Tally(self._begun.attempts, self._begun.tokens_input, self._begun.tokens_output)

    async def run(self) -> Answer:
        """Return the answer (see `answer`)."""
        answer, limit = self._begun, self._model.max_tokens
        limits = (limit, 2 * limit) if answer is None else (2 * limit,)
        for limit in limits:
            try:
                came = await self._try(limit)
            except PageUnavailable as error:
                return await self._without(Status.NO_PAGE, f"A page cannot be sent: {error}.")
            except (QuestionRefused, Unanswered) as error:
                if answer is None:
                    failed = await self._without(Status.HTTP_FAILURE, str(error))
                    self._line.look_at(error)
                    return failed
                # What was truncated stands. A server that refuses the larger budget will always do so.
                return await self._keep_truncated(answer, error, is_final=isinstance(error, QuestionRefused))
            answer = self._answer(came.reading.status, came.reading.value, came.reading.says, came.reply.raw)
            is_final = answer.status is not Status.TRUNCATED or limit == limits[-1]
            keeping = self._keeping(answer, is_final=is_final, max_tokens=limit, gives_up=is_final)
            await self._line.commit(came.settling, keeping)
            if is_final:
                return answer
        raise AssertionError("the last try is final")

    async def _try(self, max_tokens: int) -> Came:
        line, ask = self._line, self._ask
        if not ask.images:
            return await line.came(ask, self._content(max_tokens, []), max_tokens, self._tally)
        async with line.images.reading:
            content = self._content(max_tokens, await line.images.read(ask.images))
            await line.images.enter(len(content))
        try:
            return await line.came(ask, content, max_tokens, self._tally)
        finally:
            await line.images.leave(len(content))

    def _content(self, max_tokens: int, images: list[bytes]) -> bytes:
        line = self._line
        return request_content(
            self._ask, self._model, mode=line.mode, limit_name=line.limit_name, max_tokens=max_tokens, images=images
        )

    async def _without(self, status: Status, says: str) -> Answer:
        answer = self._answer(status, None, says, "")
        await done(self._line.store.write(self._keeping(answer)))
        return answer

    async def _keep_truncated(self, answer: Answer, error: Exception, *, is_final: bool) -> Answer:
        says = f"{answer.says} A second try with twice the tokens failed: {error}"
        answer = self._answer(answer.status, None, says, answer.raw)
        keeping = self._keeping(answer, is_final=is_final, max_tokens=self._model.max_tokens)
        # Final or not, this run does not try again.
        await done(self._line.store.write(keeping))
        return answer

    def _answer(self, status: Status, value: JsonObject | None, says: str, raw: str) -> Answer:
        ask, model, tally = self._ask, self._model, self._tally
        return Answer(
            key=self._key, purpose=ask.purpose, query_id=ask.query_id, repeat=ask.repeat, status=status, value=value,
            says=says, raw=raw, model=model.model, base_url=model.base_url, tokens_input=tally.tokens_input,
            tokens_output=tally.tokens_output, attempts=tally.attempts,
            seconds=round(time.monotonic() - self._started, 3), asked_at=self._asked_at,
        )  # fmt: skip

    def _keeping(
        self, answer: Answer, *, is_final: bool = True, max_tokens: int | None = None, gives_up: bool = True
    ) -> Callable[[Connection], None]:
        ask = self._ask
        asked: JsonObject = {
            "prompt": ask.prompt_hash, "parameters": self._model.parameters, "max_tokens": max_tokens,
            "images": [image.key for image in ask.images], "schema": self._line.mode,
        }  # fmt: skip
        claimant = self._line.claimant if gives_up else None
        return self._line.store.keeping(answer, asked=asked, is_final=is_final, claimant=claimant)
