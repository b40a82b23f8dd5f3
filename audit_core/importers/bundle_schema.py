"""The tables and columns of the bundle format, version 1: the one place where they are written down.

Decoders, checks, frames, the content hash and the exporter all read these tuples, so their order is the order of the
content hash and of exported columns.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Any, Literal

from audit_core.domain import ELEMENT_KINDS, EvidenceStructure, IssueCode, Outcome

FORMAT = "assay-bundle"
FORMAT_VERSION = 1
PAGE_NUMBERINGS = ("0-based", "1-based")
BOX_UNITS = ("pixel", "fraction")
CODES = tuple(each.value for each in IssueCode)
STRUCTURES = tuple(each.value for each in EvidenceStructure)
OUTCOMES = tuple(each.value for each in Outcome)
CRITERION_VALUES = (0.0, 0.25, 0.5, 0.75, 1.0)
#: Whole numbers beyond this are not told apart by readers that use doubles.
LARGEST_WHOLE = 2**53
DEFAULT_RELEVANCE = 1


class Kind(StrEnum):
    """What a column holds."""

    ID = "id"
    TEXT = "text"
    CHOICE = "choice"
    FLAG = "flag"
    WHOLE = "whole"
    NUMBER = "number"
    CRITERION = "criterion"
    BOX = "box"
    IDS = "ids"
    CODES = "codes"
    TARGETS = "targets"
    OBJECT = "object"
    EVIDENCE = "evidence"


@dataclass(frozen=True, slots=True)
class Column:
    """One column. `low` is the least number allowed; `above` (exclusive) is used where a number must be positive."""

    name: str
    kind: Kind
    required: bool = False
    choices: tuple[Any, ...] = ()
    low: float | None = None
    above: float | None = None
    #: A row whose value is missing or wrong cannot be kept, not even by a lenient import.
    vital: bool = False


DOCUMENTS = (
    Column("document_id", Kind.ID, True, vital=True),
    Column("source", Kind.TEXT, True),
    Column("domain", Kind.TEXT, True),
    Column("title", Kind.TEXT, True),
    Column("uri", Kind.TEXT),
    Column("page_count", Kind.WHOLE, True, low=0),
    Column("license", Kind.TEXT),
)
PAGES = (
    Column("page_id", Kind.ID, True, vital=True),
    Column("document_id", Kind.ID, True),
    Column("page_index", Kind.WHOLE, True, vital=True),
    Column("printed_label", Kind.TEXT),
    Column("image", Kind.TEXT, True),
    Column("width", Kind.NUMBER, True, above=0),
    Column("height", Kind.NUMBER, True, above=0),
    Column("document_top", Kind.NUMBER),
)
ELEMENTS = (
    Column("document_id", Kind.ID, True),
    Column("element_id", Kind.ID, True, vital=True),
    Column("kind", Kind.CHOICE, True, choices=ELEMENT_KINDS),
    Column("page_id", Kind.ID, True),
    Column("box", Kind.BOX, True),
    Column("document_box", Kind.BOX),
    Column("text", Kind.TEXT),
)
EVIDENCE = (
    Column("page_id", Kind.ID, True, vital=True),
    Column("document_id", Kind.ID),
    Column("element_id", Kind.ID),
    Column("box", Kind.BOX),
    Column("kind", Kind.CHOICE, choices=ELEMENT_KINDS),
    Column("relevance", Kind.CHOICE, choices=(1, 2)),
    Column("set_id", Kind.ID),
)
QUERIES = (
    Column("query_id", Kind.ID, True, vital=True),
    Column("text", Kind.TEXT, True),
    Column("answer", Kind.TEXT),
    Column("source", Kind.TEXT, True),
    Column("domain", Kind.TEXT, True),
    Column("evidence_structure", Kind.CHOICE, True, choices=STRUCTURES),
    Column("language", Kind.TEXT),
    Column("generator", Kind.TEXT),
    Column("group_id", Kind.ID),
    Column("configured_pages", Kind.IDS),
    Column("evidence", Kind.EVIDENCE, True),
)
LABELS = (
    Column("query_id", Kind.ID, True, vital=True),
    Column("remove", Kind.FLAG, True, vital=True),
    Column("annotator", Kind.TEXT),
    Column("clarity", Kind.CRITERION),
    Column("correctness", Kind.CRITERION),
    Column("closedness", Kind.CRITERION),
    Column("no_layout_reference", Kind.CRITERION),
    Column("note", Kind.TEXT),
)
JUDGMENTS = (
    Column("query_id", Kind.ID, True, vital=True),
    Column("annotator", Kind.ID, True, vital=True),
    Column("codes", Kind.CODES, True, vital=True),
    Column("outcome", Kind.CHOICE, choices=OUTCOMES),
    Column("reason", Kind.TEXT),
    Column("targets", Kind.TARGETS),
    Column("note", Kind.TEXT),
    Column("entry", Kind.WHOLE, low=0),
    Column("revision", Kind.WHOLE, low=1),
    Column("seconds", Kind.NUMBER, low=0),
    Column("protocol", Kind.TEXT),
    Column("fields", Kind.OBJECT),
)

#: The tables that lie in the bundle's own folder, by name, in the order in which they are read and hashed.
MAIN_TABLES: dict[str, tuple[Column, ...]] = {
    "documents": DOCUMENTS,
    "pages": PAGES,
    "elements": ELEMENTS,
    "queries": QUERIES,
}
OPTIONAL_TABLES = ("elements",)
#: The columns that identify a row of a table; a second row with the same ones is a duplicate.
KEYS: dict[str, tuple[str, ...]] = {
    "documents": ("document_id",),
    "pages": ("page_id",),
    "elements": ("document_id", "element_id"),
    "queries": ("query_id",),
}
BOX_SIDES = ("x0", "y0", "x1", "y1")


def box_columns(name: str) -> tuple[str, str, str, str]:
    """Return the four frame columns of a box column: `box` -> `box_x0`, `box_y0`, `box_x1`, `box_y1`."""
    return (f"{name}_x0", f"{name}_y0", f"{name}_x1", f"{name}_y1")


def frame_columns(columns: Sequence[Column]) -> list[tuple[str, Kind]]:
    """Return the columns of a table's frame and their kinds: a box is four numbers, evidence is not among them."""
    flat: list[tuple[str, Kind]] = []
    for column in columns:
        if column.kind is Kind.BOX:
            flat.extend((name, Kind.NUMBER) for name in box_columns(column.name))
        elif column.kind is Kind.CHOICE and column.choices and isinstance(column.choices[0], int):
            flat.append((column.name, Kind.WHOLE))
        elif column.kind is not Kind.EVIDENCE:
            flat.append((column.name, column.kind))
    return flat


