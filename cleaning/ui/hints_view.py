"""What to look at again: which rules fired on what, and which labels are likely wrong."""

from __future__ import annotations

import streamlit as st

from audit_core.domain import Role
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.ui.access import only_for
from audit_core.workflow.workspace import Workspace
from cleaning.contract import Kind
from cleaning.finished import Result
from cleaning.report import label_error_table
from cleaning.ui.cells import table_html
from cleaning.ui.downloads import download_table, file_stem
from cleaning.ui.query_list import draw_query_list
from cleaning.ui.rule_hits import rule_hits, rule_table


@st.fragment
@only_for(Role.LEAD)
def draw_rules(workspace: Workspace, person: Person, dataset: DatasetRow, result: Result, name: str) -> None:
    """Draw how often each rule fired and the queries on which one did; `name` is the comparison's."""
    hits = rule_hits(result.compared)
    if not hits:
        st.info("No rule took part, or none fired.")
        return
    table = rule_table(hits, result.titles)
    st.html(table_html(table, caption=f"Rules that fired, of {result.n:,} queries", testid="rules"))
    download_table(table, file_stem(name, "rules"), key="rules")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="large"):
        place = st.selectbox(
            "Queries on which this rule fired", range(len(hits)), key="rule-chosen",
            format_func=lambda each: f"{hits[each].rule.replace('_', ' ')} ({len(hits[each].rows):,})",
        )  # fmt: skip
        only_wrong = st.toggle("Only those labelled keep", key="rule-wrong")
    chosen = hits[place]
    rows = [row for row in chosen.rows if not (only_wrong and result.compared.remove[row])]
    if not rows:
        st.info("There is no such query.")
        return

    def says(row: int) -> str:
        others = [each.rule.replace("_", " ") for each in hits if row in each.reasons and each is not chosen]
        return f"also: {', '.join(others)}" if others else "no other rule fired"

    draw_query_list(
        workspace, person, dataset, result, [result.compared.query_ids[row] for row in rows], says,
        strategies=chosen.strategies, key="rule-query", at_once=5,
    )  # fmt: skip


@st.fragment
@only_for(Role.LEAD)
def draw_label_errors(workspace: Workspace, person: Person, dataset: DatasetRow, result: Result, name: str) -> None:
    """Draw the labels that a learned strategy holds for wrong; `name` is the comparison's."""
    learned = [each.name for each in result.compared.usable if each.kind == Kind.LEARNED]
    if not learned:
        st.info("Likely wrong labels are told from a learned strategy's probabilities; none took part.")
        return
    chosen = st.selectbox("As told by", learned, format_func=result.title, key="errors-strategy", width=380)
    with st.spinner("Looking for labels that are likely wrong ..."):
        errors = result.label_errors(chosen)
    if errors.undefined is not None:
        st.info(f"Undefined: {errors.undefined}.")
        return
    st.markdown(
        f"**{len(errors.suspects):,} of {errors.checked:,}** labels are likely wrong by confident learning. They are hints "
        "for another look: a label that is changed for this strategy's sake may not evaluate it afterwards."
    )
    if not errors.suspects:
        return
    download_table(label_error_table(result, chosen), file_stem(name, chosen, "likely-label-errors"), key="errors")
    suspects = {each.query_id: each for each in errors.suspects}

    def says(row: int) -> str:
        each = suspects[result.compared.query_ids[row]]
        word = "remove" if each.suggested else "keep"
        return f"rather: {word} (probability of remove {each.probability:.2f}, mean over repeats)"

    draw_query_list(workspace, person, dataset, result, list(suspects), says, key="error-query", at_once=5)
