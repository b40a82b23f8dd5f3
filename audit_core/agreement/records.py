"""What agreement on one thing comes to, as reports show it: who rated how much, what was said, and the coefficients."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from audit_core.agreement.estimate import words


class Compare(StrEnum):
    """How values are compared: as names, by their order, or as sets of which a part may be shared."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    SET = "set"


@dataclass(frozen=True, slots=True)
class Figure:
    """One coefficient or mean: `value`, or why it is `undefined`; its interval, or why there is none (`no_interval`).

    `se` is the analytic standard error, where there is a formula; `failed` counts draws of the bootstrap without a value.
    """

    name: str
    title: str
    value: float | None
    undefined: str | None = None
    low: float | None = None
    high: float | None = None
    no_interval: str | None = None
    failed: int = 0
    se: float | None = None


@dataclass(frozen=True, slots=True)
class ValueCount:
    """How often a value of the scale was given; `share` is its prevalence, the mean over units of the share of their raters."""

    value: Any
    ratings: int
    share: float

    @property
    def words(self) -> str:
        """The value as it is shown."""
        return words(self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Amounts:
    """What a figure rests on: `items` are the units that two or more raters rated, `lone` those that one alone rated.

    `raters` rated anything, `ratings` all of them together; `pairs` are pairs of raters on an item. `documents` is how many
    documents (units without one counted as such) the rated units rest on, None where that was not asked: an interval from a
    handful of them is too narrow.
    """

    items: int
    lone: int
    raters: int
    ratings: int
    pairs: int
    documents: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreed:
    """Agreement on one thing among some units: what it rests on, prevalences, figures by name in the order in which they are shown."""

    amounts: Amounts
    prevalence: tuple[ValueCount, ...] = ()
    figures: tuple[Figure, ...] = field(default_factory=tuple)

    def figure(self, name: str) -> Figure | None:
        """Return the figure of that name, None where it does not belong to this thing."""
        return next((each for each in self.figures if each.name == name), None)

    @property
    def first(self) -> tuple[Figure | None, Figure | None, Figure | None]:
        """Percent agreement, and the two that correct for chance in opposite ways: alpha, and AC1 or AC2."""
        names = {each.name: each for each in self.figures}
        alpha = names.get("alpha")
        chance = names.get("ac1") or names.get("ac2_quadratic")
        return names.get("percent"), alpha, chance


#: From these on a report says why alpha and AC1 or AC2 part.
SKEWED_FROM, APART_FROM = 0.9, 0.3


def prevails(found: Agreed) -> ValueCount | None:
    """Return the most frequent value of a thing of which alpha and AC1 or AC2 part because of it; None where they do not.

    They do where it makes up more than 0.9 of what was said, or AC1 or AC2 is above alpha by 0.3 or more.
    """
    _, alpha, other = found.first
    if alpha is None or other is None or other.value is None or not found.prevalence:
        return None
    most = max(found.prevalence, key=lambda each: each.share)
    apart = 0.0 if alpha.value is None else other.value - alpha.value
    return most if most.share > SKEWED_FROM or apart >= APART_FROM else None
