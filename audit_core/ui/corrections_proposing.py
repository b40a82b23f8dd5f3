"""Proposing corrections on their page: what the decisions of a campaign ask for, and what a file holds."""

from __future__ import annotations

import tempfile
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from audit_core.domain import Role
from audit_core.errors import AssayError
from audit_core.storage.datasets import DatasetRow
from audit_core.ui.access import acting_person, workspace
from audit_core.ui.plain_text import plain
from audit_core.workflow.campaigns import list_campaigns
from audit_core.workflow.corrections import propose_from_decisions
from audit_core.workflow.corrections_file import propose_from_file
from audit_core.workflow.workspace import Workspace

_SAID = "corrections-proposed"
_NAMED = 10


def draw_proposing(home: Workspace, dataset: DatasetRow, door: DeltaGenerator) -> None:
    """Draw behind a `door` the ways to propose corrections, and below the head what came of the last one."""
    if (said := st.session_state.pop(_SAID, None)) is not None:
        kind, words = said
        (st.error if kind == "error" else st.success)(plain(words).replace("\n", "  \n"))
    with door.popover("Propose", icon=":material/add:", width="stretch"):
        _campaign_form(home, dataset)
        st.divider()
        _file_form(dataset)


def _campaign_form(home: Workspace, dataset: DatasetRow) -> None:
    campaigns = [each.campaign for each in list_campaigns(home, archived=None) if each.dataset.id == dataset.id]
    if not campaigns:
        st.caption("This dataset has no campaign whose decisions could ask for corrections.")
        return
    names = {each.id: each.name for each in campaigns}
    chosen = st.selectbox("Campaign", list(names), format_func=names.__getitem__, key="propose-campaign")
    withdraws = st.checkbox(
        "Withdraw queries that are decided N, where the decision proposes nothing", key="propose-withdraws"
    )
    st.button(
        "Propose what its decisions ask for",
        key="propose-decisions",
        on_click=_from_decisions,
        args=(chosen, withdraws),
    )


def _from_decisions(campaign_id: int, withdraws: bool) -> None:
    try:
        made = propose_from_decisions(workspace(), acting_person(Role.ADJUDICATOR), campaign_id, withdraws=withdraws)
        left = "".join(f"\nEntry {each.id}: {each.reason}" for each in made.left[:_NAMED])
        more = f"\nAnd {len(made.left) - _NAMED:,} more." if len(made.left) > _NAMED else ""
        st.session_state[_SAID] = ("success", f"{made.words}{left}{more}")
    except AssayError as error:
        st.session_state[_SAID] = ("error", str(error))


def _file_form(dataset: DatasetRow) -> None:
    given = st.file_uploader("Corrections file (.jsonl)", type=["jsonl"], key="propose-file")
    st.button(
        "Propose what it holds", key="propose-from-file", disabled=given is None, on_click=_from_file, args=(dataset,)
    )


def _from_file(dataset: DatasetRow) -> None:
    given = st.session_state.get("propose-file")
    if given is None:
        return
    try:
        person = acting_person(Role.ADJUDICATOR)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / (Path(given.name).name or "corrections.jsonl")
            file.write_bytes(given.getvalue())
            made = propose_from_file(workspace(), person, dataset, file)
        st.session_state[_SAID] = ("success", made.words)
    except AssayError as error:
        st.session_state[_SAID] = ("error", str(error))
