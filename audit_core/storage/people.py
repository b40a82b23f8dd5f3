"""Rows of people."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from audit_core.domain import Role
from audit_core.storage.clock import now
from audit_core.storage.inserting import insert_row
from audit_core.storage.schema import account, person


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who judges or leads. `is_imported` marks an annotator known from an imported file only.

    `role` is that of the account; whoever has none may do the least.
    """

    id: int
    name: str
    is_imported: bool
    role: Role = Role.ANNOTATOR


_WITH_ROLE = sa.select(person, account.c.role).select_from(
    person.outerjoin(account, account.c.person_id == person.c.id)
)


def _person(row: sa.Row[Any]) -> Person:
    return Person(row.id, row.name, row.is_imported, Role(row.role) if row.role else Role.ANNOTATOR)


def name_key(name: str) -> str:
    """Return the form in which two spellings of one name are equal (NFKC, case-folded, without invisible joiners)."""
    seen = name.replace("\u200c", "").replace("\u200d", "")
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", seen).casefold())


def by_id(connection: sa.Connection, person_id: int) -> Person | None:
    """Return the person with that id, None where there is none."""
    row = connection.execute(_WITH_ROLE.where(person.c.id == person_id)).one_or_none()
    return _person(row) if row else None


def by_name(connection: sa.Connection, name: str, *, is_imported: bool = False) -> Person | None:
    """Return the person of that name, however it is spelled in case; None where there is none.

    An imported annotator is looked up by the exact id of the file instead.
    """
    key = name if is_imported else name_key(name)
    query = _WITH_ROLE.where(person.c.name_key == key, person.c.is_imported == is_imported)
    row = connection.execute(query).one_or_none()
    return _person(row) if row else None


def add(connection: sa.Connection, name: str, *, is_imported: bool = False) -> Person:
    """Add a person and return it. The caller has made sure that the name is free."""
    key = name if is_imported else name_key(name)
    values = {"name": name, "name_key": key, "is_imported": is_imported, "created_at": now()}
    return Person(insert_row(connection, person, values), name, is_imported)


def names(connection: sa.Connection) -> dict[int, str]:
    """Return all names by person id."""
    return {row.id: row.name for row in connection.execute(sa.select(person.c.id, person.c.name))}


def who_sign_in(connection: sa.Connection, *, with_account: bool) -> list[Person]:
    """Return the people who can sign in, by name: who is not imported and, `with_account`, has an account that is enabled."""
    query = _WITH_ROLE.where(person.c.is_imported.is_(False), account.c.disabled_at.is_(None))
    if with_account:
        query = query.where(account.c.person_id.is_not(None))
    return [_person(row) for row in connection.execute(query.order_by(person.c.name_key, person.c.id))]
