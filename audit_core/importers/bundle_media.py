"""Paths of page images and documents: made relative to the media root, never outside it, and looked for on disk."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from audit_core.importers.bundle_faults import FaultLog
from audit_core.importers.bundle_info import BundleInfo

if TYPE_CHECKING:
    import polars as pl

PDF_PAGE = re.compile(r"^(?P<file>.+\.pdf)#page=(?P<number>[0-9]{1,9})$", re.IGNORECASE | re.DOTALL)
_WEB_ADDRESS = re.compile(r"^https?://", re.IGNORECASE)
_DRIVE = re.compile(r"^[A-Za-z]:")
#: So many PDF files are opened by one counting process, and so long it may take for them.
PDFS_PER_PROCESS = 100
PDF_SECONDS = 120

OUTSIDE = ("outside_media_root", "a path below the media root (no absolute path, no `..` or link that leaves it)")
NO_FILE = ("missing_image", "an image file that exists below the media root")
NO_PDF_PAGE = ("bad_pdf_page", "file.pdf#page=N with N from 1")
BACKSLASH = ("backslash_in_path", "a path with forward slashes")
EMPTY = ("missing_value", "the path of an image")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a written path leads: `path` relative to the media root in posix form, or the fault (kind, expected)."""

    path: str | None
    fault: tuple[str, str] | None = None
    exists: bool = False
    is_file: bool = False


class MediaRoot:
    """Resolves paths of a bundle against its media root; each folder is resolved and each file looked at once."""

    def __init__(self, bundle_folder: Path, root: Path) -> None:
        self._bundle = str(bundle_folder.resolve())
        self._root = str(root.resolve())
        self._folders: dict[str, str] = {}
        self._files: dict[str, Place] = {}

    def absolute(self, path: str) -> str:
        """Return the file of a path that `place` returned."""
        return os.path.join(self._root, *path.split("/"))

    def place(self, written: str) -> Place:
        """Return where a path leads that was written relative to the bundle."""
        found = self._files.get(written)
        if found is None:
            found = self._files[written] = self._look(written)
        return found

    def _look(self, written: str) -> Place:
        if not written:
            return Place(None, EMPTY)
        if "\x00" in written or written.startswith(("/", "\\\\")) or _DRIVE.match(written):
            return Place(None, OUTSIDE)
        if "\\" in written:
            return Place(None, BACKSLASH)
        folder, name = os.path.split(os.path.join(self._bundle, *written.split("/")))
        if name in ("", ".", ".."):
            folder, name = os.path.join(folder, name), ""
        real = os.path.join(self._real_folder(folder), name) if name else self._real_folder(folder)
        try:
            mode = os.lstat(real).st_mode
        except (OSError, ValueError):
            mode = 0
        if stat.S_ISLNK(mode):
            target = os.path.realpath(real)
            if not self._inside(target):
                return Place(None, OUTSIDE)
            mode = os.stat(target).st_mode if os.path.exists(target) else 0
        if not self._inside(real):
            return Place(None, OUTSIDE)
        relative = os.path.relpath(real, self._root).replace(os.sep, "/")
        is_file = stat.S_ISREG(mode)
        return Place(relative, None, is_file or stat.S_ISDIR(mode), is_file)

    def _real_folder(self, folder: str) -> str:
        real = self._folders.get(folder)
        if real is None:
            real = self._folders[folder] = os.path.realpath(folder)
        return real

    def _inside(self, path: str) -> bool:
        return path == self._root or path.startswith(self._root.rstrip(os.sep) + os.sep)


def place_images(
    pages: pl.DataFrame, info: BundleInfo, folder: Path, file: str, log: FaultLog, advance: Callable[[float], None]
) -> pl.DataFrame:
    """Return the pages with `image` relative to the media root; every fault of a path or file is logged.

    An image that may not be referenced becomes an empty text in a lenient import; one that is missing keeps its path.
    """
    import polars as pl

    root = MediaRoot(folder, info.media_root)
    written = pages["image"].unique(maintain_order=True).drop_nulls().to_list()
    places: dict[str, str] = {}
    faults: dict[tuple[str, str], list[str]] = {}
    pdfs: dict[str, list[tuple[str, int]]] = {}
    for number, image in enumerate(written):
        place, page_number = _image_place(root, image)
        suffix = "" if page_number is None else f"#page={page_number}"
        places[image] = "" if place.path is None else place.path + suffix
        fault = place.fault or (None if place.is_file else NO_FILE)
        if fault is not None:
            faults.setdefault(fault, []).append(image)
        elif page_number is not None and place.path is not None:
            pdfs.setdefault(place.path, []).append((image, page_number))
        if number % 20_000 == 0:
            advance(number / len(written))
    _count_pdf_pages(root, pdfs, faults)
    for (kind, expected), images in faults.items():
        rows = pages.filter(pl.col("image").is_in(images)).select(
            "line", row_key="page_id", field=pl.lit("image"), value="image"
        )
        log.faults(rows, kind=kind, file=file, expected=expected, table="pages")
    if not places:
        return pages
    return pages.with_columns(pl.col("image").replace_strict(places, default=None, return_dtype=pl.String))


