"""Each rule of the schema refuses what breaks it, whoever writes."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
import sqlalchemy as sa

from audit_core.errors import WriteCollision
from audit_core.storage.database import Database
from audit_core.storage.schema import metadata
from audit_core.storage.table_rules import CODE_SETS
from tests.storage.full_database import HASH, fill

TIME = "2026-01-01T00:00:00.000000Z"
#: A right row of each table beside those of `fill`; ids of rows there are put in for names in capitals.
RIGHT: dict[str, dict[str, Any]] = {
    "person": {"name": "Bob", "name_key": "bob", "is_imported": False, "created_at": TIME},
    "dataset": {
        "name": "other", "revision": "1", "content_hash": "b" * 64, "origin": "", "is_lenient": False, "imported_at": TIME,
    },
    "campaign": {
        "dataset_id": "DATASET", "name": "other", "protocol": "audit", "state": "open", "judgments_per_entry": 1,
        "origin": "created", "is_probability_sample": False, "created_at": TIME,
    },
    "stratum": {
        "campaign_id": "CAMPAIGN", "source": "law", "evidence_structure": "Cross-Doc", "population": 3, "drawn": 2,
    },
    "entry": {
        "campaign_id": "CAMPAIGN", "number": 3, "query_id": "q3", "source": "wiki", "evidence_structure": "Page-Single",
        "document_ids": [],
    },
    "judgment": {
        "entry_id": "ENTRY", "person_id": "PERSON", "revision": 3, "nonce": "nonce-3", "outcome": "judged",
        "codes": "FE", "targets": {}, "note": "", "reason": "", "is_imported": False, "saved_at": TIME,
    },
    "label_set": {"dataset_id": "DATASET", "name": "other", "source_hash": HASH, "imported_at": TIME},
    "removal_label": {"label_set_id": 1, "query_id": "q2", "annotator": "gold", "remove": False},
    "job": {
        "kind": "dataset.check-pages", "title": "Check", "arguments": {}, "state": "queued", "step": "", "share": 0.0,
        "person_id": "PERSON", "created_at": TIME, "queued_at": TIME, "cancel_requested": False, "attempt": 1,
    },
    "comparison": {
        "dataset_id": "DATASET", "name": "second", "split_hash": HASH, "labels_hash": HASH, "spec": {}, "created_at": TIME,
    },
    "account": {"person_id": 2, "role": "annotator", "must_change": True, "created_at": TIME},
    "session": {
        "token_hash": "b" * 64, "person_id": "PERSON", "how": "oidc", "created_at": TIME, "seen_at": TIME, "expires_at": TIME,
    },
    "campaign_annotator": {"campaign_id": 2, "person_id": "PERSON", "added_at": TIME},
    "claim": {"entry_id": 2, "person_id": "PERSON", "claimed_at": TIME, "expires_at": TIME},
    "guideline": {"campaign_id": "CAMPAIGN", "version": 2, "text": "", "created_at": TIME, "person_id": "PERSON"},
    "comment": {"entry_id": "ENTRY", "person_id": "PERSON", "text": "Which one?", "created_at": TIME},
    "precedent": {
        "entry_id": "ENTRY", "flag_id": 1, "text": "Name the year.", "words": "", "person_id": "PERSON", "created_at": TIME,
    },
    "judgment_words": {"judgment_id": 1, "words": ""},
    "decision": {
        "entry_id": "ENTRY", "revision": 2, "person_id": "PERSON", "nonce": "decision-2", "basis": "taken", "outcome": "judged",
        "codes": "FE", "targets": {}, "note": "", "reason": "", "judgment_ids": [], "taken_from": [], "is_own_judgment": False,
        "decided_at": TIME,
    },
    "reveal": {"entry_id": 2, "person_id": "PERSON", "revealed_at": TIME},
    "release": {
        "dataset_id": "DATASET", "revision": "3", "spec": {}, "person_id": "PERSON", "created_at": TIME,
    },
    "correction": {
        "dataset_id": "DATASET", "query_id": "q1", "root_id": 1, "revision": 2, "action": "withdraw", "key": {}, "reason": "",
        "author_id": "PERSON", "created_at": TIME, "state": "proposed", "review_note": "",
    },
}  # fmt: skip
BREAKS: list[tuple[str, dict[str, Any]]] = [
    ("person", {"name": ""}),
    ("person", {"name_key": "ada"}),
    ("dataset", {"name": ""}),
    ("dataset", {"content_hash": HASH}),
    ("dataset", {"name": "small"}),
    ("campaign", {"state": "paused"}),
    ("campaign", {"origin": "bought"}),
    ("campaign", {"origin": "imported"}),
    ("campaign", {"source_hash": HASH}),
    ("campaign", {"judgments_per_entry": 0}),
    ("campaign", {"name": ""}),
    ("campaign", {"name": "audit"}),
    ("campaign", {"dataset_id": 999}),
    ("stratum", {"drawn": 4}),
    ("stratum", {"drawn": -1}),
    ("stratum", {"source": "wiki", "evidence_structure": "Page-Single"}),
    ("entry", {"number": 0}),
    ("entry", {"number": 1}),
    ("entry", {"campaign_id": 999}),
    ("judgment", {"codes": "EF"}),
    ("judgment", {"codes": "FF"}),
    ("judgment", {"codes": "X"}),
    ("judgment", {"codes": "f"}),
    ("judgment", {"outcome": "skipped"}),
    ("judgment", {"outcome": "cannot_judge"}),
    ("judgment", {"revision": 0}),
    ("judgment", {"revision": 2}),
    ("judgment", {"nonce": "nonce-1"}),
    ("judgment", {"active_seconds": -0.5}),
    ("judgment", {"entry_id": 999}),
    ("judgment", {"person_id": 999}),
    ("judgment", {"note": None}),
    ("label_set", {"name": "removal"}),
    ("removal_label", {"clarity": 0.3}),
    ("removal_label", {"correctness": 2}),
    ("removal_label", {"closedness": -0.25}),
    ("removal_label", {"no_layout_reference": 0.1}),
    ("removal_label", {"query_id": "q1"}),
    ("job", {"state": "paused"}),
    ("job", {"state": "running"}),
    ("job", {"share": 1.01}),
    ("job", {"share": -0.01}),
    ("job", {"attempt": 0}),
    ("job", {"title": ""}),
    ("job", {"person_id": 999}),
    ("comparison", {"name": "first"}),
    ("comparison", {"name": ""}),
    ("comparison", {"dataset_id": 999}),
    ("comparison", {"job_id": 999}),
    ("campaign", {"hand_out": "some"}),
    ("campaign", {"hand_out": None}),
    ("campaign", {"is_open": None}),
    ("campaign", {"gold_share": 1.01}),
    ("campaign", {"gold_share": -0.01}),
    ("campaign", {"pilot_judgments": 0}),
    ("campaign", {"copied_from": 999}),
    ("entry", {"is_pilot": None}),
    ("account", {"person_id": "PERSON"}),
    ("account", {"person_id": 999}),
    ("account", {"role": "owner"}),
    ("session", {"token_hash": HASH}),
    ("session", {"how": "guessed"}),
    ("session", {"person_id": 999}),
    ("campaign_annotator", {"campaign_id": "CAMPAIGN"}),
    ("campaign_annotator", {"campaign_id": 999}),
    ("campaign_annotator", {"person_id": 999}),
    ("claim", {"entry_id": "ENTRY"}),
    ("claim", {"entry_id": 999}),
    ("claim", {"person_id": 999}),
    ("guideline", {"version": 1}),
    ("guideline", {"version": 0}),
    ("guideline", {"campaign_id": 999}),
    ("comment", {"text": ""}),
    ("comment", {"entry_id": 999}),
    ("comment", {"person_id": 999}),
    ("precedent", {"text": ""}),
    ("precedent", {"flag_id": None}),
    ("precedent", {"judgment_id": 1}),
    ("precedent", {"flag_id": None, "judgment_id": 2}),
    ("precedent", {"flag_id": 999}),
    ("precedent", {"entry_id": 999}),
    ("precedent", {"person_id": 999}),
    ("judgment_words", {"judgment_id": 2}),
    ("judgment_words", {"judgment_id": 999}),
    ("decision", {"basis": "guessed"}),
    ("decision", {"outcome": "skipped"}),
    ("decision", {"outcome": "cannot_judge"}),
    ("decision", {"codes": "EF"}),
    ("decision", {"confidence": "very"}),
    ("decision", {"revision": 0}),
    ("decision", {"revision": 1}),
    ("decision", {"nonce": "decision-1"}),
    ("decision", {"entry_id": 999}),
    ("decision", {"person_id": 999}),
    ("decision", {"reason": None}),
    ("decision", {"is_own_judgment": None}),
    ("reveal", {"entry_id": "ENTRY"}),
    ("reveal", {"entry_id": 999}),
    ("reveal", {"person_id": 999}),
    ("reveal", {"revealed_at": None}),
    ("correction", {"action": "burn"}),
    ("correction", {"state": "perhaps"}),
    ("correction", {"code": "X"}),
    ("correction", {"revision": 0}),
    ("correction", {"revision": 2, "root_id": 99}),
    ("correction", {"reviewer_id": "PERSON"}),
    ("correction", {"reviewed_at": TIME}),
    ("correction", {"dataset_id": 99}),
    ("correction", {"decision_id": 99}),
    ("release", {"revision": "2"}),
    ("release", {"revision": ""}),
    ("release", {"revision": None}),
    ("release", {"dataset_id": 99}),
    ("release", {"person_id": 99}),
    ("release", {"result_dataset_id": 99}),
]


def _insert(database: Database, table: str, values: dict[str, Any], ids: dict[str, int]) -> None:
    row = {
        column: ids.get(value.lower(), value) if isinstance(value, str) and value.isupper() else value
        for column, value in values.items()
    }
    with database.write() as connection:
        connection.execute(metadata.tables[table].insert().values(row))


def test_the_right_row_of_each_table_is_taken(database: Database) -> None:
    ids = fill(database)
    for table, row in RIGHT.items():
        _insert(database, table, row, ids)


def test_every_broken_rule_refuses_its_row(database: Database) -> None:
    ids = fill(database)
    taken = []
    for table, change in BREAKS:
        with suppress(WriteCollision):
            _insert(database, table, {**RIGHT[table], **change}, ids)
            taken.append((table, change))
    assert taken == []


def test_the_sixteen_code_sets_are_those_of_the_protocol_in_its_order(database: Database) -> None:
    ids = fill(database)
    assert len(CODE_SETS) == len(set(CODE_SETS)) == 16
    for number, codes in enumerate(CODE_SETS):
        row = {**RIGHT["judgment"], "codes": codes, "nonce": f"fresh-{number}", "revision": 3 + number}
        _insert(database, "judgment", row, ids)


def test_a_row_that_others_refer_to_cannot_be_deleted(database: Database) -> None:
    fill(database)
    for table in ("person", "dataset", "campaign", "entry", "label_set", "job"):
        with pytest.raises(WriteCollision), database.write() as connection:
            connection.execute(sa.delete(metadata.tables[table]))


def test_leaving_a_write_with_an_error_rolls_all_of_it_back(database: Database) -> None:
    with suppress(KeyError), database.write() as connection:
        connection.execute(metadata.tables["person"].insert().values(RIGHT["person"]))
        raise KeyError("the caller's own fault")
    with database.read() as connection:
        assert connection.execute(sa.select(metadata.tables["person"])).all() == []


def test_what_a_read_writes_is_not_kept(database: Database) -> None:
    with database.read() as connection:
        connection.execute(metadata.tables["person"].insert().values(RIGHT["person"]))
    with database.read() as connection:
        assert connection.execute(sa.select(metadata.tables["person"])).all() == []


def test_free_text_of_any_length_and_script_comes_back_as_it_was(database: Database) -> None:
    text = "שלום \u2028 <script> 'quoted' " + "x" * 5_000
    _insert(database, "entry", {**RIGHT["entry"], "source": text, "query_id": "1e5"}, fill(database))
    with database.read() as connection:
        rows = connection.execute(sa.text("SELECT query_id, source FROM entry WHERE number = 3")).all()
    assert rows == [("1e5", text)]
