"""The proof of a release: what it accepts, and that one changed byte anywhere else is found and named."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from audit_core.corrections.records import Action, Change
from audit_core.errors import BundleError, CorrectionStale, LedgerError
from audit_core.release.ledger_reading import read_ledger
from audit_core.release.ledger_rows import chain_value
from tests.homes import content
from tests.importers.small_bundle import write_lines
from tests.release.made_release import Made, correction, generated_bundle, made_release, revision_of, some_corrections

QUERIES = 200
CORRECTIONS = 64


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A release of corrections of every action."""
    folder = tmp_path_factory.mktemp("release")
    old = generated_bundle(folder / "old", QUERIES)
    corrections = some_corrections(revision_of(old, folder / "datasets"), CORRECTIONS)
    return made_release(folder, old, corrections)


@pytest.fixture
def made(whole: Made, tmp_path: Path) -> Made:
    """A copy of it to spoil."""
    for name in ("old", "new"):
        shutil.copytree(getattr(whole, name), tmp_path / name)
    shutil.copy(whole.ledger, tmp_path / "ledger.jsonl")
    return Made(tmp_path / "old", tmp_path / "ledger.jsonl", tmp_path / "new", whole.corrected)


def rows_in(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def rewrite(path: Path, change: Callable[[list[dict[str, Any]]], object]) -> None:
    rows = rows_in(path)
    change(rows)
    write_lines(path, rows)


def rechained(rows: list[dict[str, Any]]) -> None:
    """Number and chain the rows of a ledger as if they had been made so."""
    chain = ""
    for number, row in enumerate(rows, start=1):
        row |= {"row": number, "rows": len(rows)}
        chain = row["chain"] = chain_value(chain, row)


def differences(made: Made) -> list[str]:
    found = made.verify()
    assert not found.is_proved
    return [str(each) for each in found.differences]


def test_two_thousand_corrections_are_released_and_verified(tmp_path: Path) -> None:
    old = generated_bundle(tmp_path / "old", 4_000)
    corrections = some_corrections(revision_of(old, tmp_path / "datasets"), 2_000)
    made = made_release(tmp_path, old, corrections, form="parquet")
    found = made.verify()
    assert found.differences == ()
    assert found.is_proved
    by_action = Counter(each.change.action.value for each in corrections)
    assert {name: found.actions[name] for name in by_action} == dict(by_action)
    assert set(by_action) == {each.value for each in Action}
    assert found.actions["structure"] == sum(each.action == "structure" for each in made.corrected.rows) > 100
    assert found.counts["withdrawn"] == by_action["withdraw"]
    assert found.counts["changed"] == 2_000 - by_action["withdraw"]
    assert found.counts["queries"] == 4_000 - by_action["withdraw"]
    assert (found.counts["runs"], found.counts["embeddings"], found.counts["media"]) == (2, 1, 10)


def test_an_untouched_release_is_proved(made: Made) -> None:
    assert (
        made.verify().sentences()[-1] == "Proved: NEW is OLD with the changes of the ledger, and nothing else differs."
    )


def test_rows_of_withdrawn_and_reworded_queries_are_gone_from_runs_and_embeddings(made: Made) -> None:
    gone = {each.query_id for each in made.corrected.rows if each.action in ("withdraw", "reword")}
    for name in ("embeddings/model.ids.txt", "runs/bm25.trec"):
        before = {line.split()[0] for line in (made.old / name).read_text().splitlines()}
        after = {line.split()[0] for line in (made.new / name).read_text().splitlines()}
        assert before - after == gone
    assert set(pl.read_parquet(made.new / "runs" / "dense.parquet")["query_id"]) & gone == set()


def test_a_reordered_row_is_fine_and_said(made: Made) -> None:
    rewrite(made.new / "queries.jsonl", lambda rows: rows.reverse())
    rewrite(made.new / "pages.jsonl", lambda rows: rows.insert(0, rows.pop(5)))
    lines = (made.new / "runs" / "bm25.trec").read_text().splitlines(keepends=True)
    (made.new / "runs" / "bm25.trec").write_text("".join([*lines[3:], *lines[:3]]))
    found = made.verify()
    assert found.differences == ()
    said = [each.partition(":")[0] for each in found.notes if "another order" in each]
    assert said == ["pages.jsonl", "queries.jsonl", "runs/bm25.trec"]


def change_field(table: str, at: int, name: str, value: object) -> Callable[[Path], None]:
    return lambda new: rewrite(new / f"{table}.jsonl", lambda rows: rows[at].update({name: value}))


def change_evidence(new: Path) -> None:
    def changed(rows: list[dict[str, Any]]) -> None:
        row = next(each for each in rows if each["query_id"] == "q0")
        row["evidence"][0]["kind"] = "Table"

    rewrite(new / "queries.jsonl", changed)


def change_run_line(new: Path) -> None:
    text = (new / "runs" / "bm25.trec").read_text()
    (new / "runs" / "bm25.trec").write_text(text.replace(" 1 10.0 bm25", " 1 10.5 bm25", 1))


def change_run_tag(new: Path) -> None:
    text = (new / "runs" / "bm25.trec").read_text()
    (new / "runs" / "bm25.trec").write_text(text.replace(" bm25\n", " bm26\n", 1))


def change_parquet_run(new: Path) -> None:
    frame = pl.read_parquet(new / "runs" / "dense.parquet")
    score = frame["score"].to_list()
    score[4] += 0.125
    frame.with_columns(score=pl.Series(score)).write_parquet(new / "runs" / "dense.parquet")


def change_vector(new: Path) -> None:
    matrix = np.load(new / "embeddings" / "model.npy")
    matrix[2, 1] = np.nextafter(matrix[2, 1], np.float32(9))
    np.save(new / "embeddings" / "model.npy", matrix)


def drop_row(table: str) -> Callable[[Path], None]:
    return lambda new: rewrite(new / f"{table}.jsonl", lambda rows: rows.pop(-1))


def forget_query(new: Path) -> None:
    """Take q199 out of everything, as if it had been withdrawn."""
    drop_row("queries")(new)
    text = (new / "runs" / "bm25.trec").read_text()
    (new / "runs" / "bm25.trec").write_text(
        "".join(each for each in text.splitlines(keepends=True) if not each.startswith("q199 "))
    )
    run = pl.read_parquet(new / "runs" / "dense.parquet")
    run.filter(pl.col("query_id") != "q199").write_parquet(new / "runs" / "dense.parquet")
    ids = (new / "embeddings" / "model.ids.txt").read_text().split()
    matrix = np.load(new / "embeddings" / "model.npy")
    np.save(new / "embeddings" / "model.npy", matrix[[each != "q199" for each in ids]])
    (new / "embeddings" / "model.ids.txt").write_text("".join(f"{each}\n" for each in ids if each != "q199"))


def double_row(new: Path) -> None:
    rewrite(new / "elements.jsonl", lambda rows: rows.append(rows[0]))


def add_labels(change: dict[str, Any]) -> Callable[[Path], None]:
    """Put the labels of OLD into NEW, without those of withdrawn and reworded queries, with one changed."""

    def spoil(new: Path) -> None:
        rows = rows_in(new.parent / "old" / "labels" / "gold.jsonl")
        gone = {
            each["query_id"]
            for each in rows_in(new.parent / "ledger.jsonl")
            if each["action"] in ("withdraw", "reword")
        }
        kept = [each for each in rows if each["query_id"] not in gone]
        assert len(kept) < len(rows)
        kept[1].update(change)
        (new / "labels").mkdir()
        write_lines(new / "labels" / "gold.jsonl", kept)

    return spoil


def swap_evidence(new: Path) -> None:
    """Exchange two whole pages of evidence of a query that the ledger does not change."""

    def swap(rows: list[dict[str, Any]]) -> None:
        touched = {each["query_id"] for each in rows_in(new.parent / "ledger.jsonl")}
        row = next(
            each
            for each in rows
            if each["query_id"] not in touched
            and [set(one) for one in each["evidence"]] == 2 * [{"page_id", "document_id"}]
        )
        row["evidence"].reverse()

    rewrite(new / "queries.jsonl", swap)


def nudge_off_the_page(new: Path) -> None:
    rewrite(new / "elements.jsonl", lambda rows: rows[0].update({"box": [-0.5, 2.0, 30.0, 40.0]}))


@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        (change_field("documents", 3, "title", "Title 3."),
         r"^documents\.jsonl, row 4 \(document_id 'd3'\), field title: found 'Title 3\.'; expected 'Title 3'$"),
        (change_field("pages", 0, "printed_label", "i"), r"^pages\.jsonl, row 1 \(page_id 'd0p0'\), field printed_label: found 'i'; expected '1'$"),
        (change_field("pages", 1, "width", 100.5), r"^pages\.jsonl, row 2 .*field width: found 100\.5; expected 100\.0$"),
        (change_field("elements", 1, "text", "Element 2 of document 0."), r"^elements\.jsonl, row 2 .*element_id 'd0e1'.*field text"),
        (change_field("elements", 1, "box", [1, 2, 30, 41]), r"^elements\.jsonl, row 2 .*field box\[3\]: found 41\.0; expected 40\.0$"),
        (change_field("queries", 0, "domain", "y"), r"^queries\.jsonl, row 1 \(query_id 'q0'\), field domain: found 'y'; expected 'x'$"),
        (change_field("queries", 0, "text", "What does line 0 of the register say? "), r"^queries\.jsonl, row 1 \(query_id 'q0'\), field text"),
        (change_field("queries", 1, "configured_pages", ["d0p0"]),
         r"^queries\.jsonl, row 2 .*field configured_pages: found \['d0p0'\]; expected nothing$"),
        (change_evidence, r"^queries\.jsonl, row 1 \(query_id 'q0'\), field evidence\[0\]\.kind: found 'Table'"),
        (change_run_line, r"^runs/bm25\.trec, row \d+ \(query_id '\w+', page_id '\w+'\), field score: found 10\.5; expected 10\.0$"),
        (change_run_tag, r"^runs/bm25\.trec, row 1: found b'.*bm26\\n'; expected b'.*bm25\\n' \(the same page, rank and score, spelled otherwise\)$"),
        (change_parquet_run, r"^runs/dense\.parquet, row 5 \(query_id .*field score"),
        (change_vector, r"^embeddings/model\.npy, row 3 \(query_id '\w+'\), field \[1\]: found"),
        (drop_row("elements"), r"^elements\.jsonl \(document_id 'd\d+', element_id 'd\d+e11'\): the row is missing$"),
        (double_row, r"^NEW: rows of elements that stand twice: 1, and not so many in OLD$"),
        (nudge_off_the_page, r"^NEW: boxes that leave their page by up to a pixel and are read as cut off at its edge: 1, and not so many in OLD$"),
        (change_field("queries", 0, "colour", "blue"), r"^NEW: queries\.jsonl: `colour` is not part of the format and is left out"),
        (add_labels({"remove": True}), r"^labels/gold, row 2 \(query_id '\w+', annotator 'Zoe'\), field remove: found True; expected False$"),
        (lambda new: (new / "images" / "i3.png").write_bytes(b"image 4"), r"^images/i3\.png: the page file has other bytes than in OLD$"),
        (lambda new: shutil.copy(new / "runs" / "bm25.trec", new / "runs" / "other.trec"), r"^runs/other\.trec: OLD has no run other"),
        (lambda new: (new / "runs" / "dense.parquet").unlink(),
         r"^runs/dense\.parquet: the run is missing; \d+ of its rows are of queries that kept theirs$"),
    ],
)  # fmt: skip
def test_one_change_elsewhere_fails_and_is_named(made: Made, spoil: Callable[[Path], object], named: str) -> None:
    spoil(made.new)
    found = differences(made)
    assert len(found) == 1
    assert re.search(named, found[0]), found[0]


