"""Rows of a JSON Lines file: decoded in bulk, and one by one only where a bulk shows a fault."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from audit_core.importers.bundle_block import parsed_block
from audit_core.importers.bundle_columns import Whole
from audit_core.importers.bundle_faults import FaultLog, row_key_of, shown
from audit_core.importers.bundle_row import RowRule, inspect
from audit_core.importers.bundle_schema import Column, Kind, record_type

if TYPE_CHECKING:
    import polars as pl

#: So many bytes are read at a time; bounds the memory of an import.
BLOCK_BYTES = 4 * 1024 * 1024
#: So many blocks are parsed at once.
PARSED_AHEAD = 2
#: A line longer than this is not a row but a file that is not JSON Lines.
LONGEST_LINE = 64 * 1024 * 1024
#: More unknown columns than this are refused: each is a column name, not data.
MOST_UNKNOWN_COLUMNS = 100
_BOM = b"\xef\xbb\xbf"
_UNKNOWN_FIELD = re.compile(r"^Object contains unknown field `(?P<name>.*?)`(?: - at `(?P<path>\$.*)`)?$", re.DOTALL)


@dataclass(slots=True)
class TableSource:
    """What a reader of one table needs to know: its columns, rules, file and where faults go."""

    table: str
    columns: tuple[Column, ...]
    keys: tuple[str, ...]
    file: str
    log: FaultLog
    #: Rows in which a fault costs the whole row, also in a lenient import (judgments and labels are never mended).
    never_mended: bool = False
    rule: RowRule | None = None
    #: True for a decoded row that must go through the slow look although its fields are well typed.
    suspicious: Callable[[Any], bool] | None = None
    unknown: list[str] = field(default_factory=list)
    unknown_evidence: list[str] = field(default_factory=list)
    skipped: int = 0

    @property
    def record(self) -> Any:
        """The type of a row, with the unknown columns met so far."""
        return record_type(self.columns, self.unknown, self.unknown_evidence)

    def learn(self, message: str) -> bool:
        """Return whether `message` named an unknown column, which is then remembered and taken from now on."""
        match = _UNKNOWN_FIELD.match(message)
        if match is None or len(self.unknown) + len(self.unknown_evidence) >= MOST_UNKNOWN_COLUMNS:
            return False
        names = self.unknown_evidence if match["path"] else self.unknown
        if match["name"] in names:
            return False
        names.append(match["name"])
        return True

    def skip(self, line: int, kind: str, expected: str, value: str | None = None) -> None:
        """Log a row that cannot be read at all."""
        self.skipped += 1
        self.log.incomplete.add(self.table)
        self.log.fault(kind=kind, file=self.file, table=self.table, line=line, value=value, expected=expected)

    def mend(self, line: int, row: dict[str, Any], reason: str) -> Any:
        """Return the record of what can be kept of a faulty row, None where it is skipped; its faults are logged."""
        faults, kept = inspect(self.columns, row, self.rule)
        if not faults:
            self.skip(line, "wrong_type", reason)
            return None
        key = row_key_of(row, self.keys)
        for each in faults:
            self.log.fault(
                kind=each.kind, file=self.file, table=self.table, line=line, row_key=key,
                field=each.field, value=each.value, expected=each.expected,
            )  # fmt: skip
        if kept is None or self.never_mended:
            self.skipped += 1
            self.log.incomplete.add(self.table)
            return None
        return self.record(**kept)


#: Line numbers (1-based) and the records that stand there.
Batch = tuple[list[int], list[Any]]


def read_lines(path: Path, source: TableSource, advance: Callable[[float], None]) -> Iterator[Batch | Whole]:
    """Yield the rows of a JSON Lines file in batches; `advance` is told the part of the file that was read.

    A block without a fault is yielded whole, any other as records, after each of its lines has been looked at.

    Lines end with a line feed only, so that U+2028 and U+0085 stay inside their texts. Blank lines are allowed at the
    end of the file and faults elsewhere.
    """
    first = 1
    blank: list[int] = []
    for block, part, parsed in _parsed_ahead(path, source):
        if not blank and parsed is not None:
            yield Whole(first, parsed)
            first += parsed.height
            advance(part)
            continue
        lines = block.split(b"\n")
        numbers = range(first, first + len(lines))
        first += len(lines)
        if blank or not all(map(bytes.strip, lines)):
            written = [(number, line) for number, line in zip(numbers, lines, strict=True) if line.strip()]
            last = written[-1][0] if written else 0
            blank.extend(number for number, line in zip(numbers, lines, strict=True) if not line.strip())
            for number in [each for each in blank if each < last]:
                source.skip(number, "empty_line", "a JSON object, not an empty line")
            blank = [each for each in blank if each > last]
            yield _decode([number for number, _ in written], [line for _, line in written], source)
        else:
            yield _decode(list(numbers), lines, source)
        advance(part)


def _parsed_ahead(path: Path, source: TableSource) -> Iterator[tuple[bytes, float, pl.DataFrame | None]]:
    """Yield each block, the part of the file that is read with it, and its rows if they all fit.

    The blocks after it are parsed meanwhile. Unknown columns are beyond the quick parser.
    """

    def parse(block: bytes) -> pl.DataFrame | None:
        return None if source.unknown or source.unknown_evidence else parsed_block(block, source.columns)

    waiting: deque[tuple[bytes, float, Future[pl.DataFrame | None]]] = deque()
    with ThreadPoolExecutor(PARSED_AHEAD, "parse") as pool:
        for block, part in _blocks(path, source):
            waiting.append((block, part, pool.submit(parse, block)))
            if len(waiting) > PARSED_AHEAD:
                block, part, parsed = waiting.popleft()
                yield block, part, parsed.result()
        for block, part, parsed in waiting:
            yield block, part, parsed.result()


def _blocks(path: Path, source: TableSource) -> Iterator[tuple[bytes, float]]:
    size = max(path.stat().st_size, 1)
    done = 0
    rest = b""
    with path.open("rb") as stream:
        while block := stream.read(BLOCK_BYTES):
            if done == 0 and block.startswith(_BOM):
                expected = "UTF-8 without a byte order mark (save the file again without it)"
                source.log.fault(
                    kind="byte_order_mark", file=source.file, table=source.table, line=1, expected=expected
                )
                done, block = len(_BOM), block[len(_BOM) :]
            done += len(block)
            whole, feed, tail = block.rpartition(b"\n")
            if feed:
                yield rest + whole, done / size
                rest = tail
            else:
                rest += tail
            if len(rest) > LONGEST_LINE:
                expected = "JSON Lines: one object a line, ended by a line feed"
                source.skip(1, "unreadable_row", expected, f"a line of more than {LONGEST_LINE:,} bytes")
                return
    if rest:
        yield rest, 1.0


def _decode(numbers: list[int], lines: list[bytes], source: TableSource) -> Batch:
    import msgspec

    while True:
        decode = msgspec.json.Decoder(source.record).decode
        try:
            b"\n".join(lines).decode("utf-8")
            rows = [decode(line) for line in lines]
        except msgspec.ValidationError as error:
            if source.learn(str(error)):
                continue
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            pass
        else:
            if source.suspicious is None or not any(map(source.suspicious, rows)):
                return numbers, rows
        return _decode_singly(numbers, lines, source)


def _decode_singly(numbers: list[int], lines: list[bytes], source: TableSource) -> Batch:
    kept_numbers: list[int] = []
    kept: list[Any] = []
    for number, line in zip(numbers, lines, strict=True):
        row = _decode_one(number, line, source)
        if row is not None:
            kept_numbers.append(number)
            kept.append(row)
    return kept_numbers, kept


def _decode_one(number: int, line: bytes, source: TableSource) -> Any:
    import msgspec

    while True:
        try:
            line.decode("utf-8")
            row = msgspec.json.decode(line, type=source.record)
        except msgspec.ValidationError as error:
            if source.learn(str(error)):
                continue
            return _slowly(number, line, source, str(error))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            return _slowly(number, line, source, str(error))
        if source.suspicious is not None and source.suspicious(row):
            return _slowly(number, line, source, "a row that fits its table")
        return row


def _slowly(number: int, line: bytes, source: TableSource, reason: str) -> Any:
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        expected = f"UTF-8 text (byte {error.start + 1} of the line is not)"
        source.skip(number, "invalid_utf8", expected, shown(line[error.start : error.start + 8].hex(" ")))
        return None
    try:
        row = json.loads(text)
    except json.JSONDecodeError as error:
        expected = f"a JSON object ({error.msg} at character {error.colno})"
        source.skip(number, "unreadable_row", expected, shown(text[max(0, error.pos - 20) : error.pos + 40]))
        return None
    except (RecursionError, ValueError):
        source.skip(
            number, "unreadable_row", "a JSON object (this one is nested too deeply or holds an endless number)"
        )
        return None
    if not isinstance(row, dict):
        source.skip(number, "unreadable_row", "a JSON object, one a line", shown(row))
        return None
    note_unknown_columns(row, source)
    return source.mend(number, row, reason)


def note_unknown_columns(row: dict[str, Any], source: TableSource) -> None:
    """Remember the columns of a row that the format does not have (the fast path stops at a row's first fault)."""
    known = {column.name for column in source.columns}
    for name in row:
        if name not in known and name not in source.unknown and len(source.unknown) < MOST_UNKNOWN_COLUMNS:
            source.unknown.append(name)
    evidence = next((column for column in source.columns if column.kind is Kind.EVIDENCE), None)
    items = row.get(evidence.name) if evidence else None
    if isinstance(items, list):
        inner = TableSource(
            "evidence", _evidence_columns(), (), source.file, source.log, unknown=source.unknown_evidence
        )
        for item in items:
            if isinstance(item, dict):
                note_unknown_columns(item, inner)


def _evidence_columns() -> tuple[Column, ...]:
    from audit_core.importers.bundle_schema import EVIDENCE

    return EVIDENCE
