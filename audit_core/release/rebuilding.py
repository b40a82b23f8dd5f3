"""The queries that a ledger changes, made anew out of OLD, and what its rows say of them held against that."""

from __future__ import annotations

from collections.abc import Mapping

from audit_core.corrections.records import Action, Change
from audit_core.errors import CorrectionStale
from audit_core.release.comparing import Difference, Findings, shown
from audit_core.release.corrected import CorrectedQuery, PagePlace, correct, page_places, pages_named, stored_queries
from audit_core.release.hashed_texts import with_hashed_text
from audit_core.release.ledger import page_facts
from audit_core.release.ledger_reading import Ledger
from audit_core.release.ledger_rows import STRUCTURE, LedgerRow
from audit_core.release.sides import Side


def rebuilt_queries(old: Side, ledger: Ledger, findings: Findings) -> dict[str, CorrectedQuery]:
    """Return the queries that the ledger changes, as it makes them out of OLD; a row that cannot be applied is a difference."""
    by_query = ledger.by_query()
    stored = stored_queries(old.tables["queries"], old.tables["evidence"], by_query)
    if ledger.is_ids_only:
        stored = {query_id: with_hashed_text(each) for query_id, each in stored.items()}
    changes = {query_id: [_change(each) for each in rows if not each.is_derived] for query_id, rows in by_query.items()}
    named = pages_named(stored, [each for own in changes.values() for each in own])
    places = page_places(old.tables["pages"], named)
    corrected: dict[str, CorrectedQuery] = {}
    for query_id, rows in by_query.items():
        if query_id not in stored:
            findings.say(ledger.name, f"row {rows[0].row} is of query {query_id!r}, which is not in OLD")
            continue
        try:
            corrected[query_id] = correct(stored[query_id], changes[query_id], places)
        except CorrectionStale as error:
            findings.say(
                ledger.name, f"row{'s' * (len(rows) > 1)} {', '.join(str(each.row) for each in rows)}: {error}"
            )
            continue
        _check_structure(rows, corrected[query_id], ledger.name, findings)
        _check_pages(rows, places, ledger, findings)
    return corrected


def _change(row: LedgerRow) -> Change:
    return Change(row.query_id, Action(row.action), row.key, row.before, row.after)


def _check_structure(rows: list[LedgerRow], corrected: CorrectedQuery, file: str, findings: Findings) -> None:
    said = [(each.before, each.after) for each in rows if each.action == STRUCTURE]
    one, other = corrected.structure_before, corrected.structure_after
    expected = [(one, other)] if one != other else []
    if said != expected:
        query_id = corrected.before.query_id
        words = f"from {one} to {other}" if expected else "no change"
        findings.say(
            file,
            f"the structure of query {query_id!r} is recomputed as {words}, but the ledger says {said or 'nothing of it'}",
        )


def _check_pages(rows: list[LedgerRow], places: Mapping[str, PagePlace], ledger: Ledger, findings: Findings) -> None:
    """What a row says of its page, for readers, is what OLD says of it."""
    for row in rows:
        expected = None if row.is_derived else page_facts(row.key, row.before, row.after, places)
        if expected is not None and ledger.is_ids_only:
            expected["printed_label"] = None
        if row.page == expected:
            continue
        said, key = row.page, f"query_id {row.query_id!r}"
        if said is None or expected is None:
            message = f"found {shown(said)}; expected {shown(expected)}"
            findings.add(Difference(ledger.name, row.row, key, "page", message))
            continue
        for name in (each for each in expected if said[each] != expected[each]):
            message = f"found {shown(said[name])}; expected {shown(expected[name])}, as in OLD"
            findings.add(Difference(ledger.name, row.row, key, f"page.{name}", message))
