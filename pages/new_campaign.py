"""New campaign: what to draw, how many entries and how wide the intervals will be, then the start; `?dataset=ID`."""

import streamlit as st

from audit_core.domain import Role
from audit_core.ui.access import require_person, workspace
from audit_core.ui.addresses import link_to
from audit_core.ui.new_campaign import draw_new_campaign
from audit_core.workflow.importing import list_datasets

person = require_person(Role.LEAD)
link_to("campaigns", "Campaigns", icon=":material/arrow_back:")
st.title("Start a campaign", anchor=False)
datasets = [each for each in list_datasets(workspace()) if each.archived_at is None]
if not datasets:
    st.info(
        "There is no dataset to draw from. Import one: in the browser, or with `python -m audit_core import FOLDER`."
    )
    link_to("datasets", "Import a dataset", icon=":material/upload:")
    st.stop()
draw_new_campaign(workspace(), person, datasets)
