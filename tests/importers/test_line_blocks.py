"""Blocks of JSON Lines that are parsed into columns give the same as their lines looked at one by one, faults among them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from audit_core.importers import bundle_lines
from audit_core.importers.bundle_block import parsed_block
from audit_core.importers.bundle_faults import FaultLog
from audit_core.importers.bundle_lines import TableSource
from audit_core.importers.bundle_schema import DOCUMENTS, KEYS, MAIN_TABLES, PAGES, QUERIES
from audit_core.importers.bundle_tables import read_table
from tests.importers.small_bundle import right_rows

PAGE = {"page_id": "007", "document_id": "d", "page_index": 0, "image": "a.png", "width": 1.5, "height": 2}
DOCUMENT = {"document_id": "d", "source": "s", "domain": "x", "title": "T", "page_count": 2}


def what_is_read(path: Path, table: str, *, lenient: bool) -> list[Any]:
    log = FaultLog(lenient=lenient)
    source = TableSource(table, MAIN_TABLES[table], KEYS[table], path.name, log)
    frame, evidence = read_table(path, source, lambda part: None)
    return [
        frame.schema, frame.rows(), evidence.schema, evidence.rows(), sorted(map(str, log.problems())),
        log.total, source.skipped, log.warnings, log.findings().rows(),
    ]  # fmt: skip


def assert_same(path: Path, table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for lenient in (False, True):
        whole = what_is_read(path, table, lenient=lenient)
        with monkeypatch.context() as patch:
            patch.setattr(bundle_lines, "parsed_block", lambda block, columns: None)
            # Their text tells -0.0 from 0.0 and 1 from 1.0.
            assert repr(what_is_read(path, table, lenient=lenient)) == repr(whole)


def line(row: dict[str, Any], **changed: Any) -> bytes:
    return json.dumps({**row, **changed}, ensure_ascii=False).encode()


def spoiled(row: dict[str, Any], name: str, written: bytes) -> bytes:
    """Return a row in which the value of `name` is written as given."""
    return line(row, **{name: "@"}).replace(b'"@"', written)


@pytest.mark.parametrize("table", list(MAIN_TABLES))
def test_right_rows_are_parsed_as_a_block(table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    block = b"\n".join(map(line, right_rows()[table]))
    parsed = parsed_block(block, MAIN_TABLES[table])
    assert parsed is not None
    assert parsed.height == len(right_rows()[table])
    path = tmp_path / f"{table}.jsonl"
    path.write_bytes(block + b"\n")
    assert_same(path, table, monkeypatch)


@pytest.mark.parametrize(
    "written",
    [
        b"0", b"-0.0", b"1", b"9007199254740993", b"123456789012345678901234567890", b"1e-400", b"1E+2",
        b"0.1000000000000000055511151231257827", b"2.2250738585072011e-308", b"1.7976931348623157e308", b"1.5e0",
        b"17976931348623157" + b"0" * 292,
    ],
)  # fmt: skip
def test_a_number_is_the_same_to_the_last_bit(written: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_bytes(b"\n".join([line(PAGE), spoiled({**PAGE, "page_id": "p"}, "document_top", written)]))
    assert_same(path, "pages", monkeypatch)


def test_minus_nought_written_as_a_whole_number_is_nought() -> None:
    parsed = parsed_block(spoiled(PAGE, "document_top", b"-0"), PAGES)
    assert parsed is not None
    assert parsed["document_top"].to_list() == [0.0]


@pytest.mark.parametrize(
    "bad",
    [
        b"null", b"NaN", b"-Infinity", b"1e400", b"01", b"1.", b".5", b"+1", b'"1"', b"true", b"[1]", b"{}", b"", b"-", b"0x1",
    ],
)  # fmt: skip
def test_a_block_with_a_bad_number_is_looked_at_line_by_line(
    bad: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    block = b"\n".join([line(PAGE), spoiled({**PAGE, "page_id": "p"}, "width", bad)])
    assert parsed_block(block, PAGES) is None
    (tmp_path / "pages.jsonl").write_bytes(block)
    assert_same(tmp_path / "pages.jsonl", "pages", monkeypatch)


@pytest.mark.parametrize("bad", [b"1.0", b"1e2", b"9223372036854775808", b"9007199254740993", b"-1", b"null", b"false"])
def test_a_block_with_an_odd_whole_number_is_looked_at_line_by_line(
    bad: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    block = spoiled(DOCUMENT, "page_count", bad)
    assert parsed_block(block, DOCUMENTS) is None
    (tmp_path / "documents.jsonl").write_bytes(block)
    assert_same(tmp_path / "documents.jsonl", "documents", monkeypatch)


@pytest.mark.parametrize(
    "bad",
    [
        b'"\\ud800"', b'"\xff"', b'"\xed\xa0\x80"', b'"a\x01b"', b'"\\x"', b"7", b"7.0", b"true", b'["a"]', b'"a', b"'a'",
        b'""', b'"a", "document_id": "e"', b'"a", "\\u0064ocument_id": "e"', b'"a", "other": 1', b'"a", "other": null',
        b'"a",', b'"a" /* note */',
    ],
)  # fmt: skip
def test_a_block_with_an_odd_text_is_looked_at_line_by_line(
    bad: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    block = b"\n".join([line({**DOCUMENT, "document_id": "b"}), spoiled(DOCUMENT, "document_id", bad)])
    assert parsed_block(block, DOCUMENTS) is None
    (tmp_path / "documents.jsonl").write_bytes(block)
    assert_same(tmp_path / "documents.jsonl", "documents", monkeypatch)


@pytest.mark.parametrize(
    "block",
    [
        b"null", b"[]", b"", b"%s null", b"null %s", b"%snull%s", b"%s \t\r null\n%s", b"%s\nnull\n%s", b"%s %s", b"%s\n\n%s",
        b"%s,\n%s", b"%s\n]", b"[%s\n]", b"%s}\n{%s", b"%s\n{\n}\n%s%s", b"\xef\xbb\xbf%s", b"%s\x00", b"%s\n \n", b" %s",
        b'{"document_id": "d"\n}{"a": 1}',
    ],
)  # fmt: skip
def test_lines_that_are_not_one_object_each_are_never_taken_for_it(
    block: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = block.count(b"%s")
    block = block % tuple(line(DOCUMENT, document_id=f"d{number}") for number in range(count)) if count else block
    assert parsed_block(block, DOCUMENTS) is None
    (tmp_path / "documents.jsonl").write_bytes(block)
    assert_same(tmp_path / "documents.jsonl", "documents", monkeypatch)


def test_a_brace_and_a_null_inside_a_text_harm_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["} null", "}{", "{", "}\n{", "\u2028", "\u0085", "\x7f", "\\", "\u0000", "🦆"]
    path = tmp_path / "documents.jsonl"
    path.write_bytes(b"\n".join(line(DOCUMENT, document_id=f"d{n}", title=text) for n, text in enumerate(texts)))
    assert_same(path, "documents", monkeypatch)


def test_what_follows_a_faulty_block_has_its_own_line_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle_lines, "BLOCK_BYTES", 300)
    rows = [line(DOCUMENT, document_id=f"d{number}") for number in range(40)]
    rows[17] = spoiled(DOCUMENT, "title", b"5")
    rows[31] = b"{}"
    path = tmp_path / "documents.jsonl"
    path.write_bytes(b"\n".join(rows))
    log = FaultLog(lenient=False)
    frame, _ = read_table(
        path, TableSource("documents", DOCUMENTS, ("document_id",), path.name, log), lambda part: None
    )
    assert frame["line"].to_list() == [number for number in range(1, 41) if number != 32]
    assert {problem.line for problem in log.problems()} == {18, 32}
    assert_same(path, "documents", monkeypatch)


@pytest.mark.parametrize("table", list(MAIN_TABLES))
def test_random_changes_of_bytes_are_read_alike(table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(table)
    right = b"\n".join(map(line, right_rows()[table]))
    pieces = [
        b'"',
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b"null",
        b"1",
        b"-",
        b".",
        b"e9",
        b"\\u",
        b"\n",
        b" ",
        b"\xc3",
        b"\x00",
    ]
    path = tmp_path / f"{table}.jsonl"
    for _ in range(60):
        text = bytearray(right)
        for _ in range(chance.randint(1, 2)):
            at = chance.randrange(len(text))
            text[at : at + chance.randint(0, 2)] = chance.choice(pieces)
        path.write_bytes(bytes(text))
        assert_same(path, table, monkeypatch)


def test_a_query_whose_evidence_is_odd_is_looked_at_alone() -> None:
    right = right_rows()["queries"][0]
    assert parsed_block(line(right), QUERIES) is not None
    for odd in (
        [None],
        [{}],
        [{"page_id": 1}],
        [{"page_id": "p", "box": [1, 2, 3]}],
        [{"page_id": "p", "x": 1}],
        None,
        {},
    ):
        assert parsed_block(line(right, evidence=odd), QUERIES) is None
