"""Who looks at a page: every page asks here first, and shows nothing but the sign-in to anybody else."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import ParamSpec, TypeVar

import streamlit as st

from audit_core import account_settings
from audit_core.account_settings import Mode
from audit_core.domain import Role
from audit_core.errors import NotAllowed, SignInError
from audit_core.storage.people import Person
from audit_core.ui.password_form import first_password_form
from audit_core.ui.sign_in_form import sign_in_form
from audit_core.workflow import sign_in
from audit_core.workflow.arrivals import HEADER
from audit_core.workflow.roles import require_role
from audit_core.workflow.sessions import visit_of
from audit_core.workflow.workspace import Workspace, open_workspace

Drawing = ParamSpec("Drawing")
Content = TypeVar("Content")


def workspace() -> Workspace:
    """Return this process's workspace."""
    return open_workspace()


def current_person() -> Person | None:
    """Return who is signed in, None for nobody."""
    return _whoever_looks()()


def _whoever_looks() -> Callable[[], Person | None]:
    """Return what tells, now and later, who looks at this page; None for nobody."""
    context = st.context
    return partial(sign_in.person_of, workspace(), context.cookies.get(sign_in.COOKIE), context.headers.get(HEADER))


def draw_way_in() -> None:
    """Draw what somebody sees who is not signed in: the sign-in, or the choice of a password after a one-time one."""
    if account_settings.mode() is Mode.PROXY:
        problem = None
        try:
            sign_in.behind_proxy(workspace(), st.context.headers.get(HEADER))
        except SignInError as error:
            problem = str(error)
        sign_in_form(problem)
        return
    visit = visit_of(workspace(), st.context.cookies.get(sign_in.COOKIE))
    if visit is not None and visit.must_change:
        first_password_form()
    else:
        sign_in_form()


def acting_person(role: Role = Role.ANNOTATOR) -> Person:
    """Return who presses a button or sends a form, asked anew: their page may have been drawn before they were signed out.

    Streamlit calls what hangs on a button before the page's own check runs again.

    Raises:
        NotAllowed: nobody is signed in any more, or their role does not allow it.
    """
    return _allowed(current_person(), role)


def _allowed(person: Person | None, role: Role) -> Person:
    if person is None:
        raise NotAllowed("You are signed out. Sign in again; nothing was done.")
    require_role(person, role)
    return person


def made_when_asked(make: Callable[[], Content], role: Role) -> Callable[[], Content]:
    """Return `make` for a download: it is made when somebody clicks, and they are asked for anew then.

    Streamlit makes a download outside of the page, also where the page was drawn before they were signed out.

    Raises (when called):
        NotAllowed: nobody is signed in any more, or their role does not allow it.
    """
    ask = _whoever_looks()

    def made() -> Content:
        _allowed(ask(), role)
        return make()

    return made


def only_for(role: Role) -> Callable[[Callable[Drawing, None]], Callable[Drawing, None]]:
    """Return what lets a fragment or a dialog ask anew who looks, each time it is drawn: stands below their decorator.

    Streamlit draws these again without the page around them, and so without its check.
    """

    def checked(draw: Callable[Drawing, None]) -> Callable[Drawing, None]:
        @wraps(draw)
        def drawn(*given: Drawing.args, **named: Drawing.kwargs) -> None:
            require_person(role)
            draw(*given, **named)

        return drawn

    return checked


def require_person(role: Role = Role.ANNOTATOR) -> Person:
    """Return who is signed in and may do what `role` may; anybody else gets the sign-in, or a refusal, and the page ends."""
    person = current_person()
    if person is None:
        draw_way_in()
        st.stop()
    try:
        require_role(person, role)
    except NotAllowed as error:
        st.error(str(error), icon=":material/lock:")
        st.stop()
    return person
