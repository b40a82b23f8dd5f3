"""Deleting campaigns and datasets: first what would go, then, confirmed by name, that and nothing else.

A dataset takes its campaigns, label sets, comparisons and cleaning runs along; it is kept while a job works on one of the
last two. A cleaning whose revision lives on stays with that: it says what was removed from it, and why.
A campaign is kept while another rests on it: one whose judgments were carried over from it (their earlier revisions are
in it alone), or one whose draw left its queries out (that draw could not be made again). Archiving hides it instead.
"""

from __future__ import annotations

import shutil
import uuid
from dataclasses import dataclass
from pathlib import Path

from audit_core.datasets.aside import PREFIX
from audit_core.errors import AssayError
from audit_core.storage import activity, campaigns, cleaning_runs, datasets, deletion, making, upgrade
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.database import Connection
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.workflow.cleanings import WORDS, cleaning_folder, list_runs
from audit_core.workflow.comparisons import comparison_folder, list_comparisons
from audit_core.workflow.deletion_preview import COUNT_WORDS, DeletionPreview
from audit_core.workflow.release_list import list_releases, release_folder
from audit_core.workflow.run_lock import forget_lock, is_locked
from audit_core.workflow.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Deleted:
    """What a deletion left: the copy made before (None for PostgreSQL), and why a folder is still there, if one is."""

    copy: Path | None
    folder_problem: str | None = None


def preview_campaign_deletion(workspace: Workspace, campaign: CampaignRow) -> DeletionPreview:
    """Return what the deletion of a campaign would take away; changes nothing."""
    with workspace.database.read() as connection:
        return DeletionPreview(
            kind="campaign",
            name=campaign.name,
            campaigns=(campaign.name,),
            counts=deletion.campaign_counts(connection, [campaign.id]),
            hindrances=_hindrances(connection, [campaign.id]),
            makes_copy=workspace.database.is_sqlite,
            loosened=deletion.corrections_resting_on(connection, [campaign.id]),
        )


def preview_dataset_deletion(workspace: Workspace, dataset: DatasetRow) -> DeletionPreview:
    """Return what the deletion of a dataset revision and its campaigns would take away; changes nothing."""
    with workspace.database.read() as connection:
        rows = campaigns.all_rows(connection, dataset_id=dataset.id)
        ids = [each.id for each in rows]
        counts = deletion.campaign_counts(connection, ids) | deletion.dataset_counts(connection, dataset.id)
        hindrances = _hindrances(connection, ids)
        outliving = {each.id for each in cleaning_runs.outliving(connection, dataset.id)}
    runs = list_runs(workspace, archived=None, dataset=dataset)
    made = [f"comparison {each.row.name}" for each in list_comparisons(workspace, archived=None, dataset=dataset)]
    made += [f"{WORDS[each.row.kind]} {each.row.name}" for each in runs if each.row.id not in outliving]
    folder = workspace.datasets_folder / dataset.content_hash
    return DeletionPreview(
        kind="dataset",
        name=f"{dataset.name}@{dataset.revision}",
        campaigns=tuple(each.name for each in rows),
        counts=counts,
        hindrances=hindrances + _being_made(workspace, dataset),
        folder=folder if folder.is_dir() else None,
        folder_bytes=_bytes_in(folder),
        page_files=_page_files(workspace, dataset),
        makes_copy=workspace.database.is_sqlite,
        runs=tuple(made),
        staying=tuple(
            f"{WORDS[each.row.kind]} {each.row.name} is of {each.made.name}@{each.made.revision} as well, which it made"
            for each in runs
            if each.row.id in outliving and each.made is not None
        ),
    )


