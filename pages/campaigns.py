"""Campaigns: what there is to judge, how far it is, and the way to start another one."""

import streamlit as st

from audit_core.ui.access import require_person, workspace
from audit_core.ui.addresses import link_to
from audit_core.ui.campaign_list import draw_campaign, new_campaign_button
from audit_core.ui.housekeeping import archived_campaigns, draw_notice
from audit_core.workflow.campaigns import list_campaigns
from audit_core.workflow.importing import list_datasets

person = require_person()
st.title("Campaigns", anchor=False)
draw_notice()
summaries = list_campaigns(workspace(), person=person)
datasets = list_datasets(workspace())
if not datasets:
    st.info(
        "There is no dataset yet. Import one to start: in the browser, or with `python -m audit_core import FOLDER`."
    )
    link_to("datasets", "Import a dataset", icon=":material/upload:")
    st.stop()
new_campaign_button()
if not summaries:
    st.info("No campaign yet. Start one: it asks for judgments on all queries of a dataset, or on a sample of them.")
for summary in summaries:
    draw_campaign(workspace(), person, summary)
archived_campaigns(workspace(), person, list_campaigns(workspace(), archived=True))
