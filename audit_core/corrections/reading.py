"""JSON that people wrote, read strictly: no name twice, no number that is none."""

from __future__ import annotations

import json
from typing import Any

from audit_core.corrections.pieces import field_name
from audit_core.domain import JsonObject
from audit_core.errors import CorrectionError

#: Digits of a whole number beyond which none is meant; Python reads no longer ones.
_DIGITS = 400


class NameTwice(CorrectionError):
    """A name that stands twice in one object, so that nobody can tell which one counts."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the name {name} stands twice in one object")
        self.name = name


def read_json(text: str) -> Any:
    """Return what a JSON text holds. Numbers that are too large come back infinite, and what JSON has no number for as it is.

    Whoever reads them refuses these by the field in which they stand.

    Raises:
        CorrectionError: it is no JSON, nested too deeply, or a name stands twice in one object (`NameTwice`).
    """
    try:
        return json.loads(text, object_pairs_hook=_once, parse_int=_whole)
    except RecursionError:
        raise CorrectionError("it is nested too deeply") from None
    except ValueError as error:
        raise CorrectionError(str(error)) from None


def _once(pairs: list[tuple[str, Any]]) -> JsonObject:
    found: JsonObject = {}
    for name, value in pairs:
        if name in found:
            raise NameTwice(field_name(name))
        found[name] = value
    return found


def _whole(digits: str) -> int | float:
    return int(digits) if len(digits) <= _DIGITS else float(digits)
