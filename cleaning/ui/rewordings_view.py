"""Proposed rewordings, some at a time: before and after with what changed marked, and a person's word on each."""

from __future__ import annotations

from difflib import SequenceMatcher
from html import escape

import streamlit as st

from audit_core.errors import AssayError
from audit_core.storage.cleaning_runs import ProposalRow
from audit_core.storage.cleaning_tables import ProposalState
from audit_core.storage.people import Person
from audit_core.ui.plain_text import plain
from audit_core.workflow.cleanings import RunView
from audit_core.workflow.rewrites import decide_rewrite, list_rewrites
from audit_core.workflow.workspace import Workspace
from cleaning.ui.style import dress_comparisons

AT_ONCE = 10
_COLOURS = {ProposalState.PROPOSED: "gray", ProposalState.ACCEPTED: "green", ProposalState.REJECTED: "orange"}


def draw_rewordings(workspace: Workspace, person: Person, view: RunView) -> None:
    """Draw the page of a finished rewording run."""
    dress_comparisons()
    summary = (view.row.result or {}).get("summary")
    st.caption(
        plain(
            f"On {view.dataset.shown} revision {view.dataset.revision}. {summary or ''} Only what a person accepts goes into a cleaned revision."
        )
    )
    _draw_list(workspace, person, view)


@st.fragment
def _draw_list(workspace: Workspace, person: Person, view: RunView) -> None:
    rows = list_rewrites(workspace, view.row.id)
    counts = {state: sum(each.state is state for each in rows) for state in ProposalState}
    which = st.segmented_control(
        "Proposals", list(ProposalState), default=ProposalState.PROPOSED, required=True, key="rewordings-which",
        format_func=lambda each: f"{'open' if each is ProposalState.PROPOSED else each.value} ({counts[each]:,})",
    )  # fmt: skip
    shown = [each for each in rows if each.state is which]
    if not shown:
        st.info("None here." if rows else "The model proposed no rewording that can be used.")
        return
    parts = -(-len(shown) // AT_ONCE)
    number = 1
    if parts > 1:
        number = int(
            st.number_input(
                f"Part (of {parts:,}; {AT_ONCE} each)", 1, parts, 1, key=f"rewordings-part-{which}", width=240
            )
        )
    for each in shown[AT_ONCE * (number - 1) : AT_ONCE * number]:
        _draw(workspace, person, view, each)


def _draw(workspace: Workspace, person: Person, view: RunView, row: ProposalRow) -> None:
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
            if row.state is not ProposalState.ACCEPTED and st.button(
                "Accept", key=f"accept-{row.query_id}", type="primary"
            ):
                _decide(workspace, person, view, row, accept=True)
            if row.state is not ProposalState.REJECTED and st.button("Reject", key=f"reject-{row.query_id}"):
                _decide(workspace, person, view, row, accept=False)


def _decide(workspace: Workspace, person: Person, view: RunView, row: ProposalRow, *, accept: bool) -> None:
    try:
        decide_rewrite(workspace, view.row.id, row.query_id, accept=accept, person=person)
    except AssayError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    st.rerun(scope="fragment")


def compared(before: str, after: str) -> tuple[str, str]:
    """Return both texts as HTML, the words that the other does not have marked."""
    one, two = before.split(), after.split()
    left, right = [], []
    for what, start, end, begin, stop in SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
        gone, come = escape(" ".join(one[start:end])), escape(" ".join(two[begin:stop]))
        if what == "equal":
            left.append(gone)
            right.append(come)
            continue
        if gone:
            left.append(f"<s>{gone}</s>")
        if come:
            right.append(f"<mark>{come}</mark>")
    return " ".join(left), " ".join(right)
