"""Reading right answers for gold entries from a file: JSON Lines or CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any, BinaryIO

from audit_core.errors import AssayError
from audit_core.workflow.gold import GoldAnswer, gold_answers

_SUFFIXES = (".jsonl", ".csv")


def gold_of_file(protocol: str, file: BinaryIO, *, name: str) -> tuple[GoldAnswer, ...]:
    """Return the right answers of a file, one row a query: `query_id`, and `codes` of an audit, else fields of the protocol.

    In CSV a cell that is JSON (`true`, `0.5`, `["a"]`) is that value, any other is text, and an empty one is left out.

    Raises:
        AssayError: the file or a row of it cannot be read; names file and row.
    """
    if PurePath(name).suffix.lower() not in _SUFFIXES:
        raise AssayError(f"{name} is neither JSON Lines nor CSV: give a file that ends in {' or '.join(_SUFFIXES)}.")
    try:
        text = file.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise AssayError(f"{name} is not UTF-8 text ({error}): save it as UTF-8.") from None
    rows = list(_lines(text, name) if name.lower().endswith(".jsonl") else _cells(text, name))
    if not rows:
        raise AssayError(f"{name} holds no right answer: write one row a query.")
    return gold_answers(protocol, rows, where=name)


def _lines(text: str, name: str) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise AssayError(f"{name}, line {number} is not JSON: {error}.") from None
        if not isinstance(row, dict):
            raise AssayError(f"{name}, line {number} is not a JSON object.")
        yield row


def _cells(text: str, name: str) -> Iterator[dict[str, Any]]:
    reader = csv.DictReader(io.StringIO(text, newline=""))
    if "query_id" not in (reader.fieldnames or ()):
        raise AssayError(f"{name} has no column query_id: its first line names the columns.")
    try:
        for number, row in enumerate(reader, start=2):
            if None in row or None in row.values():
                raise AssayError(f"{name}, line {number} has another number of cells than the first line.")
            yield {key: value if key in ("query_id", "codes") else _value(value) for key, value in row.items() if value}
    except csv.Error as error:
        raise AssayError(f"{name} is not CSV: {error}.") from None


def _value(cell: str) -> Any:
    try:
        return json.loads(cell)
    except ValueError:
        return cell
