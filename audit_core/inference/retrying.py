"""Asking a server again after it failed: how often, how long to wait in between, and what it says itself about that."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from audit_core.errors import InferenceError
from audit_core.inference.embedder import Cancelled, State

Answer = TypeVar("Answer")
#: Waiting is done in steps of so many seconds, so that a cancellation is seen.
_STEP = 0.25


class Again(Exception):
    """An attempt failed in a way that may pass.

    `after` is how many seconds the server asks to wait, None if it does not. `state` says what is wrong with a reply
    that came, None where none came.
    """

    def __init__(self, says: str, *, after: float | None = None, state: State | None = None) -> None:
        super().__init__(says)
        self.after = after
        self.state = state


class GivenUp(Exception):
    """The last attempt failed as well: the text says how, `state` is that of the failure."""

    def __init__(self, last: Again) -> None:
        super().__init__(str(last))
        self.state = last.state


class WasCancelled(Exception):
    """Cancelled while waiting for the next attempt."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to go on with a server that fails.

    Before attempt k + 1 a random time of up to `first * 2**k` seconds is waited, at least half of it, and at most
    `longest`: many clients that failed at once then do not come back at once. A server that names a time is given that
    time, up to `obeyed` seconds; one that asks for more is left alone. `pause` waits.
    """

    attempts: int = 6
    first: float = 1.0
    longest: float = 60.0
    obeyed: float = 300.0
    pause: Callable[[float], None] = time.sleep

    def seconds(self, failures: int) -> float:
        """Return how long to wait after so many failures where the server names no time."""
        most = min(self.longest, self.first * 2.0 ** (failures - 1))
        return most * random.uniform(0.5, 1.0)


def until_it_works(attempt: Callable[[], Answer], patience: Patience, *, cancelled: Cancelled | None = None) -> Answer:
    """Return what `attempt` returns, asking again as long as it raises `Again`.

    Raises:
        GivenUp: the last attempt failed as well.
        WasCancelled: `cancelled` said so between two attempts.
        InferenceError: the server asks to be left alone for longer than it is worth to wait.
    """
    for failures in range(1, patience.attempts + 1):
        try:
            return attempt()
        except Again as failure:
            if failure.after is not None and failure.after > patience.obeyed:
                raise InferenceError(
                    f"{failure} It asks to wait {failure.after:,.0f} seconds: start again after that; nothing that "
                    "arrived is asked for twice."
                ) from None
            if failures == patience.attempts:
                raise GivenUp(failure) from None
            _wait(patience.seconds(failures) if failure.after is None else failure.after, patience.pause, cancelled)
    raise AssertionError("the last failure is raised inside the loop")


def _wait(seconds: float, pause: Callable[[float], None], cancelled: Cancelled | None) -> None:
    while seconds > 0:
        if cancelled is not None and cancelled():
            raise WasCancelled
        pause(min(seconds, _STEP))
        seconds -= _STEP
    if cancelled is not None and cancelled():
        raise WasCancelled


def asked_to_wait(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Return how many seconds a reply asks to wait, at least 0; None where it does not say or says it unreadably.

    Read from `retry-after-ms`, or `Retry-After` as seconds or as a date (RFC 9110, section 10.2.3).
    """
    for header, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(headers[header]) / unit
        except (KeyError, ValueError):
            continue
        # NaN and infinity are numbers to float.
        return max(seconds, 0.0) if seconds < float("inf") else None
    try:
        until = parsedate_to_datetime(headers["retry-after"])
    except (KeyError, ValueError, TypeError):
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=UTC)
    return max((until - (now or datetime.now(UTC))).total_seconds(), 0.0)
