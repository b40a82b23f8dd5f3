# ruff: noqa: E501 -- the tables of cases have one row a case
"""Every refusal names its file, line and field, and a lenient import turns it into a finding of a stable kind."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audit_core.errors import BundleError
from audit_core.importers.bundle import read_bundle
from tests.importers.small_bundle import DESIGN, Rows, right_rows, write_bundle_folder


def put(table: str, row: int, field: str, value: Any) -> Callable[[Rows], None]:
    def spoil(rows: Rows) -> None:
        rows[table][row][field] = value

    return spoil


def drop(table: str, row: int, field: str) -> Callable[[Rows], None]:
    return lambda rows: rows[table][row].pop(field)


def evidence(row: int, position: int, field: str, value: Any) -> Callable[[Rows], None]:
    return lambda rows: rows["queries"][row]["evidence"][position].update({field: value})


def line(table: str, row: int, raw: bytes) -> Callable[[Rows], None]:
    return lambda rows: rows[table].insert(row, raw)


def add(table: str, row: Any) -> Callable[[Rows], None]:
    return lambda rows: rows[table].append(row)


AUDIT, REMOVAL = "judgments/audit", "labels/removal"
_Q1 = {"query_id": "q1", "annotator": "ann", "codes": []}

#: what is spoiled, file, line, field, part of the value, part of what was expected, kind of the finding
CASES: dict[str, tuple[Callable[[Rows], None], str, int | None, str | None, str | None, str, str]] = {
    "numeric id": (put("queries", 1, "query_id", 7), "queries.jsonl", 2, "query_id", "7", 'ids are text: write "7"', "wrong_type"),
    "empty id": (put("pages", 0, "page_id", ""), "pages.jsonl", 1, "page_id", '""', "at least one character", "missing_value"),
    "missing column": (drop("queries", 2, "source"), "queries.jsonl", 3, "source", None, "required", "missing_value"),
    "null in a required column": (put("documents", 1, "title", None), "documents.jsonl", 2, "title", "null", "required", "missing_value"),
    "missing evidence": (drop("queries", 0, "evidence"), "queries.jsonl", 1, "evidence", None, "required", "missing_value"),
    "text as a number": (put("queries", 0, "text", 3.5), "queries.jsonl", 1, "text", "3.5", "text", "wrong_type"),
    "number as text": (put("pages", 1, "width", "100"), "pages.jsonl", 2, "width", '"100"', "above 0", "bad_number"),
    "number as flag": (put("pages", 1, "page_index", True), "pages.jsonl", 2, "page_index", "true", "whole number", "bad_number"),
    "fractional index": (put("pages", 1, "page_index", 1.5), "pages.jsonl", 2, "page_index", "1.5", "whole number", "bad_number"),
    "page width of 0": (put("pages", 2, "width", 0), "pages.jsonl", 3, "width", "0", "above 0", "bad_number"),
    "negative height": (put("pages", 2, "height", -4), "pages.jsonl", 3, "height", "-4", "above 0", "bad_number"),
    "negative page count": (put("documents", 0, "page_count", -1), "documents.jsonl", 1, "page_count", "-1", "at least 0", "bad_number"),
    "unknown structure": (put("queries", 0, "evidence_structure", "Doc-Close"), "queries.jsonl", 1, "evidence_structure", "Doc-Close", "Doc-Near", "unknown_value"),
    "unknown element kind": (put("elements", 1, "kind", "Chart"), "elements.jsonl", 2, "kind", "Chart", "Headline", "unknown_value"),
    "unknown evidence kind": (evidence(1, 0, "kind", "text"), "queries.jsonl", 2, "evidence[0].kind", "text", "Text", "unknown_value"),
    "relevance of 3": (evidence(1, 2, "relevance", 3), "queries.jsonl", 2, "evidence[2].relevance", "3", "1, 2", "unknown_value"),
    "three-sided box": (evidence(1, 1, "box", [1, 2, 3]), "queries.jsonl", 2, "evidence[1].box", "[1, 2, 3]", "four numbers", "bad_box"),
    "inverted evidence box": (evidence(1, 0, "box", [9, 2, 3, 4]), "queries.jsonl", 2, "evidence[0].box", "9.0", "x0 <= x1", "inverted_box"),
    "inverted element box": (put("elements", 0, "box", [1, 5, 3, 4]), "elements.jsonl", 1, "box", "5.0", "y0 <= y1", "inverted_box"),
    "inverted document box": (put("elements", 1, "document_box", [1, 5, 3, 4]), "elements.jsonl", 2, "document_box", "5.0", "y0 <= y1", "inverted_box"),
    "infinite box": (evidence(1, 0, "box", [1, 2, float("inf"), 4]), "queries.jsonl", 2, "evidence[0].box", "Infinity", "finite", "bad_box"),
    "box that is not a number": (put("elements", 0, "box", [1, 2, float("nan"), 4]), "elements.jsonl", 1, "box", "NaN", "finite", "bad_box"),
    "evidence that is text": (lambda rows: rows["queries"][0]["evidence"].append("p1"), "queries.jsonl", 1, "evidence[1]", "p1", "evidence object", "wrong_type"),
    "evidence page missing": (lambda rows: rows["queries"][1]["evidence"][1].pop("page_id"), "queries.jsonl", 2, "evidence[1].page_id", None, "required", "missing_value"),
    "unknown page of evidence": (evidence(1, 2, "page_id", "p9"), "queries.jsonl", 2, "evidence[2].page_id", "p9", "is in pages", "unknown_page"),
    "unknown document of evidence": (evidence(2, 0, "document_id", "d9"), "queries.jsonl", 3, "evidence[0].document_id", "d9", "is in documents", "unknown_document"),
    "unknown element of evidence": (evidence(2, 1, "element_id", "e9"), "queries.jsonl", 3, "evidence[1].element_id", "e9", "is in elements", "unknown_element"),
    "unknown configured page": (put("queries", 1, "configured_pages", ["p3", "p9"]), "queries.jsonl", 2, "configured_pages[1]", "p9", "is in pages", "unknown_page"),
    "configured page as a number": (put("queries", 1, "configured_pages", ["p3", 9]), "queries.jsonl", 2, "configured_pages[1]", "9", 'write "9"', "wrong_type"),
    "unknown document of a page": (put("pages", 3, "document_id", "d9"), "pages.jsonl", 4, "document_id", "d9", "is in documents", "unknown_document"),
    "unknown page of an element": (put("elements", 1, "page_id", "p9"), "elements.jsonl", 2, "page_id", "p9", "is in pages", "unknown_page"),
    "unknown document of an element": (put("elements", 0, "document_id", "d9"), "elements.jsonl", 1, "document_id", "d9", "is in documents", "unknown_document"),
    "page index outside": (put("pages", 1, "page_index", 2), "pages.jsonl", 2, "page_index", "2", "from 0 to 1", "page_index_outside_document"),
    "page index below": (put("pages", 1, "page_index", -1), "pages.jsonl", 2, "page_index", "-1", "from 0 to 1", "page_index_outside_document"),
    "missing image": (put("pages", 2, "image", "images/p9.png"), "pages.jsonl", 3, "image", "images/p9.png", "exists", "missing_image"),
    "image that is a folder": (put("pages", 2, "image", "images"), "pages.jsonl", 3, "image", "images", "exists", "missing_image"),
    "image outside": (put("pages", 2, "image", "../p.png"), "pages.jsonl", 3, "image", "../p.png", "below the media root", "outside_media_root"),
    "absolute image": (put("pages", 2, "image", "/etc/passwd"), "pages.jsonl", 3, "image", "/etc/passwd", "below the media root", "outside_media_root"),
    "image of a drive": (put("pages", 2, "image", "C:/p.png"), "pages.jsonl", 3, "image", "C:/p.png", "below the media root", "outside_media_root"),
    "backslash in an image": (put("pages", 2, "image", "images\\p3.png"), "pages.jsonl", 3, "image", "p3.png", "forward", "backslash_in_path"),
    "empty image": (put("pages", 2, "image", ""), "pages.jsonl", 3, "image", '""', "path of an image", "missing_value"),
    "missing pdf": (put("pages", 2, "image", "a.pdf#page=1"), "pages.jsonl", 3, "image", "a.pdf#page=1", "exists", "missing_image"),
    "page 0 of a pdf": (put("pages", 2, "image", "a.pdf#page=0"), "pages.jsonl", 3, "image", "a.pdf#page=0", "N from 1", "bad_pdf_page"),
    "pdf without a page": (put("pages", 2, "image", "a.pdf"), "pages.jsonl", 3, "image", "a.pdf", "N from 1", "bad_pdf_page"),
    "document outside": (put("documents", 1, "uri", "../x.pdf"), "documents.jsonl", 2, "uri", "../x.pdf", "below the media root", "outside_media_root"),
    "conflicting document": (add("documents", {"document_id": "d1", "source": "law", "domain": "x", "title": "One", "page_count": 2}), "documents.jsonl", 3, "document_id", "d1", "as in line 1", "conflicting_duplicate"),
    "conflicting query": (lambda rows: rows["queries"].append({**rows["queries"][1], "evidence": [{"page_id": "p3"}]}), "queries.jsonl", 4, "query_id", "q2", "as in line 2", "conflicting_duplicate"),
    "broken JSON": (line("pages", 1, b'{"page_id": "p2",'), "pages.jsonl", 2, None, "p2", "JSON object", "unreadable_row"),
    "list for a row": (line("queries", 0, b"[1, 2]"), "queries.jsonl", 1, None, "[1, 2]", "JSON object", "unreadable_row"),
    "two objects in a line": (line("queries", 0, b"{} {}"), "queries.jsonl", 1, None, "{}", "JSON object", "unreadable_row"),
    "empty line in the middle": (line("documents", 1, b""), "documents.jsonl", 2, None, None, "not an empty line", "empty_line"),
    "invalid UTF-8": (line("queries", 2, b'{"query_id": "\xff"}'), "queries.jsonl", 3, None, "ff", "UTF-8", "invalid_utf8"),
    "UTF-8 of a surrogate": (line("queries", 2, b'{"query_id": "\xed\xa0\x80"}'), "queries.jsonl", 3, None, "ed", "UTF-8", "invalid_utf8"),
    "lone surrogate": (line("documents", 2, b'{"document_id": "d3", "source": "\\ud800", "domain": "x", "title": "t", "page_count": 1}'), "documents.jsonl", 3, "source", "\\ud800", "lone surrogates", "lone_surrogate"),
    "NUL in a text": (put("queries", 1, "text", "a\0b"), "queries.jsonl", 2, "text", "a\\u0000b", "U+0000", "nul_character"),
    "NUL in an evidence id": (evidence(1, 0, "set_id", "a\0"), "queries.jsonl", 2, "evidence[0].set_id", "\\u0000", "U+0000", "nul_character"),
    "raw control character": (line("documents", 2, b'{"document_id": "d\x01"}'), "documents.jsonl", 3, None, "d", "JSON object", "unreadable_row"),
    "byte order mark": (lambda rows: rows["documents"].insert(0, b"\xef\xbb\xbf" + json.dumps(rows["documents"].pop(0)).encode()), "documents.jsonl", 1, None, None, "byte order mark", "byte_order_mark"),
    "huge whole number": (put("documents", 0, "page_count", 10**30), "documents.jsonl", 1, "page_count", "1000", "whole number", "bad_number"),
    "unknown code": (put(AUDIT, 1, "codes", ["F", "X"]), "judgments/audit.jsonl", 2, "codes[1]", "X", "F, E, U, N", "unknown_value"),
    "code twice": (put(AUDIT, 1, "codes", ["F", "F"]), "judgments/audit.jsonl", 2, "codes", "F", "each code once", "unknown_value"),
    "unknown outcome": (put(AUDIT, 0, "outcome", "skipped"), "judgments/audit.jsonl", 1, "outcome", "skipped", "cannot_judge", "unknown_value"),
    "codes without a judgment": (put(AUDIT, 2, "codes", ["F"]), "judgments/audit.jsonl", 3, "codes", "F", "no codes", "codes_without_judgment"),
    "revision 0": (put(AUDIT, 0, "revision", 0), "judgments/audit.jsonl", 1, "revision", "0", "at least 1", "bad_number"),
    "negative seconds": (put(AUDIT, 0, "seconds", -1), "judgments/audit.jsonl", 1, "seconds", "-1", "at least 0", "bad_number"),
    "judgment of an unknown query": (put(AUDIT, 0, "query_id", "q9"), "judgments/audit.jsonl", 1, "query_id", "q9", "is in queries", "unknown_query"),
    "unknown target": (put(AUDIT, 1, "targets", {"E": ["p3", "p9"]}), "judgments/audit.jsonl", 2, "targets.E[1]", "p9", "pages or elements", "unknown_target"),
    "target of no code": (put(AUDIT, 1, "targets", {"X": ["p3"]}), "judgments/audit.jsonl", 2, "targets.X", "X", "F, E, U, N", "unknown_value"),
    "conflicting judgments": (lambda rows: rows[AUDIT].extend([{**_Q1, "query_id": "q3", "entry": 5}, {**_Q1, "query_id": "q3", "entry": 5, "codes": ["N"]}]), "judgments/audit.jsonl", 5, "query_id", "q3", "as in line 4", "conflicting_duplicate"),
    "entry in some judgments": (add(AUDIT, {**_Q1, "entry": 2}), "judgments/audit.jsonl", 1, "entry", None, "or in none", "mixed_entries"),
    "unknown criterion value": (put(REMOVAL, 0, "clarity", 0.4), "labels/removal.jsonl", 1, "clarity", "0.4", "0, 0.25, 0.5, 0.75, 1", "unknown_value"),
    "criterion above 1": (put(REMOVAL, 1, "closedness", 2), "labels/removal.jsonl", 2, "closedness", "2", "0, 0.25", "unknown_value"),
    "remove as text": (put(REMOVAL, 0, "remove", "no"), "labels/removal.jsonl", 1, "remove", "no", "true or false", "wrong_type"),
    "label of an unknown query": (put(REMOVAL, 1, "query_id", "q9"), "labels/removal.jsonl", 2, "query_id", "q9", "is in queries", "unknown_query"),
    "conflicting labels": (add(REMOVAL, {"query_id": "q2", "remove": False, "annotator": "ann"}), "labels/removal.jsonl", 3, "query_id", "q2", "as in line 2", "conflicting_duplicate"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_refusal_names_file_line_and_field_and_is_a_finding_when_lenient(name: str, tmp_path: Path) -> None:
    spoil, file, where, field, value, expected, kind = CASES[name]
    rows = right_rows()
    spoil(rows)
    folder = write_bundle_folder(tmp_path / "bundle", rows)
    with pytest.raises(BundleError) as refusal:
        read_bundle(folder)
    problems = refusal.value.problems
    found = [each for each in problems if (each.file, each.line, each.field) == (file, where, field)]
    assert found, "\n".join(map(str, problems))
    assert expected in found[0].expected
    assert value is None or value in (found[0].value or "")
    assert str(found[0]) in str(refusal.value)
    lenient = read_bundle(folder, lenient=True)
    kinds = {(each["kind"], each["field"]) for each in lenient.findings.to_dicts()}
    assert (kind, field) in kinds
    assert lenient.documents.null_count().select("document_id", "source", "title", "page_count").row(0) == (0,) * 4


DATASET_CASES = {
    "format": "other",
    "format_version": 2,
    "name": "",
    "revision": 1,
    "license": None,
    "page_numbering": "1",
    "box_units": "points",
    "sources": ["wiki", 1],
    "media_root": "nowhere",
}


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize("field", DATASET_CASES)
def test_a_wrong_field_of_the_dataset_file_is_refused_even_leniently(field: str, lenient: bool, tmp_path: Path) -> None:
    rows = right_rows()
    rows["dataset"][field] = DATASET_CASES[field]
    with pytest.raises(BundleError) as refusal:
        read_bundle(write_bundle_folder(tmp_path / "bundle", rows), lenient=lenient)
    assert [(each.file, each.field) for each in refusal.value.problems] == [("dataset.json", field)]


def test_all_wrong_fields_of_the_dataset_file_are_named_together(tmp_path: Path) -> None:
    rows = right_rows()
    rows["dataset"] = {"format": "assay-bundle"}
    with pytest.raises(BundleError) as refusal:
        read_bundle(write_bundle_folder(tmp_path / "bundle", rows))
    missing = ["format_version", "name", "revision", "license", "page_numbering", "box_units"]
    assert [each.field for each in refusal.value.problems] == missing


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"\xff\xfe", b"null"])
def test_a_dataset_file_that_is_no_object_is_refused(text: bytes, tmp_path: Path) -> None:
    folder = write_bundle_folder(tmp_path / "bundle")
    (folder / "dataset.json").write_bytes(text)
    with pytest.raises(BundleError, match=r"dataset\.json.*one JSON object"):
        read_bundle(folder)


def test_a_folder_without_a_dataset_file_or_without_a_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="is not a folder"):
        read_bundle(tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(BundleError, match="there is no such file"):
        read_bundle(tmp_path / "empty")
    folder = write_bundle_folder(tmp_path / "bundle")
    (folder / "pages.jsonl").unlink()
    (folder / "queries.jsonl").unlink()
    with pytest.raises(BundleError) as refusal:
        read_bundle(folder, lenient=True)
    assert [each.file for each in refusal.value.problems] == ["pages.jsonl", "queries.jsonl"]


@pytest.mark.parametrize("table", ["pages", "elements", "judgments/audit", "labels/removal"])
def test_both_forms_of_one_table_are_refused(table: str, tmp_path: Path) -> None:
    folder = write_bundle_folder(tmp_path / "bundle")
    (folder / f"{table}.parquet").write_bytes(b"")
    with pytest.raises(BundleError) as refusal:
        read_bundle(folder)
    assert [(each.file, each.line) for each in refusal.value.problems] == [(f"{table}.jsonl", None)]
    assert "take one of them away" in refusal.value.problems[0].expected


def test_all_faults_of_a_row_are_found_field_by_field(tmp_path: Path) -> None:
    rows = right_rows()
    query = rows["queries"][1]
    query.update(text=5, evidence_structure="None", language=["en"])
    query["evidence"][0].update(box=[1, 2], relevance=0)
    query["evidence"][2]["element_id"] = 4
    with pytest.raises(BundleError) as refusal:
        read_bundle(write_bundle_folder(tmp_path / "bundle", rows))
    assert {each.field for each in refusal.value.problems} == {
        "text", "evidence_structure", "language", "evidence[0].box", "evidence[0].relevance", "evidence[2].element_id",
    }  # fmt: skip
    assert {each.line for each in refusal.value.problems} == {2}


def test_faults_of_several_files_are_named_together(tmp_path: Path) -> None:
    rows = right_rows()
    rows["documents"][0]["page_count"] = "2"
    rows["pages"][0]["width"] = -1
    rows["queries"][0]["evidence"][0]["page_id"] = "p9"
    rows["labels/removal"][0]["clarity"] = 7
    with pytest.raises(BundleError) as refusal:
        read_bundle(write_bundle_folder(tmp_path / "bundle", rows))
    assert {each.file for each in refusal.value.problems} == {
        "documents.jsonl", "pages.jsonl", "queries.jsonl", "labels/removal.jsonl",
    }  # fmt: skip


def test_an_unreadable_row_does_not_make_its_references_faults_too(tmp_path: Path) -> None:
    rows = right_rows()
    rows["pages"][0] = b'{"page_id": "p1", broken'
    with pytest.raises(BundleError) as refusal:
        read_bundle(write_bundle_folder(tmp_path / "bundle", rows))
    assert [(each.file, each.line) for each in refusal.value.problems] == [("pages.jsonl", 1)]


def test_of_150_broken_lines_100_are_listed_and_all_are_counted(tmp_path: Path) -> None:
    rows = right_rows()
    rows["queries"] = [{**rows["queries"][0], "query_id": f"q{number}"} for number in range(1, 4)]
    rows["queries"] += [b"{" if number % 2 else b'{"query_id": 1}' for number in range(150)]
    with pytest.raises(BundleError) as refusal:
        read_bundle(write_bundle_folder(tmp_path / "bundle", rows))
    problems = [each for each in refusal.value.problems if each.file == "queries.jsonl"]
    assert len(problems) == 100
    assert [each.line for each in problems] == sorted(each.line or 0 for each in problems)
    # Of the 150 rows 75 are one fault each; the others lack five columns beside the wrong id.
    assert refusal.value.total == 75 + 75 * 6
    assert f"queries.jsonl: and {75 + 75 * 6 - 100} more" in str(refusal.value)


def test_150_references_to_nowhere_are_listed_to_100_and_counted(tmp_path: Path) -> None:
    rows = right_rows()
    rows["queries"][2]["evidence"] = [{"page_id": f"nowhere {number}"} for number in range(150)]
    with pytest.raises(BundleError) as refusal:
        read_bundle(write_bundle_folder(tmp_path / "bundle", rows))
    assert (len(refusal.value.problems), refusal.value.total) == (100, 150)


def test_one_broken_line_of_many_is_found_at_its_line(tmp_path: Path) -> None:
    rows = right_rows()
    query = {**rows["queries"][0], "text": "x" * 400}
    rows["queries"] += [{**query, "query_id": f"many {number}"} for number in range(20_000)]
    rows["queries"][15_000] = b'{"query_id": "many"'
    folder = write_bundle_folder(tmp_path / "bundle", rows)
    with pytest.raises(BundleError) as refusal:
        read_bundle(folder)
    problems = [each for each in refusal.value.problems if each.file == "queries.jsonl"]
    assert [each.line for each in problems] == [15_001]
    lenient = read_bundle(folder, lenient=True)
    assert lenient.counts["queries"] == 20_002
    assert lenient.accepted["skipped_queries"] == 1


DESIGN_CASES: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "more drawn than there are": (lambda design: design["strata"][0].update(drawn=2), "strata[0].drawn"),
    "negative": (lambda design: design["strata"][1].update(drawn=-1), "strata[1].drawn"),
    "twice": (lambda design: design["strata"].append(design["strata"][0]), "strata[2]"),
    "without population": (lambda design: design["strata"][0].pop("population"), "strata[0].population"),
    "unknown structure": (lambda design: design["strata"][0].update(evidence_structure="Any"), "strata[0].evidence_structure"),
    "without strata": (lambda design: design.pop("strata"), "strata"),
    "no strata": (lambda design: design.update(strata=[]), "strata"),
    "without frame": (lambda design: design.pop("frame"), "frame.name"),
    "seed as text": (lambda design: design.update(seed="7"), "seed"),
    "without method": (lambda design: design.pop("method"), "method"),
    "stratum as text": (lambda design: design.update(strata=["all"]), "strata[0]"),
}  # fmt: skip


@pytest.mark.parametrize("name", DESIGN_CASES)
def test_a_faulty_sample_design_is_refused_and_left_out_when_lenient(name: str, tmp_path: Path) -> None:
    spoil, field = DESIGN_CASES[name]
    design = json.loads(json.dumps(DESIGN))
    spoil(design)
    folder = write_bundle_folder(tmp_path / "bundle", extras=True)
    (folder / "judgments" / "audit.design.json").write_text(json.dumps(design))
    with pytest.raises(BundleError) as refusal:
        read_bundle(folder)
    assert ("judgments/audit.design.json", field) in {(each.file, each.field) for each in refusal.value.problems}
    lenient = read_bundle(folder, lenient=True)
    assert lenient.judgments["audit"].design is None
    assert "bad_design" in set(lenient.findings["kind"])


RUN_CASES = {
    "unknown query": ("q9 Q0 p1 1 1.0 t\n", 4, "query_id", "unknown_query"),
    "unknown page": ("q3 Q0 p9 1 1.0 t\n", 4, "page_id", "unknown_page"),
    "page twice": ("q1 Q0 p2 3 1.0 t\n", None, "page_id", "conflicting_duplicate"),
    "infinite score": ("q3 Q0 p1 1 inf t\n", 4, "score", "bad_number"),
    "score that is no number": ("q3 Q0 p1 1 high t\n", 4, "score", "bad_number"),
    "rank 0": ("q3 Q0 p1 0 1.0 t\n", 4, "rank", "bad_number"),
    "rank that is no number": ("q3 Q0 p1 first 1.0 t\n", 4, "rank", "bad_number"),
    "five fields": ("q3 Q0 p1 1 1.0\n", 4, None, "unreadable_run"),
    "empty line": ("\nq3 Q0 p1 1 1.0 t\n", 4, None, "unreadable_run"),
}


@pytest.mark.parametrize("name", RUN_CASES)
def test_a_faulty_run_is_refused_at_its_line(name: str, tmp_path: Path) -> None:
    more, where, field, kind = RUN_CASES[name]
    folder = write_bundle_folder(tmp_path / "bundle", extras=True)
    with (folder / "runs" / "bm25.trec").open("a") as stream:
        stream.write(more)
    with pytest.raises(BundleError) as refusal:
        read_bundle(folder)
    assert [(each.file, each.line, each.field) for each in refusal.value.problems] == [("runs/bm25.trec", where, field)]
    assert set(read_bundle(folder, lenient=True).findings["kind"]) == {kind}


EMBEDDING_CASES: dict[str, tuple[Any, str, str]] = {
    "float64": (np.zeros((3, 2)), "q1\nq2\nq3\n", "float32"),
    "one-dimensional": (np.zeros(3, np.float32), "q1\nq2\nq3\n", "two-dimensional"),
    "fewer ids": (np.zeros((3, 2), np.float32), "q1\nq2\n", "as many ids"),
    "unknown id": (np.zeros((3, 2), np.float32), "q1\nq2\nq9\n", "is in queries"),
    "id twice": (np.zeros((3, 2), np.float32), "q1\nq2\nq2\n", "each query once"),
    "not finite": (np.full((3, 2), np.nan, np.float32), "q1\nq2\nq3\n", "finite numbers"),
}


@pytest.mark.parametrize("name", EMBEDDING_CASES)
def test_a_faulty_embedding_is_refused(name: str, tmp_path: Path) -> None:
    matrix, ids, expected = EMBEDDING_CASES[name]
    folder = write_bundle_folder(tmp_path / "bundle", extras=True)
    np.save(folder / "embeddings" / "model.npy", matrix)
    (folder / "embeddings" / "model.ids.txt").write_text(ids)
    with pytest.raises(BundleError, match=expected):
        read_bundle(folder)


def test_an_embedding_that_hides_a_program_or_has_no_ids_is_refused(tmp_path: Path) -> None:
    folder = write_bundle_folder(tmp_path / "bundle", extras=True)
    np.save(folder / "embeddings" / "model.npy", np.array([object()], dtype=object), allow_pickle=True)
    with pytest.raises(BundleError, match="float32"):
        read_bundle(folder)
    (folder / "embeddings" / "model.ids.txt").unlink()
    with pytest.raises(BundleError, match=r"model\.ids\.txt"):
        read_bundle(folder)
