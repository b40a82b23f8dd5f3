"""What people write beside a judgment (questions, answers, comments, rules), checked so that every database can keep it."""

from __future__ import annotations

from audit_core.errors import JudgmentInvalid


def checked_text(value: object, field: str, *, longest: int) -> str:
    """Return a text without outer white space.

    Raises:
        JudgmentInvalid: it is empty, longer than `longest` characters, or holds what no database keeps; names the field.
    """
    if not isinstance(value, str) or not value.strip():
        raise JudgmentInvalid(f"{field} is empty: write a sentence.")
    if len(value) > longest:
        raise JudgmentInvalid(f"{field} has {len(value):,} characters: shorten it to {longest:,}.")
    if "\x00" in value:
        raise JudgmentInvalid(f"{field} holds a NUL character, which no database keeps: take it out.")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise JudgmentInvalid(f"{field} holds half of a character (a lone surrogate): retype that character.") from None
    return value.strip()
