"""The fields of a ledger's rows: what each must be, and what they must be together."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

from audit_core.corrections.pieces import COLUMNS, RELEVANCES, TEXTS
from audit_core.domain import CODE_MEANINGS, ELEMENT_KINDS, JsonObject
from audit_core.release.ledger_rows import ACTIONS, FORMAT, FORMAT_VERSION, STRUCTURE, TARGET_OF, Status, TextForm

_SHOWN = 80
#: What a derived row has nothing of.
_OF_ACCEPTED = ("code", "page", "author", "reviewer", "annotators", "agreeing", "agreement", "model", "prompt_hash")


def shown_json(value: Any) -> str:
    """Return a value as it is shown in a message."""
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
        and (value["page_index"] is None or type(value["page_index"]) is int)
        and (value["printed_label"] is None or _is_text(value["printed_label"]))
        and (value["box"] is None or _is_box(value["box"]))
    )


def _is_box(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 4 and all(map(_is_number, value))


def _is_coefficients(value: Any) -> bool:
    """A list of flat objects: texts, numbers, true, false and null."""
    return isinstance(value, list) and all(
        isinstance(each, dict) and not any(isinstance(part, dict | list) for part in each.values()) for each in value
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
    "agreement": (_or_none(_is_coefficients), "a list of coefficients, or null"),
    "model": (_or_none(_is_text), "text or null"),
    "prompt_hash": (_or_none(_is_text), "text or null"),
    "status": (_one_of(*Status), " or ".join(Status)),
    "chain": (_is_hash, "64 hexadecimal digits"),
}  # fmt: skip


#: (field, what stands there, what should).
Fault = tuple[str, str | None, str]


def field_faults(row: JsonObject) -> list[Fault]:
    """Return what is wrong with the fields of a row, as (field, what stands there, what should)."""
    found: list[Fault] = []
    for name, (check, expected) in _FIELDS.items():
        if name not in row:
            found.append((name, None, f"{expected} (the field is missing)"))
        elif not check(row[name]):
            found.append((name, shown_json(row[name]), expected))
    found += [(name, None, "no such field") for name in row if name not in _FIELDS]
    return found or _contradictions(row)


def _contradictions(row: JsonObject) -> list[Fault]:
    action, key = row["action"], row["key"]
    found: list[Fault] = []
    if row["target"] != TARGET_OF[action]:
        found.append(("target", shown_json(row["target"]), f"{TARGET_OF[action]}, as the action is {action}"))
    is_derived = action == STRUCTURE
    if (row["status"] == Status.DERIVED) is not is_derived:
        found.append(("status", shown_json(row["status"]), "derived for the action structure, accepted for any other"))
    if is_derived:
        found += [
            (name, shown_json(row[name]), "nothing, for a derived row rests on the others of its query")
            for name in _OF_ACCEPTED
            if row[name] not in (None, [])
        ]
    names = {"page_id", "set_id"} if TARGET_OF[action] == "evidence" else set()
    if set(key) != names:
        found.append(("key", shown_json(key), " and ".join(sorted(names)) or "{}"))
    elif names and not (_is_text(key["page_id"]) and (key["set_id"] is None or _is_text(key["set_id"]))):
        found.append(("key", shown_json(key), "page_id: text, and set_id: text or null"))
    if names:
        found += _wrong_pieces(row)
    elif not all(value is None or _is_text(value) for value in (row["before"], row["after"])):
        wrong = "before" if not (row["before"] is None or _is_text(row["before"])) else "after"
        found.append((wrong, shown_json(row[wrong]), "text or null"))
    if action in ("reword", STRUCTURE):
        found += [(each, "null", "text") for each in ("before", "after") if row[each] is None]
    if row["row"] > row["rows"]:
        found.append(("row", str(row["row"]), f"at most {row['rows']}, which `rows` says"))
    return found


def _wrong_pieces(row: JsonObject) -> list[Fault]:
    found: list[Fault] = []
    for name in ("before", "after"):
        value = row[name]
        pieces = value if isinstance(value, list) and (name, row["action"]) == ("before", "drop-page") else [value]
        if not all(piece is None or _is_piece(piece) for piece in pieces):
            found.append((name, shown_json(value), "evidence as in the bundle's queries, or null"))
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
    if not isinstance(value, dict) or not set(value) <= set(COLUMNS) or not _is_text(value.get("page_id")):
        return False
    return (
        all(_is_text(value[name]) for name in TEXTS if name in value)
        and ("kind" not in value or value["kind"] in ELEMENT_KINDS)
        # `1.0` and `true` are equal to 1 and would pass for it.
        and ("relevance" not in value or (type(value["relevance"]) is int and value["relevance"] in RELEVANCES))
        and (value.get("box") is None or _is_box(value["box"]))
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
