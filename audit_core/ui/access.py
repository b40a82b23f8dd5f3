"""Who looks at a page: every page asks here first, and shows nothing but the sign-in to anybody else."""

from __future__ import annotations

import streamlit as st

from audit_core.storage.people import Person
from audit_core.ui.sign_in_form import sign_in_form
from audit_core.workflow import sign_in
from audit_core.workflow.workspace import Workspace, open_workspace


def workspace() -> Workspace:
    """Return this process's workspace."""
    return open_workspace()


def current_person() -> Person | None:
    """Return who is signed in, None for nobody."""
    return sign_in.person_of(workspace(), st.context.cookies.get(sign_in.COOKIE))


def require_person() -> Person:
    """Return who is signed in; anybody else gets the sign-in and the page ends there."""
    person = current_person()
    if person is None:
        sign_in_form()
        st.stop()
    return person
