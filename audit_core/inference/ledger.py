"""What each run has spent on questions: calls, tokens and money, written down before a request is sent.

A request is entered with the most that it can cost; when its reply is there, the entry becomes what it did cost. So a run
that is killed has spent at least what it was charged for, as far as the server's own figures go.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from audit_core.inference.answer_store import AnswerStore

SCHEMA = (
    """CREATE TABLE IF NOT EXISTS spent (
        run TEXT PRIMARY KEY, calls INTEGER NOT NULL, tokens_input INTEGER NOT NULL, tokens_output INTEGER NOT NULL,
        spend REAL NOT NULL, unpriced INTEGER NOT NULL
    ) WITHOUT ROWID""",
)


@dataclass(frozen=True, slots=True)
class Cost:
    """What one request costs: tokens, and US dollars where the price is known."""

    tokens_input: int
    tokens_output: int
    spend: float | None


@dataclass(frozen=True, slots=True)
class Spent:
    """What a run has spent: requests, tokens, and US dollars (None where a request went to a model of unknown price)."""

    calls: int = 0
    tokens_input: int = 0
    tokens_output: int = 0
    spend: float | None = 0.0

    @property
    def tokens(self) -> int:
        """Tokens of input and output together."""
        return self.tokens_input + self.tokens_output

    def with_one(self, cost: Cost) -> Spent:
        """Return it with one request more."""
        spend = None if self.spend is None or cost.spend is None else self.spend + cost.spend
        return Spent(
            self.calls + 1, self.tokens_input + cost.tokens_input, self.tokens_output + cost.tokens_output, spend
        )


class Ledger:
    """The account of one run in the store's file. Models of one run share it by the run's id; so do processes."""

    def __init__(self, store: AnswerStore, run_id: str) -> None:
        self._store = store
        self.run_id = run_id

    def spent(self) -> Spent:
        """Return what the run has spent so far; requests under way count with the most that they can cost."""
        return self._store.read(lambda connection: _spent(connection, self.run_id))

    def reserve(self, most: Cost, allow: Callable[[Spent], None]) -> Future[None]:
        """Enter a request before it is sent; the future raises what `allow` raises when it sees what was spent before."""

        def work(connection: sqlite3.Connection) -> None:
            allow(_spent(connection, self.run_id))
            _add(connection, self.run_id, 1, most.tokens_input, most.tokens_output, most.spend)

        return self._store.write(work)

    def settling(self, most: Cost, used: Cost) -> Callable[[sqlite3.Connection], None]:
        """Return the work that replaces the most by what was used."""
        spend = None if used.spend is None or most.spend is None else used.spend - most.spend

        def work(connection: sqlite3.Connection) -> None:
            _add(
                connection, self.run_id, 0, used.tokens_input - most.tokens_input,
                used.tokens_output - most.tokens_output, spend,
            )  # fmt: skip

        return work

    def returning(self, most: Cost) -> Callable[[sqlite3.Connection], None]:
        """Return the work that takes an entry out again: its request was not sent after all."""
        spend = None if most.spend is None else -most.spend
        return lambda connection: _add(connection, self.run_id, -1, -most.tokens_input, -most.tokens_output, spend)


def _spent(connection: sqlite3.Connection, run: str) -> Spent:
    row = connection.execute(
        "SELECT calls, tokens_input, tokens_output, spend, unpriced FROM spent WHERE run = ?", (run,)
    ).fetchone()
    if row is None:
        return Spent()
    calls, tokens_input, tokens_output, spend, unpriced = row
    # Differences of sums of money leave rests of a billionth of a cent behind.
    return Spent(calls, tokens_input, tokens_output, None if unpriced else max(round(spend, 12), 0.0))


def _add(
    connection: sqlite3.Connection, run: str, calls: int, tokens_input: int, tokens_output: int, spend: float | None
) -> None:
    connection.execute("INSERT OR IGNORE INTO spent VALUES (?, 0, 0, 0, 0, 0)", (run,))
    connection.execute(
        "UPDATE spent SET calls = calls + ?, tokens_input = tokens_input + ?, tokens_output = tokens_output + ?, "
        "spend = spend + ?, unpriced = unpriced + ? WHERE run = ?",
        (calls, tokens_input, tokens_output, spend or 0.0, calls if spend is None else 0, run),
    )
