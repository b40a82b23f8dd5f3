"""The planner: how many entries to draw of each stratum, and how wide the intervals will be if the guesses hold."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from audit_core.errors import StatisticsError
from audit_core.sampling.allocation import Allocation, allocate, allocation_scores
from audit_core.sampling.expectation import StratumGuess, expected_estimate, expected_share, half_width
from audit_core.sampling.frame import StratumKey, key_name
from audit_core.sampling.guesses import check_guesses
from audit_core.statistics.intervals import Interval, check_confidence, check_count
from audit_core.statistics.stratified import name_list

#: Least entries a stratum: with fewer than 2 its variance, and so the interval of the whole, is undefined.
MINIMUM = 2


@dataclass(frozen=True, slots=True)
class Wanted:
    """Half-widths (parts of 1, such as 0.015) that intervals shall have at most; None where nothing is asked.

    `whole` is that of the whole benchmark, the others those of every stratum, every source and every structure.
    """

    whole: float | None = None
    stratum: float | None = None
    source: float | None = None
    structure: float | None = None

    def __post_init__(self) -> None:
        for name in ("whole", "stratum", "source", "structure"):
            value = getattr(self, name)
            if value is not None and (not math.isfinite(value) or not 0.0 < value < 0.5):
                raise StatisticsError(
                    f"The wanted half-width ({name}) is {value}. Give a part of 1 between 0 and 0.5, such as 0.015."
                )


@dataclass(frozen=True, slots=True)
class Expected:
    """A row of the plan: the whole, a source, a structure or a stratum.

    `size` of `population` queries are to be drawn. `interval` is what the report would show if every stratum turned
    out as guessed; `effective_n` its effective n, None for a stratum and a census. `wanted` is the half-width asked
    for.
    """

    name: str
    population: int
    size: int
    interval: Interval
    effective_n: float | None
    wanted: float | None

    @property
    def half_width(self) -> float | None:
        """Half the length of the interval as a part of 1; None where it is undefined."""
        return half_width(self.interval)

    @property
    def is_held_at_size(self) -> bool:
        """Whether the effective n is held at the number of entries: the division may be worth more, but where many strata
        are likely to show no fault the report will not count on it."""
        return self.effective_n is not None and self.effective_n == self.size

    @property
    def is_met(self) -> bool | None:
        """Whether the interval is as narrow as wanted; None where nothing was asked."""
        width = self.half_width
        return None if self.wanted is None else width is not None and width <= self.wanted


@dataclass(frozen=True, slots=True)
class SamplePlan:
    """Sizes for a stratified draw and what they give. `guesses[i]`, `sizes[i]` and `strata[i]` are of one stratum."""

    allocation: Allocation
    confidence: float
    guesses: tuple[StratumGuess, ...]
    sizes: tuple[int, ...]
    whole: Expected
    strata: tuple[Expected, ...]
    sources: tuple[Expected, ...]
    structures: tuple[Expected, ...]

    @property
    def total(self) -> int:
        """How many entries are to be drawn."""
        return sum(self.sizes)

    @property
    def rows(self) -> tuple[Expected, ...]:
        """All rows: the whole, sources, structures, strata."""
        return (self.whole, *self.sources, *self.structures, *self.strata)

    def sizes_by_stratum(self) -> dict[StratumKey, int]:
        """Return the sizes as `stratified_draw` takes them."""
        return {each.key: size for each, size in zip(self.guesses, self.sizes, strict=True)}


def plan_for_total(
    strata: Sequence[StratumGuess],
    total: int,
    *,
    allocation: Allocation,
    wanted: Wanted | None = None,
    minimum: int = MINIMUM,
    at_least: Mapping[StratumKey, int] | None = None,
    confidence: float = 0.95,
) -> SamplePlan:
    """Return the plan that divides `total` entries among the strata; `wanted` is compared with, not sought.

    Every stratum gets at least `minimum` entries, or all its queries where it has fewer, and at least what `at_least`
    names: the sizes of an earlier draw that a larger one with the same seed shall contain.

    Raises:
        StatisticsError: guesses, total, minimum or confidence that cannot be used; a total below the minimum of all;
            sizes for a stratum that is not there, or above its population.
    """
    check_guesses(strata)
    sizes = allocate(
        check_count(total, what="the total of entries"),
        scores=allocation_scores(allocation, strata),
        floors=_floors(strata, minimum, at_least or {}),
        caps=[each.population for each in strata],
    )
    return _plan(strata, sizes, allocation=allocation, wanted=wanted or Wanted(), confidence=confidence)


def plan_by_hand(
    strata: Sequence[StratumGuess],
    sizes: Mapping[StratumKey, int],
    *,
    wanted: Wanted | None = None,
    confidence: float = 0.95,
) -> SamplePlan:
    """Return the plan with the sizes given; a stratum that they do not name gets none.

    Raises:
        StatisticsError: guesses or confidence that cannot be used; a size above the population, or for a stratum that
            is not there (named); no entry at all.
    """
    check_guesses(strata)
    given = _checked_sizes(strata, sizes)
    if not any(given):
        raise StatisticsError("All sizes are 0: give at least one stratum an entry.")
    return _plan(strata, given, allocation=Allocation.BY_HAND, wanted=wanted or Wanted(), confidence=confidence)


def plan_for_width(
    strata: Sequence[StratumGuess],
    wanted: Wanted,
    *,
    allocation: Allocation,
    minimum: int = MINIMUM,
    at_least: Mapping[StratumKey, int] | None = None,
    confidence: float = 0.95,
) -> SamplePlan:
    """Return the plan with the entries that the wanted half-widths need, if the guesses hold.

    First every stratum gets what its own width needs; then each source, each structure and at last the whole gets more
    until its width is met, divided by `allocation`, never less than before. More entries make no interval wider, so
    all widths are met at the end. Each search is by halving: its total holds and one entry fewer does not. A stratum
    is taken whole, and then exact, where nothing less is enough. With several widths the plan is sufficient, not the
    smallest that there is.

    Raises:
        StatisticsError: as `plan_for_total`; no width is asked for; one stays undefined whatever is drawn (guesses
            that are all 1 or all 0), named.
    """
    check_guesses(strata)
    level = check_confidence(confidence)
    if wanted == Wanted():
        raise StatisticsError("No half-width is asked for. Ask for one, or plan for a total of entries.")
    scores = allocation_scores(allocation, strata)
    sizes = _floors(strata, minimum, at_least or {})
    if wanted.stratum is not None:
        for place, each in enumerate(strata):
            sizes[place] = _smallest_size(each, sizes[place], wanted.stratum, level)
    targets = [(places, name, wanted.source) for name, places in _groups(strata, "source").items()]
    targets += [(places, name, wanted.structure) for name, places in _groups(strata, "structure").items()]
    targets.append((list(range(len(strata))), "the whole benchmark", wanted.whole))
    for places, name, width in targets:
        if width is not None:
            group = [strata[place] for place in places]
            _refuse_certain(group, name)
            found = _smallest_sizes(
                group, [scores[place] for place in places], [sizes[place] for place in places], width, level
            )
            for place, size in zip(places, found, strict=True):
                sizes[place] = size
    return _plan(strata, sizes, allocation=allocation, wanted=wanted, confidence=level)


def _floors(strata: Sequence[StratumGuess], minimum: int, at_least: Mapping[StratumKey, int]) -> list[int]:
    least = check_count(minimum, what="the minimum per stratum")
    drawn = _checked_sizes(strata, at_least)
    return [max(size, min(least, each.population)) for each, size in zip(strata, drawn, strict=True)]


def _checked_sizes(strata: Sequence[StratumGuess], sizes: Mapping[StratumKey, int]) -> list[int]:
    keys = {each.key for each in strata}
    unknown = [key_name(key) for key in sizes if key not in keys]
    if unknown:
        raise StatisticsError(f"There is no stratum {name_list(unknown)}. Check the names of the sizes.")
    given = [check_count(sizes.get(each.key, 0), what=f"the size of {each.name}") for each in strata]
    above = [
        f"{each.name} ({size:,} of {each.population:,})"
        for each, size in zip(strata, given, strict=True)
        if size > each.population
    ]
    if above:
        raise StatisticsError(f"More entries than queries: {name_list(above)}. Lower these sizes.")
    return given


def _groups(strata: Sequence[StratumGuess], by: str) -> dict[str, list[int]]:
    """Return the places of the strata with queries of each source or structure, in the order of first mention."""
    groups: dict[str, list[int]] = {}
    for place, each in enumerate(strata):
        if each.population:
            groups.setdefault(each.source if by == "source" else each.evidence_structure, []).append(place)
    return groups


def _smallest_size(stratum: StratumGuess, floor: int, width: float, confidence: float) -> int:
    def is_enough(size: int) -> bool:
        found = half_width(expected_share(stratum, size, confidence=confidence))
        return found is not None and found <= width

    return _first(floor, stratum.population, is_enough) if stratum.population else 0


def _smallest_sizes(
    group: Sequence[StratumGuess], scores: Sequence[Fraction], floors: Sequence[int], width: float, confidence: float
) -> list[int]:
    caps = [each.population for each in group]

    def sizes(total: int) -> list[int]:
        return allocate(total, scores=scores, floors=floors, caps=caps)

    def is_enough(total: int) -> bool:
        found = half_width(expected_estimate(group, sizes(total), confidence=confidence)[0])
        return found is not None and found <= width

    return sizes(_first(sum(floors), sum(caps), is_enough))


def _first(low: int, high: int, is_enough: Callable[[int], bool]) -> int:
    """Return the number from which on `is_enough` holds; it is known to hold at `high`."""
    while low < high:
        middle = (low + high) // 2
        if is_enough(middle):
            high = middle
        else:
            low = middle + 1
    return high


def _refuse_certain(group: Sequence[StratumGuess], name: str) -> None:
    for certain, word in ((1.0, "correct"), (0.0, "incorrect")):
        if all(each.accuracy == certain for each in group if each.population):
            raise StatisticsError(
                f"For {name or '(unnamed)'} every query is guessed {word}, so no interval can be planned. "
                "Guess an accuracy between 0 and 1, such as 0.99."
            )


def _plan(
    strata: Sequence[StratumGuess], sizes: Sequence[int], *, allocation: Allocation, wanted: Wanted, confidence: float
) -> SamplePlan:
    level = check_confidence(confidence)

    def grouped(name: str, places: Sequence[int], width: float | None) -> Expected:
        group, drawn = [strata[place] for place in places], [sizes[place] for place in places]
        interval, effective_n = expected_estimate(group, drawn, confidence=level)
        return Expected(name, sum(each.population for each in group), sum(drawn), interval, effective_n, width)

    return SamplePlan(
        allocation=allocation,
        confidence=level,
        guesses=tuple(strata),
        sizes=tuple(sizes),
        whole=grouped("Whole benchmark", range(len(strata)), wanted.whole),
        strata=tuple(
            Expected(
                each.name, each.population, size, expected_share(each, size, confidence=level), None, wanted.stratum
            )
            for each, size in zip(strata, sizes, strict=True)
        ),
        sources=tuple(grouped(*item, wanted.source) for item in _groups(strata, "source").items()),
        structures=tuple(grouped(*item, wanted.structure) for item in _groups(strata, "structure").items()),
    )
