"""Passwords: what one must be, how it is kept (argon2id), and one-time passwords."""

from __future__ import annotations

import re
import secrets
import threading
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from audit_core.errors import AccountError
from audit_core.storage.people import name_key

if TYPE_CHECKING:
    from argon2 import PasswordHasher

#: Fewest characters of a password, and most bytes: more would only keep the server busy.
LEAST_CHARACTERS = 12
MOST_BYTES = 1_024
#: Letters and digits that nobody takes for one another, in four groups of four: 79 bits.
_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
_ONE_TIME = re.compile(rf"[{_ALPHABET}]{{4}}(-[{_ALPHABET}]{{4}}){{3}}")
#: Each hash takes 64 MB and some tens of milliseconds of all cores: more at once would starve those who judge.
_turns = threading.BoundedSemaphore(2)


def check_password(password: str, *, name: str) -> None:
    """Go on where a password may be chosen for the account of that name.

    Raises:
        AccountError: it is too short, too long, the name itself, all one character, or a one-time password.
    """
    encoded = _encoded(password)
    if encoded is None:
        raise AccountError(
            f"The password is longer than {MOST_BYTES:,} bytes, or holds what is no text: choose another."
        )
    if len(unicodedata.normalize("NFC", password)) < LEAST_CHARACTERS:
        raise AccountError(f"The password is too short: choose one of at least {LEAST_CHARACTERS} characters.")
    if name_key(password.strip()) == name_key(name):
        raise AccountError("The password is your name: choose another.")
    if len(set(password)) == 1:
        raise AccountError("The password is one character over and over: choose another.")
    if _ONE_TIME.fullmatch(password):
        raise AccountError("This looks like a one-time password, which somebody else has seen: choose one of your own.")


def _encoded(password: str) -> bytes | None:
    """Return the bytes that are hashed, None for what no password is. One password typed on two keyboards is one (NFC)."""
    if len(password) > MOST_BYTES:
        return None
    try:
        encoded = unicodedata.normalize("NFC", password).encode("utf-8")
    except UnicodeEncodeError:
        return None
    return encoded if len(encoded) <= MOST_BYTES else None


@lru_cache(maxsize=1)
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    # The library's own choice: argon2id with the second set of parameters of RFC 9106 (64 MiB, three passes).
    return PasswordHasher()


@lru_cache(maxsize=1)
def _nobodys_hash() -> str:
    """Return a hash that no password fits, to spend the same time where there is no account."""
    return hash_password(secrets.token_urlsafe(32))


def hash_password(password: str) -> str:
    """Return what is stored of a password that passed `check_password`, or of a one-time password."""
    encoded = _encoded(password)
    assert encoded is not None
    with _turns:
        return _hasher().hash(encoded)


def fits(password: str, stored: str | None) -> bool:
    """Return whether a password is the one of that hash. It takes about the same time where there is none."""
    from argon2.exceptions import InvalidHashError, VerificationError

    # Made before it is needed: else the first attempt on an unknown name would take longer than others.
    nobodys = _nobodys_hash()
    encoded = _encoded(password)
    if encoded is None:
        return False
    try:
        with _turns:
            _hasher().verify(stored or nobodys, encoded)
    except (VerificationError, InvalidHashError):
        return False
    return stored is not None


def is_outdated(stored: str) -> bool:
    """Return whether a hash was made with weaker parameters than those in force."""
    return _hasher().check_needs_rehash(stored)


def one_time_password() -> str:
    """Return a fresh password that is shown once and works once."""
    return "-".join("".join(secrets.choice(_ALPHABET) for _ in range(4)) for _ in range(4))
