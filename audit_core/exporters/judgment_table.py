"""The table of a campaign's judgments: its columns, and writing it in one of its forms without holding it all.

Every form is a file `judgments_NAME.py` with `name`, `suffix`, `media_type` and `write(rows, place)`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from audit_core.domain import JsonObject
from audit_core.exporters.whole_file import written_whole
from audit_core.registry import look_up

#: Columns in their order. A row has them all; what does not apply is None.
COLUMNS = (
    "dataset", "dataset_revision", "content_hash", "campaign", "protocol", "entry", "query_id", "annotator", "revision",
    "is_newest", "outcome", "codes", "fields", "targets", "correction", "note", "reason", "active_seconds", "saved_at",
    "guideline_version", "selection", "is_pilot", "is_gold",
)  # fmt: skip
#: Columns that hold an object: JSON text in every form but JSON Lines.
OBJECTS = ("fields", "targets", "correction")
WHOLE = ("entry", "revision", "guideline_version")
FLAGS = ("is_newest", "is_pilot", "is_gold")
#: What the name of a file holds that a spreadsheet may open, and that no import takes.
NOT_FOR_IMPORT = "not-for-import"
#: The first column of such a file, which says so in every row.
NOT_FOR_IMPORT_COLUMN = "not for import"
#: Form -> the ending of its files, for those who choose by name.
FORM_OF_SUFFIX = {".jsonl": "jsonl", ".csv": "csv", ".parquet": "parquet"}


def write_judgment_table(rows: Iterable[JsonObject], place: Path, *, form: str) -> Path:
    """Write rows of judgments to a file in a form (`jsonl`, `csv`, `parquet`, `spreadsheet`) and return the file.

    Rows have all `COLUMNS`: `codes` as a list, `OBJECTS` as dicts or None. The file appears when it is whole; one that was
    there is replaced. A spreadsheet's name gets `not-for-import` before its ending.

    Raises:
        NotFound: there is no such form.
        AssayError: the file cannot be written; nothing was kept.
    """
    module = look_up("audit_core.exporters", form, prefix="judgments_")
    if form == "spreadsheet":
        place = spreadsheet_place(place)
    with written_whole(place) as aside:
        module.write(rows, aside)
    return place


def spreadsheet_place(place: Path) -> Path:
    """Return the file of a spreadsheet, whose name says that it is not for import."""
    if NOT_FOR_IMPORT in place.name:
        return place
    return place.with_name(f"{place.stem}.{NOT_FOR_IMPORT}{place.suffix or '.csv'}")


def json_text(value: object) -> str:
    """Return a value as compact JSON, with its characters as they are."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
