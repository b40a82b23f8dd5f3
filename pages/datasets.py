"""Datasets: what was imported, its findings, and the import of another bundle."""

import streamlit as st

from audit_core.domain import Role
from audit_core.ui.access import require_person, workspace
from audit_core.ui.dataset_import import import_form
from audit_core.ui.dataset_list import draw_dataset
from audit_core.ui.housekeeping import archived_datasets, draw_notice
from audit_core.workflow.importing import list_datasets

person = require_person(Role.LEAD)
st.title("Datasets", anchor=False)
draw_notice()
import_form(workspace(), person)
datasets = list_datasets(workspace())
if not datasets:
    st.info("No dataset yet. Upload a zipped bundle above, or run `python -m audit_core import FOLDER`.")
for dataset in datasets:
    if dataset.archived_at is None:
        draw_dataset(workspace(), person, dataset)
archived_datasets(workspace(), person, [each for each in datasets if each.archived_at is not None])
