"""Rows of a judgments file in one of its three forms, as they stand there; what cannot be read is said with its place."""

from __future__ import annotations

import bisect
import csv
import difflib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

from audit_core.domain import JsonObject
from audit_core.errors import BundleError, Problem
from audit_core.exporters.judgment_table import COLUMNS, NOT_FOR_IMPORT, NOT_FOR_IMPORT_COLUMN, OBJECTS, WHOLE
from audit_core.importers.bundle_faults import LISTED_PER_FILE, shown

#: Longest line, and longest cell, in bytes or characters.
LONGEST = 16 * 1024 * 1024
#: Rows of a Parquet file that are held at a time.
BATCH_ROWS = 20_000
_BOM = b"\xef\xbb\xbf"

#: A row with its place: the number of its line (JSON Lines), or of its row as a spreadsheet counts (CSV: the column names
#: are row 1) or from 1 (Parquet).
PlacedRow = tuple[int, JsonObject]


class FileFaults:
    """The faults of one file of rows: those that stand first in it are kept word for word, all are counted.

    `undone` says what was not done with a file that has one.
    """

    def __init__(self, name: str, *, undone: str = "imported") -> None:
        self.name = name
        self.total = 0
        self._undone = undone
        self._problems: list[Problem] = []
        self._word = "line" if name.lower().endswith(".jsonl") else "row"
        #: Faults by field that are said once though every row has them.
        self._said: Counter[str] = Counter()

    def add(self, place: int | None, field: str | None, value: object, what_to_do: str) -> None:
        """Note a fault: where it is, what was found (None: nothing) and what to do."""
        self.total += 1
        if len(self._problems) == LISTED_PER_FILE and _place(self._problems[-1]) <= (place or 0):
            return
        found = None if value is None else shown(value)
        bisect.insort(self._problems, Problem(self.name, place, field, found, what_to_do), key=_place)
        del self._problems[LISTED_PER_FILE:]

    def add_once(self, place: int | None, field: str, value: object, what_to_do: str) -> None:
        """Note a fault that other rows have as well, where it is met first."""
        self._said[field] += 1
        if self._said[field] == 1:
            self.add(place, field, value, what_to_do)

    def raise_if_any(self) -> None:
        """Raise the refusal with every fault listed, unless there is none.

        Raises:
            BundleError: there is one.
        """
        if self.total:
            raise self.refusal()

    def refusal(self) -> BundleError:
        """Return the error that names the faults so far."""
        plural = "" if self.total == 1 else "s"
        lines = [f"{self.name} was refused and nothing was {self._undone}: {self.total:,} fault{plural}."]
        lines.extend(f"  {self._sentence(each)}" for each in self._problems)
        if self.total > len(self._problems):
            lines.append(f"  and {self.total - len(self._problems):,} more.")
        return BundleError("\n".join(lines), self._problems, self.total)

    def _sentence(self, each: Problem) -> str:
        place = "" if each.line is None else f", {self._word} {each.line}"
        field = f", field {each.field}" if each.field else ""
        found = f": found {each.value}" if each.value is not None else ""
        return f"{each.file}{place}{field}{found}; {each.expected}"


def _place(problem: Problem) -> int:
    """Return where a fault stands in its file; those of the file as a whole come first."""
    return problem.line or 0


def read_rows(path: Path, faults: FileFaults) -> Iterator[PlacedRow]:
    """Yield the rows of a judgments file, named by the columns of the format; absent, null and empty are all absent.

    Of CSV the cells are turned into numbers and objects where their column says so; a cell that is none stays text, for
    whoever checks the values. A row that cannot be read is a fault and left out; so is it a fault if there is no row.

    Raises:
        BundleError: the file as a whole cannot be read, or was made for spreadsheets.
    """
    if NOT_FOR_IMPORT in faults.name:
        _refuse_spreadsheet(faults)
    readers = {".jsonl": read_lines, ".csv": _read_csv, ".parquet": _read_parquet}
    suffix = Path(faults.name).suffix.lower()
    if suffix not in readers:
        faults.add(None, None, None, f"expected a name that ends in {', '.join(readers)}, as its form is")
        raise faults.refusal()
    is_empty = True
    try:
        for place, row in readers[suffix](path, faults):
            is_empty = False
            _check_columns(place, row, faults)
            yield place, {name: value for name, value in row.items() if value is not None}
    except OSError as error:
        faults.add(None, None, None, f"the file cannot be read ({error.strerror or error})")
        raise faults.refusal() from error
    if is_empty and not faults.total:
        faults.add(None, None, None, "it holds no judgment: write a row for each, or choose another file")


def _refuse_spreadsheet(faults: FileFaults) -> NoReturn:
    faults.add(
        None, None, None,
        "this file was written for spreadsheets, and texts in it were changed: it cannot be imported. Export again without "
        "--spreadsheet (JSON Lines, CSV or Parquet) and import that",
    )  # fmt: skip
    raise faults.refusal()


