"""Asking a language model for rewordings of the queries that a strategy removes; a person decides on each afterwards."""

from __future__ import annotations

from dataclasses import asdict

import streamlit as st

from audit_core.errors import AssayError
from audit_core.storage.cleaning_tables import RunKind
from audit_core.storage.people import Person
from audit_core.ui.addresses import PAGES
from audit_core.ui.plain_text import plain
from audit_core.workflow.cleanings import RunView, list_runs, start_run
from audit_core.workflow.workspace import Workspace
from cleaning.comparison_asking import PlannedFor
from cleaning.request import NAME_MAX
from cleaning.rewrite_request import RewriteRequest
from cleaning.rewriting_run import check_rewrite, plan_rewrite
from cleaning.scoring import Scoring
from cleaning.ui.estimate_view import draw_estimate
from cleaning.ui.model_choice import draw_model
from cleaning.ui.one_start import note_started, started_before


def draw_reword(workspace: Workspace, person: Person, view: RunView, scoring: Scoring) -> None:
    """Draw the choice of queries, the model with its caps, and the button that starts."""
    st.caption(
        "A query that only its wording makes unusable can be saved. A language model proposes other words for the queries that a "
        "strategy removes, and is told why they go. Nothing changes by that: you accept or reject each proposal, and what is "
        "accepted goes into a cleaned revision."
    )
    removing = {each.name: each for each in scoring.usable if (each.decisions == 1.0).any()}
    if not removing:
        st.info("No strategy of this scoring removes a query, so there is nothing to reword.")
        return
    key = f"reword-{scoring.run_id}"
    try:
        name = st.selectbox(
            "Queries that are removed by", list(removing), key=f"{key}-strategy", width=420,
            format_func=lambda each: f"{removing[each].title} ({int((removing[each].decisions == 1.0).sum()):,} queries)",
        )  # fmt: skip
        options: dict[str, object] = {}
        with st.container(horizontal=True):
            if st.toggle("Show the answer to the model", value=True, key=f"{key}-answer"):
                options["with_answer"] = True
            if st.toggle("Show the evidence pages", key=f"{key}-pages", help="As images; needs a model that sees."):
                options["with_pages"] = True
        told, spending = draw_model(key=key)
        if told:
            options["model"] = told
        planned = RewriteRequest(name="unnamed", scoring=scoring.run_id, strategy=name, options=options)
        draw_estimate(
            lambda: [PlannedFor("Rewordings", plan_rewrite(workspace, view.dataset, planned))], of=planned.as_json()
        )
        taken = {
            each.row.name for each in list_runs(workspace, kind=RunKind.REWRITE, archived=None, dataset=view.dataset)
        }
        free = next(each for number in range(1, len(taken) + 2) if (each := f"rewordings {number}") not in taken)
        words, button = st.columns([8, 2], vertical_alignment="bottom")
        named = words.text_input("Name of the rewordings", value=free, max_chars=NAME_MAX, key=f"{key}-name-{free}")
        if not button.button("Ask for rewordings", type="primary", key=f"{key}-start", width="stretch"):
            return
        request = RewriteRequest(
            name=" ".join(named.split()), scoring=scoring.run_id, strategy=name, options=options, **asdict(spending)
        )
        asked = {**request.as_json(), "name": None}
        if (number := started_before("rewording", asked)) is None:
            with st.spinner("Starting ..."):
                check_rewrite(workspace, view.dataset, request)
                row, _ = start_run(
                    workspace,
                    view.dataset,
                    kind=RunKind.REWRITE,
                    name=request.name,
                    spec=request.as_json(),
                    person=person,
                )
                number = row.id
                note_started("rewording", asked, number)
    except AssayError as error:
        st.error(plain(str(error)), icon=":material/block:")
        return
    st.switch_page(PAGES / "rewordings.py", query_params={"rewordings": str(number)})