def test_a_query_that_is_withdrawn_without_a_row_of_the_ledger_is_found_everywhere(made: Made) -> None:
    forget_query(made.new)
    found = differences(made)
    assert found[0] == "queries.jsonl (query_id 'q199'): the row is missing"
    assert {each.partition(" (")[0] for each in found} == {
        "queries.jsonl", "runs/bm25.trec", "runs/dense.parquet", "embeddings/model.ids.txt",
    }  # fmt: skip


def test_a_bundle_whose_references_lead_nowhere_is_refused_with_file_line_and_field(made: Made) -> None:
    drop_row("queries")(made.new)
    with pytest.raises(
        BundleError, match=r"runs/bm25\.trec, line 550, field query_id: found \"q199\"; expected a query_id"
    ):
        made.verify()


@pytest.mark.parametrize(
    ("name", "value"),
    [("license", "MIT"), ("sources", ["law", "wiki"]), ("name", "mode")],
)
def test_another_declaration_fails_and_is_named(made: Made, name: str, value: object) -> None:
    info = json.loads((made.new / "dataset.json").read_text())
    (made.new / "dataset.json").write_text(json.dumps({**info, name: value}))
    assert any(each.startswith(f"dataset.json, field {name}: found") for each in differences(made))


def test_a_change_that_the_ledger_does_not_have_fails_in_a_query_that_it_changes(made: Made) -> None:
    row = next(each for each in made.corrected.rows if each.action == "move-box")

    def change(rows: list[dict[str, Any]]) -> None:
        query = next(each for each in rows if each["query_id"] == row.query_id)
        query["text"] += "!"

    rewrite(made.new / "queries.jsonl", change)
    assert differences(made)[0].partition(": ")[0].endswith(f"(query_id '{row.query_id}'), field text")


