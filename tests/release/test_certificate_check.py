"""A certificate held against the files: it covers one new revision, whatever the order of its rows, and no other."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audit_core.errors import LedgerError
from audit_core.release.proving_files import file_hash
from audit_core.release.verification import Verification
from audit_core.release.verify_files import verify_files
from tests.release.made_release import Made, generated_bundle, made_release, revision_of, some_corrections
from tests.release.test_verify import rewrite


@pytest.fixture(params=[False, True], ids=["plain", "ids-only"])
def made(tmp_path: Path, request: pytest.FixtureRequest) -> Made:
    old = generated_bundle(tmp_path / "old", 60)
    corrections = some_corrections(revision_of(old, tmp_path / "datasets"), 24)
    made = made_release(tmp_path, old, corrections, ids_only=request.param)
    write_certificate(made, lambda said: None)
    return made


def write_certificate(made: Made, change: Callable[[dict[str, Any]], object]) -> None:
    said = {
        "format": "assay-certificate", "format_version": 1, **made.verify().certified,
        "files": {"ledger.jsonl": file_hash(made.ledger)},
    }  # fmt: skip
    change(said)
    (made.ledger.parent / "certificate.json").write_text(json.dumps(said))


def verified(made: Made) -> Verification:
    return verify_files(made.old, made.ledger, made.new, certificate=made.ledger.parent / "certificate.json")


def reorder(new: Path) -> None:
    for name in ("documents", "pages", "elements", "queries"):
        rewrite(new / f"{name}.jsonl", lambda rows: rows.reverse())
    run = new / "runs" / "bm25.trec"
    run.write_text("".join(reversed(run.read_text().splitlines(keepends=True))))
    np.save(new / "embeddings" / "model.npy", np.load(new / "embeddings" / "model.npy")[::-1])
    ids = (new / "embeddings" / "model.ids.txt").read_text().split()
    (new / "embeddings" / "model.ids.txt").write_text("".join(f"{each}\n" for each in reversed(ids)))


def rename(new: Path) -> None:
    info = json.loads((new / "dataset.json").read_text())
    (new / "dataset.json").write_text(json.dumps({**info, "revision": "9-evil"}))


def test_rows_in_another_order_have_the_hash_of_the_certificate_once_they_are_put_back(made: Made) -> None:
    before = made.verify()
    assert before.ordered_hash == before.new_hash
    reorder(made.new)
    found = verified(made)
    assert found.differences == ()
    assert found.new_hash != before.new_hash
    assert found.ordered_hash == before.new_hash
    assert any("once its rows are put back into the order of OLD" in each for each in found.notes)


def test_another_revision_is_not_covered_however_its_rows_stand(made: Made) -> None:
    rename(made.new)
    reorder(made.new)
    assert {each.field for each in verified(made).differences} == {"result.revision", "result.hash"}


@pytest.mark.parametrize(
    ("part", "name", "value"),
    [
        ("result", "revision", "77"), ("result", "name", "evil"), ("result", "hash", "0" * 64), ("dataset", "name", "evil"),
        ("dataset", "revision", "0"), ("dataset", "hash", "0" * 64), ("counts", "changes", 9999), ("counts", "queries_after", 1),
        ("counts", "by_status", {"unchanged": 60}), ("counts", "without_evidence", True), ("files", "ledger.jsonl", "0" * 64),
        ("verification", "proved", False), ("verification", "actions", {}),
    ],
)  # fmt: skip
def test_whatever_follows_from_the_files_and_was_edited_is_refused(
    made: Made, part: str, name: str, value: object
) -> None:
    write_certificate(made, lambda said: said[part].update({name: value}))
    found = verified(made)
    assert not found.is_proved
    assert all(str(each.field).startswith(f"{part}.{name}") for each in found.differences)


def test_a_file_beside_the_certificate_is_held_against_it_and_one_that_is_not_there_is_said(made: Made) -> None:
    place = made.ledger.parent / "row_status.jsonl"
    place.write_text("x\n")
    write_certificate(made, lambda said: said["files"].update({"row_status.jsonl": file_hash(place)}))
    assert verified(made).is_proved
    place.write_text("y\n")
    assert [each.field for each in verified(made).differences] == ["files.row_status.jsonl"]
    place.unlink()
    assert "Not beside certificate.json, and so not compared: row_status.jsonl." in verified(made).notes


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[" * 100_000, "at most 100 lists and objects"), ("[]", "is no certificate"), ('{"format": "\\ud800"}', "half a character"),
        ('{"format": "assay-certificate", "dataset": [], "result": {}, "files": {}}', "is no certificate"),
        ('{"format": "assay-certificate", "dataset": {"hash": 1}, "result": {"hash": []}, "files": {}}', "is no certificate"),
        ('{"format": "assay-certificate", "format_version": 2, "dataset": {"hash": ""}, "result": {"hash": ""}, '
         '"files": {"ledger.jsonl": ""}}', "field format_version: found 2; expected 1"),
    ],
)  # fmt: skip
def test_what_is_no_certificate_is_refused(made: Made, text: str, words: str) -> None:
    (made.ledger.parent / "certificate.json").write_text(text)
    with pytest.raises(LedgerError, match=words):
        verified(made)
