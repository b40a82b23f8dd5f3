"""Ledgers and bundles made to mislead the verifier, or to break it: each is refused or found, and named."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from audit_core.errors import BundleError, LedgerError
from audit_core.release.ledger_reading import read_ledger
from audit_core.release.verify_files import verify_files
from tests.importers.small_bundle import write_lines
from tests.release.made_release import Made, generated_bundle, made_release, revision_of, some_corrections
from tests.release.test_verify import differences, rechained, rewrite, rows_in


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A small release of corrections of every action."""
    folder = tmp_path_factory.mktemp("hostile")
    old = generated_bundle(folder / "old", 60)
    return made_release(folder, old, some_corrections(revision_of(old, folder / "datasets"), 24))


@pytest.fixture
def made(whole: Made, tmp_path: Path) -> Made:
    """A copy of it to spoil."""
    for name in ("old", "new"):
        shutil.copytree(getattr(whole, name), tmp_path / name)
    shutil.copy(whole.ledger, tmp_path / "ledger.jsonl")
    return Made(tmp_path / "old", tmp_path / "ledger.jsonl", tmp_path / "new", whole.corrected)


def of_action(rows: list[dict[str, Any]], action: str) -> dict[str, Any]:
    return next(each for each in rows if each["action"] == action)


@pytest.mark.parametrize("count", [10**9, 10**12, 2**63 - 1])
def test_a_ledger_that_claims_more_rows_than_it_has_is_told_at_once(made: Made, count: int) -> None:
    length = len(rows_in(made.ledger))
    rewrite(made.ledger, lambda rows: [each.update(rows=count) for each in rows])
    found = read_ledger(made.ledger).faults
    assert f"row {length + 1} of {count} is missing" in found
    assert f"{count - length - 20:,} more rows are missing" in found


def test_a_row_with_a_number_far_off_is_told_at_once(made: Made) -> None:
    rewrite(made.ledger, lambda rows: rows[0].update(row=10**12, rows=10**12))
    assert any("stands after row 1000000000000" in each for each in read_ledger(made.ledger).faults)


@pytest.mark.parametrize(
    ("name", "written", "words"),
    [
        ("reason", '"\\ud800"', "field reason; expected .*half a character"),
        ("query_id", '"q\\udc00"', "field query_id; expected .*half a character"),
        ("agreement", '[{"reason": "\\ud800"}]', r"field agreement\[0\].reason; expected .*half a character"),
        ("agreement", '[{"value": 1e999}]', r"field agreement\[0\].value; expected .*1e999 is too large"),
        ("agreement", '[{"value": [1]}]', "field agreement: found"),
        ("agreement", '[{"value": ' + "[" * 400 + "]" * 400 + "}]", "field agreement; expected .*at most 100 lists"),
        ("rows", "1" + "0" * 30, "field rows; expected .*is too large"),
        ("code", '["F"]', "field code: found"),
        ("action", "{}", "field action: found"),
    ],
)
def test_a_value_that_no_row_has_is_refused_by_line_and_field(made: Made, name: str, written: str, words: str) -> None:
    rows = rows_in(made.ledger)
    rows[1][name] = "@@"
    write_lines(made.ledger, rows)
    made.ledger.write_text(made.ledger.read_text().replace('"@@"', written))
    with pytest.raises(LedgerError, match=rf"line 2, {words}"):
        read_ledger(made.ledger)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("relevance", "abc"), ("relevance", [1]), ("relevance", 1.5), ("relevance", 1.0), ("relevance", True),
        ("relevance", None), ("relevance", 3), ("kind", "Evil"), ("box", [1, 2, 3, "4"]), ("box", [1, 2, 3, True]),
    ],
)  # fmt: skip
def test_a_piece_of_evidence_that_is_none_is_refused_even_where_it_equals_one(
    made: Made, name: str, value: object
) -> None:
    def spoil(rows: list[dict[str, Any]]) -> None:
        of_action(rows, "move-box")["after"][name] = value
        rechained(rows)

    rewrite(made.ledger, spoil)
    with pytest.raises(LedgerError, match=r"field after: found .*; expected evidence as in the bundle's queries"):
        read_ledger(made.ledger)


@pytest.mark.parametrize(
    ("name", "value"), [("page_index", 999), ("printed_label", "forged"), ("page_id", "d0p9"), ("box", [1, 2, 3, 4])]
)
def test_what_a_row_says_of_its_page_is_held_against_old(made: Made, name: str, value: object) -> None:
    def forge(rows: list[dict[str, Any]]) -> None:
        of_action(rows, "move-box")["page"][name] = value
        rechained(rows)

    row = of_action(rows_in(made.ledger), "move-box")
    assert row["page"][name] != value
    rewrite(made.ledger, forge)
    (found,) = differences(made)
    assert found.startswith(f"ledger.jsonl, row {row['row']} (query_id '{row['query_id']}'), field page.{name}: found ")
    assert found.endswith(", as in OLD")