def test_old_of_other_content_is_refused_by_its_hash(made: Made) -> None:
    change_field("documents", 0, "title", "Another")(made.old)
    change_field("documents", 0, "title", "Another")(made.new)
    assert differences(made)[0].startswith("OLD: its content hash is ")


# A ledger that was tampered with.


def test_a_ledger_row_that_was_taken_out_is_named(made: Made) -> None:
    row = rows_in(made.ledger)[9]
    rewrite(made.ledger, lambda rows: rows.pop(9))
    found = differences(made)
    assert f"ledger.jsonl: row 10 of {row['rows']} is missing" in found
    assert any(f"query_id '{row['query_id']}'" in each for each in found if each.startswith("queries.jsonl"))


def test_the_last_row_that_was_taken_out_is_named(made: Made) -> None:
    count = len(rows_in(made.ledger))
    rewrite(made.ledger, lambda rows: rows.pop())
    assert f"ledger.jsonl: row {count} of {count} is missing" in differences(made)


@pytest.mark.parametrize(
    ("name", "value"), [("reason", "because"), ("author", "annotator-zz99"), ("code", "N"), ("agreeing", None)]
)
def test_a_ledger_row_that_was_changed_is_named_even_where_the_rebuilt_query_is_the_same(
    made: Made, name: str, value: object
) -> None:
    row = next(each for each in rows_in(made.ledger) if each["action"] == "reword")
    rewrite(made.ledger, lambda rows: rows[row["row"] - 1].update({name: value}))
    assert differences(made) == [
        f"ledger.jsonl: line {row['row']}: row {row['row']} (change {row['id']} of query '{row['query_id']}') was changed: its chain does not fit"
    ]


