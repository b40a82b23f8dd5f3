"""The main script: registers all pages, lets nobody past the sign-in, then runs the page that was asked for.

It lies alone in its folder because Streamlit serves a `pages/` folder beside the main script without asking it.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from audit_core.errors import AssayError
from audit_core.ui.access import current_person
from audit_core.ui.addresses import PAGES
from audit_core.ui.page_dress import dress_page
from audit_core.ui.sign_in_form import sign_in_form, sign_out_link

ICON = Path(__file__).parents[1] / "icon.png"

st.set_page_config(page_title="Assay", page_icon=str(ICON), layout="wide")
dress_page()

try:
    person = current_person()
    page = st.navigation(
        [
            st.Page(PAGES / "campaigns.py", title="Campaigns", default=True),
            st.Page(PAGES / "report.py", title="Report", url_path="report"),
            st.Page(PAGES / "datasets.py", title="Datasets", url_path="datasets"),
            st.Page(PAGES / "cleaning.py", title="Cleaning", url_path="cleaning"),
            st.Page(PAGES / "jobs.py", title="Jobs", url_path="jobs"),
            st.Page(PAGES / "new_campaign.py", title="New campaign", url_path="new-campaign", visibility="hidden"),
            st.Page(PAGES / "questions.py", title="Questions", url_path="questions", visibility="hidden"),
            st.Page(PAGES / "comparison.py", title="Comparison", url_path="comparison", visibility="hidden"),
            st.Page(
                PAGES / "new_comparison.py", title="New comparison", url_path="new-comparison", visibility="hidden"
            ),
            st.Page(PAGES / "new_scoring.py", title="New scoring", url_path="new-scoring", visibility="hidden"),
            st.Page(PAGES / "scoring.py", title="Scoring", url_path="scoring", visibility="hidden"),
            st.Page(PAGES / "cleaned.py", title="Cleaned revision", url_path="cleaned", visibility="hidden"),
            st.Page(PAGES / "rewordings.py", title="Rewordings", url_path="rewordings", visibility="hidden"),
        ],
        position="top" if person else "hidden",
    )
    if person is None:
        sign_in_form()
    else:
        with st.container(key="who"):
            sign_out_link(person.name)
        page.run()
except AssayError as error:
    st.error(str(error), icon=":material/error:")
