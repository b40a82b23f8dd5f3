"""How one model is asked: requests until a reply comes, each paid for beforehand, and nothing once the run stops."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from sqlite3 import Connection
from typing import TypeVar

from audit_core.errors import InferenceError
from audit_core.inference.answer_store import AnswerStore
from audit_core.inference.budget import Budget, CapReached
from audit_core.inference.chat import Ask, Status
from audit_core.inference.chat_endpoint import ChatEndpoint, PassingFailure, QuestionRefused, Reply
from audit_core.inference.chat_reply import Reading, read_reply
from audit_core.inference.chat_request import LimitName, Mode, size_of
from audit_core.inference.claims import Claimant
from audit_core.inference.image_turns import ImageTurns
from audit_core.inference.ledger import Cost
from audit_core.inference.retrying import Patience

Result = TypeVar("Result")

#: After so many questions in a row that the server refuses (400, 413, 422) it is left alone, ...
_MOST_REFUSED = 50
#: ... or after as many as are asked at once, and this many at least, that got no reply after every attempt.
_MOST_UNANSWERED = 3
#: Of what is no JSON so many characters are shown.
_SHOWN = 80


class Stopped(Exception):
    """The run stopped before the question was answered: it is not asked."""


class Unanswered(Exception):
    """The last attempt failed as well, in a way that may pass; the text says how."""


@dataclass(slots=True)
class Tally:
    """What was sent for one question so far."""

    attempts: int = 0
    tokens_input: int = 0
    tokens_output: int = 0

    def add(self, cost: Cost) -> None:
        """Add what a request used."""
        self.tokens_input += cost.tokens_input
        self.tokens_output += cost.tokens_output


@dataclass(frozen=True, slots=True)
class Came:
    """A reply, what can be read in it, and the work that settles its cost (to be committed together with the answer)."""

    reply: Reply
    reading: Reading
    settling: Callable[[Connection], None]


@dataclass(slots=True)
class Line:
    """What the questions to one model share: the connections, what may be spent, and when to send nothing."""

    endpoint: ChatEndpoint
    budget: Budget
    store: AnswerStore
    patience: Patience
    claimant: Claimant | None = None
    in_flight: int = 1
    mode: Mode = "ignored"
    limit_name: LimitName = "max_tokens"
    images: ImageTurns = field(default_factory=ImageTurns)
    #: Set when nothing more may be sent.
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    #: Requests whose cost is entered and not settled yet.
    under_way: int = 0
    settled: asyncio.Condition = field(default_factory=asyncio.Condition)
    times_settled: int = 0
    #: A time of the loop before which the server asked to be left alone.
    not_before: float = 0.0
    #: Questions that failed since the last reply, by the kind of failure.
    failed: Counter[type[Exception]] = field(default_factory=Counter)

    async def came(self, ask: Ask, content: bytes, max_tokens: int, tally: Tally) -> Came:
        """Return the first reply that is a chat completion, asking again while failures may pass.

        Raises:
            QuestionRefused: the server refuses this question.
            Unanswered: the last attempt failed as well.
            Stopped: the run stopped before there was a reply.
            CapReached: a cap leaves no room for the next request.
            InferenceError: the run must stop (see `ChatEndpoint.attempt`).
        """
        bound = size_of(ask, with_schema=self.mode != "refused").bound
        for failures in range(1, self.patience.attempts + 1):
            await self._may_send()
            most = self.budget.most(bound, max_tokens)
            await self._reserve(most)
            if self.stopping.is_set():
                await self.commit(self.budget.returning(most))
                raise Stopped
            tally.attempts += 1
            try:
                return await self._attempt(ask, content, most, tally)
            except PassingFailure as failure:
                await self._pause_after(failure, failures)
        raise AssertionError("the last failure is raised inside the loop")

    async def _attempt(self, ask: Ask, content: bytes, most: Cost, tally: Tally) -> Came:
        used, nothing = most, self.budget.cost(0, 0)
        try:
            reply = await self.endpoint.attempt(content)
            used = nothing = self.budget.cost(*reply.usage) if reply.usage is not None else most
            reading = read_reply(reply.body, ask.schema)
            if reading.status is Status.HTTP_FAILURE:
                raise PassingFailure(
                    f"{self.budget.model.base_url}: {_no_completion(reply, reading)}", may_have_cost=True
                )
        except PassingFailure as failure:
            await self._settle(most, used if failure.may_have_cost else nothing, tally)
            raise
        except QuestionRefused as refusal:
            await self._settle(most, most if refusal.may_have_cost else nothing, tally)
            raise
        except InferenceError:
            await self._settle(most, nothing, tally)
            raise
        tally.add(used)
        self.failed.clear()
        return Came(reply, reading, self.budget.settling(most, used))

    def look_at(self, failure: Exception) -> None:
        """Count a question that failed.

        Raises:
            InferenceError: so many have failed in a row that the rest would fail too.
        """
        self.failed[type(failure)] += 1
        refused, unanswered = self.failed[QuestionRefused], self.failed[Unanswered]
        if refused >= _MOST_REFUSED or unanswered >= max(_MOST_UNANSWERED, self.in_flight):
            raise InferenceError(
                f"{failure} The last {refused + unanswered:,} questions in a row failed, so no more are sent."
            )

    async def _may_send(self) -> None:
        """Return when a request may be sent: at once, or when the time that the server named has come."""
        while True:
            if self.stopping.is_set():
                raise Stopped
            seconds = self.not_before - asyncio.get_running_loop().time()
            if seconds <= 0:
                return
            await self._rest(seconds)

    async def _rest(self, seconds: float) -> None:
        """Wait so long, or until the run stops."""
        try:
            async with asyncio.timeout(seconds):
                await self.stopping.wait()
        except TimeoutError:
            return
        raise Stopped

    async def _pause_after(self, failure: PassingFailure, failures: int) -> None:
        """Wait as long as the server asks to (nobody sends anything meanwhile), else ever longer and never the same."""
        if failure.after is not None and failure.after > self.patience.obeyed:
            raise InferenceError(f"{failure} It asks to wait {failure.after:,.0f} seconds: start again after that.")
        if failure.after is not None:
            self.not_before = max(self.not_before, asyncio.get_running_loop().time() + failure.after)
        if failures == self.patience.attempts:
            raise Unanswered(str(failure))
        if failure.after is None:
            await self._rest(self.patience.seconds(failures))

    async def _reserve(self, most: Cost) -> None:
        """Enter a request. Where a cap leaves no room, what is under way may turn out cheaper: that is waited for."""
        while True:
            seen = self.times_settled
            self.under_way += 1
            try:
                return await done(self.budget.reserve(most))
            except CapReached:
                self.under_way -= 1
                if self.under_way == 0:
                    raise
            except BaseException:
                self.under_way -= 1
                raise
            async with self.settled:
                while self.times_settled == seen:
                    await self.settled.wait()
            if self.stopping.is_set():
                raise Stopped

    async def stop(self) -> None:
        """Let nothing more be sent; what is under way goes on."""
        self.stopping.set()
        async with self.settled:
            self.times_settled += 1
            self.settled.notify_all()

    async def _settle(self, most: Cost, used: Cost, tally: Tally) -> None:
        tally.add(used)
        await self.commit(self.budget.settling(most, used))

    async def commit(self, *works: Callable[[Connection], None]) -> None:
        """Commit the end of a request: what it did cost, and what came of it."""

        def work(connection: Connection) -> None:
            for each in works:
                each(connection)

        await done(self.store.write(work))
        await self._one_less()

    async def _one_less(self) -> None:
        self.under_way -= 1
        async with self.settled:
            self.times_settled += 1
            self.settled.notify_all()


def _no_completion(reply: Reply, reading: Reading) -> str:
    """Return why a reply is no completion; of one that is no JSON at all with how it begins, such as a page to sign in."""
    begins = " ".join(reply.raw[:_SHOWN].split())
    return reading.says if reply.body is not None or not begins else f"{reading.says} What came begins {begins!r}."


async def done(future: Future[Result]) -> Result:
    """Return what a future of a thread comes to. A task that is cancelled meanwhile does not take the work back."""
    # Works of the store are under way from the start, which no cancellation changes.
    return await asyncio.wrap_future(future)