def test_a_ledger_row_that_was_doubled_is_named(made: Made) -> None:
    rewrite(made.ledger, lambda rows: rows.insert(4, rows[3]))
    assert differences(made)[0] == "ledger.jsonl: line 5: row 4 stands there already, in line 4"


def test_ledger_rows_of_one_query_that_were_reordered_are_named(tmp_path: Path) -> None:
    old = generated_bundle(tmp_path / "old", 40)
    texts = ("What does line 0 of the register say?", "Second wording?", "Third wording?")
    changes = [Change("q0", Action.REWORD, {}, one, other) for one, other in pairwise(texts)]
    made = made_release(tmp_path, old, [correction(each, n) for n, each in enumerate(changes, start=1)])
    assert made.verify().is_proved
    rewrite(made.ledger, lambda rows: rows.reverse())
    found = differences(made)
    assert "ledger.jsonl: line 2: row 1 (change 1.1 of query 'q0') stands after row 2: the rows were reordered" in found
    # Numbered and chained anew, it is found by what its rows do.
    rewrite(made.ledger, rechained)
    assert any("rows 1, 2: The correction reword of query 'q0' cannot be applied" in each for each in differences(made))


def test_a_forged_ledger_that_is_chained_anew_is_found_by_what_it_does_not_explain(made: Made) -> None:
    row = next(each for each in rows_in(made.ledger) if each["action"] == "reword")

    def forge(rows: list[dict[str, Any]]) -> None:
        rows[row["row"] - 1]["after"] = "Forged?"
        rechained(rows)

    rewrite(made.ledger, forge)
    found = differences(made)
    assert len(found) == 1
    assert f"query_id '{row['query_id']}'), field text: found '{row['after']}'; expected 'Forged?'" in found[0]


