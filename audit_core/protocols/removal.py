"""The removal protocol: keep a query or remove it, and four criteria from 0 to 1 in quarters.

An answer's fields are `remove` (true or false; wanted unless the entry cannot be judged) and any of the criteria. 1 is
best: a query with low values is one to remove. A criterion that is left open is absent, which is not 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from audit_core.domain import Answer, JsonObject
from audit_core.protocols.agreement import Compared, Level
from audit_core.protocols.audit_corrections import CorrectionPlaces
from audit_core.protocols.field_answers import describe_fields, parse_answer, refuse_correction
from audit_core.protocols.field_kinds import Choice, Field, Option, Scale
from audit_core.protocols.removal_guidelines import guidelines

name = "removal"
title = "Keep or remove"

#: Values of a criterion, worst first.
STEPS = (0.0, 0.25, 0.5, 0.75, 1.0)
#: Criterion -> title, and what its two ends mean.
CRITERIA: dict[str, tuple[str, str, str]] = {
    "clarity": ("Clarity", "cannot be understood", "one meaning only"),
    "correctness": ("Correctness", "the answer is wrong", "the answer is right"),
    "closedness": ("Closedness", "refers to an unnamed text", "stands on its own"),
    "no_layout_reference": ("No layout reference", "points at a place on the page", "points at none"),
}
_ASKS = "keep or remove"

FIELDS: tuple[Field, ...] = (
    Choice(
        name="remove",
        is_required=True,
        expected="true (remove) or false (keep)",
        options=(
            Option(value=False, key="k", letter="K", short="keep", meaning="keep the query", colour="#009E73"),
            Option(value=True, key="r", letter="R", short="remove", meaning="remove the query", colour="#D55E00"),
        ),
    ),
    *(Scale(name=each, title=words, low=low, high=high, steps=STEPS) for each, (words, low, high) in CRITERIA.items()),
)
AGREEMENT = (
    Compared("remove", "Keep or remove", "remove", Level.NOMINAL, (False, True), words=("keep", "remove")),
    *(Compared(each, words[0], each, Level.ORDINAL, STEPS) for each, words in CRITERIA.items()),
)


def description() -> dict[str, Any]:
    """Return what the judging surface needs to know: the fields with keys, words and colours, the limits, the guidelines."""
    return describe_fields(name, title, FIELDS, guidelines())


def parse(body: Mapping[str, Any], *, is_draft: bool = False, places: CorrectionPlaces | None = None) -> Answer:
    """Return the answer that a request body holds, checked.

    `places` is not used: this protocol names none. A draft may be without an outcome and without `remove`.

    Raises:
        JudgmentInvalid: the message names the field and what it may hold.
    """
    return parse_answer(body, FIELDS, is_draft=is_draft, places=None, asks=_ASKS)


def parse_correction(raw: object, *, places: object = None) -> JsonObject | None:
    """Return None: this protocol proposes no corrections.

    Raises:
        JudgmentInvalid: there is one.
    """
    return refuse_correction(raw, asks=_ASKS)


def removes(fields: Mapping[str, Any]) -> bool:
    """Return whether a judged answer says that the query is to be removed."""
    return bool(fields["remove"])
