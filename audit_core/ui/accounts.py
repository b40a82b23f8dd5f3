"""Accounts as a lead sees them: who may sign in as what, with room to add, change, disable and reset."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from audit_core import account_settings
from audit_core.account_settings import Mode
from audit_core.domain import Role
from audit_core.errors import AssayError
from audit_core.storage.people import Person
from audit_core.ui.access import acting_person
from audit_core.ui.plain_text import plain
from audit_core.workflow import accounts
from audit_core.workflow.accounts import Account
from audit_core.workflow.person_names import NAME_MAX
from audit_core.workflow.workspace import Workspace

_NOTICE = "account-notice"
#: What each role may do, beside what those before it may.
ROLE_WORDS = {
    Role.ANNOTATOR: "judges what is handed to them and sees nobody else's judgments",
    Role.ADJUDICATOR: "sees all judgments and settles disputed entries",
    Role.LEAD: "looks after everything: datasets, campaigns, reports, accounts",
}
_STATES = {
    "enabled": "",
    "disabled": "disabled",
    "one-time password": "has yet to choose a password",
    "no password": "no password",
}


def draw_notice() -> None:
    """Draw what the last action did; a one-time password is shown this once."""
    notice = st.session_state.pop(_NOTICE, None)
    if notice is None:
        return
    kind, words, password = notice
    if kind == "error":
        st.error(words)
        return
    st.success(words)
    if password:
        st.code(password, language=None)
        st.caption("Hand it over in person or by a message of your own. It works once and is shown only here.")


def _act(work: Callable[[Person], tuple[str, str | None]]) -> None:
    """Do something for a lead who presses a button, and keep what to say of it."""
    try:
        words, password = work(acting_person(Role.LEAD))
        st.session_state[_NOTICE] = ("done", words, password)
    except AssayError as error:
        st.session_state[_NOTICE] = ("error", str(error), None)


def add_account_form(workspace: Workspace) -> None:
    """Draw the form that gives somebody an account."""
    mode = account_settings.mode()
    if mode is Mode.SINGLE:
        st.info(
            "Nobody needs an account here: Assay answers this machine alone and asks for no passwords (ASSAY_ACCOUNTS is single)."
        )
        return
    with st.form("add-account", clear_on_submit=True, border=True):
        name, role, press = st.columns([3, 2, 1], vertical_alignment="bottom")
        name.text_input(
            "Name", max_chars=NAME_MAX, key="add-name", help="People sign in with it; it marks their judgments."
        )
        role.selectbox("Role", list(Role), key="add-role", format_func=lambda each: each.value.capitalize())
        if mode is Mode.OIDC:
            st.text_input(
                "Subject", max_chars=255, key="add-subject", help="Who they are to the provider: the claim `sub`."
            )
        press.form_submit_button("Add", type="primary", width="stretch", on_click=_add, args=(workspace,))
        st.caption(" · ".join(f"**{each.value.capitalize()}** {words}" for each, words in ROLE_WORDS.items()))


def _add(workspace: Workspace) -> None:
    state = st.session_state

    def work(person: Person) -> tuple[str, str | None]:
        subject = state.get("add-subject") or None
        added, password = accounts.add_account(
            workspace, state["add-name"], state["add-role"], subject=subject, by=person
        )
        return f"{plain(added.name)} can sign in{' with this one-time password' if password else ''}.", password

    _act(work)


def draw_accounts(workspace: Workspace, person: Person) -> None:
    """Draw all accounts, each with its role to change and a menu."""
    found = accounts.list_accounts(workspace)
    if not found:
        st.info("There is no account yet.")
    for each in found:
        _draw_account(workspace, person, each)


def _draw_account(workspace: Workspace, person: Person, account: Account) -> None:
    number = account.person.id
    with st.container(border=True, key=f"account-{number}"):
        name, role, menu = st.columns([6, 3, 1], vertical_alignment="center")
        you = " (you)" if number == person.id else ""
        state = _STATES[account.state]
        name.markdown(f"**{plain(account.person.name)}**{you}" + (f" :orange-badge[{state}]" if state else ""))
        count = account.sign_ins
        signed = f" · {count} {'sign-in holds' if count == 1 else 'sign-ins hold'}" if count else " · signed out"
        name.caption(f"since {account.created_at[:10]}{signed}")
        key = f"role-{number}-{account.person.role}"
        role.selectbox(
            f"Role of {account.person.name}", list(Role), index=list(Role).index(account.person.role), key=key,
            label_visibility="collapsed", format_func=lambda each: each.value.capitalize(),
            on_change=_set_role, args=(workspace, account, key),
        )  # fmt: skip
        with menu.popover("", icon=":material/more_horiz:", help=f"More for {plain(account.person.name)}"):
            _draw_menu(workspace, account)


def _set_role(workspace: Workspace, account: Account, key: str) -> None:
    wanted = Role(st.session_state[key])

    def work(person: Person) -> tuple[str, None]:
        changed = accounts.set_role(workspace, account.person.name, wanted, by=person)
        return f"{plain(changed.name)} is {wanted.value} from now on.", None

    _act(work)
    del st.session_state[key]  # what is shown is what holds, also where it was refused


def _draw_menu(workspace: Workspace, account: Account) -> None:
    number, is_disabled = account.person.id, account.state == "disabled"
    if account_settings.mode() is Mode.LOCAL:
        st.button(
            "Give a one-time password", key=f"reset-{number}", width="stretch", on_click=_reset,
            args=(workspace, account), help="Ends all their sign-ins; the password they have works no more.",
        )  # fmt: skip
    st.button(
        "Enable" if is_disabled else "Disable", key=f"disable-{number}", width="stretch", on_click=_disable,
        args=(workspace, account, not is_disabled), help="Judgments stay either way.",
    )  # fmt: skip


def _reset(workspace: Workspace, account: Account) -> None:
    def work(person: Person) -> tuple[str, str]:
        whose, password = accounts.reset_password(workspace, account.person.name, by=person)
        return f"{plain(whose.name)} is signed out everywhere and signs in with this one-time password.", password

    _act(work)


def _disable(workspace: Workspace, account: Account, disabled: bool) -> None:
    def work(person: Person) -> tuple[str, None]:
        whose = accounts.disable_account(workspace, account.person.name, disabled=disabled, by=person)
        return (
            f"{plain(whose.name)} {'is disabled and signed out everywhere' if disabled else 'can sign in again'}.",
            None,
        )

    _act(work)
