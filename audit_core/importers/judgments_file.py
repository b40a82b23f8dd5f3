"""A row of a judgments file as a record whose values are of the right kinds; the protocol checks what they say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from audit_core.domain import JsonObject
from audit_core.errors import JudgmentInvalid
from audit_core.importers.judgment_rows import FileFaults, read_rows
from audit_core.protocols.answer_fields import ACTIVE_MS_MAX, refuse_unstorable

#: Largest whole numbers that the columns take.
_LARGEST = 2**31 - 1
#: The earliest time at which a judgment can have been saved, and how far a clock may be ahead of this one.
_EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
_SLACK = timedelta(days=1)
_STAMP = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*")


@dataclass(frozen=True, slots=True)
class FileJudgment:
    """One row of a judgments file. What the file does not say is None; `body` is what the protocol checks."""

    place: int
    annotator: str
    entry: int | None
    query_id: str | None
    revision: int | None
    body: JsonObject
    active_seconds: float | None
    saved_at: datetime | None
    guideline_version: int | None
    protocol: str | None
    content_hash: str | None
    is_pilot: bool
    is_gold: bool


def read_judgments_file(path: Path, faults: FileFaults) -> Iterator[FileJudgment]:
    """Yield the rows whose values are of the right kinds; the others are faults of the file.

    Columns that only tell what the campaign knows itself (`dataset`, `campaign`, `is_newest`, `selection` ...) are passed
    over, but for `is_pilot` and `is_gold`; `codes` may be a list or a word such as `FE`.

    Raises:
        BundleError: the file as a whole cannot be read.
    """
    for place, row in read_rows(path, faults):
        before = faults.total
        record = _record(place, row, faults)
        if faults.total == before:
            yield record


def _record(place: int, row: JsonObject, faults: FileFaults) -> FileJudgment:
    def text(name: str, *, wanted: bool = False) -> str | None:
        value = row.get(name)
        if value is None:
            if wanted:
                faults.add(place, name, None, f"give the {name} of every row")
            return None
        if not isinstance(value, str):
            faults.add(place, name, value, 'write it as text, such as "7"')
            return None
        try:
            refuse_unstorable(value, name)
        except JudgmentInvalid as error:
            faults.add(place, name, value, str(error))
        if wanted and not value.strip():
            faults.add(place, name, value, f"give the {name} of every row")
        return value

    def whole(name: str) -> int | None:
        value = row.get(name)
        if value is not None and (type(value) is not int or not 1 <= value <= _LARGEST):
            faults.add(place, name, value, "write a whole number from 1")
            return None
        return value

    query_id, entry = text("query_id"), whole("entry")
    if query_id is None and entry is None and not ("query_id" in row or "entry" in row):
        faults.add(place, "query_id", None, "say which entry is meant, by query_id or by entry")
    return FileJudgment(
        place=place,
        annotator=text("annotator", wanted=True) or "",
        entry=entry,
        query_id=query_id,
        revision=whole("revision"),
        body=_body(place, row, faults),
        active_seconds=_seconds(place, row.get("active_seconds"), faults),
        saved_at=_moment(place, row.get("saved_at"), faults),
        guideline_version=whole("guideline_version"),
        protocol=text("protocol"),
        content_hash=text("content_hash"),
        is_pilot=_flag(place, "is_pilot", row.get("is_pilot"), faults),
        is_gold=_flag(place, "is_gold", row.get("is_gold"), faults),
    )


def _body(place: int, row: JsonObject, faults: FileFaults) -> JsonObject:
    """Return what the annotator said, in the form in which the judging surface would send it."""
    body: JsonObject = {
        name: row[name] for name in ("fields", "targets", "correction", "note", "reason") if name in row
    }
    body["outcome"] = row.get("outcome", "judged")
    codes = row.get("codes")
    if isinstance(codes, list) and all(isinstance(each, str) and len(each) == 1 for each in codes):
        codes = "".join(codes)
    if codes is not None and not isinstance(codes, str):
        faults.add(place, "codes", codes, "write a list of codes, or a word such as FE")
    body["codes"] = codes
    return body


def _flag(place: int, name: str, value: Any, faults: FileFaults) -> bool:
    """Return whether a row says so; in CSV the word may be written in capitals, as spreadsheets do."""
    word = value.lower() if isinstance(value, str) else value
    if value is None or word is False or word == "false":
        return False
    if word is not True and word != "true":
        faults.add(place, name, value, "write true or false")
    return True


def _seconds(place: int, value: Any, faults: FileFaults) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= ACTIVE_MS_MAX / 1000:
        faults.add(
            place, "active_seconds", value, f"write a number of seconds from 0 to {ACTIVE_MS_MAX // 1000} (a day)"
        )
        return None
    return float(value)


def _moment(place: int, value: Any, faults: FileFaults) -> datetime | None:
    """Return a time of the file, which must say how far it is from UTC."""
    if value is None:
        return None
    try:
        found = datetime.fromisoformat(value) if isinstance(value, str) and _STAMP.fullmatch(value) else None
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        faults.add(place, "saved_at", value, "write a time as in 2026-03-01T09:30:00Z")
        return None
    if not _EARLIEST <= found <= datetime.now(UTC) + _SLACK:
        faults.add(place, "saved_at", value, "write a time from 1970 on that is not in the future")
        return None
    return found
