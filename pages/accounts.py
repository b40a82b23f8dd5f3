"""Accounts: who may sign in, as what; for leads."""

import streamlit as st

from audit_core.domain import Role
from audit_core.ui.access import require_person, workspace
from audit_core.ui.accounts import add_account_form, draw_accounts, draw_notice

person = require_person(Role.LEAD)
st.title("Accounts", anchor=False)
draw_notice()
add_account_form(workspace())
draw_accounts(workspace(), person)
