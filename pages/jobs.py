"""Jobs: long work that goes on by itself, how far it is, and the way to stop it or let it go on."""

import streamlit as st

from audit_core.domain import Role
from audit_core.ui.access import require_person, workspace
from audit_core.ui.jobs import draw_job_notice, draw_jobs, page_check_form
from audit_core.workflow.importing import list_datasets

person = require_person(Role.LEAD)
st.title("Jobs", anchor=False)
draw_job_notice()
page_check_form(workspace(), person, [each for each in list_datasets(workspace()) if each.archived_at is None])
draw_jobs(workspace(), person)
