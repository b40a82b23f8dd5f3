"""The single parts of what is said of an entry: codes, places meant, values of fields, proposed changes.

Two answers have the same parts where they say the same. A decision that is merged has only parts that stand in judgments.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from audit_core.domain import JsonObject, Outcome
from audit_core.protocols.disputes import Said

#: A part: what kind it is of, and the rest that makes it that one.
Part = tuple[str, ...]


def parts_of(said: Said) -> frozenset[Part]:
    """Return the parts of an answer and of the correction that comes with it."""
    answer = said.answer
    found: set[Part] = set(_changes(said.correction or {}))
    if answer.outcome == Outcome.CANNOT_JUDGE:
        return frozenset({("cannot judge",), *found})
    found |= {("code", code.value) for code in answer.codes}
    found |= {("target", code, each) for code, ids in answer.targets.items() for each in ids}
    found |= set(_values(answer.fields))
    if not answer.codes and not answer.fields:
        found.add(("correct",))
    return frozenset(found)


def _changes(correction: JsonObject) -> Iterator[Part]:
    """Yield what a correction changes one by one; of a list, such as boxes, each of its members."""
    for name, value in correction.items():
        for each in value if isinstance(value, list) else (value,):
            yield "change", name, _written(each)


def _values(fields: Mapping[str, Any]) -> Iterator[Part]:
    """Yield the values of fields one by one: of pages and boxes each, of what is said of pages each page's."""
    for name, value in fields.items():
        if isinstance(value, dict):
            yield from (("field", name, str(page), _written(each)) for page, each in value.items())
        elif isinstance(value, list):
            yield from (("field", name, "", _written(each)) for each in value)
        else:
            yield "field", name, "", _written(value)


def _written(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def words_of(part: Part) -> str:
    """Return what to call a part in a message."""
    kind, *rest = part
    if kind == "change":
        return f"the correction of {rest[0]}"
    return f"{kind} {' '.join(each for each in rest if each)}".strip()[:200]
