"""Page files and document files of a dataset: listed, and brought into a folder of its own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from audit_core.importers.bundle_media import PDF_PAGE

if TYPE_CHECKING:
    import polars as pl


def media_files(images: pl.Series, uris: pl.Series) -> list[str]:
    """Return the distinct files (and folders of documents) that a dataset refers to, relative to its media root."""
    found: dict[str, None] = {}
    for image in images.unique(maintain_order=True).drop_nulls():
        match = PDF_PAGE.match(image)
        found[match["file"] if match else image] = None
    for uri in uris.unique(maintain_order=True).drop_nulls():
        if "://" not in uri:
            found[uri] = None
    # A document that is the whole media root (".") names no file of its own.
    return [each for each in found if each not in ("", ".")]


def bring(files: Iterable[str], source: Path, target: Path, *, link: bool, advance: Callable[[int], None]) -> None:
    """Copy files from below `source` to the same places below `target`; `link` hard-links where the disk allows it.

    Files that are missing are passed over (a lenient import keeps their pages); links inside a document's folder are
    not followed, for they may lead anywhere.
    """
    for number, name in enumerate(files):
        place = source / name
        if place.is_dir():
            for parent, _, names in os.walk(place):
                for each in names:
                    inner = Path(parent) / each
                    if not inner.is_symlink():
                        _bring_one(inner, target / inner.relative_to(source), link=link)
        elif place.is_file():
            _bring_one(place, target / name, link=link)
        advance(number + 1)


def _bring_one(source: Path, target: Path, *, link: bool) -> None:
    if target.exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    if link and not source.is_symlink():
        try:
            os.link(source, target)
            return
        except OSError:
            # Another disk, or one without hard links: a copy serves as well.
            pass
    shutil.copyfile(source, target)
