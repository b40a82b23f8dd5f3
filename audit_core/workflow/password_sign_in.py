"""Signing in with a name and a password, and changing one's own password."""

from __future__ import annotations

from dataclasses import dataclass

from audit_core import account_settings
from audit_core.account_settings import Mode
from audit_core.errors import AccountError, SignInError
from audit_core.storage import accounts, activity, sessions
from audit_core.storage.accounts import AccountRow
from audit_core.storage.database import Connection
from audit_core.storage.people import Person
from audit_core.workflow import passwords, throttle
from audit_core.workflow.person_names import NAME_MAX, clean_name
from audit_core.workflow.sessions import open_session, visit_of
from audit_core.workflow.workspace import Workspace

#: One answer for an unknown name, a wrong password, a disabled account and a used one-time password.
_WRONG = "This name and this password do not go together."


@dataclass(frozen=True, slots=True, repr=False)
class SignedIn:
    """Somebody who signed in: the token is for their cookie alone. With `must_change` they have to choose a password first."""

    person: Person
    token: str
    must_change: bool


def sign_in_with_password(
    workspace: Workspace, name: str, password: str, *, address: str, replaces: str | None = None
) -> SignedIn:
    """Return a new sign-in of the account of that name; `replaces` is the token that the browser held until now.

    A one-time password is used up by it: until a password is chosen, this sign-in is the only one that there is.

    Raises:
        SignInError: name and password do not go together, in the same words and about the same time for every reason.
        TooManyAttempts: too many attempts on this name or from this address have failed.
    """
    try:
        cleaned = clean_name(name[: 4 * NAME_MAX])
    except SignInError:
        cleaned = ""  # no account has such a name
    # Counted as accounts are found, or each way to write a name would have tries of its own.
    throttle.take_attempt(workspace, cleaned, address)
    with workspace.database.read() as connection:
        row = accounts.by_name(connection, cleaned) if cleaned else None
    is_right = passwords.fits(password, row.password_hash if row else None)
    found = _admitted(workspace, row, password, replaces=replaces) if is_right and row is not None else None
    if found is None:
        with workspace.database.write() as connection:
            # A name that is nobody's may be a password in the wrong field: it is not written down.
            known = {"account": row.person.name} if row else {}
            activity.record(connection, "sign-in-failed", {**known, "address": address[:60]})
        raise SignInError(_WRONG)
    return found


def _admitted(workspace: Workspace, row: AccountRow, password: str, *, replaces: str | None) -> SignedIn | None:
    """Return the sign-in of an account whose password was right; None where it is disabled, or has changed meanwhile."""
    fresh = (
        passwords.hash_password(password) if row.password_hash and passwords.is_outdated(row.password_hash) else None
    )
    with workspace.database.write() as connection:
        now = accounts.by_person(connection, row.person.id)
        if now is None or not now.is_enabled or now.password_hash != row.password_hash:
            return None
        if now.must_change and not accounts.exchange_password(connection, now, None, must_change=True):
            return None
        if fresh is not None and not now.must_change:
            accounts.exchange_password(connection, now, fresh, must_change=False)
        throttle.clear(connection, workspace, now.person.name)
        token = open_session(connection, now.person, replaces=replaces)
        activity.record(connection, "sign-in", {"name": now.person.name}, person_id=now.person.id)
    return SignedIn(now.person, token, now.must_change)


def change_own_password(workspace: Workspace, token: str | None, *, current: str, new: str, address: str) -> SignedIn:
    """Give whoever holds this token another password, end all their sign-ins, and return a new one.

    After a one-time password the `current` one is not asked for: it is used up.

    Raises:
        SignInError: nobody is signed in, or the current password is wrong.
        AccountError: the new password cannot be used; says why.
        TooManyAttempts: too many attempts have failed.
    """
    if account_settings.mode() is not Mode.LOCAL:
        raise AccountError("No passwords are asked for here: there is none to change.")
    visit = visit_of(workspace, token)
    if visit is None:
        raise SignInError("You are signed out. Sign in again.")
    with workspace.database.read() as connection:
        row = accounts.by_person(connection, visit.person.id)
    if row is None:
        raise AccountError("You have no account here that a password could belong to.")
    passwords.check_password(new, name=row.person.name)
    if not row.must_change:
        throttle.take_attempt(workspace, row.person.name, address)
        if not passwords.fits(current, row.password_hash):
            raise SignInError("The present password is wrong.")
    if not row.must_change and passwords.fits(new, row.password_hash):
        raise AccountError("That is the password that you have: choose another.")
    hashed = passwords.hash_password(new)
    with workspace.database.write() as connection:
        if not accounts.exchange_password(connection, row, hashed, must_change=False):
            raise SignInError("Your account was changed meanwhile. Sign in again.")
        return _with_new_password(connection, workspace, row)


def _with_new_password(connection: Connection, workspace: Workspace, row: AccountRow) -> SignedIn:
    throttle.clear(connection, workspace, row.person.name)
    sessions.end_of_person(connection, row.person.id)
    activity.record(connection, "password-change", {}, person_id=row.person.id)
    return SignedIn(row.person, open_session(connection, row.person), must_change=False)