def _field_type(column: Column) -> Any:
    from msgspec import Meta

    largest = sys.float_info.max
    identifier = Annotated[str, Meta(min_length=1)]
    coordinate = Annotated[float, Meta(ge=-largest, le=largest)]
    low = -LARGEST_WHOLE if column.low is None else int(column.low)
    limits = Meta(ge=-largest if column.low is None else column.low, le=largest)
    if column.above is not None:
        limits = Meta(gt=column.above, le=largest)
    code = Literal[CODES]  # type: ignore[valid-type]
    types: dict[Kind, Any] = {
        Kind.ID: identifier,
        Kind.TEXT: str,
        Kind.FLAG: bool,
        Kind.WHOLE: Annotated[int, Meta(ge=low, le=LARGEST_WHOLE)],
        Kind.NUMBER: Annotated[float, limits],
        Kind.CRITERION: Annotated[float, Meta(ge=0.0, le=1.0)],
        Kind.BOX: tuple[coordinate, coordinate, coordinate, coordinate],
        Kind.IDS: list[identifier],
        Kind.CODES: list[code],
        Kind.TARGETS: dict[code, list[identifier]],
        Kind.OBJECT: dict[str, Any],
    }
    if column.kind is Kind.CHOICE:
        return Literal[column.choices]
    return types[column.kind]


def record_type(columns: Sequence[Column], unknown: Sequence[str] = (), unknown_evidence: Sequence[str] = ()) -> Any:
    """Return a msgspec Struct type for one row, which refuses every field but the columns and the `unknown` names.

    Unknown names are taken and left out; they are given explicitly so that a new one is noticed when it first appears.
    """
    return _record_type(tuple(columns), tuple(unknown), tuple(unknown_evidence))


@lru_cache(maxsize=128)
def _record_type(columns: tuple[Column, ...], unknown: tuple[str, ...], unknown_evidence: tuple[str, ...]) -> Any:
    import msgspec

    fields: list[Any] = []
    names: dict[str, str] = {}
    for column in columns:
        if column.kind is Kind.EVIDENCE:
            kind: Any = list[_record_type(EVIDENCE, unknown_evidence, ())]  # type: ignore[misc]
        else:
            kind = _field_type(column)
        fields.append((column.name, kind) if column.required else (column.name, kind | None, None))
    for number, name in enumerate(unknown):
        names[f"unknown_{number}"] = name
        fields.append((f"unknown_{number}", Any, None))
    rename: Mapping[str, str] = {**{column.name: column.name for column in columns}, **names}
    return msgspec.defstruct("Row", fields, kw_only=True, forbid_unknown_fields=True, gc=False, rename=rename)
