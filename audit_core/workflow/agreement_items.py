"""What annotators are compared on under a protocol, and the figures of each: overall, by group of entries, by pair."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from types import ModuleType
from typing import TYPE_CHECKING, Any

from audit_core.agreement.measuring import Measured, measure
from audit_core.agreement.pairs import pairs_of
from audit_core.agreement.ratings import Ratings, long_ratings
from audit_core.agreement.records import Agreed, Compare
from audit_core.agreement.report import CODE_SET, DECISION, Group, Item, Pair
from audit_core.domain import Answer, IssueCode
from audit_core.protocols.agreement import Compared, Level, Unit, values_of
from audit_core.workflow.agreement_reading import Blind

if TYPE_CHECKING:
    from audit_core.agreement.ratings import Whole

#: Figures that are computed of groups too: one that ignores chance, and the two that correct for it.
GROUP_FIGURES = ("percent", "alpha", "ac1", "ac2_quadratic")
#: Attributes of entries by which they are grouped, in the order in which they are shown.
GROUP_KINDS = ("source", "evidence structure", "domain")
CORRECT, INCORRECT = "correct", "incorrect"


@dataclass(frozen=True, slots=True)
class Asked:
    """One thing that is compared: the values of an answer by unit (page ids, or "" for the entry), on which scale."""

    name: str
    title: str
    compare: Compare
    unit: Unit
    scale: tuple[Hashable, ...]
    values: Callable[[Answer], Mapping[str, Any]]

    @property
    def is_numeric(self) -> bool:
        """Whether distances between values mean something: an ordinal scale of numbers."""
        return self.compare is Compare.ORDINAL and all(
            isinstance(each, int | float) and not isinstance(each, bool) for each in self.scale
        )


def asked_of(protocol: ModuleType) -> list[Asked]:
    """Return what is compared under a protocol: of an audit correct or not and the set of codes first, then each part declared."""
    found = []
    if any(each.field == "codes" for each in protocol.AGREEMENT):
        found += [
            Asked(DECISION, "Correct or not", Compare.NOMINAL, Unit.ENTRY, (CORRECT, INCORRECT), _decision),
            Asked(CODE_SET, "Set of codes", Compare.SET, Unit.ENTRY, tuple(_code_sets()), _codes),
        ]
    return found + [_declared(each) for each in protocol.AGREEMENT]


def headline_of(protocol: ModuleType) -> str:
    """Return the name of what a report speaks of first: what the protocol's own report counts, else the first thing compared."""
    wanted = getattr(protocol, "HEADLINE", None)
    asked = asked_of(protocol)
    return next((each.name for each in asked if wanted is not None and each.name == wanted.field), asked[0].name)


def _decision(answer: Answer) -> Mapping[str, Any]:
    return {"": INCORRECT if answer.codes else CORRECT}


def _codes(answer: Answer) -> Mapping[str, Any]:
    return {"": frozenset(each.value for each in answer.codes)}


def _code_sets() -> Iterator[frozenset[str]]:
    codes = [each.value for each in IssueCode]
    for size in range(len(codes) + 1):
        yield from (frozenset(each) for each in combinations(codes, size))


def _declared(each: Compared) -> Asked:
    compare = Compare.ORDINAL if each.level is Level.ORDINAL else Compare.NOMINAL
    # A code is known by its letter.
    title = f"Code {each.option}: {each.title.partition(': ')[2]}" if each.field == "codes" else each.title
    if not each.words:
        return Asked(each.name, title, compare, each.unit, each.values, lambda answer: values_of(each, answer))
    called = dict(zip(each.values, each.words, strict=True))

    def values(answer: Answer) -> Mapping[str, Any]:
        return {unit: called[value] for unit, value in values_of(each, answer).items()}

    return Asked(each.name, title, compare, each.unit, each.words, values)


@dataclass(frozen=True)
class Prepared:
    """One thing with its figures, overall and by group, that still lack their intervals."""

    asked: Asked
    overall: Measured
    groups: tuple[tuple[str, str, Measured], ...]
    pairs: tuple[Pair, ...]

    @property
    def measured(self) -> list[Measured]:
        """All that needs intervals, overall first."""
        return [self.overall, *(each for _, _, each in self.groups)]

    def finished(self, agreed: Sequence[Agreed]) -> Item:
        """Return the item, with the figures of `measured` as they came back."""
        groups = zip(self.groups, agreed[1:], strict=True)
        return Item(
            name=self.asked.name,
            title=self.asked.title,
            compare=self.asked.compare,
            unit="entry" if self.asked.unit is Unit.ENTRY else "page",
            agreed=agreed[0],
            groups=tuple(Group(kind, value, each) for (kind, value, _), each in groups),
            pairs=self.pairs,
        )


def prepare(asked: Asked, blind: Sequence[Blind], *, raters: int, groups: Mapping[str, Sequence[str]]) -> Prepared:
    """Return one thing, measured. `groups` gives each entry's value of each kind of group; a kind with one value is left out."""
    ratings, entry_of = ratings_on(asked, blind, raters=raters)
    overall = measure(ratings, asked.compare, entries=entry_of, with_interval_metric=asked.is_numeric)
    return Prepared(asked, overall, tuple(_groups(asked, ratings, entry_of, groups)), pairs_of(ratings, asked.compare))


def ratings_on(asked: Asked, blind: Sequence[Blind], *, raters: int) -> tuple[Ratings, Whole]:
    """Return the ratings of one thing, and the entry of each unit that somebody rated."""
    import numpy as np

    unit_of: dict[tuple[int, str], int] = {}
    triples = []
    #: Answers that are nothing but codes are few, however many there are of each.
    known: dict[tuple[IssueCode, ...], Mapping[str, Any]] = {}
    for each in blind:
        answer = each.answer
        values = None if answer.fields else known.get(answer.codes)
        if values is None:
            values = asked.values(answer)
            if not answer.fields:
                known[answer.codes] = values
        for unit, value in values.items():
            triples.append((unit_of.setdefault((each.entry, unit), len(unit_of)), each.rater, value))
    ratings = long_ratings(triples, asked.scale, units=len(unit_of), raters=raters)
    return ratings, np.fromiter((entry for entry, _ in unit_of), dtype=np.int64, count=len(unit_of))


def _groups(
    asked: Asked, ratings: Ratings, entry_of: Whole, groups: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, str, Measured]]:
    import numpy as np

    for kind, values in groups.items():
        own = np.asarray(values, dtype=object)[entry_of]
        different = sorted(set(own.tolist()))
        if len(different) < 2:
            continue
        for value in different:
            kept = np.asarray(own == value, dtype=bool)
            part = ratings.only(kept)
            yield kind, value, measure(part, asked.compare, entries=entry_of[kept], only=GROUP_FIGURES)
