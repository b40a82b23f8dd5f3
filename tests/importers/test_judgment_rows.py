"""Rows of judgments files as they stand there, and what is said of files that cannot be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from audit_core.errors import BundleError
from audit_core.importers.judgment_rows import FileFaults, read_rows


def rows(file: Path, content: bytes) -> list[tuple[int, dict[str, Any]]]:
    """Write a file and return its rows; faults are raised."""
    file.write_bytes(content)
    faults = FileFaults(file.name)
    found = list(read_rows(file, faults))
    faults.raise_if_any()
    return found


def refusal(file: Path, content: bytes) -> str:
    with pytest.raises(BundleError) as refused:
        rows(file, content)
    assert refused.value.total >= 1
    return str(refused.value)


def test_lines_keep_their_numbers_and_what_is_null_is_absent(tmp_path: Path) -> None:
    content = b'{"query_id": "007", "note": null}\n\n{"query_id": "x\xe2\x80\xa8y"}\r\n'
    assert rows(tmp_path / "j.jsonl", content) == [(1, {"query_id": "007"}), (3, {"query_id": "x\u2028y"})]


def test_cells_become_what_their_column_holds_and_ids_stay_text(tmp_path: Path) -> None:
    content = (
        b"query_id,entry,codes,fields,active_seconds,note\r\n"
        b'007,12,FE,"{""remove"": true}",0.1,"two\r\nlines, and a ""quote"""\r\n'
        b"1e5,,,,,\r\n"
    )
    assert rows(tmp_path / "j.csv", content) == [
        (2, {"query_id": "007", "entry": 12, "codes": "FE", "fields": {"remove": True}, "active_seconds": 0.1,
             "note": 'two\r\nlines, and a "quote"'}),
        (3, {"query_id": "1e5", "codes": ""}),
    ]  # fmt: skip


def test_a_csv_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    assert rows(tmp_path / "j.csv", b"\xef\xbb\xbfquery_id\r\nq1\r\n") == [(2, {"query_id": "q1"})]


def test_objects_of_parquet_are_text_or_structs(tmp_path: Path) -> None:
    file = tmp_path / "j.parquet"
    table = pa.table(
        {
            "targets": pa.array(
                [{"F": ["p1"], "E": None}, None],
                pa.struct([("F", pa.list_(pa.string())), ("E", pa.list_(pa.string()))]),
            ),
            "fields": ['{"remove": true}', None],
        }
    )
    pq.write_table(table, file)
    found = list(read_rows(file, FileFaults(file.name)))
    assert found == [(1, {"targets": {"F": ["p1"]}, "fields": {"remove": True}}), (2, {})]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("j.jsonl", b'{"query_id": "q1"\n', "line 1.*no JSON object"),
        ("j.jsonl", b'{"query_id": "q1"}\n[1]\n', r"line 2: found \[1\]; write one JSON object a line"),
        ("j.jsonl", b'{"note": "\xff"}\n', "line 1.*no JSON object"),
        ("j.jsonl", b'{"note": "\\ud800"}\n', "line 1.*no JSON object"),
        ("j.jsonl", b'{"active_seconds": NaN}\n', "line 1.*no JSON object"),
        ("j.jsonl", b"[" * 100_000 + b"\n", "line 1.*no JSON object"),
        ("j.jsonl", b'\xef\xbb\xbf{"query_id": "q1"}\n', "without a byte order mark"),
        ("j.jsonl", b'{"not for import": "x"}\n', "written for spreadsheets"),
        ("j.csv", b'query_id,note\r\nq1,"open', "no CSV as in RFC 4180"),
        ("j.csv", b'query_id,note\r\nq1,"a"b"\r\n', "row 2.*no CSV as in RFC 4180"),
        ("j.csv", b"query_id,note\r\nq1\r\n", "row 2; it has 1 cells, and there are 2 columns"),
        ("j.csv", b"query_id,query_id\r\nq1,q2\r\n", "field query_id; this column is there twice"),
        ("j.csv", b"query_id;codes\r\nq1;F\r\n", "separate the columns by commas"),
        ("j.csv", b"query_id,cods\r\nq1,F\r\n", "field cods; there is no such column: is codes meant"),
        ("j.csv", b"query_id\r\n\xff\r\n", "save the file as UTF-8"),
        ("j.parquet", b"no parquet", "no Parquet file"),
        ("j.csv", b"", r"j\.csv; it holds no judgment"),
        ("j.csv", b"\r\n\r\n", "it holds no judgment"),
        ("j.csv", b"query_id,annotator,codes\r\n\r\n", "it holds no judgment"),
        ("j.jsonl", b"", "it holds no judgment"),
        ("j.jsonl", b"\n \n", "it holds no judgment"),
        ("j.xlsx", b"PK", r"a name that ends in \.jsonl, \.csv, \.parquet"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_what_to_do(
    tmp_path: Path, name: str, content: bytes, words: str
) -> None:
    import re

    said = refusal(tmp_path / name, content)
    assert re.search(words, said, flags=re.DOTALL), said
    assert said.startswith(f"{name} was refused and nothing was imported")


def test_a_parquet_file_without_a_row_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "j.parquet"
    pq.write_table(pa.table({"query_id": pa.array([], pa.string())}), file)
    assert "it holds no judgment" in refusal(file, file.read_bytes())


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    faults = FileFaults("gone.csv")
    with pytest.raises(BundleError, match="cannot be read"):
        list(read_rows(tmp_path / "gone.csv", faults))


def test_a_field_that_a_line_has_twice_is_refused_and_faults_stand_in_the_order_of_lines(tmp_path: Path) -> None:
    file = tmp_path / "judgments.jsonl"
    file.write_text(
        '{"query_id": "q1", "codes": [], "codes": ["F"]}\n{"query_id": "q2"}\n{"targets": {"E": ["a"], "E": ["b"]}}\n',
        encoding="utf-8",
    )
    faults = FileFaults(file.name)
    assert [place for place, _ in read_rows(file, faults)] == [2]
    faults.add(2, "codes", None, "say what was decided")
    faults.add(None, None, None, "of the file as a whole")
    assert [(each.line, each.field) for each in faults.refusal().problems] == [
        (None, None), (1, "codes"), (2, "codes"), (3, "E"),
    ]  # fmt: skip


def test_of_many_faults_those_that_stand_first_in_the_file_are_told() -> None:
    faults = FileFaults("many.jsonl")
    for line in range(1_000, 0, -1):
        faults.add(line, None, None, "odd")
    told = [each.line for each in faults.refusal().problems]
    assert (told, faults.total) == (list(range(1, len(told) + 1)), 1_000)
