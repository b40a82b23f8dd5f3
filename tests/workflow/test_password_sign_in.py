"""Signing in with a password: who gets in, what is said to whom, and how guessing is slowed down."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from audit_core.domain import Role
from audit_core.errors import AccountError, SignInError, TooManyAttempts
from audit_core.storage.clock import stamp
from audit_core.storage.schema import account, activity, metadata, sign_in_failure
from audit_core.workflow import passwords, throttle
from audit_core.workflow.accounts import add_account, disable_account, reset_password, set_role
from audit_core.workflow.password_sign_in import SignedIn, change_own_password, sign_in_with_password
from audit_core.workflow.sessions import visit_of
from audit_core.workflow.sign_in import person_of
from audit_core.workflow.workspace import Workspace, open_workspace
from tests.accounts import PASSWORD, cheap_hashes, with_account

HOME = "192.0.2.7"


@pytest.fixture(autouse=True)
def _local(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("ASSAY_ACCOUNTS", "local")
    with cheap_hashes():
        yield


def enter(workspace: Workspace, name: str, password: str = PASSWORD, *, address: str = HOME) -> SignedIn:
    return sign_in_with_password(workspace, name, password, address=address)


def refusal(workspace: Workspace, name: str, password: str, *, address: str = HOME) -> str:
    with pytest.raises(SignInError) as caught:
        enter(workspace, name, password, address=address)
    return str(caught.value)


def log(workspace: Workspace) -> list[tuple[str, dict[str, object]]]:
    with workspace.database.read() as connection:
        return [(r.action, r.subject) for r in connection.execute(sa.select(activity).order_by(activity.c.id))]


def everything_stored(workspace: Workspace) -> str:
    """Every value of every row, as text."""
    with workspace.database.read() as connection:
        rows = [tuple(row) for table in metadata.tables.values() for row in connection.execute(sa.select(table))]
    return json.dumps(rows, default=str)


def test_the_right_name_and_password_get_in_as_what_the_account_is(either_workspace: Workspace) -> None:
    grace = with_account(either_workspace, "Grace", Role.LEAD)
    found = enter(either_workspace, "  grace ")
    assert not found.must_change
    person = person_of(either_workspace, found.token)
    assert person is not None
    assert (person.id, person.name, person.role) == (grace.id, "Grace", Role.LEAD)
    assert log(either_workspace)[-1] == ("sign-in", {"name": "Grace"})


def test_every_reason_to_refuse_is_said_in_the_same_words(workspace: Workspace) -> None:
    for name in ("Ada", "Bob", "Cyd"):
        with_account(workspace, name)
    disable_account(workspace, "Bob", disabled=True)
    _, used = reset_password(workspace, "Cyd")
    enter(workspace, "Cyd", used)
    said = {
        refusal(workspace, "Ada", "not her password"),
        refusal(workspace, "Bob", PASSWORD),  # disabled
        refusal(workspace, "Cyd", used),  # used up
        refusal(workspace, "Nobody", PASSWORD),
        refusal(workspace, "", ""),
        refusal(workspace, "x" * 200, "y" * 2_000),
        refusal(workspace, "a\x00b", "\ud800"),
        refusal(workspace, "\ud800", PASSWORD),
    }
    assert said == {"This name and this password do not go together."}


def test_every_reason_to_refuse_costs_one_check_of_a_password(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_account(workspace, "Ada")
    with_account(workspace, "Bob")
    disable_account(workspace, "Bob", disabled=True)
    enter(workspace, "Ada")
    checks: list[str] = []
    hasher = passwords._hasher()
    real = type(hasher).verify

    def counted(self: object, stored: str, password: bytes) -> bool:
        checks.append(stored)
        return bool(real(hasher, stored, password))

    monkeypatch.setattr(type(hasher), "verify", counted)
    for name in ("Ada", "Bob", "Nobody", "a\x00b"):
        before = len(checks)
        refusal(workspace, name, "not the password")
        assert len(checks) == before + 1, name


def test_a_one_time_password_works_once_and_opens_nothing_but_the_choice_of_another(workspace: Workspace) -> None:
    _, once = add_account(workspace, "Ada", Role.ANNOTATOR)
    assert once is not None
    found = enter(workspace, "Ada", once)
    assert found.must_change
    assert person_of(workspace, found.token) is None
    refusal(workspace, "Ada", once)
    chosen = change_own_password(workspace, found.token, current="", new=PASSWORD, address=HOME)
    assert visit_of(workspace, found.token) is None
    assert person_of(workspace, chosen.token) == found.person
    assert not enter(workspace, "Ada").must_change


def test_of_two_who_use_a_one_time_password_at_once_one_gets_in(either_workspace: Workspace) -> None:
    _, once = add_account(either_workspace, "Ada", Role.ANNOTATOR)
    assert once is not None
    ends: list[str] = []

    def work() -> None:
        try:
            enter(either_workspace, "Ada", once)
            ends.append("in")
        except SignInError:
            ends.append("out")

    threads = [threading.Thread(target=work) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(ends) == ["in", "out", "out", "out"]


def test_changing_the_password_ends_every_other_sign_in_and_the_old_one_works_no_more(workspace: Workspace) -> None:
    ada = with_account(workspace, "Ada")
    mine, stolen = enter(workspace, "Ada"), enter(workspace, "Ada")
    changed = change_own_password(workspace, mine.token, current=PASSWORD, new="another four words", address=HOME)
    assert [person_of(workspace, each.token) for each in (mine, stolen, changed)] == [None, None, ada]
    refusal(workspace, "Ada", PASSWORD)
    enter(workspace, "Ada", "another four words")


@pytest.mark.parametrize(
    ("current", "new", "error", "words"),
    [
        ("not her password", "another four words", SignInError, "present password is wrong"),
        ("", "another four words", SignInError, "present password is wrong"),
        (PASSWORD, PASSWORD, AccountError, "password that you have"),
        (PASSWORD, "short", AccountError, "too short"),
        (PASSWORD, "Ada Lovelace", AccountError, "your name"),
    ],
)
def test_a_change_that_is_refused_changes_nothing(
    workspace: Workspace, current: str, new: str, error: type[Exception], words: str
) -> None:
    ada = with_account(workspace, "Ada Lovelace")
    found = enter(workspace, "Ada Lovelace")
    with pytest.raises(error, match=words):
        change_own_password(workspace, found.token, current=current, new=new, address=HOME)
    assert person_of(workspace, found.token) == ada
    enter(workspace, "Ada Lovelace")


def test_nobody_changes_a_password_who_is_signed_out(workspace: Workspace) -> None:
    with_account(workspace, "Ada")
    for token in (None, "", "made up"):
        with pytest.raises(SignInError, match="signed out"):
            change_own_password(workspace, token, current=PASSWORD, new="another four words", address=HOME)


def test_a_disabled_account_is_out_at_the_next_request_and_in_again_only_by_signing_in(workspace: Workspace) -> None:
    with_account(workspace, "Ada")
    found = enter(workspace, "Ada")
    disable_account(workspace, "Ada", disabled=True)
    assert person_of(workspace, found.token) is None
    disable_account(workspace, "Ada", disabled=False)
    assert person_of(workspace, found.token) is None
    enter(workspace, "Ada")


def test_a_role_holds_from_the_next_request_on(workspace: Workspace) -> None:
    with_account(workspace, "Ada")
    token = enter(workspace, "Ada").token
    for role in (Role.ADJUDICATOR, Role.LEAD):
        set_role(workspace, "Ada", role)
        person = person_of(workspace, token)
        assert person is not None
        assert person.role is role


def test_a_hash_with_weaker_parameters_is_made_anew_at_the_next_sign_in(workspace: Workspace) -> None:
    from argon2 import PasswordHasher

    with_account(workspace, "Ada")
    stronger = PasswordHasher(time_cost=2, memory_cost=16, parallelism=1)
    # Undone before the cheap hashes are: whatever is undone last decides what the next test gets.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_hasher", lambda: stronger)
        enter(workspace, "Ada")
        with workspace.database.read() as connection:
            assert "$m=16,t=2,p=1$" in connection.execute(sa.select(account.c.password_hash)).scalar_one()
        enter(workspace, "Ada")


# --- slowing down guesses ------------------------------------------------------------------------------------------


def test_after_ten_failures_a_name_has_to_wait_whether_it_is_anybodys_or_not(workspace: Workspace) -> None:
    with_account(workspace, "Ada")
    said = []
    for name in ("Ada", "Nobody"):
        for number in range(throttle.PER_NAME):
            # From many addresses, and in many spellings: it is one name.
            refusal(workspace, name.upper() if number % 2 else f" {name}", "wrong", address=f"198.51.100.{number}")
        with pytest.raises(TooManyAttempts) as caught:
            enter(workspace, name, address="203.0.113.1")
        said.append(str(caught.value))
    assert said == ["Too many sign-ins failed. Try again in 15 minutes."] * 2


def test_after_fifty_failures_an_address_has_to_wait_and_others_do_not(workspace: Workspace) -> None:
    with_account(workspace, "Ada")
    for number in range(throttle.PER_ADDRESS):
        refusal(workspace, f"name {number}", "wrong")
    with pytest.raises(TooManyAttempts):
        enter(workspace, "Ada")
    enter(workspace, "Ada", address="203.0.113.1")


def test_addresses_of_one_ipv6_network_count_as_one(workspace: Workspace) -> None:
    for number in range(throttle.PER_ADDRESS):
        refusal(workspace, f"name {number}", "wrong", address=f"2001:db8:1:2::{number:x}")
    with pytest.raises(TooManyAttempts):
        enter(workspace, "Ada", "wrong", address="2001:db8:1:2:ffff::1")
    refusal(workspace, "Ada", "wrong", address="2001:db8:1:3::1")


def test_the_wait_outlives_a_restart_and_ends_by_itself(workspace: Workspace) -> None:
    with_account(workspace, "Ada")
    for _ in range(throttle.PER_NAME):
        refusal(workspace, "Ada", "wrong")
    workspace.close()
    again = open_workspace()
    with pytest.raises(TooManyAttempts):
        enter(again, "Ada")
    with again.database.write() as connection:
        old = stamp(datetime.now(UTC) - throttle.WINDOW - timedelta(seconds=1))
        connection.execute(sign_in_failure.update().values(at=old))
    enter(again, "Ada")


def test_a_sign_in_that_succeeds_or_a_reset_forgets_the_failures_on_the_name(workspace: Workspace) -> None:
    with_account(workspace, "Ada")
    for _ in range(2):
        for _ in range(throttle.PER_NAME - 1):
            refusal(workspace, "Ada", "wrong")
        enter(workspace, "Ada")
    for _ in range(throttle.PER_NAME):
        refusal(workspace, "Ada", "wrong", address="198.51.100.4")
    _, once = reset_password(workspace, "Ada")
    assert enter(workspace, "Ada", once).must_change


def test_many_attempts_at_once_get_no_more_tries_than_one_after_another(either_workspace: Workspace) -> None:
    ends: list[type[Exception]] = []

    def work() -> None:
        try:
            enter(either_workspace, "Ada", "wrong")
        except SignInError as error:
            ends.append(type(error))

    threads = [threading.Thread(target=work) for _ in range(throttle.PER_NAME + 6)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert (ends.count(SignInError), ends.count(TooManyAttempts)) == (throttle.PER_NAME, 6)


def test_guesses_of_the_present_password_are_slowed_down_too(workspace: Workspace) -> None:
    with_account(workspace, "Ada")
    token = enter(workspace, "Ada").token
    for _ in range(throttle.PER_NAME):
        with pytest.raises(SignInError, match="is wrong"):
            change_own_password(workspace, token, current="wrong", new="another four words", address=HOME)
    with pytest.raises(TooManyAttempts):
        change_own_password(workspace, token, current=PASSWORD, new="another four words", address=HOME)


# --- what is written down ------------------------------------------------------------------------------------------


def test_no_password_and_no_token_is_logged_or_stored(workspace: Workspace, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    secrets = ["own secret of Ada", "new secret of Ada", "wrong secret guess", "secret in the wrong field"]
    _, once = add_account(workspace, "Ada", Role.LEAD)
    assert once is not None
    first = enter(workspace, "Ada", once)
    own = change_own_password(workspace, first.token, current="", new=secrets[0], address=HOME)
    last = change_own_password(workspace, own.token, current=secrets[0], new=secrets[1], address=HOME)
    refusal(workspace, "Ada", secrets[2])
    refusal(workspace, secrets[3], secrets[3])
    _, again = reset_password(workspace, "Ada")
    stored = everything_stored(workspace)
    assert "argon2id" in stored
    for each in (*secrets, once, again, first.token, own.token, last.token):
        assert each not in stored
        assert each not in caplog.text
        assert each.casefold() not in stored.casefold()
    for shown in (repr(first), str(own)):
        assert first.token not in shown
        assert own.token not in shown


def test_failures_are_logged_by_account_and_address_and_unknown_names_are_not_written_down(
    workspace: Workspace,
) -> None:
    with_account(workspace, "Ada")
    refusal(workspace, "ADA", "wrong")
    refusal(workspace, "my secret password", "Ada")
    assert log(workspace)[-2:] == [
        ("sign-in-failed", {"account": "Ada", "address": HOME}),
        ("sign-in-failed", {"address": HOME}),
    ]
