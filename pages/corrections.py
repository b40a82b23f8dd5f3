"""Corrections: what is proposed for the queries of a dataset, before and after, accepted or rejected; `?dataset=ID`."""

import streamlit as st

from audit_core.domain import Role
from audit_core.ui.access import require_person, workspace
from audit_core.ui.addresses import link_to, whole_number
from audit_core.ui.corrections_page import draw_corrections
from audit_core.workflow.importing import list_datasets

person = require_person(Role.ADJUDICATOR)
st.title("Corrections", anchor=False)
asked = whole_number("dataset")
# The corrections of an archived dataset are shown where its address asks for them.
datasets = {each.id: each for each in list_datasets(workspace()) if each.archived_at is None or each.id == asked}
if not datasets:
    st.info("There is no dataset yet whose queries could be corrected.")
    link_to("campaigns", "Go to the campaigns")
    st.stop()
if "dataset" in st.query_params and asked not in datasets:
    st.warning("There is no dataset of that number here; these are the corrections of another one.")
ids = list(datasets)
chosen = st.selectbox(
    "Dataset",
    ids,
    index=ids.index(asked) if asked in datasets else 0,
    format_func=lambda each: f"{datasets[each].shown}, revision {datasets[each].revision}",
)
st.query_params["dataset"] = str(chosen)
draw_corrections(workspace(), person, datasets[chosen])
