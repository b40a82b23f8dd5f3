"""What counts as agreement under a protocol: which parts of an answer are compared, of which unit, on which scale.

A protocol declares it as `AGREEMENT`, a tuple of `Compared`. What is not declared (notes, texts, boxes) is compared by no
coefficient: two texts that say the same in other words do not disagree.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from audit_core.domain import Answer, Outcome

#: The unit of what is said once an entry.
WHOLE_ENTRY = ""


class Level(StrEnum):
    """The scale of compared values: in `ordinal` ones the declared order counts, so that 0 and 2 differ more than 0 and 1."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"


class Unit(StrEnum):
    """What gets one value of each annotator: an entry, or a page of an entry."""

    ENTRY = "entry"
    PAGE = "page"


@dataclass(frozen=True, slots=True)
class Compared:
    """One thing that is compared between annotators.

    `name` tells it apart within the protocol. `field` is the field of the answer, or `codes`. `values` are all that it can
    be, in the order of an ordinal scale; `words` are what names are called where they are not shown as they are. With `option`
    it is one choice of several (or one code): its values are then False and True, whether the annotator named it.
    """

    name: str
    title: str
    field: str
    level: Level
    values: tuple[Any, ...]
    unit: Unit = Unit.ENTRY
    option: Any = None
    words: tuple[str, ...] = ()


def each_option(field: str, title: str, options: dict[Any, str], *, unit: Unit = Unit.ENTRY) -> tuple[Compared, ...]:
    """Return what is compared of a field of which several options may be named: each option by itself, nominal.

    `options` maps values to words.
    """
    return tuple(
        Compared(f"{field}.{value}", f"{title}: {words}", field, Level.NOMINAL, (False, True), unit, value)
        for value, words in options.items()
    )


def values_of(each: Compared, answer: Answer) -> dict[str, Any]:
    """Return what one answer says of it, by unit: page ids, or `WHOLE_ENTRY`; nothing for "cannot judge" and what was left open.

    Of options that may be named together, those not named are False, where the field was answered at all.
    """
    if answer.outcome is not Outcome.JUDGED:
        return {}
    said: Any = [code.value for code in answer.codes] if each.field == "codes" else answer.fields.get(each.field)
    if said is None:
        return {}
    units = said if each.unit is Unit.PAGE else {WHOLE_ENTRY: said}
    if each.option is None:
        return dict(units)
    return {unit: each.option in named for unit, named in units.items()}
