"""Signing in: a name becomes a person where no password is asked for, and a cookie becomes its person again."""

from __future__ import annotations

from dataclasses import replace

from audit_core import account_settings
from audit_core.account_settings import Mode
from audit_core.domain import Role
from audit_core.errors import SignInError, WriteCollision
from audit_core.storage import activity, people
from audit_core.storage.people import Person
from audit_core.workflow.arrivals import arrival_of
from audit_core.workflow.person_names import clean_name as clean_name
from audit_core.workflow.sessions import token_for as token_for
from audit_core.workflow.sessions import visit_of
from audit_core.workflow.vouched import person_named_by_proxy
from audit_core.workflow.workspace import Workspace

COOKIE = "assay_session"
#: The documents beside the pages, to which a sign-in leads back.
_DOCUMENTS = ("/judge?campaign=", "/adjudicate?campaign=")


def sign_in(workspace: Workspace, name: str) -> Person:
    """Return the person of that name, added where it is new: for commands, and where everybody is a lead.

    Nothing is proved by it: the routes call it in the mode `single` alone.

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
    return replace(person, role=Role.LEAD) if account_settings.mode() is Mode.SINGLE else person


def person_of(workspace: Workspace, token: str | None, mark: object = None) -> Person | None:
    """Return who asks; None for nobody.

    `token` is what their cookie holds, `mark` the header that the door put on the request (`workflow.arrivals`): behind a
    trusted proxy that alone tells. Whoever has yet to choose a password of their own is nobody until then.
    """
    if account_settings.mode() is Mode.PROXY:
        try:
            return behind_proxy(workspace, mark)
        except SignInError:
            return None
    visit = visit_of(workspace, token)
    return None if visit is None or visit.must_change else visit.person


def own_address(asked: object) -> str | None:
    """Return where to go on to after the sign-in, None where nothing is asked for; never an address elsewhere."""
    if not isinstance(asked, str) or not asked.startswith(_DOCUMENTS):
        return None
    return asked if asked.isascii() and asked.isprintable() and len(asked) <= 4_000 else None


def behind_proxy(workspace: Workspace, mark: object) -> Person | None:
    """Return whom a trusted proxy names; None where it names nobody, or the request did not come through one.

    Raises:
        SignInError: it names somebody who is not admitted; says why.
    """
    arrival = arrival_of(mark)
    return person_named_by_proxy(workspace, arrival.user) if arrival and arrival.user else None
