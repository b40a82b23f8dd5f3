"""A language model rates every query by four criteria; what is bad by any of them goes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any

from audit_core.errors import CleaningError
from cleaning.contract import Kind, Reason
from cleaning.llm.judging import RepeatedJudge, Row
from cleaning.llm.options import JUDGE_OPTIONS, SHOWING_OPTIONS, JudgeSettings, judge_settings
from cleaning.strategies.options import check_options, names

if TYPE_CHECKING:
    from audit_core.domain import JsonObject

name = "llm_rating"
title = "Rated by a language model"
kind = Kind.MODEL
describe = (
    "A language model rates clarity, correctness, closedness and the absence of layout references, each 0, 0.25, 0.5, 0.75 or "
    "1. A query goes when any of them is at or below a limit. The score is 1 minus the lowest, so that a threshold of 0.75 "
    "removes at or below 0.25, and 0.5 at or below 0.5. With the option thresholds (one limit, or one a criterion) those "
    "decide and the threshold stays 0.5."
)
needs_embeddings = False
default_threshold = 0.5
asks_model = True
#: It can be shown the answer and the evidence pages as well.
shows_evidence = True

CRITERIA = ("clarity", "correctness", "closedness", "no_layout_reference")
STEPS = (0, 0.25, 0.5, 0.75, 1)


def build(options: Mapping[str, object]) -> LlmRating:
    """Return the strategy.

    Options: `model` (name, or object of the client's model options; that of the settings where it is not given), `criteria`
    (all four), `thresholds` (none: a limit from 0 to 1 for all criteria, or an object with one for each), `with_answer`,
    `with_pages` (false), `max_pages` (4), `image_side` (1600 pixels), `repeats` (1), `seed` (1, of the orders in the prompt).

    Raises:
        CleaningError: an option is unknown or cannot be used.
        InferenceError: no model is set, or not one that can be asked.
    """
    check_options(name, options, (*JUDGE_OPTIONS, *SHOWING_OPTIONS, "criteria", "thresholds"))
    criteria = names(name, options, "criteria", CRITERIA, known=CRITERIA)
    return LlmRating(judge_settings(name, options), criteria, _limits(options.get("thresholds"), criteria))


class LlmRating(RepeatedJudge):
    """The rating; an answer in short is its ratings in the order of `criteria`."""

    def __init__(self, settings: JudgeSettings, criteria: tuple[str, ...], limits: tuple[float, ...] | None) -> None:
        super().__init__(name, settings)
        self.criteria = criteria
        self.limits = limits

    def _texts(self, row: Row, repeat: int, given: str) -> tuple[str, str, Mapping[str, Any]]:
        fill = self.prompt.fill
        criteria = self._shuffled(self.criteria, row, repeat, "criteria")
        steps = self._shuffled([f"{each:g}" for each in STEPS], row, repeat, "scale")
        user = fill(
            "user",
            criteria="\n".join(fill(f"criterion {each}") for each in criteria),
            scale="\n".join(fill(f"step {each}") for each in steps),
            given=given,
            data=self._material(row),
            names=", ".join(f'"{each}"' for each in criteria),
        )
        schema = {
            "type": "object",
            "properties": {each: {"type": "number", "enum": list(STEPS)} for each in criteria},
            "required": list(criteria),
            "additionalProperties": False,
        }
        return fill("system", steps=", ".join(steps)), user, schema

    def _short(self, value: JsonObject) -> tuple[float, ...]:
        return tuple(float(value[each]) for each in self.criteria)

    def _score(self, short: Sequence[float]) -> float:
        return rating_score(short, self.limits)

    def _reasons(self, accepted: Sequence[Sequence[float]]) -> Sequence[Reason]:
        limits = self.limits or (math.nextafter(1.0, 0.0),) * len(self.criteria)
        middle = [median(each) for each in zip(*accepted, strict=True)]
        of = f", the median of {len(accepted)}" if len(accepted) > 1 else ""
        return [
            Reason(criterion, f"{criterion.replace('_', ' ')} {value:g}{of}")
            for criterion, value, limit in zip(self.criteria, middle, limits, strict=True)
            if value <= limit
        ]


def rating_score(ratings: Sequence[float], limits: Sequence[float] | None) -> float:
    """Return the score of one set of ratings, in [0, 1].

    Without limits 1 minus the lowest. With limits the largest of 0.5 + (limit - rating) / 2, which is at least 0.5 exactly
    where a rating is at or below its limit.
    """
    if limits is None:
        return 1.0 - min(ratings)
    return max(0.5 + (limit - rating) / 2.0 for rating, limit in zip(ratings, limits, strict=True))


def _limits(given: object, criteria: Sequence[str]) -> tuple[float, ...] | None:
    """Return one limit a criterion in their order, None where none is given."""
    if given is None:
        return None
    of_each: Mapping[object, object] = given if isinstance(given, Mapping) else dict.fromkeys(criteria, given)
    if set(of_each) != set(criteria):
        raise CleaningError(
            f"The option thresholds of the strategy {name} names {', '.join(map(str, of_each)) or 'nothing'}: give one limit "
            f"for each of {', '.join(criteria)}, or a single number for all."
        )
    return tuple(_limit(criterion, of_each[criterion]) for criterion in criteria)


def _limit(criterion: str, limit: object) -> float:
    if isinstance(limit, bool) or not isinstance(limit, int | float) or not 0.0 <= limit <= 1.0:
        raise CleaningError(
            f"In the option thresholds of the strategy {name}, {criterion} is {limit!r}: give a number from 0 to 1; a query "
            "goes when the rating is at or below it."
        )
    return round(float(limit), 6)