def test_a_structure_that_the_evidence_does_not_give_is_found(made: Made) -> None:
    row = next(each for each in rows_in(made.ledger) if each["action"] == "structure")

    def forge(rows: list[dict[str, Any]]) -> None:
        rows[row["row"] - 1]["after"] = "Cross-Doc"
        rechained(rows)

    rewrite(made.ledger, forge)
    assert (
        f"the structure of query '{row['query_id']}' is recomputed as from {row['before']} to {row['after']}"
        in differences(made)[0]
    )


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda rows: rows[2].pop("target"), "line 3, field target; expected one of query, answer, row, structure, evidence (the field is missing)"),
        (lambda rows: rows[0].update(action="erase"), 'line 1, field action: found "erase"; expected one of reword'),
        (lambda rows: rows[0].update(extra=1), "line 1, field extra; expected no such field"),
        (lambda rows: rows[1]["dataset"].update(hash="0" * 64), "line 2, field dataset"),
        (lambda rows: rows[1].update(row="2"), 'line 2, field row: found "2"; expected the number of the row, from 1'),
        (lambda rows: rows[1].update(key={"page": 1}), "line 2, field key"),
        (lambda rows: rows[1].update(status="derived"), "line 2, field status"),
    ],
)  # fmt: skip
def test_a_malformed_ledger_is_refused_by_line_and_field(
    made: Made, spoil: Callable[[list[dict[str, Any]]], object], words: str
) -> None:
    rewrite(made.ledger, spoil)
    with pytest.raises(LedgerError) as refused:
        read_ledger(made.ledger)
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("data", "words"),
    [(b"", "has no row"), (b"not json\n", "line 1; expected one JSON object a line"), (b"[1]\n", "found [1]"),
     (b'{"a": 1, "a": 2}\n', "stands twice"), (b'{"a": NaN}\n', "NaN is no JSON"), (b"\xff\n", "line 1")],
)  # fmt: skip
def test_a_file_that_is_no_ledger_is_refused(tmp_path: Path, data: bytes, words: str) -> None:
    (tmp_path / "ledger.jsonl").write_bytes(data)
    with pytest.raises(LedgerError) as refused:
        read_ledger(tmp_path / "ledger.jsonl")
    assert words in str(refused.value)


# Single corrections.


def test_a_correction_that_empties_the_evidence_keeps_the_query_and_its_structure(tmp_path: Path) -> None:
    old = generated_bundle(tmp_path / "old", 40)
    query = next(each for each in rows_in(old / "queries.jsonl") if len(each["evidence"]) == 1)
    piece = query["evidence"][0]
    change = Change(query["query_id"], Action.DROP_PAGE, {"page_id": piece["page_id"], "set_id": None}, [piece], None)
    made = made_release(tmp_path, old, [correction(change, 1)])
    after = next(each for each in rows_in(made.new / "queries.jsonl") if each["query_id"] == query["query_id"])
    assert after["evidence"] == []
    assert after["evidence_structure"] == query["evidence_structure"]
    assert made.verify().is_proved


def test_a_withdrawn_query_that_another_correction_edits_is_refused_and_named(tmp_path: Path) -> None:
    old = generated_bundle(tmp_path / "old", 40)
    withdraw = Change("q0", Action.WITHDRAW, {}, None, None)
    reword = Change("q0", Action.REWORD, {}, "What does line 0 of the register say?", "Another?")
    with pytest.raises(CorrectionStale, match=r"the query is withdrawn.*corrections 1, 2"):
        made_release(tmp_path, old, [correction(withdraw, 1), correction(reword, 2)])


def test_two_corrections_of_one_box_are_refused_where_the_second_expects_the_first_box(tmp_path: Path) -> None:
    old = generated_bundle(tmp_path / "old", 40)
    query = next(each for each in rows_in(old / "queries.jsonl") if "box" in each["evidence"][0])
    piece = query["evidence"][0]
    key = {"page_id": piece["page_id"], "set_id": None}
    moves = [Change(query["query_id"], Action.MOVE_BOX, key, piece, {**piece, "box": [n, 2, 30, 40]}) for n in (3, 4)]
    with pytest.raises(CorrectionStale, match=r"as it expects it, is not there"):
        made_release(tmp_path, old, [correction(each, n) for n, each in enumerate(moves, start=1)])


