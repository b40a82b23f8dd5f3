"""What a list of corrections shows of each query: its words, its corrections, and its pages with boxes before and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from audit_core.corrections.applying import QueryContent
from audit_core.corrections.checking import ON_A_PAGE
from audit_core.corrections.ground import Ground
from audit_core.corrections.pieces import box_of, key_of
from audit_core.domain import Box, JsonObject
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.workflow.adjudication_view import sealed_queries
from audit_core.workflow.correction_ground import contents_of, ground_of, pages_named
from audit_core.workflow.correction_standing import Standing
from audit_core.workflow.page_view import describe_page
from audit_core.workflow.workspace import Workspace


class MarkKind(StrEnum):
    """Whether evidence on a page is as it was before a correction, as it shall be, or untouched by any that is shown."""

    OLD = "old"
    NEW = "new"
    STAYS = "stays"


@dataclass(frozen=True, slots=True)
class Mark:
    """Evidence on a page: a box in parts of it, or the whole page (None), and the corrections that it belongs to."""

    kind: MarkKind
    box: Box | None
    corrections: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A page that corrections act on (as `page_view.describe_page` tells of it) with what is marked on it.

    `size` is its width and height in the units of the dataset's boxes, (1, 1) where these are parts of the page; None where
    the dataset tells none.
    """

    page: JsonObject
    marks: tuple[Mark, ...]
    size: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class QueryCorrections:
    """A query with its corrections and the pages that they act on; `text` is None where the dataset has no such query.

    `is_of_several_documents` says that its evidence and its corrections are of more than one document.
    """

    query_id: str
    text: str | None
    answer: str | None
    standings: tuple[Standing, ...]
    figures: tuple[Figure, ...]
    is_of_several_documents: bool = False


def without_sealed(
    workspace: Workspace, person: Person, dataset: DatasetRow, found: Sequence[Standing]
) -> tuple[list[Standing], int]:
    """Return the corrections that a person may see, and of how many queries there are some that they may not yet.

    A query that waits for a judgment of their own is not among them: that it is corrected tells what others said of it.
    """
    queries = list(dict.fromkeys(each.row.query_id for each in found))
    sealed = sealed_queries(workspace, person, dataset, queries)
    return [each for each in found if each.row.query_id not in sealed], len(sealed)


def by_query(found: Sequence[Standing]) -> list[list[Standing]]:
    """Return corrections by their query, queries in the order of their first correction."""
    groups: dict[str, list[Standing]] = {}
    for each in found:
        groups.setdefault(each.row.query_id, []).append(each)
    return list(groups.values())


def query_views(
    workspace: Workspace, person: Person, dataset: DatasetRow, groups: Sequence[Sequence[Standing]]
) -> list[QueryCorrections]:
    """Return what is shown of each group of corrections of one query, for one person: image addresses open to them alone."""
    revision = workspace.revision(dataset)
    contents = contents_of(revision, [group[0].row.query_id for group in groups])
    changes = [each.row.change for group in groups for each in group]
    ground = ground_of(revision, pages_named(contents, changes))
    found = []
    for group in groups:
        query_id = group[0].row.query_id
        content = contents.get(query_id)
        pages = dict.fromkeys(each.row.change.key["page_id"] for each in group if each.row.change.action in ON_A_PAGE)
        figures = tuple(
            Figure(
                describe_page(workspace, dataset, revision, page_id, person_id=person.id),
                _marks(page_id, group, content, ground),
                _size(page_id, ground),
            )
            for page_id in pages
        )
        text, answer = (content.text, content.answer) if content else (None, None)
        own = {query_id: content} if content else {}
        named = pages_named(own, [each.row.change for each in group])
        documents = {ground.pages[each].document_id for each in named if each in ground.pages}
        found.append(QueryCorrections(query_id, text, answer, tuple(group), figures, len(documents) > 1))
    return found


def _size(page_id: str, ground: Ground) -> tuple[float, float] | None:
    page = ground.pages.get(page_id)
    if page is None:
        return None
    if ground.box_units == "fraction":
        return 1.0, 1.0
    return (page.width, page.height) if page.width > 0 and page.height > 0 else None


def _marks(page_id: str, group: Sequence[Standing], content: QueryContent | None, ground: Ground) -> tuple[Mark, ...]:
    found: dict[tuple[MarkKind, Box | None], list[int]] = {}
    touched = set()
    for each in group:
        change = each.row.change
        if change.key.get("page_id") != page_id:
            continue
        for kind, value in ((MarkKind.OLD, change.before), (MarkKind.NEW, change.after)):
            for piece in value if isinstance(value, list) else [value]:
                if piece is not None:
                    touched.add(key_of(piece))
                    found.setdefault((kind, _shown(piece, ground)), []).append(each.row.id)
    own = [each for each in (content.evidence if content else ()) if each["page_id"] == page_id]
    stays = [each for each in own if key_of(each) not in touched]
    # What one correction puts there and another takes away again is never seen, unless it was there to begin with: then it
    # stays where it is, as evidence of another set, say.
    # What goes lies over what comes, so that its dashes are seen where both are in one place.
    passing = {box for kind, box in found if kind is MarkKind.NEW} & {
        box for kind, box in found if kind is MarkKind.OLD
    }
    order = sorted(
        (each for each in found.items() if each[0][1] not in passing), key=lambda item: item[0][0] is MarkKind.OLD
    )
    marks = tuple(Mark(kind, box, tuple(dict.fromkeys(ids))) for (kind, box), ids in order)
    back = tuple(
        Mark(MarkKind.STAYS, box, tuple(sorted({*found[MarkKind.OLD, box], *found[MarkKind.NEW, box]})))
        for box in dict.fromkeys(_shown(each, ground) for each in own)
        if box in passing
    )
    return (*(Mark(MarkKind.STAYS, _shown(each, ground), ()) for each in stays), *back, *marks)


def _shown(piece: JsonObject, ground: Ground) -> Box | None:
    box = box_of(piece)
    return None if box is None else ground.fraction(piece["page_id"], box)