def _check_columns(place: int, names: JsonObject | Sequence[str], faults: FileFaults) -> None:
    if NOT_FOR_IMPORT_COLUMN in names:
        _refuse_spreadsheet(faults)
    for name in names:
        if name not in COLUMNS:
            near = difflib.get_close_matches(str(name), COLUMNS, n=1)
            hint = f"is {near[0]} meant? Rename it" if near else "rename it"
            faults.add_once(
                place, str(name)[:80], None, f"there is no such column: {hint}, or take it out ({', '.join(COLUMNS)})"
            )


def read_lines(path: Path, faults: FileFaults) -> Iterator[PlacedRow]:
    """Yield the objects of a JSON Lines file with the numbers of their lines; a line that is none is a fault, and left out.

    Raises:
        BundleError: a line is so long that it cannot be one.
        OSError: the file cannot be read.
    """
    import msgspec

    decode = msgspec.json.Decoder().decode
    with path.open("rb") as stream:
        number = 0
        while line := stream.readline(LONGEST):
            number += 1
            if number == 1 and line.startswith(_BOM):
                faults.add(1, None, None, "save the file as UTF-8 without a byte order mark")
                line = line[len(_BOM) :]
            if len(line) == LONGEST:
                faults.add(number, None, None, f"a line of {LONGEST:,} bytes: write one object a line")
                raise faults.refusal()
            if not line.strip():
                continue
            try:
                row = decode(line.decode("utf-8"))
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                faults.add(number, None, line[:60].decode("utf-8", "replace"), f"this is no JSON object: {error}")
                continue
            if isinstance(row, dict):
                if (doubled := _doubled_name(line)) is not None:
                    faults.add(number, doubled[:80], None, "the line has this field twice: take one away")
                    continue
                yield number, row
            else:
                faults.add(number, None, row, "write one JSON object a line")


def _doubled_name(line: bytes) -> str | None:
    """Return a name that one of the objects in a line has twice; None where all are told apart."""
    found: list[str] = []

    def look(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            found.extend(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
        return made

    json.loads(line, object_pairs_hook=look)
    return found[0] if found else None


def _read_csv(path: Path, faults: FileFaults) -> Iterator[PlacedRow]:
    csv.field_size_limit(LONGEST)
    number = 0
    with path.open(encoding="utf-8-sig", newline="") as stream:
        try:
            reader = csv.reader(stream, strict=True)
            header = next(reader, [])
            number = 1
            _check_header(header, faults)
            for number, cells in enumerate(reader, start=2):
                if cells and len(cells) == len(header):
                    yield number, {name: _value(name, cell) for name, cell in zip(header, cells, strict=True)}
                elif cells:
                    faults.add(
                        number,
                        None,
                        None,
                        f"it has {len(cells)} cells, and there are {len(header)} columns: complete it",
                    )
        except csv.Error as error:
            faults.add(number + 1, None, None, f"this is no CSV as in RFC 4180 ({error}): mend the quotation marks")
        except UnicodeDecodeError as error:
            faults.add(None, None, None, f"save the file as UTF-8 (byte {error.start + 1:,} of a part is not)")


def _check_header(header: list[str], faults: FileFaults) -> None:
    if len(header) == 1 and any(each in header[0] for each in ";\t"):
        faults.add(1, None, header[0], "separate the columns by commas")
        raise faults.refusal()
    _check_columns(1, header, faults)
    doubled = [name for name, times in Counter(header).items() if times > 1]
    for name in doubled:
        faults.add(1, name, None, "this column is there twice: take one away")
    if doubled or faults.total:
        raise faults.refusal()


def _value(column: str, cell: str) -> Any:
    """Return the value of a cell; one that is not of its column's kind stays text."""
    if column == "codes":
        return cell
    if not cell:
        return None
    try:
        if column in OBJECTS:
            return json.loads(cell)
        if column in WHOLE:
            return int(cell) if cell.isascii() and cell.isdigit() and len(cell) <= 18 else cell
        return float(cell) if column == "active_seconds" else cell
    except (ValueError, RecursionError):
        return cell


def _read_parquet(path: Path, faults: FileFaults) -> Iterator[PlacedRow]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            _check_columns(1, file.schema_arrow.names, faults)
            faults.raise_if_any()
            number = 0
            for batch in file.iter_batches(BATCH_ROWS):
                for row in batch.to_pylist():
                    number += 1
                    yield number, {name: _plain(name, value) for name, value in row.items()}
    except pa.ArrowException as error:
        faults.add(None, None, None, f"this is no Parquet file that can be read ({str(error).splitlines()[0][:200]})")


def _plain(column: str, value: Any) -> Any:
    """Return the value of a Parquet cell: objects come as text, or as a struct in which every row has all keys."""
    if column not in OBJECTS or value is None:
        return value
    if isinstance(value, dict):
        return {name: each for name, each in value.items() if each is not None} or None
    return _value(column, value) if isinstance(value, str) else value
