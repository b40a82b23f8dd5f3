"""Fields that the answers of every protocol have, read from a request body and checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from audit_core.domain import Outcome
from audit_core.errors import JudgmentInvalid

#: Longest note or reason, in characters.
NOTE_MAX = 4_000
#: Longest active time that one judgment can carry: a day, in milliseconds.
ACTIVE_MS_MAX = 86_400_000


def text_field(body: Mapping[str, Any], field: str) -> str:
    """Return a text of the body; empty where it is absent or null.

    Raises:
        JudgmentInvalid: it is no text, too long, or holds what no database keeps.
    """
    value = body.get(field)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise JudgmentInvalid(f"{field} must be text.")
    if len(value) > NOTE_MAX:
        raise JudgmentInvalid(f"{field} has {len(value):,} characters: shorten it to {NOTE_MAX:,}.")
    refuse_unstorable(value, field)
    return value


def refuse_unstorable(value: str, field: str) -> None:
    """Refuse a text with a NUL character or a lone surrogate, naming its field."""
    if "\x00" in value:
        raise JudgmentInvalid(f"{field} holds a NUL character, which no database keeps: take it out.")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise JudgmentInvalid(f"{field} holds half of a character (a lone surrogate): retype that character.") from None


def active_ms_field(body: Mapping[str, Any]) -> int:
    """Return the active time in whole milliseconds; 0 where it is absent.

    Raises:
        JudgmentInvalid: it is no number from 0 to a day.
    """
    value = body.get("active_ms", 0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= ACTIVE_MS_MAX:
        raise JudgmentInvalid("active_ms must be a number of milliseconds from 0 to one day.")
    return round(value)


def outcome_field(body: Mapping[str, Any], *, is_draft: bool) -> Outcome:
    """Return the outcome; a draft without one is read as judged.

    Raises:
        JudgmentInvalid: it is neither of the two.
    """
    value = body.get("outcome")
    if value is None and is_draft:
        return Outcome.JUDGED
    try:
        return Outcome(str(value))
    except ValueError:
        raise JudgmentInvalid(f"outcome is {value!r}: use 'judged' or 'cannot_judge'.") from None