def _image_place(root: MediaRoot, image: str) -> tuple[Place, int | None]:
    match = PDF_PAGE.match(image)
    if match is not None:
        number = int(match["number"])
        place = root.place(match["file"])
        return (place, number) if number >= 1 or place.fault else (Place(None, NO_PDF_PAGE), None)
    place = root.place(image)
    if place.fault is None and (image.lower().endswith(".pdf") or "#page=" in image) and not place.exists:
        return Place(None, NO_PDF_PAGE), None
    if place.fault is None and image.lower().endswith(".pdf"):
        return Place(None, NO_PDF_PAGE), None
    return place, None


def _count_pdf_pages(
    root: MediaRoot, pdfs: dict[str, list[tuple[str, int]]], faults: dict[tuple[str, str], list[str]]
) -> None:
    counts = pdf_page_counts([root.absolute(path) for path in pdfs])
    for path, asked in pdfs.items():
        count = counts[root.absolute(path)]
        if isinstance(count, str):
            faults.setdefault(("broken_pdf", f"a PDF that can be opened ({count})"), []).extend(
                each for each, _ in asked
            )
            continue
        for image, number in asked:
            if number > count:
                expected = f"a page from 1 to {count}, for the PDF has no more"
                faults.setdefault(("bad_pdf_page", expected), []).append(image)


def pdf_page_counts(paths: Iterable[str]) -> dict[str, int | str]:
    """Return the number of pages of each PDF file, or why it cannot be opened (broken, encrypted, PDFium crashed).

    PDFium runs in a process of its own, which is started again behind the file that brought it down.
    """
    waiting = list(paths)
    counts: dict[str, int | str] = {}
    while waiting:
        batch = waiting[:PDFS_PER_PROCESS]
        answers = _ask(batch)
        for path, answer in zip(batch, answers, strict=False):
            counts[path] = answer
        if len(answers) < len(batch):
            counts[batch[len(answers)]] = "the PDF library crashed on it or took too long"
            waiting = waiting[len(answers) + 1 :]
        else:
            waiting = waiting[len(batch) :]
    return counts


def _ask(batch: list[str]) -> list[int | str]:
    program = Path(__file__).with_name("pdf_page_counts.py")
    questions = "".join(json.dumps(path) + "\n" for path in batch)
    command = [sys.executable, "-I", str(program)]
    try:
        done = subprocess.run(
            command, input=questions, capture_output=True, text=True, timeout=PDF_SECONDS, check=False
        )
        output: str | bytes | None = done.stdout
    except subprocess.TimeoutExpired as error:
        output = error.stdout
    text = output.decode("utf-8", "replace") if isinstance(output, bytes) else output or ""
    answers: list[int | str] = []
    for line in text.split("\n")[:-1]:
        answer = json.loads(line)
        answers.append(answer["pages"] if "pages" in answer else str(answer["error"]))
    return answers


def place_documents(documents: pl.DataFrame, info: BundleInfo, folder: Path, file: str, log: FaultLog) -> pl.DataFrame:
    """Return the documents with `uri` relative to the media root; web addresses stay as they are.

    A file that is not there is a finding: documents are only pointed to, never drawn.
    """
    import polars as pl

    root = MediaRoot(folder, info.media_root)
    places: dict[str, str | None] = {}
    missing: list[str] = []
    faults: dict[tuple[str, str], list[str]] = {}
    for uri in documents["uri"].unique(maintain_order=True).drop_nulls().to_list():
        if _WEB_ADDRESS.match(uri):
            places[uri] = uri
            continue
        place = root.place(uri)
        places[uri] = place.path
        if place.fault is not None:
            faults.setdefault(place.fault, []).append(uri)
        elif not place.exists:
            missing.append(uri)
    rows = documents.select("line", row_key="document_id", field=pl.lit("uri"), value="uri")
    for (kind, expected), uris in faults.items():
        log.faults(rows.filter(pl.col("value").is_in(uris)), kind=kind, file=file, expected=expected, table="documents")
    found = rows.filter(pl.col("value").is_in(missing))
    log.findings_of(found, kind="missing_document_file", table="documents", message="the document's file is not there")
    if not places:
        return documents
    return documents.with_columns(pl.col("uri").replace_strict(places, default=None, return_dtype=pl.String))
