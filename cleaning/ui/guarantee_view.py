"""A threshold with a guarantee: what is allowed to be bad, how sure, on which labels; then what each strategy reaches."""

from __future__ import annotations

import math

import streamlit as st

from audit_core.errors import AssayError
from audit_core.statistics.percent import percent, percent_text
from audit_core.storage.people import Person
from audit_core.ui.plain_text import plain
from audit_core.workflow.cleanings import RunView
from audit_core.workflow.workspace import Workspace
from cleaning.choosing_tables import guarantee_table, sequence_table
from cleaning.drawn_labels import read_drawn_labels
from cleaning.guarantee import DEFAULT_KINDS, Guarantee, StrategyGuarantee, choose
from cleaning.scoring import Scoring
from cleaning.tables import number_text
from cleaning.ui.apply_view import CHOSEN
from cleaning.ui.bound_chart import bound_chart
from cleaning.ui.cells import table_html
from cleaning.ui.chart_frame import draw_chart
from cleaning.ui.downloads import download_table, file_stem
from cleaning.ui.random_labels import choose_random_labels


def draw_guarantee(workspace: Workspace, person: Person, view: RunView, scoring: Scoring) -> None:
    """Draw the choice, and what came of the last one."""
    st.caption(
        "The threshold that keeps most while at most so many of the kept queries are bad. The strategies and the order of the "
        "thresholds are fixed before a label is looked at, so the confidence covers the search as well. Choose few strategies: "
        "each shares in the error that is allowed."
    )
    labelled = choose_random_labels(workspace, view.dataset, key=f"guarantee-{scoring.run_id}")
    if labelled is None:
        return
    source, codes = labelled
    titles = {each.name: each.title for each in scoring.usable if each.kind in DEFAULT_KINDS}
    state = f"guarantee-{scoring.run_id}"
    with st.form(f"choose-{state}"):
        risk, confidence, test, seed = st.columns(4)
        at_most = risk.number_input(
            "At most bad among the kept, %", 0.1, 99.0, 10.0, 1.0, key=f"{state}-risk", format="%.1f"
        )
        sure = confidence.number_input("Confidence, %", 50.0, 99.9, 95.0, 1.0, key=f"{state}-confidence", format="%.1f")
        held = test.number_input(
            "Labels held out, %",
            0,
            80,
            0,
            10,
            key=f"{state}-held",
            help="They choose nothing, and measure the chosen threshold once.",
        )
        lots = seed.number_input("Seed", 0, 2**31 - 1, 1, key=f"{state}-seed")
        words, button = st.columns([8, 2], vertical_alignment="bottom")
        names = words.multiselect(
            "Strategies", list(titles), default=list(titles), format_func=titles.__getitem__, key=f"{state}-names"
        )
        asked = button.form_submit_button("Choose", type="primary", width="stretch")
    if asked:
        try:
            with st.spinner("Testing the thresholds ..."):
                drawn = read_drawn_labels(workspace, scoring, source.key, remove_codes=codes)
                st.session_state[state] = choose(
                    scoring, drawn, strategies=names or None, risk=at_most / 100, confidence=sure / 100, seed=int(lots),
                    test_share=held / 100,
                )  # fmt: skip
        except AssayError as error:
            st.session_state.pop(state, None)
            st.error(plain(str(error)), icon=":material/block:")
    found: Guarantee | None = st.session_state.get(state)
    if found is not None:
        _draw_found(scoring, found)


def _draw_found(scoring: Scoring, found: Guarantee) -> None:
    risk = percent_text(found.risk).replace(".0 %", " %")
    sure = percent_text(found.confidence).replace(".0 %", " %")
    best = found.best
    if best is None or best.chosen is None:
        st.warning(
            f"No threshold gives at most {risk} with {sure} confidence on these labels.", icon=":material/block:"
        )
    else:
        st.success(_promise(best, risk, sure), icon=":material/verified:")
        if st.button(
            "Clean the dataset with this threshold",
            key=f"take-guarantee-{scoring.run_id}",
            icon=":material/arrow_forward:",
        ):
            at = best.chosen.threshold
            if math.isinf(at):
                st.info("This threshold keeps every query, so there is nothing to clean.")
            else:
                st.session_state[f"{CHOSEN}-{scoring.run_id}"] = {best.name: at}
                st.info("It is set in the tab “Clean the dataset”.")
    for each in found.strategies:
        if each.chosen is None or each.more is not None:
            st.markdown(f"- {plain(each.title)}: {plain(each.says)}")
    draw_chart(bound_chart(found), file_name=file_stem(scoring.name, "guarantee"), key="guarantee-chart")
    table = guarantee_table(found)
    st.html(table_html(table, testid="guarantee"))
    for note in table.notes:
        st.caption(plain(note))
    download_table(table, file_stem(scoring.name, "guarantee"), key="guarantee")
    with st.expander("Every test, in its order"):
        steps = sequence_table(found)
        st.html(table_html(steps, testid="guarantee-steps"))
        download_table(steps, file_stem(scoring.name, "guarantee-tests"), key="guarantee-steps")


def _promise(best: StrategyGuarantee, risk: str, sure: str) -> str:
    step = best.chosen
    assert step is not None
    rated = "" if step.rating is None else f", that is, any rating at or below {number_text(step.rating)}"
    where = (
        "keeps every query"
        if math.isinf(step.threshold)
        else f"removes at a score of {number_text(step.threshold)} or more{rated}"
    )
    upper = (
        ""
        if step.upper is None
        else f" The bound is {percent(step.upper)} %, on {step.bad} bad of {step.n} labelled queries that it keeps."
    )
    return plain(
        f"With {sure} confidence at most {risk} of what is kept is bad: {best.title} {where}. It keeps {step.kept:,} queries, "
        f"{percent(step.share_kept)} %.{upper}"
    )