def test_a_declared_structure_that_was_never_the_evidences_becomes_it_with_a_row_that_says_so(tmp_path: Path) -> None:
    old = generated_bundle(tmp_path / "old", 40)
    rewrite(old / "queries.jsonl", lambda rows: rows[0].update(evidence_structure="Cross-Doc"))
    piece = rows_in(old / "queries.jsonl")[0]["evidence"][0]
    key = {"page_id": piece["page_id"], "set_id": None}
    action = Action.MOVE_BOX if "box" in piece else Action.ADD_BOX
    change = Change("q0", action, key, piece, {**piece, "box": [5.0, 6.0, 7.0, 8.0]})
    made = made_release(tmp_path, old, [correction(change, 1)])
    assert [(each.action, each.status) for each in made.corrected.rows] == [
        (action, "accepted"),
        ("structure", "derived"),
    ]
    assert made.corrected.rows[1].before == "Cross-Doc"
    assert made.verify().is_proved


def test_a_reworded_query_keeps_a_declared_structure_that_was_never_its_evidences(tmp_path: Path) -> None:
    old = generated_bundle(tmp_path / "old", 40)
    rewrite(old / "queries.jsonl", lambda rows: rows[0].update(evidence_structure="Cross-Doc"))
    change = Change("q0", Action.REWORD, {}, "What does line 0 of the register say?", "Another?")
    made = made_release(tmp_path, old, [correction(change, 1)])
    assert [each.action for each in made.corrected.rows] == ["reword"]
    assert made.verify().is_proved


def test_a_ledger_of_ids_and_codes_proves_as_much_and_holds_no_text(tmp_path: Path) -> None:
    old = generated_bundle(tmp_path / "old", QUERIES)
    corrections = some_corrections(revision_of(old, tmp_path / "datasets"), CORRECTIONS)
    made = made_release(tmp_path, old, corrections, ids_only=True)
    assert made.verify().is_proved
    text = made.ledger.read_text(encoding="utf-8")
    assert not [
        each for each in rows_in(old / "queries.jsonl") if each["text"] in text or each.get("answer", "\0") in text
    ]
    row = next(each for each in made.corrected.rows if each.action == "reword")

    def change(rows: list[dict[str, Any]]) -> None:
        next(each for each in rows if each["query_id"] == row.query_id)["text"] += "!"

    rewrite(made.new / "queries.jsonl", change)
    assert f"query_id '{row.query_id}'), field text: found 'sha256:" in differences(made)[0]


def test_the_same_corrections_make_the_same_bytes(made: Made, whole: Made, tmp_path: Path) -> None:
    corrections = some_corrections(revision_of(made.old, tmp_path / "datasets"), CORRECTIONS)
    again = made_release(tmp_path / "again", made.old, corrections)
    assert again.ledger.read_bytes() == whole.ledger.read_bytes()
    assert content(again.new) == content(whole.new)


def test_the_order_of_the_evidence_of_a_query_counts(made: Made) -> None:
    swap_evidence(made.new)
    found = differences(made)
    assert [re.sub(r".*field (.*?):.*", r"\1", each) for each in found] == [
        "evidence[0].page_id",
        "evidence[1].page_id",
    ]


def test_labels_that_came_along_are_compared_and_those_left_out_are_said(made: Made) -> None:
    assert "NEW leaves out what people said of OLD: labels/gold." in made.verify().notes
    add_labels({})(made.new)
    found = made.verify()
    assert found.differences == ()
    assert not any("leaves out" in each for each in found.notes)


def test_a_lenient_dataset_is_proved_leniently_and_what_leads_nowhere_is_said(tmp_path: Path) -> None:
    old = generated_bundle(tmp_path / "old", 40)
    rewrite(old / "queries.jsonl", lambda rows: rows[1]["evidence"].append({"page_id": "nowhere"}))
    (old / "images" / "i9.png").unlink()
    change = Change("q0", Action.REWORD, {}, "What does line 0 of the register say?", "Another?")
    with pytest.raises(BundleError):
        made_release(tmp_path / "strict", old, [correction(change, 1)])
    made = made_release(tmp_path, old, [correction(change, 1)], lenient=True)
    found = made.verify(lenient=True)
    assert found.differences == ()
    assert "1 piece of evidence of another query leads nowhere, as in OLD (a lenient import)." in found.notes
