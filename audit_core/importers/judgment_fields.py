"""Judgments under another protocol than the audit's: which protocol a file follows, and whether its fields are answers to it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Any

from audit_core import registry
from audit_core.errors import JudgmentInvalid
from audit_core.importers.bundle_faults import FaultLog, shown
from audit_core.protocols import audit
from audit_core.protocols.field_kinds import Boxes, Pages

if TYPE_CHECKING:
    import polars as pl

#: One fault of a row: kind, field, value as shown, and what was expected.
_Fault = tuple[str, str, str | None, str]


def checked_fields(frame: pl.DataFrame, pages: Collection[str], table: str, file: str, log: FaultLog) -> pl.DataFrame:
    """Return the judgments without those whose protocol or fields cannot be used; each such is a fault.

    `pages` are the page ids that fields may name. All judgments of a file follow one protocol, that of its first row; none
    given is the audit's.
    """
    import polars as pl

    named = frame.filter(pl.any_horizontal(pl.col("protocol", "fields").is_not_null()))
    if named.is_empty():
        return frame
    known = registry.load_folder("audit_core.protocols")
    first = frame["protocol"][0] or audit.name
    bad: list[int] = []
    for row in frame.iter_rows(named=True):
        fault = next(_faults(row, first, known, pages, log), None)
        if fault is None:
            continue
        kind, field, value, expected = fault
        log.fault(
            kind=kind, file=file, table=table, line=row["line"], row_key=row["query_id"], field=field, value=value,
            expected=expected,
        )  # fmt: skip
        bad.append(row["line"])
    log.accepted[f"skipped_{table}"] += len(bad)
    return frame.filter(~pl.col("line").is_in(bad))


def _faults(
    row: dict[str, Any], first: str, known: dict[str, ModuleType], pages: Collection[str], log: FaultLog
) -> Iterator[_Fault]:
    protocol = row["protocol"] or audit.name
    fields = None if row["fields"] is None else json.loads(row["fields"])
    if protocol not in known:
        yield "unknown_value", "protocol", shown(protocol), f"one of {', '.join(known)}"
    elif protocol != first:
        yield "mixed_protocols", "protocol", shown(row["protocol"]), f"the protocol of the first judgment, {first}"
    elif protocol == audit.name:
        if fields is not None:
            yield "bad_fields", "fields", shown(fields), "no fields: an audit has codes"
    else:
        yield from _answer_faults(known[protocol], row, fields, pages, log)


def _answer_faults(
    protocol: ModuleType, row: dict[str, Any], fields: Any, pages: Collection[str], log: FaultLog
) -> Iterator[_Fault]:
    body = {
        "outcome": row["outcome"] or "judged",
        "codes": "".join(row["codes"] or ()),
        "targets": json.loads(row["targets"]) if row["targets"] else None,
        "fields": fields,
    }
    try:
        answer = protocol.parse(body)
    except JudgmentInvalid as error:
        yield (
            "bad_fields",
            "fields",
            None if fields is None else shown(fields),
            f"an answer of the protocol {protocol.name}: {error}",
        )
        return
    if "pages" in log.incomplete and not log.lenient:
        return
    for page in pages_named(protocol, answer.fields):
        if page not in pages:
            yield "unknown_target", "fields", shown(page), "a page_id that is in pages"


def pages_named(protocol: ModuleType, fields: dict[str, Any]) -> list[str]:
    """Return the page ids that an answer's fields name, each once."""
    found: dict[str, None] = {}
    for field in protocol.FIELDS:
        value = fields.get(field.name)
        if value is None:
            continue
        if field.per_page or isinstance(field, Pages):
            found |= dict.fromkeys(value)
        elif isinstance(field, Boxes):
            found |= dict.fromkeys(each["page_id"] for each in value)
    return list(found)
