"""Writes a dataset revision back as a bundle; what is imported again has the same content hash."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from audit_core.datasets.aside import built_aside, write_parquet
from audit_core.datasets.media import bring, media_files
from audit_core.domain import JsonObject
from audit_core.errors import AssayError
from audit_core.exporters.bundle_rows import in_columns, query_rows_of, rows_of, stored_frame, write_rows
from audit_core.importers.bundle_info import INFO_FILE
from audit_core.importers.bundle_judgments import DESIGN_ENDING, JUDGMENTS_FOLDER, LABELS_FOLDER
from audit_core.importers.bundle_schema import FORMAT, FORMAT_VERSION, JUDGMENTS, LABELS, MAIN_TABLES, OPTIONAL_TABLES

if TYPE_CHECKING:
    import polars as pl

    from audit_core.importers.bundle_attachments import Attachment
    from audit_core.importers.bundle_info import BundleInfo

FORMS = ("jsonl", "parquet")
MEDIA = ("copy", "refer", "link")
#: A judgment set: its rows in the format's columns, and its sample design where it has one.
Judged = tuple[Sequence[JsonObject], JsonObject | None]


class BundleSource(Protocol):
    """What a bundle is written from: a dataset revision, or a view of one that differs in some queries.

    Files of `attachments` lie below `folder/attachments`; `media_root` is absolute; `table` is that of `Revision`.
    """

    @property
    def folder(self) -> Path:
        """The folder of its own files."""
        ...

    @property
    def info(self) -> BundleInfo:
        """Name, revision and the rest of `dataset.json`."""
        ...

    @property
    def media_root(self) -> Path:
        """The folder that page files are relative to."""
        ...

    @property
    def attachments(self) -> tuple[Attachment, ...]:
        """Runs and embeddings."""
        ...

    def table(self, name: str) -> pl.LazyFrame:
        """Return one of the five tables."""
        ...


def write_bundle(
    revision: BundleSource,
    folder: Path,
    *,
    judgments: Mapping[str, Judged],
    labels: Mapping[str, Sequence[JsonObject]],
    form: str = "jsonl",
    media: str = "refer",
) -> Path:
    """Write a dataset as a bundle into `folder`, which must be empty or not there; return the folder.

    `form` is `jsonl` or `parquet`. With `media` = `copy` the page files are copied below the folder, with `link` they are
    hard-linked there where the disk allows it (for a bundle that is imported and thrown away); with `refer` they stay
    where they lie and the bundle's `media_root` leads there. Runs and embeddings go along.

    Raises:
        AssayError: the folder is not empty, a name cannot be a file's, or the page files cannot be referred to.
        StorageError: the disk is full or cannot be written; nothing was kept.
    """
    if form not in FORMS:
        raise AssayError(f"There is no form {form!r}. Choose one of: {', '.join(FORMS)}.")
    if media not in MEDIA:
        raise AssayError(f"Page files cannot be treated as {media!r}. Choose one of: {', '.join(MEDIA)}.")
    for name in (*judgments, *labels):
        _refuse_bad_name(name)
    folder = folder.absolute()
    _refuse_filled(folder)
    root = _relative_root(revision.media_root, folder) if media == "refer" else "."
    with built_aside(folder) as aside:
        _write_info(revision, aside, root)
        _write_tables(revision, aside, form, root)
        _write_answers(aside, judgments, labels, form)
        files = [name for each in revision.attachments for name in each.files]
        bring(files, revision.folder / "attachments", aside, link=False, advance=lambda done: None)
        if media != "refer":
            _copy_media(revision, aside, link=media == "link")
        if folder.exists():
            folder.rmdir()
    return folder


def _write_answers(
    aside: Path, judgments: Mapping[str, Judged], labels: Mapping[str, Sequence[JsonObject]], form: str
) -> None:
    for name, (rows, design) in judgments.items():
        write_rows(in_columns(rows, JUDGMENTS), JUDGMENTS, aside, f"{JUDGMENTS_FOLDER}/{name}", form)
        if design is not None:
            text = json.dumps(design, ensure_ascii=False, indent=1)
            (aside / JUDGMENTS_FOLDER / f"{name}{DESIGN_ENDING}").write_text(text + "\n", encoding="utf-8")
    for name, label_rows in labels.items():
        write_rows(in_columns(label_rows, LABELS), LABELS, aside, f"{LABELS_FOLDER}/{name}", form)


def _refuse_bad_name(name: str) -> None:
    if not name or name.startswith(".") or any(each in name for each in '/\\:\x00*?"<>|'):
        raise AssayError(f'{name!r} cannot be the name of a file: rename it without any of / \\ : * ? " < > |.')


def _refuse_filled(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise AssayError(f"{folder} is there already and is not an empty folder: choose another, or empty it.")


def _relative_root(media_root: Path, folder: Path) -> str:
    try:
        return Path(os.path.relpath(media_root, folder.resolve())).as_posix()
    except ValueError:
        raise AssayError(
            f"The page files lie in {media_root}, on another drive than {folder}, and paths of a bundle are relative: "
            "export with copies of the page files, or to a folder on that drive."
        ) from None


def _write_info(revision: BundleSource, aside: Path, root: str) -> None:
    info = revision.info
    document: JsonObject = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "name": info.name,
        "revision": info.revision,
        "license": info.license,
        "page_numbering": info.page_numbering,
        "box_units": info.box_units,
    }
    if info.sources:
        document["sources"] = list(info.sources)
    if root != ".":
        document["media_root"] = root
    text = json.dumps(document, ensure_ascii=False, indent=1)
    (aside / INFO_FILE).write_text(text + "\n", encoding="utf-8")


def _write_tables(revision: BundleSource, aside: Path, form: str, root: str) -> None:
    frames = {
        "documents": _moved(revision.table("documents").collect(), "uri", root),
        "pages": _moved(revision.table("pages").collect(), "image", root),
        "elements": revision.table("elements").collect(),
        "queries": revision.table("queries").collect(),
    }
    for name, columns in MAIN_TABLES.items():
        frame = frames.pop(name)
        evidence = revision.table("evidence").collect() if name == "queries" else None
        if name in OPTIONAL_TABLES and frame.is_empty():
            continue
        if form == "parquet":
            write_parquet(stored_frame(frame, columns, evidence), aside / f"{name}.parquet")
        elif evidence is not None:
            write_rows(query_rows_of(frame, evidence, columns), columns, aside, name, form)
        else:
            write_rows(rows_of(frame, columns), columns, aside, name, form)


def _moved(frame: pl.DataFrame, name: str, root: str) -> pl.DataFrame:
    """Return the frame with paths relative to the media root made relative to the bundle; web addresses stay."""
    import polars as pl

    if root == ".":
        return frame
    path = pl.col(name)
    moved = pl.when(path == ".").then(pl.lit(root)).otherwise(pl.concat_str(pl.lit(f"{root}/"), path))
    return frame.with_columns(
        pl.when((path == "") | path.str.contains("://", literal=True)).then(path).otherwise(moved).alias(name)
    )


def _copy_media(revision: BundleSource, aside: Path, *, link: bool) -> None:
    import polars as pl

    images = revision.table("pages").select("image").unique().collect()["image"]
    uris = revision.table("documents").select("uri").collect()["uri"]
    files = media_files(images.sort(), uris.cast(pl.String))
    taken = [name for name in files if (aside / name).is_file()]
    if taken:
        raise AssayError(
            f"The page file {taken[0]} has the name of a table of the bundle: export with references to the page files."
        )
    bring(files, revision.media_root, aside, link=link, advance=lambda done: None)
