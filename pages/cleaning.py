"""Cleaning: strategies compared, every query scored, revisions cleaned, rewordings; `?comparison=ID` opens a comparison."""

import streamlit as st

from audit_core.domain import Role
from audit_core.ui.access import require_person, workspace
from audit_core.ui.addresses import PAGES, link_to, whole_number
from audit_core.workflow.importing import list_datasets
from cleaning.ui.cleaning_home import draw_cleaning_home
from cleaning.ui.made_menu import draw_made_notice
from cleaning.ui.published_view import draw_published

person = require_person(Role.LEAD)
if (comparison_id := whole_number("comparison")) is not None:
    st.switch_page(PAGES / "comparison.py", query_params={"comparison": str(comparison_id)})
st.title("Cleaning", anchor=False)
draw_made_notice()
if any(each.archived_at is None for each in list_datasets(workspace())):
    draw_cleaning_home(workspace(), person)
else:
    st.info("There is no dataset yet. Import one with labels: strategies are compared on labelled queries.")
    link_to("datasets", "Import a dataset", icon=":material/upload:")
    draw_published()
