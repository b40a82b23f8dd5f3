"""One query on the page of corrections: its corrections with both sides, its pages, and the form that revises one."""

from __future__ import annotations

import streamlit as st

from audit_core.corrections.records import CorrectionState
from audit_core.ui.corrections_drawing import Draft, correction_html, figures_html, page_names
from audit_core.ui.corrections_revision import REVISING, revision_form
from audit_core.ui.plain_text import plain
from audit_core.workflow.correction_standing import Standing
from audit_core.workflow.correction_view import QueryCorrections
from audit_core.workflow.workspace import Workspace

#: The beginning of the keys of ticks.
CHOSEN = "correction-chosen-"


def draw_query(workspace: Workspace, view: QueryCorrections) -> None:
    """Draw a query with those of its corrections that are listed."""
    with st.container(border=True, key=f"corrected-{view.query_id}"):
        structures = list(dict.fromkeys(each.structure.words for each in view.standings if each.structure is not None))
        st.markdown(f"**{plain(view.query_id)}** · {plain(view.text or 'The dataset has no such query.')}")
        said = [f"answer: {plain(view.answer)}" if view.answer else "no answer"]
        st.caption(" · ".join([*said, *(f"structure: {plain(each)}" for each in structures)]))
        words, pages = st.columns([6, 5]) if view.figures else (st.container(), None)
        draft = None
        with words:
            for each in view.standings:
                draft = _draw_correction(workspace, each, view) or draft
        if pages is not None:
            pages.html(figures_html(view.figures, draft))


def _draw_correction(workspace: Workspace, standing: Standing, view: QueryCorrections) -> Draft | None:
    row = standing.row
    is_over = row.state is CorrectionState.SUPERSEDED
    with st.container(key=f"correction-row-{row.id}"):
        box, said, door = st.columns([1, 14, 2])
        box.checkbox(
            f"Choose {row.id}", key=f"{CHOSEN}{row.id}", label_visibility="collapsed", disabled=is_over
        )  # fmt: skip
        said.html(correction_html(standing, page_names(view)))
        if is_over:
            return None
        door.button("Revise", key=f"revise-open-{row.id}", type="tertiary", on_click=_turn_to, args=(row.id,))
    if st.session_state.get(REVISING) != row.id:
        return None
    return revision_form(workspace, row, {each.page["page_id"]: each for each in view.figures})


def _turn_to(correction_id: int) -> None:
    """Open the form of a correction, or close it where it is open."""
    is_open = st.session_state.get(REVISING) == correction_id
    st.session_state[REVISING] = None if is_open else correction_id
