"""Starting a comparison: labels and split, what they give before anything runs, the strategies, then the start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace

import streamlit as st

from audit_core.errors import AssayError
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.ui.addresses import PAGES
from audit_core.ui.plain_text import plain
from audit_core.workflow.comparisons import list_comparisons, start_comparison
from audit_core.workflow.label_sources import LabelSource
from audit_core.workflow.workspace import Workspace
from cleaning.comparison_asking import asks_model
from cleaning.executing import plan_asking
from cleaning.request import NAME_MAX, NO_VECTORS, Choice, ComparisonRequest
from cleaning.ui.estimate_view import draw_estimate
from cleaning.ui.evaluation_choice import Evaluation, choose_embedder, choose_evaluation
from cleaning.ui.label_choice import choose_dataset, choose_labels
from cleaning.ui.look_ahead import look_ahead
from cleaning.ui.model_choice import choose_model
from cleaning.ui.one_start import note_started, started_before
from cleaning.ui.strategy_choice import choose_strategies, needing_embeddings
from cleaning.ui.style import dress_comparisons

#: Stands in for what does not change the look ahead.
_ANY = Choice("keep_all")


def draw_new_comparison(workspace: Workspace, person: Person, datasets: Sequence[DatasetRow]) -> None:
    """Draw the page: labels and split beside what they give, the strategies, the name and the button that starts."""
    dress_comparisons()
    choices, outcome = st.columns([5, 8], gap="large")
    with choices:
        dataset = choose_dataset(datasets)
        labelled = choose_labels(workspace, dataset, person, evaluates=True)
        if labelled is None:
            return
        evaluation = choose_evaluation()
    with outcome:
        is_possible = _looks_possible(workspace, dataset, labelled, evaluation)
    st.subheader("Strategies", anchor=False)
    try:
        request = _request(workspace, dataset, labelled, evaluation)
    except AssayError as error:
        st.error(plain(str(error)), icon=":material/block:")
        return
    if is_possible and any(asks_model(each.strategy) for each in request.strategies):
        draw_estimate(lambda: plan_asking(workspace, dataset, request), of={"dataset": dataset.id, **request.as_json()})
    if is_possible:
        _draw_start(workspace, person, dataset, request)
    else:
        st.caption("It cannot be started: the reason stands above.")


def _looks_possible(
    workspace: Workspace, dataset: DatasetRow, labelled: tuple[LabelSource, str], evaluation: Evaluation
) -> bool:
    source, codes = labelled
    try:
        request = ComparisonRequest(
            "look ahead", source.key, (_ANY,), remove_codes=codes, embedder=NO_VECTORS, **asdict(evaluation)
        )
    except AssayError as error:
        st.error(plain(str(error)), icon=":material/block:")
        return False
    return look_ahead(workspace, dataset, request) is not None


def _request(
    workspace: Workspace, dataset: DatasetRow, labelled: tuple[LabelSource, str], evaluation: Evaluation
) -> ComparisonRequest:
    source, codes = labelled
    strategies, spending = choose_model(choose_strategies())
    embeddings, curves, resampling = st.columns([5, 3, 4], gap="large")
    with embeddings:
        embedder = choose_embedder(workspace.revision(dataset), needed=bool(needing_embeddings(strategies)))
    has_curves = curves.toggle(
        "Learning curves", value=True, key="compare-curves",
        help="Trains each learned strategy on parts of the labels as well, which takes several times as long.",
    )  # fmt: skip
    resamples = resampling.select_slider(
        "Resamples of differences", [500, 1000, 2000, 5000, 10_000], 2000, key="compare-resamples"
    )
    return ComparisonRequest(
        name="unnamed",
        labels=source.key,
        strategies=tuple(strategies),
        remove_codes=codes,
        embedder=embedder,
        learning_curves=has_curves,
        resamples=resamples,
        **asdict(evaluation),
        **asdict(spending),
    )


def _draw_start(workspace: Workspace, person: Person, dataset: DatasetRow, request: ComparisonRequest) -> None:
    taken = {each.row.name for each in list_comparisons(workspace, archived=None) if each.dataset.id == dataset.id}
    source = request.labels.partition(":")[2]
    free = next(name for number in range(1, len(taken) + 2) if (name := f"{source} {number}") not in taken)
    with st.form("start-comparison"):
        words, button = st.columns([8, 2], vertical_alignment="bottom")
        wanted = words.text_input(
            "Name of the comparison", value=free, max_chars=NAME_MAX, key=f"compare-name-{dataset.id}-{free}"
        )
        count = len(request.strategies)
        st.caption(
            f"{count} strateg{'y' if count == 1 else 'ies'}. It runs as a job and goes on when you leave the page."
        )
        if not button.form_submit_button("Start", type="primary", width="stretch"):
            return
    try:
        named = replace(request, name=" ".join(wanted.split()))
        asked = {"dataset": dataset.id, **request.as_json()}
        if (number := started_before("comparison", asked)) is None:
            with st.spinner("Starting ..."):
                row, _ = start_comparison(workspace, dataset, name=named.name, spec=named.as_json(), person=person)
                number = row.id
                note_started("comparison", asked, number)
    except AssayError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    st.switch_page(PAGES / "comparison.py", query_params={"comparison": str(number)})
