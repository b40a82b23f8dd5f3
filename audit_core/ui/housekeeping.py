"""Renaming, archiving, restoring and deleting in the browser; a deletion shows what goes and asks for the name."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from audit_core.domain import Role
from audit_core.errors import AssayError
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.ui.access import only_for
from audit_core.ui.plain_text import plain
from audit_core.workflow.campaigns import CampaignSummary
from audit_core.workflow.deleting import (
    Deleted,
    delete_campaign,
    delete_dataset,
    preview_campaign_deletion,
    preview_dataset_deletion,
)
from audit_core.workflow.deletion_preview import DeletionPreview
from audit_core.workflow.housekeeping import archive_campaign, archive_dataset, rename_campaign, rename_dataset
from audit_core.workflow.workspace import Workspace

_NOTICE = "housekeeping-notice"


def draw_notice() -> None:
    """Say what the last action did, once."""
    if notice := st.session_state.pop(_NOTICE, None):
        st.success(plain(notice), icon=":material/check:")


def campaign_menu(workspace: Workspace, person: Person, campaign: CampaignRow) -> None:
    """Draw what can be done with a campaign as a whole: rename, archive, delete."""
    key = f"campaign-{campaign.id}"
    _rename(key, campaign.name, lambda name: rename_campaign(workspace, campaign, name, person=person))
    if st.button("Archive", icon=":material/archive:", key=f"archive-{key}", help="Hides it; nothing is lost."):
        archive_campaign(workspace, campaign, archived=True, person=person)
        _done(f"Campaign {campaign.name} is archived: it stands under Archived, below.")
    if st.button("Delete ...", icon=":material/delete:", key=f"delete-{key}"):
        _ask_to_delete_campaign(workspace, person, campaign)


def dataset_menu(workspace: Workspace, person: Person, dataset: DatasetRow) -> None:
    """Draw what can be done with a dataset as a whole: rename, archive, delete."""
    key = f"dataset-{dataset.id}"
    _rename(key, dataset.shown, lambda title: rename_dataset(workspace, dataset, title, person=person))
    st.caption(f"Exports and reports call it {plain(dataset.name)} in any case.")
    if st.button(
        "Archive", icon=":material/archive:", key=f"archive-{key}", help="Hides it and its campaigns; nothing is lost."
    ):
        archive_dataset(workspace, dataset, archived=True, person=person)
        _done(f"Dataset {dataset.shown} is archived with its campaigns: it stands under Archived, below.")
    if st.button("Delete ...", icon=":material/delete:", key=f"delete-{key}"):
        _ask_to_delete_dataset(workspace, person, dataset)


def archived_campaigns(workspace: Workspace, person: Person, summaries: list[CampaignSummary]) -> None:
    """Draw the archived campaigns, each with the way back; nothing where there is none."""
    own = [each for each in summaries if each.dataset.archived_at is None]
    if not own:
        return
    with st.expander(f"Archived ({len(own)})", icon=":material/archive:"):
        for each in own:
            words, doors = st.columns([8, 4], vertical_alignment="center")
            words.markdown(
                f"**{plain(each.campaign.name)}** · {plain(each.dataset.shown)} revision {plain(each.dataset.revision)} · "
                f"{each.answered:,} of {each.entries:,} entries answered"
            )
            with doors.container(horizontal=True, horizontal_alignment="right"):
                if st.button("Restore", key=f"restore-campaign-{each.campaign.id}"):
                    archive_campaign(workspace, each.campaign, archived=False, person=person)
                    _done(f"Campaign {each.campaign.name} is back.")
                if st.button("Delete ...", key=f"delete-archived-campaign-{each.campaign.id}"):
                    _ask_to_delete_campaign(workspace, person, each.campaign)


def archived_datasets(workspace: Workspace, person: Person, datasets: list[DatasetRow]) -> None:
    """Draw the archived datasets, each with the way back; nothing where there is none."""
    if not datasets:
        return
    with st.expander(f"Archived ({len(datasets)})", icon=":material/archive:"):
        for each in datasets:
            words, doors = st.columns([8, 4], vertical_alignment="center")
            words.markdown(f"**{plain(each.shown)}** revision {plain(each.revision)}")
            with doors.container(horizontal=True, horizontal_alignment="right"):
                if st.button("Restore", key=f"restore-dataset-{each.id}"):
                    archive_dataset(workspace, each, archived=False, person=person)
                    _done(f"Dataset {each.shown} is back, and so are its campaigns.")
                if st.button("Delete ...", key=f"delete-archived-dataset-{each.id}"):
                    _ask_to_delete_dataset(workspace, person, each)


def _rename(key: str, name: str, rename: Callable[[str], object]) -> None:
    with st.form(f"rename-{key}", border=False):
        wanted = st.text_input("Name", value=name, key=f"name-{key}")
        if not st.form_submit_button("Rename"):
            return
    try:
        rename(wanted)
    except AssayError as error:
        st.error(str(error))
        return
    _done(f"Renamed: {name} is now {' '.join(wanted.split())}.")


def _done(notice: str) -> None:
    st.session_state[_NOTICE] = notice
    st.rerun()


@st.dialog("Delete a campaign", width="medium")
@only_for(Role.LEAD)
def _ask_to_delete_campaign(workspace: Workspace, person: Person, campaign: CampaignRow) -> None:
    preview = preview_campaign_deletion(workspace, campaign)
    deletion_form(
        preview,
        lambda typed: delete_campaign(workspace, campaign, preview=preview, confirmation=typed, person=person),
    )


@st.dialog("Delete a dataset", width="medium")
@only_for(Role.LEAD)
def _ask_to_delete_dataset(workspace: Workspace, person: Person, dataset: DatasetRow) -> None:
    preview = preview_dataset_deletion(workspace, dataset)
    deletion_form(
        preview,
        lambda typed: delete_dataset(workspace, dataset, preview=preview, confirmation=typed, person=person),
    )


def deletion_form(preview: DeletionPreview, delete: Callable[[str], Deleted]) -> None:
    """Draw what a deletion takes away and, where nothing stands against it, the field for the name and the button."""
    st.markdown(f"**{plain(preview.name)}**\n\n" + "\n".join(f"- {plain(each)}" for each in preview.sentences()))
    if preview.hindrances:
        for each in preview.hindrances:
            st.error(plain(each), icon=":material/block:")
        return
    with st.form("deletion", border=False):
        typed = st.text_input("Type the name to delete it", placeholder=preview.name, key="typed-name")
        if not st.form_submit_button("Delete for good", type="primary"):
            return
    try:
        with st.spinner("Deleting ..."):
            done = delete(typed)
    except AssayError as error:
        st.error(str(error), icon=":material/error:")
        return
    copy = f" The copy made before is {done.copy}." if done.copy else ""
    _done(f"{preview.kind.capitalize()} {preview.name} is deleted.{copy} {done.folder_problem or ''}".strip())
