"""Starting a campaign: choices to the left, what they give to the right, before anything is labelled."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from audit_core.datasets.revision import Revision
from audit_core.errors import AssayError
from audit_core.protocols import audit, query_review, relevance, removal
from audit_core.statistics.intervals import CENSUS
from audit_core.statistics.percent import percent
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.ui.addresses import PAGES, whole_number
from audit_core.ui.plain_text import plain
from audit_core.ui.plan_table import plan_table
from audit_core.ui.sample_choices import sample_choices
from audit_core.ui.team_choices import team_choices
from audit_core.workflow.campaigns import campaigns_on
from audit_core.workflow.guidelines import write_guidelines
from audit_core.workflow.sample_request import SampleKind, SampleRequest
from audit_core.workflow.sampling import PlannedSample, plan_sample
from audit_core.workflow.team_campaigns import start_team_campaign
from audit_core.workflow.workspace import Workspace

#: What a campaign can ask, by the name of its protocol.
PROTOCOLS = {each.name: each.title for each in (audit, removal, relevance, query_review)}


def draw_new_campaign(workspace: Workspace, person: Person, datasets: Sequence[DatasetRow]) -> None:
    """Draw the page: choices, the plan that follows from them, the name and the button that starts."""
    choices, outcome = st.columns([5, 8], gap="large")
    with choices:
        dataset = _dataset(datasets)
        try:
            revision = workspace.revision(dataset)
            request = sample_choices(dataset, revision, campaigns_on(workspace, dataset))
        except AssayError as error:
            outcome.error(str(error), icon=":material/error:")
            return
    with outcome:
        if request.kind is SampleKind.IDS and not request.query_ids:
            st.info("Paste the ids of the queries to judge, or choose a file of them.", icon=":material/list:")
            return
        planned = _planned(workspace, dataset, request)
        if planned is None:
            return
        _draw_start(workspace, person, dataset, planned)
        _draw_plan(planned, revision)


def _dataset(datasets: Sequence[DatasetRow]) -> DatasetRow:
    asked = whole_number("dataset")
    ids = [each.id for each in datasets]
    return st.selectbox(
        "Dataset",
        datasets,
        index=ids.index(asked) if asked in ids else 0,
        format_func=lambda each: f"{each.shown} (revision {each.revision})",
        key="sample-dataset",
    )


def _planned(workspace: Workspace, dataset: DatasetRow, request: SampleRequest) -> PlannedSample | None:
    try:
        with st.spinner("Planning ..."):
            return plan_sample(workspace, dataset, request)
    except AssayError as error:
        st.error(str(error), icon=":material/error:")
        return None


def _draw_start(workspace: Workspace, person: Person, dataset: DatasetRow, planned: PlannedSample) -> None:
    with st.container(border=True, key="start-campaign"):
        asked = st.radio(
            "What annotators are asked",
            list(PROTOCOLS),
            format_func=PROTOCOLS.__getitem__,
            horizontal=True,
            help="An audit says whether a query is correct, else what is wrong (F, E, U, N). Keep or remove rates four criteria. "
            "Relevance grades pages; a query review asks whether a query is natural, clear and answerable. The guesses and "
            "widths of the plan are those of the share correct, or to keep.",
            key="campaign-protocol",
        )
        try:
            team = team_choices(workspace, asked, campaigns_on(workspace, dataset))
        except AssayError as error:
            st.error(plain(str(error)), icon=":material/error:")
            return
        name, button = st.columns([8, 2], vertical_alignment="bottom")
        wanted_name = name.text_input("Name of the campaign", placeholder="audit-2026", key="campaign-name")
        if not button.button("Start", type="primary", width="stretch", key="campaign-start"):
            return
        try:
            with st.spinner("Drawing the entries ..."):
                campaign = start_team_campaign(
                    workspace, dataset=dataset, name=wanted_name, sample=planned.request, protocol=asked, team=team.request,
                    person=person,
                )  # fmt: skip
                if team.guidelines:
                    write_guidelines(workspace, campaign, team.guidelines, person=person)
        except AssayError as error:
            st.error(plain(str(error)), icon=":material/error:")
            return
    st.session_state["campaign-started"] = campaign.name
    st.session_state.pop("sample-seed", None)
    st.switch_page(PAGES / "campaigns.py")


def _draw_plan(planned: PlannedSample, revision: Revision) -> None:
    plan = planned.plan
    if plan is not None:
        entries, width, strata = st.columns(3)
        entries.metric("Entries", f"{plan.total:,}")
        width.metric(f"Expected half-width, {plan.whole.name[0].lower()}{plan.whole.name[1:]}", _width(planned))
        strata.metric("Strata with entries", f"{sum(1 for each in plan.sizes if each):,} of {len(plan.sizes):,}")
    st.markdown("\n".join(f"- {plain(each)}" for each in planned.sentences))
    for warning in planned.warnings:
        st.warning(plain(warning), icon=":material/info:")
    if plan is not None:
        st.html(plan_table(plan, sources=revision.info.sources))


def _width(planned: PlannedSample) -> str:
    assert planned.plan is not None
    whole = planned.plan.whole
    if whole.half_width is None:
        return "undefined"
    return "exact" if whole.interval.method == CENSUS else f"± {percent(whole.half_width, decimals=2)} points"
