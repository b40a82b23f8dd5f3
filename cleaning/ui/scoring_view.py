"""A finished scoring: what each strategy would do with all queries, and what follows from that."""

from __future__ import annotations

import json

import streamlit as st

from audit_core.storage.people import Person
from audit_core.ui.plain_text import plain
from audit_core.workflow.cleanings import RunView
from audit_core.workflow.workspace import Workspace
from cleaning.scoring import Scoring
from cleaning.ui.apply_view import draw_apply
from cleaning.ui.chart_frame import draw_chart
from cleaning.ui.downloads import file_stem
from cleaning.ui.guarantee_view import draw_guarantee
from cleaning.ui.model_answers import draw_model_answers
from cleaning.ui.queue_view import draw_queue
from cleaning.ui.reword_view import draw_reword
from cleaning.ui.score_table import score_chart, scores_html
from cleaning.ui.scored_queries import draw_scored_queries
from cleaning.ui.style import dress_comparisons
from cleaning.ui.whole_view import draw_whole


def draw_scoring(workspace: Workspace, person: Person, view: RunView, scoring: Scoring) -> None:
    """Draw the whole page of a finished scoring."""
    dress_comparisons()
    st.caption(
        plain(
            f"{view.dataset.shown} revision {view.dataset.revision} · {len(scoring.query_ids):,} queries · "
            f"{len(scoring.trained_on):,} of them trained a strategy"
        )
    )
    with st.expander("Run card", icon=":material/receipt_long:"):
        st.json(dict(scoring.card), expanded=1)
        st.download_button(
            "Run card (JSON)",
            lambda: json.dumps(dict(scoring.card), ensure_ascii=False, indent=2, default=str) + "\n",
            file_name=file_stem(scoring.name, "run-card") + ".json",
            mime="application/json",
            on_click="ignore",
        )
    st.html(scores_html(scoring))
    scores, guarantee, whole, queue, reword, apply = st.tabs(
        [
            "Scores",
            "Threshold with a guarantee",
            "How many are bad in all",
            "Next to label",
            "Reword",
            "Clean the dataset",
        ],
        key="scoring-tabs",
    )
    with scores:
        _draw_scores(workspace, view, scoring)
    with guarantee:
        draw_guarantee(workspace, person, view, scoring)
    with whole:
        draw_whole(workspace, person, view, scoring)
    with queue:
        draw_queue(workspace, person, view, scoring)
    with reword:
        draw_reword(workspace, person, view, scoring)
    with apply:
        draw_apply(workspace, person, view, scoring)


@st.fragment
def _draw_scores(workspace: Workspace, view: RunView, scoring: Scoring) -> None:
    titles = {each.name: each.title for each in scoring.usable}
    name = st.selectbox("Strategy", list(titles), format_func=titles.__getitem__, key="scores-strategy", width=420)
    chosen = scoring.of(name)
    place = [each.name for each in scoring.strategies].index(name)
    draw_chart(
        score_chart(chosen, place, chosen.threshold),
        file_name=file_stem(scoring.name, chosen.name, "scores"),
        key="score-chart",
    )
    draw_model_answers(chosen)
    draw_scored_queries(workspace, view.dataset, scoring, chosen)
