"""Labels from a file: JSON Lines, CSV or Parquet with `query_id`, `remove` and, if wanted, annotator and probability."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path

from audit_core.errors import CleaningError, Problem
from cleaning.labels import GivenLabel

#: What `remove` may say, in any case; true, false, 1 and 0 may also be JSON or Parquet values.
WORDS: Mapping[str, bool] = {"true": True, "false": False, "1": True, "0": False, "remove": True, "keep": False}
EXPECTED = "true, false, 1, 0, remove or keep"
FIELDS = ("query_id", "remove")
#: Most problems that one message lists.
SHOWN = 10


def labels_from_file(path: Path) -> list[GivenLabel]:
    """Return the labels of a `.jsonl`, `.csv` or `.parquet` file, in the order of the file.

    Fields: `query_id`, `remove` (true, false, 1, 0, remove, keep), `annotator` (optional), `probability` (optional: the
    selection probability, in (0, 1]). Other fields are ignored. Line numbers are those of the file, row numbers for
    Parquet.

    Raises:
        CleaningError: the file cannot be read, has another ending, or rows are not as above; names file, row and field.
    """
    readers = {".jsonl": _json_lines, ".csv": _csv_rows, ".parquet": _parquet_rows}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise CleaningError(f"{path.name} is no file of labels: its name must end in .jsonl, .csv or .parquet.")
    problems: list[Problem] = []
    labels: list[GivenLabel] = []
    try:
        for line, row in reader(path, problems):
            label = _label(path.name, line, row, problems)
            if label is not None:
                labels.append(label)
    except OSError as error:
        raise CleaningError(f"{path.name} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise CleaningError(
            f"{path.name} is not UTF-8: byte {error.start} cannot be read. Save it as UTF-8."
        ) from error
    if problems:
        more = f"\nand {len(problems) - SHOWN} more" if len(problems) > SHOWN else ""
        listed = "\n".join(str(each) for each in problems[:SHOWN])
        raise CleaningError(f"{path.name} was refused, {len(problems)} fault(s):\n{listed}{more}")
    if not labels:
        raise CleaningError(f"{path.name} holds no labels: each row needs query_id and remove.")
    return labels


def _json_lines(path: Path, problems: list[Problem]) -> Iterator[tuple[int, Mapping[str, object]]]:
    for number, line in enumerate(io.StringIO(path.read_text(encoding="utf-8-sig")), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError:
            problems.append(Problem(path.name, number, None, line.strip()[:80], "a JSON object"))
            continue
        if isinstance(row, dict):
            yield number, row
        else:
            problems.append(Problem(path.name, number, None, line.strip()[:80], "a JSON object"))


def _csv_rows(path: Path, problems: list[Problem]) -> Iterator[tuple[int, Mapping[str, object]]]:
    reader = csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline=""), strict=True)
    try:
        missing = [field for field in FIELDS if field not in (reader.fieldnames or ())]
        if missing:
            found = ", ".join(reader.fieldnames or ()) or "nothing"
            problems.append(Problem(path.name, 1, missing[0], found[:80], f"a column named {missing[0]}"))
            return
        for row in reader:
            # Columns beyond the heads come under None; a short row has None values.
            yield reader.line_num, {key: value for key, value in row.items() if key is not None and value != ""}
    except csv.Error as error:
        problems.append(Problem(path.name, reader.line_num, None, str(error), "well-formed CSV"))


def _parquet_rows(path: Path, problems: list[Problem]) -> Iterator[tuple[int, Mapping[str, object]]]:
    import polars as pl

    wanted = (*FIELDS, "annotator", "probability")
    try:
        frame = pl.read_parquet(path)
    except pl.exceptions.PolarsError as error:
        raise CleaningError(f"{path.name} cannot be read as Parquet: {error}.") from error
    missing = [field for field in FIELDS if field not in frame.columns]
    if missing:
        expected = f"a column named {missing[0]}"
        problems.append(Problem(path.name, None, missing[0], ", ".join(frame.columns)[:80], expected))
        return
    frame = frame.select(each for each in wanted if each in frame.columns)
    yield from enumerate(frame.iter_rows(named=True), start=1)


def _label(file: str, line: int, row: Mapping[str, object], problems: list[Problem]) -> GivenLabel | None:
    before = len(problems)

    def fault(field: str, expected: str) -> None:
        value = row.get(field)
        problems.append(Problem(file, line, field, "nothing" if value is None else repr(value)[:80], expected))

    query = row.get("query_id")
    if not isinstance(query, str) or not query:
        fault("query_id", "the id of a query, as text")
    remove = _removal(row.get("remove"))
    if remove is None:
        fault("remove", EXPECTED)
    annotator = row.get("annotator")
    if annotator is not None and not isinstance(annotator, str):
        fault("annotator", "a name, as text")
    probability = _probability(row.get("probability"))
    if probability is not None and not 0.0 < probability <= 1.0:
        fault("probability", "a selection probability above 0 and at most 1")
    if len(problems) > before:
        return None
    name = annotator if isinstance(annotator, str) and annotator else None
    return GivenLabel(str(query), remove, name, probability=probability, where=f"{file}, line {line}")


def _removal(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    if isinstance(value, int | str):
        return WORDS.get(str(value).strip().lower())
    return None


def _probability(value: object) -> float | None:
    """Return the number, None where there is none, NaN where it is no number."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return math.nan
    try:
        return float(value)
    except ValueError:
        return math.nan
