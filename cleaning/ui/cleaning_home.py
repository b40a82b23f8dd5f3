"""The cleaning page: comparisons first, then what follows from them, each in a tab with the button that starts one."""

from __future__ import annotations

import streamlit as st

from audit_core.storage.cleaning_tables import RunKind
from audit_core.storage.people import Person
from audit_core.ui.addresses import PAGES
from audit_core.workflow.workspace import Workspace
from cleaning.ui.made import all_comparisons, all_runs
from cleaning.ui.made_list import draw_made
from cleaning.ui.prompts_view import draw_prompts
from cleaning.ui.published_view import draw_published

_NO_COMPARISON = (
    "No comparison yet. One takes the labels of a dataset, or of a campaign on it, and shows what each strategy would "
    "remove, keep and let through. Nothing is changed by it; a language model is asked only where you choose one."
)
_NO_RUN = {
    RunKind.SCORE: (
        "No scoring yet. One lets strategies score every query of a dataset. On it a threshold is chosen with a guarantee, "
        "the share of bad queries in all is estimated, the next queries to label are drawn, and a cleaned revision is made."
    ),
    RunKind.APPLY: (
        "No cleaned revision yet. One is made from a scoring: the queries that a strategy removes go, the dataset itself stays "
        "as it is, and tables show what changed."
    ),
    RunKind.REWRITE: (
        "No rewordings yet. A language model proposes them for queries that a scoring removes; only what you accept goes into "
        "a cleaned revision. Open a scoring to ask for some."
    ),
}


def draw_cleaning_home(workspace: Workspace, person: Person) -> None:
    """Draw the tabs."""
    compared, scored, cleaned, reworded, prompts = st.tabs(
        ["Comparisons", "Scorings", "Cleaned revisions", "Rewordings", "Prompts"]
    )
    with compared:
        if st.button("New comparison", type="primary", icon=":material/add:"):
            st.switch_page(PAGES / "new_comparison.py")
        draw_made(
            workspace,
            lambda archived: all_comparisons(workspace, person, archived=archived),
            kind="comparison",
            empty=_NO_COMPARISON,
        )
        draw_published()
    with scored:
        if st.button("New scoring", type="primary", icon=":material/add:"):
            st.switch_page(PAGES / "new_scoring.py")
        _draw_runs(workspace, person, RunKind.SCORE)
    with cleaned:
        _draw_runs(workspace, person, RunKind.APPLY)
    with reworded:
        _draw_runs(workspace, person, RunKind.REWRITE)
    with prompts:
        draw_prompts()


def _draw_runs(workspace: Workspace, person: Person, kind: RunKind) -> None:
    draw_made(
        workspace,
        lambda archived: all_runs(workspace, person, kind, archived=archived),
        kind=str(kind),
        empty=_NO_RUN[kind],
    )
