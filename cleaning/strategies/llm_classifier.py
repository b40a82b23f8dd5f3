"""A language model accepts or discards every query, with a reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np

from cleaning.contract import Inputs, Kind, Reason, Scores
from cleaning.llm.judging import RepeatedJudge, Row
from cleaning.llm.options import JUDGE_OPTIONS, SHOWING_OPTIONS, judge_settings
from cleaning.strategies.options import check_options

if TYPE_CHECKING:
    from audit_core.domain import JsonObject

name = "llm_classifier"
title = "Classified by a language model"
kind = Kind.MODEL
describe = (
    "A language model accepts a query or discards it, and says why. The score is the share of its repeats that discard: 0 or 1 "
    "where it is asked once."
)
needs_embeddings = False
default_threshold = 0.5
asks_model = True
#: It can be shown the answer and the evidence pages as well.
shows_evidence = True

GROUNDS = ("unclear", "wrong", "open", "layout")
DECISIONS = ("accept", "discard")
#: Characters of a reason that are kept.
_REASON_KEPT = 500


def build(options: Mapping[str, object]) -> LlmClassifier:
    """Return the strategy.

    Options: `model` (name, or object of the client's model options; that of the settings where it is not given),
    `with_answer`, `with_pages` (false), `max_pages` (4), `image_side` (1600 pixels), `repeats` (1), `seed` (1, of the orders
    in the prompt).

    Raises:
        CleaningError: an option is unknown or cannot be used.
        InferenceError: no model is set, or not one that can be asked.
    """
    check_options(name, options, (*JUDGE_OPTIONS, *SHOWING_OPTIONS))
    return LlmClassifier(name, judge_settings(name, options))


class LlmClassifier(RepeatedJudge):
    """The classifier; an answer in short is the reason of a discard, "" where it accepts."""

    def _texts(self, row: Row, repeat: int, given: str) -> tuple[str, str, Mapping[str, Any]]:
        fill = self.prompt.fill
        grounds = self._shuffled(GROUNDS, row, repeat, "grounds")
        decisions = self._shuffled(DECISIONS, row, repeat, "decisions")
        user = fill(
            "user",
            grounds="\n".join(fill(f"ground {each}") for each in grounds),
            choices="\n".join(fill(f"decision {each}") for each in decisions),
            given=given,
            data=self._material(row),
        )
        schema = {
            "type": "object",
            "properties": {"reason": {"type": "string"}, "decision": {"type": "string", "enum": list(decisions)}},
            "required": ["reason", "decision"],
            "additionalProperties": False,
        }
        return fill("system", decisions=" or ".join(f'"{each}"' for each in decisions)), user, schema

    def score(self, inputs: Inputs) -> Scores:
        """Return the share of discards among the accepted repeats of each query, NaN where there is none.

        Raises:
            CleaningError: nothing was asked yet.
        """
        answers = self._asked()
        given = [
            [each for each in answers.get(query, ()) if each is not None]
            for query in inputs.queries["query_id"].to_list()
        ]
        values = [fmean(self._score(each) for each in accepted) if accepted else np.nan for accepted in given]
        return Scores(np.asarray(values, dtype=np.float64), tuple(tuple(self._reasons(each)) for each in given))

    def _short(self, value: JsonObject) -> str:
        if value["decision"] == "accept":
            return ""
        return " ".join(str(value["reason"]).split())[:_REASON_KEPT] or "no reason given"

    def _score(self, short: str) -> float:
        return float(bool(short))

    def _reasons(self, accepted: Sequence[str]) -> Sequence[Reason]:
        return [Reason(name, each) for each in dict.fromkeys(accepted) if each]
