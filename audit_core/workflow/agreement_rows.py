"""Ratings read from a CSV file, a faulty one refused by line and column: nothing that is doubtful becomes a rating."""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from audit_core.errors import AssayError

#: Columns that a file of ratings must have, and those that it may have.
WANTED, OPTIONAL = ("item", "annotator", "value"), ("scale", "documents")
#: What separates the document ids in the column `documents`.
SEPARATOR = "|"
#: What other programs put between columns, and how it is called.
_OTHER_SEPARATORS = {";": "semicolons", "\t": "tabs", SEPARATOR: "bars"}


@dataclass(frozen=True, slots=True)
class Rating:
    """What one annotator said of one item on one scale; `line` is where its line of the file begins."""

    line: int
    item: str
    annotator: str
    value: str
    scale: str
    documents: frozenset[str]


def read_ratings(file: Path) -> list[Rating]:
    """Return the ratings of a CSV file in its order; blanks around a cell are no part of it.

    Raises:
        AssayError: the file cannot be read, holds no ratings, or a line is wrong; names file, line and column.
    """
    try:
        with file.open(encoding="utf-8-sig", newline="") as stream:
            lines = _lines(csv.reader(stream, strict=True), file)
            heads = _heads(next(lines, (1, []))[1], file)
            found = [_rating(_cells(cells, heads, file, line), file, line) for line, cells in lines]
    except OSError as error:
        raise AssayError(f"{file} cannot be read ({error.strerror}): name another file.") from error
    except UnicodeDecodeError as error:
        raise AssayError(f"{file} is not UTF-8 (byte {error.start:,}): save it as UTF-8.") from error
    if not found:
        raise AssayError(f"{file} holds no ratings.")
    _refuse_unnamed_scales(found, file)
    _refuse_doubled(found, file)
    return found


def is_not_finite(text: str) -> bool:
    """Return whether a text is what programs write for a number that there is not, such as `nan` or `inf`."""
    try:
        return not math.isfinite(float(text))
    except ValueError:
        return False


def _lines(reader: Iterator[list[str]], file: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield each line that is not blank with the number of the line of text on which it begins."""
    begins = 1
    try:
        for cells in reader:
            if cells:
                yield begins, cells
            begins = reader.line_num + 1  # type: ignore[attr-defined]
    except csv.Error as error:
        raise AssayError(
            f"{file}, line {begins}: what begins here is not CSV ({error}). Look for a quote that is not closed; a quote within "
            "a cell is doubled, in a cell that stands in quotes."
        ) from error


def _heads(cells: Sequence[str], file: Path) -> list[str]:
    """Return the names of the columns, each once and those that are wanted among them."""
    heads = [each.strip() for each in cells]
    if missing := [each for each in WANTED if each not in heads]:
        _refuse_heads(heads, missing, file)
    doubled = [each for each, times in Counter(heads).items() if times > 1 and each]
    if doubled:
        raise AssayError(
            f"{file}, line 1: {len([each for each in heads if each == doubled[0]])} columns are named {doubled[0]!r}. Give each "
            "column a name of its own."
        )
    return heads


def _refuse_heads(heads: Sequence[str], missing: Sequence[str], file: Path) -> NoReturn:
    for sign, called in _OTHER_SEPARATORS.items():
        parts = [part.strip(' "') for each in heads for part in each.split(sign)]
        if all(each in parts for each in WANTED):
            raise AssayError(
                f"{file}, line 1: {called} stand between the columns. Save the file with commas between them."
            )
    raise AssayError(
        f"{file} has no column {', '.join(missing)}: a file of ratings has {', '.join(WANTED)}, and may have "
        f"{' and '.join(OPTIONAL)}."
    )


def _cells(cells: Sequence[str], heads: Sequence[str], file: Path, line: int) -> dict[str, str]:
    """Return the cells of a line by column."""
    if len(cells) != len(heads):
        raise AssayError(
            f"{file}, line {line}: {len(cells)} cells stand here, and the first line names {len(heads)} columns. Put a cell "
            "that holds a comma in quotes."
        )
    row = dict(zip(heads, (each.strip() for each in cells), strict=True))
    for column in (*WANTED, *OPTIONAL):
        if any(sign in row.get(column, "") for sign in "\r\n"):
            raise AssayError(
                f"{file}, line {line}, column {column}: the cell goes over several lines. Look for a quote that is not closed."
            )
    return row


def _rating(row: Mapping[str, str], file: Path, line: int) -> Rating:
    for column in WANTED:
        if not row[column]:
            raise AssayError(
                f"{file}, line {line}, column {column}: nothing stands there. Leave the line out where nobody rated."
            )
    documents = frozenset(each.strip() for each in row.get("documents", "").split(SEPARATOR) if each.strip())
    return Rating(line, row["item"], row["annotator"], row["value"], row.get("scale", ""), documents)


def _refuse_unnamed_scales(rows: Sequence[Rating], file: Path) -> None:
    unnamed = next((each for each in rows if not each.scale), None)
    if unnamed is not None and any(each.scale for each in rows):
        raise AssayError(
            f"{file}, line {unnamed.line}, column scale: nothing stands there, though other lines name a scale. Name it here too."
        )


def _refuse_doubled(rows: Sequence[Rating], file: Path) -> None:
    seen: dict[tuple[str, str, str], int] = {}
    for each in rows:
        before = seen.setdefault((each.item, each.annotator, each.scale), each.line)
        if before != each.line:
            raise AssayError(
                f"{file}, line {each.line}: {each.annotator!r} rated item {each.item!r} in line {before} already. Keep one of "
                "the two."
            )
