"""How many queries of the whole dataset are bad: from the labels of a random sample, and with the help of scores."""

from __future__ import annotations

from html import escape

import streamlit as st

from audit_core.errors import AssayError
from audit_core.statistics.percent import percent
from audit_core.ui.plain_text import plain
from audit_core.workflow.cleanings import RunView
from audit_core.workflow.workspace import Workspace
from cleaning.choosing_tables import estimate_table
from cleaning.drawn_labels import read_drawn_labels
from cleaning.scoring import Scoring
from cleaning.ui.cells import table_html
from cleaning.ui.downloads import download_table, file_stem
from cleaning.ui.drawn_axis import axis_over
from cleaning.ui.palette import style_of
from cleaning.ui.random_labels import choose_random_labels
from cleaning.whole_estimate import WholeEstimate, estimate_removal


def draw_whole(workspace: Workspace, view: RunView, scoring: Scoring, *, is_open: bool) -> None:
    """Draw the choice of labels and, where the tab is open, the estimates."""
    st.caption(
        "People label a random sample; scores are known of every query. Together they tell more than the labels alone, and the "
        "scores cannot bias it, however wrong they are: where they say little, they save little (prediction-powered inference)."
    )
    labelled = choose_random_labels(workspace, view.dataset, key=f"whole-{scoring.run_id}")
    if labelled is None or not is_open:
        return
    source, codes = labelled
    try:
        with st.spinner("Estimating ..."):
            drawn = read_drawn_labels(workspace, scoring, source.key, remove_codes=codes)
            found = estimate_removal(scoring, drawn)
    except AssayError as error:
        st.error(plain(str(error)), icon=":material/block:")
        return
    st.markdown(f"**{_sentence(found)}**")
    st.html(_drawn(scoring, found))
    table = estimate_table(found)
    st.html(table_html(table, caption=f"Of {found.queries:,} queries in all, to be removed", testid="whole-estimate"))
    for note in table.notes:
        st.caption(plain(note))
    download_table(table, file_stem(scoring.name, "whole-estimate"), key="whole-estimate")


def _sentence(found: WholeEstimate) -> str:
    human = found.human
    if human.estimate is None:
        return plain(f"The labels alone give no estimate: {human.undefined}.")
    about = f"about {round(human.estimate * found.queries):,} of {found.queries:,} queries are to be removed"
    return plain(f"From {found.labels:,} labels alone: {percent(human.estimate)} %, {about}.")


def _drawn(scoring: Scoring, found: WholeEstimate) -> str:
    """Return the intervals on one axis: that of the labels alone first."""
    places = {each.name: place for place, each in enumerate(scoring.strategies)}
    lines = [("Labels alone", "#888888", found.human, "")]
    for each in found.strategies:
        saved = each.labels_saved
        worth = (
            ""
            if saved is None
            else f"as wide as {found.labels + saved:,.0f} labels alone"
            if saved >= 1
            else "saves no label"
        )
        lines.append(
            (f"With the scores of {each.title}", style_of(places[each.name]).colour, each.tuned.interval, worth)
        )
    axis = axis_over([each[2] for each in lines], None)
    rows = "".join(
        f'<tr><td class="text">{escape(name)}</td>{axis.cell(interval, colour=colour)}<td class="text">{worth}</td></tr>'
        for name, colour, interval, worth in lines
    )
    return (
        '<div class="scroll"><table class="fig" data-testid="whole-drawn"><caption>Share of all queries that is to be removed</caption>'
        f'<thead><tr><th class="text"></th><th class="text">{axis.head}</th><th class="text"></th></tr></thead>{rows}</table></div>'
    )
