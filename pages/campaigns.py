"""Campaigns: what there is to judge and how far one is; for leads all of them, and the way to start another one."""

import streamlit as st

from audit_core.domain import Role
from audit_core.ui.access import require_person, workspace
from audit_core.ui.addresses import link_to
from audit_core.ui.campaign_list import draw_campaign, new_campaign_button
from audit_core.ui.housekeeping import archived_campaigns, draw_notice
from audit_core.ui.judgments_file import draw_judgments_notice
from audit_core.workflow.annotators import seats_of
from audit_core.workflow.campaigns import list_campaigns
from audit_core.workflow.importing import list_datasets

person = require_person()
leads = person.role.allows(Role.LEAD)
seats = seats_of(workspace(), person)
st.title("Campaigns", anchor=False)
draw_notice()
draw_judgments_notice()
if leads and not list_datasets(workspace()):
    st.info(
        "There is no dataset yet. Import one to start: in the browser, or with `python -m audit_core import FOLDER`."
    )
    link_to("datasets", "Import a dataset", icon=":material/upload:")
    st.stop()
if leads:
    new_campaign_button()
summaries = list_campaigns(workspace(), person=person)
if not person.role.allows(Role.ADJUDICATOR):
    summaries = [each for each in summaries if each.campaign.id in seats]
if not summaries:
    st.info(
        "No campaign yet. Start one: it asks for judgments on all queries of a dataset, or on a sample of them."
        if leads
        else "There is no campaign for you yet. It stands here as soon as a lead hands one to you."
    )
for summary in summaries:
    draw_campaign(workspace(), person, summary, has_seat=summary.campaign.id in seats)
if leads:
    archived_campaigns(workspace(), person, list_campaigns(workspace(), archived=True))
