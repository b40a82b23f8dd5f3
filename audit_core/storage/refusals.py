"""What an error of the database means for the user: an error of ours in plain words, with what to do."""

from __future__ import annotations

import sqlite3

import sqlalchemy as sa

from audit_core.errors import StorageError, WriteCollision

#: SQLSTATE class of PostgreSQL -> what it means. Other classes are faults of a statement, which are ours and not storage's.
_POSTGRESQL = {
    "08": "cannot be reached: check that it runs and that ASSAY_DATABASE_URL is right",
    "25": "takes no changes now (read-only?): nothing was saved",
    "28": "does not let this user in: check user and password in ASSAY_DATABASE_URL",
    "3D": "is not there: make the database, or correct its name in ASSAY_DATABASE_URL",
    "40": "is busy with another writer: nothing was saved, try again in a moment",
    "42501": "does not let this user do that: grant the rights on its tables",
    "53": "is out of space, memory or connections: nothing was saved; free some and try again",
    "55": "is busy with another writer: nothing was saved, try again in a moment",
    "57": "is stopping or starting: nothing was saved, try again in a moment",
    "58": "cannot read or write its disk: nothing was saved",
    "XX": "is damaged: nothing was saved; look into its log and put a copy back",
}
_BROKEN_RULE = "23"


def plain_error(error: BaseException, *, place: str) -> StorageError | None:
    """Return the error to raise instead of a driver's; None where the statement itself was at fault (a bug)."""
    orig = getattr(error, "orig", None) or error
    code, message = _postgresql(orig)
    if isinstance(orig, sqlite3.IntegrityError) or code.startswith(_BROKEN_RULE):
        return WriteCollision(f"Another writer was faster, or a rule was broken; nothing was saved: {message}")
    if code:
        meaning = _POSTGRESQL.get(code) or _POSTGRESQL.get(code[:2])
        return StorageError(f"PostgreSQL at {place} {meaning} ({message}).") if meaning else None
    if isinstance(orig, sqlite3.Error):
        is_storage = isinstance(orig, sqlite3.OperationalError) or type(orig) is sqlite3.DatabaseError
        return StorageError(plain_words(orig, place=place)) if is_storage else None
    if isinstance(error, sa.exc.InterfaceError):
        return StorageError(f"PostgreSQL at {place} {_POSTGRESQL['08']} ({message}).")
    return None


def _postgresql(orig: BaseException) -> tuple[str, str]:
    """Return the SQLSTATE (empty where there is none) and the text of a driver's error."""
    fields = orig.args[0] if orig.args else None
    if isinstance(fields, dict):
        return str(fields.get("C", "")), str(fields.get("M", fields))
    return "", str(orig)


def plain_words(error: BaseException, *, place: str) -> str:
    """Return what an error of SQLite means for the user and what to do."""
    text = str(error)
    lower = text.lower()
    read_only = f"{place} is read-only: nothing was saved. Make the file and its folder writable for this user."
    known = (
        ("readonly", read_only),
        ("read-only", read_only),
        ("disk is full", f"The disk of {place} is full: nothing was saved. Free some space and try again."),
        ("locked", f"{place} is busy with another writer: nothing was saved. Try again in a moment."),
        (
            "not a database",
            f"{place} is not a SQLite database, or is damaged. Put the newest copy from the backups folder in its place.",
        ),
        ("malformed", f"{place} is damaged. Put the newest copy from the backups folder in its place."),
        ("unable to open", f"{place} cannot be opened. Check that its folder exists and is writable for this user."),
    )
    for word, message in known:
        if word in lower:
            return message
    return f"The database {place} refused: {text}"
