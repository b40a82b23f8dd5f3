"""Accounts for tests: made with cheap hashes, signed in to with passwords of their own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from argon2 import PasswordHasher

from audit_core.domain import Role
from audit_core.storage.people import Person
from audit_core.workflow import passwords
from audit_core.workflow.accounts import add_account, set_password
from audit_core.workflow.workspace import Workspace

PASSWORD = "four words in a row"


@contextmanager
def cheap_hashes() -> Iterator[None]:
    """Hash with the smallest parameters meanwhile: a test of who gets in needs no slow ones."""
    with pytest.MonkeyPatch.context() as patch:
        hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        patch.setattr(passwords, "_hasher", lambda: hasher)
        passwords._nobodys_hash.cache_clear()
        yield
        passwords._nobodys_hash.cache_clear()


def with_account(workspace: Workspace, name: str, role: Role = Role.ANNOTATOR, password: str = PASSWORD) -> Person:
    """Add an account whose password is chosen already, and return its person."""
    person, _ = add_account(workspace, name, role)
    set_password(workspace, name, password)
    return person
