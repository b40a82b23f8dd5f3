"""The ledger of a release: made from accepted corrections, written as JSON Lines, and what its rows do to queries."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from audit_core.corrections.records import Correction
from audit_core.domain import JsonObject
from audit_core.errors import CorrectionError, CorrectionStale
from audit_core.release.corrected import CorrectedQuery, PagePlace, StoredQuery, correct
from audit_core.release.ledger_rows import (
    STRUCTURE,
    TARGET_OF,
    DatasetReference,
    LedgerRow,
    Status,
    Target,
    TextForm,
    chain_value,
    hashed_text,
)

#: The coefficients of a code in a campaign, by campaign and code.
Agreements = Mapping[tuple[str, str], tuple[JsonObject, ...]]
#: Takes out of a text what must not be told, such as names.
Cleaner = Callable[[str], str]
_TEXTS = (Target.QUERY, Target.ANSWER)


@dataclass(frozen=True, slots=True)
class Corrected:
    """A ledger, and the queries that it changes by id, in the order of its rows."""

    rows: tuple[LedgerRow, ...]
    queries: dict[str, CorrectedQuery]


def make_ledger(
    corrections: Sequence[Correction],
    *,
    stored: Mapping[str, StoredQuery],
    places: Mapping[str, PagePlace],
    dataset: DatasetReference,
    agreements: Agreements | None = None,
    ids_only: bool = False,
    cleaned: Cleaner | None = None,
) -> Corrected:
    """Return the ledger of corrections and what they make of their queries.

    Corrections of a query keep their order; queries come in the order of their first correction. A derived row follows
    where the changes give a query another evidence structure. With `ids_only` texts stand as their SHA-256 and reasons are
    left out.

    Raises:
        CorrectionError: a query is not in the dataset.
        CorrectionStale: a correction does not find what it expects.
    """
    by_query: dict[str, list[Correction]] = {}
    for each in corrections:
        by_query.setdefault(each.change.query_id, []).append(each)
    rows: list[LedgerRow] = []
    queries: dict[str, CorrectedQuery] = {}
    for query_id, own in by_query.items():
        if query_id not in stored:
            raise CorrectionError(
                f"Query {query_id!r} of correction {own[0].id} is not in {dataset.name}@{dataset.revision}."
            )
        corrected = _corrected(own, stored[query_id], places)
        queries[query_id] = corrected
        rows += [_row(each, dataset, places, agreements or {}, cleaned or str) for each in own]
        if corrected.structure_after != corrected.structure_before:
            rows.append(_structure_row(own[-1], corrected, dataset))
    if ids_only:
        rows = [_without_texts(each) for each in rows]
    return Corrected(tuple(_chained(rows)), queries)


def _corrected(own: Sequence[Correction], stored: StoredQuery, places: Mapping[str, PagePlace]) -> CorrectedQuery:
    try:
        return correct(stored, [each.change for each in own], places)
    except CorrectionStale as error:
        ids = ", ".join(str(each.id) for each in own)
        raise CorrectionStale(f"{error} Rebase or reject it (correction{'s' * (len(own) > 1)} {ids}).") from None


def _row(
    correction: Correction,
    dataset: DatasetReference,
    places: Mapping[str, PagePlace],
    agreements: Agreements,
    cleaned: Cleaner,
) -> LedgerRow:
    change = correction.change
    of = (correction.campaign or "", correction.code or "")
    count = correction.agreeing
    return LedgerRow(
        row=0, rows=0, id=f"{correction.id}.{correction.revision}", dataset=dataset, text_form=TextForm.PLAIN.value,
        query_id=change.query_id, target=TARGET_OF[change.action].value, action=change.action.value, key=dict(change.key),
        before=change.before, after=change.after, code=correction.code, reason=cleaned(correction.reason),
        page=page_facts(change.key, change.before, change.after, places), author=correction.author,
        reviewer=correction.reviewer, annotators=correction.annotators,
        agreeing=None if count is None else {"count": count, "of": len(correction.annotators)},
        agreement=agreements.get(of), model=correction.model, prompt_hash=correction.prompt_hash,
        status=Status.ACCEPTED.value,
    )  # fmt: skip


def page_facts(key: JsonObject, before: Any, after: Any, places: Mapping[str, PagePlace]) -> JsonObject | None:
    """Return the page that a change is about, with the box that it makes, else the one that it takes away."""
    if "page_id" not in key:
        return None
    place = places.get(key["page_id"])
    boxes = [piece.get("box") for piece in (after, before) if isinstance(piece, dict)]
    return {
        "page_id": key["page_id"],
        "page_index": place.page_index if place else None,
        "printed_label": place.printed_label if place else None,
        "box": next((box for box in boxes if box is not None), None),
    }


def _structure_row(last: Correction, corrected: CorrectedQuery, dataset: DatasetReference) -> LedgerRow:
    return LedgerRow(
        row=0, rows=0, id=f"{last.id}.{last.revision}.structure", dataset=dataset, text_form=TextForm.PLAIN.value,
        query_id=corrected.before.query_id, target=Target.STRUCTURE.value, action=STRUCTURE, key={},
        before=corrected.structure_before, after=corrected.structure_after, code=None,
        reason="recomputed from the corrected evidence", page=None, author=None, reviewer=None, annotators=(),
        agreeing=None, agreement=None, model=None, prompt_hash=None, status=Status.DERIVED.value,
    )  # fmt: skip


def _without_texts(row: LedgerRow) -> LedgerRow:
    """Return a row with texts of the benchmark as their hashes; what is printed on a page, and a reason, which may quote it, go."""
    before, after = row.before, row.after
    if row.target in _TEXTS:
        before, after = hashed_text(before), hashed_text(after)
    reason = row.reason if row.is_derived else ""
    page = None if row.page is None else {**row.page, "printed_label": None}
    return replace(row, text_form=TextForm.HASHED.value, before=before, after=after, reason=reason, page=page)


def _chained(rows: Sequence[LedgerRow]) -> Iterable[LedgerRow]:
    chain = ""
    for number, row in enumerate(rows, start=1):
        numbered = replace(row, row=number, rows=len(rows))
        chain = chain_value(chain, numbered.as_json())
        yield replace(numbered, chain=chain)


def ledger_text(rows: Iterable[LedgerRow]) -> str:
    """Return a ledger as JSON Lines: one row a line, UTF-8, a line feed after each."""
    return "".join(json.dumps(each.as_json(), ensure_ascii=False, allow_nan=False) + "\n" for each in rows)
