"""Where annotators agree about places: the pages that they name, and the boxes that they draw."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from types import ModuleType

from audit_core.agreement.bootstrap import Task
from audit_core.agreement.boxes import Drawn, box_agreement
from audit_core.agreement.measuring import mean_of
from audit_core.agreement.records import Figure
from audit_core.agreement.report import BoxesItem, PagesItem
from audit_core.agreement.sets import jaccard
from audit_core.domain import IssueCode
from audit_core.protocols.audit import SHORT_MEANINGS
from audit_core.protocols.field_kinds import Boxes, Choice, Field
from audit_core.workflow.agreement_reading import Blind

#: The evidence of a query: its pages in order, and the page of each element that it names.
Listed = tuple[tuple[str, ...], Mapping[str, str]]
Sides = Sequence[float]


@dataclass(frozen=True)
class Places:
    """Pages or boxes without intervals: the item, with its figures, and the tasks that give those intervals."""

    item: PagesItem | BoxesItem
    tasks: tuple[Task, ...]


@dataclass(slots=True)
class _Tally:
    """Sums over pairs of annotators: who of the two said anything, and the values where both did, by unit of entry and page."""

    both: int = 0
    one: int = 0
    neither: int = 0
    values: dict[str, defaultdict[tuple[int, str], list[float]]] = field(default_factory=dict)
    raters: set[int] = field(default_factory=set)

    def add(self, unit: tuple[int, str], raters: tuple[int, int], found: Mapping[str, float]) -> None:
        self.both += 1
        self.raters |= set(raters)
        for name, value in found.items():
            self.values.setdefault(name, defaultdict(list))[unit].append(value)

    @property
    def units(self) -> set[tuple[int, str]]:
        return {unit for values in self.values.values() for unit in values}

    def figures(self, titles: Mapping[str, str], nothing: str) -> tuple[tuple[Figure, ...], tuple[Task, ...]]:
        """Return the mean of each value over units, each unit the mean over its pairs, and the tasks."""
        figures, tasks = [], []
        for name, title in titles.items():
            units: Mapping[tuple[int, str], list[float]] = self.values.get(name, {})
            means = [sum(each) / len(each) for each in units.values()]
            figure, task = mean_of(name, title, means, [entry for entry, _ in units], nothing=nothing)
            figures.append(figure)
            tasks += [task] if task is not None else []
        return tuple(figures), tuple(tasks)


def places_of(
    protocol: ModuleType, by_entry: Sequence[Sequence[Blind]], listed: Callable[[Iterable[int]], Mapping[int, Listed]]
) -> list[Places]:
    """Return what annotators are compared on about pages and boxes; things of which nobody said anything are left out.

    `by_entry` are the answers on each entry; `listed` gives the evidence of some of the entries by their places.
    """
    fields: Sequence[Field] = getattr(protocol, "FIELDS", ())
    shared = {place: answers for place, answers in enumerate(by_entry) if len(answers) > 1}
    if fields:
        return [*_pages_of_fields(fields, shared), *_boxes_of_fields(fields, shared)]
    return _of_audits(shared, listed)


def _pages(
    name: str,
    title: str,
    shared: Mapping[int, Sequence[Blind]],
    named: Callable[[int, Blind], Collection[str] | None],
    *,
    is_compared: Callable[[Blind, Blind], bool] = lambda _one, _other: True,
) -> Places | None:
    """Return how alike the named pages are; `named` gives None for somebody who was not asked. None where nobody named any."""
    tally = _Tally()
    for entry, answers in shared.items():
        asked = [(each, pages) for each in answers if (pages := named(entry, each)) is not None]
        for (one, first), (other, second) in combinations(asked, 2):
            if not is_compared(one, other) or not (first or second):
                tally.neither += 1
            elif not first or not second:
                tally.one += 1
            else:
                found = {"exact": float(set(first) == set(second)), "jaccard": jaccard(first, second) or 0.0}
                tally.add((entry, ""), (one.rater, other.rater), found)
    if not tally.both and not tally.one:
        return None
    titles = {"exact": "The same pages", "jaccard": "Jaccard, mean"}
    figures, tasks = tally.figures(titles, "no two annotators named pages on one entry")
    item = PagesItem(
        name=name, title=title, entries=len(tally.units), raters=len(tally.raters), both=tally.both, one=tally.one,
        neither=tally.neither, figures=figures,
    )  # fmt: skip
    return Places(item, tasks)


def _of_audits(
    shared: Mapping[int, Sequence[Blind]], listed: Callable[[Iterable[int]], Mapping[int, Listed]]
) -> list[Places]:
    """Return the pages meant by each code, the evidence as it would be after the proposed changes, and the proposed boxes."""
    is_anything = any(each.answer.targets or each.row.correction for answers in shared.values() for each in answers)
    if not is_anything:
        return []
    evidence = listed(shared)

    def meant(code: IssueCode) -> Callable[[int, Blind], Collection[str] | None]:
        def named(entry: int, each: Blind) -> Collection[str] | None:
            if code not in each.answer.codes:
                return None
            elements = evidence[entry][1]
            return {elements.get(place, place) for place in each.answer.targets.get(code.value, ())}

        return named

    def after(entry: int, each: Blind) -> Collection[str]:
        correction = each.row.correction or {}
        kept = set(evidence[entry][0]) - set(correction.get("drop_pages", ()))
        return kept | {added["page_id"] for added in correction.get("add_pages", ())}

    found = [
        _pages(f"targets.{code.value}", f"Pages meant by {code.value}: {SHORT_MEANINGS[code]}", shared, meant(code))
        for code in IssueCode
    ]
    found.append(
        _pages(
            "evidence", "Evidence pages after the proposed changes", shared, after,
            is_compared=lambda one, other: _changes_pages(one) or _changes_pages(other),
        )
    )  # fmt: skip
    boxes = _boxes("boxes", "Proposed boxes", shared, _proposed, lambda entry, _one, _other: evidence[entry][0])
    return [each for each in (*found, boxes) if each is not None]


def _changes_pages(each: Blind) -> bool:
    correction = each.row.correction or {}
    return bool(correction.get("drop_pages") or correction.get("add_pages"))


def _proposed(each: Blind) -> Mapping[str, list[Sides]]:
    """Return the boxes that a correction adds or moves to, by page."""
    found: defaultdict[str, list[Sides]] = defaultdict(list)
    for change in (each.row.correction or {}).get("boxes", ()):
        if change["to"] is not None:
            found[change["page_id"]].append(change["to"])
    return found


def _boxes(
    name: str,
    title: str,
    shared: Mapping[int, Sequence[Blind]],
    drawn: Callable[[Blind], Mapping[str, list[Sides]] | None],
    pages: Callable[[int, Blind, Blind], Collection[str]],
) -> Places | None:
    """Return how alike drawn boxes are on `pages`, and on whatever pages either drew; None where nobody drew any.

    `drawn` gives None for somebody who was not asked for boxes: they are in no pair.
    """
    tally, boxes, matched = _Tally(), 0, 0
    for entry, answers in shared.items():
        asked = [(each, boxes_of) for each in answers if (boxes_of := drawn(each)) is not None]
        for (one, first), (other, second) in combinations(asked, 2):
            for page in dict.fromkeys((*pages(entry, one, other), *first, *second)):
                found = box_agreement(first.get(page, ()), second.get(page, ()))
                tally.one += found.drawn is Drawn.ONE
                tally.neither += found.drawn is Drawn.NEITHER
                if found.zone_iou is None or found.zone_f1 is None or found.matched_f1 is None:
                    continue
                values = {"zone_iou": found.zone_iou, "zone_f1": found.zone_f1, "matched_f1": found.matched_f1}
                tally.add((entry, page), (one.rater, other.rater), values)
                boxes += found.first + found.second
                matched += 2 * found.matched
    if not tally.both and not tally.one:
        return None
    titles = {"zone_iou": "Zone IoU, mean", "zone_f1": "Zone F1, mean", "matched_f1": "Matched F1 at IoU 0.5, mean"}
    figures, tasks = tally.figures(titles, "no two annotators drew on one page")
    units = tally.units
    item = BoxesItem(
        name=name, title=title, entries=len({entry for entry, _ in units}), pages=len(units), raters=len(tally.raters),
        both=tally.both, one=tally.one, neither=tally.neither, boxes=boxes, matched=matched, figures=figures,
    )  # fmt: skip
    return Places(item, tasks)


def _pages_of_fields(fields: Sequence[Field], shared: Mapping[int, Sequence[Blind]]) -> list[Places]:
    """Return the pages that got more than the lowest value of each numeric scale that is asked of pages."""
    found = []
    for each in fields:
        if not (isinstance(each, Choice) and each.per_page and all(type(one) is int for one in each.values)):
            continue
        low = min(each.values)
        title = f"Pages with a {each.title.lower()} above {low}"
        found.append(_pages(f"pages.{each.name}", title, shared, partial(_above, each.name, low)))
    return [each for each in found if each is not None]


def _above(name: str, low: int, _entry: int, each: Blind) -> Collection[str] | None:
    values = each.answer.fields.get(name)
    return None if values is None else {page for page, value in values.items() if value > low}


def _boxes_of_fields(fields: Sequence[Field], shared: Mapping[int, Sequence[Blind]]) -> list[Places]:
    """Return the boxes of each field of boxes, on the pages on which either of two was asked for some."""
    found = []
    paged = [each.name for each in fields if each.per_page]
    for each in fields:
        if not isinstance(each, Boxes):
            continue

        def drawn(one: Blind, name: str = each.name) -> Mapping[str, list[Sides]] | None:
            if not any(one.answer.fields.get(each) for each in paged):
                return None
            boxes: defaultdict[str, list[Sides]] = defaultdict(list)
            for box in one.answer.fields.get(name) or ():
                boxes[box["page_id"]].append(box["box"])
            return boxes

        def pages(_entry: int, *two: Blind, asked: Boxes = each) -> Collection[str]:
            return [
                page
                for one in two
                for name in paged
                for page in one.answer.fields.get(name) or {}
                if asked.is_asked(one.answer.fields, page)
            ]

        found.append(_boxes(each.name, each.title, shared, drawn, pages))
    return [each for each in found if each is not None]
