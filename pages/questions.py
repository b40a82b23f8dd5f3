"""Questions, comments and precedents of a campaign, for whoever leads it; `?campaign=ID` in the address."""

import streamlit as st

from audit_core.domain import Role
from audit_core.ui.access import require_person, workspace
from audit_core.ui.addresses import link_to, whole_number
from audit_core.ui.comment_list import draw_comments
from audit_core.ui.plain_text import plain
from audit_core.ui.precedent_list import draw_precedents
from audit_core.ui.questions import draw_questions

person = require_person(Role.ADJUDICATOR)
link_to("campaigns", "Campaigns", icon=":material/arrow_back:")
st.title("Questions")
campaign_id = whole_number("campaign")
if campaign_id is None:
    st.info("Choose a campaign first: its menu on the campaigns page leads here.")
    st.stop()
campaign, dataset = workspace().campaign(campaign_id)
st.caption(f"Campaign {plain(campaign.name)} on {plain(dataset.shown)}")
parts = {"Questions": draw_questions, "Comments": draw_comments, "Precedents": draw_precedents}
chosen = st.segmented_control("Show", list(parts), default="Questions", key="show", label_visibility="collapsed")
parts[chosen or "Questions"](workspace(), person, campaign_id)
