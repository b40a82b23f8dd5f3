"""Writes a checked bundle as a dataset revision: a folder named by the content hash, whole or not there at all."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from audit_core.datasets.aside import built_aside, sweep_unfinished, write_parquet
from audit_core.datasets.index import write_index
from audit_core.datasets.manifest import MANIFEST_FILE, manifest_of
from audit_core.datasets.media import bring, media_files

if TYPE_CHECKING:
    from audit_core.importers.bundle import Bundle

__all__ = ["build_revision", "sweep_unfinished"]

INDEX_FILE = "index.sqlite"
FINDINGS_FILE = "findings.parquet"
MEDIA_FOLDER = "media"
Progress = Callable[[str, float], None]


def build_revision(bundle: Bundle, root: Path, *, progress: Progress | None = None, media: Path | None = None) -> Path:
    """Return the folder `root/<content hash>`, built from the bundle; one that is there already is left as it is.

    Only where the page files of one that is there were moved away does it point to the bundle's from then on.

    With `media`, the folder of an unpacked upload, the files that the dataset refers to are brought into the revision's
    own `media` folder, so that the upload can be thrown away and the revision be moved. Without it they stay where they
    are and the manifest points there.

    Raises:
        StorageError: the disk is full or cannot be written; nothing was kept.
    """
    report = _rising(progress)
    target = root / bundle.content_hash
    if (target / MANIFEST_FILE).is_file():
        _mend_media_root(target, bundle)
        report("here already", 1.0)
        return target
    with built_aside(target, keep_existing=True) as aside:
        report("writing the index", 0.0)
        # The tables are written beside it: SQLite and the writer of Parquet keep a core each busy.
        with ThreadPoolExecutor(1, "tables") as pool:
            tables = pool.submit(_write_tables, bundle, aside)
            write_index(aside / INDEX_FILE, bundle, lambda part: report("writing the index", 0.6 * part))
            report("writing the index", 0.6)
            tables.result()
        _bring_attachments(bundle, aside, report)
        if media is not None:
            _bring_media(bundle, media, aside / MEDIA_FOLDER, report)
        manifest = manifest_of(bundle, media_root=MEDIA_FOLDER if media is not None else str(bundle.info.media_root))
        text = json.dumps(manifest, ensure_ascii=False, indent=1)
        (aside / MANIFEST_FILE).write_text(text + "\n", encoding="utf-8")
        report("writing to the disk", 0.98)
    report("written", 1.0)
    return target


def _mend_media_root(target: Path, bundle: Bundle) -> None:
    """Point a revision whose page files were moved away to where the same bundle has them now."""
    manifest = json.loads((target / MANIFEST_FILE).read_text(encoding="utf-8"))
    written = Path(manifest["media_root"])
    if not written.is_absolute() or written.is_dir():
        return
    manifest["media_root"] = str(bundle.info.media_root)
    fresh = target / f".{MANIFEST_FILE}-{uuid.uuid4().hex}"
    fresh.write_text(json.dumps(manifest, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    fresh.replace(target / MANIFEST_FILE)


def _rising(progress: Progress | None) -> Progress:
    last = 0.0

    def report(step: str, part: float) -> None:
        nonlocal last
        last = max(last, min(part, 1.0))
        if progress is not None:
            progress(step, last)

    return report


def _write_tables(bundle: Bundle, aside: Path) -> None:
    frames: dict[str, Any] = {**bundle.tables, "findings": bundle.findings}
    for name, frame in frames.items():
        write_parquet(frame, aside / f"{name}.parquet", compression="lz4")


def _bring_attachments(bundle: Bundle, aside: Path, report: Progress) -> None:
    files = [name for each in bundle.attachments for name in each.files]
    total = max(len(files), 1)
    bring(
        files, bundle.folder, aside / "attachments", link=False,
        advance=lambda done: report("copying runs", 0.7 + 0.13 * done / total),
    )  # fmt: skip


def _bring_media(bundle: Bundle, media: Path, target: Path, report: Progress) -> None:
    files = media_files(bundle.pages["image"], bundle.documents["uri"])
    total = max(len(files), 1)
    target.mkdir()
    bring(
        files, media, target, link=True, advance=lambda done: report("keeping page files", 0.83 + 0.14 * done / total)
    )  # fmt: skip
