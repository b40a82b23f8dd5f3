"""Which entry of a campaign each imported judgment belongs to, in a form that does not depend on how the file said it."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from audit_core.domain import IssueCode, Outcome


@dataclass(frozen=True, slots=True)
class EntryJudgment:
    """One judgment of a file: `entry` is the number of its entry in the campaign, `codes` are in the order FEUN.

    `fields` are what an answer says under another `protocol` than the audit's.
    """

    entry: int
    query_id: str
    annotator: str
    revision: int
    outcome: str
    codes: str
    targets: dict[str, list[str]]
    note: str
    reason: str
    seconds: float | None
    protocol: str = "audit"
    fields: dict[str, Any] = field(default_factory=dict)


def assign_entries(rows: Iterable[Mapping[str, Any]]) -> list[EntryJudgment]:
    """Return the judgments of one file with their entries and revisions, in the file's order.

    Where every row names an `entry` and no number stands for two queries, those numbers are the campaign's. Otherwise
    entries are numbered in order of first mention: rows of one query with different `entry` values are different
    entries; of rows without one, an annotator's n-th judgment of one revision on a query belongs to the query's n-th
    entry. A revision that is not given is 1. No two judgments of one annotator on one entry have the same revision, as
    the importer made sure.
    """
    kept = list(rows)
    keys = _entry_keys(kept)
    numbers = _entry_numbers(kept, keys)
    return [_judgment(row, numbers[key]) for row, key in zip(kept, keys, strict=True)]


def _revision(row: Mapping[str, Any]) -> int:
    return int(row.get("revision") or 1)


def _judgment(row: Mapping[str, Any], number: int) -> EntryJudgment:
    codes = set(row.get("codes") or ())
    targets = {code: sorted(set(ids)) for code, ids in (row.get("targets") or {}).items() if ids}
    return EntryJudgment(
        entry=number,
        query_id=row["query_id"],
        annotator=row["annotator"],
        revision=_revision(row),
        outcome=row.get("outcome") or Outcome.JUDGED.value,
        codes="".join(code.value for code in IssueCode if code.value in codes),
        targets=dict(sorted(targets.items())),
        note=row.get("note") or "",
        reason=row.get("reason") or "",
        seconds=row.get("seconds"),
        protocol=row.get("protocol") or "audit",
        fields=dict(sorted((row.get("fields") or {}).items())),
    )


EntryKey = tuple[str, str]
#: Larger numbers are not taken over: an address in the web app holds at most nine digits.
_LARGEST_ENTRY = 999_999_999


def _entry_keys(rows: list[Mapping[str, Any]]) -> list[EntryKey]:
    """Return, for each row, what tells its entry apart: the query and a word."""
    of_query: defaultdict[str, list[EntryKey]] = defaultdict(list)
    for row in rows:
        query, entry = row["query_id"], row.get("entry")
        if entry is not None and (query, f"entry {entry}") not in of_query[query]:
            of_query[query].append((query, f"entry {entry}"))
    times: defaultdict[tuple[str, str, int], int] = defaultdict(int)
    keys = []
    for row in rows:
        query = row["query_id"]
        if row.get("entry") is not None:
            keys.append((query, f"entry {row['entry']}"))
            continue
        time = times[query, row["annotator"], _revision(row)]
        times[query, row["annotator"], _revision(row)] += 1
        while len(of_query[query]) <= time:
            of_query[query].append((query, f"time {len(of_query[query]) + 1}"))
        keys.append(of_query[query][time])
    return keys


def _entry_numbers(rows: list[Mapping[str, Any]], keys: list[EntryKey]) -> dict[EntryKey, int]:
    given = [row.get("entry") for row in rows]
    if all(number is not None and 1 <= number <= _LARGEST_ENTRY for number in given):
        pairs = set(zip(given, keys, strict=True))
        if len(pairs) == len({number for number, _ in pairs}):
            return {key: int(number) for number, key in pairs if number is not None}
    return {key: position for position, key in enumerate(dict.fromkeys(keys), start=1)}


def judgments_hash(judgments: Iterable[EntryJudgment], design: Mapping[str, Any] | None) -> str:
    """Return the hash of a file's judgments and design, the same however the file spelled them (64 hex digits)."""
    digest = hashlib.sha256()
    digest.update(json.dumps(design, sort_keys=True, ensure_ascii=False).encode())
    for each in judgments:
        row = {name: getattr(each, name) for name in EntryJudgment.__slots__}
        if row["protocol"] == "audit" and not row["fields"]:
            # Audits hash as they did before judgments had a protocol, or an import would take them for others.
            del row["protocol"], row["fields"]
        if row["seconds"] is not None:
            row["seconds"] = float(row["seconds"])
        digest.update(b"\n" + json.dumps(row, sort_keys=True, ensure_ascii=False).encode())
    return digest.hexdigest()
