"""Parquet rows that are taken as whole columns are the same as those looked at one by one, faulty rows among them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from audit_core.importers import bundle_parquet
from audit_core.importers.bundle_faults import FaultLog
from audit_core.importers.bundle_lines import TableSource
from audit_core.importers.bundle_schema import KEYS, MAIN_TABLES
from audit_core.importers.bundle_tables import read_table

BOX = pl.List(pl.Float64)
PIECE = pl.Struct(
    {
        "page_id": pl.String, "document_id": pl.String, "element_id": pl.String, "box": BOX, "kind": pl.String,
        "relevance": pl.Int64, "set_id": pl.String,
    }
)  # fmt: skip
TYPES: dict[str, Any] = {
    "page_count": pl.Int32, "page_index": pl.Int64, "width": pl.Float64, "height": pl.Float32,
    "document_top": pl.Float64, "box": BOX, "document_box": BOX, "configured_pages": pl.List(pl.String),
    "evidence": pl.List(PIECE),
}  # fmt: skip
RIGHT: dict[str, list[Any]] = {
    "id": ["007", "NA", "null", "1e5", "x\u2028y"], "text": ["", " ", "ß漢字", None], "words": ["", "ß漢字"],
    "number": [0.0, -0.0, 1.5, None], "size": [0.5, 100.25], "whole": [0, 3, 2**31 - 1],
    "box": [[0.0, 1.0, 2.5, 9.0], [3, 3, 3, 3], None], "whole box": [[0.0, 1.0, 2.5, 9.0]], "kind": ["Text", "Other"],
    "relevance": [1, 2, None], "ids": [None, [], ["a", "NA"]], "structure": ["Page-Single", "Cross-Doc"],
}  # fmt: skip
WRONG: dict[str, list[Any]] = {
    "id": ["", None, "a\x00b"], "text": ["a\x00"], "words": [None], "number": [float("nan"), float("inf")],
    "size": [0.0, -1.0, float("nan"), None], "whole": [-1, None, 2**31 - 1],
    "box": [[], [1.0], [1.0, 2.0, 3.0, 4.0, 5.0], [1.0, None, 3.0, 4.0], [float("inf")] * 4],
    "whole box": [None, [9.0, 9.0, 1.0, 1.0]], "kind": ["Figure", None], "relevance": [0, 3],
    "ids": [[""], ["a", None]], "structure": ["Sideways", None],
}  # fmt: skip
ROWS = {
    "documents": {"document_id": "id", "source": "words", "domain": "words", "title": "words", "uri": "text", "page_count": "whole"},
    "pages": {
        "page_id": "id", "document_id": "id", "page_index": "whole", "printed_label": "text", "image": "words", "width": "size",
        "height": "size", "document_top": "number",
    },
    "elements": {
        "document_id": "id", "element_id": "id", "kind": "kind", "page_id": "id", "box": "whole box", "document_box": "box",
        "text": "text",
    },
    "queries": {
        "query_id": "id", "text": "words", "answer": "text", "source": "words", "domain": "words",
        "evidence_structure": "structure", "configured_pages": "ids",
    },
}  # fmt: skip
PIECES = {"page_id": "id", "element_id": "id", "box": "box", "kind": "kind", "relevance": "relevance"}


def a_row(columns: dict[str, str], wrong: float, chance: random.Random) -> dict[str, Any]:
    return {name: chance.choice((WRONG if chance.random() < wrong else RIGHT)[kind]) for name, kind in columns.items()}


def a_frame(table: str, wrong: float, chance: random.Random) -> pl.DataFrame:
    rows = [a_row(ROWS[table], wrong, chance) for _ in range(chance.randint(0, 9))]
    schema = {name: TYPES.get(name, pl.String) for name in ROWS[table]}
    if table == "queries":
        schema["evidence"] = TYPES["evidence"]
        for row in rows:
            row["evidence"] = [a_row(PIECES, wrong, chance) for _ in range(chance.randint(0, 3))]
            if chance.random() < wrong:
                row["evidence"] = None
    return pl.DataFrame(rows, schema=schema, orient="row", strict=False)


def what_is_read(path: Path, table: str, *, lenient: bool) -> list[Any]:
    log = FaultLog(lenient=lenient)
    source = TableSource(table, MAIN_TABLES[table], KEYS[table], path.name, log)
    frame, evidence = read_table(path, source, lambda part: None)
    return [
        frame.schema, frame.write_json(), evidence.schema, evidence.write_json(), sorted(map(str, log.problems())),
        log.total, source.skipped, log.warnings, log.findings().write_json(),
    ]  # fmt: skip


@pytest.mark.parametrize("wrong", [0.0, 0.05, 0.5])
@pytest.mark.parametrize("table", list(ROWS))
def test_whole_columns_and_single_rows_give_the_same(
    table: str, wrong: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(f"{table} {wrong}")
    fits = bundle_parquet.rows_fit
    taken: list[bool] = []
    monkeypatch.setattr(bundle_parquet, "BATCH_ROWS", 3)
    for number in range(8):
        path = tmp_path / f"{number}.parquet"
        a_frame(table, wrong, chance).write_parquet(path)
        for lenient in (False, True):
            monkeypatch.setattr(bundle_parquet, "rows_fit", lambda *given: taken.append(fits(*given)) or taken[-1])
            whole = what_is_read(path, table, lenient=lenient)
            monkeypatch.setattr(bundle_parquet, "rows_fit", lambda *given: False)
            assert whole == what_is_read(path, table, lenient=lenient)
    assert any(taken) or wrong == 0.5
    assert all(taken) == (wrong == 0.0)


def test_categories_arrays_and_columns_without_values_are_taken_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = pl.DataFrame(
        {
            "document_id": ["d"], "element_id": ["e"], "kind": pl.Series(["Text"], dtype=pl.Categorical),
            "page_id": pl.Series(["p"], dtype=pl.Enum(["p"])), "box": pl.Series([[1, 2, 3, 4]], dtype=pl.Array(pl.Int32, 4)),
            "document_box": pl.Series([None]), "text": pl.Series([None]),
        }
    )  # fmt: skip
    path = tmp_path / "elements.parquet"
    frame.write_parquet(path)
    whole = what_is_read(path, "elements", lenient=False)
    monkeypatch.setattr(bundle_parquet, "rows_fit", lambda *given: False)
    assert whole == what_is_read(path, "elements", lenient=False)
    assert '"box_x1":3.0' in whole[1]
    assert whole[5] == 0
