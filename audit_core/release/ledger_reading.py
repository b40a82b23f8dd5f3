"""Reading a ledger: every row and field is checked, and what was done to the file since it was written is found."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from audit_core.domain import CODE_MEANINGS, JsonObject
from audit_core.errors import LedgerError, Problem
from audit_core.release.ledger_chain import LISTED, tampering
from audit_core.release.ledger_rows import (
    ACTIONS,
    FORMAT,
    FORMAT_VERSION,
    STRUCTURE,
    TARGET_OF,
    DatasetReference,
    LedgerRow,
    Status,
    TextForm,
)

_SHOWN = 80


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
        if found is None or not _fits(found, path.name, number, problems):
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
        found = json.loads(line.decode("utf-8"), object_pairs_hook=_once, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        problems.append(Problem(file, number, None, None, f"{expected} ({error})"))
        return None
    if not isinstance(found, dict):
        problems.append(Problem(file, number, None, _shown(found), expected))
        return None
    return found


def _once(pairs: list[tuple[str, Any]]) -> JsonObject:
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        raise ValueError(
            f"a name stands twice in one object: {sorted(each for each in names if names.count(each) > 1)[0]!r}"
        )
    return dict(pairs)


def _refuse_constant(word: str) -> float:
    raise ValueError(f"{word} is no JSON")


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_whole(value: Any) -> bool:
    return type(value) is int and value >= 1


def _is_hash(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 64 and set(value) <= set("0123456789abcdef")


def _is_dataset(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and set(value) == {"name", "revision", "hash"}
        and _is_text(value["name"])
        and _is_text(value["revision"])
        and _is_hash(value["hash"])
    )


def _is_page(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and set(value) == {"page_id", "page_index", "printed_label", "box"}
        and _is_text(value["page_id"])
    )


def _is_agreeing(value: Any) -> bool:
    if not isinstance(value, dict) or set(value) != {"count", "of"}:
        return False
    count, of = value["count"], value["of"]
    return type(count) is int and type(of) is int and 0 <= count <= of


def _or_none(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or check(value)


def _list_of(kind: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(isinstance(each, kind) for each in value)


def _one_of(*values: object) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str | int) and not isinstance(value, bool) and value in values


#: Each field of a row, what it must be, and how that is said.
_FIELDS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "format": (_one_of(FORMAT), f'"{FORMAT}"'),
    "format_version": (_one_of(FORMAT_VERSION), f"{FORMAT_VERSION}, the version that is read here"),
    "row": (_is_whole, "the number of the row, from 1"),
    "rows": (_is_whole, "how many rows the ledger has"),
    "id": (_is_text, "text"),
    "dataset": (_is_dataset, "an object of name, revision and hash (64 hexadecimal digits)"),
    "text_form": (_one_of(*TextForm), " or ".join(TextForm)),
    "query_id": (lambda value: _is_text(value) and value != "", "a query id"),
    "target": (_one_of(*TARGET_OF.values()), "one of " + ", ".join(dict.fromkeys(TARGET_OF.values()))),
    "action": (_one_of(*ACTIONS), "one of " + ", ".join(ACTIONS)),
    "key": (lambda value: isinstance(value, dict), "an object"),
    "before": (lambda value: True, "what stood there"),
    "after": (lambda value: True, "what stands there now"),
    "code": (_or_none(_one_of(*CODE_MEANINGS)), "F, E, U, N or null"),
    "reason": (_is_text, "text"),
    "page": (_or_none(_is_page), "an object of page_id, page_index, printed_label and box, or null"),
    "author": (_or_none(_is_text), "a pseudonym or null"),
    "reviewer": (_or_none(_is_text), "a pseudonym or null"),
    "annotators": (_list_of(str), "a list of pseudonyms"),
    "agreeing": (_or_none(_is_agreeing), "an object of count and of, two whole numbers, or null"),
    "agreement": (_or_none(_list_of(dict)), "a list of coefficients, or null"),
    "model": (_or_none(_is_text), "text or null"),
    "prompt_hash": (_or_none(_is_text), "text or null"),
    "status": (_one_of(*Status), " or ".join(Status)),
    "chain": (_is_hash, "64 hexadecimal digits"),
}  # fmt: skip


def _fits(row: JsonObject, file: str, number: int, problems: list[Problem]) -> bool:
    before = len(problems)
    for name, (check, expected) in _FIELDS.items():
        if name not in row:
            problems.append(Problem(file, number, name, None, f"{expected} (the field is missing)"))
        elif not check(row[name]):
            problems.append(Problem(file, number, name, _shown(row[name]), expected))
    problems += [Problem(file, number, name, None, "no such field") for name in row if name not in _FIELDS]
    if len(problems) == before:
        problems += [Problem(file, number, *each) for each in _contradictions(row)]
    return len(problems) == before


def _contradictions(row: JsonObject) -> list[tuple[str, str, str]]:
    action, key = row["action"], row["key"]
    found = []
    if row["target"] != TARGET_OF[action]:
        found.append(("target", _shown(row["target"]), f"{TARGET_OF[action]}, as the action is {action}"))
    is_derived = action == STRUCTURE
    if (row["status"] == Status.DERIVED) is not is_derived:
        found.append(("status", _shown(row["status"]), "derived for the action structure, accepted for any other"))
    names = {"page_id", "set_id"} if TARGET_OF[action] == "evidence" else set()
    if set(key) != names:
        found.append(("key", _shown(key), " and ".join(sorted(names)) or "{}"))
    elif names and not (_is_text(key["page_id"]) and (key["set_id"] is None or _is_text(key["set_id"]))):
        found.append(("key", _shown(key), "page_id: text, and set_id: text or null"))
    if names:
        found += _wrong_pieces(row)
    elif not all(value is None or _is_text(value) for value in (row["before"], row["after"])):
        wrong = "before" if not (row["before"] is None or _is_text(row["before"])) else "after"
        found.append((wrong, _shown(row[wrong]), "text or null"))
    if action in ("reword", STRUCTURE):
        found += [(each, "null", "text") for each in ("before", "after") if row[each] is None]
    if row["row"] > row["rows"]:
        found.append(("row", str(row["row"]), f"at most {row['rows']}, which `rows` says"))
    return found


def _wrong_pieces(row: JsonObject) -> list[tuple[str, str, str]]:
    found = []
    for name in ("before", "after"):
        value = row[name]
        pieces = value if isinstance(value, list) and (name, row["action"]) == ("before", "drop-page") else [value]
        if not all(piece is None or _is_piece(piece) for piece in pieces):
            found.append((name, _shown(value), "evidence as in the bundle's queries, or null"))
    needs = {
        "add-page": ["after"],
        "add-box": ["after"],
        "move-box": ["before", "after"],
        "drop-box": ["before"],
        "drop-page": ["before"],
    }
    found += [(name, "null", "evidence") for name in needs[row["action"]] if row[name] is None]
    return found


def _is_piece(value: Any) -> bool:
    names = {"page_id", "document_id", "element_id", "box", "kind", "relevance", "set_id"}
    if not isinstance(value, dict) or not set(value) <= names or not _is_text(value.get("page_id")):
        return False
    box = value.get("box")
    texts = all(_is_text(value[name]) for name in names - {"box", "relevance"} if name in value)
    return texts and (box is None or (isinstance(box, list) and len(box) == 4 and all(map(_is_number, box))))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _row(found: JsonObject) -> LedgerRow:
    values = {name: value for name, value in found.items() if name not in ("format", "format_version")}
    values["dataset"] = DatasetReference(**found["dataset"])
    values["annotators"] = tuple(found["annotators"])
    values["agreement"] = None if found["agreement"] is None else tuple(found["agreement"])
    return LedgerRow(**values)


def _one_dataset(rows: list[LedgerRow], file: str, problems: list[Problem]) -> None:
    for line, each in enumerate(rows[1:], start=2):
        if each.dataset != rows[0].dataset:
            problems.append(Problem(file, line, "dataset", _shown(each.dataset.as_json()), "that of the first row"))
        if each.text_form != rows[0].text_form:
            problems.append(
                Problem(file, line, "text_form", each.text_form, f"{rows[0].text_form}, that of the first row")
            )