def delete_campaign(
    workspace: Workspace,
    campaign: CampaignRow,
    *,
    preview: DeletionPreview,
    confirmation: str,
    person: Person | None = None,
) -> Deleted:
    """Delete a campaign with its entries, judgments, decisions, drafts and flags; a SQLite database is copied first.

    Corrections that its decisions asked for stay: they are of the dataset, and may be released already.

    `preview` is what the person saw, `confirmation` the name that they typed.

    Raises:
        AssayError: the name is not the campaign's, another campaign rests on it, or something was saved in it since the
            preview; nothing was deleted.
    """
    copy = _checked_copy(workspace, preview, confirmation)
    with workspace.database.write() as connection:
        counts = deletion.campaign_counts(connection, [campaign.id])
        _refuse_changed(connection, preview, counts, [campaign.id])
        deletion.delete_campaigns(connection, [campaign.id])
        subject = {"campaign": campaign.name, **counts}
        activity.record(connection, "campaign-delete", subject, person_id=person.id if person else None)
    return Deleted(copy)


def delete_dataset(
    workspace: Workspace,
    dataset: DatasetRow,
    *,
    preview: DeletionPreview,
    confirmation: str,
    person: Person | None = None,
) -> Deleted:
    """Delete a dataset revision with its campaigns, label sets, comparisons and cleaning runs; SQLite is copied first.

    Cleanings whose revision lives on stay with that. The folders of the dataset, its comparisons and its runs go after the
    commit. If one cannot be removed, the dataset is gone all the same, and the result says so.

    Raises:
        AssayError: as `delete_campaign`; or a job works on one of its comparisons or runs, or a campaign is being made on it.
    """
    copy = _checked_copy(workspace, preview, confirmation)
    # What a maker left that died is seen by nobody, but hangs on the dataset.
    making.sweep_unfinished(workspace.database)
    if hindrances := _being_made(workspace, dataset):
        raise AssayError(" ".join(hindrances))
    with workspace.database.write() as connection:
        ids = [each.id for each in campaigns.all_rows(connection, dataset_id=dataset.id)]
        counts = deletion.campaign_counts(connection, ids) | deletion.dataset_counts(connection, dataset.id)
        _refuse_changed(connection, preview, counts, ids)
        if len(ids) != len(preview.campaigns):
            raise AssayError("Campaigns of the dataset were started or deleted since the preview. Look at it again.")
        if deletion.has_campaign_in_making(connection, dataset.id):
            raise AssayError("A campaign is being made on this dataset: nothing was deleted. Look again in a moment.")
        deletion.delete_campaigns(connection, ids)
        gone = deletion.delete_dataset(connection, dataset.id)
        subject = {
            "dataset": dataset.name,
            "revision": dataset.revision,
            "campaigns": list(preview.campaigns),
            **counts,
        }
        activity.record(connection, "dataset-delete", subject, person_id=person.id if person else None)
    folders = [comparison_folder(workspace, each) for each in gone.comparisons]
    folders += [cleaning_folder(workspace, each) for each in gone.cleaning_runs]
    folders += [release_folder(workspace, each) for each in gone.releases]
    problems = [_remove_folder(workspace, dataset.content_hash), *map(_remove_results, folders)]
    return Deleted(copy, " ".join(each for each in problems if each) or None)


def _checked_copy(workspace: Workspace, preview: DeletionPreview, confirmation: str) -> Path | None:
    """Refuse what may not be deleted; return the copy of a SQLite database."""
    if confirmation.strip() != preview.name:
        raise AssayError(f"To delete this {preview.kind}, type its name exactly: {preview.name}")
    if preview.hindrances:
        raise AssayError(" ".join(preview.hindrances))
    return upgrade.copy_sqlite(workspace.database, label=upgrade.DELETION) if workspace.database.is_sqlite else None


def _refuse_changed(connection: Connection, preview: DeletionPreview, counts: dict[str, int], ids: list[int]) -> None:
    changed = [
        f"{COUNT_WORDS[each][1]} {preview.counts[each]:,} -> {counts[each]:,}"
        for each in counts
        if counts[each] != preview.counts[each]
    ]
    if changed:
        raise AssayError(
            f"Something changed since the preview ({', '.join(changed)}): nothing was deleted. Look at it again."
        )
    hindrances = _hindrances(connection, ids)
    if hindrances:
        raise AssayError(" ".join(hindrances))


