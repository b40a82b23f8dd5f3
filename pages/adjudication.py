"""Adjudication of a campaign: disputes to decide, unanimous entries to accept together, decisions; `?campaign=ID` in the address."""

import streamlit as st

from audit_core.domain import Role
from audit_core.errors import NotFound
from audit_core.ui.access import require_person, workspace
from audit_core.ui.addresses import link_to, link_to_corrections, whole_number
from audit_core.ui.adjudication import draw_adjudication

person = require_person(Role.ADJUDICATOR)
link_to("campaigns", "Campaigns", icon=":material/arrow_back:")
st.title("Adjudication", anchor=False)
campaign_id = whole_number("campaign")
if campaign_id is None:
    st.info("Choose a campaign first: the campaigns page lists them.")
    st.stop()
try:
    draw_adjudication(workspace(), person, campaign_id)
except NotFound:
    st.info(f"There is no campaign {campaign_id} (any more): the campaigns page lists those that there are.")
    link_to("campaigns", "Go to the campaigns")
    st.stop()
link_to_corrections(workspace().campaign(campaign_id)[1].id, "Corrections of the dataset")
