"""The kinds of fields that a protocol can ask: what each may hold, and how it is described to the judging page.

A protocol lists its fields in the order in which they are asked. A field may be asked only where earlier ones say so
(`asked_if`), and once a page instead of once an entry (`per_page`): its value is then an object from page id to value.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from audit_core.domain import JsonObject
from audit_core.errors import JudgmentInvalid
from audit_core.protocols.answer_fields import refuse_unstorable

#: Most pages and most boxes that one answer may name.
PAGES_MAX = 500
BOXES_MAX = 200
_SIDES = 4


@dataclass(frozen=True, slots=True)
class Condition:
    """Holds where `field` has one of `values`; of a field that is asked of pages, on the page in question."""

    field: str
    values: tuple[Any, ...]

    def holds(self, found: Mapping[str, Any], page: str | None) -> bool:
        """Return whether it holds in the answers found so far."""
        value = found.get(self.field)
        if isinstance(value, dict):
            value = value.get(page)
        return any(_is_same(value, each) for each in self.values)

    @property
    def words(self) -> str:
        """The condition in words."""
        return f"{self.field} is {' or '.join(map(written, self.values))}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """What every field has.

    `title` is shown before its values; without one the options are large buttons. It is asked where any of `asked_if` holds,
    or always; where it is asked and `is_required`, an answer without it is no judgment. `expected` says what it may hold.
    """

    name: str
    title: str = ""
    asked_if: tuple[Condition, ...] = ()
    is_required: bool = False
    per_page: bool = False
    expected: str = ""

    def is_asked(self, found: Mapping[str, Any], page: str | None = None) -> bool:
        """Return whether it is asked, after the answers found so far."""
        return not self.asked_if or any(each.holds(found, page) for each in self.asked_if)

    def describe(self) -> JsonObject:
        """Return the field as the judging page reads it."""
        described: JsonObject = {"name": self.name, "kind": self.kind}
        optional = {"title": self.title, "required": self.is_required, "per_page": self.per_page}
        described |= {key: value for key, value in optional.items() if value}
        if self.asked_if:
            described["asked_if"] = [{"field": each.field, "values": list(each.values)} for each in self.asked_if]
        return described

    @property
    def kind(self) -> str:
        """How the judging page calls fields of this kind."""
        return type(self).__name__.lower()

    def read(self, value: Any) -> Any:
        """Return one value in one form; None where it says nothing.

        Raises:
            JudgmentInvalid: it is none; names the field.
        """
        raise NotImplementedError


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One value of a choice. `key` chooses it at once, `letter` stands for it in lists; `digit` chooses it in its row."""

    value: str | bool | int
    short: str
    meaning: str
    colour: str
    key: str | None = None
    letter: str | None = None
    digit: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice(Field):
    """One of several options."""

    options: tuple[Option, ...]
    #: The field's value follows from these fields, until the annotator changes it: `proposed_from[1]` maps a value of any of
    #: them to one of this field, and the one that stands last among the options counts.
    proposed_from: tuple[tuple[str, ...], Mapping[str, str]] | None = None

    def describe(self) -> JsonObject:
        """Return the field as the judging page reads it."""
        described = Field.describe(self)
        described["options"] = [_option(each, at) for at, each in enumerate(self.options, start=1)]
        if self.proposed_from is not None:
            described["proposed_from"] = {"fields": list(self.proposed_from[0]), "values": dict(self.proposed_from[1])}
        return described

    @property
    def values(self) -> tuple[Any, ...]:
        """The values of the options, in their order."""
        return tuple(each.value for each in self.options)

    def read(self, value: Any) -> Any:
        """Return the option's value."""
        if not any(_is_same(value, each) for each in self.values):
            raise JudgmentInvalid(f"{self.name} must be {self.wanted}.")
        return value

    @property
    def wanted(self) -> str:
        """What it may hold, in words."""
        return self.expected or f"one of {', '.join(map(written, self.values))}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices(Choice):
    """Any of several options together; a list in the order of the options."""

    def read(self, value: Any) -> Any:
        """Return the values named, in the order of the options."""
        if not isinstance(value, list) or not all(any(_is_same(one, each) for each in self.values) for one in value):
            raise JudgmentInvalid(f"{self.name} must be a list of {self.wanted}.")
        if len(set(value)) != len(value):
            raise JudgmentInvalid(f"{self.name} names something twice: name each once.")
        return [each for each in self.values if each in value] or None

    @property
    def wanted(self) -> str:
        """What it may hold, in words."""
        return self.expected or f"any of {', '.join(map(written, self.values))}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale(Field):
    """A number from a scale; `low` and `high` say what its ends mean."""

    low: str
    high: str
    steps: tuple[float, ...]

    def describe(self) -> JsonObject:
        """Return the field as the judging page reads it."""
        return Field.describe(self) | {"low": self.low, "high": self.high, "steps": list(self.steps)}

    def read(self, value: Any) -> Any:
        """Return the step."""
        if isinstance(value, int | float) and not isinstance(value, bool) and value in self.steps:
            return self.steps[self.steps.index(value)]
        *first, last = (f"{each:g}" for each in self.steps)
        raise JudgmentInvalid(f"{self.name} must be one of {', '.join(first)} and {last}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Text(Field):
    """A text of at most `longest` characters; blank says nothing."""

    longest: int
    placeholder: str = ""

    def describe(self) -> JsonObject:
        """Return the field as the judging page reads it."""
        return Field.describe(self) | {"longest": self.longest, "placeholder": self.placeholder}

    def read(self, value: Any) -> Any:
        """Return the text, None where it is blank."""
        if not isinstance(value, str):
            raise JudgmentInvalid(f"{self.name} must be text.")
        if len(value) > self.longest:
            raise JudgmentInvalid(f"{self.name} has {len(value):,} characters: shorten it to {self.longest:,}.")
        refuse_unstorable(value, self.name)
        return value if value.strip() else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pages(Field):
    """Pages of the entry's documents that its evidence does not list, in the order in which they were added."""

    def read(self, value: Any) -> Any:
        """Return the page ids."""
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise JudgmentInvalid(f"{self.name} must be a list of page ids.")
        if len(set(value)) != len(value):
            raise JudgmentInvalid(f"{self.name} names a page twice: name each once.")
        if len(value) > PAGES_MAX:
            raise JudgmentInvalid(f"{self.name} names {len(value)} pages: name at most {PAGES_MAX}.")
        for each in value:
            refuse_unstorable(each, self.name)
        return value or None


@dataclass(frozen=True, slots=True, kw_only=True)
class Boxes(Field):
    """Boxes on pages: objects with `page_id` and `box`, [left, top, right, bottom] in parts of the page (0 to 1)."""

    def read(self, value: Any) -> Any:
        """Return the boxes."""
        if not isinstance(value, list):
            raise JudgmentInvalid(f"{self.name} must be a list of objects with page_id and box.")
        if len(value) > BOXES_MAX:
            raise JudgmentInvalid(f"{self.name} holds {len(value)} boxes: draw at most {BOXES_MAX}.")
        return [self._one(each) for each in value] or None

    def _one(self, value: Any) -> JsonObject:
        if not isinstance(value, dict) or set(value) != {"page_id", "box"} or not isinstance(value["page_id"], str):
            raise JudgmentInvalid(f"{self.name} must be a list of objects with page_id and box.")
        refuse_unstorable(value["page_id"], self.name)
        box = value["box"]
        if not isinstance(box, list) or len(box) != _SIDES or not all(map(_is_number, box)):
            raise JudgmentInvalid(f"{self.name}: a box must be four numbers: left, top, right, bottom.")
        x0, y0, x1, y1 = map(float, box)
        if not (0 <= x0 < x1 <= 1 and 0 <= y0 < y1 <= 1):
            raise JudgmentInvalid(
                f"{self.name}: a box must lie on its page, in parts of its width and height (0 to 1)."
            )
        return {"page_id": value["page_id"], "box": [x0, y0, x1, y1]}


def written(value: Any) -> str:
    """Return a value as it stands in an answer's JSON, text without quotes."""
    return value if isinstance(value, str) else json.dumps(value)


def _option(each: Option, at: int) -> JsonObject:
    described = {
        "value": each.value,
        "key": each.key,
        "letter": each.letter,
        "digit": each.digit or str(at % 10),
        "short": each.short,
        "meaning": each.meaning,
        "colour": each.colour,
    }
    return {name: value for name, value in described.items() if value is not None}


def _is_same(one: Any, other: Any) -> bool:
    """Return whether two values are the same; True is no 1."""
    return type(one) is type(other) and bool(one == other)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
