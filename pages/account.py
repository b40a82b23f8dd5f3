"""Your account: your name and role, and your password."""

import streamlit as st

from audit_core import account_settings
from audit_core.account_settings import Mode
from audit_core.ui.access import require_person
from audit_core.ui.accounts import ROLE_WORDS
from audit_core.ui.password_form import change_password_form
from audit_core.ui.plain_text import plain
from audit_core.workflow.roles import with_article

person = require_person()
st.title("Your account", anchor=False)
st.markdown(f"You are **{plain(person.name)}**, {with_article(person.role)}, who {ROLE_WORDS[person.role]}.")
if account_settings.mode() is Mode.LOCAL:
    st.subheader("Password", anchor=False)
    st.caption("Changing it signs you out everywhere else.")
    change_password_form()
