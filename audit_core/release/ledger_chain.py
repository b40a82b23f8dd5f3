"""What was done to a ledger since it was made: its row numbers and its chain tell."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from audit_core.domain import JsonObject
from audit_core.release.ledger_rows import chain_value

#: So many faults are listed; the others are counted.
LISTED = 20


def tampering(rows: Sequence[JsonObject]) -> list[str]:
    """Return a sentence for each row that is missing, there twice, moved or changed since the ledger was made."""
    lines, faults = _placed(rows)
    total = max(row["rows"] for row in rows)
    # No number is above `rows`, which may say anything: so many are missing, and the first ones come soon.
    missing = total - len(lines)
    first = islice((number for number in range(1, total + 1) if number not in lines), LISTED)
    faults += [f"row {number} of {total} is missing" for number in first]
    if missing > LISTED:
        faults.append(f"{missing - LISTED:,} more rows are missing")
    return faults + _changed(rows, lines, total)


def _placed(rows: Sequence[JsonObject]) -> tuple[dict[int, int], list[str]]:
    """Return the line of each row by its number, and a sentence for each that stands twice or out of order."""
    faults = []
    lines: dict[int, int] = {}
    last = 0
    for line, row in enumerate(rows, start=1):
        number = row["row"]
        if number in lines:
            faults.append(f"line {line}: row {number} stands there already, in line {lines[number]}")
            continue
        lines[number] = line
        if number < last:
            faults.append(
                f"line {line}: row {number} (change {row['id']} of query {row['query_id']!r}) stands after row {last}: "
                "the rows were reordered"
            )
        last = max(last, number)
    return lines, faults


def _changed(rows: Sequence[JsonObject], lines: dict[int, int], total: int) -> list[str]:
    faults = []
    for number, line in lines.items():
        row = rows[line - 1]
        if row["rows"] != total:
            faults.append(f"line {line}, field rows: found {row['rows']}, where others say {total}")
            continue
        if number > 1 and number - 1 not in lines:
            continue  # what the chain rests on is missing, which is said
        before = rows[lines[number - 1] - 1]["chain"] if number > 1 else ""
        if chain_value(before, row) != row["chain"]:
            faults.append(
                f"line {line}: row {number} (change {row['id']} of query {row['query_id']!r}) was changed: its chain does not fit"
            )
    return faults
