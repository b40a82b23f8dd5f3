"""Files of a bundle's folder that are no part of the format, and that no proof looks at."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from audit_core.datasets.media import media_files
from audit_core.importers.bundle import Bundle
from audit_core.importers.bundle_judgments import DESIGN_ENDING, JUDGMENTS_FOLDER, LABELS_FOLDER

#: What people put beside a bundle, and what a release has beside its own.
_BESIDE = {
    "README.md", "LICENSE", "LICENSE.md", "LICENSE.txt", "ledger.jsonl", "issue.md", "certificate.json", "certificate.md",
    "row_status.jsonl", "row_status.parquet",
}  # fmt: skip
_ENDINGS = (".jsonl", ".parquet")


def extra_files(bundle: Bundle) -> list[str]:
    """Return the files of a bundle's folder that nothing of it names, sorted; hidden ones are passed over."""
    named = _own_files(bundle) | _BESIDE
    media = _media_in(bundle)
    return sorted(
        each
        for each in _files(bundle.folder)
        if each not in named and each not in media and not any(part in media for part in _parents(each))
    )


def _own_files(bundle: Bundle) -> set[str]:
    stems = ["documents", "pages", "elements", "queries"]
    stems += [f"{JUDGMENTS_FOLDER}/{name}" for name in bundle.judgments]
    stems += [f"{LABELS_FOLDER}/{name}" for name in bundle.labels]
    designs = {f"{JUDGMENTS_FOLDER}/{name}{DESIGN_ENDING}" for name, each in bundle.judgments.items() if each.design}
    attached = {name for each in bundle.attachments for name in each.files}
    return {"dataset.json", *(f"{stem}{ending}" for stem in stems for ending in _ENDINGS)} | designs | attached


def _media_in(bundle: Bundle) -> set[str]:
    """Return the page files (and folders of documents) below the bundle's own folder, relative to it."""
    folder, root = bundle.folder.resolve(), bundle.info.media_root.resolve()
    if not root.is_relative_to(folder):
        return set()
    below = root.relative_to(folder)
    return {(below / name).as_posix() for name in media_files(bundle.pages["image"], bundle.documents["uri"])}


def _parents(name: str) -> Iterator[str]:
    return (each.as_posix() for each in Path(name).parents)


def _files(folder: Path) -> Iterator[str]:
    for parent, folders, names in os.walk(folder):
        folders[:] = [each for each in folders if not each.startswith(".")]
        for each in names:
            if not each.startswith("."):
                yield (Path(parent) / each).relative_to(folder).as_posix()
