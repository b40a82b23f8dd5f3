"""People whom somebody else vouches for: a trusted proxy, or an OpenID Connect provider. Their accounts are found or made."""

from __future__ import annotations

from audit_core import account_settings
from audit_core.domain import Role
from audit_core.errors import SignInError, WriteCollision
from audit_core.storage import accounts, activity, people
from audit_core.storage.accounts import AccountRow
from audit_core.storage.database import Connection
from audit_core.storage.people import Person
from audit_core.workflow.person_names import NAME_MAX, clean_name
from audit_core.workflow.workspace import Workspace

_UNKNOWN = "You have no account here. Ask a lead to add one for {name!r}."
_DISABLED = "Your account here is disabled. Ask a lead."


def person_named_by_proxy(workspace: Workspace, user: str) -> Person:
    """Return the person whom a trusted proxy names, with an account made at their first visit where the settings say so.

    Raises:
        SignInError: the name cannot be used, has no account and gets none, or its account is disabled.
    """
    name = clean_name(user)
    with workspace.database.read() as connection:
        row = accounts.by_name(connection, name)
    if row is None:
        try:
            row = _made_for_proxy(workspace, name)
        except WriteCollision:  # two first requests at once
            row = _made_for_proxy(workspace, name)
    return _enabled(row)


def _made_for_proxy(workspace: Workspace, name: str) -> AccountRow:
    role = _role_of_new(name)
    with workspace.database.write() as connection:
        found = accounts.by_name(connection, name)
        if found is not None:
            return found
        person = people.by_name(connection, name) or people.add(connection, name)
        return _add(connection, person, role, subject=None)


def person_of_subject(workspace: Workspace, *, issuer: str, subject: str, name: str) -> Person:
    """Return the person whom an OpenID Connect provider names by issuer and subject.

    Somebody new gets an account where the settings say so, under `name`, or that with a number where it is taken: an account
    that is there is never taken over because it has the same name.

    Raises:
        SignInError: they have no account and get none, or it is disabled.
    """
    joined = f"{issuer}|{subject}"
    with workspace.database.read() as connection:
        row = accounts.by_subject(connection, joined)
    if row is None:
        try:
            row = _made_for_subject(workspace, joined, name)
        except WriteCollision:
            row = _made_for_subject(workspace, joined, name)
    return _enabled(row)


def _made_for_subject(workspace: Workspace, joined: str, name: str) -> AccountRow:
    role = _role_of_new(joined.partition("|")[2])
    with workspace.database.write() as connection:
        found = accounts.by_subject(connection, joined)
        if found is not None:
            return found
        return _add(connection, people.add(connection, _free_name(connection, name)), role, subject=joined)


def _free_name(connection: Connection, name: str) -> str:
    """Return a name that nobody has, the nearest to the one asked for."""
    try:
        wanted = clean_name(name[: 4 * NAME_MAX])
    except SignInError:
        wanted = clean_name("".join(each for each in name if each.isalnum())[:NAME_MAX] or "annotator")
    number, free = 1, wanted
    while people.by_name(connection, free) is not None:
        number += 1
        free = f"{wanted[: NAME_MAX - 8]} ({number})"
    return free


def _role_of_new(name: str) -> Role:
    role = account_settings.new_role()
    if role is None:
        raise SignInError(_UNKNOWN.format(name=name))
    return role


def _add(connection: Connection, person: Person, role: Role, *, subject: str | None) -> AccountRow:
    row = accounts.add(connection, person.id, role=role, subject=subject)
    activity.record(connection, "account-add", {"account": person.name, "role": role.value}, person_id=person.id)
    return row


def _enabled(row: AccountRow) -> Person:
    if not row.is_enabled:
        raise SignInError(_DISABLED)
    return row.person
