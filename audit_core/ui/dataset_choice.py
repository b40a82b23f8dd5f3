"""Choosing the dataset that a page is about; the address keeps it as `?dataset=ID`."""

from __future__ import annotations

import streamlit as st

from audit_core.storage.datasets import DatasetRow
from audit_core.ui.addresses import whole_number
from audit_core.workflow.importing import list_datasets
from audit_core.workflow.workspace import Workspace


def choose_dataset(workspace: Workspace, *, shown: str) -> DatasetRow | None:
    """Draw the choice and return the dataset; None where there is none. An archived one is shown where its address asks for it.

    `shown` is what the page shows of it, such as `corrections`.
    """
    asked = whole_number("dataset")
    datasets = {each.id: each for each in list_datasets(workspace) if each.archived_at is None or each.id == asked}
    if not datasets:
        return None
    if "dataset" in st.query_params and asked not in datasets:
        st.warning(f"There is no dataset of that number here; these are the {shown} of another one.")
    ids = list(datasets)
    chosen = st.selectbox(
        "Dataset",
        ids,
        index=ids.index(asked) if asked in datasets else 0,
        format_func=lambda each: f"{datasets[each].shown}, revision {datasets[each].revision}",
    )
    st.query_params["dataset"] = str(chosen)
    return datasets[chosen]
