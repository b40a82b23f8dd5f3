"""Searches for one letter, which most queries match: answered from the first queries of a dataset, in its order.

The full-text index has no list of the words that begin with a letter; it would have to join those of all such words.
"""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Iterable
from functools import lru_cache

#: How many queries are looked at, and how many of them must match for the letter to tell queries not apart.
LOOKED_AT = 2_000
COMMON = 100
_ONE_SIGN = re.compile(r'"\w"\*')


class FirstQueries:
    """The first queries of a dataset, as (row, text, answer), searched as its index is. Threads may share it."""

    def __init__(self, queries: Iterable[tuple[int, str, str]]) -> None:
        self._turn = threading.Lock()
        self._connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._connection.execute(
            "CREATE VIRTUAL TABLE query_text USING fts5(text, answer, content='', prefix='1', "
            "tokenize='unicode61 remove_diacritics 2')"
        )
        self._connection.execute("BEGIN")
        self._connection.executemany("INSERT INTO query_text (rowid, text, answer) VALUES (?, ?, ?)", queries)
        self._connection.execute("COMMIT")
        self.common_rows = lru_cache(maxsize=256)(self._common_rows)

    def _common_rows(self, expression: str) -> tuple[int, ...]:
        """Return the rows among the first that match, in order; none where the letter is not common."""
        with self._turn:
            found = self._connection.execute(
                "SELECT rowid FROM query_text WHERE query_text MATCH ? ORDER BY rowid", (expression,)
            ).fetchall()
        return tuple(row[0] for row in found) if len(found) >= COMMON else ()


def is_one_letter(expression: str) -> bool:
    """Return whether an expression asks for words that begin with one letter or digit, and for nothing else."""
    return _ONE_SIGN.fullmatch(expression) is not None
