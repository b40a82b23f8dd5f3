"""Answers of language models on disk, by the key of their question: each is paid for once.

```
ASSAY_HOME/cache/answers/
  answers.sqlite      answers as they came, failures, what each run has spent, who is asking what now, what servers can do
  asking-TOKEN.lock   held by a run while it asks
```

An answer is on the disk before it is handed on: SQLite's write-ahead log is flushed at each commit, and what many threads
have to write at once goes into one commit (`GroupCommit`). Any number of threads and processes may use one folder.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from audit_core import config
from audit_core.domain import JsonObject
from audit_core.errors import StorageError
from audit_core.inference import answer_rows, claims, ledger
from audit_core.inference.answer_rows import Kept, key_bytes
from audit_core.inference.chat import ARRIVED, Answer
from audit_core.inference.claims import Claimant
from audit_core.inference.group_commit import GroupCommit, connected

Result = TypeVar("Result")
FILE = "answers.sqlite"
_ABILITY = """CREATE TABLE IF NOT EXISTS ability (
    server TEXT PRIMARY KEY, record TEXT NOT NULL, told_at REAL NOT NULL
) WITHOUT ROWID"""
_SCHEMA = (*answer_rows.SCHEMA, *claims.SCHEMA, *ledger.SCHEMA, _ABILITY)


def answers_folder() -> Path:
    """Return the folder of the answers (not created here)."""
    return config.home() / "cache" / "answers"


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of keys: `kept` are answered, `mine` are the claimant's to ask, `others` are being asked already.

    `begun` are those of `mine` whose first reply was truncated and whose second try has yet to come.
    """

    kept: dict[str, Answer]
    mine: frozenset[str]
    others: frozenset[str]
    begun: dict[str, Answer]


class AnswerStore:
    """The answers in one folder. Close it, or use it in `with`: a thread of its own writes."""

    def __init__(self, folder: Path) -> None:
        """Open or create the store.

        Raises:
            StorageError: the folder cannot be used, or its file is damaged.
        """
        self.folder = folder
        self._guard = threading.Lock()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(f"The answers in {folder} cannot be opened ({error.strerror}).") from None
        with self._failing_clearly():
            self._reading = connected(folder / FILE)
            try:
                for statement in _SCHEMA:
                    self._reading.execute(statement)
            except BaseException:
                self._reading.close()
                raise
        self._commits = GroupCommit(folder / FILE)

    def close(self) -> None:
        """Write what waits, and close the file."""
        self._commits.close()
        with self._guard:
            self._reading.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def __len__(self) -> int:
        """Return the number of answers that are kept."""
        (count,) = self.read(lambda found: found.execute("SELECT count(*) FROM answer WHERE is_final").fetchone())
        return int(count)

    def get(self, key: str) -> Answer | None:
        """Return the answer that is kept under a key, None where there is none."""
        return self.get_many([key]).get(key)

    def get_many(self, keys: Sequence[str]) -> dict[str, Answer]:
        """Return the answers that are kept of these keys, by key."""
        found = self.read(lambda connection: answer_rows.find(connection, [key_bytes(key) for key in keys]))
        return {key: kept.answer for key, kept in found.items() if kept.is_final}

    def keys_of(self, keys: Sequence[str]) -> set[str]:
        """Return those of the keys that an answer is kept of."""
        return self.read(lambda connection: answer_rows.find_keys(connection, [key_bytes(key) for key in keys]))

    def put(self, answer: Answer, *, asked: JsonObject | None = None) -> None:
        """Keep an answer; it is on the disk when this returns. One that has not arrived is written down as a failure.

        `asked` is what belongs to the question beside its key, such as the hash of its prompt.

        Raises:
            StorageError: it cannot be written.
        """
        self.write(self.keeping(answer, asked=asked)).result()

    def keeping(
        self,
        answer: Answer,
        *,
        asked: JsonObject | None = None,
        is_final: bool = True,
        claimant: Claimant | None = None,
    ) -> Callable[[sqlite3.Connection], None]:
        """Return the work that keeps an answer and gives up the claimant's claim to it, for `write`.

        One that is not final (it was truncated, and a second try has yet to come) is no answer to `get`.
        """

        def work(connection: sqlite3.Connection) -> None:
            if answer.status in ARRIVED:
                answer_rows.insert(connection, answer, is_final=is_final, asked=asked or {})
            else:
                answer_rows.insert_failure(connection, answer)
            if claimant is not None:
                claimant.release(connection, key_bytes(answer.key))

        return work

    def write(self, work: Callable[[sqlite3.Connection], Result]) -> Future[Result]:
        """Return at once what `work` will return once it is committed (see `GroupCommit.run`)."""
        return self._commits.run(work)

    def read(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """Return what `work` finds, which must not write.

        Raises:
            StorageError: the file cannot be read.
        """
        with self._guard, self._failing_clearly():
            return work(self._reading)

    @contextmanager
    def claiming(self) -> Iterator[Claimant]:
        """Give a claimant, whose claims end with the block or with the process."""
        with self._failing_clearly():
            claimant = Claimant(self.folder)
        try:
            self.write(claimant.enter).result()
            yield claimant
        finally:
            try:
                self.write(claimant.leave).result()
            finally:
                claimant.close()

    def take(self, keys: Iterable[str], claimant: Claimant) -> Taken:
        """Return what is kept of the keys, and claim the rest as far as nobody else has.

        Raises:
            StorageError: the file cannot be written.
        """
        wanted = list(dict.fromkeys(keys))
        kept = self.get_many(wanted)
        missing = [key for key in wanted if key not in kept]
        if not missing:
            return Taken(kept, frozenset(), frozenset(), {})

        def work(connection: sqlite3.Connection) -> tuple[dict[str, Kept], set[bytes]]:
            # What was answered between looking and claiming is seen here: both are one transaction.
            found = answer_rows.find(connection, [key_bytes(key) for key in missing])
            free = [key_bytes(key) for key in missing if key not in found or not found[key].is_final]
            return found, claimant.claim(connection, free)

        found, claimed = self.write(work).result()
        mine = frozenset(key.hex() for key in claimed)
        kept |= {key: each.answer for key, each in found.items() if each.is_final}
        begun = {key: each.answer for key, each in found.items() if not each.is_final and key in mine}
        return Taken(kept, mine, frozenset(missing) - mine - kept.keys(), begun)

    def ability(self, server: str, *, oldest: float) -> JsonObject | None:
        """Return what was told of a server at most `oldest` seconds ago, None where nothing was."""
        row = self.read(
            lambda connection: connection.execute(
                "SELECT record FROM ability WHERE server = ? AND told_at > ?", (server, time.time() - oldest)
            ).fetchone()
        )
        return None if row is None else dict(json.loads(row[0]))

    def keep_ability(self, server: str, record: JsonObject | None) -> Future[None]:
        """Keep what a server can do; None forgets it."""

        def work(connection: sqlite3.Connection) -> None:
            if record is None:
                connection.execute("DELETE FROM ability WHERE server = ?", (server,))
            else:
                values = (server, json.dumps(record), time.time())
                connection.execute("INSERT OR REPLACE INTO ability VALUES (?, ?, ?)", values)

        return self.write(work)

    @contextmanager
    def _failing_clearly(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise StorageError(f"The answers in {self.folder} cannot be used now ({error}).") from None
        except sqlite3.Error as error:
            raise StorageError(
                f"The answers in {self.folder} are damaged ({error}): move that folder away; what is in it is asked anew."
            ) from None
