"""The slow look at one row: every fault in it, field by field, and what of it can be kept."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from audit_core.importers.bundle_faults import shown
from audit_core.importers.bundle_schema import (
    CODES,
    CRITERION_VALUES,
    EVIDENCE,
    LARGEST_WHOLE,
    Column,
    Kind,
    record_type,
)


@dataclass(frozen=True, slots=True)
class RowFault:
    """One fault in a row: a stable word, the path of the field, the value as shown and what was expected."""

    kind: str
    field: str
    value: str | None
    expected: str


#: Checks that concern several fields of a row at once; given the raw row, they return its faults.
RowRule = Callable[[dict[str, Any]], list[RowFault]]
_MISSING = object()


def inspect(
    columns: Sequence[Column], row: dict[str, Any], rule: RowRule | None = None
) -> tuple[list[RowFault], dict[str, Any] | None]:
    """Return all faults of a row and the values that can be kept (None where a column it cannot do without is faulty).

    A required value that is lost is None in what is kept; the frames fill it in when an import is lenient.
    """
    faults: list[RowFault] = []
    kept: dict[str, Any] = {}
    usable = True
    for column in columns:
        value = _check_column(column, row, "", faults)
        usable = usable and not (column.vital and value is None)
        kept[column.name] = value
    if rule is not None:
        faults.extend(rule(row))
    return faults, kept if usable else None


def _check_column(column: Column, row: dict[str, Any], prefix: str, faults: list[RowFault]) -> Any:
    path = prefix + column.name
    value = row.get(column.name, _MISSING)
    if value is _MISSING or value is None:
        if column.required:
            written = None if value is _MISSING else "null"
            faults.append(RowFault("missing_value", path, written, "a value, for the column is required"))
        return [] if column.kind is Kind.EVIDENCE else None
    return _CHECKS[column.kind](column, value, path, faults)


def _check_text(column: Column, value: Any, path: str, faults: list[RowFault]) -> str | None:
    is_id = column.kind is not Kind.TEXT
    if not isinstance(value, str):
        advice = "text"
        if is_id and isinstance(value, int | float) and not isinstance(value, bool):
            advice = f'text (ids are text: write "{value}")'
        faults.append(RowFault("wrong_type", path, shown(value), advice))
        return str(value) if type(value) is int else None
    if is_id and not value:
        faults.append(RowFault("missing_value", path, '""', "an id of at least one character"))
        return None
    if "\x00" in value:
        faults.append(RowFault("nul_character", path, shown(value), "text without the character U+0000"))
        value = value.replace("\x00", "\ufffd")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        faults.append(RowFault("lone_surrogate", path, shown(value), "text without lone surrogates such as \\ud800"))
        value = value.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    return str(value)


def _check_choice(column: Column, value: Any, path: str, faults: list[RowFault]) -> Any:
    if any(value == each and type(value) is type(each) for each in column.choices):
        return value
    faults.append(RowFault("unknown_value", path, shown(value), f"one of {', '.join(map(str, column.choices))}"))
    # An unknown word is kept as it is; nothing is invented in its place.
    is_word = isinstance(value, str) and isinstance(column.choices[0], str)
    return _check_text(Column(column.name, Kind.TEXT), value, path, []) if is_word else None


def _check_flag(column: Column, value: Any, path: str, faults: list[RowFault]) -> bool | None:
    if isinstance(value, bool):
        return value
    faults.append(RowFault("wrong_type", path, shown(value), "true or false"))
    return None


def _check_whole(column: Column, value: Any, path: str, faults: list[RowFault]) -> int | None:
    low = -LARGEST_WHOLE if column.low is None else int(column.low)
    if type(value) is int and low <= value <= LARGEST_WHOLE:
        return value
    expected = "a whole number" if column.low is None else f"a whole number of at least {low}"
    faults.append(RowFault("bad_number", path, shown(value), expected))
    return None


def _is_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


def _check_number(column: Column, value: Any, path: str, faults: list[RowFault]) -> float | None:
    if column.above is not None:
        fits, expected = _is_number(value) and value > column.above, f"a number above {column.above:g}"
    elif column.low is not None:
        fits, expected = _is_number(value) and value >= column.low, f"a number of at least {column.low:g}"
    else:
        fits, expected = _is_number(value), "a finite number"
    if fits:
        return float(value)
    faults.append(RowFault("bad_number", path, shown(value), expected))
    return None


def _check_criterion(column: Column, value: Any, path: str, faults: list[RowFault]) -> float | None:
    if _is_number(value) and value in CRITERION_VALUES:
        return float(value)
    faults.append(RowFault("unknown_value", path, shown(value), "one of 0, 0.25, 0.5, 0.75, 1"))
    return None


def _check_box(column: Column, value: Any, path: str, faults: list[RowFault]) -> tuple[float, ...] | None:
    if not isinstance(value, list | tuple) or len(value) != 4:
        faults.append(RowFault("bad_box", path, shown(value), "a box of four numbers [x0, y0, x1, y1]"))
    elif not all(map(_is_number, value)):
        faults.append(RowFault("bad_box", path, shown(value), "a box of four finite numbers [x0, y0, x1, y1]"))
    elif value[0] > value[2] or value[1] > value[3]:
        faults.append(RowFault("inverted_box", path, shown(value), INVERTED))
    else:
        return tuple(map(float, value))
    return None


#: What is expected where a box is inverted; the vectorised check says the same.
INVERTED = "x0 <= x1 and y0 <= y1 (left, top, right, bottom)"


def _check_ids(column: Column, value: Any, path: str, faults: list[RowFault]) -> list[str] | None:
    if not isinstance(value, list):
        faults.append(RowFault("wrong_type", path, shown(value), "a list of ids"))
        return None
    item = Column(column.name, Kind.ID)
    checked = [_check_text(item, each, f"{path}[{number}]", faults) for number, each in enumerate(value)]
    return [each for each in checked if each is not None]


def _check_codes(column: Column, value: Any, path: str, faults: list[RowFault]) -> list[str] | None:
    if not isinstance(value, list):
        faults.append(RowFault("wrong_type", path, shown(value), "a list of codes, empty for a correct query"))
        return None
    bad = [number for number, each in enumerate(value) if each not in CODES]
    for number in bad:
        expected = f"one of {', '.join(CODES)}"
        faults.append(RowFault("unknown_value", f"{path}[{number}]", shown(value[number]), expected))
    if not bad and len(set(value)) < len(value):
        faults.append(RowFault("unknown_value", path, shown(value), "each code once"))
    return None if bad else value


def _check_targets(column: Column, value: Any, path: str, faults: list[RowFault]) -> dict[str, list[str]] | None:
    if not isinstance(value, dict):
        faults.append(
            RowFault("wrong_type", path, shown(value), "an object from code to a list of page ids or element ids")
        )
        return None
    kept: dict[str, list[str]] = {}
    for code, ids in value.items():
        if code not in CODES:
            faults.append(RowFault("unknown_value", f"{path}.{code}", shown(code), f"one of {', '.join(CODES)}"))
        checked = _check_ids(column, ids, f"{path}.{code}", faults)
        if checked is not None and code in CODES:
            kept[code] = checked
    return kept


def _check_object(column: Column, value: Any, path: str, faults: list[RowFault]) -> dict[str, Any] | None:
    if isinstance(value, dict):
        return value
    faults.append(RowFault("wrong_type", path, shown(value), "an object (in Parquet: its JSON text)"))
    return None


def _check_evidence(column: Column, value: Any, path: str, faults: list[RowFault]) -> list[Any]:
    if not isinstance(value, list):
        faults.append(RowFault("wrong_type", path, shown(value), "a list of evidence objects"))
        return []
    record = record_type(EVIDENCE)
    kept: list[Any] = []
    for number, item in enumerate(value):
        if not isinstance(item, dict):
            faults.append(RowFault("wrong_type", f"{path}[{number}]", shown(item), "an evidence object"))
            continue
        values = {each.name: _check_column(each, item, f"{path}[{number}].", faults) for each in EVIDENCE}
        if values["page_id"] is not None:
            kept.append(record(**values))
    return kept


_CHECKS: dict[Kind, Callable[[Column, Any, str, list[RowFault]], Any]] = {
    Kind.ID: _check_text,
    Kind.TEXT: _check_text,
    Kind.CHOICE: _check_choice,
    Kind.FLAG: _check_flag,
    Kind.WHOLE: _check_whole,
    Kind.NUMBER: _check_number,
    Kind.CRITERION: _check_criterion,
    Kind.BOX: _check_box,
    Kind.IDS: _check_ids,
    Kind.CODES: _check_codes,
    Kind.TARGETS: _check_targets,
    Kind.OBJECT: _check_object,
    Kind.EVIDENCE: _check_evidence,
}
