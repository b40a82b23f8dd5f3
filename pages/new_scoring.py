"""New scoring: strategies that score every query of a dataset, what that costs, then the start; `?dataset=ID`."""

import streamlit as st

from audit_core.domain import Role
from audit_core.ui.access import require_person, workspace
from audit_core.ui.addresses import link_to
from audit_core.workflow.importing import list_datasets
from cleaning.ui.new_scoring import draw_new_scoring

person = require_person(Role.LEAD)
link_to("cleaning", "Cleaning", icon=":material/arrow_back:")
st.title("New scoring", anchor=False)
datasets = [each for each in list_datasets(workspace()) if each.archived_at is None]
if not datasets:
    st.info("There is no dataset yet. Import one: every query of it is scored.")
    link_to("datasets", "Import a dataset", icon=":material/upload:")
    st.stop()
draw_new_scoring(workspace(), person, datasets)
