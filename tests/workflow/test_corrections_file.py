"""Corrections from a file: all or none, every fault named by file, line and field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from audit_core.corrections.records import CorrectionState
from audit_core.errors import BundleError
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.workflow.corrections import list_corrections, review
from audit_core.workflow.corrections_file import preview_file, propose_from_file
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.homes import row_counts
from tests.workflow.corrected_queries import Q1, dataset_of

REWORD = {"query_id": "q1", "action": "reword", "before": "what is one?", "after": "One?", "reason": "shorter"}
WIDER = {
    "query_id": "q1", "action": "move-box", "key": {"page_id": "p1"}, "before": Q1, "after": {**Q1, "box": [1, 2, 9, 4]}, "code": "U",
}  # fmt: skip
ADDED = {
    "query_id": "q1",
    "action": "add-box",
    "key": {"page_id": "p2"},
    "after": {"page_id": "p2", "box": [1, 2, 3, 4]},
}
DROPPED = {"query_id": "q1", "action": "drop-page", "key": {"page_id": "p1"}, "before": [{"page_id": "p1"}]}
WIDEST = {**WIDER, "after": {**Q1, "box": [1, 2, 90, 4]}}


@pytest.fixture
def ada(workspace: Workspace) -> Person:
    return sign_in(workspace, "Ada")


@pytest.fixture
def dataset(workspace: Workspace, tmp_path: Path) -> DatasetRow:
    return dataset_of(workspace, tmp_path / "bundle")


def written(folder: Path, *rows: Any) -> Path:
    """A file with these rows; a text stands as it is."""
    file = folder / "corrections.jsonl"
    lines = [each if isinstance(each, str) else json.dumps(each) for each in rows]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def test_a_file_is_proposed_and_once_only(
    workspace: Workspace, ada: Person, dataset: DatasetRow, tmp_path: Path
) -> None:
    file = written(tmp_path, REWORD, "", WIDER, {"query_id": "q2", "action": "withdraw", "code": None})
    before = row_counts(workspace)
    assert preview_file(workspace, dataset, file).added == 3
    assert row_counts(workspace) == before
    assert propose_from_file(workspace, ada, dataset, file).added == 3
    rows = [each.row for each in list_corrections(workspace, dataset.id)]
    assert [(each.change.action.value, each.code, each.reason) for each in rows] == [
        ("reword", "F", "shorter"), ("move-box", "U", ""), ("withdraw", None, ""),
    ]  # fmt: skip
    again = propose_from_file(workspace, ada, dataset, file)
    assert (again.added, again.there_already) == (0, 3)


@pytest.mark.parametrize(
    ("row", "line", "field", "says"),
    [
        ("{", 2, None, "one JSON object a line"),
        ("[1]", 2, None, "a JSON object"),
        ('{"query_id": NaN}', 2, "query_id", "found nan; expected the id of a query"),
        ({**WIDER, "after": {**Q1, "box": [1, 2, float("nan"), 4]}}, 2, "after.box", "four finite numbers"),
        ({**WIDER, "reason": 0}, 2, "reason", "text of at most"),
        ({**WIDER, "page": 1}, 2, "page", "no such field"),
        ({**WIDER, "code": "X"}, 2, "code", "one of F, E, U, N, or null"),
        ({**WIDER, "reason": 3}, 2, "reason", "text of at most"),
        ({**WIDER, "reason": "a\x00"}, 2, "reason", "without NUL"),
        ({**WIDER, "action": "burn"}, 2, "action", "one of reword, re-answer"),
        ({**WIDER, "after": {**Q1, "box": [1, 2]}}, 2, "after.box", "four numbers"),
        ({**WIDER, "after": {**Q1, "box": [1, 2, 101, 4]}}, 2, "after.box",
         "found [1.0, 2.0, 101.0, 4.0]; expected a box with a size, on its page: within 0, 0, 100, 200"),
        ({**WIDER, "before": {**Q1, "box": [1, 2, 3, 5]}}, 2, "before", "what stands there: [{'page_id': 'p1'"),
        ({**WIDER, "query_id": "q9"}, 2, "query_id", "found 'q9'; expected a query of the dataset"),
        ({**WIDER, "key": {"page_id": "p9"}, "before": {"page_id": "p9", "box": [1, 2, 3, 4]},
          "after": {"page_id": "p9", "box": [1, 2, 9, 4]}}, 2, "key.page_id", "found 'p9'; expected a page of the dataset"),
        ({**ADDED, "key": {"page_id": "p9"}, "after": {"page_id": "p9", "box": [1, 2, 3, 4]}}, 2, "key.page_id",
         "a page of the dataset"),
        ({**DROPPED, "key": {"page_id": "p9"}, "before": [{"page_id": "p9"}]}, 2, "key.page_id", "a page of the dataset"),
        ({**DROPPED, "key": {"page_id": "p1", "set_id": "zz"}, "before": [{**Q1, "set_id": "zz"}]}, 2, "key.set_id",
         "found 'zz'; expected a set of the query's evidence"),
        (DROPPED, 2, "before", "what stands there"),
        (ADDED, 2, "key.page_id", "a page that is evidence of that set ('p1'); add the page first"),
        ({**WIDER, "after": {**Q1, "document_id": "d2"}}, 2, "after.document_id", "found 'd2'; expected 'd1'"),
        ({**WIDER, "after": {**Q1, "element_id": "e9"}}, 2, "after.element_id", "found 'e9'"),
        ({**REWORD, "before": "What is it?"}, 2, "before", "what the query says: 'One?'. The correction of line 1 stands"),
        ({**REWORD, "after": " what is one? "}, 2, "after", "in blanks alone"),
        ({**WIDER, "key": {"page_id": "p1", "set": "a"}}, 2, "key.set", "no such field"),
        (REWORD, 2, None, "line 1 is the same"),
    ],
)  # fmt: skip
def test_every_fault_names_file_line_and_field_and_nothing_is_stored(
    workspace: Workspace,
    ada: Person,
    dataset: DatasetRow,
    tmp_path: Path,
    row: Any,
    line: int,
    field: str | None,
    says: str,
) -> None:
    before = row_counts(workspace)
    with pytest.raises(BundleError, match=r"nothing of it was proposed: 1 fault\.\n") as raised:
        propose_from_file(workspace, ada, dataset, written(tmp_path, REWORD, row))
    (problem,) = raised.value.problems
    assert (problem.file, problem.line, problem.field) == ("corrections.jsonl", line, field)
    assert says in str(problem)
    assert row_counts(workspace) == before


#: Whole numbers and others that no page is as large as, as they stand in a line.
HUGE = ["1" + "0" * 400, "1" + "0" * 5000, "1e400", "-1e400"]


@pytest.mark.parametrize("number", HUGE, ids=["401 digits", "5,001 digits", "1e400", "-1e400"])
def test_a_side_that_is_too_large_is_named_by_its_field_and_hides_no_other_fault(
    workspace: Workspace, ada: Person, dataset: DatasetRow, tmp_path: Path, number: str
) -> None:
    line = json.dumps({**WIDER, "after": {**Q1, "box": [1, 2, 12345, 4]}}).replace("12345", number)
    file = written(tmp_path, line, {**WIDER, "code": "X"})
    with pytest.raises(BundleError, match="2 faults") as raised:
        propose_from_file(workspace, ada, dataset, file)
    first, second = raised.value.problems
    assert (first.line, first.field, second.line, second.field) == (1, "after.box", 2, "code")
    assert first.value is not None
    assert len(first.value) <= 80
    assert first.expected == "four finite numbers, none of them larger than any page"


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ({**REWORD, "query_id": "q\ud800"}, "query_id"),
        ({**REWORD, "after": "q\udfff"}, "after"),
        ({**WIDER, "key": {"page_id": "p\ud800"}}, "key.page_id"),
        ({**WIDER, "key": {"page_id": "p1", "set_id": "\ud800"}}, "key.set_id"),
        ({**WIDER, "after": {**Q1, "element_id": "\ud800"}}, "after.element_id"),
        ({**WIDER, "after": {**Q1, "document_id": "\x00"}}, "after.document_id"),
        ({**WIDER, "before": {**Q1, "page_id": "\ud800"}}, "before.page_id"),
        ({**WIDER, "reason": "\ud800"}, "reason"),
        ({**WIDER, "code": "\ud800"}, "code"),
        ({**WIDER, "action": "\ud800"}, "action"),
        ({**WIDER, "\ud800": 1}, "'\\ud800'"),
        ({**WIDER, "after": {**Q1, "\ud800": 1}}, "after.'\\ud800'"),
        ({**WIDER, "after": {**Q1, "box": [[[[1]]], 2, 3, 4]}}, "after.box"),
        ("[" * 100_000, None),
        ('{"query_id": ' + "[" * 900 + "]" * 900 + "}", "query_id"),
    ],
)  # fmt: skip
def test_what_no_table_holds_is_refused_by_its_field_in_words_that_can_be_printed(
    workspace: Workspace, ada: Person, dataset: DatasetRow, tmp_path: Path, row: Any, field: str | None
) -> None:
    with pytest.raises(BundleError) as raised:
        propose_from_file(workspace, ada, dataset, written(tmp_path, row))
    (problem,) = raised.value.problems
    assert problem.field == field
    assert str(raised.value).encode("utf-8")


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (json.dumps(REWORD)[:-1] + ', "code": "F", "code": "E"}', "code"),
        (json.dumps(WIDER).replace('"kind": "Text"', '"kind": "Text", "kind": "Table"'), "kind"),
    ],
)
def test_a_name_that_stands_twice_on_a_line_is_refused(
    workspace: Workspace, ada: Person, dataset: DatasetRow, tmp_path: Path, line: str, name: str
) -> None:
    with pytest.raises(BundleError, match=f"line 1, field {name}; expected each name once in an object"):
        propose_from_file(workspace, ada, dataset, written(tmp_path, line))


def test_a_correction_in_the_way_that_is_accepted_is_named_by_its_number(
    workspace: Workspace, ada: Person, dataset: DatasetRow, tmp_path: Path
) -> None:
    propose_from_file(workspace, ada, dataset, written(tmp_path, WIDER))
    review(workspace, ada, [1], CorrectionState.ACCEPTED)
    with pytest.raises(BundleError, match=r"field before.*The correction 1, which is accepted, stands in its way"):
        propose_from_file(workspace, ada, dataset, written(tmp_path, WIDEST))


def test_two_corrections_of_one_box_in_a_file_name_one_another_by_line(
    workspace: Workspace, ada: Person, dataset: DatasetRow, tmp_path: Path
) -> None:
    with pytest.raises(BundleError, match=r"line 3.*The correction of line 2 stands in its way"):
        propose_from_file(workspace, ada, dataset, written(tmp_path, REWORD, WIDER, WIDEST))


@pytest.mark.parametrize(
    ("content", "says"), [(b"\n\n", "holds no correction"), (b'{"a": 1}\n\xff\n', "line 2 is not UTF-8")]
)
def test_a_file_without_corrections_or_in_another_encoding_is_refused(
    workspace: Workspace, ada: Person, dataset: DatasetRow, tmp_path: Path, content: bytes, says: str
) -> None:
    file = tmp_path / "corrections.jsonl"
    file.write_bytes(content)
    with pytest.raises(BundleError, match=says):
        propose_from_file(workspace, ada, dataset, file)
