"""Questions: what annotators asked about entries of a campaign, with room for answers; `?campaign=ID` in the address."""

import streamlit as st

from audit_core.ui.access import require_person, workspace
from audit_core.ui.addresses import link_to, whole_number
from audit_core.ui.plain_text import plain
from audit_core.ui.questions import draw_question
from audit_core.workflow.flags import list_flags

person = require_person()
link_to("campaigns", "Campaigns", icon=":material/arrow_back:")
st.title("Questions")
campaign_id = whole_number("campaign")
if campaign_id is None:
    st.info("Choose a campaign first: its menu on the campaigns page leads here.")
    st.stop()
campaign, dataset = workspace().campaign(campaign_id)
asked = list_flags(workspace(), campaign_id)
waiting = sum(each.flag.answered_at is None for each in asked)
st.caption(
    f"Campaign {plain(campaign.name)} on {plain(dataset.shown)}: {len(asked):,} asked, {waiting:,} without an answer. "
    "Whoever asked sees the answer with the entry; other annotators see neither there."
)
if not asked:
    st.info("Nobody has asked anything yet. On the judging page, the key ! asks about the entry in view.")
for each in asked:
    draw_question(workspace(), person, campaign_id, each)
