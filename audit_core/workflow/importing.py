"""Importing a bundle: the dataset becomes an immutable folder, its judgments campaigns, its labels label sets."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from audit_core import config
from audit_core.errors import BundleError, NotFound, StorageError
from audit_core.storage import datasets
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.workflow.import_entering import ImportEntry
from audit_core.workflow.import_records import planned_campaigns
from audit_core.workflow.import_result import ImportResult as ImportResult
from audit_core.workflow.scratch import scratch_folder
from audit_core.workflow.workspace import Workspace

Progress = Callable[[str, float], None]


def list_datasets(workspace: Workspace) -> list[DatasetRow]:
    """Return all datasets, the one imported last first."""
    with workspace.database.read() as connection:
        return datasets.all_rows(connection)


def dataset_counts(workspace: Workspace, dataset: DatasetRow) -> dict[str, int] | None:
    """Return the number of rows of each table of a dataset; None where its folder is gone."""
    try:
        return dict(workspace.revision(dataset).counts)
    except NotFound:
        return None


def import_zip(
    workspace: Workspace,
    archive: Path,
    *,
    lenient: bool = False,
    person: Person | None = None,
    progress: Progress | None = None,
    origin: str | None = None,
) -> ImportResult:
    """Import a zipped bundle; its page files are kept with the dataset, since the archive may go.

    The bundle's own `media_root` is not honoured: only files inside the archive are ever read.

    Raises:
        BundleError: the archive or the bundle was refused; nothing was imported.
    """
    from audit_core.importers.upload import unpack

    with scratch_folder(workspace.home) as scratch:
        folder = unpack(archive, scratch, max_bytes=config.max_upload_bytes())
        return _import(
            workspace,
            folder,
            lenient=lenient,
            person=person,
            progress=progress,
            origin=origin or str(archive),
            keeps_media=True,
        )


def import_bundle(
    workspace: Workspace,
    folder: Path,
    *,
    lenient: bool = False,
    person: Person | None = None,
    progress: Progress | None = None,
    origin: str | None = None,
    keeps_media: bool = False,
) -> ImportResult:
    """Import the bundle in a folder; its page files are referred to where they lie. All or nothing.

    `origin` is said where the dataset comes from, in place of the folder. With `keeps_media` the page files, which must
    then lie inside the bundle, are kept with the dataset, so that the folder may go.

    Raises:
        BundleError: the bundle was refused; nothing was imported.
        RevisionClash: the same name and revision, or a campaign or label set of the same name, has other content.
        StorageError: the dataset or the database cannot be written.
    """
    return _import(
        workspace,
        folder,
        lenient=lenient,
        person=person,
        progress=progress,
        origin=origin or str(folder.absolute()),
        keeps_media=keeps_media,
    )


def allowed_bundles() -> list[Path]:
    """Return the bundles in the folders that the server allows: each such folder itself, or one level below it.

    Raises:
        SettingError: an allowed folder does not exist.
    """
    found = []
    for folder in config.import_folders():
        candidates = [folder, *sorted(each for each in folder.iterdir() if each.is_dir())]
        found += [each for each in candidates if (each / "dataset.json").is_file()]
    return found


def import_allowed(
    workspace: Workspace,
    folder: Path,
    *,
    lenient: bool = False,
    person: Person | None = None,
    progress: Progress | None = None,
) -> ImportResult:
    """Import one of the `allowed_bundles`; its media root may not leave the folder that the server allows.

    Raises:
        BundleError: the folder is not an allowed one, or the bundle was refused; nothing was imported.
    """
    allowed = [each for each in config.import_folders() if folder.resolve().is_relative_to(each)]
    if not allowed or folder not in allowed_bundles():
        raise BundleError(f"{folder} is not a bundle in a folder that ASSAY_IMPORT_FOLDERS allows.")
    return _import(
        workspace,
        folder,
        lenient=lenient,
        person=person,
        progress=progress,
        origin=str(folder),
        keeps_media=False,
        media_within=allowed[0],
    )


def _import(
    workspace: Workspace,
    folder: Path,
    *,
    lenient: bool,
    person: Person | None,
    progress: Progress | None,
    origin: str,
    keeps_media: bool,
    media_within: Path | None = None,
) -> ImportResult:
    from audit_core.datasets.build import build_revision, sweep_unfinished
    from audit_core.importers.bundle import read_bundle

    try:
        str(folder.resolve()).encode("utf-8")
    except UnicodeEncodeError:
        raise BundleError(f"The path {folder} is not UTF-8 and cannot be kept: rename the folder.") from None
    report = progress or (lambda step, share: None)
    workspace.datasets_folder.mkdir(parents=True, exist_ok=True)
    sweep_unfinished(workspace.datasets_folder)
    bundle = read_bundle(
        folder,
        lenient=lenient,
        media_root=folder if keeps_media else None,
        progress=lambda step, share: report(step, 0.6 * share),
    )
    if media_within is not None and not bundle.info.media_root.is_relative_to(media_within):
        raise BundleError(
            f"dataset.json sets media_root to {bundle.info.media_root}, outside of {media_within}, which is all that the server "
            "allows from here. Import it with `python -m audit_core import`."
        )
    entry = ImportEntry(workspace, bundle, planned_campaigns(bundle), is_lenient=lenient, person=person, origin=origin)
    entry.refuse_clash()
    is_here = (workspace.datasets_folder / bundle.content_hash).exists()
    try:
        build_revision(
            bundle,
            workspace.datasets_folder,
            media=folder if keeps_media else None,
            progress=lambda step, share: report(step, 0.6 + 0.3 * share),
        )
        workspace.forget_revisions()
        report("saving", 0.9)
        result = entry.enter()
    except BaseException:
        if not is_here:
            _take_back(workspace, bundle.content_hash)
        raise
    report("done", 1.0)
    manifest = workspace.revision(result.dataset).manifest
    if manifest.keeps_media:
        return result
    root = manifest.info.media_root
    warnings = result.warnings if root.is_relative_to(folder.resolve()) else [*result.warnings, _outside(root)]
    return replace(result, media_root=str(root), warnings=warnings)


def _outside(media_root: Path) -> str:
    return (
        f"dataset.json sets media_root to {media_root}, outside of the bundle: whoever signs in can see the images and PDFs "
        "there that its pages name. Delete the dataset if that is not meant"
    )


def _take_back(workspace: Workspace, content_hash: str) -> None:
    """Remove a revision that was built but could not be entered, unless another import entered it meanwhile.

    SQLite's write lock keeps another import of the same content from entering it at this moment. Where the lock is not to
    be had, the folder stays: the next import of that content takes it up.
    """
    folder = workspace.datasets_folder / content_hash
    with suppress(StorageError, OSError), workspace.database.write() as connection:
        if datasets.by_hash(connection, content_hash) is None:
            # Renamed first: half a folder must never stand under the name of a whole one.
            aside = folder.rename(folder.with_name(f".building-{uuid.uuid4().hex}"))
            shutil.rmtree(aside, ignore_errors=True)
