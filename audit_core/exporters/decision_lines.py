"""A campaign's decisions as JSON Lines: one object a revision, every column in every row, null where it does not apply."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from audit_core.domain import JsonObject
from audit_core.errors import AssayError
from audit_core.exporters.whole_file import written_whole

#: Columns in their order.
COLUMNS = (
    "dataset", "dataset_revision", "content_hash", "campaign", "protocol", "entry", "query_id", "revision", "is_newest",
    "basis", "outcome", "codes", "fields", "targets", "correction", "confidence", "note", "reason", "decided_by",
    "own_judgment", "taken_from", "judgments", "decided_at", "is_pilot", "is_gold",
)  # fmt: skip
SUFFIX = ".jsonl"


def write_decisions(rows: Iterable[JsonObject], place: Path) -> Path:
    """Write rows of decisions, which have all `COLUMNS`, to a file and return it; it appears when it is whole.

    Raises:
        AssayError: the file's name has another ending, or it cannot be written; nothing was kept.
    """
    import msgspec

    if place.suffix.lower() != SUFFIX:
        raise AssayError(f"{place.name} does not end in {SUFFIX}: decisions are written as JSON Lines.")
    encode = msgspec.json.Encoder().encode
    with written_whole(place) as aside, aside.open("xb") as stream:
        for row in rows:
            stream.write(encode({column: row[column] for column in COLUMNS}) + b"\n")
    return place
