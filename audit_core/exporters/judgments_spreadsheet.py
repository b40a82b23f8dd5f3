"""A campaign's judgments as CSV for a spreadsheet: no text in it can run as a formula, and no import takes it back."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from pathlib import Path

from audit_core.domain import JsonObject
from audit_core.exporters import judgments_csv
from audit_core.exporters.judgment_table import COLUMNS, FLAGS, NOT_FOR_IMPORT_COLUMN, WHOLE

name = "spreadsheet"
suffix = ".csv"
media_type = "text/csv"

#: What each row says in the first column, so that it is still said where rows are copied out.
_NOTICE = "changed for spreadsheets"
#: What begins a formula, also by the wide signs of East Asian keyboards; blanks before it may be swallowed.
_SIGN = r"(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20])"
#: A cell that is taken for a formula, or whose first sign joins it to the cell or row before.
_AT_START = re.compile(rf"^(?:{_SIGN}|(?=[\t\r\n]))")
#: Where a spreadsheet that splits the file at semicolons, tabs or line ends would begin a cell.
_INSIDE = re.compile(rf"(\r\n|[;\t\r\n]){_SIGN}")
_NUMBERS = {*WHOLE, "active_seconds", *FLAGS}


def write(rows: Iterable[JsonObject], place: Path) -> None:
    """Write the records of the CSV form with a byte order mark, and with apostrophes where text would be a formula."""
    texts = [column not in _NUMBERS for column in COLUMNS]
    with place.open("x", encoding="utf-8-sig", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\r\n")
        writer.writerow((NOT_FOR_IMPORT_COLUMN, *COLUMNS))
        for row in rows:
            plain = zip(judgments_csv.cells(row), texts, strict=True)
            writer.writerow([_NOTICE, *(safe_text(cell) if is_text else cell for cell, is_text in plain)])


def safe_text(text: str) -> str:
    """Return a text with an apostrophe before each sign that a spreadsheet could take for the beginning of a formula."""
    return _AT_START.sub("'", _INSIDE.sub(r"\1'", text))
