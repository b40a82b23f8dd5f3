"""The form that revises a correction: its text, or its box by numbers that are drawn on the page beside, code and reason."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from audit_core.corrections.checking import ON_A_PAGE, TEXT_MAX
from audit_core.corrections.pieces import box_of
from audit_core.corrections.records import Action
from audit_core.domain import ELEMENT_KINDS, Box, IssueCode, JsonObject, Role
from audit_core.errors import AssayError
from audit_core.storage.corrections import CorrectionRow
from audit_core.ui.access import acting_person
from audit_core.ui.corrections_drawing import Draft
from audit_core.workflow.correction_view import Figure
from audit_core.workflow.corrections_revising import revise, rewritten
from audit_core.workflow.workspace import Workspace

#: What came of the last action, said above the list the next time it is drawn; and which correction is being revised.
SAID = "corrections-said"
REVISING = "correction-revised"
_NO_CODE = "no code"
#: What such a correction does is all said by its page: only its code and reason can be others.
_NOTHING_TO_WRITE = (Action.DROP_PAGE, Action.DROP_BOX, Action.WITHDRAW)
_SIDES = ("left", "top", "right", "bottom")
_RELEVANCES = {1: "necessary, but partial", 2: "complete by itself"}


def revision_form(workspace: Workspace, row: CorrectionRow, figures: Mapping[str, Figure]) -> Draft | None:
    """Draw the form of one correction and return the box that it holds now, None where it holds none."""
    draft = None
    with st.container(border=True, key=f"revise-{row.id}"):
        if row.change.action in ON_A_PAGE:
            draft = _piece_fields(row, figures.get(row.change.key["page_id"]))
        elif row.change.action not in _NOTHING_TO_WRITE:
            st.text_area(
                "What shall stand there", row.change.after or "", max_chars=TEXT_MAX, key=f"revise-after-{row.id}",
                help=None if row.change.action is Action.REWORD else "Empty for no answer",
            )  # fmt: skip
        codes = [*(each.value for each in IssueCode), _NO_CODE]
        code, reason = st.columns([2, 5])
        code.selectbox(
            "Code that it mends", codes, index=codes.index(row.code or _NO_CODE), key=f"revise-code-{row.id}"
        )
        reason.text_input("Reason", row.reason, max_chars=TEXT_MAX, key=f"revise-reason-{row.id}")
        with st.container(horizontal=True):
            st.button(
                "Propose this revision", type="primary", key=f"revise-propose-{row.id}", on_click=_revise,
                args=(workspace, row),
            )  # fmt: skip
            st.button("Leave it as it is", key=f"revise-leave-{row.id}", on_click=_close)
    return draft


def _piece_fields(row: CorrectionRow, figure: Figure | None) -> Draft | None:
    """Draw the fields of the evidence that shall stand there, and return its box as the page shows it."""
    piece = row.change.after
    if row.change.action in _NOTHING_TO_WRITE:
        return None
    draft = None
    if (box := box_of(piece)) is not None:
        size = figure.size if figure else None
        in_parts = size == (1.0, 1.0)
        for at, (name, column) in enumerate(zip(_SIDES, st.columns(4), strict=True)):
            column.number_input(
                name, value=float(box[at]), step=0.01 if in_parts else 1.0, format="%.4f" if in_parts else "%.1f",
                key=f"revise-{name}-{row.id}",
            )  # fmt: skip
        if size is not None:
            unit = "in parts of the page" if in_parts else f"the page is {size[0]:g} wide and {size[1]:g} high"
            st.caption(f"The box is drawn on the page as you change it; {unit}.")
            draft = _draft(row, size)
    kind, element, relevance = st.columns(3)
    kinds = list(ELEMENT_KINDS)
    kind.selectbox(
        "Kind", kinds, index=kinds.index(piece["kind"]) if "kind" in piece else None, placeholder="none",
        key=f"revise-kind-{row.id}",
    )  # fmt: skip
    element.text_input("Element", piece.get("element_id", ""), placeholder="none", key=f"revise-element-{row.id}")
    relevance.selectbox(
        "Relevance", list(_RELEVANCES), index=list(_RELEVANCES).index(piece.get("relevance", 1)),
        format_func=_RELEVANCES.__getitem__, key=f"revise-relevance-{row.id}",
    )  # fmt: skip
    return draft


def _sides(row: CorrectionRow) -> list[float]:
    return [float(st.session_state[f"revise-{name}-{row.id}"]) for name in _SIDES]


def _draft(row: CorrectionRow, size: tuple[float, float]) -> Draft | None:
    left, top, right, bottom = _sides(row)
    if not (left < right and top < bottom):
        return None
    box = Box(left / size[0], top / size[1], right / size[0], bottom / size[1])
    return Draft(row.change.key["page_id"], row.id, box)


def _wanted(row: CorrectionRow) -> object:
    """Return what the form says shall stand there."""
    if row.change.action in _NOTHING_TO_WRITE:
        return row.change.after
    if row.change.action not in ON_A_PAGE:
        return st.session_state.get(f"revise-after-{row.id}") or None
    piece: JsonObject = {
        **row.change.after,
        "kind": st.session_state[f"revise-kind-{row.id}"],
        "element_id": str(st.session_state[f"revise-element-{row.id}"]).strip() or None,
        "relevance": st.session_state[f"revise-relevance-{row.id}"],
    }
    return {**piece, "box": _sides(row)} if "box" in piece else piece


def _revise(workspace: Workspace, row: CorrectionRow) -> None:
    """Store the revision that somebody wrote; what is wrong with it is said above the list, and the form stays."""
    try:
        person = acting_person(Role.ADJUDICATOR)
        change = rewritten(row, _wanted(row))
        code = st.session_state.get(f"revise-code-{row.id}")
        reason = str(st.session_state.get(f"revise-reason-{row.id}", ""))
        made = revise(
            workspace, person, row.id, change=change, code=None if code == _NO_CODE else code, reason=reason
        )  # fmt: skip
        words = f"Revision {made.revision} of correction {made.first_id} is proposed, as {made.id}."
        st.session_state[SAID] = ("success", words)
        _close()
    except AssayError as error:
        st.session_state[SAID] = ("error", str(error))


def _close() -> None:
    st.session_state.pop(REVISING, None)
