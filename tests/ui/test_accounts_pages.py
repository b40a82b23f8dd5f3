"""The pages of accounts, run headless: for whom they are, what a lead does there, and what is shown once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest

from audit_core.domain import Role
from audit_core.storage.people import Person
from audit_core.workflow.accounts import disable_account, list_accounts, set_role
from audit_core.workflow.workspace import Workspace
from tests.accounts import cheap_hashes, with_account
from tests.ui.conftest import run, shown

ONE_TIME = re.compile(r"[a-z2-9]{4}(?:-[a-z2-9]{4}){3}")
SignIn = Callable[[Person], None]


@pytest.fixture(autouse=True)
def _local(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("ASSAY_ACCOUNTS", "local")
    with cheap_hashes():
        yield


@pytest.fixture
def as_person(monkeypatch: pytest.MonkeyPatch) -> SignIn:
    def sign_in(person: Person) -> None:
        monkeypatch.setattr("audit_core.ui.access.current_person", lambda: person)

    return sign_in


@pytest.fixture
def grace(workspace: Workspace, as_person: SignIn) -> Person:
    """A lead who is signed in."""
    person = with_account(workspace, "Grace", Role.LEAD)
    person = Person(person.id, person.name, person.is_imported, Role.LEAD)
    as_person(person)
    return person


def states(workspace: Workspace) -> dict[str, tuple[str, str]]:
    return {each.person.name: (each.person.role.value, each.state) for each in list_accounts(workspace)}


@pytest.mark.parametrize("role", [Role.ANNOTATOR, Role.ADJUDICATOR])
@pytest.mark.parametrize("page", ["accounts", "activity"])
def test_whoever_is_no_lead_sees_a_refusal_and_nothing_else(
    workspace: Workspace, as_person: SignIn, role: Role, page: str
) -> None:
    with_account(workspace, "Grace", Role.LEAD)
    as_person(with_account(workspace, "Ada", role))
    test = run(page)
    assert [each.value for each in test.error] == [
        f"This is for a lead, and you are an {role.value}. A lead can change your role."
    ]
    assert "Grace" not in shown(test)
    assert not test.button
    assert not test.text_input
    assert not test.dataframe


@pytest.mark.usefixtures("grace")
def test_a_lead_adds_an_account_and_its_password_is_shown_once(workspace: Workspace) -> None:
    page = run("accounts")
    page.text_input(key="add-name").set_value("Ada")
    page.selectbox(key="add-role").set_value(Role.ADJUDICATOR)
    page.button[0].click()
    page.run()
    assert not page.exception
    assert "Ada can sign in with this one-time password." in shown(page)
    assert ONE_TIME.fullmatch(page.code[0].value)
    assert states(workspace)["Ada"] == ("adjudicator", "one-time password")
    page.run()
    assert not page.code
    assert "has yet to choose a password" in shown(page)


@pytest.mark.usefixtures("grace")
def test_a_name_that_cannot_be_used_is_refused_in_words(workspace: Workspace) -> None:
    page = run("accounts")
    page.text_input(key="add-name").set_value("grace")
    page.button[0].click()
    page.run()
    assert [each.value for each in page.error] == [
        "grace has an account already: choose another name, or change that one."
    ]
    assert set(states(workspace)) == {"Grace"}


def test_a_lead_changes_a_role_disables_and_resets(workspace: Workspace, grace: Person) -> None:
    ada = with_account(workspace, "Ada *bold*")
    page = run("accounts")
    page.selectbox(key=f"role-{ada.id}-annotator").set_value(Role.LEAD).run()
    assert states(workspace)["Ada *bold*"] == ("lead", "enabled")
    assert r"Ada \*bold\* is lead from now on." in page.success[0].value
    page.button(key=f"reset-{ada.id}").click().run()
    assert ONE_TIME.fullmatch(page.code[0].value)
    page.button(key=f"disable-{ada.id}").click().run()
    assert states(workspace)["Ada *bold*"] == ("lead", "disabled")
    page.button(key=f"disable-{ada.id}").click().run()
    assert states(workspace)["Ada *bold*"] == ("lead", "one-time password")
    assert states(workspace)["Grace"] == ("lead", "enabled")


def test_the_last_lead_cannot_take_their_own_role(workspace: Workspace, grace: Person) -> None:
    page = run("accounts")
    page.selectbox(key=f"role-{grace.id}-lead").set_value(Role.ANNOTATOR).run()
    assert "Grace is the last lead who can sign in" in page.error[0].value
    assert page.selectbox(key=f"role-{grace.id}-lead").value is Role.LEAD


def test_an_open_page_of_somebody_who_is_a_lead_no_more_does_nothing(
    workspace: Workspace, grace: Person, as_person: SignIn
) -> None:
    """The role is asked for again when a button is pressed, not only when the page was drawn."""
    ada = with_account(workspace, "Ada", Role.LEAD)
    page = run("accounts")
    with_account(workspace, "Hedy", Role.LEAD)
    set_role(workspace, "Grace", Role.ANNOTATOR)
    as_person(Person(grace.id, grace.name, False, Role.ANNOTATOR))
    page.button(key=f"disable-{ada.id}").click().run()
    assert states(workspace)["Ada"] == ("lead", "enabled")
    assert [each.value for each in page.error] == [
        "This is for a lead, and you are an annotator. A lead can change your role."
    ]


def test_an_open_page_of_somebody_who_was_signed_out_does_nothing(
    workspace: Workspace, grace: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = with_account(workspace, "Ada", Role.LEAD)
    page = run("accounts")
    monkeypatch.setattr("audit_core.ui.access.current_person", lambda: None)
    page.button(key=f"reset-{ada.id}").click().run()
    assert states(workspace)["Ada"] == ("lead", "enabled")
    assert not page.code
    assert "Ada" not in shown(page)


@pytest.mark.usefixtures("grace")
def test_the_log_is_listed_and_narrowed(workspace: Workspace) -> None:
    with_account(workspace, "Ada")
    disable_account(workspace, "Ada", disabled=True)
    page = run("activity")
    frame = page.dataframe[0].value
    assert list(frame["What"])[:2] == ["account-disable", "password-set"]
    page.selectbox(key="activity-action").set_value("account-add").run()
    assert set(page.dataframe[0].value["What"]) == {"account-add"}


def test_ones_own_page_says_name_role_and_what_it_allows(workspace: Workspace, as_person: SignIn) -> None:
    as_person(with_account(workspace, "Ada"))
    assert "You are **Ada**, an annotator, who judges what is handed to them" in shown(run("account"))


def test_without_passwords_nobody_needs_an_account(
    workspace: Workspace, as_person: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_ACCOUNTS", "single")
    as_person(Person(1, "Ada", False, Role.LEAD))
    page = run("accounts")
    assert "Nobody needs an account here" in shown(page)
    assert not page.text_input
