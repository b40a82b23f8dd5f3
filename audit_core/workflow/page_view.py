"""What the judging surface shows of one page: its place in its document, its image, and boxes on it."""

from __future__ import annotations

from collections.abc import Sequence

from audit_core.datasets.revision import Revision
from audit_core.domain import Evidence, JsonObject, Page
from audit_core.errors import NotFound, PageUnavailable
from audit_core.rendering.image_path import split_page
from audit_core.rendering.page_images import RESOLUTIONS
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.image_addresses import image_address
from audit_core.workflow.workspace import Workspace

#: Size at which a page that cannot be shown is laid out (DIN A4 at 150 dpi), where the dataset does not tell one.
_NOMINAL = (1240, 1754)


def describe_page(
    workspace: Workspace,
    dataset: DatasetRow,
    revision: Revision,
    page: str | Page,
    pieces: Sequence[Evidence] = (),
    *,
    person_id: int,
    many_sets: bool = False,
) -> JsonObject:
    """Return the JSON of one page with the boxes of the evidence `pieces` on it, for one person: `src` opens to them alone.

    `page` is a page or its id; a page that cannot be shown, or is nowhere, says why in `problem`. `resolutions` are the
    dots per inch at which the image may be asked for (`&dpi=`), the first is that of `src`; empty for an image file.
    `many_sets` says that the query has alternative evidence sets, which are then named.
    """
    boxes = [
        {
            "element_id": piece.element_id,
            "kind": piece.kind,
            "set": (piece.set_id or "") if many_sets else None,
            "x0": piece.box.x0,
            "y0": piece.box.y0,
            "x1": piece.box.x1,
            "y1": piece.box.y1,
        }
        for piece in pieces
        if piece.box is not None
    ]
    page_id = page if isinstance(page, str) else page.page_id
    shown: JsonObject = {
        "page_id": page_id,
        "sets": list(dict.fromkeys(piece.set_id or "" for piece in pieces)) if many_sets else [],
        "boxes": boxes,
        "src": None,
        "resolutions": [],
        "problem": None,
        "warning": None,
    }
    try:
        found = revision.page(page) if isinstance(page, str) else page
    except NotFound:
        named = next((piece.document_id for piece in pieces if piece.document_id), None)
        return {
            **shown,
            "document_id": named or "",
            "title": named or page_id,
            "page_number": None,
            "page_count": None,
            "printed_label": None,
            "width": _NOMINAL[0],
            "height": _NOMINAL[1],
            "problem": f"The dataset names page {page_id!r}, but has no such page.",
        }
    return {**shown, **_about_document(revision, found), **_about_image(workspace, dataset, revision, found, person_id)}


def _about_document(revision: Revision, page: Page) -> JsonObject:
    try:
        document = revision.document(page.document_id)
        title, count = document.title, document.page_count
    except NotFound:
        title, count = page.document_id, None
    return {
        "document_id": page.document_id,
        "title": title,
        "page_number": page.page_number,
        "page_count": count,
        "printed_label": page.printed_label,
    }


def _about_image(
    workspace: Workspace, dataset: DatasetRow, revision: Revision, page: Page, person_id: int
) -> JsonObject:
    try:
        image = workspace.page_images.describe(revision.media_root, page.image, declared_size=(page.width, page.height))
    except PageUnavailable as error:
        width, height = _NOMINAL
        if page.width > 0 and page.height > 0:
            height = round(width * page.height / page.width)
        return {"width": width, "height": height, "problem": str(error)}
    return {
        "width": image.width,
        "height": image.height,
        "src": image_address(
            workspace,
            content_hash=dataset.content_hash,
            page_id=page.page_id,
            image_key=image.key,
            person_id=person_id,
        ),
        "resolutions": list(RESOLUTIONS) if split_page(page.image)[1] is not None else [],
        "warning": image.warning,
    }
