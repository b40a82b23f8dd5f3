"""What a row of a ledger is: one atomic change with all that it rests on, and the chain that ties the rows together."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

from audit_core.corrections.records import Action
from audit_core.domain import JsonObject

FORMAT = "assay-ledger"
FORMAT_VERSION = 1
#: The action of a derived row: the evidence structure of a query that its other changes give it.
STRUCTURE = "structure"
ACTIONS = (*(each.value for each in Action), STRUCTURE)
#: How a text that must not be told is written: its SHA-256.
HASHED = "sha256:"


class Target(StrEnum):
    """The part of a query that a change is about."""

    QUERY = "query"
    ANSWER = "answer"
    EVIDENCE = "evidence"
    STRUCTURE = "structure"
    #: The query as a whole, with its rows elsewhere.
    ROW = "row"


class Status(StrEnum):
    """Whether somebody accepted the change, or it follows from others that were."""

    ACCEPTED = "accepted"
    DERIVED = "derived"


class TextForm(StrEnum):
    """How texts of the benchmark stand in a ledger: as they are, or as their SHA-256 (ids and codes only)."""

    PLAIN = "plain"
    HASHED = "sha256"


TARGET_OF: Mapping[str, Target] = {
    Action.REWORD: Target.QUERY,
    Action.RE_ANSWER: Target.ANSWER,
    Action.WITHDRAW: Target.ROW,
    STRUCTURE: Target.STRUCTURE,
    **dict.fromkeys(
        (Action.ADD_PAGE, Action.DROP_PAGE, Action.ADD_BOX, Action.MOVE_BOX, Action.DROP_BOX), Target.EVIDENCE
    ),
}


@dataclass(frozen=True, slots=True)
class DatasetReference:
    """A dataset revision by name, revision and content hash."""

    name: str
    revision: str
    hash: str

    def as_json(self) -> JsonObject:
        """Return it as a JSON object."""
        return {"name": self.name, "revision": self.revision, "hash": self.hash}


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One row; the fields are those of the file, in its order, after `format` and `format_version`.

    `row` counts from 1 to `rows`. `key`, `before` and `after` are those of `corrections.records.Change`; of the action
    `structure` they are {} and two evidence structures. `agreeing` is {count, of}, `agreement` a list of coefficients of
    that code, `page` {page_id, page_index, printed_label, box}; None where there is none. `chain` is `chain_value`.
    """

    row: int
    rows: int
    id: str
    dataset: DatasetReference
    text_form: str
    query_id: str
    target: str
    action: str
    key: JsonObject
    before: Any
    after: Any
    code: str | None
    reason: str
    page: JsonObject | None
    author: str | None
    reviewer: str | None
    annotators: tuple[str, ...]
    agreeing: JsonObject | None
    agreement: tuple[JsonObject, ...] | None
    model: str | None
    prompt_hash: str | None
    status: str
    chain: str = ""

    def as_json(self) -> JsonObject:
        """Return the row as it stands in the file."""
        row: JsonObject = {"format": FORMAT, "format_version": FORMAT_VERSION}
        for each in fields(self):
            value = getattr(self, each.name)
            row[each.name] = value.as_json() if each.name == "dataset" else _plain(value)
        return row

    @property
    def is_derived(self) -> bool:
        """Whether it follows from the other changes of the query."""
        return self.action == STRUCTURE


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def chain_value(before: str, row: Mapping[str, Any]) -> str:
    """Return the chain of a row: SHA-256 of the chain of the row before it ("" for the first), a line feed, and the row's JSON.

    The JSON is without `chain`, with sorted names and no spaces, in UTF-8. So no row can be changed, taken out, put in or
    moved without the rows after it telling.
    """
    content = {name: value for name, value in row.items() if name != "chain"}
    text = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(f"{before}\n{text}".encode()).hexdigest()


def hashed_text(text: str | None) -> str | None:
    """Return `sha256:` and the SHA-256 of a text; None for none."""
    return None if text is None else HASHED + hashlib.sha256(text.encode("utf-8")).hexdigest()
