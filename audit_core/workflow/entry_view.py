"""What the judging surface shows of an entry: the query, its evidence pages with boxes, and one's own answers."""

from __future__ import annotations

from urllib.parse import quote

from audit_core.datasets.revision import Revision
from audit_core.domain import Evidence, JsonObject, Page, Query
from audit_core.errors import NotFound, PageUnavailable
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.judging import MyEntry
from audit_core.workflow.workspace import Workspace

#: Size at which a page that cannot be shown is laid out (DIN A4 at 150 dpi), where the dataset does not tell one.
_NOMINAL = (1240, 1754)


def page_url(dataset: DatasetRow, page_id: str, image_key: str) -> str:
    """Return the address of a page image; the key makes it new when the content is."""
    return f"/api/pages/{dataset.content_hash}/image?page={quote(page_id, safe='')}&v={image_key}"


def describe_entry(workspace: Workspace, dataset: DatasetRow, mine: MyEntry) -> JsonObject:
    """Return the JSON of one entry for its annotator; a page that cannot be shown says why in `problem`."""
    revision = workspace.revision(dataset)
    query = revision.query(mine.row.query_id)
    sets = _alternatives(query)
    return {
        "id": mine.row.id,
        "number": mine.row.number,
        "query_id": query.query_id,
        "query": query.text,
        "answer": query.answer,
        "language": query.language,
        "source": query.source,
        "domain": query.domain,
        "structure": query.evidence_structure,
        "sets": sets,
        "pages": [
            _describe_page(workspace, dataset, revision, page_id, pieces, many_sets=bool(sets))
            for page_id, pieces in _by_page(query).items()
        ],
        "saved": mine.saved.as_json() if mine.saved else None,
        "draft": mine.draft,
    }


def _alternatives(query: Query) -> list[str]:
    """Return the names of the alternative evidence sets, in order of first mention; empty where there is one set only."""
    names = list(dict.fromkeys(piece.set_id or "" for piece in query.evidence))
    return names if len(names) > 1 else []


def _by_page(query: Query) -> dict[str, list[Evidence]]:
    pages: dict[str, list[Evidence]] = {}
    for piece in query.evidence:
        pages.setdefault(piece.page_id, []).append(piece)
    return pages


def _describe_page(
    workspace: Workspace,
    dataset: DatasetRow,
    revision: Revision,
    page_id: str,
    pieces: list[Evidence],
    *,
    many_sets: bool,
) -> JsonObject:
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
    shown: JsonObject = {
        "page_id": page_id,
        "sets": list(dict.fromkeys(piece.set_id or "" for piece in pieces)) if many_sets else [],
        "boxes": boxes,
        "src": None,
        "problem": None,
        "warning": None,
    }
    try:
        page = revision.page(page_id)
    except NotFound:
        return {
            **shown,
            "document_id": pieces[0].document_id or "",
            "title": pieces[0].document_id or page_id,
            "page_number": None,
            "page_count": None,
            "printed_label": None,
            "width": _NOMINAL[0],
            "height": _NOMINAL[1],
            "problem": f"The dataset names page {page_id!r}, but has no such page.",
        }
    return {**shown, **_about_document(revision, page), **_about_image(workspace, dataset, revision, page)}


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


def _about_image(workspace: Workspace, dataset: DatasetRow, revision: Revision, page: Page) -> JsonObject:
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
        "src": page_url(dataset, page.page_id, image.key),
        "warning": image.warning,
    }
