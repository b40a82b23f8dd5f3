"""A language model says whether a query is understandable without its document."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cleaning.contract import Kind, Reason
from cleaning.llm.judging import RepeatedJudge, Row
from cleaning.llm.options import JUDGE_OPTIONS, judge_settings
from cleaning.strategies.options import check_options

if TYPE_CHECKING:
    from audit_core.domain import JsonObject

name = "context_check"
title = "Understandable without its document"
kind = Kind.MODEL
describe = (
    "A language model sees the query alone and says whether it can be understood without its document, which faults it has, and "
    "how sure it is. The score is 0.5 plus half the confidence where it cannot, 0.5 minus half of it where it can."
)
needs_embeddings = False
default_threshold = 0.5
asks_model = True

MODES = (
    "unnamed_reference", "layout_reference", "earlier_text", "missing_scope", "unexplained_term", "unfinished",
)  # fmt: skip
#: Just below the threshold: a query that is called understandable stays, be it with no confidence at all.
_BELOW = math.nextafter(0.5, 0.0)


def build(options: Mapping[str, object]) -> ContextCheck:
    """Return the strategy.

    Options: `model` (name, or object of the client's model options; that of the settings where it is not given), `repeats`
    (1), `seed` (1, of the orders in the prompt). Neither the answer nor a page is shown.

    Raises:
        CleaningError: an option is unknown or cannot be used.
        InferenceError: no model is set, or not one that can be asked.
    """
    check_options(name, options, JUDGE_OPTIONS)
    return ContextCheck(name, judge_settings(name, options))


class ContextCheck(RepeatedJudge):
    """The check; an answer in short is its score and the faults that it names."""

    shows_more = False

    def _texts(self, row: Row, repeat: int, given: str) -> tuple[str, str, Mapping[str, Any]]:
        fill = self.prompt.fill
        modes = self._shuffled(MODES, row, repeat, "modes")
        user = fill("user", modes="\n".join(fill(f"mode {each}") for each in modes), data=self._material(row))
        schema = {
            "type": "object",
            "properties": {
                "failure_modes": {"type": "array", "items": {"type": "string", "enum": list(modes)}},
                "valid": {"type": "boolean"},
                "confidence": {"type": "number", "minimum": 0, "maximum": 1},
            },
            "required": ["failure_modes", "valid", "confidence"],
            "additionalProperties": False,
        }
        return fill("system"), user, schema

    def _short(self, value: JsonObject) -> tuple[float, tuple[str, ...]]:
        half = float(value["confidence"]) / 2.0
        score = min(0.5 - half, _BELOW) if value["valid"] else 0.5 + half
        return score, tuple(dict.fromkeys(value["failure_modes"]))

    def _score(self, short: tuple[float, tuple[str, ...]]) -> float:
        return short[0]

    def _reasons(self, accepted: Sequence[tuple[float, tuple[str, ...]]]) -> Sequence[Reason]:
        against = [modes for score, modes in accepted if score >= default_threshold]
        named = dict.fromkeys(each for modes in against for each in modes)
        if against and not named:
            return [Reason(name, "not understandable by itself, no fault named")]
        # A rule of this name is there already: the two do not fire on the same grounds.
        return [Reason(f"{name}: {each}", each.replace("_", " ")) for each in named]
