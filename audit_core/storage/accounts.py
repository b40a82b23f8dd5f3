"""Rows of accounts: who may sign in, as what, and with which password."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from audit_core.domain import Role
from audit_core.storage.clock import now
from audit_core.storage.people import Person, name_key
from audit_core.storage.schema import account, person


@dataclass(frozen=True, slots=True, repr=False)
class AccountRow:
    """An account with its person. It has no text form, so that no log shows the hash of a password."""

    person: Person
    password_hash: str | None
    must_change: bool
    subject: str | None
    created_at: str
    password_set_at: str | None
    disabled_at: str | None

    @property
    def is_enabled(self) -> bool:
        """Whether the account may be signed in to."""
        return self.disabled_at is None


_ALL = sa.select(account, person.c.name, person.c.is_imported).join(person, person.c.id == account.c.person_id)


def _row(row: sa.Row[Any]) -> AccountRow:
    return AccountRow(
        person=Person(row.person_id, row.name, row.is_imported, Role(row.role)),
        password_hash=row.password_hash,
        must_change=row.must_change,
        subject=row.subject,
        created_at=row.created_at,
        password_set_at=row.password_set_at,
        disabled_at=row.disabled_at,
    )


def all_rows(connection: sa.Connection) -> list[AccountRow]:
    """Return all accounts, by name."""
    return [_row(each) for each in connection.execute(_ALL.order_by(person.c.name_key))]


def by_person(connection: sa.Connection, person_id: int) -> AccountRow | None:
    """Return the account of a person, None where they have none."""
    row = connection.execute(_ALL.where(account.c.person_id == person_id)).one_or_none()
    return _row(row) if row else None


def by_name(connection: sa.Connection, name: str) -> AccountRow | None:
    """Return the account of that name, however it is spelled in case; None where there is none."""
    query = _ALL.where(person.c.name_key == name_key(name), person.c.is_imported.is_(False))
    row = connection.execute(query).one_or_none()
    return _row(row) if row else None


def by_subject(connection: sa.Connection, subject: str) -> AccountRow | None:
    """Return the account that an OpenID Connect provider knows by that issuer and subject; None where there is none."""
    row = connection.execute(_ALL.where(account.c.subject == subject)).one_or_none()
    return _row(row) if row else None


def add(
    connection: sa.Connection,
    person_id: int,
    *,
    role: Role,
    password_hash: str | None = None,
    must_change: bool = False,
    subject: str | None = None,
) -> AccountRow:
    """Give a person an account and return it. The caller has made sure that they have none."""
    connection.execute(
        account.insert().values(
            person_id=person_id, role=role.value, password_hash=password_hash, must_change=must_change,
            subject=subject, created_at=now(), password_set_at=None if must_change or not password_hash else now(),
        )
    )  # fmt: skip
    found = by_person(connection, person_id)
    assert found is not None
    return found


def set_role(connection: sa.Connection, person_id: int, role: Role) -> None:
    """Give an account another role."""
    connection.execute(account.update().where(account.c.person_id == person_id).values(role=role.value))


def set_disabled(connection: sa.Connection, person_id: int, *, disabled: bool) -> None:
    """Disable an account, or enable it again."""
    at = now() if disabled else None
    connection.execute(account.update().where(account.c.person_id == person_id).values(disabled_at=at))


def set_subject(connection: sa.Connection, person_id: int, subject: str) -> None:
    """Store by which issuer and subject a provider knows an account."""
    connection.execute(account.update().where(account.c.person_id == person_id).values(subject=subject))


def set_password(connection: sa.Connection, person_id: int, password_hash: str | None, *, must_change: bool) -> None:
    """Store the hash of a password: one of their own, or (with `must_change`) one that serves to choose one; None for none."""
    values: dict[str, Any] = {"password_hash": password_hash, "must_change": must_change}
    if password_hash is not None and not must_change:
        values["password_set_at"] = now()
    connection.execute(account.update().where(account.c.person_id == person_id).values(values))


def exchange_password(
    connection: sa.Connection, row: AccountRow, password_hash: str | None, *, must_change: bool
) -> bool:
    """Store the hash of a password in place of the one in `row`; return False where that is no longer the account's.

    Of two who use a one-time password at the same moment, one gets in.
    """
    held = (
        account.c.password_hash.is_(None) if row.password_hash is None else account.c.password_hash == row.password_hash
    )
    same = held & (account.c.must_change == row.must_change) & account.c.disabled_at.is_(None)
    values: dict[str, Any] = {"password_hash": password_hash, "must_change": must_change}
    if not must_change:
        values["password_set_at"] = now()
    changed = connection.execute(account.update().where(account.c.person_id == row.person.id, same).values(values))
    return changed.rowcount == 1


def is_any_password_set(connection: sa.Connection) -> bool:
    """Return whether anybody has ever chosen a password of their own."""
    query = sa.select(sa.func.count()).where(account.c.password_set_at.is_not(None))
    return int(connection.execute(query).scalar_one()) > 0


def is_any_lead_with_password(connection: sa.Connection) -> bool:
    """Return whether there is a lead who can sign in with a password, or is about to choose one."""
    query = sa.select(sa.func.count()).where(
        account.c.role == Role.LEAD.value,
        account.c.disabled_at.is_(None),
        account.c.password_hash.is_not(None) | account.c.must_change,
    )
    return int(connection.execute(query).scalar_one()) > 0


def count_leads(connection: sa.Connection) -> int:
    """Return how many leads can sign in; they stay so until the transaction ends."""
    query = sa.select(account.c.person_id).where(account.c.role == Role.LEAD.value, account.c.disabled_at.is_(None))
    return len(connection.execute(query.with_for_update()).all())
