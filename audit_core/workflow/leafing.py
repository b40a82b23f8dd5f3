"""Leafing: the other pages of the documents that an entry's evidence lies in, a few at a time."""

from __future__ import annotations

from collections.abc import Sequence

from audit_core.datasets.revision import Revision
from audit_core.domain import JsonObject, Page, Query
from audit_core.errors import NotFound
from audit_core.geometry import is_well_formed, to_fraction
from audit_core.storage.campaigns import EntryRow
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.entry_view import alternatives, evidence_by_page
from audit_core.workflow.page_view import describe_page
from audit_core.workflow.workspace import Workspace

#: Most pages that one request describes.
PAGES_MAX = 25
#: Longest page number or printed label that is looked for, in characters.
LABEL_MAX = 100


def evidence_documents(revision: Revision, query: Query) -> list[str]:
    """Return the ids of the documents in which the dataset has an evidence page of the query, in order of first mention."""
    found: dict[str, None] = {}
    for page_id in evidence_by_page(query):
        try:
            found.setdefault(revision.page(page_id).document_id)
        except NotFound:
            continue
    return list(found)


def document_pages(
    workspace: Workspace,
    dataset: DatasetRow,
    row: EntryRow,
    *,
    person_id: int,
    document: int,
    first: int | None = None,
    count: int = 9,
    around: str | None = None,
    find: str | None = None,
) -> JsonObject:
    """Return some pages of one of the entry's documents, for one person.

    `document` is its place among the entry's documents, from 0. Pages are counted by their `position` in the document,
    from 1 without gaps, also where the dataset holds only some of them. `count` pages come, those from position `first`,
    or those in whose middle the page id `around` lies, or the page that `find` names: its number, or the label printed on
    it. `matches` are the positions that `find` fits, the page number before labels. Each page says whether it is `listed`
    as evidence (then with its boxes) and which `elements` it has.

    Raises:
        NotFound: the entry has no such document, or the document no such page.
    """
    revision = workspace.revision(dataset)
    query = revision.query(row.query_id)
    documents = evidence_documents(revision, query)
    if not 0 <= document < len(documents):
        raise NotFound(f"This entry's evidence lies in {len(documents)} documents: there is no document {document}.")
    pages = revision.pages_of(documents[document])
    count = max(1, min(count, PAGES_MAX))
    matches: list[int] = []
    if find is not None:
        matches = _matches(pages, find)
        first = _start_around(matches[0], count, len(pages))
    elif around is not None:
        position = next((at for at, page in enumerate(pages, start=1) if page.page_id == around), None)
        if position is None:
            raise NotFound("This document has no such page.")
        first = _start_around(position, count, len(pages))
    start = max(1, first or 1)
    shown = pages[start - 1 : start - 1 + count]
    listed, many_sets = evidence_by_page(query), bool(alternatives(query))
    elements = elements_of(revision, shown)
    return {
        "document": document,
        "document_id": documents[document],
        "total": len(pages),
        "matches": matches,
        "pages": [
            {
                **describe_page(
                    workspace,
                    dataset,
                    revision,
                    page,
                    listed.get(page.page_id, ()),
                    person_id=person_id,
                    many_sets=many_sets,
                ),
                "position": position,
                "listed": page.page_id in listed,
                "elements": elements.get(page.page_id, []),
            }
            for position, page in enumerate(shown, start=start)
        ],
    }


def _start_around(position: int, count: int, total: int) -> int:
    return max(1, min(position - count // 2, total - count + 1))


def _matches(pages: Sequence[Page], find: str) -> list[int]:
    """Return the positions of the page of that number and of the pages with that printed label; a quoted text is a label."""
    wanted = find.strip()[:LABEL_MAX]
    label = wanted[1:-1] if len(wanted) > 2 and wanted[0] == wanted[-1] == '"' else None
    by_number = [at for at, page in enumerate(pages, start=1) if label is None and wanted == str(page.page_number)]
    folded = (wanted if label is None else label).casefold()
    by_label = [at for at, page in enumerate(pages, start=1) if (page.printed_label or "").casefold() == folded]
    found = list(dict.fromkeys(by_number + (by_label if folded else [])))
    if not found:
        raise NotFound(f"No page of this document has the number or the printed label {wanted!r}.")
    return found


def elements_of(revision: Revision, pages: Sequence[Page]) -> dict[str, list[JsonObject]]:
    """Return the elements of some pages by page id: element_id, kind, and the box in parts of the page's width and height.

    Elements without a usable box are left out.
    """
    import polars as pl

    sizes = {page.page_id: (page.width, page.height) for page in pages}
    names = ("page_id", "element_id", "kind", "box_x0", "box_y0", "box_x1", "box_y1")
    rows = revision.table("elements").filter(pl.col("page_id").is_in(list(sizes))).select(names).collect().iter_rows()
    found: dict[str, list[JsonObject]] = {}
    for page_id, element_id, kind, *sides in rows:
        width, height = sizes[page_id]
        units = revision.info.box_units
        if None in sides or not is_well_formed(sides) or (units == "pixel" and not (width > 0 and height > 0)):
            continue
        box = to_fraction(sides, units=units, width=width, height=height)
        found.setdefault(page_id, []).append(
            {"element_id": element_id, "kind": kind, "x0": box.x0, "y0": box.y0, "x1": box.x1, "y1": box.y1}
        )
    return found
