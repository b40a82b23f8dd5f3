"""Carrying a campaign over to another dataset revision in the browser: first what changed, then the new campaign."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from audit_core.domain import Role
from audit_core.errors import AssayError
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.ui.access import only_for
from audit_core.ui.plain_text import plain
from audit_core.workflow.carry_over import CarryOverPreview, carry_over, preview_carry_over
from audit_core.workflow.importing import list_datasets
from audit_core.workflow.workspace import Workspace

#: Changed entries that are listed.
LISTED = 500


def carry_over_button(workspace: Workspace, person: Person, campaign: CampaignRow) -> None:
    """Draw the button to the dialog; nothing where there is no other revision to carry over to."""
    targets = _targets(workspace, campaign)
    if targets and st.button("Carry over ...", icon=":material/move_up:", key=f"carry-over-{campaign.id}"):
        _dialog(workspace, person, campaign, targets)


def _targets(workspace: Workspace, campaign: CampaignRow) -> list[DatasetRow]:
    """Return the other revisions of the campaign's dataset, the one imported last first."""
    rows = list_datasets(workspace)
    own = next(each for each in rows if each.id == campaign.dataset_id)
    return [each for each in rows if each.name == own.name and each.id != own.id and each.archived_at is None]


@st.dialog("Carry over to another revision", width="large")
@only_for(Role.LEAD)
def _dialog(workspace: Workspace, person: Person, campaign: CampaignRow, targets: list[DatasetRow]) -> None:
    carry_over_form(workspace, person, campaign, targets)


def carry_over_form(workspace: Workspace, person: Person, campaign: CampaignRow, targets: list[DatasetRow]) -> None:
    """Draw the choice of the revision, what would come over, and the button that makes the campaign."""
    st.caption("Judgments on queries that are the same in the other revision are kept; the others are judged anew.")
    target = st.selectbox(
        "To", targets, format_func=lambda each: f"{each.shown} (revision {each.revision})", key="carry-over-to"
    )
    try:
        with st.spinner("Comparing the revisions ..."):
            preview = preview_carry_over(workspace, campaign, target)
    except AssayError as error:
        st.error(str(error), icon=":material/error:")
        return
    _draw_preview(preview)
    with st.form("carry-over", border=False):
        name = st.text_input("Name of the new campaign", value=campaign.name, key="carry-over-name")
        if not st.form_submit_button("Carry over", type="primary"):
            return
    try:
        with st.spinner("Carrying over ..."):
            made = carry_over(workspace, campaign, target, name=name, person=person)
    except AssayError as error:
        st.error(str(error), icon=":material/error:")
        return
    st.session_state["campaign-started"] = made.name
    st.rerun()


def _draw_preview(preview: CarryOverPreview) -> None:
    for column, (change, count) in zip(st.columns(4), preview.counts.items(), strict=True):
        column.metric(change.capitalize(), f"{count:,}")
    st.markdown("\n".join(f"- {plain(each)}" for each in preview.sentences()))
    changed = preview.changed()
    if not changed:
        return
    table = pd.DataFrame([each.as_json() for each in changed[:LISTED]])
    table = table.rename(columns={"number": "entry", "query_id": "query id"})
    st.dataframe(table, hide_index=True, height=min(320, 38 + 35 * len(table)))
    if len(changed) > LISTED:
        st.caption(f"The first {LISTED} of {len(changed):,}.")
