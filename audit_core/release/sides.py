"""The two sides of a proof: a bundle as read, or a dataset revision that is stored here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from audit_core.domain import JsonObject
from audit_core.errors import BundleError, LedgerError
from audit_core.importers.bundle import Bundle, read_bundle
from audit_core.release.extra_files import extra_files

if TYPE_CHECKING:
    import polars as pl

    from audit_core.datasets.revision import Revision
    from audit_core.importers.bundle_attachments import Attachment
    from audit_core.importers.bundle_info import BundleInfo

#: So many faults of a bundle are listed; the others are counted.
LISTED = 20
#: Told the part that is done, in [0, 1]; may raise to stop.
Advance = Callable[[float], None]


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """What a proof compares. `files` are names of the files of tables, for messages; `attached` is where runs lie.

    `sets` are judgments and labels by the stem of their file, each with the columns that identify a row, `designs` the sample
    designs of judgments by the same stem. `oddities` say what the reader evened out: duplicate rows, boxes a hair outside of
    their page. `warnings` are the reader's own, such as that a column is no part of the format. `extra` are files of the folder
    that are no part of the format.
    """

    folder: Path
    info: BundleInfo
    content_hash: str
    tables: Mapping[str, pl.DataFrame]
    files: Mapping[str, str]
    attachments: tuple[Attachment, ...]
    attached: Path
    sets: Mapping[str, tuple[pl.DataFrame, tuple[str, ...]]] = field(default_factory=dict)
    oddities: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    designs: Mapping[str, JsonObject | None] = field(default_factory=dict)
    extra: tuple[str, ...] = ()

    def attachment_files(self, attachment: Attachment) -> list[Path]:
        """Return where the files of a run or embedding lie."""
        return [self.attached / each for each in attachment.files]


def read_side(folder: Path, *, lenient: bool = False, advance: Advance | None = None) -> Side:
    """Return the bundle in a folder as a side.

    Raises:
        LedgerError: there is no such folder.
        BundleError: the bundle is refused; all its faults are named.
    """
    if not folder.is_dir():
        raise LedgerError(f"{folder} is not a folder: give the folder of a bundle, which holds dataset.json.")
    tell = advance or (lambda part: None)
    try:
        bundle = read_bundle(folder, lenient=lenient, progress=lambda _, part: tell(part))
    except BundleError as error:
        raise _refused(folder, error) from error
    return side_of_bundle(bundle)


def _refused(folder: Path, error: BundleError) -> BundleError:
    """Return the refusal of a bundle in the words of a proof, for which nothing was to be imported."""
    listed = "".join(f"\n  {each}" for each in error.problems[:LISTED])
    more = f"\n  and {error.total - LISTED:,} more" if error.total > LISTED else ""
    message = f"{folder} breaks the bundle format, so there is no proof: {error.total:,} fault{'s' * (error.total != 1)}.{listed}{more}"
    return BundleError(message if error.problems else str(error), error.problems, error.total)


def side_of_bundle(bundle: Bundle) -> Side:
    """Return a bundle that was read as a side."""
    sets: dict[str, tuple[pl.DataFrame, tuple[str, ...]]] = {
        f"judgments/{name}": (each.frame, ("query_id", "annotator", "entry_number", "revision"))
        for name, each in bundle.judgments.items()
    }
    sets |= {f"labels/{name}": (each.frame, ("query_id", "annotator")) for name, each in bundle.labels.items()}
    words = {
        **{f"duplicate_{name}": f"rows of {name} that stand twice" for name in sets},
        "clipped_boxes": "boxes that leave their page by up to a pixel and are read as cut off at its edge",
        **{
            f"duplicate_{name}": f"rows of {name} that stand twice"
            for name in ("documents", "pages", "elements", "queries")
        },
        **{
            f"skipped_{name}": f"rows of {name} that cannot be read"
            for name in ("documents", "pages", "elements", "queries")
        },
    }
    return Side(
        folder=bundle.folder, info=bundle.info, content_hash=bundle.content_hash, tables=bundle.tables,
        files={name: _file_of(bundle.folder, name) for name in ("documents", "pages", "elements", "queries")},
        attachments=tuple(bundle.attachments), attached=bundle.folder, sets=sets,
        oddities=tuple(f"{text}: {bundle.accepted[name]:,}" for name, text in words.items() if bundle.accepted.get(name)),
        warnings=tuple(bundle.warnings),
        designs={f"judgments/{name}": each.design for name, each in bundle.judgments.items()},
        extra=tuple(extra_files(bundle)),
    )  # fmt: skip


def side_of_revision(revision: Revision) -> Side:
    """Return a dataset revision that is stored here as a side; judgments and labels are no part of it."""
    tables = {
        name: revision.table(name).collect() for name in ("documents", "pages", "elements", "queries", "evidence")
    }
    return Side(
        folder=revision.folder, info=revision.info, content_hash=revision.manifest.content_hash, tables=tables,
        files={name: f"{name}.parquet" for name in ("documents", "pages", "elements", "queries")},
        attachments=revision.attachments, attached=revision.folder / "attachments",
    )  # fmt: skip


def _file_of(folder: Path, name: str) -> str:
    return next(
        (f"{name}{ending}" for ending in (".jsonl", ".parquet") if (folder / f"{name}{ending}").is_file()), name
    )
