"""Judge: the whole window for one campaign's entries; `?campaign=ID&entry=NUMBER` in the address."""

import streamlit as st

from audit_core.ui.access import require_person
from audit_core.ui.addresses import whole_number
from audit_core.ui.judging_surface import judging_surface

require_person()
campaign_id = whole_number("campaign")
if campaign_id is None:
    st.info("Choose a campaign first.")
    st.page_link("pages/campaigns.py", label="Go to the campaigns")
else:
    judging_surface(campaign_id=campaign_id, entry=whole_number("entry"))
