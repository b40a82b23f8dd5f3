"""What the judging surface shows of an entry: the query, its evidence pages with boxes, and one's own answers."""

from __future__ import annotations

from audit_core.domain import Evidence, JsonObject, Query
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.judging import MyEntry
from audit_core.workflow.page_view import describe_page
from audit_core.workflow.workspace import Workspace


def describe_entry(workspace: Workspace, dataset: DatasetRow, mine: MyEntry) -> JsonObject:
    """Return the JSON of one entry for its annotator; a page that cannot be shown says why in `problem`."""
    revision = workspace.revision(dataset)
    query = revision.query(mine.row.query_id)
    sets = alternatives(query)
    pages = [
        describe_page(workspace, dataset, revision, page_id, pieces, person_id=mine.person_id, many_sets=bool(sets))
        for page_id, pieces in evidence_by_page(query).items()
    ]
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
        "pages": pages,
        "documents": list(dict.fromkeys(each["document_id"] for each in pages if each["page_number"] is not None)),
        "saved": mine.saved.as_json() if mine.saved else None,
        "draft": mine.draft,
        "flags": [each.as_json() for each in mine.flags],
        "place": mine.place,
    }


def alternatives(query: Query) -> list[str]:
    """Return the names of the alternative evidence sets, in order of first mention; empty where there is one set only."""
    names = list(dict.fromkeys(piece.set_id or "" for piece in query.evidence))
    return names if len(names) > 1 else []


def evidence_by_page(query: Query) -> dict[str, list[Evidence]]:
    """Return the evidence of a query by page id, pages in order of first mention."""
    pages: dict[str, list[Evidence]] = {}
    for piece in query.evidence:
        pages.setdefault(piece.page_id, []).append(piece)
    return pages
