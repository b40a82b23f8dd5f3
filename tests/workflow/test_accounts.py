"""Accounts: made, changed, disabled and reset, by whom; and the first one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
import sqlalchemy as sa

from audit_core.domain import Role
from audit_core.errors import AccountError, NameTaken, NotAllowed, NotFound, SignInError
from audit_core.storage.schema import account, activity
from audit_core.workflow import accounts
from audit_core.workflow.accounts import (
    add_account,
    disable_account,
    ensure_first_account,
    is_first_start,
    list_accounts,
    reset_password,
    set_password,
    set_role,
)
from audit_core.workflow.activity_log import list_actions, list_activity
from audit_core.workflow.password_sign_in import change_own_password, sign_in_with_password
from audit_core.workflow.sessions import visit_of
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.accounts import PASSWORD, cheap_hashes, with_account
from tests.homes import row_counts


@pytest.fixture(autouse=True)
def _local(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("ASSAY_ACCOUNTS", "local")
    with cheap_hashes():
        yield


def states(workspace: Workspace) -> dict[str, tuple[str, str]]:
    return {each.person.name: (each.person.role.value, each.state) for each in list_accounts(workspace)}


def enter(workspace: Workspace, name: str, password: str) -> str:
    return sign_in_with_password(workspace, name, password, address="192.0.2.1").token


def test_the_first_start_makes_a_lead_once_and_says_so_until_a_password_is_chosen(either_workspace: Workspace) -> None:
    workspace = either_workspace
    once = ensure_first_account(workspace)
    assert once is not None
    assert ensure_first_account(workspace) is None
    assert states(workspace) == {"lead": ("lead", "one-time password")}
    token = enter(workspace, "lead", once)
    assert is_first_start(workspace)
    assert ensure_first_account(workspace) is None, "somebody is about to choose a password"
    change_own_password(workspace, token, current="", new=PASSWORD, address="")
    assert not is_first_start(workspace)
    assert states(workspace) == {"lead": ("lead", "enabled")}


def test_a_home_with_annotators_alone_gets_a_lead_as_well(workspace: Workspace) -> None:
    with_account(workspace, "Ada")
    assert ensure_first_account(workspace) is not None
    assert states(workspace) == {"Ada": ("annotator", "enabled"), "lead": ("lead", "one-time password")}


def test_processes_that_start_at_once_make_one_first_account(either_workspace: Workspace) -> None:
    made: list[str | None] = []
    threads = [threading.Thread(target=lambda: made.append(ensure_first_account(either_workspace))) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    (password,) = [each for each in made if each]
    assert len(made) == 4
    enter(either_workspace, "lead", password)


@pytest.mark.parametrize("mode", ["single", "oidc", "proxy"])
def test_no_first_account_is_made_where_no_passwords_are_asked_for(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    monkeypatch.setenv("ASSAY_ACCOUNTS", mode)
    assert ensure_first_account(workspace) is None
    assert row_counts(workspace)["account"] == 0


def test_the_first_account_of_a_home_that_other_modes_used_keeps_who_was_called_so(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_ACCOUNTS", "proxy")
    add_account(workspace, "lead", Role.ANNOTATOR)
    add_account(workspace, "Ada", Role.LEAD)
    monkeypatch.setenv("ASSAY_ACCOUNTS", "local")
    once = ensure_first_account(workspace)
    assert once is not None
    assert states(workspace) == {"Ada": ("lead", "no password"), "lead": ("lead", "one-time password")}
    with pytest.raises(SignInError):
        enter(workspace, "Ada", "")
    reset_password(workspace, "Ada")
    assert states(workspace)["Ada"] == ("lead", "one-time password")


def test_somebody_who_judged_before_keeps_being_the_same_person(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_ACCOUNTS", "single")
    before = sign_in(workspace, "Ada")
    monkeypatch.setenv("ASSAY_ACCOUNTS", "local")
    person, _ = add_account(workspace, " ADA ", Role.ADJUDICATOR)
    assert (person.id, person.name, person.role) == (before.id, "Ada", Role.ADJUDICATOR)


def test_a_name_has_one_account_in_every_spelling(either_workspace: Workspace) -> None:
    add_account(either_workspace, "Ada", Role.ANNOTATOR)
    for name in ("Ada", "ADA", " ada ", "Ａda"):
        with pytest.raises(NameTaken, match="has an account already"):
            add_account(either_workspace, name, Role.LEAD)
    for name in ("", " ", "x" * 81, "a\x00"):
        with pytest.raises(SignInError):
            add_account(either_workspace, name, Role.LEAD)
    assert states(either_workspace) == {"Ada": ("annotator", "one-time password")}


def test_two_leads_who_add_the_same_name_at_once_make_one_account(either_workspace: Workspace) -> None:
    ends: list[object] = []

    def work() -> None:
        try:
            ends.append(add_account(either_workspace, "Ada", Role.ANNOTATOR)[1])
        except NameTaken:
            ends.append(None)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    (password,) = [each for each in ends if each]
    assert len(ends) == 4
    enter(either_workspace, "Ada", str(password))


def test_the_last_lead_who_can_sign_in_stays_one(either_workspace: Workspace) -> None:
    workspace = either_workspace
    with_account(workspace, "Ada", Role.LEAD)
    with_account(workspace, "Bob", Role.LEAD)
    disable_account(workspace, "Bob", disabled=True)
    with pytest.raises(AccountError, match="Ada is the last lead who can sign in"):
        set_role(workspace, "Ada", Role.ADJUDICATOR)
    with pytest.raises(AccountError, match="Ada is the last lead"):
        disable_account(workspace, "Ada", disabled=True)
    set_role(workspace, "Bob", Role.ANNOTATOR)  # a disabled lead is not the last
    set_role(workspace, "Ada", Role.LEAD)  # nor is anything taken from whoever stays one
    disable_account(workspace, "Bob", disabled=False)
    set_role(workspace, "Bob", Role.LEAD)
    assert set_role(workspace, "Ada", Role.ANNOTATOR).role is Role.ANNOTATOR


def test_two_leads_who_take_each_others_role_at_once_leave_one(either_workspace: Workspace) -> None:
    for name in ("Ada", "Bob"):
        with_account(either_workspace, name, Role.LEAD)
    ends: list[str] = []

    def work(name: str) -> None:
        try:
            set_role(either_workspace, name, Role.ANNOTATOR)
            ends.append("done")
        except AccountError:
            ends.append("refused")

    threads = [threading.Thread(target=work, args=(name,)) for name in ("Ada", "Bob")]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(ends) == ["done", "refused"]


def test_nothing_of_accounts_is_done_by_somebody_who_is_no_lead(workspace: Workspace) -> None:
    with_account(workspace, "Ada")
    bob = with_account(workspace, "Bob", Role.ADJUDICATOR)
    before = (row_counts(workspace), states(workspace))
    doings: list[Callable[[], object]] = [
        lambda: add_account(workspace, "Mallory", Role.LEAD, by=bob),
        lambda: set_role(workspace, "Bob", Role.LEAD, by=bob),
        lambda: disable_account(workspace, "Ada", disabled=True, by=bob),
        lambda: reset_password(workspace, "Ada", by=bob),
    ]
    for each in doings:
        with pytest.raises(NotAllowed, match="This is for a lead, and you are an adjudicator"):
            each()
    assert (row_counts(workspace), states(workspace)) == before


def test_whoever_was_a_lead_when_their_page_was_drawn_does_nothing_more_afterwards(workspace: Workspace) -> None:
    for name in ("Ada", "Bob", "Cyd"):
        with_account(workspace, name, Role.LEAD)
    ada, bob = (each.person for each in list_accounts(workspace)[:2])
    set_role(workspace, "Ada", Role.ADJUDICATOR)
    disable_account(workspace, "Bob", disabled=True)
    for each, why in ((ada, "you are an adjudicator"), (bob, "was disabled meanwhile")):
        assert each.role is Role.LEAD
        with pytest.raises(NotAllowed, match=why):
            disable_account(workspace, "Cyd", disabled=True, by=each)
        with pytest.raises(NotAllowed, match=why):
            add_account(workspace, "Mallory", Role.LEAD, by=each)
    assert set(states(workspace)) == {"Ada", "Bob", "Cyd"}


def test_what_is_done_to_nobody_is_refused_in_words(workspace: Workspace) -> None:
    doings: list[Callable[[], object]] = [
        lambda: set_role(workspace, "Nobody", Role.LEAD),
        lambda: disable_account(workspace, "Nobody", disabled=True),
        lambda: reset_password(workspace, "Nobody"),
        lambda: set_password(workspace, "Nobody", PASSWORD),
    ]
    for each in doings:
        with pytest.raises(NotFound, match=r"Nobody called 'Nobody' has an account.*account list"):
            each()


def test_a_reset_ends_the_sign_ins_and_the_old_password(workspace: Workspace) -> None:
    with_account(workspace, "Ada")
    token = enter(workspace, "Ada", PASSWORD)
    _, once = reset_password(workspace, "Ada")
    assert visit_of(workspace, token) is None
    with pytest.raises(SignInError):
        enter(workspace, "Ada", PASSWORD)
    visit = visit_of(workspace, enter(workspace, "Ada", once))
    assert visit is not None
    assert visit.must_change


def test_a_password_set_at_the_terminal_keeps_the_rules(workspace: Workspace) -> None:
    with_account(workspace, "Ada Lovelace")
    for wrong in ("short", "ada lovelace", "x" * 1_025):
        with pytest.raises(AccountError):
            set_password(workspace, "Ada Lovelace", wrong)
    set_password(workspace, "Ada Lovelace", "another four words")
    enter(workspace, "Ada Lovelace", "another four words")


@pytest.mark.parametrize("mode", ["single", "oidc", "proxy"])
def test_where_no_passwords_are_asked_for_none_is_set(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    monkeypatch.setenv("ASSAY_ACCOUNTS", mode)
    _, once = add_account(workspace, "Ada", Role.LEAD)
    assert once is None
    with pytest.raises(AccountError, match="no passwords here"):
        reset_password(workspace, "Ada")
    with pytest.raises(AccountError, match="no passwords here"):
        set_password(workspace, "Ada", PASSWORD)
    assert states(workspace) == {"Ada": ("lead", "enabled")}


def test_a_subject_belongs_to_a_provider(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AccountError, match="A subject is the provider's"):
        add_account(workspace, "Ada", Role.LEAD, subject="7")
    for name, value in (
        ("ACCOUNTS", "oidc"),
        ("OIDC_ISSUER", "https://id.example"),
        ("OIDC_CLIENT_ID", "a"),
        ("OIDC_CLIENT_SECRET", "b"),
    ):
        monkeypatch.setenv(f"ASSAY_{name}", value)
    add_account(workspace, "Ada", Role.LEAD, subject="7")
    with pytest.raises(NameTaken, match="The subject 7 has an account already"):
        add_account(workspace, "Bob", Role.LEAD, subject="7")
    for wrong in ("", "x" * 256, "a\nb"):
        with pytest.raises(AccountError, match="A subject has 1 to 255"):
            add_account(workspace, "Bob", Role.LEAD, subject=wrong)
    (found,) = list_accounts(workspace)
    assert found.subject == "https://id.example|7"


def test_the_hash_of_a_password_is_in_no_list_and_no_text(workspace: Workspace) -> None:
    with_account(workspace, "Ada")
    with workspace.database.read() as connection:
        hashed = connection.execute(sa.select(account.c.password_hash)).scalar_one()
        row = accounts._found(connection, "Ada")
    assert hashed not in str([each.as_json() for each in list_accounts(workspace)])
    assert hashed not in repr(row)


def test_who_did_what_to_whom_is_logged_the_newest_first(workspace: Workspace) -> None:
    grace = with_account(workspace, "Grace", Role.LEAD)
    add_account(workspace, "Ada", Role.ANNOTATOR, by=grace)
    set_role(workspace, "Ada", Role.ADJUDICATOR, by=grace)
    set_role(workspace, "Ada", Role.ADJUDICATOR, by=grace)  # changes nothing, and is no action
    disable_account(workspace, "Ada", disabled=True, by=grace)
    disable_account(workspace, "Ada", disabled=True, by=grace)
    reset_password(workspace, "Ada")
    lines = list_activity(workspace, count=4)
    assert [(each.name, each.action, each.about) for each in lines] == [
        (None, "account-reset", "account: Ada"),
        ("Grace", "account-disable", "account: Ada"),
        ("Grace", "account-role", "account: Ada, role: adjudicator, before: annotator"),
        ("Grace", "account-add", "account: Ada, role: annotator"),
    ]
    assert [each.action for each in list_activity(workspace, count=9, before=lines[1].id, name="grace")] == [
        "account-role",
        "account-add",
    ]
    assert [each.name for each in list_activity(workspace, count=9, action="account-add")] == ["Grace", None]
    assert "account-disable" in list_actions(workspace)
    with pytest.raises(NotFound, match="Nobody is called"):
        list_activity(workspace, count=1, name="Nobody")
    with workspace.database.read() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(activity)).scalar_one() == len(
            list_activity(workspace, count=1_000)
        )
