"""Which entry of a campaign each imported judgment belongs to, in a form that does not depend on how the file said it."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from audit_core.domain import IssueCode, Outcome


@dataclass(frozen=True, slots=True)
class EntryJudgment:
    """One judgment of a file: `entry` is the number of its entry in the campaign, `codes` are in the order FEUN."""

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


def assign_entries(rows: Iterable[Mapping[str, Any]]) -> list[EntryJudgment]:
    """Return the judgments of one file with their entries and revisions, in the file's order.

    Where every row names an `entry` and no number stands for two queries, those numbers are the campaign's. Otherwise
    entries are numbered in order of first mention: rows of one query with different `entry` values are different
    entries; of rows without one, an annotator's n-th judgment on a query belongs to the query's n-th entry, unless its
    `revision` is higher than the one before, which makes it a revision of the same entry. A revision that is not given
    counts up from 1 for each annotator and entry.
    """
    kept = list(rows)
    keys = _entry_keys(kept)
    numbers = _entry_numbers(kept, keys)
    last_revision: defaultdict[tuple[int, str], int] = defaultdict(int)
    assigned = []
    for row, key in zip(kept, keys, strict=True):
        number, annotator = numbers[key], row["annotator"]
        revision = row.get("revision") or last_revision[number, annotator] + 1
        last_revision[number, annotator] = max(revision, last_revision[number, annotator])
        assigned.append(_judgment(row, number, int(revision)))
    return assigned


def _judgment(row: Mapping[str, Any], number: int, revision: int) -> EntryJudgment:
    codes = set(row.get("codes") or ())
    targets = {code: sorted(set(ids)) for code, ids in (row.get("targets") or {}).items() if ids}
    return EntryJudgment(
        entry=number,
        query_id=row["query_id"],
        annotator=row["annotator"],
        revision=revision,
        outcome=row.get("outcome") or Outcome.JUDGED.value,
        codes="".join(code.value for code in IssueCode if code.value in codes),
        targets=dict(sorted(targets.items())),
        note=row.get("note") or "",
        reason=row.get("reason") or "",
        seconds=row.get("seconds"),
    )


EntryKey = tuple[str, str]


def _entry_keys(rows: list[Mapping[str, Any]]) -> list[EntryKey]:
    """Return, for each row, what tells its entry apart: the query and a word."""
    times: defaultdict[tuple[str, str], int] = defaultdict(int)
    newest: dict[tuple[str, str], int] = {}
    keys = []
    for row in rows:
        query, annotator, revision = row["query_id"], row["annotator"], row.get("revision")
        if row.get("entry") is not None:
            keys.append((query, f"entry {row['entry']}"))
            continue
        who = (query, annotator)
        is_revision = revision is not None and who in newest and revision > newest[who]
        if not is_revision:
            times[who] += 1
        newest[who] = revision or 1
        keys.append((query, f"time {times[who]}"))
    return keys


def _entry_numbers(rows: list[Mapping[str, Any]], keys: list[EntryKey]) -> dict[EntryKey, int]:
    given = [row.get("entry") for row in rows]
    if all(number is not None and number >= 1 for number in given):
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
        if row["seconds"] is not None:
            row["seconds"] = float(row["seconds"])
        digest.update(b"\n" + json.dumps(row, sort_keys=True, ensure_ascii=False).encode())
    return digest.hexdigest()
