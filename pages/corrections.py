"""Corrections: what is proposed for the queries of a dataset, before and after, accepted or rejected; `?dataset=ID`."""

import streamlit as st

from audit_core.domain import Role
from audit_core.ui.access import require_person, workspace
from audit_core.ui.addresses import link_to
from audit_core.ui.corrections_page import draw_corrections
from audit_core.ui.dataset_choice import choose_dataset

person = require_person(Role.ADJUDICATOR)
title, choice, door = st.columns([5, 7, 3], vertical_alignment="bottom")
title.title("Corrections", anchor=False)
with choice:
    dataset = choose_dataset(workspace(), shown="corrections")
if dataset is None:
    st.info("There is no dataset yet whose queries could be corrected.")
    link_to("campaigns", "Go to the campaigns")
    st.stop()
draw_corrections(workspace(), person, dataset, door)
