"""Who may be given a campaign: everybody who can sign in here."""

from __future__ import annotations

from audit_core import account_settings
from audit_core.account_settings import Mode
from audit_core.errors import NotFound
from audit_core.storage import people
from audit_core.storage.people import Person
from audit_core.workflow.workspace import Workspace


def people_who_judge(workspace: Workspace) -> list[Person]:
    """Return the people who can sign in, by name: those with an account that is not disabled; without accounts, all who did."""
    with workspace.database.read() as connection:
        return people.who_sign_in(connection, with_account=account_settings.mode() is not Mode.SINGLE)


def find_people(workspace: Workspace, names: tuple[str, ...]) -> tuple[int, ...]:
    """Return the ids of people by their names, however these are spelled in case.

    Raises:
        NotFound: nobody of a name can sign in here; lists those who can.
    """
    known = {people.name_key(each.name): each for each in people_who_judge(workspace)}
    missing = [name for name in names if people.name_key(name) not in known]
    if missing:
        there = ", ".join(each.name for each in known.values()) or "nobody yet: `python -m audit_core account add NAME`"
        raise NotFound(f"Nobody called {missing[0]!r} can sign in here. There are: {there}.")
    return tuple(dict.fromkeys(known[people.name_key(name)].id for name in names))
