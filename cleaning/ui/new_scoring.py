"""Starting a scoring: dataset, strategies, what trains those that learn, the language model with its caps, the estimate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace

import streamlit as st

from audit_core.errors import AssayError
from audit_core.storage.cleaning_tables import RunKind
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.ui.addresses import PAGES
from audit_core.ui.plain_text import plain
from audit_core.workflow.cleanings import list_runs, start_run
from audit_core.workflow.workspace import Workspace
from cleaning.catalogue import strategy_module
from cleaning.request import NAME_MAX, NO_VECTORS
from cleaning.score_asking import any_asks, plan_score
from cleaning.score_request import ScoreRequest
from cleaning.scoring_all import check_score
from cleaning.scoring_strategies import needs_training
from cleaning.ui.estimate_view import draw_estimate
from cleaning.ui.evaluation_choice import choose_embedder
from cleaning.ui.label_choice import choose_dataset, choose_labels
from cleaning.ui.model_choice import choose_model
from cleaning.ui.one_start import note_started, started_before
from cleaning.ui.strategy_choice import choose_strategies, needing_embeddings
from cleaning.ui.style import dress_comparisons

_LEARNING_BASELINES = ("length",)


def draw_new_scoring(workspace: Workspace, person: Person, datasets: Sequence[DatasetRow]) -> None:
    """Draw the page from the dataset to the button that starts."""
    dress_comparisons()
    st.caption(
        "Every query of the dataset gets a score. Nothing is changed by it. On the scores you choose a threshold with a "
        "guarantee, estimate how many queries are bad in all, draw the next ones to label, and make a cleaned revision."
    )
    dataset = choose_dataset(datasets)
    st.subheader("Strategies", anchor=False)
    try:
        request = _request(workspace, person, dataset)
    except AssayError as error:
        st.error(plain(str(error)), icon=":material/block:")
        return
    if request is not None:
        _draw_start(workspace, person, dataset, request)


def _request(workspace: Workspace, person: Person, dataset: DatasetRow) -> ScoreRequest | None:
    """Draw the choices and return what is asked for, None where something is still missing."""
    chosen = choose_strategies(defaults=("rules",), tunes=False)
    if not chosen:
        st.info("Choose at least one strategy.")
        return None
    choices, spending = choose_model(chosen)
    request = ScoreRequest(name="unnamed", strategies=tuple(choices), embedder=NO_VECTORS, **asdict(spending))
    if learning := needs_training(request) + _learning_baselines(request):
        titles = ", ".join(learning)
        st.markdown(f"**Labels that train** {plain(titles)}")
        st.caption("Labels that train may not choose the threshold: keep a random sample of labels apart for that.")
        labelled = choose_labels(workspace, dataset, person, evaluates=False)
        if labelled is None:
            return None
        request = replace(request, train_labels=labelled[0].key, remove_codes=labelled[1])
    embedder = choose_embedder(workspace.revision(dataset), needed=bool(needing_embeddings(choices)))
    return replace(request, embedder=embedder)


def _learning_baselines(request: ScoreRequest) -> list[str]:
    """Return the titles of the chosen baselines that learn: without labels they would fail, each by itself."""
    return [strategy_module(each.strategy).title for each in request.strategies if each.strategy in _LEARNING_BASELINES]


def _draw_start(workspace: Workspace, person: Person, dataset: DatasetRow, request: ScoreRequest) -> None:
    if any_asks(request):
        draw_estimate(lambda: plan_score(workspace, dataset, request), of={"dataset": dataset.id, **request.as_json()})
    taken = {each.row.name for each in list_runs(workspace, kind=RunKind.SCORE, archived=None, dataset=dataset)}
    free = next(name for number in range(1, len(taken) + 2) if (name := f"scores {number}") not in taken)
    with st.form("start-scoring"):
        words, button = st.columns([8, 2], vertical_alignment="bottom")
        wanted = words.text_input(
            "Name of the scoring", value=free, max_chars=NAME_MAX, key=f"score-name-{dataset.id}-{free}"
        )
        titles = ", ".join(strategy_module(each.strategy).title for each in request.strategies)
        st.caption(plain(f"{titles}. It runs as a job and goes on when you leave the page."))
        if not button.form_submit_button("Start", type="primary", width="stretch"):
            return
    try:
        named = replace(request, name=" ".join(wanted.split()))
        asked = {"dataset": dataset.id, **request.as_json()}
        if (number := started_before("scoring", asked)) is None:
            with st.spinner("Starting ..."):
                check_score(workspace, dataset, named)
                row, _ = start_run(
                    workspace, dataset, kind=RunKind.SCORE, name=named.name, spec=named.as_json(), person=person
                )
                number = row.id
                note_started("scoring", asked, number)
    except AssayError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    st.switch_page(PAGES / "scoring.py", query_params={"scoring": str(number)})
