"""Rows of sign-ins at an OpenID Connect provider that have begun. Each is taken once and is gone with that."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from audit_core.storage.clock import now
from audit_core.storage.schema import oidc_request


@dataclass(frozen=True, slots=True, repr=False)
class OidcRequestRow:
    """A sign-in that has begun: hashes of its state and of what its browser holds, and what the answer must go with."""

    state_hash: str
    browser_hash: str
    nonce: str
    verifier: str
    next_address: str | None
    created_at: str


def add(
    connection: sa.Connection,
    *,
    state_hash: str,
    browser_hash: str,
    nonce: str,
    verifier: str,
    next_address: str | None,
) -> None:
    """Store a sign-in that begins."""
    connection.execute(
        oidc_request.insert().values(
            state_hash=state_hash, browser_hash=browser_hash, nonce=nonce, verifier=verifier,
            next_address=next_address, created_at=now(),
        )
    )  # fmt: skip


def take(connection: sa.Connection, state_hash: str) -> OidcRequestRow | None:
    """Return the sign-in of that state and remove it; None where there is none, or somebody else has just taken it."""
    row = connection.execute(sa.select(oidc_request).where(oidc_request.c.state_hash == state_hash)).one_or_none()
    gone = connection.execute(oidc_request.delete().where(oidc_request.c.state_hash == state_hash)).rowcount
    return OidcRequestRow(**row._mapping) if row is not None and gone == 1 else None


def sweep(connection: sa.Connection, *, before: str) -> None:
    """Remove sign-ins that began before then and were not finished."""
    connection.execute(oidc_request.delete().where(oidc_request.c.created_at < before))
