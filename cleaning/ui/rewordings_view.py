"""Proposed rewordings, some at a time: before and after with what changed marked, and a person's word on each."""

from __future__ import annotations

from html import escape

import streamlit as st

from audit_core.domain import Role
from audit_core.errors import AssayError
from audit_core.storage.cleaning_runs import ProposalRow
from audit_core.storage.cleaning_tables import ProposalState
from audit_core.storage.people import Person
from audit_core.ui.access import acting_person, only_for
from audit_core.ui.plain_text import plain
from audit_core.ui.text_difference import compared
from audit_core.workflow.cleanings import RunView
from audit_core.workflow.rewrites import decide_rewrite, list_rewrites
from audit_core.workflow.waiting_judgments import waiting_for
from audit_core.workflow.workspace import Workspace
from cleaning.ui.model_answers import draw_model_answers
from cleaning.ui.run_words import what_came
from cleaning.ui.style import dress_comparisons
from cleaning.ui.waiting_queries import draw_waiting

AT_ONCE = 10
_FAULT = "rewordings-fault"
_DECIDED = "rewordings-decided"
_COLOURS = {ProposalState.PROPOSED: "gray", ProposalState.ACCEPTED: "green", ProposalState.REJECTED: "orange"}


def draw_rewordings(workspace: Workspace, person: Person, view: RunView) -> None:
    """Draw the page of a finished rewording run."""
    dress_comparisons()
    st.markdown(f"**{plain(what_came(view))}.**")
    st.caption(
        f"On {plain(view.dataset.shown)} revision {plain(view.dataset.revision)}. Only what a person accepts goes into a cleaned "
        "revision; a decision can be changed until then."
    )
    with st.expander("What was asked", icon=":material/receipt_long:"):
        draw_model_answers((view.row.result or {}).get("asked"))
    _draw_list(workspace, person, view)


@st.fragment
@only_for(Role.LEAD)
def _draw_list(workspace: Workspace, person: Person, view: RunView) -> None:
    waiting = waiting_for(workspace, view.dataset, person)
    rows = list_rewrites(workspace, view.row.id)
    draw_waiting(waiting, {each.query_id for each in rows})
    # That a query is to be reworded says what a strategy decided of it.
    rows = [each for each in rows if each.query_id not in waiting]
    counts = {state: sum(each.state is state for each in rows) for state in ProposalState}
    if fault := st.session_state.pop(_FAULT, None):
        st.error(plain(fault), icon=":material/error:")
    which = st.segmented_control(
        "Proposals", list(ProposalState), default=ProposalState.PROPOSED, required=True, key="rewordings-which",
        format_func=lambda each: f"{'open' if each is ProposalState.PROPOSED else each.value} ({counts[each]:,})",
        on_change=_leave,
    )  # fmt: skip
    # What is decided here keeps its place until the part is left: the next one must not move under the pointer.
    decided = st.session_state.setdefault(_DECIDED, set())
    shown = [each for each in rows if each.state is which or (view.row.id, each.query_id) in decided]
    if not shown:
        st.info("None here." if rows else "The model proposed no rewording that can be used.")
        return
    parts = -(-len(shown) // AT_ONCE)
    number = 1
    if parts > 1:
        number = int(
            st.number_input(
                f"Page of {parts:,}", 1, parts, 1, key=f"rewordings-part-{which}", width=240, on_change=_leave
            )
        )
    for each in shown[AT_ONCE * (number - 1) : AT_ONCE * number]:
        _draw(workspace, view, each)


def _draw(workspace: Workspace, view: RunView, row: ProposalRow) -> None:
    with st.container(border=True, key=f"rewording-{row.query_id}"):
        words, doors = st.columns([9, 3], vertical_alignment="center")
        before, after = compared(row.before, row.after)
        words.html(
            f'<div class="said" data-testid="rewording"><small>before</small>{before}<small>after</small><b>{after}</b>'
            f"<small>{escape(row.reason)}</small><small>{escape(row.query_id)}</small></div>"
        )
        with doors.container(horizontal=True, horizontal_alignment="right"):
            if row.state is not ProposalState.PROPOSED:
                st.markdown(f":{_COLOURS[row.state]}-badge[{row.state.value}] by {plain(row.decided_by or 'somebody')}")
            for accept, label, icon in ((True, "Accept", ":material/check:"), (False, "Reject", ":material/close:")):
                # Both stay where they are: a second click must not meet the other one.
                st.button(
                    label, key=f"{label.lower()}-{row.query_id}", icon=icon, on_click=_decide,
                    args=(workspace, view, row, accept),
                    disabled=row.state is (ProposalState.ACCEPTED if accept else ProposalState.REJECTED),
                )  # fmt: skip


def _decide(workspace: Workspace, view: RunView, row: ProposalRow, accept: bool) -> None:
    """Keep a person's word on a proposal; what is wrong with that is said above the list, the next time it is drawn."""
    st.session_state.setdefault(_DECIDED, set()).add((view.row.id, row.query_id))
    try:
        decide_rewrite(workspace, view.row.id, row.query_id, accept=accept, person=acting_person(Role.LEAD))
    except AssayError as error:
        st.session_state[_FAULT] = str(error)


def _leave() -> None:
    """Forget what was decided in the part that is left."""
    st.session_state.pop(_DECIDED, None)
