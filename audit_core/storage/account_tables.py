"""The tables of accounts: who may sign in as what, sign-ins that hold, sign-ins under way, and attempts that failed."""

from __future__ import annotations

import sqlalchemy as sa

from audit_core.domain import Role
from audit_core.storage.table_rules import key_to, metadata, one_of

#: How somebody came in: with a password, from an OpenID Connect provider, through a proxy, or by a name alone.
WAYS_IN = ("password", "oidc", "proxy", "single")

#: Whoever may sign in. A person without an account is known from judgments, or from a mode without accounts.
account = sa.Table(
    "account",
    metadata,
    sa.Column("person_id", sa.Integer, key_to("person.id"), primary_key=True, autoincrement=False),
    sa.Column("role", sa.String(20), nullable=False),
    #: Argon2id, with its parameters and salt; None for an account that a provider or a proxy vouches for.
    sa.Column("password_hash", sa.Text),
    #: The password was made by somebody else: nothing but changing it is possible.
    sa.Column("must_change", sa.Boolean, nullable=False),
    #: Who it is to the OpenID Connect provider: issuer and subject, joined by a bar.
    sa.Column("subject", sa.Text, unique=True),
    sa.Column("created_at", sa.String(30), nullable=False),
    sa.Column("password_set_at", sa.String(30)),
    sa.Column("disabled_at", sa.String(30)),
    sa.CheckConstraint(one_of("role", tuple(Role)), name="role_known"),
)

#: Sign-ins. The cookie holds a random token and this only its SHA-256, so that a copy of the database opens nothing.
session = sa.Table(
    "session",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
    sa.Column("person_id", sa.Integer, key_to("person.id"), nullable=False),
    sa.Column("how", sa.String(10), nullable=False),
    sa.Column("created_at", sa.String(30), nullable=False),
    sa.Column("seen_at", sa.String(30), nullable=False),
    sa.Column("expires_at", sa.String(30), nullable=False),
    sa.Column("ended_at", sa.String(30)),
    sa.CheckConstraint(one_of("how", WAYS_IN), name="how_known"),
    sa.Index("ix_session_person_id", "person_id"),
)

#: Attempts that failed, of the last hours: what slows down guessing, over a restart as well.
sign_in_failure = sa.Table(
    "sign_in_failure",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name_key", sa.Text, nullable=False),
    sa.Column("address", sa.Text, nullable=False),
    sa.Column("at", sa.String(30), nullable=False),
    sa.Index("ix_sign_in_failure_name_key_at", "name_key", "at"),
    sa.Index("ix_sign_in_failure_address_at", "address", "at"),
)

#: Sign-ins at an OpenID Connect provider that have begun: each is taken once, by the browser that began it.
oidc_request = sa.Table(
    "oidc_request",
    metadata,
    sa.Column("state_hash", sa.String(64), primary_key=True),
    sa.Column("browser_hash", sa.String(64), nullable=False),
    sa.Column("nonce", sa.String(64), nullable=False),
    sa.Column("verifier", sa.String(128), nullable=False),
    #: Where to go on to afterwards; None for the start page.
    sa.Column("next_address", sa.Text),
    sa.Column("created_at", sa.String(30), nullable=False),
)
