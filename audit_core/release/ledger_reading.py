"""Reading a ledger: every row and field is checked, and what was done to the file since it was written is found."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from audit_core.domain import JsonObject
from audit_core.errors import LedgerError, Problem
from audit_core.release.ledger_chain import LISTED, tampering
from audit_core.release.ledger_fields import field_faults, shown_json
from audit_core.release.ledger_rows import DatasetReference, LedgerRow, TextForm
from audit_core.strict_json import JsonFault, read_json


@dataclass(frozen=True, slots=True)
class Ledger:
    """A ledger as read. `rows` stand in the file's order; `faults` are sentences on what was done to it since it was made."""

    name: str
    rows: tuple[LedgerRow, ...]
    faults: tuple[str, ...]

    @property
    def dataset(self) -> DatasetReference:
        """The dataset revision that it corrects."""
        return self.rows[0].dataset

    @property
    def is_ids_only(self) -> bool:
        """Whether texts stand as their SHA-256."""
        return self.rows[0].text_form == TextForm.HASHED

    def by_query(self) -> dict[str, list[LedgerRow]]:
        """Return the rows of each query, in the file's order."""
        found: dict[str, list[LedgerRow]] = {}
        for each in self.rows:
            found.setdefault(each.query_id, []).append(each)
        return found


def read_ledger(path: Path) -> Ledger:
    """Return the ledger in a file.

    Raises:
        LedgerError: it cannot be read, or rows of it are no ledger's; names line and field of each, what stands there and
            what should.
    """
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise LedgerError(f"The ledger {path} cannot be read ({error.strerror}): check the path.") from error
    if lines and lines[-1] == b"":
        lines.pop()
    if not lines:
        raise LedgerError(f"The ledger {path} has no row: a release has at least one.")
    problems: list[Problem] = []
    rows: list[LedgerRow] = []
    raw: list[JsonObject] = []
    for number, line in enumerate(lines, start=1):
        found = _object(line, path.name, number, problems)
        faults = [] if found is None else [Problem(path.name, number, *each) for each in field_faults(found)]
        problems += faults
        if found is None or faults:
            continue
        raw.append(found)
        rows.append(_row(found))
    _one_dataset(rows, path.name, problems)
    if problems:
        raise LedgerError(_refusal(path, problems))
    return Ledger(path.name, tuple(rows), tuple(tampering(raw)))


def _refusal(path: Path, problems: list[Problem]) -> str:
    count = len(problems)
    more = f"\n  and {count - LISTED:,} more" if count > LISTED else ""
    listed = "".join(f"\n  {each}" for each in problems[:LISTED])
    return f"{path} is no ledger that can be used: {count:,} fault{'s' * (count > 1)}.{listed}{more}"


def _object(line: bytes, file: str, number: int, problems: list[Problem]) -> JsonObject | None:
    expected = "one JSON object a line, as docs/ledger_format.md says"
    try:
        found = read_json(line)
    except JsonFault as error:
        problems.append(Problem(file, number, error.field, None, f"{expected} ({error})"))
        return None
    if not isinstance(found, dict):
        problems.append(Problem(file, number, None, shown_json(found), expected))
        return None
    return found


def _row(found: JsonObject) -> LedgerRow:
    values = {name: value for name, value in found.items() if name not in ("format", "format_version")}
    values["dataset"] = DatasetReference(**found["dataset"])
    values["annotators"] = tuple(found["annotators"])
    values["agreement"] = None if found["agreement"] is None else tuple(found["agreement"])
    return LedgerRow(**values)


def _one_dataset(rows: list[LedgerRow], file: str, problems: list[Problem]) -> None:
    for line, each in enumerate(rows[1:], start=2):
        if each.dataset != rows[0].dataset:
            problems.append(Problem(file, line, "dataset", shown_json(each.dataset.as_json()), "that of the first row"))
        if each.text_form != rows[0].text_form:
            problems.append(
                Problem(file, line, "text_form", each.text_form, f"{rows[0].text_form}, that of the first row")
            )
