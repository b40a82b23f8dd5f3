"""In whose name a command decides: somebody who adjudicates, or the command line itself."""

from __future__ import annotations

from dataclasses import replace

from audit_core import account_settings
from audit_core.account_settings import Mode
from audit_core.domain import Role
from audit_core.errors import NotFound
from audit_core.storage import people
from audit_core.storage.people import Person
from audit_core.workflow.person_names import clean_name
from audit_core.workflow.roles import require_role
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace

#: The person of decisions that a command made in nobody's name; nobody signs in as it.
COMMAND_LINE = "command line"
_NOBODY = Person(0, COMMAND_LINE, is_imported=True, role=Role.LEAD)


def deciding_person(workspace: Workspace, name: str | None, *, adds: bool = True) -> Person:
    """Return the person in whose name a command decides; without a name the command line, which may do all.

    Where everybody is a lead a new name is added, as at the sign-in. Without `adds`, for what changes nothing, nobody is
    added: who is not there yet is returned with the id 0.

    Raises:
        NotFound: nobody is called so.
        NotAllowed: they do not adjudicate.
        SignInError: the name cannot be used.
    """
    if name is None:
        return _command_line(workspace, adds=adds)
    cleaned = clean_name(name)
    is_single = account_settings.mode() is Mode.SINGLE
    if is_single and adds:
        return sign_in(workspace, cleaned)
    with workspace.database.read() as connection:
        found = people.by_name(connection, cleaned)
    if found is None and not is_single:
        raise NotFound(f"Nobody is called {cleaned!r} here: name somebody who has an account and adjudicates.")
    person = found or replace(_NOBODY, name=cleaned, is_imported=False)
    if is_single:
        return replace(person, role=Role.LEAD)
    require_role(person, Role.ADJUDICATOR)
    return person


def _command_line(workspace: Workspace, *, adds: bool) -> Person:
    with workspace.database.read() as connection:
        found = people.by_name(connection, COMMAND_LINE, is_imported=True)
    if found is None and adds:
        with workspace.database.write() as connection:
            found = people.by_name(connection, COMMAND_LINE, is_imported=True) or people.add(
                connection, COMMAND_LINE, is_imported=True
            )
    return replace(found, role=Role.LEAD) if found else _NOBODY
