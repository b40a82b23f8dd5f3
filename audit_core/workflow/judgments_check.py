"""Checking what a file says of an entry, as the protocol of its campaign checks what an annotator saves."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from audit_core.domain import JsonObject
from audit_core.errors import JudgmentInvalid
from audit_core.exporters.judgment_table import COLUMNS
from audit_core.protocols.audit_corrections import CorrectionPlaces
from audit_core.storage import campaigns
from audit_core.storage.campaigns import CampaignRow, EntryRow
from audit_core.workflow.corrections_draft import correction_places, require_known_elements
from audit_core.workflow.judging import protocol_of
from audit_core.workflow.workspace import Workspace

#: Entries whose evidence stays in memory: the judgments of one stand together in most files.
_ENTRIES_KEPT = 4_096


@dataclass(frozen=True, slots=True)
class Said:
    """A checked answer in the form of the database's columns."""

    outcome: str
    codes: str
    targets: dict[str, list[str]]
    note: str
    reason: str
    correction: JsonObject | None
    answer: JsonObject | None

    @property
    def digest(self) -> str:
        """What is the same for two answers that say the same (64 hexadecimal digits)."""
        return digest_of({name: getattr(self, name) for name in Said.__slots__})


def digest_of(said: Mapping[str, Any]) -> str:
    """Return the digest of an answer that is given by the columns of `Said`."""
    values = {name: said[name] for name in Said.__slots__}
    values["targets"] = {code: sorted(set(ids)) for code, ids in (values["targets"] or {}).items() if ids}
    text = json.dumps(values, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


class AnswerCheck:
    """Checks answers on the entries of one campaign."""

    def __init__(self, workspace: Workspace, campaign: CampaignRow) -> None:
        self._workspace = workspace
        self._campaign = campaign
        self._protocol = protocol_of(campaign)
        self._has_codes = bool(self._protocol.description()["codes"])
        self._is_by_page = any(each.per_page for each in getattr(self._protocol, "FIELDS", ()))
        self._places_of = lru_cache(_ENTRIES_KEPT)(self._find_places)
        self._known_ids: set[str] | None = None

    def check(self, entry_id: int, query_id: str, body: Mapping[str, Any]) -> Said:
        """Return what a body says, with targets anywhere in the dataset as bundles may have them.

        Raises:
            JudgmentInvalid: it breaks the protocol.
        """
        filled = dict(body)
        if self._has_codes and filled.get("outcome") == "judged" and filled.get("codes") is None:
            raise JudgmentInvalid("codes is missing: name the codes, or give none ([] or an empty cell) for correct.")
        filled["codes"] = filled.get("codes") or ""
        places = self._places_of(entry_id)[1] if self._is_by_page else None
        answer = self._protocol.parse(filled, places=places)
        self._require_targets(answer.targets, query_id)
        return Said(
            outcome=answer.outcome.value,
            codes="".join(code.value for code in answer.codes),
            targets=dict(sorted(answer.targets.items())),
            note=answer.note,
            reason=answer.reason,
            correction=self._correction(entry_id, filled.get("correction")),
            answer=answer.fields or None,
        )

    def field_of(self, error: JudgmentInvalid) -> str | None:
        """Return the column that a refusal speaks of, None where it names none."""
        first = re.match(r"\w+", str(error))
        word = first.group() if first else ""
        if word in COLUMNS:
            return word
        if word in {each.name for each in getattr(self._protocol, "FIELDS", ())}:
            return "fields"
        return "outcome" if "cannot be judged" in str(error) else None

    def _find_places(self, entry_id: int) -> tuple[EntryRow, CorrectionPlaces]:
        with self._workspace.database.read() as connection:
            row = campaigns.entry_by_id(connection, entry_id)
        assert row is not None
        return row, correction_places(self._workspace, self._campaign, row)

    def _correction(self, entry_id: int, raw: object) -> JsonObject | None:
        if raw is None:
            return None
        if not self._has_codes:
            return self._protocol.parse_correction(raw)  # type: ignore[no-any-return]
        row, places = self._places_of(entry_id)
        correction: JsonObject | None = self._protocol.parse_correction(raw, places=places)
        require_known_elements(self._workspace, self._campaign, row, correction)
        return correction

    def _require_targets(self, targets: Mapping[str, list[str]], query_id: str) -> None:
        if not targets:
            return
        revision = self._workspace.revision(self._workspace.dataset(self._campaign.dataset_id))
        if self._known_ids is None:
            pages, elements = (
                revision.table(table).select(column).unique().collect()[column].to_list()
                for table, column in (("pages", "page_id"), ("elements", "element_id"))
            )
            self._known_ids = {*pages, *elements}
        for code, ids in targets.items():
            if strange := [each for each in ids if each not in self._known_ids]:
                raise JudgmentInvalid(
                    f"targets of {code} on query {query_id} names {strange[0]!r}, which is no page or element of the "
                    "dataset: correct it, or take it out."
                )
