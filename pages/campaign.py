"""One campaign for its lead: progress, pace and quality, annotators, guidelines, pilot; `?campaign=ID` in the address."""

import streamlit as st

from audit_core.domain import Role
from audit_core.ui.access import require_person, workspace
from audit_core.ui.addresses import link_to, whole_number
from audit_core.ui.campaign_page import draw_campaign_page

person = require_person(Role.LEAD)
link_to("campaigns", "Campaigns", icon=":material/arrow_back:")
campaign_id = whole_number("campaign")
if campaign_id is None:
    st.title("Campaign", anchor=False)
    st.info("Choose a campaign first: the campaigns page lists them.")
    st.stop()
draw_campaign_page(workspace(), person, campaign_id)
