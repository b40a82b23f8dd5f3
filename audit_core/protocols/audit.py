"""The audit protocol: issue codes F, E, U, N on a query with its evidence; no code = correct."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from audit_core.domain import CODE_MEANINGS, Answer, IssueCode, Outcome
from audit_core.errors import JudgmentInvalid
from audit_core.protocols.agreement import each_option
from audit_core.protocols.answer_fields import (
    NOTE_MAX,
    active_ms_field,
    outcome_field,
    refuse_unstorable,
    text_field,
)
from audit_core.protocols.audit_corrections import CHANGES_MAX, TEXT_MAX
from audit_core.protocols.audit_corrections import parse_correction as parse_correction
from audit_core.protocols.audit_guidelines import guidelines

name = "audit"
title = "Audit: correct, or what is wrong"

#: Most targets of one code.
TARGETS_MAX = 500

#: Colours of the Okabe-Ito palette, which the colour-blind can tell apart.
COLOURS = {IssueCode.F: "#E69F00", IssueCode.E: "#D55E00", IssueCode.U: "#56B4E9", IssueCode.N: "#CC79A7"}
#: What the button says; the full meaning is `domain.CODE_MEANINGS`.
SHORT_MEANINGS = {
    IssueCode.F: "formulation",
    IssueCode.E: "wrong evidence",
    IssueCode.U: "unneeded page",
    IssueCode.N: "not answerable here",
}
#: Each code by itself: whether it was given. Whether an entry is correct is whether none was.
AGREEMENT = each_option("codes", "Codes", {code.value: SHORT_MEANINGS[code] for code in IssueCode})


def description() -> dict[str, Any]:
    """Return what the judging surface needs to know: codes with key, words and colour, the limits, the guidelines."""
    return {
        "name": name,
        "title": title,
        "codes": [
            {
                "code": code.value,
                "key": code.value.lower(),
                "short": SHORT_MEANINGS[code],
                "meaning": CODE_MEANINGS[code],
                "colour": COLOURS[code],
            }
            for code in IssueCode
        ],
        "fields": [],
        "marks_first": False,
        "note_max": NOTE_MAX,
        "correction": {"changes_max": CHANGES_MAX, "text_max": TEXT_MAX},
        "guidelines": guidelines(),
    }


def codes_from_text(text: str) -> tuple[IssueCode, ...]:
    """Return the codes of a text such as `FE`, in the order FEUN.

    Raises:
        JudgmentInvalid: a letter is not a code, or stands twice.
    """
    unknown = sorted(set(text) - {each.value for each in IssueCode})
    if unknown:
        raise JudgmentInvalid(
            f"codes holds {', '.join(map(repr, unknown))}: use F, E, U and N, or nothing for correct."
        )
    if len(set(text)) != len(text):
        raise JudgmentInvalid(f"codes is {text!r}: name each code once.")
    return tuple(code for code in IssueCode if code.value in text)


def codes_to_text(codes: Collection[IssueCode]) -> str:
    """Return the codes in the order FEUN, as one word; empty for correct."""
    return "".join(code.value for code in IssueCode if code in codes)


def _targets(body: Mapping[str, Any], allowed: Collection[str] | None) -> dict[str, list[str]]:
    raw = body.get("targets")
    if raw is None:
        return {}
    if not isinstance(raw, dict):
        raise JudgmentInvalid("targets must map a code to a list of page or element ids.")
    targets: dict[str, list[str]] = {}
    for code, ids in raw.items():
        codes_from_text(code)
        if len(code) != 1 or not isinstance(ids, list) or not all(isinstance(each, str) for each in ids):
            raise JudgmentInvalid("targets must map a code to a list of page or element ids.")
        if len(ids) > TARGETS_MAX:
            raise JudgmentInvalid(f"targets of {code} names {len(ids)} places: name at most {TARGETS_MAX}.")
        for each in ids:
            refuse_unstorable(each, "targets")
        if allowed is not None and (strange := [each for each in ids if each not in allowed]):
            raise JudgmentInvalid(f"targets of {code} names {strange[0]!r}, which is not on this entry's documents.")
        if ids:
            targets[code] = sorted(set(ids))
    return targets


def parse(body: Mapping[str, Any], *, is_draft: bool = False, places: Collection[str] | None = None) -> Answer:
    """Return the answer that a request body holds, checked.

    `places` are the page and element ids that a target may name (None: any). A draft may be without an outcome; it is
    then read as judged.

    Raises:
        JudgmentInvalid: the message names the field and what it may hold.
    """
    outcome = outcome_field(body, is_draft=is_draft)
    codes_text = body.get("codes", "")
    if not isinstance(codes_text, str):
        raise JudgmentInvalid("codes must be text such as 'FE'.")
    codes = codes_from_text(codes_text)
    if outcome is Outcome.CANNOT_JUDGE and codes:
        raise JudgmentInvalid("an entry that cannot be judged carries no codes: take the codes or the outcome back.")
    targets = _targets(body, places)
    if strange := sorted(set(targets) - {code.value for code in codes}):
        raise JudgmentInvalid(f"targets names code {strange[0]}, which is not among the codes.")
    return Answer(
        outcome=outcome,
        codes=codes,
        note=text_field(body, "note"),
        reason=text_field(body, "reason"),
        targets=targets,
        active_ms=active_ms_field(body),
    )
