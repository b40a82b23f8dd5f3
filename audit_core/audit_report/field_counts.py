"""Counting the fields of answers: by value, of entries, pages or judgments, in each row of a report's table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from audit_core.audit_report.records import RowKind
from audit_core.audit_report.verdicts import agreed
from audit_core.domain import EntryState
from audit_core.protocols.field_kinds import Boxes, Choice, Choices, Field, Pages, Scale
from audit_core.statistics.intervals import Interval, wilson

#: What a row of a table is of: its kind, source and structure (None: all).
Group = tuple[RowKind, str | None, str | None]
ENTRIES, PAGES, JUDGMENTS = "entries", "pages", "judgments"


@dataclass(frozen=True, slots=True)
class JudgedFields:
    """An entry with a judgment: the newest answer of each annotator by field, at most one an annotator; None for "cannot judge".

    `decisions` holds the adjudicated answer in the same form, or is empty: it takes the place of the annotators' answers,
    except where these are counted one by one.
    """

    entry: int
    query_id: str
    source: str
    evidence_structure: str
    document_ids: frozenset[str]
    answers: tuple[Mapping[str, Any] | None, ...]
    decisions: tuple[Mapping[str, Any] | None, ...] = ()

    def voices(self, needed: int) -> tuple[Mapping[str, Any] | None, ...]:
        """Return the answers that decide the entry, where it takes `needed` that say the same."""
        return self.decisions * needed or self.answers


@dataclass(frozen=True, slots=True)
class ValueShare:
    """How often a value was given: `interval.count` of `interval.n` decided units, with its plain Wilson interval."""

    value: Any
    words: str
    interval: Interval


@dataclass(frozen=True, slots=True)
class FieldRow:
    """A field in one row of the table: its values in the protocol's order, and units on which annotators differ.

    `answered` are the units of which somebody said something; those neither decided nor `disputed` lack judgments. Of options
    that may be named together a unit is disputed where annotators differ in any.
    """

    kind: RowKind
    source: str | None
    evidence_structure: str | None
    answered: int
    disputed: int
    shares: tuple[ValueShare, ...]


@dataclass(frozen=True, slots=True)
class FieldCounts:
    """A field by value; `unit` says what is counted: entries, pages or judgments. `is_several`: shares need not add up to 1."""

    name: str
    title: str
    unit: str
    is_several: bool
    rows: tuple[FieldRow, ...]

    @property
    def total(self) -> FieldRow:
        """The row of all entries."""
        return self.rows[-1]


@dataclass(frozen=True, slots=True)
class Mention:
    """A field that is not counted by value: how many judgments say something in it, and how many texts, pages or boxes."""

    name: str
    title: str
    judgments: int
    items: int


#: What annotators said of one unit.
_Units = dict[Hashable, list[Any]]


def count_field(
    field: Choice | Scale, judged: Sequence[JudgedFields], groups: Sequence[Group], *, needed: int, confidence: float
) -> FieldCounts:
    """Return a field by value in each of the groups; `needed` is how many judgments a unit needs to be decided."""
    is_several = isinstance(field, Choices)
    unit = JUDGMENTS if isinstance(field, Scale) else PAGES if field.per_page else ENTRIES
    if isinstance(field, Scale):
        needed = 1
    rows = []
    for kind, source, structure in groups:
        here = [
            each for each in judged if source in (None, each.source) and structure in (None, each.evidence_structure)
        ]
        units = _units(field, here, needed)
        shares = _several(field, units, needed, confidence) if is_several else _single(field, units, needed, confidence)
        disputed = sum(len({_hashable(each) for each in said}) > 1 for said in units.values())
        rows.append(FieldRow(kind, source, structure, len(units), disputed, tuple(shares)))
    return FieldCounts(field.name, _title(field), unit, is_several, tuple(rows))


def count_mentions(field: Field, judged: Sequence[JudgedFields]) -> Mention:
    """Return how many judgments say something in a field that is not counted by value."""
    said = [
        value for each in judged for answer in each.answers if answer and (value := answer.get(field.name)) is not None
    ]
    items = sum(map(len, said)) if isinstance(field, Pages | Boxes) else len(said)
    return Mention(field.name, field.title, len(said), items)


def _title(field: Field) -> str:
    """Return the field's title; of one that is asked after another, as "Why", with that other's name."""
    condition = field.asked_if[0].field if field.asked_if else ""
    return f"{field.title} ({condition})" if field.name.startswith(f"{condition}_") and condition else field.title


def _units(field: Choice | Scale, judged: Sequence[JudgedFields], needed: int) -> _Units:
    units: defaultdict[Hashable, list[Any]] = defaultdict(list)
    for each in judged:
        for annotator, answer in enumerate(each.answers if isinstance(field, Scale) else each.voices(needed)):
            value = (answer or {}).get(field.name)
            if value is None:
                continue
            if isinstance(field, Scale):
                units[each.entry, annotator].append(value)
            elif field.per_page:
                for page, one in value.items():
                    units[each.entry, page].append(one)
            else:
                units[each.entry].append(value)
    return dict(units)


def _hashable(value: Any) -> Hashable:
    return tuple(value) if isinstance(value, list) else value


def _decided(units: Mapping[Hashable, Sequence[Any]], needed: int) -> Iterator[Any]:
    for said in units.values():
        state, value = agreed(said, unable=0, needed=needed)
        if state is EntryState.DECIDED:
            yield value


def _single(field: Choice | Scale, units: _Units, needed: int, confidence: float) -> Iterator[ValueShare]:
    decided = list(_decided(units, needed))
    options = [(each, f"{each:g}") for each in field.steps] if isinstance(field, Scale) else _options(field)
    for value, words in options:
        yield ValueShare(value, words, wilson(decided.count(value), len(decided), confidence=confidence))


def _several(field: Choice | Scale, units: _Units, needed: int, confidence: float) -> Iterator[ValueShare]:
    assert isinstance(field, Choice)
    for value, words in _options(field):
        named = list(_decided({unit: [value in each for each in said] for unit, said in units.items()}, needed))
        yield ValueShare(value, words, wilson(sum(named), len(named), confidence=confidence))


def _options(field: Choice) -> list[tuple[Any, str]]:
    return [(each.value, each.short) for each in field.options]
