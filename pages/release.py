"""Release: what the accepted corrections of a dataset come to as a new revision, and the releases made; `?dataset=ID`."""

import streamlit as st

from audit_core.domain import Role
from audit_core.ui.access import require_person, workspace
from audit_core.ui.addresses import link_to, whole_number
from audit_core.ui.release_form import draw_release_form
from audit_core.ui.release_list import draw_releases
from audit_core.workflow.importing import list_datasets

person = require_person(Role.LEAD)
link_to("datasets", "Datasets", icon=":material/arrow_back:")
st.title("Release", anchor=False)
asked = whole_number("dataset")
datasets = {each.id: each for each in list_datasets(workspace()) if each.archived_at is None or each.id == asked}
if not datasets:
    st.info("There is no dataset yet whose corrections could be released.")
    st.stop()
if "dataset" in st.query_params and asked not in datasets:
    st.warning("There is no dataset of that number here; these are the releases of another one.")
ids = list(datasets)
chosen = st.selectbox(
    "Dataset",
    ids,
    index=ids.index(asked) if asked in datasets else 0,
    format_func=lambda each: f"{datasets[each].shown}, revision {datasets[each].revision}",
)
st.query_params["dataset"] = str(chosen)
draw_release_form(workspace(), person, datasets[chosen])
draw_releases(workspace(), person, datasets[chosen])
