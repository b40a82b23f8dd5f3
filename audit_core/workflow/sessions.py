"""Sign-ins that hold: a person gets a token, a token becomes its person again until the sign-in ends."""

from __future__ import annotations

import hashlib
import logging
import secrets
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from audit_core import account_settings, config
from audit_core.account_settings import Mode
from audit_core.domain import Role
from audit_core.errors import StorageError
from audit_core.storage import activity, sessions
from audit_core.storage.clock import stamp
from audit_core.storage.database import Connection
from audit_core.storage.people import Person
from audit_core.storage.sessions import SessionRow
from audit_core.workflow.workspace import Workspace

log = logging.getLogger("assay.sign_in")

#: How sign-ins are made in each mode: one of another mode opens nothing. Behind a proxy there are none.
WAYS = {Mode.LOCAL: "password", Mode.SINGLE: "single", Mode.OIDC: "oidc"}
#: How old the time of the last use may become before it is written anew.
_SEEN_EVERY = timedelta(minutes=5)
#: How long sign-ins that are over are kept.
_KEPT = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Visit:
    """A sign-in that holds. With `must_change`, nothing is open to it but the choice of a password of one's own."""

    session_id: int
    person: Person
    must_change: bool


def token_hash(token: str) -> str:
    """Return what is stored of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def open_session(connection: Connection, person: Person, *, replaces: str | None = None) -> str:
    """Store a sign-in of the person in the mode in force and return its token, which is kept nowhere.

    `replaces` is the token that the browser held until now: that sign-in ends, whoever made it. A token never comes from outside.
    """
    if replaces:
        sessions.end(connection, token_hash(replaces))
    moment = datetime.now(UTC)
    sessions.sweep(connection, before=stamp(moment - _KEPT))
    token = secrets.token_urlsafe(32)
    sessions.add(
        connection,
        token_hash=token_hash(token),
        person_id=person.id,
        how=WAYS[account_settings.mode()],
        expires_at=stamp(moment + timedelta(seconds=config.session_seconds())),
    )
    return token


def token_for(workspace: Workspace, person: Person) -> str:
    """Return the token of a new sign-in of that person."""
    with workspace.database.write() as connection:
        return open_session(connection, person)


def visit_of(workspace: Workspace, token: str | None) -> Visit | None:
    """Return the sign-in that a token stands for; None for no token, a made-up one, or one that is over.

    A sign-in is over that ended, expired or lay idle, that was made in another mode, or whose account is disabled.
    """
    if not isinstance(token, str) or not token:
        return None
    with workspace.database.read() as connection:
        row = sessions.by_token(connection, token_hash(token))
    mode = account_settings.mode()
    if row is None or not _holds(row, mode):
        return None
    if row.seen_at < stamp(datetime.now(UTC) - _SEEN_EVERY):
        _touch(workspace, row.id)
    if mode is Mode.SINGLE:
        return Visit(row.id, replace(row.person, role=Role.LEAD), must_change=False)
    return Visit(row.id, row.person, row.must_change)


def _holds(row: SessionRow, mode: Mode) -> bool:
    moment = datetime.now(UTC)
    is_in_time = (
        stamp(moment) < row.expires_at
        # The settings may have become stricter since.
        and stamp(moment - timedelta(seconds=config.session_seconds())) < row.created_at
        and stamp(moment - timedelta(seconds=config.session_idle_seconds())) < row.seen_at
    )
    is_admitted = mode is Mode.SINGLE or (row.has_account and not row.is_disabled)
    return is_in_time and is_admitted and row.how == WAYS.get(mode) and not row.person.is_imported


def _touch(workspace: Workspace, session_id: int) -> None:
    try:
        with workspace.database.write() as connection:
            sessions.touch(connection, session_id)
    except StorageError:
        # Whoever reads may go on; only the time of the last use is older than it could be.
        log.warning("the time of a sign-in's last use could not be written", exc_info=True)


def end_session(workspace: Workspace, token: str | None) -> None:
    """End the sign-in of a token, where one holds: every copy of its cookie opens nothing from now on."""
    if not isinstance(token, str) or not token:
        return
    with workspace.database.write() as connection:
        whose = sessions.end(connection, token_hash(token))
        if whose is not None:
            activity.record(connection, "sign-out", {}, person_id=whose)
