"""Right answers from a file: JSON Lines and CSV alike, and what is wrong with a file by row and field."""

from __future__ import annotations

import io

import pytest

from audit_core.errors import AssayError
from audit_core.workflow.gold_file import gold_of_file


def read(text: str | bytes, *, name: str = "gold.jsonl", protocol: str = "audit") -> list[tuple[str, object, object]]:
    content = text.encode() if isinstance(text, str) else text
    found = gold_of_file(protocol, io.BytesIO(content), name=name)
    return [(each.query_id, each.answer["codes"], each.answer["fields"]) for each in found]


def test_json_lines_and_csv_give_the_same_answers() -> None:
    lines = '{"query_id": "q1", "codes": "FE"}\n\n{"query_id": "007", "codes": ""}\n'
    table = "﻿query_id,codes\r\nq1,FE\r\n007,\r\n"
    assert read(lines) == read(table, name="gold.csv") == [("q1", "FE", {}), ("007", "", {})]


def test_cells_that_are_json_are_values_and_fields_stand_in_columns_of_their_own() -> None:
    table = "query_id,remove,clarity\nq1,true,0.25\nq2,false,\n"
    assert read(table, name="gold.csv", protocol="removal") == [
        ("q1", "", {"remove": True, "clarity": 0.25}),
        ("q2", "", {"remove": False}),
    ]


@pytest.mark.parametrize(
    ("text", "name", "says"),
    [
        ("", "gold.jsonl", "holds no right answer"),
        ("[1]", "gold.jsonl", "line 1 is not a JSON object"),
        ('{"query_id": "q1"', "gold.jsonl", "line 1 is not JSON"),
        ("a,b\n1,2\n", "gold.csv", "no column query_id"),
        ("query_id,codes\nq1\n", "gold.csv", "line 2 has another number of cells"),
        ("query_id,codes\nq1,F,E\n", "gold.csv", "line 2 has another number of cells"),
        ("query_id,codes\nq1,Z\n", "gold.csv", "gold.csv, row 1"),
        ("query_id,codes\nq1,F\nq1,F\n", "gold.csv", "stands twice"),
        ('{"query_id": "q1", "outcome": "cannot_judge"}', "gold.jsonl", "row 1, field outcome"),
        ('{"query_id": 7}', "gold.jsonl", "row 1, field query_id"),
        (b"query_id\n\xff", "gold.csv", "not UTF-8"),
        ("query_id\nq1\n", "gold.xlsx", "neither JSON Lines nor CSV"),
    ],
)  # fmt: skip
def test_a_file_that_is_wrong_is_refused_by_name_and_row(text: str | bytes, name: str, says: str) -> None:
    with pytest.raises(AssayError, match=says):
        read(text, name=name)