def test_a_page_beside_a_change_that_is_of_none_is_found(made: Made) -> None:
    page = of_action(rows_in(made.ledger), "move-box")["page"]

    def forge(rows: list[dict[str, Any]]) -> None:
        of_action(rows, "reword")["page"] = page
        rechained(rows)

    rewrite(made.ledger, forge)
    assert "field page: found {" in differences(made)[0]


def test_a_derived_row_names_nobody_and_no_code(made: Made) -> None:
    rewrite(made.ledger, lambda rows: of_action(rows, "structure").update(author="somebody"))
    with pytest.raises(LedgerError, match='field author: found "somebody"; expected nothing, for a derived row'):
        read_ledger(made.ledger)


@pytest.mark.parametrize(
    ("side", "file"),
    [
        ("old", "dataset.json"), ("new", "dataset.json"), ("old", "queries.jsonl"), ("new", "queries.jsonl"),
        ("new", "documents.jsonl"), ("old", "labels/gold.jsonl"),
    ],
)  # fmt: skip
def test_a_name_twice_in_one_object_is_refused_on_either_side(made: Made, side: str, file: str) -> None:
    place = getattr(made, side) / file
    text = place.read_text()
    name = text.split('"')[1]
    place.write_text(text.replace(f'"{name}"', f'"{name}": "x", "{name}"', 1))
    with pytest.raises(BundleError, match=rf"{file}(, line 1)?, field {name}; expected the name once"):
        verify_files(made.old, made.ledger, made.new)


def test_a_repeated_row_of_labels_is_found(made: Made) -> None:
    gone = {each["query_id"] for each in rows_in(made.ledger) if each["action"] in ("withdraw", "reword")}
    rows = [each for each in rows_in(made.old / "labels" / "gold.jsonl") if each["query_id"] not in gone]
    (made.new / "labels").mkdir()
    write_lines(made.new / "labels" / "gold.jsonl", rows)
    assert made.verify().is_proved
    write_lines(made.new / "labels" / "gold.jsonl", [*rows, rows[0]])
    assert differences(made) == ["NEW: rows of labels/gold that stand twice: 1, and not so many in OLD"]


def with_judgments(made: Made, change: Callable[[dict[str, Any]], object]) -> None:
    """Give both sides judgments with a design, and change that of NEW."""
    row = {"query_id": "q59", "annotator": "Zoe", "outcome": "judged", "codes": []}
    strata = [{"source": "x", "evidence_structure": "Page-Single", "population": 60, "drawn": 1}]
    design = {"frame": {"name": "made", "revision": "1"}, "method": "random", "seed": 1, "strata": strata}
    for side in (made.old, made.new):
        (side / "judgments").mkdir(exist_ok=True)
        write_lines(side / "judgments" / "aud.jsonl", [row])
        (side / "judgments" / "aud.design.json").write_text(json.dumps(design))
    change(design)
    (made.new / "judgments" / "aud.design.json").write_text(json.dumps(design))


def test_a_sample_design_that_was_changed_added_or_taken_away_is_found(made: Made) -> None:
    with_judgments(made, lambda design: None)
    assert made.verify().is_proved
    with_judgments(made, lambda design: design.update(seed=2))
    assert differences(made)[0].startswith("judgments/aud.design.json, field seed: found {")
    (made.new / "judgments" / "aud.design.json").unlink()
    assert differences(made)[0].startswith("judgments/aud.design.json: found nothing; expected {")
    with_judgments(made, lambda design: None)
    (made.old / "judgments" / "aud.design.json").unlink()
    assert differences(made)[0].endswith("; expected nothing")


def test_files_that_nothing_names_are_said_and_what_lies_beside_a_bundle_is_not(made: Made) -> None:
    for name in ("README.md", "ledger.jsonl", ".hidden", "queries.csv", "images/other.png"):
        (made.new / name).write_bytes(b"x")
    found = made.verify()
    assert found.is_proved
    assert (
        "2 files in NEW are no part of the format and were not compared: images/other.png, queries.csv." in found.notes
    )


def test_a_proof_says_what_only_the_ledger_says(made: Made) -> None:
    assert any(each.startswith("Only said by the ledger") and "reason" in each for each in made.verify().sentences())
