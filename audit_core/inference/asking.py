"""Many questions to one model: each is answered out of the store or asked once, and every answer is on the disk when it is seen."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from audit_core.config import MOST_IN_FLIGHT
from audit_core.errors import InferenceError
from audit_core.inference.answer_store import AnswerStore
from audit_core.inference.asking_progress import AskingProgress, Meter
from audit_core.inference.budget import Budget, CapReached
from audit_core.inference.chat import Answer, Ask, ChatModel
from audit_core.inference.claims import Claimant
from audit_core.inference.probe import Probe
from audit_core.inference.question import Question
from audit_core.inference.retrying import Patience
from audit_core.inference.sending import Sending

#: Questions are read this many times `in_flight` ahead of what is asked.
_AHEAD = 4
#: How often it is looked whether the run is cancelled, or somebody else's question is answered, in seconds.
_LOOK_SECONDS = 0.2


def ask_all(
    asks: Iterable[Ask], model: ChatModel, *, store: AnswerStore, budget: Budget, in_flight: int = 8,
    patience: Patience | None = None, probe: Probe | None = None,
    report: Callable[[AskingProgress], None] | None = None, cancelled: Callable[[], bool] | None = None,
    total: int | None = None,
) -> Iterator[Answer]:  # fmt: skip
    """Return the answers one by one as they come, in any order: one for each of `asks`.

    What is kept in the store is not asked. `asks` is read in the caller's thread and never far ahead. At most `in_flight`
    requests are under way; before the first the server is tried out (see `probe`), unless `probe` or the store tells
    what it does. A question that another run is asking at this moment is waited for. The reply to a question that was
    truncated is asked for once more with twice `max_tokens`. Of `patience` all but `pause` counts.

    Where the run must stop, what is under way still arrives, is kept and returned; then the error is raised. Cancelled, or
    interrupted by Ctrl-C, it gives up what is under way (it may have cost; the ledger keeps it at the most it can) but for
    what arrives within half a second; cancelled, it ends without an error. `total`, the number of questions, is for messages.

    `report` is called in the caller's thread, some times a second; an error that it raises ends the run like Ctrl-C.

    Raises:
        CapReached: the next request could pass a cap.
        InferenceError: key, model or account are refused, the server is gone or keeps failing, or an argument is wrong.
        StorageError: an answer cannot be written.
    """
    if not 1 <= in_flight <= MOST_IN_FLIGHT:
        raise InferenceError(f"{in_flight} requests at once are not possible: give 1 to {MOST_IN_FLIGHT}.")
    if budget.model != model:
        raise InferenceError(f"The budget is that of the model {budget.model.model}, not of {model.model}.")
    return _Asking(
        iter(asks), model, store, budget, in_flight, patience or Patience(), probe,
        Meter(budget.used, report), cancelled, total,
    ).answers()  # fmt: skip


class _Asking:
    """One run over questions."""

    def __init__(
        self, asks: Iterator[Ask], model: ChatModel, store: AnswerStore, budget: Budget, in_flight: int,
        patience: Patience, probe: Probe | None, meter: Meter, cancelled: Callable[[], bool] | None, total: int | None,
    ) -> None:  # fmt: skip
        self._asks, self._model, self._store, self._budget = asks, model, store, budget
        self._in_flight, self._patience, self._probe = in_flight, patience, probe
        self._meter, self._cancelled, self._total = meter, cancelled or (lambda: False), total
        self._are_read = False
        #: Questions that are submitted and have no outcome yet, and those that somebody else is asking.
        self._submitted = 0
        self._elsewhere: list[Question] = []

    def answers(self) -> Iterator[Answer]:
        """Return the answers (see `ask_all`)."""
        with self._store.claiming() as claimant:
            sending = Sending(
                store=self._store, budget=self._budget, in_flight=self._in_flight, patience=self._patience,
                claimant=claimant, probe=self._probe,
            )  # fmt: skip
            with sending:
                yield from self._counted(self._stream(sending, claimant))
            yield from self._counted(self._left(sending))
        self._meter.tell()
        if sending.failure is not None:
            raise self._told(sending.failure)

    def _counted(self, answers: Iterator[Answer]) -> Iterator[Answer]:
        for answer in answers:
            self._meter.count(answer)
            yield answer

    def _stream(self, sending: Sending, claimant: Claimant) -> Iterator[Answer]:
        looked = time.monotonic()
        while not self._cancelled():
            if sending.failure is None:
                ahead = _AHEAD * self._in_flight - self._submitted - len(self._elsewhere)
                if not self._are_read and ahead >= _AHEAD * self._in_flight // 2:
                    yield from self._taken(self._read(ahead), sending, claimant)
                    continue
                if self._elsewhere and time.monotonic() - looked >= _LOOK_SECONDS:
                    waiting, self._elsewhere = self._elsewhere, []
                    yield from self._taken(waiting, sending, claimant)
                    looked = time.monotonic()
            if self._submitted == 0 and (sending.failure is not None or (self._are_read and not self._elsewhere)):
                return
            answer = self._next(sending, _LOOK_SECONDS)
            if answer is not None:
                yield answer
            else:
                # A report may also be how the caller stops the run: it is made though nothing comes.
                self._meter.look()

    def _read(self, count: int) -> list[Question]:
        found = [Question(ask, ask.key(self._model)) for ask in islice(self._asks, count)]
        self._are_read = len(found) < count
        return found

    def _taken(self, questions: list[Question], sending: Sending, claimant: Claimant) -> Iterator[Answer]:
        """Return what is kept of the questions; submit those that are nobody's, and remember the others."""
        taken = self._store.take((question.key for question in questions), claimant)
        submitted: set[str] = set()
        for question in questions:
            key = question.key
            if key in taken.mine and key not in submitted:
                submitted.add(key)
                self._meter.began()
                sending.submit(Question(question.ask, key, taken.begun.get(key)))
                self._submitted += 1
            elif key not in taken.kept:
                self._elsewhere.append(question)
        for question in questions:
            if question.key in taken.kept:
                yield taken.kept[question.key]

    def _next(self, sending: Sending, seconds: float) -> Answer | None:
        """Return the next answer, None where none came in so many seconds or a question was not asked."""
        try:
            answer = sending.outcomes.get(timeout=seconds)
        except queue.Empty:
            return None
        self._submitted -= 1
        return answer

    def _left(self, sending: Sending) -> Iterator[Answer]:
        """Return what arrived while the thread was ending."""
        while not sending.outcomes.empty():
            answer = self._next(sending, 0)
            if answer is not None:
                yield answer

    def _told(self, failure: BaseException) -> BaseException:
        """Return why the run stopped, with what is kept of it."""
        if not isinstance(failure, InferenceError):
            return failure
        of = "" if self._total is None else f" of {self._total:,} questions"
        kept = f"{self._meter.answered:,} answers{of} are kept"
        if isinstance(failure, CapReached):
            return CapReached(f"{failure} {kept}: give a higher cap to go on; they are not asked again.")
        return type(failure)(f"{failure} {kept}: start again, and only the rest is asked.")
