"""Which dataset a comparison is about, and where its labels come from."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from audit_core.domain import CODE_MEANINGS, IssueCode
from audit_core.errors import AssayError
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.ui.addresses import link_to, whole_number
from audit_core.ui.plain_text import plain
from audit_core.workflow.label_sources import AUDIT, LabelSource, label_sources
from audit_core.workflow.workspace import Workspace
from cleaning.label_import import import_labels
from cleaning.labels import REMOVE_CODES


def choose_dataset(datasets: Sequence[DatasetRow]) -> DatasetRow:
    """Draw the choice of a dataset and return it; `?dataset=ID` in the address chooses one beforehand."""
    asked = whole_number("dataset")
    ids = [each.id for each in datasets]
    return st.selectbox(
        "Dataset",
        datasets,
        index=ids.index(asked) if asked in ids else 0,
        format_func=lambda each: f"{each.shown} (revision {each.revision})",
        key="compare-dataset",
    )


def choose_labels(
    workspace: Workspace, dataset: DatasetRow, person: Person, *, evaluates: bool
) -> tuple[LabelSource, str] | None:
    """Draw the choice of labels; return the source and the audit codes that mean removal, None where there are none.

    Where they are to evaluate, labels that may only train are not offered.
    """
    take_labels_file(workspace, dataset, person)
    sources = label_sources(workspace, dataset)
    keys = {each.key: each for each in sources if not (evaluates and each.trains_only)}
    if not keys:
        _say_none(dataset, only_trains=bool(sources))
        return None
    state = f"compare-labels-{dataset.id}"
    if st.session_state.get(state) not in keys:
        # Chosen where more is offered, or gone since.
        st.session_state.pop(state, None)
    chosen = st.selectbox("Labels", list(keys), format_func=lambda key: _named(keys[key]), key=state)
    source = keys[chosen]
    st.caption(plain(" ".join([_about(source, evaluates=evaluates), source.says]).strip()))
    return source, _codes(source)


def _say_none(dataset: DatasetRow, *, only_trains: bool) -> None:
    says = (
        "has only labels of queries that strategies' scores chose, which may train and never evaluate. Judge some of the "
        "random share of their campaign, or upload a file of labels."
        if only_trains
        else "has no labels that say which queries to remove. Judge queries in a campaign, or upload a file of labels."
    )
    st.warning(f"{plain(dataset.shown)} {says}", icon=":material/label_off:")
    link_to("new_campaign", "Start a campaign", icon=":material/add:")


def _about(source: LabelSource, *, evaluates: bool) -> str:
    words = f"{source.kind.capitalize()}, {source.queries:,} queries"
    if not evaluates:
        return f"{words}."
    if source.is_probability:
        return f"{words}, drawn at random with known chances: rates are weighted to the whole they were drawn from."
    return f"{words}, no random sample: rates describe the labelled queries alone."


def take_labels_file(workspace: Workspace, dataset: DatasetRow, person: Person) -> None:
    """Draw the upload of a file of labels, and take it into the dataset when it is sent."""
    with st.popover("Labels from a file", icon=":material/upload_file:"):
        st.caption(
            "JSON Lines, CSV or Parquet with `query_id` and `remove` (true, false, 1, 0, remove, keep); `annotator` and "
            "`probability` (the chance with which the query was drawn) if you have them."
        )
        with st.form(f"labels-file-{dataset.id}", border=False, clear_on_submit=True):
            sent = st.file_uploader("File", type=["jsonl", "csv", "parquet"])
            if not st.form_submit_button("Take it in") or sent is None:
                return
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / Path(sent.name).name
            file.write_bytes(sent.getvalue())
            try:
                added = import_labels(workspace, dataset, file, person=person)
            except AssayError as error:
                st.error(plain(str(error)))
                return
    st.session_state[f"compare-labels-{dataset.id}"] = f"labels:{added.name}"
    left = f" {len(added.unknown):,} queries are not in the dataset and were left out." if added.unknown else ""
    st.success(f"{added.labels:,} labels are in {plain(added.name)}.{left}")


def _named(source: LabelSource) -> str:
    return f"{source.name} ({source.kind}, {source.queries:,})"


def _codes(source: LabelSource) -> str:
    default = "".join(code.value for code in IssueCode if code in REMOVE_CODES)
    if source.kind != AUDIT:
        return default
    chosen = st.multiselect(
        "Codes that mean removal",
        [code.value for code in IssueCode],
        default=list(default),
        format_func=lambda code: f"{code}: {CODE_MEANINGS[IssueCode(code)]}",
        key="compare-codes",
        help="E and U are faults of the evidence: they are mended, and the query stays. F and N are faults of the query.",
    )
    return "".join(code.value for code in IssueCode if code.value in chosen)
