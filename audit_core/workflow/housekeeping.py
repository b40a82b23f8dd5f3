"""Renaming, archiving and restoring campaigns and datasets."""

from __future__ import annotations

from audit_core.errors import AssayError, NameTaken
from audit_core.storage import activity, campaigns, datasets
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.workflow.campaigns import NAME_MAX, clean_campaign_name, refuse_taken_name
from audit_core.workflow.workspace import Workspace


def rename_campaign(
    workspace: Workspace, campaign: CampaignRow, name: str, *, person: Person | None = None
) -> CampaignRow:
    """Give a campaign another name and return it; nothing else of it changes.

    Raises:
        NameTaken: another campaign of the dataset has that name.
        AssayError: the name cannot be used.
    """
    cleaned = clean_campaign_name(name)
    with workspace.database.write() as connection:
        dataset = datasets.by_id(connection, campaign.dataset_id)
        before = campaigns.by_id(connection, campaign.id)
        if dataset is None or before is None:
            raise AssayError("This campaign has been deleted meanwhile.")
        if cleaned != before.name:
            refuse_taken_name(connection, dataset, cleaned)
            campaigns.rename(connection, campaign.id, cleaned)
            subject = {"campaign": cleaned, "before": before.name, "dataset": dataset.name}
            activity.record(connection, "campaign-rename", subject, person_id=person.id if person else None)
        row = campaigns.by_id(connection, campaign.id)
    assert row is not None
    return row


def rename_dataset(
    workspace: Workspace, dataset: DatasetRow, title: str, *, person: Person | None = None
) -> DatasetRow:
    """Call a dataset revision by another title here and return it; its own name gives that back.

    Its name and revision stay as they were imported: they stand in exports and reports.

    Raises:
        NameTaken: a dataset of another name is called so.
        AssayError: the title is empty, too long, or holds signs that cannot be shown.
    """
    cleaned = " ".join(title.split())
    if not cleaned or len(cleaned) > NAME_MAX or not cleaned.isprintable():
        raise AssayError(f"Give a title of 1 to {NAME_MAX} characters that can be shown.")
    with workspace.database.write() as connection:
        for each in datasets.all_rows(connection):
            if each.name != dataset.name and cleaned in (each.name, each.title):
                raise NameTaken(f"Dataset {each.name}@{each.revision} is called {cleaned!r}: choose another title.")
        datasets.set_title(connection, dataset.id, None if cleaned == dataset.name else cleaned)
        subject = {"dataset": dataset.name, "revision": dataset.revision, "title": cleaned}
        activity.record(connection, "dataset-rename", subject, person_id=person.id if person else None)
        row = datasets.by_id(connection, dataset.id)
    if row is None:
        raise AssayError("This dataset has been deleted meanwhile.")
    return row


def archive_campaign(
    workspace: Workspace, campaign: CampaignRow, *, archived: bool, person: Person | None = None
) -> None:
    """Hide a campaign from lists, or restore it. Nothing else changes: who has it open can go on judging."""
    with workspace.database.write() as connection:
        campaigns.set_archived(connection, campaign.id, archived=archived)
        action = "campaign-archive" if archived else "campaign-restore"
        activity.record(connection, action, {"campaign": campaign.name}, person_id=person.id if person else None)


def archive_dataset(workspace: Workspace, dataset: DatasetRow, *, archived: bool, person: Person | None = None) -> None:
    """Hide a dataset revision and its campaigns from lists, or restore them."""
    with workspace.database.write() as connection:
        datasets.set_archived(connection, dataset.id, archived=archived)
        action = "dataset-archive" if archived else "dataset-restore"
        subject = {"dataset": dataset.name, "revision": dataset.revision}
        activity.record(connection, action, subject, person_id=person.id if person else None)
