# ruff: noqa: E501 -- the tables of cases have one row a case
"""What a bundle says comes through byte for byte, in both forms, and what is odd but accepted is reported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from audit_core.errors import BundleError
from audit_core.importers.bundle import Bundle, read_bundle
from tests.importers.small_bundle import DESIGN, Rows, right_rows, write_bundle_folder


def kinds(bundle: Bundle) -> list[tuple[str, str, str]]:
    return [(each["kind"], each["row_key"], each["field"]) for each in bundle.findings.to_dicts()]


def test_a_right_bundle_has_no_findings_and_no_warnings(tmp_path: Path) -> None:
    bundle = read_bundle(write_bundle_folder(tmp_path / "bundle", extras=True))
    assert bundle.findings.is_empty()
    assert bundle.warnings == []
    assert bundle.accepted == {}
    assert bundle.counts == {
        "documents": 2, "pages": 4, "elements": 2, "queries": 3, "evidence": 6,
        "judgments/audit": 3, "labels/removal": 2, "runs": 1, "embeddings": 1,
    }  # fmt: skip
    assert bundle.evidence["page_row"].to_list() == [0, 2, 3, 3, 0, 2]
    assert bundle.evidence["element_row"].to_list() == [0, None, None, 1, None, None]
    assert bundle.evidence["relevance"].to_list() == [1, 2, 1, 1, 1, 1]
    assert bundle.judgments["audit"].design == DESIGN
    assert bundle.judgments["audit"].frame["targets"].to_list() == [None, '{"E":["p3","e2"]}', None]
    assert [(each.kind, each.name, each.rows) for each in bundle.attachments] == [
        ("run", "bm25", 3),
        ("embedding", "model", 3),
    ]


ODD_IDS = [
    "007",
    "NA",
    "null",
    "1e5",
    "True",
    "nan",
    "",
    " ",
    "a b",
    "\u2028",
    "é",
    "e\u0301",
    "-0",
    "1.0",
    "0x1F",
    "🦆",
    '"',
]


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_ids_come_back_byte_for_byte(form: str, tmp_path: Path) -> None:
    ids = [each for each in ODD_IDS if each]
    rows = right_rows()
    rows["queries"] = [{**rows["queries"][0], "query_id": each, "text": each} for each in ids]
    rows["labels/removal"] = [{"query_id": each, "remove": True, "annotator": each} for each in ids]
    rows["judgments/audit"] = [{"query_id": each, "annotator": each, "codes": []} for each in ids]
    bundle = read_bundle(write_bundle_folder(tmp_path / "bundle", rows, form=form))
    assert bundle.queries["query_id"].to_list() == ids
    assert bundle.queries["text"].to_list() == ids
    assert bundle.labels["removal"].frame["annotator"].to_list() == ids
    assert bundle.judgments["audit"].frame["query_id"].to_list() == ids


def test_line_separators_of_unicode_do_not_end_a_line(tmp_path: Path) -> None:
    text = "one\u2028two\u2029three\u0085four\x0bfive\x0csix\rseven\neight"
    rows = right_rows()
    rows["queries"][0]["text"] = text
    folder = write_bundle_folder(tmp_path / "bundle", rows)
    assert "\u2028".encode() in (folder / "queries.jsonl").read_bytes()
    bundle = read_bundle(folder)
    assert bundle.queries["text"][0] == text
    assert bundle.queries.height == 3


def test_windows_line_ends_and_blank_lines_at_the_end_are_taken(tmp_path: Path) -> None:
    folder = write_bundle_folder(tmp_path / "bundle")
    plain = read_bundle(folder)
    lines = (folder / "queries.jsonl").read_bytes()
    (folder / "queries.jsonl").write_bytes(lines.replace(b"\n", b"\r\n") + b"\r\n\n")
    (folder / "pages.jsonl").write_bytes((folder / "pages.jsonl").read_bytes().rstrip(b"\n"))
    assert read_bundle(folder).content_hash == plain.content_hash


def test_the_content_hash_does_not_depend_on_how_the_bundle_is_written(tmp_path: Path) -> None:
    rows = right_rows()
    lines = read_bundle(write_bundle_folder(tmp_path / "lines", rows))
    assert (
        read_bundle(write_bundle_folder(tmp_path / "parquet", rows, form="parquet")).content_hash == lines.content_hash
    )
    with_nulls = right_rows()
    with_nulls["queries"][0].update(language=None, configured_pages=None)
    with_nulls["queries"][0]["evidence"][0].update(set_id=None, relevance=None)
    with_nulls["queries"][1]["evidence"][1]["relevance"] = 1
    with_nulls["pages"] = [dict(reversed(page.items())) | {"width": 100.0} for page in with_nulls["pages"]]
    with_nulls["dataset"] = {**with_nulls["dataset"], "media_root": "../nulls"}
    assert read_bundle(write_bundle_folder(tmp_path / "nulls", with_nulls)).content_hash == lines.content_hash
    without_answers = right_rows()
    del without_answers["judgments/audit"], without_answers["labels/removal"]
    assert read_bundle(write_bundle_folder(tmp_path / "bare", without_answers)).content_hash == lines.content_hash


def _changes() -> dict[str, Any]:
    return {
        "name": lambda rows: rows["dataset"].update(name="other"),
        "revision": lambda rows: rows["dataset"].update(revision="2"),
        "license": lambda rows: rows["dataset"].update(license="MIT"),
        "sources": lambda rows: rows["dataset"].update(sources=["law", "wiki"]),
        "answer": lambda rows: rows["queries"][0].update(answer="2"),
        "no answer": lambda rows: rows["queries"][0].pop("answer"),
        "empty for absent": lambda rows: rows["queries"][1].update(answer=""),
        "moved text": lambda rows: rows["queries"][0].update(text="what is one?1", answer=""),
        "a side of a box": lambda rows: rows["queries"][1]["evidence"][0]["box"].__setitem__(2, 30.1250001),
        "the order of evidence": lambda rows: rows["queries"][2]["evidence"].reverse(),
        "the order of queries": lambda rows: rows["queries"].reverse(),
        "relevance": lambda rows: rows["queries"][1]["evidence"][0].pop("relevance"),
        "configured pages": lambda rows: rows["queries"][1].update(configured_pages=["p4", "p3"]),
        "no configured pages": lambda rows: rows["queries"][0].update(configured_pages=[]),
        "image": lambda rows: rows["pages"][0].update(image="images/p2.png"),
        "element text": lambda rows: rows["elements"][0].update(text="two"),
    }


def test_every_change_of_content_changes_the_hash(tmp_path: Path) -> None:
    hashes = {"right": read_bundle(write_bundle_folder(tmp_path / "right")).content_hash}
    for name, change in _changes().items():
        rows = right_rows()
        change(rows)
        hashes[name] = read_bundle(write_bundle_folder(tmp_path / name, rows)).content_hash
    assert len(set(hashes.values())) == len(hashes)


def test_runs_and_embeddings_count_in_the_hash_but_not_their_form(tmp_path: Path) -> None:
    folder = write_bundle_folder(tmp_path / "bundle", extras=True)
    whole = read_bundle(folder).content_hash
    run = folder / "runs" / "bm25.trec"
    written = run.read_text()
    run.write_text(written.replace(" ", "  ", 1).replace("3.25", "3.250").replace(" Q0 ", "\tQ0\t"))
    assert read_bundle(folder).content_hash == whole
    run.unlink()
    without = read_bundle(folder).content_hash
    columns = {
        "query_id": ["q1", "q1", "q2"],
        "page_id": ["p1", "p2", "p3"],
        "rank": [1, 2, 1],
        "score": [9.5, 3.25, -1e-3],
    }
    pl.DataFrame(columns).write_parquet(folder / "runs" / "bm25.parquet")
    assert read_bundle(folder).content_hash == whole
    columns["score"][0] = 9.25
    pl.DataFrame(columns).write_parquet(folder / "runs" / "bm25.parquet")
    assert len({whole, without, read_bundle(folder).content_hash}) == 3


def test_judgments_and_labels_have_hashes_of_their_own(tmp_path: Path) -> None:
    rows = right_rows()
    first = read_bundle(write_bundle_folder(tmp_path / "first", rows))
    same = read_bundle(write_bundle_folder(tmp_path / "same", rows, form="parquet"))
    rows["judgments/audit"][0]["codes"] = ["U"]
    rows["labels/removal"][0]["remove"] = True
    other = read_bundle(write_bundle_folder(tmp_path / "other", rows))
    assert other.content_hash == first.content_hash == same.content_hash
    assert same.judgments["audit"].hash == first.judgments["audit"].hash != other.judgments["audit"].hash
    assert same.labels["removal"].hash == first.labels["removal"].hash != other.labels["removal"].hash


def test_exact_duplicates_are_collapsed_and_counted(tmp_path: Path) -> None:
    plain = read_bundle(write_bundle_folder(tmp_path / "plain"))
    rows = right_rows()
    for table in ("documents", "pages", "elements", "labels/removal"):
        rows[table].append(dict(rows[table][0]))
    rows["queries"] = [
        rows["queries"][0],
        rows["queries"][1],
        rows["queries"][1],
        rows["queries"][2],
        rows["queries"][1],
    ]
    bundle = read_bundle(write_bundle_folder(tmp_path / "bundle", rows))
    assert bundle.content_hash == plain.content_hash
    assert bundle.evidence.drop("element_row").equals(plain.evidence.drop("element_row"))
    assert bundle.accepted == {
        "duplicate_documents": 1, "duplicate_pages": 1, "duplicate_elements": 1, "duplicate_queries": 2,
        "duplicate_labels/removal": 1,
    }  # fmt: skip


def test_the_first_of_conflicting_duplicates_is_kept_when_lenient(tmp_path: Path) -> None:
    rows = right_rows()
    rows["queries"].insert(1, {**rows["queries"][0], "text": "other", "evidence": [{"page_id": "p2"}]})
    bundle = read_bundle(write_bundle_folder(tmp_path / "bundle", rows), lenient=True)
    assert bundle.content_hash == read_bundle(write_bundle_folder(tmp_path / "plain")).content_hash
    assert kinds(bundle) == [("conflicting_duplicate", "q1", "query_id")]
    assert bundle.findings["line"].to_list() == [2]


def test_queries_with_the_same_text_are_flagged_as_a_cluster(tmp_path: Path) -> None:
    rows = right_rows()
    rows["queries"][2]["text"] = rows["queries"][0]["text"]
    bundle = read_bundle(write_bundle_folder(tmp_path / "bundle", rows))
    assert bundle.accepted == {"same_text_queries": 2, "same_text_clusters": 1}
    assert bundle.findings.select("kind", "row_key", "value").rows() == [
        ("same_text", "q1", "q1"),
        ("same_text", "q3", "q1"),
    ]


@pytest.mark.parametrize("units", ["pixel", "fraction"])
def test_a_box_that_leaves_the_page_by_at_most_one_pixel_is_clipped_and_counted(units: str, tmp_path: Path) -> None:
    rows = right_rows()
    rows["dataset"]["box_units"] = units
    scale = [1, 1, 1, 1] if units == "pixel" else [1 / 100, 1 / 200, 1 / 100, 1 / 200]
    for table in ("elements", "queries"):
        for row in rows[table]:
            for each in [row, *row.get("evidence", [])]:
                if "box" in each:
                    each["box"] = [a * b for a, b in zip(each["box"], scale, strict=True)]
    boxes = [[-1, 0, 50, 60], [10, 20, 100.75, 201], [10, 20, 101.5, 60]]
    for piece, box in zip(rows["queries"][1]["evidence"], boxes, strict=True):
        piece["box"] = [a * b for a, b in zip(box, scale, strict=True)]
    bundle = read_bundle(write_bundle_folder(tmp_path / "bundle", rows))
    sides = [f"box_{side}" for side in ("x0", "y0", "x1", "y1")]
    kept = [[a / b for a, b in zip(row, scale, strict=True)] for row in bundle.evidence.select(sides).rows()[1:4]]
    expected = [[0, 0, 50, 60], [10, 20, 100, 200], [10, 20, 101.5, 60]]
    assert kept == [pytest.approx(each) for each in expected]
    assert bundle.accepted == {"clipped_boxes": 2}
    assert kinds(bundle) == [("box_outside_page", "q2", "evidence[2].box")]


def test_empty_outside_and_whole_page_boxes_are_kept_as_findings(tmp_path: Path) -> None:
    rows = right_rows()
    boxes = [[5, 5, 5, 9], [-3, 0, 9, 9], [0, 0, 100, 200]]
    for piece, box in zip(rows["queries"][1]["evidence"], boxes, strict=True):
        piece["box"] = box
    rows["elements"][0]["box"] = [0, 7, 9, 7]
    bundle = read_bundle(write_bundle_folder(tmp_path / "bundle", rows))
    assert set(kinds(bundle)) == {
        ("zero_size_box", "e1", "box"),
        ("zero_size_box", "q2", "evidence[0].box"),
        ("box_outside_page", "q2", "evidence[1].box"),
        ("whole_page_box", "q2", "evidence[2].box"),
    }
    assert bundle.evidence["box_x0"].to_list()[1:4] == [5, -3, 0]


def test_references_into_another_document_or_page_are_findings(tmp_path: Path) -> None:
    rows = right_rows()
    rows["queries"][1]["evidence"][1]["document_id"] = "d1"
    rows["queries"][2]["evidence"][1]["element_id"] = "e1"
    rows["elements"][1]["document_id"] = "d1"
    rows["pages"][1]["page_index"] = 0
    rows["queries"][0]["evidence"] = []
    bundle = read_bundle(write_bundle_folder(tmp_path / "bundle", rows))
    assert set(kinds(bundle)) == {
        ("evidence_document_mismatch", "q2", "evidence[1].document_id"),
        ("element_page_mismatch", "q3", "evidence[1].element_id"),
        ("element_document_mismatch", "e2", "document_id"),
        ("page_index_twice", "p1", "page_index"),
        ("page_index_twice", "p2", "page_index"),
        ("no_evidence", "q1", "evidence"),
    }


def test_elements_with_the_same_id_in_two_documents_are_told_apart(tmp_path: Path) -> None:
    rows = right_rows()
    rows["elements"][1]["element_id"] = "e1"
    rows["queries"][1]["evidence"][2]["element_id"] = "e1"
    rows["judgments/audit"][1]["targets"] = {"E": ["e1"]}
    bundle = read_bundle(write_bundle_folder(tmp_path / "bundle", rows))
    assert bundle.evidence["element_row"].to_list() == [0, None, None, 1, None, None]
    assert bundle.findings.is_empty()


def test_an_unknown_column_is_a_warning_with_the_nearest_known_one(tmp_path: Path) -> None:
    rows = right_rows()
    rows["queries"][0]["anwser"] = "x"
    rows["queries"][2]["evidence"][0]["bbox"] = {"x": [1]}
    rows["dataset"]["licence"] = "x"
    rows["pages"][3]["zzz`q"] = 1
    bundle = read_bundle(write_bundle_folder(tmp_path / "bundle", rows))
    assert bundle.warnings == [
        "dataset.json: `licence` is not part of the format and is left out; did you mean `license`?",
        "pages.jsonl: `zzz`q` is not part of the format and is left out.",
        "queries.jsonl: `anwser` is not part of the format and is left out; did you mean `answer`?",
        "queries.jsonl: `evidence.bbox` is not part of the format and is left out; did you mean `evidence.box`?",
    ]
    assert bundle.content_hash == read_bundle(write_bundle_folder(tmp_path / "plain")).content_hash
    parquet = read_bundle(write_bundle_folder(tmp_path / "parquet", rows, form="parquet"))
    assert parquet.warnings == [each.replace(".jsonl", ".parquet") for each in bundle.warnings]
    assert parquet.content_hash == bundle.content_hash


def test_judgments_without_entry_belong_to_the_nth_entry_of_their_query(tmp_path: Path) -> None:
    rows = right_rows()
    one = {"query_id": "q1", "annotator": "ann", "codes": []}
    rows["judgments/audit"] = [
        one,
        one,
        {**one, "annotator": "bob"},
        {**one, "codes": ["N"]},
        {**one, "query_id": "q2"},
    ]
    bundle = read_bundle(write_bundle_folder(tmp_path / "bundle", rows))
    assert bundle.judgments["audit"].frame["entry_number"].to_list() == [1, 2, 1, 3, 1]
    rows["judgments/audit"] = [
        {**one, "entry": 4},
        {**one, "entry": 4},
        {**one, "entry": 4, "revision": 2, "codes": ["F"]},
    ]
    bundle = read_bundle(write_bundle_folder(tmp_path / "given", rows))
    assert bundle.judgments["audit"].frame["entry_number"].to_list() == [4, 4]
    assert bundle.accepted == {"duplicate_judgments/audit": 1}


def test_a_lenient_import_keeps_the_text_of_references_beside_a_null_row(tmp_path: Path) -> None:
    rows = right_rows()
    rows["queries"][1]["evidence"][1]["page_id"] = "nowhere"
    rows["queries"][2]["evidence"][0]["element_id"] = "lost"
    rows["pages"][1]["image"] = "images/gone.png"
    rows["pages"][2]["image"] = "../../outside.png"
    rows["queries"][0]["evidence"][0]["box"] = [9, 9, 1, 1]
    bundle = read_bundle(write_bundle_folder(tmp_path / "bundle", rows), lenient=True)
    piece = bundle.evidence.row(2, named=True)
    assert (piece["page_id"], piece["page_row"]) == ("nowhere", None)
    piece = bundle.evidence.row(4, named=True)
    assert (piece["element_id"], piece["element_row"]) == ("lost", None)
    assert bundle.pages["image"].to_list()[1:3] == ["images/gone.png", ""]
    assert bundle.evidence["box_x0"][0] is None


def test_progress_never_falls_and_ends_at_1(tmp_path: Path) -> None:
    told: list[tuple[str, float]] = []
    folder = write_bundle_folder(tmp_path / "bundle", extras=True)
    read_bundle(folder, progress=lambda step, part: told.append((step, part)))
    parts = [part for _, part in told]
    assert parts == sorted(parts)
    assert parts[0] == 0.0
    assert parts[-1] == 1.0
    assert "reading queries" in {step for step, _ in told}


PARQUET_CASES: dict[str, tuple[str, pl.DataFrame, str]] = {
    "numeric ids": ("labels/removal", pl.DataFrame({"query_id": [1], "remove": [True]}), "query_id"),
    "flag as a number": ("labels/removal", pl.DataFrame({"query_id": ["q1"], "remove": [1]}), "remove"),
    "codes as text": ("judgments/audit", pl.DataFrame({"query_id": ["q1"], "annotator": ["a"], "codes": ["F"]}), "codes"),
    "no codes": ("judgments/audit", pl.DataFrame({"query_id": ["q1"], "annotator": ["a"]}), "codes"),
    "fractional count": ("documents", pl.DataFrame({"document_id": ["d1"], "source": ["wiki"], "domain": ["x"], "title": ["t"], "page_count": [2.0]}), "page_count"),
    "text boxes": ("elements", pl.DataFrame({"document_id": ["d1"], "element_id": ["e1"], "kind": ["Text"], "page_id": ["p1"], "box": ["[1,2,3,4]"]}), "box"),
    "numeric evidence ids": ("queries", pl.DataFrame({"query_id": ["q1"], "text": ["t"], "source": ["wiki"], "domain": ["x"], "evidence_structure": ["Page-Single"], "evidence": [[{"page_id": 1}]]}), "evidence.page_id"),
}  # fmt: skip


@pytest.mark.parametrize("name", PARQUET_CASES)
def test_a_parquet_column_of_another_type_is_refused_as_a_whole(name: str, tmp_path: Path) -> None:
    table, frame, field = PARQUET_CASES[name]
    folder = write_bundle_folder(tmp_path / "bundle", form="parquet")
    frame.write_parquet(folder / f"{table}.parquet")
    with pytest.raises(BundleError) as refusal:
        read_bundle(folder)
    assert (f"{table}.parquet", None, field) in {(each.file, each.line, each.field) for each in refusal.value.problems}


def test_faults_in_parquet_rows_are_named_by_row_number(tmp_path: Path) -> None:
    rows = right_rows()
    rows["queries"][1]["evidence"][2]["box"] = [1.0, 2.0, 3.0]
    rows["queries"][2]["text"] = "a\0b"
    rows["pages"][2]["width"] = float("nan")
    rows["elements"][1]["kind"] = "Chart"
    folder = write_bundle_folder(tmp_path / "bundle", rows, form="parquet")
    with pytest.raises(BundleError) as refusal:
        read_bundle(folder)
    assert {(each.file, each.line, each.field) for each in refusal.value.problems} == {
        ("queries.parquet", 2, "evidence[2].box"), ("queries.parquet", 3, "text"), ("pages.parquet", 3, "width"),
        ("elements.parquet", 2, "kind"),
    }  # fmt: skip
    (folder / "pages.parquet").write_bytes(b"PAR1 not really")
    with pytest.raises(BundleError, match=r"pages\.parquet; expected a Parquet file"):
        read_bundle(folder)


def test_an_empty_optional_table_is_the_same_as_none(tmp_path: Path) -> None:
    rows: Rows = right_rows()
    rows["elements"] = []
    rows["queries"][0]["evidence"][0].pop("element_id")
    rows["queries"][1]["evidence"][2].pop("element_id")
    rows["judgments/audit"][1].pop("targets")
    folder = write_bundle_folder(tmp_path / "bundle", rows)
    empty = read_bundle(folder)
    (folder / "elements.jsonl").unlink()
    assert read_bundle(folder).content_hash == empty.content_hash


def test_the_real_bundles_are_read_as_their_authors_describe_them(real_data: Path) -> None:
    gold = read_bundle(real_data / "pdf_audit")
    assert (gold.counts["queries"], gold.counts["pages"], gold.counts["elements"]) == (72, 606, 294)
    assert gold.judgments["two_annotators"].frame.height == 144
    assert gold.labels["removal"].frame["remove"].sum() == 10
    with pytest.raises(BundleError):
        read_bundle(real_data / "pdf_census")
    census = read_bundle(real_data / "pdf_census", lenient=True)
    expected = json.loads((real_data / "pdf_census" / "expected.json").read_text())
    text = json.dumps(expected)
    refused = census.findings.filter(pl.col("kind").is_in(["unknown_element", "unknown_document", "missing_image"]))
    assert refused.height == 3
    assert all(key in text for key in refused.filter(pl.col("kind") != "missing_image")["row_key"])
    # Three queries have a box outside their page, each in its element row too (the README of the set).
    outside = census.findings.filter(pl.col("kind") == "box_outside_page")
    assert outside["table"].value_counts().sort("table").rows() == [("elements", 3), ("queries", 3)]


def test_hidden_files_beside_judgments_are_passed_over(tmp_path: Path) -> None:
    folder = write_bundle_folder(tmp_path / "b")
    (folder / "judgments").mkdir(exist_ok=True)
    (folder / "judgments" / "._audit.jsonl").write_bytes(b"\x00\x05\x16\x07")
    assert "._audit" not in read_bundle(folder).judgments


@pytest.mark.parametrize("units", ["pixel", "fraction"])
@pytest.mark.parametrize(
    ("box", "overhang"),
    [
        ([0, 0, 99, 200], 0),
        ([-1, 0, 5, 5], 1),
        ([0, -1, 5, 5], 1),
        ([0, 0, 101, 5], 1),
        ([0, 0, 5, 201], 1),
        ([0, -2, 5, 5], 2),
        ([0, 0, 103, 5], 3),
        ([0, 0, 5, 204], 4),
        ([-1, -2, 103, 204], 4),
    ],
)
def test_how_far_a_box_leaves_its_page_is_the_farthest_of_its_four_sides_in_pixels(
    box: list[float], overhang: float, units: str, tmp_path: Path
) -> None:
    rows = right_rows()
    rows["dataset"]["box_units"] = units
    scale = (1.0, 1.0) if units == "pixel" else (100.0, 200.0)
    for element in rows["elements"]:
        element["box"] = [0, 0, 0.5, 0.5]
    for query in rows["queries"]:
        query["evidence"] = [{"page_id": "p1"}]
    placed = [side / scale[position % 2] for position, side in enumerate(box)]
    rows["queries"][0]["evidence"] = [{"page_id": "p1", "box": placed}]
    bundle = read_bundle(write_bundle_folder(tmp_path / "b", rows, extras=False))
    assert bundle.accepted.get("clipped_boxes", 0) == (1 if overhang == 1 else 0)
    assert bundle.findings["kind"].to_list().count("box_outside_page") == (1 if overhang > 1 else 0)
