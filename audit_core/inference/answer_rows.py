"""Answers as rows of the store's file, and back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from audit_core.domain import JsonObject
from audit_core.inference.chat import Answer, Status

SCHEMA = (
    """CREATE TABLE IF NOT EXISTS answer (
        key BLOB PRIMARY KEY, is_final INTEGER NOT NULL, purpose TEXT NOT NULL, query_id TEXT NOT NULL,
        repeat INTEGER NOT NULL, status TEXT NOT NULL, value TEXT, says TEXT NOT NULL, raw TEXT NOT NULL,
        model TEXT NOT NULL, base_url TEXT NOT NULL, tokens_input INTEGER NOT NULL, tokens_output INTEGER NOT NULL,
        attempts INTEGER NOT NULL, seconds REAL NOT NULL, asked_at TEXT NOT NULL, asked TEXT NOT NULL
    )""",
    """CREATE TABLE IF NOT EXISTS failure (
        number INTEGER PRIMARY KEY, key BLOB NOT NULL, purpose TEXT NOT NULL, query_id TEXT NOT NULL,
        repeat INTEGER NOT NULL, status TEXT NOT NULL, says TEXT NOT NULL, model TEXT NOT NULL, base_url TEXT NOT NULL,
        attempts INTEGER NOT NULL, asked_at TEXT NOT NULL
    )""",
)
_COLUMNS = (
    "key, is_final, purpose, query_id, repeat, status, value, says, raw, model, base_url, tokens_input, tokens_output, "
    "attempts, seconds, asked_at"
)
#: Values of one statement; SQLite takes 999 in its oldest builds.
_AT_ONCE = 900


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer of the store. One that is not final was truncated, and its second try has yet to come."""

    answer: Answer
    is_final: bool


def key_bytes(key: str) -> bytes:
    """Return a key of 64 hex digits as 32 bytes."""
    return bytes.fromhex(key)


def find(connection: sqlite3.Connection, keys: Sequence[bytes]) -> dict[str, Kept]:
    """Return what is kept of the keys."""
    found: dict[str, Kept] = {}
    for start in range(0, len(keys), _AT_ONCE):
        part = list(keys[start : start + _AT_ONCE])
        marks = ", ".join("?" * len(part))
        for row in connection.execute(f"SELECT {_COLUMNS} FROM answer WHERE key IN ({marks})", part):
            kept = _kept(row)
            found[kept.answer.key] = kept
    return found


def find_keys(connection: sqlite3.Connection, keys: Sequence[bytes]) -> set[str]:
    """Return those of the keys whose final answer is kept."""
    found: set[str] = set()
    for start in range(0, len(keys), _AT_ONCE):
        part = list(keys[start : start + _AT_ONCE])
        marks = ", ".join("?" * len(part))
        rows = connection.execute(f"SELECT key FROM answer WHERE is_final AND key IN ({marks})", part)
        found.update(row[0].hex() for row in rows)
    return found


def insert(connection: sqlite3.Connection, answer: Answer, *, is_final: bool, asked: JsonObject) -> None:
    """Keep an answer. A final one stays as it is: of two that were paid for, the first counts."""
    values = (
        key_bytes(answer.key), int(is_final), answer.purpose, answer.query_id, answer.repeat, answer.status.value,
        None if answer.value is None else json.dumps(answer.value), _storable(answer.says), _storable(answer.raw),
        answer.model, answer.base_url, answer.tokens_input, answer.tokens_output, answer.attempts, answer.seconds,
        answer.asked_at, json.dumps(asked),
    )  # fmt: skip
    marks = ", ".join("?" * len(values))
    connection.execute("DELETE FROM answer WHERE key = ? AND NOT is_final", (values[0],))
    connection.execute(f"INSERT OR IGNORE INTO answer ({_COLUMNS}, asked) VALUES ({marks})", values)


def insert_failure(connection: sqlite3.Connection, answer: Answer) -> None:
    """Write down that a question got no answer; the next run asks it again."""
    connection.execute(
        "INSERT INTO failure (key, purpose, query_id, repeat, status, says, model, base_url, attempts, asked_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            key_bytes(answer.key), answer.purpose, answer.query_id, answer.repeat, answer.status.value,
            _storable(answer.says), answer.model, answer.base_url, answer.attempts, answer.asked_at,
        ),
    )  # fmt: skip


def _kept(row: tuple[Any, ...]) -> Kept:
    (
        key, is_final, purpose, query_id, repeat, status, value, says, raw, model, base_url, tokens_input, tokens_output,
        attempts, seconds, asked_at,
    ) = row  # fmt: skip
    answer = Answer(
        key=key.hex(), purpose=purpose, query_id=query_id, repeat=repeat, status=Status(status),
        value=None if value is None else json.loads(value), says=says, raw=raw, model=model, base_url=base_url,
        tokens_input=tokens_input, tokens_output=tokens_output, attempts=attempts, seconds=seconds, asked_at=asked_at,
        was_kept=True,
    )  # fmt: skip
    return Kept(answer, bool(is_final))


def _storable(text: str) -> str:
    """Return a text with half characters replaced: SQLite keeps UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")
