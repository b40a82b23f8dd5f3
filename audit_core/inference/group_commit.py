"""One thread that writes to a SQLite file: what is waiting is committed together, and acknowledged when it is on the disk."""

from __future__ import annotations

import queue
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

from audit_core.errors import StorageError

Result = TypeVar("Result")
Work = Callable[[sqlite3.Connection], Any]
#: Works of one commit: more would keep other processes from the file for too long.
_AT_ONCE = 500
_LOCK_SECONDS = 60.0


def connected(file: Path) -> sqlite3.Connection:
    """Return a connection with a write-ahead log that is flushed to the disk at every commit; transactions by hand."""
    connection = sqlite3.connect(file, timeout=_LOCK_SECONDS, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


class GroupCommit:
    """Runs works in the order in which they come, many in one transaction. Threads may share it.

    A work that raises is taken back alone. The thread begins with the first work and ends with `close`.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._guard = threading.Lock()
        self._waiting: queue.SimpleQueue[tuple[Work, Future[Any]] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._is_closed = False

    def run(self, work: Callable[[sqlite3.Connection], Result]) -> Future[Result]:
        """Return at once what will be the result of `work`, once it is committed.

        The future raises what `work` raises; StorageError where the file cannot be written, or is closed.
        """
        future: Future[Result] = Future()
        # Nobody may take back what was promised to be written.
        future.set_running_or_notify_cancel()
        with self._guard:
            if self._is_closed:
                future.set_exception(StorageError(f"{self._file} is closed already."))
                return future
            if self._thread is None:
                self._thread = threading.Thread(target=self._write, name="assay-answers", daemon=True)
                self._thread.start()
            self._waiting.put((work, future))
        return future

    def close(self) -> None:
        """Write what waits, and end the thread."""
        with self._guard:
            thread, self._thread, self._is_closed = self._thread, None, True
            self._waiting.put(None)
        if thread is not None:
            thread.join()

    def _write(self) -> None:
        connection: sqlite3.Connection | None = None
        try:
            while (batch := self._next()) is not None:
                try:
                    connection = connection or connected(self._file)
                    done = _committed(connection, batch)
                except sqlite3.Error as error:
                    for _, future in batch:
                        future.set_exception(StorageError(f"{self._file} cannot be written ({error})."))
                    continue
                for future, result, failure in done:
                    if failure is not None:
                        future.set_exception(failure)
                    else:
                        future.set_result(result)
        finally:
            if connection is not None:
                connection.close()

    def _next(self) -> list[tuple[Work, Future[Any]]] | None:
        """Return what waits, at least one work; None once it is closed and everything is written."""
        first = self._waiting.get()
        if first is None:
            return None
        batch = [first]
        while len(batch) < _AT_ONCE:
            try:
                more = self._waiting.get_nowait()
            except queue.Empty:
                break
            if more is None:
                self._waiting.put(None)
                break
            batch.append(more)
        return batch


def _committed(
    connection: sqlite3.Connection, batch: list[tuple[Work, Future[Any]]]
) -> list[tuple[Future[Any], Any, BaseException | None]]:
    """Return (future, result, failure) of each work after the commit of all that did not fail."""
    done: list[tuple[Future[Any], Any, BaseException | None]] = []
    connection.execute("BEGIN IMMEDIATE")
    try:
        for work, future in batch:
            connection.execute("SAVEPOINT work")
            try:
                result = work(connection)
            except sqlite3.Error:
                raise
            except Exception as failure:  # noqa: BLE001 - whoever waits for the future is told
                connection.execute("ROLLBACK TO work")
                done.append((future, None, failure))
            else:
                done.append((future, result, None))
            connection.execute("RELEASE work")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return done
