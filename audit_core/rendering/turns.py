"""How threads of a web server take turns: one thread a key, or one at a time with urgent ones first."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterator
from contextlib import contextmanager


class OnePerKey:
    """Locks by key: threads with the same key follow one another. A lock goes with its last user."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._locks: dict[Hashable, tuple[threading.Lock, int]] = {}

    @contextmanager
    def holding(self, key: Hashable) -> Iterator[None]:
        """Run the block while no other thread holds `key`."""
        with self._guard:
            lock, users = self._locks.get(key, (threading.Lock(), 0))
            self._locks[key] = (lock, users + 1)
        try:
            with lock:
                yield
        finally:
            with self._guard:
                lock, users = self._locks.pop(key)
                if users > 1:
                    self._locks[key] = (lock, users - 1)


class Turns:
    """One thread at a time; an urgent one waits for the one that has the turn, but for no other that is not urgent."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._taken = False
        self._urgent_waiting = 0
        self._others_waiting = 0

    @property
    def waiting(self) -> tuple[int, int]:
        """How many threads wait: urgent ones, others."""
        return self._urgent_waiting, self._others_waiting

    @contextmanager
    def turn(self, *, urgent: bool) -> Iterator[None]:
        """Run the block while no other thread has the turn."""
        with self._changed:
            if urgent:
                self._urgent_waiting += 1
                try:
                    self._changed.wait_for(lambda: not self._taken)
                finally:
                    self._urgent_waiting -= 1
            else:
                self._others_waiting += 1
                try:
                    self._changed.wait_for(lambda: not self._taken and not self._urgent_waiting)
                finally:
                    self._others_waiting -= 1
            self._taken = True
        try:
            yield
        finally:
            with self._changed:
                self._taken = False
                self._changed.notify_all()
