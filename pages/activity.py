"""Activity: who did what and when; for leads."""

import streamlit as st

from audit_core.domain import Role
from audit_core.ui.access import require_person, workspace
from audit_core.ui.activity_log import draw_activity

require_person(Role.LEAD)
st.title("Activity", anchor=False)
draw_activity(workspace())
