"""Sign-ins that hold: which tokens lead to whom, and when they stop."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from audit_core.domain import Role
from audit_core.storage.clock import stamp
from audit_core.storage.schema import session
from audit_core.workflow.sessions import end_session, open_session, token_hash, visit_of
from audit_core.workflow.sign_in import person_of, sign_in, token_for
from audit_core.workflow.workspace import Workspace
from tests.homes import row_counts


def _set(workspace: Workspace, **values: object) -> None:
    with workspace.database.write() as connection:
        connection.execute(session.update().values(values))


def _ago(**length: float) -> str:
    return stamp(datetime.now(UTC) - timedelta(**length))


def test_only_the_hash_of_a_token_is_stored(either_workspace: Workspace) -> None:
    token = token_for(either_workspace, sign_in(either_workspace, "Ada"))
    assert len(token) == 43  # 256 bits
    with either_workspace.database.read() as connection:
        (row,) = connection.execute(sa.select(session)).all()
    assert row.token_hash == token_hash(token)
    assert token not in str(row)
    assert person_of(either_workspace, row.token_hash) is None, "a copy of the database opens nothing"


def test_no_forged_or_altered_token_is_anybodys(workspace: Workspace) -> None:
    token = token_for(workspace, sign_in(workspace, "Ada"))
    swapped = "A" if token[3] != "A" else "B"
    for each in (
        None, "", "x", ".", "é", "\x00", "\ud800", token[:-1], token + "x", token[::-1], token.swapcase(),
        f"{token[:3]}{swapped}{token[4:]}", " " + token, "1", "' OR 1=1 --",
    ):  # fmt: skip
        assert person_of(workspace, each) is None, each


def test_two_sign_ins_of_one_person_have_different_tokens_and_end_apart(workspace: Workspace) -> None:
    ada = sign_in(workspace, "Ada")
    first, second = token_for(workspace, ada), token_for(workspace, ada)
    end_session(workspace, first)
    assert first != second
    assert (person_of(workspace, first), person_of(workspace, second)) == (None, ada)
    end_session(workspace, first)  # again, and one that never was: no harm
    end_session(workspace, "never")
    end_session(workspace, None)


def test_a_new_sign_in_ends_the_one_that_the_browser_held(workspace: Workspace) -> None:
    ada, bob = sign_in(workspace, "Ada"), sign_in(workspace, "Bob")
    first = token_for(workspace, ada)
    with workspace.database.write() as connection:
        second = open_session(connection, bob, replaces=first)
        third = open_session(connection, bob, replaces="planted by somebody")
    assert (person_of(workspace, first), person_of(workspace, second)) == (None, bob)
    assert third != "planted by somebody"
    assert person_of(workspace, "planted by somebody") is None


MOVES: list[tuple[str, Callable[[], str]]] = [
    ("expires_at", lambda: _ago(seconds=1)),
    ("created_at", lambda: _ago(days=30, seconds=1)),
    ("seen_at", lambda: _ago(days=14, seconds=1)),
    ("ended_at", lambda: _ago(seconds=1)),
]


@pytest.mark.parametrize(("column", "moment"), MOVES, ids=[each[0] for each in MOVES])
def test_a_sign_in_ends_by_its_age_by_lying_idle_and_by_being_ended(
    workspace: Workspace, column: str, moment: Callable[[], str]
) -> None:
    token = token_for(workspace, sign_in(workspace, "Ada"))
    assert person_of(workspace, token) is not None
    _set(workspace, **{column: moment()})
    assert person_of(workspace, token) is None


def test_a_stricter_setting_holds_for_sign_ins_that_were_made_before(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = token_for(workspace, sign_in(workspace, "Ada"))
    _set(workspace, created_at=_ago(days=2), seen_at=_ago(hours=30))
    assert person_of(workspace, token) is not None
    monkeypatch.setenv("ASSAY_SESSION_DAYS", "1")
    assert person_of(workspace, token) is None


def test_use_renews_the_time_of_the_last_use_but_not_at_every_request(workspace: Workspace) -> None:
    token = token_for(workspace, sign_in(workspace, "Ada"))
    recent, old = _ago(minutes=4), _ago(days=6)

    def seen_after(before: str) -> str:
        _set(workspace, seen_at=before)
        assert person_of(workspace, token) is not None
        with workspace.database.read() as connection:
            return str(connection.execute(sa.select(session.c.seen_at)).scalar_one())

    assert seen_after(recent) == recent
    assert seen_after(old) > recent


@pytest.mark.parametrize("mode", ["local", "oidc", "proxy"])
def test_a_sign_in_without_a_password_opens_nothing_once_accounts_are_asked_for(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    token = token_for(workspace, sign_in(workspace, "Ada"))
    monkeypatch.setenv("ASSAY_ACCOUNTS", mode)
    assert visit_of(workspace, token) is None
    monkeypatch.setenv("ASSAY_ACCOUNTS", "single")
    visit = visit_of(workspace, token)
    assert visit is not None
    assert visit.person.role is Role.LEAD


def test_sign_ins_that_are_long_over_are_removed(workspace: Workspace) -> None:
    ada = sign_in(workspace, "Ada")
    end_session(workspace, token_for(workspace, ada))
    _set(workspace, ended_at=_ago(days=31))
    kept = token_for(workspace, ada)
    assert row_counts(workspace)["session"] == 1
    assert person_of(workspace, kept) == ada
