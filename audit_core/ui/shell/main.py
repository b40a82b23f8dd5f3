"""The main script: registers all pages, lets nobody past the sign-in, then runs the page that was asked for.

It lies alone in its folder because Streamlit serves a `pages/` folder beside the main script without asking it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import streamlit as st

from audit_core.domain import Role
from audit_core.errors import AssayError
from audit_core.storage.people import Person
from audit_core.ui.access import current_person, draw_way_in
from audit_core.ui.addresses import PAGES
from audit_core.ui.page_dress import dress_page
from audit_core.ui.sign_in_form import sign_out_link

ICON = Path(__file__).parents[1] / "icon.png"

st.set_page_config(page_title="Assay", page_icon=str(ICON), layout="wide")
dress_page()


def shown_to(role: Role, person: Person | None) -> Literal["visible", "hidden"]:
    """Return whether a page of that role stands in the navigation; hidden ones refuse by themselves whoever opens them."""
    return "visible" if person is not None and person.role.allows(role) else "hidden"


try:
    person = current_person()
    for_leads = shown_to(Role.LEAD, person)
    for_adjudicators = shown_to(Role.ADJUDICATOR, person)
    page = st.navigation(
        [
            st.Page(PAGES / "campaigns.py", title="Campaigns", default=True),
            st.Page(PAGES / "report.py", title="Report", url_path="report", visibility=for_adjudicators),
            st.Page(PAGES / "datasets.py", title="Datasets", url_path="datasets", visibility=for_leads),
            st.Page(PAGES / "cleaning.py", title="Cleaning", url_path="cleaning", visibility=for_leads),
            st.Page(PAGES / "jobs.py", title="Jobs", url_path="jobs", visibility=for_leads),
            st.Page(PAGES / "new_campaign.py", title="New campaign", url_path="new-campaign", visibility="hidden"),
            st.Page(PAGES / "campaign.py", title="Campaign", url_path="campaign", visibility="hidden"),
            st.Page(PAGES / "adjudication.py", title="Adjudication", url_path="adjudication", visibility="hidden"),
            st.Page(PAGES / "agreement.py", title="Agreement", url_path="agreement", visibility="hidden"),
            st.Page(PAGES / "corrections.py", title="Corrections", url_path="corrections", visibility="hidden"),
            st.Page(PAGES / "release.py", title="Release", url_path="release", visibility="hidden"),
            st.Page(PAGES / "questions.py", title="Questions", url_path="questions", visibility="hidden"),
            st.Page(PAGES / "comparison.py", title="Comparison", url_path="comparison", visibility="hidden"),
            st.Page(
                PAGES / "new_comparison.py", title="New comparison", url_path="new-comparison", visibility="hidden"
            ),
            st.Page(PAGES / "new_scoring.py", title="New scoring", url_path="new-scoring", visibility="hidden"),
            st.Page(PAGES / "scoring.py", title="Scoring", url_path="scoring", visibility="hidden"),
            st.Page(PAGES / "cleaned.py", title="Cleaned revision", url_path="cleaned", visibility="hidden"),
            st.Page(PAGES / "rewordings.py", title="Rewordings", url_path="rewordings", visibility="hidden"),
            st.Page(PAGES / "accounts.py", title="Accounts", url_path="accounts", visibility=for_leads),
            st.Page(PAGES / "activity.py", title="Activity", url_path="activity", visibility=for_leads),
            st.Page(PAGES / "account.py", title="Your account", url_path="account", visibility="hidden"),
        ],
        position="top" if person else "hidden",
    )
    if person is None:
        draw_way_in()
    else:
        with st.container(key="who"):
            sign_out_link(person.name)
        page.run()
except AssayError as error:
    st.error(str(error), icon=":material/error:")
