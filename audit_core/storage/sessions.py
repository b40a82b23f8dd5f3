"""Rows of sign-ins: each is found by the hash of its token, and holds until it ends, expires or lies idle for too long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from audit_core.domain import Role
from audit_core.storage.clock import now
from audit_core.storage.inserting import insert_row
from audit_core.storage.people import Person
from audit_core.storage.schema import account, person, session


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A sign-in with who signed in. `has_account` is False for somebody known by a name alone."""

    id: int
    how: str
    created_at: str
    seen_at: str
    expires_at: str
    person: Person
    has_account: bool
    must_change: bool
    is_disabled: bool


def add(connection: sa.Connection, *, token_hash: str, person_id: int, how: str, expires_at: str) -> int:
    """Store a sign-in and return its id."""
    moment = now()
    values = {
        "token_hash": token_hash, "person_id": person_id, "how": how, "created_at": moment, "seen_at": moment,
        "expires_at": expires_at,
    }  # fmt: skip
    return insert_row(connection, session, values)


def by_token(connection: sa.Connection, token_hash: str) -> SessionRow | None:
    """Return the sign-in of that token that has not ended, with who it is; None where there is none.

    Whether it has expired is for the caller to say.
    """
    query = (
        sa.select(
            session,
            person.c.name,
            person.c.is_imported,
            account.c.person_id.label("account_id"),
            account.c.role,
            account.c.must_change,
            account.c.disabled_at,
        )
        .join(person, person.c.id == session.c.person_id)
        .outerjoin(account, account.c.person_id == session.c.person_id)
        .where(session.c.token_hash == token_hash, session.c.ended_at.is_(None))
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    role = Role(row.role) if row.role else Role.ANNOTATOR
    return SessionRow(
        id=row.id,
        how=row.how,
        created_at=row.created_at,
        seen_at=row.seen_at,
        expires_at=row.expires_at,
        person=Person(row.person_id, row.name, row.is_imported, role),
        has_account=row.account_id is not None,
        must_change=bool(row.must_change),
        is_disabled=row.disabled_at is not None,
    )


def touch(connection: sa.Connection, session_id: int) -> None:
    """Store that a sign-in is in use now."""
    connection.execute(session.update().where(session.c.id == session_id).values(seen_at=now()))


def end(connection: sa.Connection, token_hash: str) -> int | None:
    """End the sign-in of that token and return whose it was; None where none held."""
    held = (session.c.token_hash == token_hash) & session.c.ended_at.is_(None)
    whose = connection.execute(sa.select(session.c.person_id).where(held)).scalar_one_or_none()
    connection.execute(session.update().where(held).values(ended_at=now()))
    return whose


def end_of_person(connection: sa.Connection, person_id: int) -> int:
    """End every sign-in of a person and return how many held."""
    held = (session.c.person_id == person_id) & session.c.ended_at.is_(None)
    return int(connection.execute(session.update().where(held).values(ended_at=now())).rowcount)


def counts(connection: sa.Connection, *, since: str, ways: Sequence[str]) -> dict[int, int]:
    """Return how many sign-ins of each person hold: made in one of these ways, seen since then and not expired."""
    query = (
        sa.select(session.c.person_id, sa.func.count())
        .where(
            session.c.ended_at.is_(None), session.c.expires_at > now(), session.c.seen_at > since,
            session.c.how.in_(list(ways)),
        )
        .group_by(session.c.person_id)
    )  # fmt: skip
    return {row[0]: int(row[1]) for row in connection.execute(query)}


def sweep(connection: sa.Connection, *, before: str) -> None:
    """Remove sign-ins that ended or expired before then."""
    over = (session.c.expires_at < before) | (session.c.ended_at < before)
    connection.execute(session.delete().where(over))
