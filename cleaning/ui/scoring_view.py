"""A finished scoring: what each strategy would do with all queries, and what follows from that."""

from __future__ import annotations

import json

import streamlit as st

from audit_core.audit_report.wording import counted
from audit_core.domain import Role
from audit_core.storage.people import Person
from audit_core.ui.access import made_when_asked, only_for
from audit_core.ui.addresses import PAGES
from audit_core.ui.plain_text import plain
from audit_core.workflow.campaigns import list_campaigns
from audit_core.workflow.cleanings import RunView
from audit_core.workflow.flags import list_flags
from audit_core.workflow.workspace import Workspace
from cleaning.scoring import Scoring
from cleaning.ui.apply_view import draw_apply
from cleaning.ui.chart_frame import draw_chart
from cleaning.ui.downloads import file_stem
from cleaning.ui.guarantee_view import draw_guarantee
from cleaning.ui.handing_over import APPLY, GUARANTEE, QUEUE, REWORD, SCORES, TABS, WHOLE, tabs_key
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
    st.caption(plain(about_scoring(view, scoring)))
    _draw_links(workspace, view)
    _draw_card(scoring)
    _draw_notices(scoring)
    st.html(scores_html(scoring))
    tabs = dict(zip(TABS, st.tabs(TABS, key=tabs_key(scoring.run_id), on_change="rerun"), strict=True))
    with tabs[SCORES]:
        _draw_scores(workspace, person, view, scoring)
    # Every tab draws its choices, so that none is forgotten; what takes long is worked out where it is looked at.
    with tabs[GUARANTEE]:
        draw_guarantee(workspace, view, scoring)
    with tabs[WHOLE]:
        draw_whole(workspace, view, scoring, is_open=bool(tabs[WHOLE].open))
    with tabs[QUEUE]:
        draw_queue(workspace, person, view, scoring, is_open=bool(tabs[QUEUE].open))
    with tabs[REWORD]:
        draw_reword(workspace, person, view, scoring)
    with tabs[APPLY]:
        draw_apply(workspace, person, view, scoring, is_open=bool(tabs[APPLY].open))


def about_scoring(view: RunView, scoring: Scoring) -> str:
    """Return what was scored, and what trained, in one line."""
    parts = [f"{view.dataset.shown} revision {view.dataset.revision}", f"{len(scoring.query_ids):,} queries"]
    if scoring.trained_on:
        parts.append(f"{len(scoring.trained_on):,} of them trained a strategy")
    return " · ".join(parts)


def _draw_links(workspace: Workspace, view: RunView) -> None:
    """Draw the ways to the dataset, and to the questions that annotators of its campaigns asked and nobody answered."""
    with st.container(horizontal=True):
        st.page_link(PAGES / "datasets.py", label="Dataset", icon=":material/database:")
        for each in list_campaigns(workspace):
            if each.dataset.id != view.dataset.id:
                continue
            if open_ones := len(list_flags(workspace, each.campaign.id, open_only=True)):
                st.page_link(
                    PAGES / "questions.py", query_params={"campaign": str(each.campaign.id)}, icon=":material/help:",
                    label=plain(f"{counted(open_ones, 'question', 'questions')} in {each.campaign.name}"),
                )  # fmt: skip


def _draw_card(scoring: Scoring) -> None:
    with st.expander("Run card", icon=":material/receipt_long:"):
        st.json(dict(scoring.card), expanded=1)
        st.download_button(
            "Run card (JSON)",
            made_when_asked(
                lambda: json.dumps(dict(scoring.card), ensure_ascii=False, indent=2, default=str) + "\n", Role.LEAD
            ),
            file_name=file_stem(scoring.name, "run-card") + ".json",
            mime="application/json",
            on_click="ignore",
        )


def _draw_notices(scoring: Scoring) -> None:
    """Draw what a reader must know: strategies that decided nothing, and those that say the same as another."""
    titles = {each.name: each.title for each in scoring.strategies}
    for each in scoring.card.get("notices", ()):
        if each["says"].startswith("failed: "):
            continue  # its line in the table says so
        about = " and ".join(titles.get(name, name) for name in each["about"])
        st.warning(plain(f"{about} {each['says']}."), icon=":material/warning:")


@st.fragment
@only_for(Role.LEAD)
def _draw_scores(workspace: Workspace, person: Person, view: RunView, scoring: Scoring) -> None:
    titles = {each.name: each.title for each in scoring.usable}
    name = st.selectbox("Strategy", list(titles), format_func=titles.__getitem__, key="scores-strategy", width=420)
    chosen = scoring.of(name)
    place = [each.name for each in scoring.strategies].index(name)
    draw_chart(
        score_chart(chosen, place, chosen.threshold),
        file_name=file_stem(scoring.name, chosen.name, "scores"),
        key="score-chart",
    )
    draw_model_answers(chosen.asked)
    draw_scored_queries(workspace, person, view.dataset, scoring, chosen)
