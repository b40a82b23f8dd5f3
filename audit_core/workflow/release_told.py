"""What a finished release has to say: its files as text, a zip of them, and the proof of it as it is now."""

from __future__ import annotations

import zipfile
from pathlib import Path

from audit_core.errors import LedgerError, NotFound, StorageError
from audit_core.release.ledger_reading import read_ledger
from audit_core.release.sides import read_side, side_of_revision
from audit_core.release.verification import Verification
from audit_core.release.verify import Report, verify_release
from audit_core.workflow.release_list import ReleaseView
from audit_core.workflow.release_making import BUNDLE, LEDGER
from audit_core.workflow.release_request import request_from
from audit_core.workflow.workspace import Workspace

#: Files in a zip have no time of their own: the same release gives the same bytes.
_MOMENT = (1980, 1, 1, 0, 0, 0)


def released_file(view: ReleaseView, name: str) -> Path:
    """Return where a file of a finished release lies.

    Raises:
        LedgerError: the release is not finished.
        NotFound: the file is gone.
    """
    if view.row.finished_at is None:
        raise LedgerError(
            f"Release {view.row.id} is not finished: it has no files yet. Make it again where it broke off."
        )
    place = view.folder / name
    if not place.exists():
        raise NotFound(
            f"{name} of release {view.row.id} is not at {place}: put it back from a copy, or make the release again."
        )
    return place


def released_text(view: ReleaseView, name: str) -> str:
    """Return a text file of a finished release.

    Raises:
        LedgerError, NotFound: as `released_file`.
        StorageError: it cannot be read.
    """
    place = released_file(view, name)
    try:
        return place.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise StorageError(f"{place} cannot be read ({error}): put it back from a copy.") from error


def size_of(view: ReleaseView) -> int:
    """Return how many bytes the files of a release have together."""
    return sum(each.stat().st_size for each in view.folder.rglob("*") if each.is_file())


def write_zip(view: ReleaseView, target: Path) -> Path:
    """Write all files of a finished release as a zip archive and return where it lies.

    Raises:
        LedgerError, NotFound: as `released_file`.
    """
    released_file(view, LEDGER)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for each in sorted(view.folder.rglob("*")):
            if each.is_file():
                entry = zipfile.ZipInfo(each.relative_to(view.folder).as_posix(), _MOMENT)
                entry.compress_type = zipfile.ZIP_DEFLATED
                with each.open("rb") as source, archive.open(entry, "w") as out:
                    while block := source.read(1 << 20):
                        out.write(block)
    return target


def verify_stored(workspace: Workspace, view: ReleaseView, *, report: Report | None = None) -> Verification:
    """Return what the verifier says of a finished release as its files are now, against the dataset revision that is here.

    Raises:
        LedgerError: it is not finished, holds ids and codes only, or its ledger cannot be read.
        NotFound: its files, or the dataset's, are gone.
        BundleError: the bundle breaks the format.
    """
    if request_from(view.row.spec).ids_only:
        raise LedgerError(f"Release {view.row.id} holds ids and codes only, so there is no bundle of it here to prove.")
    revision = workspace.revision(view.dataset)
    tell = report or (lambda step, part: None)
    new = read_side(
        released_file(view, BUNDLE),
        lenient=revision.manifest.is_lenient,
        advance=lambda part: tell("reading", 0.5 * part),
    )
    ledger = read_ledger(released_file(view, LEDGER))
    return verify_release(
        side_of_revision(revision), ledger, new, report=lambda step, part: tell(step, 0.5 + 0.5 * part)
    )
