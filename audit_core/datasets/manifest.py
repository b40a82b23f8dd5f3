"""The manifest of a dataset revision: what holds for all of it, and the report of its import."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from audit_core.domain import JsonObject
from audit_core.errors import NotFound, StorageError
from audit_core.importers.bundle_attachments import Attachment
from audit_core.importers.bundle_info import BundleInfo

if TYPE_CHECKING:
    from audit_core.importers.bundle import Bundle

MANIFEST_FILE = "manifest.json"
MANIFEST_VERSION = 1


@dataclass(frozen=True, slots=True)
class Manifest:
    """What `manifest.json` of a revision says; `info.media_root` is absolute wherever the revision lies now.

    `counts` are rows of tables; `accepted` what the import collapsed, clipped, skipped or flagged; `finding_counts` the
    findings of each kind.
    """

    info: BundleInfo
    content_hash: str
    is_lenient: bool
    counts: dict[str, int]
    accepted: dict[str, int]
    warnings: tuple[str, ...]
    finding_counts: dict[str, int]
    attachments: tuple[Attachment, ...]
    keeps_media: bool


def manifest_of(bundle: Bundle, *, media_root: str) -> JsonObject:
    """Return the manifest of a bundle as one JSON document; `media_root` is absolute, or relative to the revision."""
    info = bundle.info
    # Judgments and labels of a bundle are no part of the revision, so they are not counted as its own.
    own = {name: bundle.counts.get(name, 0) for name in (*bundle.tables, "runs", "embeddings")}
    kinds = bundle.findings["kind"].value_counts(sort=True)
    return {
        "manifest_version": MANIFEST_VERSION,
        "content_hash": bundle.content_hash,
        "name": info.name,
        "revision": info.revision,
        "license": info.license,
        "page_numbering": info.page_numbering,
        "box_units": info.box_units,
        "sources": list(info.sources),
        "media_root": media_root,
        "is_lenient": bundle.is_lenient,
        "counts": own,
        "accepted": bundle.accepted,
        "warnings": bundle.warnings,
        "finding_counts": dict(kinds.iter_rows()),
        "attachments": [
            {"kind": each.kind, "name": each.name, "files": list(each.files), "rows": each.rows, "hash": each.hash}
            for each in bundle.attachments
        ],
    }


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest of the revision in `folder`.

    Raises:
        NotFound: there is no revision.
        StorageError: the manifest cannot be read, or a newer program wrote it.
    """
    place = folder / MANIFEST_FILE
    try:
        raw: Mapping[str, Any] = json.loads(place.read_text(encoding="utf-8"))
        if raw["manifest_version"] != MANIFEST_VERSION:
            raise StorageError(f"{place} was written by another version of this program: import the bundle again.")
        written = Path(raw["media_root"])
        return Manifest(
            info=BundleInfo(
                name=raw["name"], revision=raw["revision"], license=raw["license"],
                page_numbering=raw["page_numbering"], box_units=raw["box_units"], sources=tuple(raw["sources"]),
                media_root=written if written.is_absolute() else (folder / written).resolve(),
            ),
            content_hash=raw["content_hash"], is_lenient=raw["is_lenient"], counts=dict(raw["counts"]),
            accepted=dict(raw["accepted"]), warnings=tuple(raw["warnings"]), finding_counts=dict(raw["finding_counts"]),
            attachments=tuple(Attachment(**{**each, "files": tuple(each["files"])}) for each in raw["attachments"]),
            keeps_media=not written.is_absolute(),
        )  # fmt: skip
    except FileNotFoundError:
        raise NotFound(f"There is no dataset in {folder}: import its bundle again, or put the folder back.") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StorageError(f"{place} cannot be read ({error}): put it back from a copy, or import again.") from error
