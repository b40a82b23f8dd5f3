"""Rows of sign-ins that were tried and did not succeed, by name (never in plain) and by address."""

from __future__ import annotations

import sqlalchemy as sa

from audit_core.storage.clock import now
from audit_core.storage.schema import sign_in_failure


def alone(connection: sa.Connection) -> None:
    """Let nobody else count attempts until the transaction ends (on SQLite nobody else writes anyway)."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("LOCK TABLE sign_in_failure IN SHARE ROW EXCLUSIVE MODE"))


def add(connection: sa.Connection, *, name_key: str, address: str) -> None:
    """Store an attempt."""
    connection.execute(sign_in_failure.insert().values(name_key=name_key, address=address, at=now()))


def times(
    connection: sa.Connection, *, since: str, name_key: str | None = None, address: str | None = None
) -> list[str]:
    """Return when attempts on a name, or from an address, were made since then, the oldest first."""
    query = sa.select(sign_in_failure.c.at).where(sign_in_failure.c.at > since).order_by(sign_in_failure.c.at)
    if name_key is not None:
        query = query.where(sign_in_failure.c.name_key == name_key)
    if address is not None:
        query = query.where(sign_in_failure.c.address == address)
    return list(connection.execute(query).scalars())


def clear(connection: sa.Connection, *, name_key: str) -> None:
    """Forget the attempts on a name."""
    connection.execute(sign_in_failure.delete().where(sign_in_failure.c.name_key == name_key))


def sweep(connection: sa.Connection, *, before: str) -> None:
    """Remove attempts before then."""
    connection.execute(sign_in_failure.delete().where(sign_in_failure.c.at < before))
