"""Release: what the accepted corrections of a dataset come to as a new revision, and the releases made; `?dataset=ID`."""

import streamlit as st

from audit_core.domain import Role
from audit_core.ui.access import require_person, workspace
from audit_core.ui.addresses import link_to
from audit_core.ui.dataset_choice import choose_dataset
from audit_core.ui.release_form import draw_release_form
from audit_core.ui.release_list import draw_releases

person = require_person(Role.LEAD)
link_to("datasets", "Datasets", icon=":material/arrow_back:")
st.title("Release", anchor=False)
dataset = choose_dataset(workspace(), shown="releases")
if dataset is None:
    st.info("There is no dataset yet whose corrections could be released.")
    st.stop()
draw_release_form(workspace(), person, dataset)
draw_releases(workspace(), person, dataset)
