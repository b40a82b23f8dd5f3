"""Rows of people."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

import sqlalchemy as sa

from audit_core.storage.clock import now
from audit_core.storage.inserting import insert_row
from audit_core.storage.schema import person


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who judges or leads. `is_imported` marks an annotator known from an imported file only."""

    id: int
    name: str
    is_imported: bool


def name_key(name: str) -> str:
    """Return the form in which two spellings of one name are equal (NFKC, case-folded, without invisible joiners)."""
    seen = name.replace("\u200c", "").replace("\u200d", "")
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", seen).casefold())


def by_id(connection: sa.Connection, person_id: int) -> Person | None:
    """Return the person with that id, None where there is none."""
    row = connection.execute(sa.select(person).where(person.c.id == person_id)).one_or_none()
    return Person(row.id, row.name, row.is_imported) if row else None


def by_name(connection: sa.Connection, name: str, *, is_imported: bool = False) -> Person | None:
    """Return the person of that name, however it is spelled in case; None where there is none.

    An imported annotator is looked up by the exact id of the file instead.
    """
    key = name if is_imported else name_key(name)
    query = sa.select(person).where(person.c.name_key == key, person.c.is_imported == is_imported)
    row = connection.execute(query).one_or_none()
    return Person(row.id, row.name, row.is_imported) if row else None


def add(connection: sa.Connection, name: str, *, is_imported: bool = False) -> Person:
    """Add a person and return it. The caller has made sure that the name is free."""
    key = name if is_imported else name_key(name)
    values = {"name": name, "name_key": key, "is_imported": is_imported, "created_at": now()}
    return Person(insert_row(connection, person, values), name, is_imported)


def names(connection: sa.Connection) -> dict[int, str]:
    """Return all names by person id."""
    return {row.id: row.name for row in connection.execute(sa.select(person.c.id, person.c.name))}
