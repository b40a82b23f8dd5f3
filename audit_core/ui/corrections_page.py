"""The page of corrections: what is proposed, both sides of each, and a person's word on one or many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from audit_core.corrections.planning import NO_EVIDENCE
from audit_core.corrections.records import Action, CorrectionState
from audit_core.corrections.wording import ACTION_WORDS
from audit_core.domain import IssueCode, Role
from audit_core.errors import AssayError
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.ui.access import acting_person, only_for
from audit_core.ui.addresses import link_to_releases
from audit_core.ui.corrections_drawing import dress_corrections
from audit_core.ui.corrections_proposing import draw_proposing
from audit_core.ui.corrections_query import CHOSEN, draw_query
from audit_core.ui.corrections_revision import SAID
from audit_core.ui.plain_text import plain
from audit_core.workflow.correction_standing import Standing
from audit_core.workflow.correction_view import by_query, query_views, without_sealed
from audit_core.workflow.corrections import NOTE_MAX, list_corrections, rebase, review
from audit_core.workflow.corrections_proposing import counted
from audit_core.workflow.corrections_revising import Done
from audit_core.workflow.workspace import Workspace

#: Queries on one page of the list.
AT_ONCE = 8
#: Reasons that are named when corrections are left.
_NAMED = 5
_NO_CODE = "no code"


def draw_corrections(workspace: Workspace, person: Person, dataset: DatasetRow, door: DeltaGenerator) -> None:
    """Draw the corrections of a dataset, and the ways to propose some behind a `door` in the page's head."""
    dress_corrections()
    draw_proposing(workspace, dataset, door)
    _draw_list(workspace, person, dataset)


