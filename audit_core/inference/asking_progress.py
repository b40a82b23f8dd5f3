"""How far a run of questions is: counts, what was spent, how fast, and how long it will take."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from audit_core.inference.chat import ARRIVED, Answer, Status
from audit_core.inference.ledger import Spent

#: The rate is that of the last minute.
_WINDOW_SECONDS = 60.0
#: Progress is told at most so often, in seconds.
_EVERY_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class AskingProgress:
    """How far it is: `done` questions have an answer or a failure, `kept` of them out of the store.

    `statuses` counts all that are done. `calls`, `tokens` and `spend` (US dollars, None where a price is unknown) are the
    run's in all, with what it spent before it was started again; requests under way are left out. `rate` is how many
    questions a second were asked in the last minute, kept ones not counted.
    """

    done: int
    kept: int
    statuses: Mapping[Status, int]
    calls: int
    tokens: int
    spend: float | None
    rate: float

    def seconds_left(self, total: int) -> float | None:
        """Return how long the rest of `total` questions takes at this rate, None as long as no rate is known.

        What is kept among the rest comes at once, so that it may take less.
        """
        rest = max(total - self.done, 0)
        if rest == 0:
            return 0.0
        return rest / self.rate if self.rate > 0 else None


class Meter:
    """Counts answers and makes the reports."""

    def __init__(self, used: Callable[[], Spent], report: Callable[[AskingProgress], None] | None) -> None:
        self._used = used
        self._report = report
        self._statuses: Counter[Status] = Counter()
        self._kept = 0
        self._told_at = 0.0
        self._began: float | None = None
        self._asked = 0
        self._window: deque[tuple[float, int]] = deque()

    @property
    def done(self) -> int:
        """How many questions have an answer or a failure."""
        return self._statuses.total()

    @property
    def answered(self) -> int:
        """How many of them have an answer that is kept."""
        return sum(count for status, count in self._statuses.items() if status in ARRIVED)

    def began(self) -> None:
        """Say that the first question is on its way."""
        if self._began is None:
            self._began = time.monotonic()
            self._window.append((self._began, 0))

    def count(self, answer: Answer) -> None:
        """Count one answer, and tell how far it is, unless that was told just now."""
        self._statuses[answer.status] += 1
        if answer.was_kept:
            self._kept += 1
        else:
            self._asked += 1
        self.look()

    def look(self) -> None:
        """Tell how far it is, unless that was told just now."""
        if time.monotonic() - self._told_at >= _EVERY_SECONDS:
            self.tell()

    def tell(self) -> None:
        """Tell how far it is."""
        if self._report is None:
            return
        self._told_at = time.monotonic()
        used = self._used()
        self._report(
            AskingProgress(
                self.done, self._kept, dict(self._statuses), used.calls, used.tokens, used.spend, self._rate()
            )
        )

    def _rate(self) -> float:
        now = time.monotonic()
        if not self._window:
            return 0.0
        self._window.append((now, self._asked))
        while len(self._window) > 2 and now - self._window[1][0] >= _WINDOW_SECONDS:
            self._window.popleft()
        since, asked = self._window[0]
        return (self._asked - asked) / (now - since) if now > since else 0.0
