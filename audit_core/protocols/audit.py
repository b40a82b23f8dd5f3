"""The audit protocol: issue codes F, E, U, N on a query with its evidence; no code = correct."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from audit_core.domain import CODE_MEANINGS, Answer, IssueCode, Outcome
from audit_core.errors import JudgmentInvalid
from audit_core.protocols.audit_corrections import CHANGES_MAX, TEXT_MAX
from audit_core.protocols.audit_corrections import parse_correction as parse_correction
from audit_core.protocols.audit_guidelines import guidelines

name = "audit"

#: Longest note or reason, in characters.
NOTE_MAX = 4_000
#: Most targets of one code.
TARGETS_MAX = 500
#: Longest active time that one judgment can carry: a day, in milliseconds.
ACTIVE_MS_MAX = 86_400_000

#: Colours of the Okabe-Ito palette, which the colour-blind can tell apart.
COLOURS = {IssueCode.F: "#E69F00", IssueCode.E: "#D55E00", IssueCode.U: "#56B4E9", IssueCode.N: "#CC79A7"}
#: What the button says; the full meaning is `domain.CODE_MEANINGS`.
SHORT_MEANINGS = {
    IssueCode.F: "formulation",
    IssueCode.E: "wrong evidence",
    IssueCode.U: "unneeded page",
    IssueCode.N: "not answerable here",
}


def description() -> dict[str, Any]:
    """Return what the judging surface needs to know: codes with key, words and colour, the limits, the guidelines."""
    return {
        "name": name,
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


def _text(body: Mapping[str, Any], field: str) -> str:
    value = body.get(field)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise JudgmentInvalid(f"{field} must be text.")
    if len(value) > NOTE_MAX:
        raise JudgmentInvalid(f"{field} has {len(value):,} characters: shorten it to {NOTE_MAX:,}.")
    _refuse_unstorable(value, field)
    return value


def _refuse_unstorable(value: str, field: str) -> None:
    if "\x00" in value:
        raise JudgmentInvalid(f"{field} holds a NUL character, which no database keeps: take it out.")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise JudgmentInvalid(f"{field} holds half of a character (a lone surrogate): retype that character.") from None


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
            _refuse_unstorable(each, "targets")
        if allowed is not None and (strange := [each for each in ids if each not in allowed]):
            raise JudgmentInvalid(f"targets of {code} names {strange[0]!r}, which is not on this entry's documents.")
        if ids:
            targets[code] = sorted(set(ids))
    return targets


def _active_ms(body: Mapping[str, Any]) -> int:
    value = body.get("active_ms", 0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= ACTIVE_MS_MAX:
        raise JudgmentInvalid("active_ms must be a number of milliseconds from 0 to one day.")
    return round(value)


def parse(body: Mapping[str, Any], *, is_draft: bool = False, places: Collection[str] | None = None) -> Answer:
    """Return the answer that a request body holds, checked.

    `places` are the page and element ids that a target may name (None: any). A draft may be without an outcome; it is
    then read as judged.

    Raises:
        JudgmentInvalid: the message names the field and what it may hold.
    """
    outcome_text = body.get("outcome")
    if outcome_text is None and is_draft:
        outcome_text = Outcome.JUDGED.value
    try:
        outcome = Outcome(str(outcome_text))
    except ValueError:
        raise JudgmentInvalid(f"outcome is {outcome_text!r}: use 'judged' or 'cannot_judge'.") from None
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
        note=_text(body, "note"),
        reason=_text(body, "reason"),
        targets=targets,
        active_ms=_active_ms(body),
    )
