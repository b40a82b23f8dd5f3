"""Signing in: a name becomes a person, a person becomes a signed cookie, a cookie becomes a person again."""

from __future__ import annotations

import os
import secrets
import unicodedata
from functools import lru_cache
from pathlib import Path

from itsdangerous import BadData, URLSafeTimedSerializer

from audit_core import config
from audit_core.errors import SignInError, StorageError, WriteCollision
from audit_core.storage import activity, people
from audit_core.storage.people import Person
from audit_core.workflow.workspace import Workspace

COOKIE = "assay_session"
NAME_MAX = 80
#: Categories of characters that do not show: two names that differ in them only would look the same.
_UNSEEN = ("Cc", "Cf", "Cs", "Cn", "Co")
#: Invisible too, but part of how names are written in Persian and in Indian scripts; they do not tell names apart.
_JOINERS = "\u200c\u200d"
#: A secret that is shorter was not written by us (a file that a crash left empty).
_SECRET_MIN = 32


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


def sign_in(workspace: Workspace, name: str) -> Person:
    """Return the person of that name, added at the first sign-in.

    Raises:
        SignInError: the name cannot be used.
    """
    cleaned = clean_name(name)
    try:
        return _enter(workspace, cleaned)
    except WriteCollision:  # the same new name twice at once (PostgreSQL): the second time it is there
        return _enter(workspace, cleaned)


def _enter(workspace: Workspace, cleaned: str) -> Person:
    with workspace.database.write() as connection:
        person = people.by_name(connection, cleaned) or people.add(connection, cleaned)
        activity.record(connection, "sign-in", {"name": person.name}, person_id=person.id)
    return person


@lru_cache(maxsize=8)
def _secret(home: Path) -> str:
    """Return the secret that signs cookies, made at first use and readable by its owner only."""
    file = home / "cookie.secret"
    try:
        if not file.exists():
            fresh = home / f".cookie-{secrets.token_hex(8)}"
            descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w") as handle:
                handle.write(secrets.token_urlsafe(48))
            try:
                os.link(fresh, file)  # whoever comes first wins; a second process takes the first one's
            except FileExistsError:
                pass
            finally:
                fresh.unlink()
        secret = file.read_text()
    except OSError as error:
        raise StorageError(f"The cookie secret {file} cannot be read or made ({error.strerror}).") from error
    if len(secret) < _SECRET_MIN:
        raise StorageError(f"The cookie secret {file} is damaged: delete it (everybody then signs in again).")
    return secret


def _signer(workspace: Workspace) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(_secret(workspace.home), salt="assay-session")


def token_for(workspace: Workspace, person: Person) -> str:
    """Return the signed text that the cookie of that person holds."""
    return _signer(workspace).dumps({"person": person.id})


def person_of(workspace: Workspace, token: str | None) -> Person | None:
    """Return who holds that cookie; None for no cookie, a forged or an expired one."""
    if not token:
        return None
    try:
        content = _signer(workspace).loads(token, max_age=config.session_seconds())
    except BadData:
        return None
    person_id = content.get("person") if isinstance(content, dict) else None
    if not isinstance(person_id, int):
        return None
    with workspace.database.read() as connection:
        person = people.by_id(connection, person_id)
    return person if person and not person.is_imported else None