def _hindrances(connection: Connection, ids: list[int]) -> tuple[str, ...]:
    """Return why these campaigns may not be deleted: others rest on them."""
    rows = {each.id: each for each in campaigns.all_rows(connection)}
    places = {each.id: f"{each.name}@{each.revision}" for each in datasets.all_rows(connection)}
    reasons = {
        "carried": "judgments of {earlier} were carried over to it, and their earlier revisions are kept there alone",
        "left out": "its draw left out the queries of {earlier} and could not be made again",
    }
    return tuple(
        f"Campaign {rows[later].name} on {places[rows[later].dataset_id]} rests on this: "
        f"{reasons[how].format(earlier=rows[earlier].name)}. Delete that one first, or archive this one."
        for later, earlier, how in deletion.resting_on(connection, ids)
    )


def _being_made(workspace: Workspace, dataset: DatasetRow) -> tuple[str, ...]:
    """Return why a dataset may not be deleted: jobs work on its comparisons or cleaning runs."""
    runs = list_runs(workspace, archived=None, dataset=dataset)
    compared = list_comparisons(workspace, archived=None, dataset=dataset)
    made = [(each.job, f"its comparison {each.row.name}") for each in compared]
    made += [(each.job, f"its {WORDS[each.row.kind]} {each.row.name}") for each in runs]
    by_jobs = [
        f"Job {job.job.id} works on {what}: cancel the job first."
        for job, what in made
        if job is not None and job.is_active
    ]
    by_hand = [
        f"{WORDS[each.row.kind]} {each.row.name}"
        for each in runs
        if each.is_being_made and (each.job is None or not each.job.is_active)
    ]
    by_hand += [
        f"comparison {each.row.name}"
        for each in compared
        if is_locked(comparison_folder(workspace, each.row.id)) and (each.job is None or not each.job.is_active)
    ]
    by_hand += [
        f"release {each.row.id}"
        for each in list_releases(workspace, dataset)
        if is_locked(release_folder(workspace, each.row.id))
    ]
    return (*by_jobs, *(f"A process makes its {each}: stop it first." for each in by_hand))


def _page_files(workspace: Workspace, dataset: DatasetRow) -> Path | None:
    """Return where the page files of a dataset lie if that is outside its folder."""
    try:
        manifest = workspace.revision(dataset).manifest
    except AssayError:
        return None
    return None if manifest.keeps_media else manifest.info.media_root


def _bytes_in(folder: Path) -> int:
    return sum(each.stat().st_size for each in folder.rglob("*") if each.is_file()) if folder.is_dir() else 0


def _remove_folder(workspace: Workspace, content_hash: str) -> str | None:
    """Remove the folder of a deleted dataset; return why it is still there, None where it is not.

    The write lock keeps an import of the same content from taking the folder up at this moment; where one already did, the
    folder is its own. It is renamed first, so that half a folder never stands under the name of a whole one.
    """
    folder = workspace.datasets_folder / content_hash
    workspace.forget_revisions()
    try:
        with workspace.database.write() as connection:
            if datasets.by_hash(connection, content_hash) is not None:
                return None
            aside = folder.rename(folder.with_name(f"{PREFIX}{uuid.uuid4().hex}"))
        shutil.rmtree(aside)
    except FileNotFoundError:
        return None
    except (OSError, AssayError) as error:
        return f"The dataset is deleted, but its folder {folder} could not be removed ({error}). Remove it by hand."
    return None


def _remove_results(folder: Path) -> str | None:
    """Remove the folder of a deleted comparison or run; return why it is still there, None where it is not."""
    forget_lock(folder)
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        return None
    except OSError as error:
        return f"The folder {folder} of deleted results could not be removed ({error}). Remove it by hand."
    return None
