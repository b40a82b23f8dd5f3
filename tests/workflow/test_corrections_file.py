"""Corrections from a file: all or none, every fault named by file, line and field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from audit_core.errors import BundleError
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.workflow.corrections import list_corrections
from audit_core.workflow.corrections_file import preview_file, propose_from_file
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.homes import row_counts
from tests.workflow.corrected_queries import Q1, dataset_of

REWORD = {"query_id": "q1", "action": "reword", "before": "what is one?", "after": "One?", "reason": "shorter"}
WIDER = {
    "query_id": "q1", "action": "move-box", "key": {"page_id": "p1"}, "before": Q1, "after": {**Q1, "box": [1, 2, 9, 4]}, "code": "U",
}  # fmt: skip
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
        ('{"query_id": NaN}', 2, None, "NaN is no number"),
        ({**WIDER, "page": 1}, 2, "page", "no such field"),
        ({**WIDER, "code": "X"}, 2, "code", "one of F, E, U, N, or null"),
        ({**WIDER, "reason": 3}, 2, "reason", "text of at most"),
        ({**WIDER, "reason": "a\x00"}, 2, "reason", "without NUL"),
        ({**WIDER, "action": "burn"}, 2, "action", "one of reword, re-answer"),
        ({**WIDER, "after": {**Q1, "box": [1, 2]}}, 2, "after.box", "four numbers"),
        ({**WIDER, "after": {**Q1, "box": [1, 2, 101, 4]}}, 2, None, "within 0, 0, 100, 200"),
        ({**WIDER, "before": {**Q1, "box": [1, 2, 3, 5]}}, 2, None, "is not there"),
        ({**WIDER, "query_id": "q9"}, 2, None, "no query 'q9'"),
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
    with pytest.raises(BundleError, match="nothing of it was proposed: 1 faults") as raised:
        propose_from_file(workspace, ada, dataset, written(tmp_path, REWORD, row))
    (problem,) = raised.value.problems
    assert (problem.file, problem.line, problem.field) == ("corrections.jsonl", line, field)
    assert says in str(problem)
    assert row_counts(workspace) == before


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
