"""The figures of one comparison, from what it rests on down to single queries."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.workflow.comparisons import ComparisonView
from audit_core.workflow.workspace import Workspace
from cleaning.finished import Result
from cleaning.tables_content import summary_tables
from cleaning.ui.differences_view import draw_differences
from cleaning.ui.downloads import download_table, file_stem
from cleaning.ui.explorer import draw_explorer
from cleaning.ui.groups_view import draw_groups
from cleaning.ui.hints_view import draw_label_errors, draw_rules
from cleaning.ui.learning_view import draw_learning
from cleaning.ui.notices import draw_notices
from cleaning.ui.run_card import draw_run_card
from cleaning.ui.style import dress_comparisons
from cleaning.ui.summary_table import summary_html

#: Anchor and heading of each section below the main table.
SECTIONS = {
    "curve": "Curve and thresholds",
    "groups": "By group",
    "differences": "Differences",
    "learning": "Learning curves",
    "rules": "Rules",
    "errors": "Likely label errors",
}


def draw_result(workspace: Workspace, person: Person, view: ComparisonView, result: Result) -> None:
    """Draw the whole result of a finished comparison."""
    name, dataset = view.row.name, view.dataset
    dress_comparisons()
    draw_run_card(view, result)
    draw_notices(result)
    with st.spinner("Computing the figures ..."):
        summaries = result.summaries
    if not summaries:
        st.error("Every strategy failed, so there are no figures. The run card says why.", icon=":material/error:")
        return
    st.markdown("Go to: " + " · ".join(f"[{title}](#{anchor})" for anchor, title in SECTIONS.items()))
    _draw_summaries(result, name)
    st.subheader(SECTIONS["curve"], anchor="curve")
    draw_explorer(result, name)
    st.subheader(SECTIONS["groups"], anchor="groups")
    draw_groups(result, name)
    _draw_queries(workspace, person, dataset, result, name)


def _draw_queries(workspace: Workspace, person: Person, dataset: DatasetRow, result: Result, name: str) -> None:
    st.subheader(SECTIONS["differences"], anchor="differences")
    draw_differences(workspace, person, dataset, result, name)
    st.subheader(SECTIONS["learning"], anchor="learning")
    draw_learning(result, name)
    st.subheader(SECTIONS["rules"], anchor="rules")
    draw_rules(workspace, person, dataset, result, name)
    st.subheader(SECTIONS["errors"], anchor="errors")
    draw_label_errors(workspace, person, dataset, result, name)


def _draw_summaries(result: Result, name: str) -> None:
    summaries = [replace(each, title=result.title(each.name)) for each in result.summaries]
    tables = summary_tables(summaries, split_hash=result.record.split.hash)
    parts = [[each for each in summaries if each.ranked], [each for each in summaries if not each.ranked]]
    for table, part in zip(tables, [each for each in parts if each], strict=True):
        is_main = part[0].ranked
        heading = part[0].rates.heading
        title = "Strategies" if is_main else "Difficulty filters, which describe easy queries and are not ranked"
        st.html(
            summary_html(
                part,
                titles=result.titles,
                base_rate=result.positives / result.n,
                caption=f"{title}: {heading}, n = {result.n:,}, {result.positives:,} to remove",
                order=[each.name for each in result.compared.strategies],
                repeats=result.record.split.repeats,
                testid="summary" if is_main else "difficulty",
            )
        )
        download_table(
            table, file_stem(name, "strategies" if is_main else "difficulty-filters"), key=f"summary-{is_main}"
        )
    st.caption(
        "FOR, false omission rate: bad queries among those kept. A lower one may be bought by removing more: read it beside "
        "FN, TN and the share kept. Positive = remove. Below each rate its count, denominator and interval "
        f"({_methods(result)}; by document: the same where queries of one document go together); the thin line is random "
        "removal. Counts come from repeat 1, in which each query is scored "
        "once out of fold."
    )


def _methods(result: Result) -> str:
    found = {each.rates.false_omission.method for each in result.summaries}
    return "95 % " + ", ".join(sorted(found))
