"""The names of people as they are kept."""

from __future__ import annotations

import unicodedata

from audit_core.errors import SignInError

NAME_MAX = 80
#: Categories of characters that do not show: two names that differ in them only would look the same.
_UNSEEN = ("Cc", "Cf", "Cs", "Cn", "Co")
#: Invisible too, but part of how names are written in Persian and in Indian scripts; they do not tell names apart.
_JOINERS = "\u200c\u200d"


def clean_name(name: str) -> str:
    """Return a name as it is kept: NFC, outer and doubled spaces gone.

    Raises:
        SignInError: it is empty, too long or holds characters that cannot be seen.
    """
    cleaned = " ".join(unicodedata.normalize("NFC", name).split())
    if not cleaned.strip(_JOINERS + " "):
        raise SignInError("Type your name: it marks your judgments.")
    if len(cleaned) > NAME_MAX:
        raise SignInError(f"The name has {len(cleaned)} characters: shorten it to {NAME_MAX}.")
    if any(unicodedata.category(each) in _UNSEEN and each not in _JOINERS for each in cleaned):
        raise SignInError("The name holds a character that cannot be shown: retype it.")
    return cleaned
