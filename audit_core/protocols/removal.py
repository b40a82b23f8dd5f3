"""The removal protocol: keep a query or remove it, and four criteria from 0 to 1 in quarters.

An answer's fields are `remove` (true or false; wanted unless the entry cannot be judged) and any of the criteria. 1 is
best: a query with low values is one to remove. A criterion that is left open is absent, which is not 0.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from audit_core.domain import Answer, JsonObject, Outcome
from audit_core.errors import JudgmentInvalid
from audit_core.protocols.answer_fields import NOTE_MAX, active_ms_field, outcome_field, text_field
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
_COLOURS = {False: "#009E73", True: "#D55E00"}


def description() -> dict[str, Any]:
    """Return what the judging surface needs to know: the fields with keys, words and colours, the limits, the guidelines."""
    options: list[JsonObject] = [
        {"value": False, "key": "k", "letter": "K", "short": "keep", "meaning": "keep the query"},
        {"value": True, "key": "r", "letter": "R", "short": "remove", "meaning": "remove the query"},
    ]
    verdict = {
        "name": "remove",
        "kind": "choice",
        "options": [{**option, "colour": _COLOURS[option["value"]]} for option in options],
    }
    scales = [
        {"name": each, "kind": "scale", "title": words, "low": low, "high": high, "steps": list(STEPS)}
        for each, (words, low, high) in CRITERIA.items()
    ]
    return {
        "name": name,
        "title": title,
        "codes": [],
        "fields": [verdict, *scales],
        "note_max": NOTE_MAX,
        "correction": None,
        "guidelines": guidelines(),
    }


def parse(body: Mapping[str, Any], *, is_draft: bool = False, places: Collection[str] | None = None) -> Answer:
    """Return the answer that a request body holds, checked.

    `places` is not used: this protocol names none. A draft may be without an outcome and without `remove`.

    Raises:
        JudgmentInvalid: the message names the field and what it may hold.
    """
    outcome = outcome_field(body, is_draft=is_draft)
    for unused in ("codes", "targets"):
        if body.get(unused):
            raise JudgmentInvalid(f"{unused} belongs to the audit protocol: this campaign asks for keep or remove.")
    raw = body.get("fields")
    if raw is not None and not isinstance(raw, dict):
        raise JudgmentInvalid("fields must be an object with remove and the criteria.")
    fields = _fields(raw or {})
    if outcome is Outcome.CANNOT_JUDGE and fields:
        raise JudgmentInvalid("an entry that cannot be judged has neither keep or remove nor criteria: take them back.")
    if outcome is Outcome.JUDGED and "remove" not in fields and not is_draft:
        raise JudgmentInvalid("remove is missing: say true (remove) or false (keep).")
    return Answer(
        outcome=outcome,
        fields=fields,
        note=text_field(body, "note"),
        reason=text_field(body, "reason"),
        active_ms=active_ms_field(body),
    )


def parse_correction(raw: object, *, places: object = None) -> JsonObject | None:
    """Return None: this protocol proposes no corrections.

    Raises:
        JudgmentInvalid: there is one.
    """
    if raw is not None:
        raise JudgmentInvalid("correction: this campaign asks for keep or remove; propose corrections in an audit.")
    return None


def _fields(raw: Mapping[str, Any]) -> JsonObject:
    if strange := sorted(map(str, set(raw) - {"remove", *CRITERIA})):
        raise JudgmentInvalid(f"fields holds {strange[0][:40]!r}: use remove, {', '.join(CRITERIA)}.")
    given = {field: value for field, value in raw.items() if value is not None}
    if not isinstance(given.get("remove", False), bool):
        raise JudgmentInvalid("remove must be true (remove) or false (keep).")
    for field in CRITERIA:
        value = given.get(field, 0)
        if isinstance(value, bool) or not isinstance(value, int | float) or value not in STEPS:
            raise JudgmentInvalid(f"{field} must be one of 0, 0.25, 0.5, 0.75 and 1.")
    order = ("remove", *CRITERIA)
    return {field: given[field] if field == "remove" else float(given[field]) for field in order if field in given}
