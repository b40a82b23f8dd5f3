"""Precedents of a campaign as leads see them: what is a rule for all, and making one of an answer or a decision."""

from __future__ import annotations

import streamlit as st

from audit_core.domain import Role
from audit_core.errors import AssayError
from audit_core.storage.people import Person
from audit_core.storage.precedents import PrecedentRow
from audit_core.ui.plain_text import plain
from audit_core.workflow.case_words import decision_line
from audit_core.workflow.precedent_marks import (
    RULE_MAX,
    Decision,
    decisions_on,
    list_precedents,
    mark_decision,
    mark_question,
    unmark,
)
from audit_core.workflow.workspace import Workspace

_PLACEHOLDER = "The rule, in a sentence that holds beyond this entry"


def draw_precedents(workspace: Workspace, person: Person, campaign_id: int) -> None:
    """Draw the precedents of a campaign, and for a lead the choice of a decision to make one of."""
    st.caption(
        "A precedent is an answered question or a decision with a rule that holds for all. Annotators find it with the key : "
        "on the judging page, once its query does not wait for them any more."
    )
    if person.role.allows(Role.LEAD):
        _draw_choice(workspace, person, campaign_id)
    found = list_precedents(workspace, person, campaign_id)
    if not found:
        st.info("There are no precedents yet. Answered questions can be made one under Questions.")
    for each in found:
        _draw(workspace, person, each)


def _draw(workspace: Workspace, person: Person, row: PrecedentRow) -> None:
    with st.container(border=True):
        words, door = st.columns([8, 2], vertical_alignment="center")
        with words:
            st.markdown(f"**{plain(row.text)}**")
            st.markdown(plain(_about(row)).replace("\n", "  \n"))
            st.caption(
                f"Entry {row.number} (query {plain(row.query_id)}), by {plain(row.marked_by)}, "
                f"{row.created_at[:16].replace('T', ' ')} UTC"
            )
        with door.container(horizontal=True, horizontal_alignment="right"):
            if person.role.allows(Role.LEAD) and st.button("Take back", key=f"unmark-{row.id}"):
                unmark(workspace, person, row.id)
                st.rerun()


def _about(row: PrecedentRow) -> str:
    if row.question is not None:
        return f"{row.question}\n→ {row.reply or ''}"
    line = decision_line(row.protocol, outcome=row.outcome or "", codes=row.codes or "", fields=row.answer or {})
    return "\n".join(filter(None, (line, row.reason, row.note)))


def _draw_choice(workspace: Workspace, person: Person, campaign_id: int) -> None:
    with st.expander("Make a decision a precedent"):
        number = st.number_input("Entry", min_value=1, value=None, step=1, key=f"precedent-entry-{campaign_id}")
        if number is None:
            return
        try:
            decisions = decisions_on(workspace, person, campaign_id=campaign_id, number=int(number))
        except AssayError as error:
            st.error(str(error))
            return
        if not decisions:
            st.info("Nobody has judged this entry yet.")
            return
        with st.form(f"precedent-{campaign_id}-{int(number)}", border=False):
            chosen = st.radio("Decision", decisions, format_func=_decision_words)
            rule = st.text_input("Rule", max_chars=RULE_MAX, placeholder=_PLACEHOLDER)
            if not st.form_submit_button("Make it a precedent"):
                return
        try:
            mark_decision(workspace, person, judgment_id=chosen.case.judgment_id, text=rule)
        except AssayError as error:
            st.error(str(error))
            return
        st.rerun()


def _decision_words(decision: Decision) -> str:
    note = " ".join((decision.case.reason or decision.case.note).split())
    said = f": {note[:120]}" if note else ""
    return plain(f"{decision.annotator}, {decision.line}{said}")


def draw_rule_of_question(workspace: Workspace, person: Person, flag_id: int, rules: dict[int, PrecedentRow]) -> None:
    """Draw the field that makes an answered question a precedent, with its rule where it is one; nothing but for leads."""
    if not person.role.allows(Role.LEAD):
        return
    mark = rules.get(flag_id)
    with st.form(f"rule-{flag_id}", border=False):
        field, door = st.columns([8, 2], vertical_alignment="bottom")
        rule = field.text_input("Rule for all", mark.text if mark else "", max_chars=RULE_MAX, placeholder=_PLACEHOLDER)
        label = "Change the rule" if mark else "Make it a precedent"
        with door:
            is_sent = st.form_submit_button(label)
    if mark:
        st.caption("A precedent for all. Under Precedents it can be taken back.")
    if not is_sent:
        return
    try:
        mark_question(workspace, person, flag_id=flag_id, text=rule)
    except AssayError as error:
        st.error(str(error))
        return
    st.rerun()