@st.fragment
@only_for(Role.ADJUDICATOR)
def _draw_list(workspace: Workspace, person: Person, dataset: DatasetRow) -> None:
    found, sealed = without_sealed(workspace, person, dataset, list_corrections(workspace, dataset.id))
    _draw_said()
    if sealed:
        one = sealed == 1
        st.caption(
            f"Corrections of {sealed:,} {'query' if one else 'queries'} wait for your own judgment on "
            f"{'it' if one else 'them'}; they are shown after it."
        )
    if not found:
        st.info(
            "No corrections yet. Propose what the decisions of a campaign ask for with the button above, or run "
            "`python -m audit_core corrections propose`."
        )
        return
    _draw_summary(dataset, found)
    *filters, leaf = st.columns([3, 4, 2, 3, 2], vertical_alignment="bottom")
    shown = _narrowed(dataset, found, filters)
    if not shown:
        st.info("No correction is like that.")
        return
    groups = by_query(shown)
    parts = -(-len(groups) // AT_ONCE)
    number = 1
    if parts > 1:
        number = int(leaf.number_input(f"Page of {parts:,}", 1, parts, 1, key=f"corrections-part-{dataset.id}"))
    in_view = groups[AT_ONCE * (number - 1) : AT_ONCE * number]
    _draw_bar(workspace, shown, [each.row.id for group in in_view for each in group])
    for view in query_views(workspace, person, dataset, in_view):
        draw_query(workspace, view)


def _draw_summary(dataset: DatasetRow, found: list[Standing]) -> None:
    counts = {state: sum(each.row.state is state for each in found) for state in CorrectionState}
    told = [f"{number:,} {state}" for state, number in counts.items()]
    live = [each for each in found if each.row.is_live]
    broken = [each for each in live if each.misfit is not None and each.row.state is CorrectionState.ACCEPTED]
    if broken:
        st.error(
            f"{counted(len(broken))} that {'is' if len(broken) == 1 else 'are'} accepted no longer fit"
            f"{'s' if len(broken) == 1 else ''}: rebase or reject before a release. "
            f"{plain(', '.join(str(each.row.id) for each in broken[:_NAMED]))}{' …' if len(broken) > _NAMED else ''}",
            icon=":material/error:",
        )
    stale = sum(each.misfit is not None for each in live) - len(broken)
    conflicting = sum(each.conflict is not None for each in live)
    empty = len({each.row.query_id for each in live if each.structure is not None and each.structure.is_empty})
    told += [
        words
        for words, number in (
            (f"{stale:,} proposed do not fit what is accepted", stale),
            (f"{conflicting:,} conflict with an earlier proposal", conflicting),
            (f"{empty:,} {'query' if empty == 1 else 'queries'} with {NO_EVIDENCE}", empty),
        )
        if number
    ]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(" · ".join(told), width="content")
        if counts[CorrectionState.ACCEPTED] and not counts[CorrectionState.PROPOSED] and not broken:
            st.caption("**All are reviewed.** The next step is a release:", width="content")
            link_to_releases(dataset.id)


def _narrowed(dataset: DatasetRow, found: list[Standing], places: Sequence[DeltaGenerator]) -> list[Standing]:
    """Draw the filters into their places and return the corrections that they leave."""
    state, action, code, query = places
    counts = {each: sum(one.row.state is each for one in found) for each in CorrectionState}
    key = f"corrections-state-{dataset.id}"
    st.session_state.setdefault(key, _first_shown(counts))
    wanted = state.selectbox(
        "State", list(CorrectionState), key=key,
        format_func=lambda each: f"{each} ({counts[each]:,})", on_change=_leave,
    )  # fmt: skip
    what = action.selectbox(
        "Action", list(Action), index=None, placeholder="any", format_func=ACTION_WORDS.__getitem__, key="corrections-action",
        on_change=_leave,
    )  # fmt: skip
    mends = code.selectbox(
        "Code", [*(each.value for each in IssueCode), _NO_CODE], index=None, placeholder="any", key="corrections-code", on_change=_leave
    )  # fmt: skip
    words = query.text_input("Query id", placeholder="any", key="corrections-query", on_change=_leave).strip()
    return [
        each
        for each in found
        if each.row.state is wanted
        and (what is None or each.row.change.action is what)
        and (mends is None or (each.row.code or _NO_CODE) == mends)
        and (not words or words in each.row.query_id)
    ]


def _first_shown(counts: Mapping[CorrectionState, int]) -> CorrectionState:
    """Return the state that is shown first: what waits for a review, else what was accepted."""
    waiting = counts[CorrectionState.PROPOSED] or not counts[CorrectionState.ACCEPTED]
    return CorrectionState.PROPOSED if waiting else CorrectionState.ACCEPTED


def _draw_bar(workspace: Workspace, shown: list[Standing], in_view: list[int]) -> None:
    """Draw what is done with the chosen corrections: all that the filters leave can be chosen at once."""
    listed = [each.row.id for each in shown]
    chosen = [each for each in listed if st.session_state.get(f"{CHOSEN}{each}")]
    stale = {each.row.id for each in shown if each.can_be_rebased}
    with st.container(border=True, key="corrections-bar"):
        note, doors = st.columns([4, 9], vertical_alignment="bottom")
        note.text_input(
            "Note to the review", max_chars=NOTE_MAX, key="corrections-note", label_visibility="collapsed",
            placeholder="Note (needed to reject accepted ones)",
        )  # fmt: skip
        with doors.container(horizontal=True, horizontal_alignment="right", gap="small"):
            st.button(
                "Choose these", key="choose-these", on_click=_choose, args=(in_view, True), help="All on this page of the list"
            )  # fmt: skip
            st.button(f"Choose all {len(listed):,}", key="choose-all", on_click=_choose, args=(listed, True))
            st.button("None", key="choose-none", on_click=_choose, args=(listed, False), disabled=not chosen)
            _act_button(workspace, "Accept", ":material/check:", CorrectionState.ACCEPTED, chosen)
            _act_button(workspace, "Reject", ":material/close:", CorrectionState.REJECTED, chosen)
            if stale:
                _act_button(workspace, "Rebase", ":material/update:", None, [each for each in chosen if each in stale])


def _act_button(workspace: Workspace, label: str, icon: str, state: CorrectionState | None, ids: list[int]) -> None:
    words = f"{label} {len(ids):,}" if ids else label
    key = f"corrections-{label.lower()}"
    st.button(words, key=key, icon=icon, disabled=not ids, on_click=_act, args=(workspace, ids, state))


def _choose(ids: list[int], is_chosen: bool) -> None:
    for each in ids:
        st.session_state[f"{CHOSEN}{each}"] = is_chosen


def _act(workspace: Workspace, ids: list[int], state: CorrectionState | None) -> None:
    """Review or rebase what is chosen; what came of it is said above the list, the next time it is drawn."""
    try:
        person = acting_person(Role.ADJUDICATOR)
        if state is None:
            done, what = rebase(workspace, person, ids), "rebased: each waits for a review again"
        else:
            note = str(st.session_state.get("corrections-note", ""))
            done, what = review(workspace, person, ids, state, note), str(state)
        st.session_state[SAID] = (
            "error" if done.left and not done.ids else "warning" if done.left else "success",
            _told(done, what),
        )
        if done.ids:
            st.session_state["corrections-note"] = ""
    except AssayError as error:
        st.session_state[SAID] = ("error", str(error))
    _leave()


def _told(done: Done, what: str) -> str:
    words = [f"{counted(len(done.ids))} {what}."] if done.ids else []
    if done.left:
        words.append(f"{len(done.left):,} left as they are: {' '.join(each.reason for each in done.left[:_NAMED])}")
        if len(done.left) > _NAMED:
            words.append(f"And {len(done.left) - _NAMED:,} more.")
    return " ".join(words)


def _draw_said() -> None:
    said = st.session_state.pop(SAID, None)
    if said is not None:
        kind, words = said
        draw = {"error": st.error, "warning": st.warning, "success": st.success}[kind]
        draw(plain(words))


def _leave() -> None:
    """Choose nothing any more: what is no longer in view must not be acted on unseen."""
    for name in [each for each in st.session_state if str(each).startswith(CHOSEN)]:
        st.session_state[name] = False
