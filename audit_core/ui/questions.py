"""Annotators' questions as the questions page shows them."""

from __future__ import annotations

import streamlit as st

from audit_core.errors import AssayError
from audit_core.storage.flags import FlagView
from audit_core.storage.people import Person
from audit_core.storage.precedents import PrecedentRow
from audit_core.ui.addresses import judge_address
from audit_core.ui.plain_text import plain
from audit_core.ui.precedent_list import draw_rule_of_question
from audit_core.ui.same_tab_link import same_tab_link
from audit_core.workflow.flags import answer_flag, list_flags
from audit_core.workflow.precedent_marks import list_precedents
from audit_core.workflow.workspace import Workspace


def draw_questions(workspace: Workspace, person: Person, campaign_id: int) -> None:
    """Draw the questions of a campaign, those without an answer first, each with a field to answer it."""
    asked = list_flags(workspace, campaign_id)
    waiting = sum(each.flag.answered_at is None for each in asked)
    st.caption(
        f"{len(asked):,} asked, {waiting:,} without an answer. Whoever asked sees the answer with the entry; "
        "other annotators see neither there, unless you make it a precedent."
    )
    if not asked:
        st.info("Nobody has asked anything yet. On the judging page, the key ! asks about the entry in view.")
    rules = {each.flag_id: each for each in list_precedents(workspace, person, campaign_id) if each.flag_id is not None}
    for each in asked:
        draw_question(workspace, person, campaign_id, each, rules)


def draw_question(
    workspace: Workspace, person: Person, campaign_id: int, asked: FlagView, rules: dict[int, PrecedentRow]
) -> None:
    """Draw one question with its entry, its answer and its rule if there are any, and fields for both."""
    flag = asked.flag
    with st.container(border=True):
        words, door = st.columns([8, 2], vertical_alignment="center")
        with words:
            st.markdown(plain(flag.question))
            st.caption(
                f"{plain(asked.asked_by)} on entry {asked.entry_number} (query {plain(asked.query_id)}), "
                f"{flag.raised_at[:16].replace('T', ' ')} UTC"
            )
        with door.container(horizontal=True, horizontal_alignment="right"):
            address = f"{judge_address(campaign_id)}&entry={asked.entry_number}"
            same_tab_link("Open the entry", address, key=f"entry-of-{flag.id}")
        if flag.answered_at is not None:
            st.caption(f"Answered by {plain(asked.answered_by or '')}, {flag.answered_at[:16].replace('T', ' ')} UTC")
        _draw_answer(workspace, person, asked)
        if flag.answered_at is not None:
            draw_rule_of_question(workspace, person, flag.id, rules)


def _draw_answer(workspace: Workspace, person: Person, asked: FlagView) -> None:
    flag = asked.flag
    with st.form(f"answer-{flag.id}", border=False):
        text = st.text_area("Answer", flag.answer or "", height=80, label_visibility="collapsed", placeholder="Answer")
        label = "Answer" if flag.answered_at is None else "Change the answer"
        if not st.form_submit_button(label):
            return
    try:
        answer_flag(workspace, person, flag_id=flag.id, answer=text)
    except AssayError as error:
        st.error(str(error))
        return
    st.rerun()
