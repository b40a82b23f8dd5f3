"""Queries turned into rows of the bundle, each checked against the pages as they were laid out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from typeset.errors import BuildError

from audit.answers import check_answer, check_faults, check_wording, squashed
from audit.spec import Ev, Query

Row = dict[str, Any]


class Elements:
    """The element and page rows of the bundle, found by document and key."""

    def __init__(self, elements: list[tuple[str, Row]], pages: list[Row], documents: list[Row]) -> None:
        self._by_key: dict[tuple[str, str], list[Row]] = {}
        for key, row in elements:
            if key:
                self._by_key.setdefault((row["document_id"], key), []).append(row)
        self.texts: dict[str, str] = {}
        for _, row in elements:
            self.texts[row["document_id"]] = self.texts.get(row["document_id"], "") + " " + row["text"].casefold()
        self.kinds: dict[str, str] = {row["element_id"]: row["kind"] for _, row in elements}
        self.pages = {row["page_id"]: row for row in pages}
        self.page_at = {(row["document_id"], row["page_index"]): row["page_id"] for row in pages}
        self.documents = {row["document_id"]: row for row in documents}

    def find(self, ev: Ev, where: str) -> Row:
        """The element row of a piece of evidence; BuildError where the key is unknown or the words are not in it."""
        rows = self._by_key.get((ev.document, ev.key))
        if not rows:
            raise BuildError(f"{where}: {ev.document} has no element with the key {ev.key!r}.")
        fitting = [row for row in rows if squashed(ev.says) in squashed(row["text"])]
        if not fitting:
            raise BuildError(f"{where}: {ev.key!r} does not say {ev.says!r}; it says {rows[0]['text']!r}.")
        return fitting[0]


def evidence_rows(evidence: Iterable[Ev], elements: Elements, where: str) -> list[Row]:
    """The `evidence` list of a query row."""
    out = []
    for ev in evidence:
        element = elements.find(ev, where)
        row: Row = {"page_id": element["page_id"], "document_id": element["document_id"]}
        if ev.boxed:
            row |= {"element_id": element["element_id"], "box": element["box"], "kind": element["kind"]}
        row["relevance"] = ev.relevance
        if ev.set_id:
            row["set_id"] = ev.set_id
        out.append(row)
    return out


def query_row(query: Query, elements: Elements) -> Row:
    """The row of a query, after its structure, boxes and answer were checked."""
    where = query_id(query)
    evidence = evidence_rows(query.evidence, elements, where)
    _check_structure(query, evidence, elements)
    if not query.gold.codes and any(not ev.says for ev in query.evidence):
        raise BuildError(f"{where}: a correct query must say what stands in each of its boxes.")
    listed = [elements.find(ev, where)["text"] for ev in query.evidence]
    mended = [elements.find(ev, where)["text"] for ev in query.gold.corrected or query.evidence]
    check_answer(query, mended, where)
    check_faults(query, listed, where)
    check_wording(query, where)
    _check_absent(query, elements)
    for rival in query.gold.rivals:
        elements.find(rival, where)
    first = elements.documents[query.evidence[0].document]
    shown = [row["page_id"] for row in evidence] + [elements.page_at[page] for page in query.shown]
    row: Row = {"query_id": where, "text": query.text}
    if query.answer is not None:
        row["answer"] = query.answer
    row |= {
        "source": first["source"],
        "domain": first["domain"],
        "evidence_structure": query.structure,
        "language": query.language,
        "generator": query.generator,
    }
    if query.group:
        row["group_id"] = query.group
    return row | {"configured_pages": list(dict.fromkeys(shown)), "evidence": evidence}


def query_id(query: Query) -> str:
    """The id of a query, `sample-001` and so on."""
    return f"sample-{query.number:03d}"


def structure_of(evidence: list[Row], elements: Elements) -> str:
    """The evidence structure of one evidence set."""
    documents = {row["document_id"] for row in evidence}
    if len(documents) > 1:
        return "Cross-Doc"
    indexes = [elements.pages[row["page_id"]]["page_index"] for row in evidence]
    gap = max(indexes) - min(indexes)
    if gap == 0:
        return "Page-Single" if len(evidence) == 1 else "Page-Multi"
    return "Doc-Adjacent" if gap == 1 else "Doc-Near" if gap <= 5 else "Doc-Far"


def _check_structure(query: Query, evidence: list[Row], elements: Elements) -> None:
    for set_id in sorted({row.get("set_id", "") for row in evidence}):
        found = structure_of([row for row in evidence if row.get("set_id", "") == set_id], elements)
        if found != query.structure:
            raise BuildError(f"{query_id(query)}: written as {query.structure}, but its evidence is {found}.")


def _check_absent(query: Query, elements: Elements) -> None:
    for document in {ev.document for ev in query.evidence}:
        for words in query.gold.absent:
            if words in elements.texts[document]:
                raise BuildError(f"{query_id(query)}: has code N, but {document} says {words!r}.")


def share_pages(rows: list[Row]) -> None:
    """Give the queries of one group (one call of a writer) the pages of all of them as `configured_pages`."""
    shown: dict[str, dict[str, None]] = {}
    calls = [str(row.get("group_id") or row["query_id"]) for row in rows]
    for call, row in zip(calls, rows, strict=True):
        shown.setdefault(call, {}).update(dict.fromkeys(row["configured_pages"]))
    for call, row in zip(calls, rows, strict=True):
        row["configured_pages"] = sorted(shown[call])
