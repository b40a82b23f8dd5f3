"""Applying changes to a query, one after the other; a change that does not find what it expects is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from audit_core.corrections.records import Action, Change
from audit_core.domain import EvidenceStructure, JsonObject
from audit_core.errors import CorrectionStale

#: Documents and places of pages: page id -> (document id, page index).
PagePlaces = Mapping[str, tuple[str, int]]


@dataclass(frozen=True, slots=True)
class QueryContent:
    """What changes act on, in the bundle's own form; `evidence` are pieces as in `records.Change`."""

    query_id: str
    text: str
    answer: str | None
    evidence: tuple[JsonObject, ...]
    is_withdrawn: bool = False


def apply_changes(content: QueryContent, changes: Sequence[Change]) -> QueryContent:
    """Return the query after these changes, in their order.

    Raises:
        CorrectionStale: one of them does not find what it expects to change; the message names it.
    """
    for change in changes:
        content = apply_change(content, change)
    return content


def apply_change(content: QueryContent, change: Change) -> QueryContent:
    """Return the query after one change. Added pieces go behind the last one of their page and set, else to the end.

    Raises:
        CorrectionStale: what it expects is not there, or what it adds is there already.
    """
    if content.is_withdrawn:
        raise _stale(change, "the query is withdrawn")
    return _APPLY[change.action](content, change)


def _reword(content: QueryContent, change: Change) -> QueryContent:
    if content.text != change.before:
        raise _stale(change, "the query has other words than it expects")
    return replace(content, text=change.after)


def _re_answer(content: QueryContent, change: Change) -> QueryContent:
    if content.answer != change.before:
        raise _stale(change, "the query has another answer than it expects")
    return replace(content, answer=change.after)


def _withdraw(content: QueryContent, change: Change) -> QueryContent:
    return replace(content, is_withdrawn=True)


def _add_page(content: QueryContent, change: Change) -> QueryContent:
    if _of_page(content, change):
        raise _stale(change, "the page is evidence of that set already")
    return replace(content, evidence=(*content.evidence, change.after))


def _drop_page(content: QueryContent, change: Change) -> QueryContent:
    found = _of_page(content, change)
    if [content.evidence[at] for at in found] != change.before or not found:
        raise _stale(change, "the page has other evidence of that set than it expects")
    return replace(content, evidence=tuple(each for at, each in enumerate(content.evidence) if at not in found))


def _add_box(content: QueryContent, change: Change) -> QueryContent:
    if change.before is not None:
        return _replaced(content, change, [change.after])
    if change.after in content.evidence:
        raise _stale(change, "the box is there already")
    found = _of_page(content, change)
    if any("box" not in content.evidence[at] for at in found):
        raise _stale(change, "the whole page is evidence of that set, which it does not expect")
    at = found[-1] + 1 if found else len(content.evidence)
    return replace(content, evidence=(*content.evidence[:at], change.after, *content.evidence[at:]))


def _move_box(content: QueryContent, change: Change) -> QueryContent:
    return _replaced(content, change, [change.after])


def _drop_box(content: QueryContent, change: Change) -> QueryContent:
    return _replaced(content, change, [] if change.after is None else [change.after])


def _replaced(content: QueryContent, change: Change, pieces: Sequence[JsonObject]) -> QueryContent:
    """Return the query with its first piece that equals the change's `before` replaced by others."""
    if change.before not in content.evidence:
        raise _stale(change, "the box, as it expects it, is not there")
    at = content.evidence.index(change.before)
    return replace(content, evidence=(*content.evidence[:at], *pieces, *content.evidence[at + 1 :]))


def _of_page(content: QueryContent, change: Change) -> list[int]:
    page_id, set_id = change.key["page_id"], change.key["set_id"]
    return [
        at for at, piece in enumerate(content.evidence) if piece["page_id"] == page_id and piece.get("set_id") == set_id
    ]


def _stale(change: Change, why: str) -> CorrectionStale:
    place = f" on page {change.key['page_id']!r}" if "page_id" in change.key else ""
    return CorrectionStale(
        f"The correction {change.action}{place} of query {change.query_id!r} cannot be applied: {why}."
    )


_APPLY: dict[Action, Callable[[QueryContent, Change], QueryContent]] = {
    Action.REWORD: _reword,
    Action.RE_ANSWER: _re_answer,
    Action.ADD_PAGE: _add_page,
    Action.DROP_PAGE: _drop_page,
    Action.ADD_BOX: _add_box,
    Action.MOVE_BOX: _move_box,
    Action.DROP_BOX: _drop_box,
    Action.WITHDRAW: _withdraw,
}


def structure_of(evidence: Sequence[Mapping[str, Any]], places: PagePlaces) -> str | None:
    """Return the evidence structure that the pieces have; None where no page of them is known.

    Of several sets, that of the first one in the list, for each of them answers the query by itself. Pages in several
    documents: Cross-Doc. In one document by the gap between the first and the last page index: none and one piece
    Page-Single, none and several Page-Multi, 1 Doc-Adjacent, 2 to 5 Doc-Near, more Doc-Far.
    """
    known = [each for each in evidence if each["page_id"] in places]
    if not known:
        return None
    first = [each for each in known if each.get("set_id") == known[0].get("set_id")]
    if len({places[each["page_id"]][0] for each in first}) > 1:
        return EvidenceStructure.CROSS_DOC.value
    indices = [places[each["page_id"]][1] for each in first]
    gap = max(indices) - min(indices)
    if gap == 0:
        several = len(first) > 1
        return (EvidenceStructure.PAGE_MULTI if several else EvidenceStructure.PAGE_SINGLE).value
    near = EvidenceStructure.DOC_ADJACENT if gap == 1 else EvidenceStructure.DOC_NEAR
    return (near if gap <= 5 else EvidenceStructure.DOC_FAR).value
