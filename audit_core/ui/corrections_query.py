"""One query on the page of corrections: its corrections with both sides, its pages, and the form that revises one."""

from __future__ import annotations

import json

import streamlit as st

from audit_core.corrections.checking import ON_A_PAGE, TEXT_MAX
from audit_core.corrections.records import Action, CorrectionState
from audit_core.domain import IssueCode, Role
from audit_core.errors import AssayError
from audit_core.storage.corrections import CorrectionRow
from audit_core.ui.access import acting_person
from audit_core.ui.corrections_drawing import correction_html, figures_html, page_names
from audit_core.ui.plain_text import plain
from audit_core.workflow.correction_standing import Standing
from audit_core.workflow.correction_view import QueryCorrections
from audit_core.workflow.corrections_revising import revise, rewritten
from audit_core.workflow.workspace import Workspace

#: What came of the last action, said above the list the next time it is drawn; and the beginning of the keys of ticks.
SAID = "corrections-said"
CHOSEN = "correction-chosen-"
_NOTHING_TO_WRITE = (Action.DROP_PAGE, Action.WITHDRAW)
_NO_CODE = "no code"


def draw_query(workspace: Workspace, view: QueryCorrections) -> None:
    """Draw a query with those of its corrections that are listed."""
    with st.container(border=True, key=f"corrected-{view.query_id}"):
        structures = list(dict.fromkeys(each.structure.words for each in view.standings if each.structure is not None))
        st.markdown(f"**{plain(view.query_id)}** · {plain(view.text or 'The dataset has no such query.')}")
        said = [f"answer: {plain(view.answer)}" if view.answer else "no answer"]
        st.caption(" · ".join([*said, *(f"structure: {plain(each)}" for each in structures)]))
        names = page_names(view.figures)
        words, pages = st.columns([6, 5]) if view.figures else (st.container(), None)
        with words:
            for each in view.standings:
                _draw_correction(workspace, each, names)
        if pages is not None:
            pages.html(figures_html(view.figures))


def _draw_correction(workspace: Workspace, standing: Standing, names: dict[str, str]) -> None:
    row = standing.row
    is_over = row.state is CorrectionState.SUPERSEDED
    box, said, door = st.columns([1, 14, 2])
    box.checkbox(
        f"Choose {row.id}", key=f"{CHOSEN}{row.id}", label_visibility="collapsed", disabled=is_over
    )  # fmt: skip
    said.html(correction_html(standing, names))
    if not is_over:
        with door.popover("", icon=":material/edit:", help="Revise this correction"):
            _revision_form(workspace, row)


def _revision_form(workspace: Workspace, row: CorrectionRow) -> None:
    action = row.change.action
    with st.form(f"revise-{row.id}", border=False):
        if action not in _NOTHING_TO_WRITE:
            is_piece = action in ON_A_PAGE
            st.text_area(
                "What shall stand there, as one piece of evidence (JSON)" if is_piece else "What shall stand there",
                _written(row), max_chars=TEXT_MAX, key=f"revise-after-{row.id}", width=420,
                help=None if action is Action.REWORD else "Empty for nothing",
            )  # fmt: skip
        codes = [*(each.value for each in IssueCode), _NO_CODE]
        st.selectbox(
            "Issue code that it mends", codes, index=codes.index(row.code or _NO_CODE), key=f"revise-code-{row.id}"
        )
        st.text_input("Reason", row.reason, max_chars=TEXT_MAX, key=f"revise-reason-{row.id}")
        st.form_submit_button("Propose this revision", on_click=_revise, args=(workspace, row))


def _written(row: CorrectionRow) -> str:
    after = row.change.after
    if after is None:
        return ""
    return after if isinstance(after, str) else json.dumps(after, ensure_ascii=False)


def _revise(workspace: Workspace, row: CorrectionRow) -> None:
    """Store the revision that somebody wrote; what is wrong with it is said above the list."""
    try:
        person = acting_person(Role.ADJUDICATOR)
        change = row.change
        if change.action not in _NOTHING_TO_WRITE:
            change = rewritten(row, st.session_state.get(f"revise-after-{row.id}") or None)
        code = st.session_state.get(f"revise-code-{row.id}")
        reason = str(st.session_state.get(f"revise-reason-{row.id}", ""))
        made = revise(
            workspace, person, row.id, change=change, code=None if code == _NO_CODE else code, reason=reason
        )  # fmt: skip
        st.session_state[SAID] = (
            "success",
            f"Revision {made.revision} of correction {made.first_id} is proposed, as {made.id}.",
        )
    except AssayError as error:
        st.session_state[SAID] = ("error", str(error))
