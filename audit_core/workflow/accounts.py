"""Accounts: added, given a role, disabled and enabled, their passwords reset. From the terminal, or by a lead in the browser."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from audit_core import account_settings, config
from audit_core.account_settings import Mode
from audit_core.domain import JsonObject, Role
from audit_core.errors import AccountError, NameTaken, NotAllowed, NotFound, WriteCollision
from audit_core.storage import accounts, activity, people, sessions
from audit_core.storage.accounts import AccountRow
from audit_core.storage.clock import stamp
from audit_core.storage.database import Connection
from audit_core.storage.people import Person
from audit_core.workflow import passwords, throttle
from audit_core.workflow.person_names import clean_name
from audit_core.workflow.roles import require_role
from audit_core.workflow.sessions import WAYS
from audit_core.workflow.workspace import Workspace

#: The name of the account that the first start makes.
FIRST = "lead"
#: Longest subject of an OpenID Connect provider (the standard's own limit).
_SUBJECT_MAX = 255


@dataclass(frozen=True, slots=True)
class Account:
    """An account as lists show it. `state` is `enabled`, `disabled`, `one-time password` or `no password`."""

    person: Person
    state: str
    created_at: str
    password_set_at: str | None
    subject: str | None
    sign_ins: int

    def as_json(self) -> JsonObject:
        """Return the account as one JSON object."""
        return {
            "id": self.person.id,
            "name": self.person.name,
            "role": self.person.role.value,
            "state": self.state,
            "created_at": self.created_at,
            "password_set_at": self.password_set_at,
            "subject": self.subject,
            "sign_ins": self.sign_ins,
        }


def list_accounts(workspace: Workspace) -> list[Account]:
    """Return all accounts by name, with how many sign-ins of each hold."""
    mode = account_settings.mode()
    idle = stamp(datetime.now(UTC) - timedelta(seconds=config.session_idle_seconds()))
    with workspace.database.read() as connection:
        held = sessions.counts(connection, since=idle, ways=[WAYS[mode]] if mode in WAYS else [])
        return [
            Account(
                each.person, _state(each, mode), each.created_at, each.password_set_at, each.subject,
                held.get(each.person.id, 0),
            )
            for each in accounts.all_rows(connection)
        ]  # fmt: skip


def _state(row: AccountRow, mode: Mode) -> str:
    if not row.is_enabled:
        return "disabled"
    if mode is not Mode.LOCAL:
        return "enabled"
    if row.must_change:
        return "one-time password"
    return "enabled" if row.password_hash else "no password"


def ensure_first_account(workspace: Workspace) -> str | None:
    """Make the account `lead`, or put a new one-time password in its place, where no lead can sign in with a password.

    So a home in which only annotators were given accounts gets a lead as well.

    Return its one-time password, which is told once; None where nothing was made.
    """
    if account_settings.mode() is not Mode.LOCAL:
        return None
    with workspace.database.read() as connection:
        if accounts.is_any_lead_with_password(connection):
            return None
    password = passwords.one_time_password()
    hashed = passwords.hash_password(password)
    try:
        with workspace.database.write() as connection:
            if accounts.is_any_lead_with_password(connection):
                return None
            person = people.by_name(connection, FIRST) or people.add(connection, FIRST)
            if accounts.by_person(connection, person.id) is None:
                accounts.add(connection, person.id, role=Role.LEAD, password_hash=hashed, must_change=True)
            else:
                accounts.set_password(connection, person.id, hashed, must_change=True)
                accounts.set_role(connection, person.id, Role.LEAD)
                accounts.set_disabled(connection, person.id, disabled=False)
            activity.record(connection, "account-add", {"account": person.name, "role": Role.LEAD.value})
    except WriteCollision:  # another process was first, and tells its own
        return None
    return password


def is_first_waiting(workspace: Workspace) -> bool:
    """Return whether the account `lead` can be signed in to and still waits for the first password of its own."""
    if account_settings.mode() is not Mode.LOCAL:
        return False
    with workspace.database.read() as connection:
        row = accounts.by_name(connection, FIRST)
    return row is not None and row.is_enabled and row.must_change and row.password_set_at is None


def is_first_start(workspace: Workspace) -> bool:
    """Return whether nobody has chosen a password yet: the first one to sign in needs to be told where theirs is."""
    with workspace.database.read() as connection:
        return not accounts.is_any_password_set(connection)


def add_account(
    workspace: Workspace, name: str, role: Role, *, subject: str | None = None, by: Person | None = None
) -> tuple[Person, str | None]:
    """Give somebody an account; return who it is and, where passwords are asked for, their one-time password.

    Somebody of that name who judged before keeps their judgments. `subject` is who they are to the OpenID Connect provider.
    `by` is the lead who does it, None at the terminal.

    Raises:
        SignInError: the name cannot be used.
        NameTaken: the name, or the subject, has an account.
        NotAllowed: `by` is no lead.
    """
    cleaned, mode = clean_name(name), account_settings.mode()
    joined = _joined_subject(subject)
    password = passwords.one_time_password() if mode is Mode.LOCAL else None
    hashed = passwords.hash_password(password) if password else None
    taken = f"{cleaned} has an account already: choose another name, or change that one."
    try:
        with workspace.database.write() as connection:
            _require_lead(connection, by)
            if accounts.by_name(connection, cleaned) is not None:
                raise NameTaken(taken)
            if joined and accounts.by_subject(connection, joined) is not None:
                raise NameTaken(f"The subject {subject} has an account already.")
            person = people.by_name(connection, cleaned) or people.add(connection, cleaned)
            row = accounts.add(
                connection, person.id, role=role, password_hash=hashed, must_change=password is not None, subject=joined
            )
            _record(connection, "account-add", row, by, role=role.value)
    except WriteCollision:
        raise NameTaken(taken) from None
    return row.person, password


def _joined_subject(subject: str | None) -> str | None:
    if subject is None:
        return None
    if account_settings.mode() is not Mode.OIDC:
        raise AccountError("A subject is the provider's: set ASSAY_ACCOUNTS to oidc, or leave it out.")
    if not 1 <= len(subject) <= _SUBJECT_MAX or not subject.isprintable():
        raise AccountError(f"A subject has 1 to {_SUBJECT_MAX} characters that can be shown.")
    return f"{account_settings.provider().issuer}|{subject}"


def set_role(workspace: Workspace, name: str, role: Role, *, by: Person | None = None) -> Person:
    """Give an account another role, which holds from its next request on, and return its person.

    Raises:
        NotFound: nobody of that name has an account.
        AccountError: the last lead who can sign in would be none any more.
        NotAllowed: `by` is no lead.
    """
    with workspace.database.write() as connection:
        _require_lead(connection, by)
        row = _found(connection, name)
        if row.person.role is not role:
            _keep_a_lead(connection, row)
            accounts.set_role(connection, row.person.id, role)
            _record(connection, "account-role", row, by, role=role.value, before=row.person.role.value)
    return Person(row.person.id, row.person.name, row.person.is_imported, role)


def disable_account(workspace: Workspace, name: str, *, disabled: bool, by: Person | None = None) -> Person:
    """Disable an account, which ends all its sign-ins and keeps its judgments, or enable it again; return its person.

    Raises:
        NotFound: nobody of that name has an account.
        AccountError: the last lead who can sign in would be disabled.
        NotAllowed: `by` is no lead.
    """
    with workspace.database.write() as connection:
        _require_lead(connection, by)
        row = _found(connection, name)
        if row.is_enabled is disabled:
            if disabled:
                _keep_a_lead(connection, row)
                sessions.end_of_person(connection, row.person.id)
            accounts.set_disabled(connection, row.person.id, disabled=disabled)
            _record(connection, "account-disable" if disabled else "account-enable", row, by)
    return row.person


def reset_password(workspace: Workspace, name: str, *, by: Person | None = None) -> tuple[Person, str]:
    """Give an account a one-time password in place of its own, end its sign-ins, and return both the person and it.

    Raises:
        NotFound: nobody of that name has an account.
        AccountError: passwords are not asked for.
        NotAllowed: `by` is no lead.
    """
    password = passwords.one_time_password()
    person = _put_password(workspace, name, password, must_change=True, by=by)
    return person, password


def set_password(workspace: Workspace, name: str, password: str) -> Person:
    """Set the password of an account at the terminal, end its sign-ins, and return its person.

    Raises:
        NotFound: nobody of that name has an account.
        AccountError: passwords are not asked for, or this one cannot be used.
    """
    with workspace.database.read() as connection:
        row = _found(connection, name)
    passwords.check_password(password, name=row.person.name)
    return _put_password(workspace, name, password, must_change=False, by=None)


def _put_password(workspace: Workspace, name: str, password: str, *, must_change: bool, by: Person | None) -> Person:
    if account_settings.mode() is not Mode.LOCAL:
        raise AccountError("ASSAY_ACCOUNTS asks for no passwords here: there is none to set.")
    hashed = passwords.hash_password(password)
    with workspace.database.write() as connection:
        _require_lead(connection, by)
        row = _found(connection, name)
        accounts.set_password(connection, row.person.id, hashed, must_change=must_change)
        sessions.end_of_person(connection, row.person.id)
        throttle.clear(connection, workspace, row.person.name)
        _record(connection, "account-reset" if must_change else "password-set", row, by)
    return row.person


def _found(connection: Connection, name: str) -> AccountRow:
    row = accounts.by_name(connection, clean_name(name))
    if row is None:
        raise NotFound(
            f"Nobody called {name.strip()[:80]!r} has an account. `python -m audit_core account list` lists them."
        )
    return row


def _keep_a_lead(connection: Connection, row: AccountRow) -> None:
    if row.person.role is Role.LEAD and row.is_enabled and accounts.count_leads(connection) == 1:
        raise AccountError(f"{row.person.name} is the last lead who can sign in: make somebody else a lead first.")


def _require_lead(connection: Connection, by: Person | None) -> None:
    """Go on at the terminal, or where `by` is a lead now: they may have been one only when their page was drawn."""
    if by is None:
        return
    row = accounts.by_person(connection, by.id)
    if account_settings.mode() is Mode.SINGLE:
        require_role(by, Role.LEAD)
    elif row is None or not row.is_enabled:
        raise NotAllowed("Your account was disabled meanwhile. Ask another lead.")
    else:
        require_role(row.person, Role.LEAD)


def _record(connection: Connection, action: str, row: AccountRow, by: Person | None, **more: str) -> None:
    subject = {"account": row.person.name, **more}
    activity.record(connection, action, subject, person_id=by.id if by else None)
