"""A file of decisions: JSON Lines, one decision a line, with what the query shall be where it is to be corrected."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from audit_core.domain import JsonObject
from audit_core.importers.judgment_rows import FileFaults, read_lines

#: What a line may have. `why` is another word for `reason`; what stands in `PASSED_OVER` is not stored.
COLUMNS = (
    "query_id", "entry", "codes", "targets", "fields", "outcome", "confidence", "reason", "why", "note", "corrected_text",
    "corrected_answer", "corrected_evidence", "remove",
)  # fmt: skip
#: Whether the query is to be removed follows from the codes, under every protocol but the one that asks just that.
PASSED_OVER = "remove"
#: Column -> part of the wanted content.
WANTED = {"corrected_text": "text", "corrected_answer": "answer", "corrected_evidence": "evidence"}
_LARGEST = 2**31 - 1


#: Columns that tell a line of `campaign export-decisions` from one that somebody wrote.
_OF_AN_EXPORT = {"is_newest", "basis", "decided_at", "correction"}
#: What of such a line is read; all else says how the decision came about there.
_EXPORTED = ("query_id", "entry", "outcome", "codes", "fields", "targets", "confidence", "note", "reason", "correction")
#: The basis of a line that took a decision back.
_REOPENED = "reopened"


@dataclass(frozen=True, slots=True)
class FileDecision:
    """One line: which entry or query, what was decided in the form of a request body, and what the query shall be.

    `wanted` has any of text, answer (None: there is none) and evidence (the whole list in bundle form), as they stand in the
    file. `is_passed_over`: the line says `remove`, which is not stored.
    """

    place: int
    entry: int | None
    query_id: str | None
    body: JsonObject
    wanted: JsonObject
    is_passed_over: bool


def read_decisions_file(path: Path, faults: FileFaults, *, takes_remove: bool) -> Iterator[FileDecision]:
    """Yield the lines whose values are of the right kinds; the others are faults of the file.

    A line that `campaign export-decisions` wrote is read as well, where its decision counted when it was written.
    With `takes_remove` the column `remove` is the field of that name, as the protocol `removal` has it.

    Raises:
        BundleError: the file cannot be read as a whole.
    """
    if path.suffix.lower() != ".jsonl":
        faults.add(None, None, None, "expected JSON Lines, in a file whose name ends in .jsonl")
        raise faults.refusal()
    is_empty = True
    try:
        for place, row in read_lines(path, faults):
            is_empty = False
            columns: tuple[str, ...] = COLUMNS
            if set(row) >= _OF_AN_EXPORT:
                if not row["is_newest"] or row["basis"] == _REOPENED:
                    continue  # what no longer counted there is decided by another line, or by none
                columns, row = _EXPORTED, {name: row.get(name) for name in _EXPORTED}
            before = faults.total
            record = _record(place, row, faults, columns, takes_remove=takes_remove)
            if faults.total == before:
                yield record
    except OSError as error:
        faults.add(None, None, None, f"the file cannot be read ({error.strerror or error})")
        raise faults.refusal() from error
    if is_empty and not faults.total:
        faults.add(None, None, None, "it holds no decision: write one a line, or choose another file")


def _record(
    place: int, row: JsonObject, faults: FileFaults, columns: Sequence[str], *, takes_remove: bool
) -> FileDecision:
    for name in row:
        if name not in columns:
            near = difflib.get_close_matches(name, COLUMNS, n=1)
            hint = f"is {near[0]} meant? Rename it" if near else "rename it"
            faults.add(place, name[:80], None, f"there is no such field: {hint}, or take it out ({', '.join(COLUMNS)})")
    query_id, entry = row.get("query_id"), row.get("entry")
    if query_id is None and entry is None:
        faults.add(place, "query_id", None, "say which entry is meant, by query_id or by entry")
    if query_id is not None and not isinstance(query_id, str):
        faults.add(place, "query_id", query_id, 'write it as text, such as "7"')
    if entry is not None and (type(entry) is not int or not 1 <= entry <= _LARGEST):
        faults.add(place, "entry", entry, "write the number of an entry, a whole number from 1")
    if row.get("why") is not None and row.get("reason") is not None:
        faults.add(place, "why", row["why"], "reason says it too: give one of the two")
    body = _body(place, row, faults)
    if takes_remove and row.get(PASSED_OVER) is not None:
        body["fields"] = {PASSED_OVER: row[PASSED_OVER], **(body.get("fields") or {})}
    return FileDecision(
        place=place,
        entry=entry,
        query_id=query_id,
        body=body,
        wanted=_wanted(row),
        is_passed_over=not takes_remove and row.get(PASSED_OVER) is not None,
    )


def _body(place: int, row: JsonObject, faults: FileFaults) -> JsonObject:
    """Return what was decided, in the form in which the page of adjudication would send it."""
    codes: Any = row.get("codes")
    if isinstance(codes, list) and all(isinstance(each, str) and len(each) == 1 for each in codes):
        codes = "".join(codes)
    if codes is not None and not isinstance(codes, str):
        faults.add(place, "codes", codes, "write a list of codes, empty for a correct query, or a word such as FE")
    if codes is None and row.get("fields") is None and row.get("outcome") is None and row.get(PASSED_OVER) is None:
        faults.add(place, "codes", None, "say what was decided: [] for a correct query (fields under other protocols)")
    reason = row.get("reason") if row.get("why") is None else row["why"]
    return {
        "outcome": row.get("outcome") or "judged",
        "codes": codes or "",
        "reason": reason,
        **{
            name: row[name]
            for name in ("targets", "fields", "note", "confidence", "correction")
            if row.get(name) is not None
        },
    }


def _wanted(row: JsonObject) -> JsonObject:
    """Return what the query shall be; a null says that nothing is to change, except of the answer: then there is none."""
    return {
        part: row[column]
        for column, part in WANTED.items()
        if column in row and (row[column] is not None or part == "answer")
    }
