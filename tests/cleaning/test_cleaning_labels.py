"""Labels: several to one, left out and why, from files whose faults are named."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import polars as pl
import pytest

from audit_core.domain import IssueCode
from audit_core.errors import CleaningError
from audit_core.statistics.intervals import wilson
from cleaning.labels import (
    CANNOT_JUDGE,
    MINIMUM_LABELS,
    TIE,
    GivenLabel,
    check_enough,
    reconcile,
    removal_from_codes,
)
from cleaning.labels_file import labels_from_file


def _label(query: str, remove: bool | None, annotator: str | None = None, **more: object) -> GivenLabel:
    return GivenLabel(query, remove, annotator, **more)  # type: ignore[arg-type]


def test_an_adjudicated_decision_stands_above_the_majority() -> None:
    labels = reconcile(
        [
            _label("q1", True, "a"),
            _label("q1", True, "b"),
            _label("q1", False, adjudicated=True),
            _label("q2", True, "a"),
            _label("q2", False, "b"),
            _label("q2", True, "c"),
        ]
    )
    assert dict(zip(labels.query_ids, labels.remove, strict=True)) == {"q1": False, "q2": True}
    assert (labels.positives, len(labels)) == (1, 2)


def test_ties_and_queries_that_nobody_could_judge_are_left_out_and_listed() -> None:
    labels = reconcile(
        [
            _label("tied", True, "a"),
            _label("tied", False, "b"),
            _label("dark", None, "a"),
            _label("dark", None, "b"),
            _label("half", None, "a"),
            _label("half", True, "b"),
            _label("shut", True, "a"),
            _label("shut", None, adjudicated=True),
        ]
    )
    assert labels.query_ids == ("half",)
    assert labels.left_out == {CANNOT_JUDGE: ("dark", "shut"), TIE: ("tied",)}


def test_labels_for_unknown_queries_are_listed() -> None:
    labels = reconcile([_label("q1", True), _label("запит", True), _label("gone", False)], known=["q1", "q2"])
    assert labels.query_ids == ("q1",)
    assert labels.unknown == ("gone", "запит")


def test_an_annotator_who_contradicts_herself_is_named_with_the_query_and_the_places() -> None:
    with pytest.raises(CleaningError) as caught:
        reconcile(
            [
                _label("q1", True, "ann", where="labels.csv, line 2"),
                _label("q1", False, "ann", where="labels.csv, line 9"),
                _label("q2", True),
                _label("q2", False),
                _label("q3", True, "ann"),
                _label("q3", False, "ben"),
            ]
        )
    message = str(caught.value)
    assert message.startswith("2 queries have labels that contradict each other")
    assert "'q1' by annotator 'ann' (labels.csv, line 2 and labels.csv, line 9)" in message
    assert "'q2' by the same source" in message
    assert "q3" not in message


def test_two_adjudicated_decisions_that_differ_are_refused() -> None:
    with pytest.raises(CleaningError, match="'q' by the adjudication"):
        reconcile([_label("q", True, "a", adjudicated=True), _label("q", False, "b", adjudicated=True)])


def test_the_same_label_once_more_counts_once() -> None:
    labels = reconcile([_label("q", True, "a"), _label("q", True, "a"), _label("q", True, "b")])
    assert labels.repeated == 1
    assert labels.remove == (True,)


def test_a_label_said_twice_by_one_does_not_outvote_another() -> None:
    labels = reconcile([_label("q", True, "a"), _label("q", True, "a"), _label("q", False, "b")])
    assert labels.left_out == {TIE: ("q",)}


def test_selection_probabilities_are_kept_only_if_every_label_has_one() -> None:
    both = [_label("a", True, probability=0.5), _label("b", False, probability=0.25)]
    assert reconcile(both).probabilities == (0.5, 0.25)
    assert reconcile([*both, _label("c", True)]).probabilities is None
    with pytest.raises(CleaningError, match="must lie in"):
        reconcile([_label("a", True, probability=0.0)])
    with pytest.raises(CleaningError, match=r"different selection probabilities: 0\.1, 0\.2"):
        reconcile([_label("a", True, "x", probability=0.1), _label("a", True, "y", probability=0.2)])


def test_the_hash_is_of_the_content_and_not_of_names_or_order() -> None:
    one = reconcile([_label("a", True), _label("ü", False)], name="one")
    other = reconcile([_label("ü", False, "x"), _label("a", True, "x")], name="other")
    changed = reconcile([_label("a", True), _label("ü", True)])
    assert one.content_hash == other.content_hash != changed.content_hash


def test_f_and_n_mean_removal_unless_others_are_chosen() -> None:
    codes = {code: removal_from_codes([code]) for code in IssueCode}
    assert codes == {IssueCode.F: True, IssueCode.E: False, IssueCode.U: False, IssueCode.N: True}
    assert removal_from_codes([]) is False
    assert removal_from_codes([IssueCode.E, IssueCode.F]) is True
    assert removal_from_codes([IssueCode.E], remove_codes=[IssueCode.E]) is True
    with pytest.raises(CleaningError, match="No audit code"):
        removal_from_codes([IssueCode.F], remove_codes=[])


def test_the_minimum_is_where_the_interval_of_one_half_reaches_seventeen_points() -> None:
    def reach(n: int) -> float:
        interval = wilson(n // 2, n)
        assert interval.low is not None
        return n // 2 / n - interval.low

    assert reach(MINIMUM_LABELS) <= 0.17 < reach(MINIMUM_LABELS - 2)


def test_labels_on_enough_documents_of_either_kind_pass_and_others_are_refused() -> None:
    remove = [row < 5 for row in range(50)]
    check_enough(remove, list(range(50)), parts=5)
    with pytest.raises(CleaningError, match=r"5 queries to remove stand on 4 separable documents.*At most 4 folds"):
        check_enough(remove, [0, 0, *range(2, 50)], parts=5)
    with pytest.raises(CleaningError, match=r"45 queries to keep stand on 1 separable document,.*No split"):
        check_enough(remove, [min(row, 5) for row in range(50)], parts=5)


ROWS = [("q1", True, "ann"), ("q2", False, "ben"), ("запит", True, None)]


def _write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_the_three_formats_say_the_same(tmp_path: Path) -> None:
    lines = [json.dumps({"query_id": query, "remove": remove, "annotator": who}) for query, remove, who in ROWS]
    _write(tmp_path / "labels.jsonl", "\n".join(lines) + "\n\n")
    with (tmp_path / "labels.csv").open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["note", "query_id", "remove", "annotator"])
        writer.writerows([("a\nb", query, "Remove" if remove else "0", who) for query, remove, who in ROWS])
    pl.DataFrame(ROWS, schema=["query_id", "remove", "annotator"], orient="row").write_parquet(
        tmp_path / "labels.parquet"
    )
    for ending in ("jsonl", "csv", "parquet"):
        labels = labels_from_file(tmp_path / f"labels.{ending}")
        assert [(each.query_id, each.remove, each.annotator) for each in labels] == ROWS


def test_faults_name_file_line_and_field(tmp_path: Path) -> None:
    text = '{"query_id": "q1", "remove": "maybe"}\n{"query_id": "", "remove": 1}\n{"query_id": "q3"}\n[1]\nnot json\n'
    with pytest.raises(CleaningError) as caught:
        labels_from_file(_write(tmp_path / "labels.jsonl", text))
    lines = str(caught.value).splitlines()
    assert lines[0] == "labels.jsonl was refused, 5 fault(s):"
    assert "labels.jsonl, line 4: found [1]; expected a JSON object" in lines
    assert "labels.jsonl, line 1, field remove: found 'maybe'; expected true, false, 1, 0, remove or keep" in lines
    assert "labels.jsonl, line 2, field query_id: found ''; expected the id of a query, as text" in lines
    assert "labels.jsonl, line 3, field remove: found nothing; expected true, false, 1, 0, remove or keep" in lines
    assert "labels.jsonl, line 5: found not json; expected a JSON object" in lines


def test_a_csv_without_its_columns_or_with_a_short_row_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CleaningError, match="line 1, field remove: found query_id, label"):
        labels_from_file(_write(tmp_path / "a.csv", "query_id,label\nq1,1\n"))
    with pytest.raises(CleaningError, match="line 3, field remove: found nothing"):
        labels_from_file(_write(tmp_path / "b.csv", "query_id,remove\nq1,1\nq2\n"))
    with pytest.raises(CleaningError, match="line 2, field probability: found '2'"):
        labels_from_file(_write(tmp_path / "c.csv", "query_id,remove,probability\nq1,1,2\n"))
    with pytest.raises(CleaningError, match="line 2, field probability: found 'often'"):
        labels_from_file(_write(tmp_path / "f.csv", "query_id,remove,probability\nq1,1,often\n"))
    with pytest.raises(CleaningError, match="line 1, field annotator: found 7"):
        labels_from_file(_write(tmp_path / "g.jsonl", '{"query_id": "q", "remove": 1, "annotator": 7}\n'))
    with pytest.raises(CleaningError, match="field probability: found True"):
        labels_from_file(_write(tmp_path / "h.jsonl", '{"query_id": "q", "remove": 1, "probability": true}\n'))
    with pytest.raises(CleaningError, match="well-formed CSV"):
        labels_from_file(_write(tmp_path / "d.csv", 'query_id,remove\n"q1,1\n'))
    with pytest.raises(CleaningError, match="holds no labels"):
        labels_from_file(_write(tmp_path / "e.csv", "query_id,remove\n"))


def test_probabilities_are_read(tmp_path: Path) -> None:
    (label,) = labels_from_file(_write(tmp_path / "a.csv", "query_id,remove,probability\nq1,keep,0.25\n"))
    assert (label.remove, label.probability, label.where) == (False, 0.25, "a.csv, line 2")


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CleaningError, match=r"must end in \.jsonl"):
        labels_from_file(tmp_path / "labels.txt")
    for ending in ("jsonl", "csv", "parquet"):
        with pytest.raises(CleaningError, match=f"gone.{ending} cannot be read"):
            labels_from_file(tmp_path / f"gone.{ending}")
    (tmp_path / "latin.csv").write_bytes(b"query_id,remove\nq\xe9,1\n")
    with pytest.raises(CleaningError, match="not UTF-8: byte 17"):
        labels_from_file(tmp_path / "latin.csv")
    with pytest.raises(CleaningError, match="cannot be read as Parquet"):
        labels_from_file(_write(tmp_path / "text.parquet", "no parquet"))
    pl.DataFrame({"query_id": ["a"]}).write_parquet(tmp_path / "half.parquet")
    with pytest.raises(CleaningError, match="field remove: found query_id"):
        labels_from_file(tmp_path / "half.parquet")
